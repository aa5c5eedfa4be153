/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

G_BEGIN_DECLS

/* Private to feed/: lists that a program has run together into one paragraph by dropping
 * the tags: "What is it?Further reading.The manual https://example.org/manualA talk
 * https://example.org/talk". */

/**
 * EarNotesTitle:
 * @start: start of the heading in the text, in bytes
 * @length: its length in bytes, without the punctuation after it
 * @end: start of the text below the heading
 * @is_glued: a space is missing before or after it
 * @is_plain: the word may also begin a sentence
 *
 * A heading within a text.
 */
typedef struct
{
  gsize start;
  gsize length;
  gsize end;
  gboolean is_glued;
  gboolean is_plain;
} EarNotesTitle;

/* ear-notes-glue.c */
gboolean ear_notes_find_title   (const char    *text,
                                 gsize          from,
                                 EarNotesTitle *title);
gsize    ear_notes_find_glue    (const char    *address,
                                 gsize          length);

/* ear-notes-apart.c */
gboolean ear_notes_take_apart   (EarNotes      *notes,
                                 EarNotesBlock *block);

G_END_DECLS
