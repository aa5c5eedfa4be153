/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-listed-podcast.h"

G_BEGIN_DECLS

GPtrArray *ear_opml_parse (GBytes *bytes, GError **error);
GBytes *ear_opml_write (GPtrArray *podcasts, const char *title);

G_END_DECLS
