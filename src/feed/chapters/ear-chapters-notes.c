/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters-notes.h"

#include "ear-address.h"
#include "ear-notes-links.h"
#include "ear-text-line.h"

#include <string.h>

/* Fewer lines with a time are no list of chapters, but places that the notes speak of. */
#define LEAST 3

/* What begins no later is a list from the beginning on. */
#define BEGINNING (10 * G_TIME_SPAN_SECOND)

/* Of so many lines of a list that does not begin there, one elsewhere may tell of another place. */
#define LINES_TO_A_STRAY 3

/* Lines of a list are not numbered higher, in digits. */
#define LONGEST_NUMBER 3

/* A line of the notes: what stands in it, and the time that it begins or ends with. */
typedef struct
{
  GString *text;
  char *link;    /* (nullable): the first one */
  gint64 time;   /* microseconds, or -1 */
  gsize time_at; /* what of the text stands before it */
} Line;

static gboolean
is_separator (gunichar c)
{
  return g_unichar_isspace (c) || g_unichar_type (c) == G_UNICODE_DASH_PUNCTUATION || strchr (":|,;.*>", (int) MIN (c, 127)) != NULL ||
         c == 0xb7 || c == 0x2022 || c == 0x2192;
}

/* Of the brackets that the time is in, one stands on either side of the words, or of what separates them. */
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

/* Without what stands between a time and the words */
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

/* Symbols, and the number that the line has in a list: "2. ", "#2 " */
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
end_line (EarChapters *chapters, Line *line)
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
add_text (EarChapters *chapters, Line *line, const char *text, const char *link)
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

/* The text of a link, which may have the time in it. Where it is nothing else, it leads to that place of a video. */
static void
add_link (EarChapters *chapters, Line *line, const char *text, const char *link)
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
add_span (EarChapters *chapters, Line *line, const EarNotesSpan *span)
{
  const char *text = span->text != NULL ? span->text : "";

  if (span->time >= 0)
    add_time (line, span->time);
  else if (span->link != NULL)
    add_link (chapters, line, text, span->link);
  else
    add_text (chapters, line, text, NULL);
}

/* --- The list among the lines ------------------------------------------------------------ */

/* A list of chapters goes on; what jumps back is another list, or tells of a place.
 * @start: (out): the first of the longest run of lines that go on
 * Returns: the one behind its last */
static guint
find_run (EarChapters *lines, guint *start)
{
  const guint n_lines = ear_chapters_get_count (lines);
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

/* Returns: (transfer full): the longest run; of several lines with the same time the first */
static EarChapters *
copy_run (EarChapters *lines)
{
  EarChapters *list = ear_chapters_new ();
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

/* How many lines have a time that the list has not: the list may be there in two languages. */
static guint
count_strays (EarChapters *lines, EarChapters *list)
{
  guint n_strays = 0;

  for (guint i = 0; i < ear_chapters_get_count (lines); i++)
    {
      const gint64 time = ear_chapters_get (lines, i)->start;
      const int found = ear_chapters_find (list, time);

      n_strays += found < 0 || ear_chapters_get (list, (guint) found)->start != time;
    }

  return n_strays;
}

/* Places that the notes speak of, in any order, go on here and there, too: a list is most of the lines, or is one from the
 * beginning on. */
static gboolean
is_list (EarChapters *list, EarChapters *lines)
{
  if (ear_chapters_get_count (list) < LEAST)
    return FALSE;

  return ear_chapters_get (list, 0)->start <= BEGINNING ||
         count_strays (lines, list) * LINES_TO_A_STRAY <= ear_chapters_get_count (list);
}

/**
 * ear_chapters_from_notes:
 * @notes: show notes
 *
 * Reads what stands in many notes: lines that begin or end with a time, one after the other.
 *
 * Returns: (transfer full): chapters, none where the notes have no such list
 */
EarChapters *
ear_chapters_from_notes (EarNotes *notes)
{
  g_autoptr (EarChapters) lines = ear_chapters_new ();
  g_autoptr (EarChapters) list = NULL;
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
