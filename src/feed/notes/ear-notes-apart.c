/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-apart.h"

#include "ear-address.h"
#include "ear-notes-links.h"

#include <string.h>

/* The level of headings in hand-written notes: "<h3>" */
#define HEADING_LEVEL 3

#define BEFORE " \t\n" EAR_NOTES_MARKS_BEFORE
#define BEHIND " \t\n" EAR_NOTES_MARKS_BEHIND

/* Texts with more headings are left unchanged. */
#define MAX_TITLES 8

typedef struct
{
  gsize start;
  gsize end;
  char *address;
  gboolean is_bare; /* the text is the URL itself */
} Link;

/* The block to be split */
typedef struct
{
  EarNotes *notes;
  EarNotesBlock *block;
  char *text;
  gsize length;
  GArray *titles; /* (element-type EarNotesTitle) */
  GArray *links;  /* (element-type Link) */
} Source;

static void
clear_link (gpointer link)
{
  g_free (((Link *) link)->address);
}

static Link *
get_link (Source *source, guint i)
{
  return &g_array_index (source->links, Link, i);
}

static void
add_link (Source *source, const EarNotesSpan *span, gsize start)
{
  const gsize length = strlen (span->text);
  Link *last = source->links->len > 0 ? get_link (source, source->links->len - 1) : NULL;
  Link link = { start, start + length, g_strdup (span->link), FALSE };

  if (last != NULL && last->end == start && strcmp (last->address, span->link) == 0)
    {
      last->end = link.end;
      g_free (link.address);
      return;
    }
  link.is_bare = strpbrk (span->text, " \n") == NULL && (g_str_has_prefix (span->text, "http") || g_str_has_prefix (span->text, "www."));
  g_array_append_val (source->links, link);
}

/* Returns: %FALSE for nearly all blocks: those without a link and a heading */
static gboolean
read_block (Source *source)
{
  EarNotesTitle title = { 0 };
  gsize at = 0;

  for (guint i = 0; i < source->block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (source->block->spans, i);

      if (span->link != NULL)
        add_link (source, span, at);
      at += strlen (span->text);
    }
  if (source->links->len == 0)
    return FALSE;
  source->text = ear_notes_block_to_text (source->block);
  source->length = at;
  for (gsize from = 0; source->titles->len <= MAX_TITLES && ear_notes_find_title (source->text, from, &title); from = title.end)
    g_array_append_val (source->titles, title);

  return source->titles->len > 0 && source->titles->len <= MAX_TITLES;
}

/* Cuts the words glued to the end of a URL, unless the rest is no web address. */
static void
cut_link (Source *source, Link *link)
{
  g_autofree char *address = NULL;
  gsize end = link->end;

  for (guint i = 0; i < source->titles->len; i++)
    {
      const EarNotesTitle *title = &g_array_index (source->titles, EarNotesTitle, i);

      if (title->start > link->start && title->start < end)
        end = title->start;
    }
  if (end < source->length)
    end = link->start + ear_notes_find_glue (source->text + link->start, end - link->start);
  if (end == link->end)
    return;
  end = link->start + ear_notes_trim_address (source->text + link->start, end - link->start, strlen ("https://"));
  address = g_strndup (source->text + link->start, end - link->start);
  if (!ear_address_is_web (address))
    return;
  g_free (link->address);
  link->address = g_steal_pointer (&address);
  link->end = end;
}

static void
cut_links (Source *source)
{
  gboolean is_glued = FALSE;

  for (guint i = 0; i < source->titles->len; i++)
    is_glued = is_glued || g_array_index (source->titles, EarNotesTitle, i).is_glued;
  for (guint i = 0; is_glued && i < source->links->len; i++)
    {
      Link *link = get_link (source, i);

      if (link->is_bare && strncmp (source->text + link->start, link->address, link->end - link->start) == 0)
        cut_link (source, link);
    }
}

