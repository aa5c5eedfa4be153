/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-directory.h"

G_BEGIN_DECLS

void ear_feed_probe_async (EarHttp *http, const char *address, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *ear_feed_probe_finish (GAsyncResult *result, GPtrArray **outlines, char **refused,
                                  GError **error);

G_END_DECLS
