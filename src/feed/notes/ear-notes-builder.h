/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-html-tokenizer.h"
#include "ear-notes.h"

G_BEGIN_DECLS

/* Private to feed/: builds show notes from pieces of text and the structure between
 * them. */

#define N_STYLES 5

typedef struct
{
  EarNotes *notes;
  char *base;
  gint64 duration;
  gboolean keep_lines;

  GPtrArray *pieces;        /* of the current block */
  gsize size;               /* of the pieces, in bytes */
  gsize link_bytes;         /* total over all pieces so far */
  gboolean at_line_start;
  gboolean space; /* the last character is a space */

  char *link;
  gboolean in_link;
  gboolean link_is_used; /* the link has text */
  char *link_image;      /* (nullable): description of the picture in the link */
  guint style_counts[N_STYLES];
  guint heading;
  guint quote;
  guint hidden;
  guint fallback; /* open elements with fallback content */
  gboolean preformatted;
  GArray *lists;         /* (element-type guint): numbers of open lists, 0: bullets */
  guint tables;               /* open tables */
  gboolean cell_waiting;      /* the next text begins a cell */
  gboolean paragraph_waiting; /* in a table: a paragraph ends, unless a cell begins */
  gsize cell_start;           /* offset of the cell in the block */
  guint deeper;               /* open lists below the deepest counted level */
  gboolean item_waiting; /* the next block begins a list item */
  gboolean in_item;      /* the current block is a list item */
  gboolean plain_item;   /* the current block is a text line with a bullet */
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
 * @names: separated by spaces
 * @is_block: whether the element structures the text; without one, line breaks of the
 *   source count
 *
 * The effect of HTML elements on notes.
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
