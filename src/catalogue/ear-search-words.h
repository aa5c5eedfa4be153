/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-notes.h"
#include "ear-snippet.h"

G_BEGIN_DECLS

/* A last word with fewer letters is a whole word, and no prefix: nearly every text has a
 * word that begins with them. */
#define EAR_SHORTEST_PREFIX 3

char *ear_search_words_dup_match (const char *search, const char *joint);
char *ear_search_words_find_link (EarDatabase *database, const char *search, gint64 episode);
GArray *ear_search_words_find_in_notes (EarDatabase *database, const char *search,
                                        EarNotes *notes);
EarSnippet *ear_snippet_make (EarDatabase *database, const char *search, const char *title,
                              const char *text);

G_END_DECLS
