/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-html-tokenizer.h"
#include "ear-notes.h"

G_BEGIN_DECLS

/* Private to feed/: builds show notes from pieces of text and what stands between them. */

#define N_STYLES 5

typedef struct
{
  EarNotes *notes;
  char *base;
  gint64 duration;
  gboolean keep_lines;

  GPtrArray *pieces;        /* of the block that is being built */
  gsize size;               /* of these, in bytes */
  gsize link_bytes;         /* of all pieces there ever were */
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
  guint fallback; /* open elements whose content is for programs that cannot play them */
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
EarNotesBlock   *ear_notes_builder_begin_block   (EarNotesBuilder *self);
gboolean         ear_notes_builder_is_full       (EarNotesBuilder *self);
EarNotes        *ear_notes_builder_finish        (EarNotesBuilder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarNotesBuilder, ear_notes_builder_free)

/* ear-notes-pieces.c: the text of one block while it is built */
GPtrArray *ear_notes_pieces_new                (void);
void       ear_notes_pieces_append             (EarNotesBuilder *self,
                                                const char      *text,
                                                gsize            length,
                                                EarNotesStyle    style,
                                                gboolean         in_link,
                                                const char      *link);
gboolean   ear_notes_pieces_has_room_for_links (EarNotesBuilder *self);
void       ear_notes_pieces_count_link         (EarNotesBuilder *self,
                                                const char      *link);
void       ear_notes_pieces_drop_last          (EarNotesBuilder *self);
gboolean   ear_notes_pieces_trim               (EarNotesBuilder *self);
void       ear_notes_pieces_move_to            (EarNotesBuilder *self,
                                                EarNotesBlock   *block);

/**
 * EarNotesElement:
 * @names: with spaces between them
 * @is_block: without such an element, line breaks of the source count
 *
 * What elements of HTML mean to notes.
 */
typedef struct
{
  const char *names;
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
