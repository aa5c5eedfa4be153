/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-cues.h"

#include <string.h>

/* Paragraphs separated by empty lines, or lines. Each may begin with a time,
 * `[00:12:03]`, and a name. Or a heading has both, `Ann Lamp  12:03`, and the lines after
 * it have the text. */

/* In bytes */
#define LONGEST_HEADING 80

/* @position: (inout): the start of a line; moved past the time, if there is one */
static gboolean
take_time (const char **position, const char *end, gint64 *time)
{
  const char *p = *position;
  const char bracket = *p;

  if (bracket == '[' || bracket == '(')
    p++;
  if (!ear_clock_read (&p, end, FALSE, time))
    return FALSE;
  if (bracket == '[' || bracket == '(')
    {
      if (p >= end || *p != (bracket == '[' ? ']' : ')'))
        return FALSE;
      p++;
    }
  while (p < end && (*p == ' ' || *p == '\t' || *p == '-' || *p == ':'))
    p++;
  *position = p;

  return TRUE;
}

/* Reads a line that has only a name and a time: "Ann Lamp  12:03". */
static char *
take_heading (const EarTextPart *line, gint64 *time)
{
  const char *end = line->text + line->length;
  const char *p;

  if (line->length > LONGEST_HEADING || line->length == 0 || ((guint8) line->text[0] < 0x80 && !g_ascii_isalpha (line->text[0])))
    return NULL;
  for (p = line->text; p < end; p++)
    if ((*p == ' ' || *p == '\t') && p + 1 < end && (g_ascii_isdigit (p[1]) || p[1] == '(' || p[1] == '['))
      {
        const char *clock = p + 1;
        gint64 found;

        if (take_time (&clock, end, &found) && clock == end)
          {
            *time = found;
            return g_strchomp (g_strndup (line->text, (gsize) (p - line->text)));
          }
      }

  return NULL;
}

static void
read_paragraph (const char *paragraph, EarTranscript *to)
{
  const char *position = paragraph;
  const char *end = paragraph + strlen (paragraph);
  g_autofree char *speaker = NULL;
  gint64 time = -1;
  EarTextPart line = { 0 };

  while (*position == ' ' || *position == '\t')
    position++;
  if (!take_time (&position, end, &time))
    {
      const char *next = position;

      time = -1;
      if (ear_text_next_line (&next, &line))
        speaker = take_heading (&line, &time);
      if (speaker != NULL)
        position = next;
    }
  ear_transcript_add_cue (to, time, -1, speaker, position);
}

void
ear_transcript_read_plain (const char *text, EarTranscript *to)
{
  const gboolean by_lines = strstr (text, "\n\n") == NULL && strstr (text, "\r\n\r\n") == NULL;
  g_autoptr (GString) paragraph = g_string_new (NULL);
  EarTextPart line;

  while (ear_text_next_line (&text, &line))
    {
      const gboolean blank = strspn (line.text, " \t\f\v") >= line.length;

      if (!blank)
        {
          g_string_append_len (paragraph, line.text, (gssize) line.length);
          g_string_append_c (paragraph, '\n');
        }
      if (blank || by_lines)
        {
          read_paragraph (paragraph->str, to);
          g_string_truncate (paragraph, 0);
        }
    }
  read_paragraph (paragraph->str, to);
}
