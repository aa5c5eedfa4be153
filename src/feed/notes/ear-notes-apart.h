/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

G_BEGIN_DECLS

/* Private to feed/: a list that has run together into one paragraph, as it does where somebody's program has dropped the
 * tags: "What is it?Further reading.The manual https://example.org/manualA talk https://example.org/talk". */

/**
 * EarNotesTitle:
 * @start: where the heading begins in the text, in bytes
 * @length: how many bytes it has, without the punctuation behind it
 * @end: where what it stands above begins
 * @is_glued: no space was left before or behind it
 * @is_plain: it is a word that may as well begin a sentence
 *
 * A heading that stands in a text.
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
