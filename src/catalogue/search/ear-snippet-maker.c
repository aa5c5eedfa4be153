/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-snippet-maker.h"

#include "ear-plain-text.h"

#include <string.h>

/* Length of a snippet: about two lines of a row */
#define SNIPPET_BYTES 160

/* Maximum text before the first hit */
#define LEAD_BYTES 40

/* Distance that a cut may move to fall between two words */
#define WORD_BYTES 24

/* Limit of notes to search */
#define NOTES_LIMIT (512 * 1024)

/* Limit of hits: a word that is everywhere, or its first letter, has too many. */
#define MARKS_LIMIT 500

void
ear_snippet_free (EarSnippet *self)
{
  g_free (self->text);
  g_array_unref (self->ranges);
  g_array_unref (self->title_ranges);
  g_free (self);
}

/* Joins ranges that overlap or touch, such as the tokens of one word. */
static void
add_range (GArray *ranges, guint start, guint end)
{
  EarSnippetRange range = { start, end };
  EarSnippetRange *last = ranges->len > 0 ? &g_array_index (ranges, EarSnippetRange, ranges->len - 1) : NULL;

  if (last != NULL && start <= last->end)
    last->end = MAX (last->end, end);
  else
    g_array_append_val (ranges, range);
}

/* Rates a snippet that begins at a hit: by the number of different words, and then by the
 * number of hits. */
static guint
rate (GArray *hits, guint first, guint *last)
{
  const guint start = g_array_index (hits, EarSearchHit, first).range.start;
  guint64 words = 0;
  guint n_words = 0;

  *last = first;
  for (guint i = first; i < hits->len; i++)
    {
      const EarSearchHit *hit = &g_array_index (hits, EarSearchHit, i);

      if (hit->range.end > start + SNIPPET_BYTES - LEAD_BYTES)
        break;
      *last = i;
      if ((words & ((guint64) 1 << hit->word)) == 0)
        n_words++;
      words |= (guint64) 1 << hit->word;
    }

  return n_words * 1000 + MIN (*last - first, 999);
}

/* Returns the start of a word near @at, in one direction; in a text without spaces,
 * of a character. */
static guint
find_cut (const char *text, guint at, guint length, gboolean forwards)
{
  for (guint i = 0; i < WORD_BYTES; i++)
    {
      const guint cut = forwards ? at + i : at - i;

      if ((forwards && at + i >= length) || (!forwards && i >= at))
        return forwards ? length : 0;
      if (text[cut - 1] == ' ')
        return cut;
    }
  while (at > 0 && ((guchar) text[at] & 0xc0) == 0x80)
    at--;

  return at;
}

static void
cut_out (EarSnippet *self, const char *text, GArray *hits, guint first, guint last)
{
  const guint length = (guint) strlen (text);
  const guint wanted = g_array_index (hits, EarSearchHit, first).range.start;
  const guint cut = wanted > LEAD_BYTES ? MIN (find_cut (text, wanted - LEAD_BYTES, length, TRUE), wanted) : 0;
  const guint start = cut + (guint) strspn (text + cut, " ");
  /* A very long word is cut. */
  const guint must = MIN (g_array_index (hits, EarSearchHit, last).range.end, start + 2 * SNIPPET_BYTES);
  guint end = start + SNIPPET_BYTES < length ? find_cut (text, start + SNIPPET_BYTES, length, FALSE) : length;
  g_autoptr (GString) out = g_string_new (cut > 0 ? "…" : "");
  const guint lead = (guint) out->len;

  if (end < must)
    end = must < length ? find_cut (text, must, length, FALSE) : length;
  if (end < must && g_array_index (hits, EarSearchHit, last).range.end == must)
    end = must;
  g_string_append_len (out, text + start, end - start);
  while (out->len > lead && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  if (end < length)
    g_string_append (out, "…");
  for (guint i = first; i < hits->len; i++)
    {
      const EarTextRange *range = &g_array_index (hits, EarSearchHit, i).range;

      if (range->start < end)
        add_range (self->ranges, range->start - start + lead, MIN (range->end, end) - start + lead);
    }
  self->text = g_string_free_and_steal (g_steal_pointer (&out));
}

/* Finds the part of the notes with the most words. Its cost is bounded for any notes.
 * @title: (nullable): title of an episode
 * @notes: (nullable): its notes, as in the feed
 * Returns: (transfer full): a snippet */
EarSnippet *
ear_snippet_make (EarSearchWords *words, const char *title, const char *notes)
{
  EarSnippet *self = g_new0 (EarSnippet, 1);
  g_autofree char *text = ear_plain_text_from_notes (notes, NOTES_LIMIT);
  g_autoptr (GArray) in_title = ear_search_words_find (words, title);
  g_autoptr (GArray) hits = ear_search_words_find (words, text);
  guint best = 0, best_first = 0, best_last = 0;

  self->time = -1;
  self->ranges = g_array_new (FALSE, FALSE, sizeof (EarSnippetRange));
  self->title_ranges = g_array_new (FALSE, FALSE, sizeof (EarSnippetRange));
  for (guint i = 0; i < in_title->len; i++)
    {
      const EarTextRange *range = &g_array_index (in_title, EarSearchHit, i).range;

      add_range (self->title_ranges, range->start, range->end);
    }
  for (guint i = 0; i < hits->len; i++)
    {
      guint last;
      const guint rating = rate (hits, i, &last);

      if (rating > best)
        {
          best = rating;
          best_first = i;
          best_last = last;
        }
    }
  if (hits->len > 0)
    cut_out (self, text, hits, best_first, best_last);

  return self;
}

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

/* Finds the words in all text that is shown; image descriptions are not.
 * Returns: (transfer full) (element-type EarNotesMark): the hits, block by block */
GArray *
ear_search_words_find_in_notes (EarSearchWords *words, EarNotes *notes)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));

  for (guint i = 0; i < notes->blocks->len && marks->len < MARKS_LIMIT; i++)
    if (((EarNotesBlock *) g_ptr_array_index (notes->blocks, i))->type != EAR_NOTES_IMAGE)
      find_in_block (words, notes, i, marks);

  return g_steal_pointer (&marks);
}
