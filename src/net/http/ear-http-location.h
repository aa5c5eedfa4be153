/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <libsoup/soup.h>

G_BEGIN_DECLS

gboolean ear_http_location_is_lost     (const char *location);
void     ear_http_location_read_async  (SoupMessage         *message,
                                        GTlsDatabase        *tls_database,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
char    *ear_http_location_read_finish (GAsyncResult *result, GError **error);
char    *ear_http_location_parse       (const char *head, gsize length);

G_END_DECLS
