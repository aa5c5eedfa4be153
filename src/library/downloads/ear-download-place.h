/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader.h"
#include "ear-settings.h"

G_BEGIN_DECLS

/* The downloads folder. Properties, read-only:
 *   path    string    the folder
 *   chosen  gboolean  whether the listener has chosen it
 *   moving  gboolean  whether downloads are being moved */
#define EAR_TYPE_DOWNLOAD_PLACE (ear_download_place_get_type ())
G_DECLARE_FINAL_TYPE (EarDownloadPlace, ear_download_place, EAR, DOWNLOAD_PLACE, GObject)

EarDownloadPlace *ear_download_place_new            (EarSettings      *settings,
                                                     EarNotices       *notices,
                                                     const char       *usual);
void              ear_download_place_set_downloader (EarDownloadPlace *self,
                                                     EarDownloader    *downloader);
const char       *ear_download_place_get_path       (EarDownloadPlace *self);
gboolean          ear_download_place_get_chosen     (EarDownloadPlace *self);
gboolean          ear_download_place_get_moving     (EarDownloadPlace *self);
void              ear_download_place_choose         (EarDownloadPlace *self,
                                                     const char       *path);
void              ear_download_place_stop           (EarDownloadPlace *self);

G_END_DECLS
