/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-finder.h"

/* A word that is everywhere, or the first letter of one, is not looked for to the end. */
#define MARKS_LIMIT 500

static void
find_in_block (EarSearchWords *words, EarNotes *notes, guint at, GArray *marks)
{
  const EarNotesBlock *block = g_ptr_array_index (notes->blocks, at);
  g_autofree char *text = ear_notes_block_to_text (block);
  g_autoptr (GArray) hits = ear_search_words_find (words, text);

  for (guint i = 0; i < hits->len && marks->len < MARKS_LIMIT; i++)
    {
      const EarTextRange *range = &g_array_index (hits, EarSearchHit, i).range;
      const EarNotesMark mark = { at, range->start, range->end };

      g_array_append_val (marks, mark);
    }
}

/**
 * ear_notes_finder_find:
 *
 * Looks for the words in all that is shown as text; pictures are not.
 *
 * Returns: (transfer full) (element-type EarNotesMark): where they are, block by block
 */
GArray *
ear_notes_finder_find (EarSearchWords *words, EarNotes *notes)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));

  for (guint i = 0; i < notes->blocks->len && marks->len < MARKS_LIMIT; i++)
    if (((EarNotesBlock *) g_ptr_array_index (notes->blocks, i))->type != EAR_NOTES_IMAGE)
      find_in_block (words, notes, i, marks);

  return g_steal_pointer (&marks);
}
