/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_SNIPPET_QUEUE (ear_snippet_queue_get_type ())
G_DECLARE_FINAL_TYPE (EarSnippetQueue, ear_snippet_queue, EAR, SNIPPET_QUEUE, GObject)

/**
 * EarSnippetFunc:
 * @snippet: (nullable): where the words are, %NULL if that could not be found out
 * @user_data: who asked
 *
 * Takes an answer.
 */
typedef void (*EarSnippetFunc) (const EarSnippet *snippet,
                                gpointer          user_data);

const char *ear_snippet_queue_get_search (EarSnippetQueue *self);
void        ear_snippet_queue_set_search (EarSnippetQueue *self,
                                          EarLibrary      *library,
                                          const char      *search);
void        ear_snippet_queue_add        (EarSnippetQueue *self,
                                          EarEpisode      *episode,
                                          EarSnippetFunc   func,
                                          gpointer         user_data);
void        ear_snippet_queue_remove     (EarSnippetQueue *self,
                                          gpointer         user_data);

G_END_DECLS
