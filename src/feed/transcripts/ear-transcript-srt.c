/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-cues.h"

#include <string.h>

/* SubRip: a number, `00:00:01,000 --> 00:00:02,500`, and the text up to an empty line.
 * Numbers and empty lines may be missing or repeated. */

#define ARROW "-->"

static gboolean
is_number (const EarTextPart *line)
{
  return strspn (line->text, "0123456789 \t") >= line->length;
}

/* Returns: whether the line is the number of the next cue */
static gboolean
is_head (const EarTextPart *line, const char *position)
{
  EarTextPart next;

  return is_number (line) && ear_text_next_line (&position, &next) && ear_text_part_has (&next, ARROW);
}

void
ear_transcript_read_srt (const char *text, EarTranscript *to)
{
  g_autoptr (GString) cue = g_string_new (NULL);
  gboolean timed = FALSE;
  gint64 start = -1;
  gint64 end = -1;
  EarTextPart line;

  while (ear_text_next_line (&text, &line))
    {
      if (ear_text_part_has (&line, ARROW))
        {
          if (timed)
            ear_transcript_add_markup (to, start, end, cue->str);
          g_string_truncate (cue, 0);
          timed = ear_cue_times_read (&line, FALSE, &start, &end);
        }
      else if (timed && !is_head (&line, text))
        {
          g_string_append_len (cue, line.text, (gssize) line.length);
          g_string_append_c (cue, '\n');
        }
    }
  if (timed)
    ear_transcript_add_markup (to, start, end, cue->str);
}
