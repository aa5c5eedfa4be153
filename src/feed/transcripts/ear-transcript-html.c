/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-cues.h"

#include "ear-entities.h"
#include "ear-html-tokenizer.h"

#include <string.h>

/* `<cite>` has the speaker, `<time>` the start, and `<p>` the text; the first two may be
 * missing. */

typedef struct
{
  EarTranscript *to;
  GString *text;
  GString *speaker;
  GString *time;
  GString *into;  /* (nullable): target of the next text; NULL drops it */
} Reader;

/* Returns: the start of the text that follows, or -1 */
static gint64
read_time (const GString *text)
{
  const char *clock = text->str + strspn (text->str, " \t\r\n");
  gint64 time;

  return ear_clock_read (&clock, text->str + text->len, FALSE, &time) ? time : -1;
}

static void
flush (Reader *self)
{
  /* The time belongs to the first paragraph after it. */
  if (self->text->str[strspn (self->text->str, " \t\r\n")] != '\0')
    {
      ear_transcript_add_cue (self->to, read_time (self->time), -1, self->speaker->str, self->text->str);
      g_string_truncate (self->time, 0);
    }
  g_string_truncate (self->text, 0);
}

static gboolean
is_inline (const char *name)
{
  static const char *const names[] = { "a", "abbr", "b", "bdi", "bdo", "code", "del", "em", "font", "i", "ins", "mark", "q", "s",
                                       "small", "span", "strong", "sub", "sup", "u", "wbr", NULL };

  return g_strv_contains (names, name);
}

static void
take_tag (Reader *self, const EarHtmlTokenizer *token)
{
  const gboolean start = token->type == EAR_HTML_START;

  if (is_inline (token->name))
    return;
  if (g_str_equal (token->name, "br"))
    {
      g_string_append_c (self->text, '\n');
      return;
    }
  /* Tidy the name once, not for each paragraph of the speaker. */
  if (self->into == self->speaker)
    ear_transcript_tidy_name (self->speaker);
  flush (self);
  self->into = self->text;
  if (g_str_equal (token->name, "head"))
    self->into = start ? NULL : self->text;
  else if (start && g_str_equal (token->name, "cite"))
    self->into = self->speaker;
  else if (start && g_str_equal (token->name, "time"))
    self->into = self->time;
  if (self->into != NULL)
    g_string_truncate (self->into, 0);
}

void
ear_transcript_read_html (const char *text, EarTranscript *to)
{
  g_autoptr (GString) said = g_string_new (NULL), speaker = g_string_new (NULL), time = g_string_new (NULL);
  Reader reader = { to, said, speaker, time, said };
  EarHtmlTokenizer token;

  ear_html_tokenizer_init (&token, text);
  while (ear_html_tokenizer_next (&token))
    if (token.type != EAR_HTML_TEXT)
      take_tag (&reader, &token);
    else if (reader.into != NULL)
      ear_entity_append_text (reader.into, token.start, token.length);
  flush (&reader);
}