/* Skips characters of a set, except as the start of a word: "-O2", ".gitignore" */
static gsize
skip (Source *source, gsize from, gsize to, const char *set)
{
  while (from < to && g_utf8_strchr (set, -1, g_utf8_get_char (source->text + from)) != NULL)
    {
      if (strchr ("-.", source->text[from]) != NULL && from + 1 < to && g_ascii_isalnum (source->text[from + 1]))
        break;
      from = g_utf8_next_char (source->text + from) - source->text;
    }

  return from;
}

/* Skips conjunctions such as "and". */
static gsize
skip_joints (Source *source, gsize from, gsize to)
{
  return MIN ((gsize) (ear_notes_skip_joints (source->text + from) - source->text), to);
}

static gsize
skip_back (Source *source, gsize from, gsize to, const char *set)
{
  while (to > from && g_utf8_strchr (set, -1, g_utf8_get_char (g_utf8_prev_char (source->text + to))) != NULL)
    to = g_utf8_prev_char (source->text + to) - source->text;

  return to;
}

/* Returns: the index of the first link at or after a position, or the number of links */
static guint
find_link (Source *source, gsize from)
{
  guint i = 0;

  while (i < source->links->len && get_link (source, i)->start < from)
    i++;

  return i;
}

static gboolean
has_link (Source *source, guint link, gsize to)
{
  return link < source->links->len && get_link (source, link)->start < to;
}

/* Returns: whether text follows a link without a space */
static gboolean
is_glued (Source *source, guint link, gsize to)
{
  const gsize end = get_link (source, link)->end;

  return end < to && (g_unichar_isalnum (g_utf8_get_char (source->text + end)) || source->text[end] == '_');
}

static gboolean
is_glued_section (Source *source, gsize from, gsize to)
{
  for (guint i = find_link (source, from); has_link (source, i, to); i++)
    if (is_glued (source, i, to))
      return TRUE;

  return FALSE;
}

/* Skips a closed bracket: "(the second one)Next". */
static gsize
skip_brackets (Source *source, gsize from, gsize to)
{
  const char *end = source->text[from] == '(' ? memchr (source->text + from, ')', to - from) : NULL;

  return end != NULL ? (gsize) (end + 1 - source->text) : from;
}

/* Returns: the start of a sentence that follows another without a space */
static gsize
find_glued_sentence (Source *source, gsize from, gsize to)
{
  for (gsize i = from; i + 1 < to; i++)
    if (strchr (")!?", source->text[i]) != NULL && g_ascii_isupper (source->text[i + 1]))
      return i + 1;

  return to;
}

/* Finds the start of the next item. In text without spaces it starts where a space is
 * missing; elsewhere, at text that starts in the same case as the first item.
 * @to: the next link, or the end of the section
 * Returns: @to, if it belongs to the same item */
static gsize
find_item_end (Source *source, guint link, gsize to, gboolean glued, gboolean small)
{
  const gsize end = get_link (source, link)->end;
  const gsize words = skip (source, end, to, " ");
  gsize next;

  if (glued)
    return is_glued (source, link, to) ? end : find_glued_sentence (source, end, to);
  next = skip (source, words < to ? skip_brackets (source, words, to) : to, to, BEFORE);
  if (next == to || skip_joints (source, next, to) != next)
    return to;
  if (small || !g_unichar_islower (g_utf8_get_char (source->text + next)))
    return next;

  return to;
}

/* Copies a range with its styles, as one link if @address is set. Spans of the same style
 * are merged. */
static void
add_range (Source *source, EarNotesBlock *block, gsize from, gsize to, const char *address)
{
  g_autoptr (GString) text = g_string_new (NULL);
  EarNotesStyle style = EAR_NOTES_STYLE_NONE;
  gint64 time = -1;
  gsize start = 0;

  for (guint i = 0; i < source->block->spans->len && start < to; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (source->block->spans, i);
      const gsize first = MAX (from, start);
      const gint64 span_time = address != NULL ? -1 : span->time;

      start += strlen (span->text);
      if (start <= first)
        continue;
      if (text->len > 0 && (span->style != style || span_time != time))
        {
          ear_notes_block_add (block, text->str, address, time, style);
          g_string_truncate (text, 0);
        }
      g_string_append_len (text, source->text + first, MIN (to, start) - first);
      style = span->style;
      time = span_time;
    }
  if (text->len > 0)
    ear_notes_block_add (block, text->str, address, time, style);
}

