/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes.h"

#include "ear-chapters.h"

static void
span_free (EarNotesSpan *span)
{
  g_free (span->text);
  g_free (span->link);
  g_free (span);
}

static void
block_free (EarNotesBlock *block)
{
  g_ptr_array_unref (block->spans);
  g_free (block);
}

static void
notes_clear (gpointer data)
{
  EarNotes *self = data;

  g_ptr_array_unref (self->blocks);
  g_clear_pointer (&self->chapters, ear_chapters_unref);
  g_clear_pointer (&self->links, g_ptr_array_unref);
}

EarNotes *
ear_notes_new (void)
{
  EarNotes *self = g_atomic_rc_box_new0 (EarNotes);

  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) block_free);

  return self;
}

EarNotes *
ear_notes_ref (EarNotes *self)
{
  return g_atomic_rc_box_acquire (self);
}

/**
 * ear_notes_unref:
 * @self: (transfer full): the notes
 *
 * Any thread may call it.
 */
void
ear_notes_unref (EarNotes *self)
{
  g_atomic_rc_box_release_full (self, notes_clear);
}

/**
 * ear_notes_add_block:
 * @self: the notes
 * @type: type of the block
 * @level: a heading's level, a list item's or quote's depth, otherwise 0
 * @number: a numbered list item's number, otherwise 0
 *
 * Appends a block, while the notes are being built.
 *
 * Returns: (transfer none): the block
 */
EarNotesBlock *
ear_notes_add_block (EarNotes *self, EarNotesBlockType type, guint level, guint number)
{
  EarNotesBlock *block = g_new0 (EarNotesBlock, 1);

  block->type = type;
  block->level = level;
  block->number = number;
  block->spans = g_ptr_array_new_with_free_func ((GDestroyNotify) span_free);
  g_ptr_array_add (self->blocks, block);

  return block;
}

/**
 * ear_notes_block_add:
 * @block: a block
 * @text: the text of the span
 * @link: (nullable): address of the span's link
 * @time: time in the episode that the span names, in microseconds, or -1
 * @style: style of the span
 *
 * Appends a span to a block.
 */
void
ear_notes_block_add (EarNotesBlock *block, const char *text, const char *link, gint64 time, EarNotesStyle style)
{
  EarNotesSpan *span = g_new0 (EarNotesSpan, 1);

  span->text = g_strdup (text);
  span->link = g_strdup (link);
  span->time = time;
  span->style = style;
  g_ptr_array_add (block->spans, span);
}

static void
append_text (GString *text, const EarNotesBlock *block)
{
  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      if (span->text != NULL)
        g_string_append (text, span->text);
    }
}

/**
 * ear_notes_block_to_text:
 * @block: a block
 *
 * Returns: (transfer full): the text of all its spans
 */
char *
ear_notes_block_to_text (const EarNotesBlock *block)
{
  GString *text = g_string_new (NULL);

  append_text (text, block);

  return g_string_free (text, FALSE);
}

/**
 * ear_notes_to_text:
 * @self: the notes
 *
 * Converts the notes to plain text, with a blank line between blocks (none between list
 * items), without images and the blocks that only link them.
 *
 * Returns: (transfer full): the text
 */
char *
ear_notes_to_text (EarNotes *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (self->blocks, i);
      const EarNotesBlock *before = i > 0 ? g_ptr_array_index (self->blocks, i - 1) : NULL;

      if (block->type == EAR_NOTES_IMAGE || block->names_image)
        continue;
      if (text->len > 0)
        g_string_append (text, block->type == EAR_NOTES_LIST_ITEM && before->type == EAR_NOTES_LIST_ITEM ? "\n" : "\n\n");
      if (block->number > 0)
        g_string_append_printf (text, "%u. ", block->number);
      append_text (text, block);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}
