/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-media-content.h"

G_BEGIN_DECLS

EarMediaContent ear_download_find_content (const char *address, const char *content_type,
                                           const guint8 *data, gsize length);

G_END_DECLS
