/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters-notes.h"

#include "ear-address.h"
#include "ear-notes-links.h"
#include "ear-text-line.h"

#include <string.h>

/* Fewer lines with a time are not a list, but times that the notes mention. */
#define LEAST 3

/* A list that starts within this time is a list of chapters. */
#define BEGINNING (10 * G_TIME_SPAN_SECOND)

/* A list that starts later may have one stray time per this many lines. */
#define LINES_TO_A_STRAY 3

/* Longer numbers are not line numbers; in digits. */
#define LONGEST_NUMBER 3

/* A line of the notes and the time at its start or end. */
typedef struct
{
  GString *text;
  char *link;    /* (nullable): first link */
  gint64 time;   /* microseconds, or -1 */
  gsize time_at; /* length of the text before the time */
} Line;

static gboolean
is_separator (gunichar c)
{
  return g_unichar_isspace (c) || g_unichar_type (c) == G_UNICODE_DASH_PUNCTUATION || strchr (":|,;.*>", (int) MIN (c, 127)) != NULL ||
         c == 0xb7 || c == 0x2022 || c == 0x2192;
}

/* A bracket around the time may be next to the title, or next to the separator. */
static gboolean
is_before_title (gunichar c)
{
  return is_separator (c) || g_unichar_type (c) == G_UNICODE_CLOSE_PUNCTUATION;
}

static gboolean
is_behind_title (gunichar c)
{
  return (is_separator (c) && c != '.') || c == '<' || g_unichar_type (c) == G_UNICODE_OPEN_PUNCTUATION;
}

/* Returns: the title without the separators between it and the time */
static char *
dup_title (const char *text, gsize length)
{
  const char *start = text;
  const char *end = text + length;
  g_autofree char *trimmed = NULL;

  while (start < end && is_before_title (g_utf8_get_char (start)))
    start = g_utf8_next_char (start);
  while (end > start && is_behind_title (g_utf8_get_char (g_utf8_prev_char (end))))
    end = g_utf8_prev_char (end);
  trimmed = g_strndup (start, end - start);

  return ear_text_line (trimmed, EAR_TEXT_LITERAL, EAR_CHAPTER_TITLE_LIMIT);
}

static gboolean
has_words (const char *text, gsize length)
{
  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    if (!is_before_title (g_utf8_get_char (p)) && !is_behind_title (g_utf8_get_char (p)))
      return TRUE;

  return FALSE;
}

/* Returns: whether the text is only symbols and a list number, such as "2. " or "#2 " */
static gboolean
is_bullet (const char *text, gsize length)
{
  guint n_digits = 0;
  gboolean marks = FALSE;

  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (g_ascii_isdigit (*p) && (n_digits == 0 || g_ascii_isdigit (p[-1])))
        n_digits++;
      else if (g_unichar_isalnum (c))
        return FALSE;
      else
        marks = marks || !g_unichar_isspace (c);
    }

  return n_digits == 0 || (n_digits <= LONGEST_NUMBER && marks);
}

static void
end_line (GPtrArray *chapters, Line *line)
{
  const char *behind = line->text->str + line->time_at;
  const gsize length = line->text->len - line->time_at;
  g_autofree char *title = NULL;
  EarChapter *chapter = NULL;

  if (line->time >= 0 && has_words (behind, length) && is_bullet (line->text->str, line->time_at))
    title = dup_title (behind, length);
  else if (line->time >= 0 && !has_words (behind, length) && !is_bullet (line->text->str, line->time_at))
    title = dup_title (line->text->str, line->time_at);
  if (title != NULL)
    chapter = ear_chapters_add (chapters, line->time, title);
  if (chapter != NULL)
    chapter->link = g_strdup (line->link);

  g_string_truncate (line->text, 0);
  g_clear_pointer (&line->link, g_free);
  line->time = -1;
  line->time_at = 0;
}

static void
add_time (Line *line, gint64 time)
{
  if (line->time >= 0)
    return;

  line->time = time;
  line->time_at = line->text->len;
}

static void
add_text (GPtrArray *chapters, Line *line, const char *text, const char *link)
{
  g_auto (GStrv) parts = g_strsplit (text, "\n", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i > 0)
        end_line (chapters, line);
      g_string_append (line->text, parts[i]);
    }
  if (link != NULL && line->link == NULL && ear_address_is_web (link))
    line->link = g_strdup (link);
}

