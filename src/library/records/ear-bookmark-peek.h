/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void ear_bookmark_peek_async (const char *data_directory, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *ear_bookmark_peek_finish (GAsyncResult *result, GError **error);

G_END_DECLS
