/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-files.h"
#include "ear-cover-workers.h"
#include "ear-http.h"

G_BEGIN_DECLS

void          ear_cover_job_look_async   (EarCoverWorkers     *workers,
                                          const char          *directory,
                                          const char          *address,
                                          EarCoverSize         size,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
EarCoverPair *ear_cover_job_look_finish  (GAsyncResult  *result,
                                          gboolean      *stale,
                                          GError       **error);
void          ear_cover_job_fetch_async  (EarCoverWorkers     *workers,
                                          EarHttp             *http,
                                          const char          *directory,
                                          const char          *address,
                                          gboolean             conditional,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
EarCoverPair *ear_cover_job_fetch_finish (GAsyncResult  *result,
                                          GError       **error);

G_END_DECLS
