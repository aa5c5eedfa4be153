/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-notes.h"
#include "ear-snippet.h"

G_BEGIN_DECLS

/* The words of a search, to find and highlight them in a text */
typedef struct _EarSearchWords EarSearchWords;

/* A last word with fewer letters is a whole word, and no prefix: nearly every text has a
 * word that begins with them. */
#define EAR_SHORTEST_PREFIX 3

char *ear_search_words_dup_match (const char *search, const char *joint);
EarSearchWords *ear_search_words_new (const char *search, EarDatabase *database);
gboolean ear_search_words_match (EarSearchWords *self, const char *title, const char *notes);
void ear_search_words_free (EarSearchWords *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSearchWords, ear_search_words_free)

EarSnippet *ear_snippet_make (EarSearchWords *words, const char *title, const char *text);
GArray *ear_search_words_find_in_notes (EarSearchWords *words, EarNotes *notes);

G_END_DECLS
