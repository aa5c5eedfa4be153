/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Show notes as a tree: a list of blocks, each a list of spans. feed/ builds it from HTML
 * or plain text on a worker thread, the user interface draws it. All markup of the source
 * is gone. Immutable once built. */

typedef enum
{
  EAR_NOTES_PARAGRAPH,
  EAR_NOTES_HEADING,      /* level 1 to 6 */
  EAR_NOTES_LIST_ITEM,    /* level: depth from 1; number: 0 for a bullet */
  EAR_NOTES_QUOTE,        /* level: depth from 1 */
  EAR_NOTES_PREFORMATTED, /* white space is kept */
  EAR_NOTES_RULE,         /* no spans */
  EAR_NOTES_IMAGE,        /* one span: alternative text, and the image's address as link */
} EarNotesBlockType;

typedef enum
{
  EAR_NOTES_STYLE_NONE = 0,
  EAR_NOTES_STYLE_BOLD = 1 << 0,
  EAR_NOTES_STYLE_ITALIC = 1 << 1,
  EAR_NOTES_STYLE_CODE = 1 << 2,
  EAR_NOTES_STYLE_STRIKE = 1 << 3,
  EAR_NOTES_STYLE_UNDERLINE = 1 << 4,
} EarNotesStyle;

typedef struct
{
  char *text;        /* UTF-8; a line break within a block is "\n" */
  char *link;        /* (nullable): absolute, http, https or mailto */
  gint64 time;       /* microseconds if the span is a time in the episode, otherwise -1 */
  EarNotesStyle style;
} EarNotesSpan;

typedef struct
{
  EarNotesBlockType type;
  guint level;
  guint number;
  gboolean names_image; /* block added only to make the link of the preceding image clickable */
  GPtrArray *spans; /* (element-type EarNotesSpan) */
} EarNotesBlock;

/* A search result: bytes of a block's text, or of another text */
typedef struct
{
  guint block;
  guint start;
  guint end;
} EarNotesMark;

/* An offset in a block's text, in bytes */
typedef struct
{
  guint block;
  gsize offset;
} EarNotesPlace;

/* The part between two offsets, such as a selection */
typedef struct
{
  EarNotesPlace start;
  EarNotesPlace end;
} EarNotesRange;

struct _EarNotes
{
  GPtrArray *blocks; /* (element-type EarNotesBlock) */
  GPtrArray *chapters; /* (nullable) (element-type EarChapter): from lines that begin with a time */
  GPtrArray *links;    /* (element-type EarLinkFacts): each once */
};

EarNotes *ear_notes_new (void);
EarNotes *ear_notes_ref (EarNotes *self);
void ear_notes_unref (EarNotes *self);
EarNotesBlock *ear_notes_add_block (EarNotes *self, EarNotesBlockType type, guint level,
                                    guint number);
void ear_notes_block_add (EarNotesBlock *block, const char *text, const char *link, gint64 time,
                          EarNotesStyle style);
char *ear_notes_block_to_text (const EarNotesBlock *block);
char *ear_notes_to_text (EarNotes *self);

char *ear_notes_copy (EarNotes *self, const EarNotesRange *range, gboolean markdown);

/* Punctuation between words and an address, before and after them */
#define EAR_NOTES_MARKS_BEFORE ")]}-–—•·:;,.|→>"
#define EAR_NOTES_MARKS_BEHIND "([{-–—•·:;,|→<"

/* ear-notes-links.c */
GPtrArray *ear_notes_list_links (EarNotes *self);
void ear_notes_collect_links (EarNotes *self);
const char *ear_notes_skip_joints (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarNotes, ear_notes_unref)

G_END_DECLS
