/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-builder.h"

#include "ear-notes-links.h"

#include <string.h>

/* A longer paragraph would be laid out completely for each scrolled line. */
#define MAX_BLOCK 8192

#define MAX_BLOCKS 20000
#define MAX_QUOTE 12
/* Longer cells are part of a page layout, not of a table of data. */
#define LONG_CELL 400
#define CELL_SEPARATOR " · "

static EarNotesStyle
get_style (EarNotesBuilder *self)
{
  EarNotesStyle style = EAR_NOTES_STYLE_NONE;

  for (guint i = 0; i < N_STYLES; i++)
    if (self->style_counts[i] > 0)
      style |= 1 << i;

  return style;
}

EarNotesBlock *
ear_notes_builder_begin_block (EarNotesBuilder *self)
{
  if (self->heading > 0)
    return ear_notes_add_block (self->notes, EAR_NOTES_HEADING, self->heading, 0);
  if (self->preformatted)
    return ear_notes_add_block (self->notes, EAR_NOTES_PREFORMATTED, 0, 0);
  if (self->in_item || self->plain_item)
    {
      guint *number = self->in_item && self->lists->len > 0 ? &g_array_index (self->lists, guint, self->lists->len - 1) : NULL;
      guint shown = number != NULL ? *number : 0;

      if (shown > 0)
        (*number)++;
      return ear_notes_add_block (self->notes, EAR_NOTES_LIST_ITEM, MAX (self->lists->len, 1), shown);
    }
  if (self->quote > 0)
    return ear_notes_add_block (self->notes, EAR_NOTES_QUOTE, MIN (self->quote, MAX_QUOTE), 0);

  return ear_notes_add_block (self->notes, EAR_NOTES_PARAGRAPH, 0, 0);
}

/* Ends a block unless it is empty. */
void
ear_notes_builder_end_block (EarNotesBuilder *self)
{
  EarNotesBlock *block = ear_notes_pieces_trim (self) ? ear_notes_builder_begin_block (self) : NULL;

  if (block != NULL)
    self->in_item = self->plain_item = FALSE;
  ear_notes_pieces_move_to (self, block);
  self->at_line_start = TRUE;
  self->space = FALSE;
  self->plain_item = FALSE;
  self->paragraph_waiting = FALSE;
  self->cell_waiting = FALSE;
  self->cell_start = 0;
}

static gboolean
is_empty (EarNotesBuilder *self)
{
  return self->size == 0;
}

static void
append (EarNotesBuilder *self, const char *text, gsize length)
{
  ear_notes_pieces_append (self, text, length, get_style (self), self->in_link, self->link);
}

/* Drops the space at the end of a line, which is not shown. */
static void
drop_space (EarNotesBuilder *self)
{
  ear_notes_pieces_drop_last (self);
  self->space = FALSE;
}

/* Adds the separation before the text of a table cell. Cells are joined on a line, unless
 * they are so long that the table is a page layout. */
static void
begin_cell_text (EarNotesBuilder *self)
{
  gboolean is_cell = self->cell_waiting;
  gboolean follows = !is_empty (self) && !self->at_line_start;

  if (follows && is_cell && self->size - self->cell_start < LONG_CELL)
    {
      if (self->space)
        drop_space (self);
      ear_notes_pieces_append (self, CELL_SEPARATOR, strlen (CELL_SEPARATOR), EAR_NOTES_STYLE_NONE, FALSE, NULL);
    }
  else if (follows && (is_cell || self->paragraph_waiting))
    ear_notes_builder_end_block (self);
  if (is_cell)
    self->cell_start = self->size;
  self->cell_waiting = FALSE;
  self->paragraph_waiting = FALSE;
}

static void
append_word (EarNotesBuilder *self, const char *word, gsize length)
{
  begin_cell_text (self);
  self->link_is_used = TRUE;
  if (!is_empty (self) && self->size + length >= MAX_BLOCK)
    ear_notes_builder_end_block (self);
  if (is_empty (self) && self->item_waiting)
    {
      self->in_item = TRUE;
      self->item_waiting = FALSE;
    }
  self->space = FALSE;
  self->at_line_start = FALSE;
  while (length >= MAX_BLOCK)
    {
      gsize part = MAX_BLOCK - 8;

      while ((word[part] & 0xc0) == 0x80)
        part--;
      append (self, word, part);
      ear_notes_builder_end_block (self);
      word += part;
      length -= part;
    }
  self->at_line_start = FALSE;
  append (self, word, length);
}

