/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

G_BEGIN_DECLS

/* Kind of text that has the words */
typedef enum
{
  EAR_SNIPPET_NOTES,
  EAR_SNIPPET_LINK,
  EAR_SNIPPET_CHAPTER,
  EAR_SNIPPET_BOOKMARK,
  EAR_SNIPPET_TRANSCRIPT,
} EarSnippetKind;

/* The words of a search in an episode */
typedef struct
{
  EarSnippetKind kind;
  char *text;           /* (nullable): plain text around the best match */
  GArray *ranges;       /* (element-type EarNotesMark): in @text, in order */
  GArray *title_ranges; /* (element-type EarNotesMark): in the episode's title */
  gint64 time;          /* time of @text; -1: none, or unknown */
  gboolean has_all;     /* the title and the searched text have all words */
} EarSnippet;

void ear_snippet_free (EarSnippet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSnippet, ear_snippet_free)

G_END_DECLS
