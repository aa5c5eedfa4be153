/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-request.h"
#include "ear-http.h"

G_BEGIN_DECLS

void               ear_download_file_async           (EarHttp                  *http,
                                                      const EarDownloadRequest *request,
                                                      GCancellable             *cancellable,
                                                      GAsyncReadyCallback       callback,
                                                      gpointer                  user_data);
EarHttpResponse   *ear_download_file_finish          (EarHttp                  *http,
                                                      GAsyncResult             *result,
                                                      GError                  **error);
gint64             ear_download_file_get_retry_after (EarHttp                  *http,
                                                      GAsyncResult             *result);

G_END_DECLS
