/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <libsoup/soup.h>

G_BEGIN_DECLS

const char *ear_http_range_find_condition (const char *etag,
                                           const char *last_modified);
gboolean    ear_http_range_read           (SoupMessageHeaders *headers,
                                           gint64             *first_byte,
                                           gint64             *total);
gboolean    ear_http_range_fits           (SoupMessageHeaders *headers,
                                           gint64              first_byte,
                                           const char         *condition);

G_END_DECLS
