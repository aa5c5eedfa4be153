/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-sync.h"

G_BEGIN_DECLS

#define EAR_TYPE_SYNC_PAGE (ear_sync_page_get_type ())
G_DECLARE_FINAL_TYPE (EarSyncPage, ear_sync_page, EAR, SYNC_PAGE, AdwPreferencesPage)

void ear_sync_page_set_sync (EarSyncPage *self, EarSync *sync);

G_END_DECLS
