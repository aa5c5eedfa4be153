/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-builder.h"

#include "ear-notes-apart.h"
#include "ear-notes-links.h"

#include <string.h>

/* In a label, the cost of each link grows with the number of links. */
#define MAX_BLOCK_LINKS 200

/* A short relative reference can resolve to a long URL, and one link can have many
 * pieces. */
#define MAX_LINK_BYTES (2 * 1024 * 1024)

/* A run of text with one style */
typedef struct
{
  GString *text;
  char *link;
  EarNotesStyle style;
  gboolean in_link; /* part of a link, even without a target: not linked again */
} Piece;

/* The destination of spans */
typedef struct
{
  EarNotesBuilder *builder;
  EarNotesBlock *block;
  guint n_links;
} Target;

static void
piece_free (Piece *piece)
{
  g_string_free (piece->text, TRUE);
  g_free (piece->link);
  g_free (piece);
}

static Piece *
get_last (EarNotesBuilder *self)
{
  return self->pieces->len > 0 ? g_ptr_array_index (self->pieces, self->pieces->len - 1) : NULL;
}

static void
add_link_span (Target *target, const char *text, const char *link, gint64 time, EarNotesStyle style)
{
  if (target->n_links++ == MAX_BLOCK_LINKS)
    {
      target->block = ear_notes_builder_begin_block (target->builder);
      target->n_links = 1;
    }
  ear_notes_block_add (target->block, text, link, time, style);
}

/* Turns URLs and times in a piece into spans of their own. */
static void
add_spans (Target *target, const Piece *piece)
{
  gsize done = 0;
  EarNotesMatch match;

  while (!piece->in_link && !(piece->style & EAR_NOTES_STYLE_CODE) &&
         ear_notes_find_link (piece->text->str, done, target->builder->duration, &match))
    {
      g_autofree char *before = g_strndup (piece->text->str + done, match.start - done);
      g_autofree char *found = g_strndup (piece->text->str + match.start, match.length);

      if (*before != '\0')
        ear_notes_block_add (target->block, before, NULL, -1, piece->style);
      add_link_span (target, found, match.link, match.time, piece->style);
      g_free (match.link);
      done = match.start + match.length;
    }
  if (piece->text->str[done] == '\0')
    return;
  if (piece->link != NULL)
    add_link_span (target, piece->text->str + done, piece->link, -1, piece->style);
  else
    ear_notes_block_add (target->block, piece->text->str + done, NULL, -1, piece->style);
}

GPtrArray *
ear_notes_pieces_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) piece_free);
}

/* Returns: %FALSE once the URLs of all links reach their limit */
gboolean
ear_notes_pieces_has_room_for_links (EarNotesBuilder *self)
{
  return self->link_bytes < MAX_LINK_BYTES;
}

/* Counts a URL towards the limit.
 * @link: (nullable): a URL that is stored */
void
ear_notes_pieces_count_link (EarNotesBuilder *self, const char *link)
{
  self->link_bytes += link != NULL ? strlen (link) : 0;
}

/* @text: (array length=length): the text to append
 * @length: its length in bytes
 * @in_link: whether it is part of a link
 * @link: (nullable): the URL of the link */
void
ear_notes_pieces_append (EarNotesBuilder *self, const char *text, gsize length, EarNotesStyle style, gboolean in_link, const char *link)
{
  Piece *last = get_last (self);

  if (!ear_notes_pieces_has_room_for_links (self))
    link = NULL;
  if (last == NULL || last->style != style || last->in_link != in_link || g_strcmp0 (last->link, link) != 0)
    {
      last = g_new0 (Piece, 1);
      last->text = g_string_new (NULL);
      last->link = g_strdup (link);
      last->style = style;
      last->in_link = in_link;
      ear_notes_pieces_count_link (self, link);
      g_ptr_array_add (self->pieces, last);
    }
  g_string_append_len (last->text, text, length);
  self->size += length;
}

/* Drops the last character, a space. */
void
ear_notes_pieces_drop_last (EarNotesBuilder *self)
{
  Piece *last = get_last (self);

  g_string_truncate (last->text, last->text->len - 1);
  self->size--;
}

/* Many notes separate paragraphs by others that hold only a non-breaking space. These
 * would be gaps, and empty stops for the keyboard and the screen reader. */
static gboolean
is_seen (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      const gunichar c = g_utf8_get_char (text);

      if (!g_unichar_isspace (c) && !g_unichar_iszerowidth (c))
        return TRUE;
    }

  return FALSE;
}

/* Removes trailing white space.
 * Returns: whether anything visible is left */
gboolean
ear_notes_pieces_trim (EarNotesBuilder *self)
{
  gboolean seen = FALSE;
  Piece *last;

  for (guint i = 0; i < self->pieces->len && !seen; i++)
    seen = is_seen (((const Piece *) g_ptr_array_index (self->pieces, i))->text->str);
  if (!seen)
    return FALSE;
  while ((last = get_last (self)) != NULL)
    {
      while (last->text->len > 0 && strchr (" \n\t", last->text->str[last->text->len - 1]) != NULL)
        ear_notes_pieces_drop_last (self);
      if (last->text->len > 0)
        return TRUE;
      g_ptr_array_set_size (self->pieces, self->pieces->len - 1);
    }

  return FALSE;
}

/* Moves the text to a block; a block with too many links is continued in a new one. */
void
ear_notes_pieces_move_to (EarNotesBuilder *self, EarNotesBlock *block)
{
  Target target = { self, block, 0 };

  for (guint i = 0; block != NULL && i < self->pieces->len; i++)
    add_spans (&target, g_ptr_array_index (self->pieces, i));
  if (block != NULL && target.block == block && block->type == EAR_NOTES_PARAGRAPH)
    ear_notes_take_apart (self->notes, block);
  g_ptr_array_set_size (self->pieces, 0);
  self->size = 0;
}
