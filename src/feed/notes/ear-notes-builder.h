/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-html-tokenizer.h"
#include "ear-notes-pieces.h"

G_BEGIN_DECLS

/* Private to feed/: builds show notes from pieces of text and what stands between them. */

#define N_STYLES 5

typedef struct
{
  EarNotes *notes;
  char *base;
  gint64 duration;
  gboolean keep_lines;

  EarNotesPieces *pieces; /* of the block that is being built */
  gboolean at_line_start;
  gboolean space; /* the last character is one */

  char *link;
  gboolean in_link;
  gboolean link_is_used; /* there is text in it */
  char *link_image;      /* what the picture in it shows, if there is one */
  guint style_counts[N_STYLES];
  guint heading;
  guint quote;
  guint hidden;
  gboolean preformatted;
  GArray *lists;         /* (element-type guint): the next number of each open list, 0: bullets */
  guint tables;               /* open ones */
  gboolean cell_waiting;      /* the next text begins a cell */
  gboolean paragraph_waiting; /* in a table: a paragraph has ended, if the next text does not begin a cell */
  gsize cell_start;           /* where in the block the cell began */
  guint deeper;               /* open lists that are too deep to count */
  gboolean item_waiting; /* the next block begins a list's item */
  gboolean in_item;      /* this block does */
  gboolean plain_item;   /* this block is a line of text that begins with a bullet */
} EarNotesBuilder;

/* ear-notes-builder.c: texts and blocks */
EarNotesBuilder *ear_notes_builder_new           (const char      *base,
                                                  gint64           duration,
                                                  gboolean         keep_lines);
void             ear_notes_builder_free          (EarNotesBuilder *self);
void             ear_notes_builder_add_text      (EarNotesBuilder *self,
                                                  const char      *text);
void             ear_notes_builder_add_words     (EarNotesBuilder *self,
                                                  const char      *text);
void             ear_notes_builder_add_break     (EarNotesBuilder *self);
void             ear_notes_builder_end_paragraph (EarNotesBuilder *self);
void             ear_notes_builder_end_block     (EarNotesBuilder *self);
gboolean         ear_notes_builder_is_full       (EarNotesBuilder *self);
EarNotes        *ear_notes_builder_finish        (EarNotesBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarNotesBuilder, ear_notes_builder_free)

/**
 * EarNotesElement:
 * @is_block: without such an element, line breaks of the source count
 *
 * What an element of HTML means to notes.
 */
typedef struct
{
  const char *name;
  gboolean is_block;
  void (*func) (EarNotesBuilder  *builder,
                EarHtmlTokenizer *tokenizer,
                gboolean          is_start,
                guint             detail);
  guint detail;
} EarNotesElement;

/* ear-notes-elements.c */
const EarNotesElement *ear_notes_elements_find (const char *name);

G_END_DECLS
