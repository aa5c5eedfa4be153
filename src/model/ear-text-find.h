/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ear_text_fold (const char *text, gssize length);
gboolean ear_text_find (const char *text, const char *words, gsize *start, gsize *end);

G_END_DECLS
