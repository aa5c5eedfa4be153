/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader.h"
#include "ear-lists.h"
#include "ear-player.h"
#include "ear-services.h"

G_BEGIN_DECLS

/* Properties:
 *   days  guint  number of days after which downloads are removed; 0: never */
#define EAR_TYPE_DOWNLOAD_CLEANER (ear_download_cleaner_get_type ())
G_DECLARE_FINAL_TYPE (EarDownloadCleaner, ear_download_cleaner, EAR, DOWNLOAD_CLEANER, GObject)

EarDownloadCleaner *ear_download_cleaner_new (const EarServices *services);
void ear_download_cleaner_clean (EarDownloadCleaner *self);
void ear_download_cleaner_stop (EarDownloadCleaner *self);

G_END_DECLS
