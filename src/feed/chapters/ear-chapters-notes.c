/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters-notes.h"

#include "ear-address.h"
#include "ear-text-line.h"

#include <string.h>

/* Fewer lines with a time are no list of chapters, but places that the notes speak of. */
#define LEAST 3

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
  return g_unichar_isspace (c) || strchr ("-:|,;.*>", (int) MIN (c, 127)) != NULL || c == 0x2013 || c == 0x2014 || c == 0x2022 ||
         c == 0x2192;
}

/* Without what stands between a time and the words, and brackets that the time was in */
static char *
dup_title (const char *text)
{
  g_autoptr (GString) plain = g_string_new (text);
  const char *start;
  const char *end;
  g_autofree char *trimmed = NULL;

  g_string_replace (plain, "()", "", 0);
  g_string_replace (plain, "[]", "", 0);
  start = plain->str;
  end = start + plain->len;
  while (*start != '\0' && is_separator (g_utf8_get_char (start)))
    start = g_utf8_next_char (start);
  while (end > start)
    {
      const char *last = g_utf8_prev_char (end);

      if (!is_separator (g_utf8_get_char (last)) || *last == '.')
        break;
      end = last;
    }
  trimmed = g_strndup (start, end - start);

  return ear_text_line (trimmed, EAR_TEXT_LITERAL, EAR_CHAPTER_TITLE_LIMIT);
}

static gboolean
has_words (const char *text, gsize length)
{
  for (const char *p = text; p < text + length; p = g_utf8_next_char (p))
    if (!is_separator (g_utf8_get_char (p)) && strchr ("()[]", *p) == NULL)
      return TRUE;

  return FALSE;
}

static void
end_line (EarChapters *chapters, Line *line)
{
  const gboolean begins = !has_words (line->text->str, line->time_at);
  const gboolean ends = !has_words (line->text->str + line->time_at, line->text->len - line->time_at);
  g_autofree char *title = line->time >= 0 && (begins || ends) ? dup_title (line->text->str) : NULL;
  EarChapter *chapter = title != NULL ? ear_chapters_add (chapters, line->time, title) : NULL;

  if (chapter != NULL)
    chapter->link = g_strdup (line->link);
  g_string_truncate (line->text, 0);
  g_clear_pointer (&line->link, g_free);
  line->time = -1;
  line->time_at = 0;
}

static void
add_span (EarChapters *chapters, Line *line, const EarNotesSpan *span)
{
  g_auto (GStrv) parts = g_strsplit (span->text != NULL ? span->text : "", "\n", -1);

  if (span->time >= 0)
    {
      if (line->time < 0)
        {
          line->time = span->time;
          line->time_at = line->text->len;
        }
      return;
    }

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i > 0)
        end_line (chapters, line);
      g_string_append (line->text, parts[i]);
    }
  if (span->link != NULL && line->link == NULL && ear_address_is_web (span->link))
    line->link = g_strdup (span->link);
}

/* A list of chapters goes on; what jumps back tells of places. */
static gboolean
is_list (EarChapters *chapters)
{
  for (guint i = 1; i < ear_chapters_get_count (chapters); i++)
    if (ear_chapters_get (chapters, i)->start <= ear_chapters_get (chapters, i - 1)->start)
      return FALSE;

  return ear_chapters_get_count (chapters) >= LEAST;
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
  g_autoptr (EarChapters) chapters = ear_chapters_new ();
  Line line = { .text = g_string_new (NULL), .time = -1 };

  for (guint i = 0; i < notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);

      for (guint j = 0; j < block->spans->len; j++)
        add_span (chapters, &line, g_ptr_array_index (block->spans, j));
      end_line (chapters, &line);
    }
  g_string_free (line.text, TRUE);

  return is_list (chapters) ? g_steal_pointer (&chapters) : ear_chapters_new ();
}
