/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_ADD_DIALOG (ear_add_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarAddDialog, ear_add_dialog, EAR, ADD_DIALOG, AdwDialog)

EarAddDialog *ear_add_dialog_new (EarLibrary *library);

G_END_DECLS
