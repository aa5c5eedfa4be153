/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-cues.h"

#include <string.h>

/* WebVTT (https://www.w3.org/TR/webvtt1/#file-parsing), with common deviations:
 * single-digit hours and minutes, fractions of other lengths or none, commas before
 * fractions, no header line. */

#define ARROW "-->"

static void
skip_header (const char **position)
{
  const char *next = *position + strspn (*position, " \t\r\n");
  EarTextPart line;

  if (!g_str_has_prefix (next, "WEBVTT"))
    return;
  ear_text_next_line (&next, &line);
  do
    *position = next;
  while (ear_text_next_line (&next, &line) && line.length > 0 && !ear_text_part_has (&line, ARROW));
}

/* Reads lines up to an empty one, or up to the first line of the next block. */
static void
read_block (const char **position, EarTranscript *to)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *before = *position;
  gboolean seen_arrow = FALSE;
  gboolean timed = FALSE;
  gint64 start = -1;
  gint64 end = -1;
  EarTextPart line;

  for (guint n = 1; ear_text_next_line (position, &line) && line.length > 0; n++)
    {
      if (!ear_text_part_has (&line, ARROW))
        {
          g_string_append_len (text, line.text, (gssize) line.length);
          g_string_append_c (text, '\n');
        }
      else if (!seen_arrow && n <= 2)
        {
          seen_arrow = TRUE;
          timed = ear_cue_times_read (&line, TRUE, &start, &end);
          g_string_truncate (text, 0);
        }
      else
        {
          *position = before;
          break;
        }
      before = *position;
    }
  if (timed)
    ear_transcript_add_markup (to, start, end, text->str);
}

void
ear_transcript_read_vtt (const char *text, EarTranscript *to)
{
  skip_header (&text);
  while (*text != '\0')
    read_block (&text, to);
}