/* Returns: whether a line is plain text outside any structure of HTML */
static gboolean
is_plain (EarNotesBuilder *self)
{
  return self->lists->len == 0 && !self->in_item && !self->item_waiting && self->tables == 0 && self->heading == 0 && self->quote == 0 &&
         !self->in_link;
}

void
ear_notes_builder_add_words (EarNotesBuilder *self, const char *text)
{
  while (*text != '\0' && !ear_notes_builder_is_full (self))
    {
      gsize blank = strspn (text, self->keep_lines ? " \t\r\f" : " \t\r\f\n");
      gsize word;

      if (blank > 0 && !self->space && !self->at_line_start)
        {
          append (self, " ", 1);
          self->space = TRUE;
        }
      text += blank;
      if (*text == '\n')
        {
          ear_notes_builder_add_break (self);
          text++;
          continue;
        }
      if (self->at_line_start && is_plain (self))
        {
          gsize bullet = ear_notes_get_bullet_length (text);

          if (bullet > 0)
            {
              ear_notes_builder_end_block (self);
              self->plain_item = TRUE;
              text += bullet;
              continue;
            }
        }
      word = strcspn (text, " \t\r\f\n");
      if (word > 0)
        append_word (self, text, word);
      text += word;
    }
}

static void
add_preformatted (EarNotesBuilder *self, const char *text)
{
  while (*text != '\0' && !ear_notes_builder_is_full (self))
    {
      gsize line = strcspn (text, "\n");
      gsize length = MIN (line + (text[line] == '\n'), MAX_BLOCK / 2);

      while (length > 0 && (text[length] & 0xc0) == 0x80)
        length--;
      if (self->size + length >= MAX_BLOCK)
        ear_notes_builder_end_block (self);
      /* The line break after <pre> is not shown. */
      if (!(is_empty (self) && *text == '\n'))
        append (self, text, length);
      text += length;
    }
}

/* @base: (nullable): the base of relative URLs
 * @duration: the duration of the episode in microseconds, 0 if unknown
 * @keep_lines: whether line breaks in the source count */
EarNotesBuilder *
ear_notes_builder_new (const char *base, gint64 duration, gboolean keep_lines)
{
  EarNotesBuilder *self = g_new0 (EarNotesBuilder, 1);

  self->notes = ear_notes_new ();
  self->base = g_strdup (base);
  self->duration = duration;
  self->keep_lines = keep_lines;
  self->pieces = ear_notes_pieces_new ();
  self->lists = g_array_new (FALSE, FALSE, sizeof (guint));
  self->at_line_start = TRUE;

  return self;
}

void
ear_notes_builder_free (EarNotesBuilder *self)
{
  g_clear_pointer (&self->notes, ear_notes_unref);
  g_ptr_array_unref (self->pieces);
  g_array_unref (self->lists);
  g_free (self->base);
  g_free (self->link);
  g_free (self->link_image);
  g_free (self);
}

/* Inside an element that cannot be played, drops the fallback text and keeps the
 * links. */
void
ear_notes_builder_add_text (EarNotesBuilder *self, const char *text)
{
  if (self->hidden > 0 || (self->fallback > 0 && self->link == NULL && strstr (text, "://") == NULL))
    return;
  if (self->preformatted)
    add_preformatted (self, text);
  else
    ear_notes_builder_add_words (self, text);
}

/* Ends a line; a second call ends the paragraph. */
void
ear_notes_builder_add_break (EarNotesBuilder *self)
{
  if (self->plain_item)
    {
      ear_notes_builder_end_block (self);
      return;
    }
  if (is_empty (self) || self->cell_waiting)
    return;
  if (self->preformatted)
    {
      add_preformatted (self, "\n");
      return;
    }
  if (self->space)
    drop_space (self);
  if (self->at_line_start)
    {
      ear_notes_builder_end_block (self);
      return;
    }
  append (self, "\n", 1);
  self->at_line_start = TRUE;
}

/* Ends a paragraph; within a list item, which stays one block, only a line. */
void
ear_notes_builder_end_paragraph (EarNotesBuilder *self)
{
  if (self->in_item && !is_empty (self))
    {
      if (!self->at_line_start)
        ear_notes_builder_add_break (self);
    }
  else if (self->tables > 0 && !is_empty (self))
    self->paragraph_waiting = TRUE;
  else
    ear_notes_builder_end_block (self);
}

gboolean
ear_notes_builder_is_full (EarNotesBuilder *self)
{
  return self->notes->blocks->len >= MAX_BLOCKS;
}

EarNotes *
ear_notes_builder_finish (EarNotesBuilder *self)
{
  ear_notes_builder_end_block (self);

  return g_steal_pointer (&self->notes);
}
