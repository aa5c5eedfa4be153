/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ear_text_find (const char *text,
                        const char *words,
                        gsize      *start,
                        gsize      *end);

G_END_DECLS
