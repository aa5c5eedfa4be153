/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ear_download_is_page (const char   *content_type,
                               const guint8 *data,
                               gsize         length);

G_END_DECLS
