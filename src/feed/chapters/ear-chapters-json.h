/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"

G_BEGIN_DECLS

GPtrArray *ear_chapters_parse_json (const char *text, gsize length, const char *base,
                                    GError **error);

G_END_DECLS