/* Adds a paragraph with its links. */
static void
add_paragraph (Source *source, gsize from, gsize to)
{
  EarNotesBlock *block;

  from = skip (source, from, to, " \n");
  to = skip_back (source, from, to, " \n");
  if (from == to)
    return;
  block = ear_notes_add_block (source->notes, EAR_NOTES_PARAGRAPH, 0, 0);
  for (guint i = find_link (source, from); has_link (source, i, to); i++)
    {
      const Link *link = get_link (source, i);

      add_range (source, block, from, link->start, NULL);
      add_range (source, block, link->start, link->end, link->address);
      from = link->end;
    }
  add_range (source, block, from, to, NULL);
}

/* Returns: whether a link ends its words. A URL in the middle of a sentence does not. */
static gboolean
ends_words (Source *source, const Link *link, gsize to, gboolean has_next)
{
  const gsize next = skip (source, link->end, to, " ");
  const gsize words = skip (source, next, to, BEFORE);

  if (skip (source, next, to, BEFORE ".") == to || strchr ("()", source->text[next]) != NULL)
    return TRUE;

  return has_next && (words > next || skip_joints (source, words, to) > words);
}

/* Makes the words before a URL the link text, or else those after it.
 * Returns: the end of the text that was added */
static gsize
add_link_words (Source *source, EarNotesBlock *block, const Link *link, gsize from, gsize to, gboolean is_first, gboolean has_next)
{
  gsize words = skip_joints (source, skip (source, from, link->start, BEFORE), link->start);
  gsize words_end = skip_back (source, words, link->start, BEHIND);

  if (link->is_bare && words < words_end && ends_words (source, link, to, has_next))
    {
      const gboolean in_brackets = memchr (source->text + words_end, '(', link->start - words_end) != NULL && source->text[link->end] == ')';

      add_range (source, block, is_first ? words : from, words, NULL);
      add_range (source, block, words, words_end, link->address);
      return link->end + in_brackets;
    }
  words = skip (source, link->end, to, BEFORE);
  words_end = skip_back (source, words, to, BEHIND);
  if (link->is_bare && is_first && !has_next && skip (source, from, link->start, BEFORE) == link->start && words < words_end)
    {
      add_range (source, block, words, words_end, link->address);
      return to;
    }
  add_range (source, block, from, link->start, NULL);
  add_range (source, block, link->start, link->end, link->address);

  return link->end;
}

static void
add_item (Source *source, gsize from, gsize to)
{
  EarNotesBlock *block = ear_notes_add_block (source->notes, EAR_NOTES_LIST_ITEM, 1, 0);
  gboolean is_first = TRUE;

  for (guint i = find_link (source, from); has_link (source, i, to); i++)
    {
      const gboolean has_next = has_link (source, i + 1, to);

      from = add_link_words (source, block, get_link (source, i), from, has_next ? get_link (source, i + 1)->start : to, is_first, has_next);
      is_first = FALSE;
    }
  to = skip_back (source, from, to, BEHIND);
  if (skip (source, from, to, " .") < to)
    add_range (source, block, from, to, NULL);
}

/* A list that already has lines is not run together, and a URL without words is no list.
 * A heading that may be part of a sentence needs two links. */
