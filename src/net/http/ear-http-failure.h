/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GError  *ear_http_failure_new             (int         code,
                                           const char *address,
                                           const char *what);
GError  *ear_http_failure_new_for_status  (guint       status,
                                           gboolean    told_login,
                                           const char *address);
GError  *ear_http_failure_new_for_request (const GError *cause,
                                           const char   *address);
GError  *ear_http_failure_new_for_body    (const GError *cause,
                                           const char   *address);
gboolean ear_http_failure_may_be_network  (const GError *error,
                                           const char   *address);
gint64   ear_http_failure_parse_retry_after (const char *text);

G_END_DECLS
