/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"
#include "ear-search-words.h"
#include "ear-snippet.h"

G_BEGIN_DECLS

EarSnippet *ear_snippet_make (EarSearchWords *words,
                              const char     *title,
                              const char     *notes);
GArray     *ear_search_words_find_in_notes (EarSearchWords *words,
                                            EarNotes       *notes);

G_END_DECLS