static gboolean
is_list (Source *source, const EarNotesTitle *title, gsize to)
{
  const gsize from = skip (source, title->end, to, " \n");
  gsize words = skip_back (source, from, to, " \n") - from;
  guint n_links = 0;

  if (memchr (source->text + from, '\n', words) != NULL)
    return FALSE;
  for (guint i = find_link (source, from); has_link (source, i, to); i++)
    if (get_link (source, i)->is_bare)
      {
        words -= get_link (source, i)->end - get_link (source, i)->start;
        n_links++;
      }

  return n_links >= (title->is_plain ? 2 : 1) && words >= 4;
}

/* Adds items in which each URL precedes its description. */
static void
add_list_of_addresses (Source *source, gsize from, gsize to)
{
  for (guint i = find_link (source, from); has_link (source, i, to); i++)
    add_item (source, get_link (source, i)->start, has_link (source, i + 1, to) ? get_link (source, i + 1)->start : to);
}

/* Adds items in which each URL follows its description. Text after the last one may be a
 * paragraph of its own. */
static void
add_list (Source *source, gsize from, gsize to)
{
  const gboolean glued = is_glued_section (source, from, to);
  const gboolean small = g_unichar_islower (g_utf8_get_char (source->text + from));

  for (guint i = find_link (source, from); has_link (source, i, to); i++)
    {
      const gboolean is_last = !has_link (source, i + 1, to);
      const gsize limit = is_last ? to : get_link (source, i + 1)->start;
      const gsize end = find_item_end (source, i, limit, glued, small && !is_last);

      if (end == limit && !is_last)
        continue;
      add_item (source, from, end);
      from = end;
    }
  add_paragraph (source, from, to);
}

static void
add_section (Source *source, const EarNotesTitle *title, gsize to)
{
  EarNotesBlock *heading = ear_notes_add_block (source->notes, EAR_NOTES_HEADING, HEADING_LEVEL, 0);
  g_autofree char *words = g_strndup (source->text + title->start, title->length);
  const gsize from = skip (source, title->end, to, BEFORE);

  ear_notes_block_add (heading, words, NULL, -1, EAR_NOTES_STYLE_NONE);
  if (!is_list (source, title, to))
    add_paragraph (source, title->end, to);
  else if (get_link (source, find_link (source, from))->start == from)
    add_list_of_addresses (source, from, to);
  else
    add_list (source, from, to);
}

/* Returns: the end of the section under a heading */
static gsize
get_end (Source *source, guint i)
{
  return i + 1 < source->titles->len ? g_array_index (source->titles, EarNotesTitle, i + 1).start : source->length;
}

static void
write_blocks (Source *source)
{
  add_paragraph (source, 0, g_array_index (source->titles, EarNotesTitle, 0).start);
  for (guint i = 0; i < source->titles->len; i++)
    add_section (source, &g_array_index (source->titles, EarNotesTitle, i), get_end (source, i));
}

static gboolean
has_list (Source *source)
{
  for (guint i = 0; i < source->titles->len; i++)
    if (is_list (source, &g_array_index (source->titles, EarNotesTitle, i), get_end (source, i)))
      return TRUE;

  return FALSE;
}

/* Splits a paragraph, the last block of the notes, into the headings, lists and text that
 * it consisted of. Only certain cases are split: one of the known headings, followed by
 * words with URLs.
 * Returns: %FALSE if the paragraph is unchanged */
gboolean
ear_notes_take_apart (EarNotes *notes, EarNotesBlock *block)
{
  Source source = { notes, block, NULL, 0, g_array_new (FALSE, FALSE, sizeof (EarNotesTitle)), g_array_new (FALSE, FALSE, sizeof (Link)) };
  const guint at = notes->blocks->len - 1;
  gboolean taken = FALSE;

  g_array_set_clear_func (source.links, clear_link);
  if (read_block (&source))
    {
      cut_links (&source);
      taken = has_list (&source);
    }
  if (taken)
    {
      write_blocks (&source);
      g_ptr_array_remove_index (notes->blocks, at);
    }
  g_array_unref (source.titles);
  g_array_unref (source.links);
  g_free (source.text);

  return taken;
}
