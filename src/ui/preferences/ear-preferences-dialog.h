/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_PREFERENCES_DIALOG (ear_preferences_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPreferencesDialog, ear_preferences_dialog, EAR, PREFERENCES_DIALOG,
                      AdwPreferencesDialog)

EarPreferencesDialog *ear_preferences_dialog_new (EarLibrary *library);

G_END_DECLS
