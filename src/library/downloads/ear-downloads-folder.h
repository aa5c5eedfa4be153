/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader.h"
#include "ear-settings.h"

G_BEGIN_DECLS

/* The downloads folder. Properties, read-only:
 *   path    string    the folder
 *   chosen  gboolean  whether the listener has chosen it
 *   moving  gboolean  whether downloads are being moved */
#define EAR_TYPE_DOWNLOADS_FOLDER (ear_downloads_folder_get_type ())
G_DECLARE_FINAL_TYPE (EarDownloadsFolder, ear_downloads_folder, EAR, DOWNLOADS_FOLDER, GObject)

EarDownloadsFolder *ear_downloads_folder_new (EarSettings *settings, EarNotices *notices,
                                              const char *default_path);
void ear_downloads_folder_set_downloader (EarDownloadsFolder *self, EarDownloader *downloader);
const char *ear_downloads_folder_get_path (EarDownloadsFolder *self);
gboolean ear_downloads_folder_get_chosen (EarDownloadsFolder *self);
gboolean ear_downloads_folder_get_moving (EarDownloadsFolder *self);
void ear_downloads_folder_choose (EarDownloadsFolder *self, const char *path);
void ear_downloads_folder_stop (EarDownloadsFolder *self);

G_END_DECLS
