/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader.h"
#include "ear-lists.h"
#include "ear-player.h"
#include "ear-services.h"
#include "ear-settings.h"

G_BEGIN_DECLS

#define EAR_TYPE_AUTO_DOWNLOADS (ear_auto_downloads_get_type ())
G_DECLARE_FINAL_TYPE (EarAutoDownloads, ear_auto_downloads, EAR, AUTO_DOWNLOADS, GObject)

EarAutoDownloads *ear_auto_downloads_new (const EarServices *services);
void ear_auto_downloads_remove_old (EarAutoDownloads *self);
void ear_auto_downloads_stop (EarAutoDownloads *self);

G_END_DECLS
