/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-folder.h"

G_BEGIN_DECLS

/* A change on the disk: ear_download_folder_keep(), _finish() or _remove() */
typedef gboolean (*EarDownloadChange) (EarDownloadFolder *folder, EarDownloadRecord *record,
                                       GError **error);

typedef struct _EarDownloadStore EarDownloadStore;

EarDownloadStore *ear_download_store_new (const char *path, gboolean chosen);
void ear_download_store_free (EarDownloadStore *self);
EarDownloadFolder *ear_download_store_get_folder (EarDownloadStore *self);
void ear_download_store_load_async (EarDownloadStore *self, GAsyncReadyCallback callback,
                                    gpointer user_data);
GPtrArray *ear_download_store_load_finish (GAsyncResult *result, guint *n_damaged, GError **error);
void ear_download_store_change_async (EarDownloadStore *self, EarDownloadChange change,
                                      const EarDownloadRecord *record, GAsyncReadyCallback callback,
                                      gpointer user_data);
EarDownloadRecord *ear_download_store_change_finish (GAsyncResult *result, GError **error);
void ear_download_store_move_async (EarDownloadStore *self, const char *path, gboolean chosen,
                                    GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean ear_download_store_move_finish (EarDownloadStore *self, GAsyncResult *result,
                                         GError **error);
void ear_download_store_clear (EarDownloadStore *self, const char *path);
void ear_download_store_flush_async (EarDownloadStore *self, GAsyncReadyCallback callback,
                                     gpointer user_data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadStore, ear_download_store_free)

G_END_DECLS
