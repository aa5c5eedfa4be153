/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes-builder.h"
#include "ear-notes-pieces.h"

G_BEGIN_DECLS

#define N_STYLES 5

struct _EarNotesBuilder
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
};

void ear_notes_builder_end_block (EarNotesBuilder *self);
void ear_notes_builder_add_words (EarNotesBuilder *self,
                                  const char      *text);

G_END_DECLS
