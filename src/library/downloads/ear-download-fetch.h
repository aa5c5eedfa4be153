/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-progress.h"
#include "ear-download-store.h"
#include "ear-http.h"

G_BEGIN_DECLS

void ear_download_fetch_async (EarHttp *http, EarDownloadStore *store,
                               const EarDownloadRecord *record, gint64 reserve,
                               EarDownloadProgress *progress, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);
gboolean ear_download_fetch_finish (GAsyncResult *result, EarDownloadRecord **record,
                                    GError **error);
gint64 ear_download_fetch_get_retry_after (GAsyncResult *result);

G_END_DECLS
