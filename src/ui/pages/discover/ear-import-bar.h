/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_IMPORT_BAR (ear_import_bar_get_type ())
G_DECLARE_FINAL_TYPE (EarImportBar, ear_import_bar, EAR, IMPORT_BAR, AdwBin)

void ear_import_offers_fill (AdwPreferencesGroup *group, const char *action);

G_END_DECLS
