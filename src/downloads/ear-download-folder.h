/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-record.h"

G_BEGIN_DECLS

typedef struct
{
  char *path;
  char *records;   /* the folder of the records */
  gboolean chosen; /* by the listener: never created again if missing */
} EarDownloadFolder;

EarDownloadFolder *ear_download_folder_new (const char *path, gboolean chosen);
void ear_download_folder_free (EarDownloadFolder *self);

/* Any thread may call these three. */
gboolean ear_download_folder_is_there (EarDownloadFolder *self);
char *ear_download_folder_dup_part (EarDownloadFolder *self, const EarDownloadRecord *record);
char *ear_download_folder_dup_file (EarDownloadFolder *self, const EarDownloadRecord *record);

GPtrArray *ear_download_folder_load (EarDownloadFolder *self, guint *n_damaged, GError **error);
gboolean ear_download_folder_keep (EarDownloadFolder *self, EarDownloadRecord *record,
                                   GError **error);
gboolean ear_download_folder_finish (EarDownloadFolder *self, EarDownloadRecord *record,
                                     GError **error);
gboolean ear_download_folder_remove (EarDownloadFolder *self, EarDownloadRecord *record,
                                     GError **error);
gboolean ear_download_folder_copy (EarDownloadFolder *self, EarDownloadFolder *to,
                                   GCancellable *cancellable, GError **error);
void ear_download_folder_clear (EarDownloadFolder *self, EarDownloadFolder *kept);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadFolder, ear_download_folder_free)

G_END_DECLS
