/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

G_BEGIN_DECLS

EarNotes *ear_show_notes_parse (const char *source,
                                const char *base,
                                gint64      duration);
char     *ear_show_notes_to_text (const char *source);
GPtrArray *ear_show_notes_list_links (const char *source, const char *base);

G_END_DECLS
