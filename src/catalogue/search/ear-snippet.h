/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Bytes of a text, to be made bold. */
typedef struct
{
  guint start;
  guint end;
} EarSnippetRange;

/* Where it is that they were found */
typedef enum
{
  EAR_SNIPPET_NOTES,
  EAR_SNIPPET_LINK,
  EAR_SNIPPET_CHAPTER,
  EAR_SNIPPET_BOOKMARK,
  EAR_SNIPPET_TRANSCRIPT,
} EarSnippetKind;

/* Where the words of a search are in an episode. */
typedef struct
{
  EarSnippetKind kind;
  char *text;           /* (nullable): plain text around the best place of it, if they are there */
  GArray *ranges;       /* (element-type EarSnippetRange): in @text, in order */
  GArray *title_ranges; /* (element-type EarSnippetRange): in the episode's title */
  gint64 time;          /* when @text is heard, as far as that is known; -1: it has no time */
} EarSnippet;

void ear_snippet_free (EarSnippet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSnippet, ear_snippet_free)

G_END_DECLS