/* Adds the text of a link, which may contain the time. A link around the time alone is
 * dropped: it leads to that time in a video. */
static void
add_link (GPtrArray *chapters, Line *line, const char *text, const char *link)
{
  EarNotesMatch match = { .time = -1 };
  g_autofree char *before = NULL;

  if (ear_notes_find_link (text, 0, EAR_DURATION_UNKNOWN, &match))
    g_free (match.link);
  if (match.time < 0)
    {
      add_text (chapters, line, text, link);
      return;
    }

  before = g_strndup (text, match.start);
  text += match.start + match.length;
  if (!has_words (before, strlen (before)) && !has_words (text, strlen (text)))
    link = NULL;
  add_text (chapters, line, before, link);
  add_time (line, match.time);
  add_text (chapters, line, text, link);
}

static void
add_span (GPtrArray *chapters, Line *line, const EarNotesSpan *span)
{
  const char *text = span->text != NULL ? span->text : "";

  if (span->time >= 0)
    add_time (line, span->time);
  else if (span->link != NULL)
    add_link (chapters, line, text, span->link);
  else
    add_text (chapters, line, text, NULL);
}

/* --- Finding the list --------------------------------------------------------------- */

/* Finds the longest run of lines in ascending order. A line with an earlier time belongs
 * to another list, or to the text.
 * @start: (out): the first line of the run
 * Returns: the line after its last */
static guint
find_run (GPtrArray *lines, guint *start)
{
  const guint n_lines = lines->len;
  guint end = 0;
  guint begin = 0;

  *start = 0;
  for (guint i = 1; i <= n_lines; i++)
    {
      if (i < n_lines && ear_chapters_get (lines, i)->start >= ear_chapters_get (lines, i - 1)->start)
        continue;
      if (i - begin > end - *start)
        {
          *start = begin;
          end = i;
        }
      begin = i;
    }

  return end;
}

/* Returns: (transfer full): the longest run, with one line for each time */
static GPtrArray *
copy_run (GPtrArray *lines)
{
  GPtrArray *list = ear_chapters_new ();
  gint64 last = -1;
  guint start;
  const guint end = find_run (lines, &start);

  for (guint i = start; i < end; i++)
    {
      const EarChapter *line = ear_chapters_get (lines, i);

      if (line->start > last)
        ear_chapters_add (list, line->start, line->title)->link = g_strdup (line->link);
      last = line->start;
    }

  return list;
}

/* Returns: the number of lines whose time is not in the list. A list may appear twice, in
 *   two languages. */
static guint
count_strays (GPtrArray *lines, GPtrArray *list)
{
  guint n_strays = 0;

  for (guint i = 0; i < lines->len; i++)
    {
      const gint64 time = ear_chapters_get (lines, i)->start;
      const int found = ear_chapters_find (list, time);

      n_strays += found < 0 || ear_chapters_get (list, (guint) found)->start != time;
    }

  return n_strays;
}

/* Times mentioned in the text may also be in ascending order: a list has most of the
 * lines, or starts at the beginning. */
static gboolean
is_list (GPtrArray *list, GPtrArray *lines)
{
  if (list->len < LEAST)
    return FALSE;

  return ear_chapters_get (list, 0)->start <= BEGINNING ||
         count_strays (lines, list) * LINES_TO_A_STRAY <= list->len;
}

/**
 * ear_chapters_from_notes:
 * @notes: show notes
 *
 * Reads chapters from consecutive lines that begin or end with a time.
 *
 * Returns: (transfer full): chapters, maybe none
 */
GPtrArray *
ear_chapters_from_notes (EarNotes *notes)
{
  g_autoptr (GPtrArray) lines = ear_chapters_new ();
  g_autoptr (GPtrArray) list = NULL;
  Line line = { .text = g_string_new (NULL), .time = -1 };

  for (guint i = 0; i < notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);

      for (guint j = 0; j < block->spans->len; j++)
        add_span (lines, &line, g_ptr_array_index (block->spans, j));
      end_line (lines, &line);
    }
  g_string_free (line.text, TRUE);
  list = copy_run (lines);

  return is_list (list, lines) ? g_steal_pointer (&list) : ear_chapters_new ();
}
