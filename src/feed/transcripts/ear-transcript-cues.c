/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-cues.h"

#include "ear-entities.h"

#include <string.h>

/* Limits for speakers' names, in characters and words */
#define LONGEST_NAME 40
#define MOST_WORDS 4

/* --- Lines and times ---------------------------------------------------------------- */

/* Reads the next line.
 * @position: (inout): the start of the line
 * @line: (out): the line, without its line break
 * Returns: %FALSE at the end */
gboolean
ear_text_next_line (const char **position, EarTextPart *line)
{
  if (**position == '\0')
    return FALSE;
  *line = (EarTextPart) { *position, strcspn (*position, "\r\n") };
  *position += line->length;
  if (**position == '\r' && (*position)[1] == '\n')
    *position += 2;
  else if (**position != '\0')
    (*position)++;

  return TRUE;
}

gboolean
ear_text_part_has (const EarTextPart *self, const char *what)
{
  return memmem (self->text, self->length, what, strlen (what)) != NULL;
}

/* @digits: (out): the number of digits read */
static gint64
read_number (const char **position, const char *end, guint *digits)
{
  gint64 number = 0;

  for (*digits = 0; *position < end && g_ascii_isdigit (**position); (*position)++, (*digits)++)
    if (*digits < 12)
      number = number * 10 + (**position - '0');

  return number;
}

/* Reads the digits after a decimal point or comma, as microseconds. */
static gint64
read_fraction (const char **position, const char *end, guint *digits)
{
  gint64 part = 0;
  gint64 unit = G_USEC_PER_SEC;

  *digits = 0;
  if (*position >= end || (**position != '.' && **position != ','))
    return 0;
  for ((*position)++; *position < end && g_ascii_isdigit (**position); (*position)++, (*digits)++)
    {
      unit /= 10;
      part += unit * (**position - '0');
    }

  return part;
}

/**
 * ear_clock_read:
 * @position: (inout): the start of the time; moved to its end if there is one
 * @end: the end of the text
 * @strict: accept only forms close to WebVTT: `00:12.345`, `1:00:12.345`, but also
 *   `0:12,3` or `00:12`
 * @time: (out): the time
 *
 * Returns: whether there is a time: `1:12`, `01:00:12,345`
 */
gboolean
ear_clock_read (const char **position, const char *end, gboolean strict, gint64 *time)
{
  const char *p = *position;
  gint64 parts[3];
  guint digits[3];
  guint n = 0;
  guint n_fraction;
  gint64 fraction;

  do
    {
      p += n > 0;
      parts[n] = read_number (&p, end, &digits[n]);
      if (digits[n] == 0 || digits[n] > (n == 0 ? 9 : 2))
        return FALSE;
      n++;
    }
  while (n < 3 && p < end && *p == ':');
  fraction = read_fraction (&p, end, &n_fraction);
  if (n < 2 || (p < end && (*p == ':' || g_ascii_isalnum (*p))))
    return FALSE;
  if (strict && ((n_fraction > 3 && n_fraction != 6) || digits[1] != 2 || parts[n - 1] > 59 || parts[n - 2] > 59 ||
                 (n == 2 && digits[0] > 2) || (n == 3 && digits[2] != 2)))
    return FALSE;

  *time = parts[0] * 60 + parts[1];
  if (n == 3)
    *time = *time * 60 + parts[2];
  *time = MIN (*time * G_USEC_PER_SEC + fraction, EAR_POSITION_LIMIT);
  *position = p;

  return TRUE;
}

static const char *
skip_space (const char *p, const char *end)
{
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\f'))
    p++;

  return p;
}

/* @line: `start --> end`, perhaps with more text after it
 * Returns: whether there are two times */
gboolean
ear_cue_times_read (const EarTextPart *line, gboolean strict, gint64 *start, gint64 *end)
{
  const char *stop = line->text + line->length;
  const char *p = skip_space (line->text, stop);

  if (!ear_clock_read (&p, stop, strict, start))
    return FALSE;
  p = skip_space (p, stop);
  if (stop - p < 3 || memcmp (p, "-->", 3) != 0)
    return FALSE;
  p = skip_space (p + 3, stop);

  return ear_clock_read (&p, stop, strict, end);
}

/* --- Text --------------------------------------------------------------------------- */

/* Control and direction characters, which would change the rest of a line, and invisible
 * ones */
static gboolean
is_odd (gunichar c)
{
  return g_unichar_iscntrl (c) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* Returns: the text on one line, with single spaces */
static GString *
tidy (const char *text)
{
  GString *line = g_string_new (NULL);
  gboolean space = FALSE;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      const gunichar c = g_utf8_get_char (text);

      if (g_unichar_isspace (c))
        {
          space = line->len > 0;
        }
      else if (!is_odd (c))
        {
          if (space)
            g_string_append_c (line, ' ');
          g_string_append_unichar (line, c);
          space = FALSE;
        }
    }

  return line;
}

/* Words of a name start with a capital, or a letter without case; short ones such as
 * "von" need not. */
static gboolean
can_begin_word (const char *word, guint n_words)
{
  const gunichar c = g_utf8_get_char (word);
  const gsize length = strcspn (word, " :");

  return g_unichar_isalnum (c) ? !g_unichar_islower (c) || (n_words > 0 && length <= 3) : n_words > 0 && c == '(';
}

/* @line: one line
 * Returns: the offset of the colon after a speaker's name, as in "Ann Lamp: Good
 *   evening"; or 0 */
static gsize
find_name (const char *line)
{
  guint n_characters = 0;
  guint n_words = 0;

  for (const char *p = line; *p != '\0' && n_characters < LONGEST_NAME; p = g_utf8_next_char (p), n_characters++)
    {
      if (*p == ':')
        return n_words > 0 && (p[1] == ' ' || p[1] == '\0' || g_unichar_isupper (g_utf8_get_char (p + 1))) ? (gsize) (p - line) : 0;
      if (p > line && p[-1] != ' ')
        continue;
      if (!can_begin_word (p, n_words) || n_words == MOST_WORDS)
        return 0;
      n_words++;
    }

  return 0;
}

/**
 * ear_transcript_tidy_name:
 * @name: (inout): the text of a speaker element, such as "Ann Lamp:", or anything else
 *
 * Turns the text into a name: one line of limited length, without a colon.
 */
void
ear_transcript_tidy_name (GString *name)
{
  g_autoptr (GString) line = tidy (name->str);

  if (line->len > 0 && line->str[line->len - 1] == ':')
    g_string_truncate (line, line->len - 1);
  if (g_utf8_strlen (line->str, -1) > 2 * LONGEST_NAME)
    g_string_truncate (line, (gsize) (g_utf8_offset_to_pointer (line->str, 2 * LONGEST_NAME) - line->str));
  g_string_assign (name, line->str);
}

/**
 * ear_transcript_add_cue:
 * @start: start time, or -1
 * @end: end time, or -1
 * @speaker: (nullable): the speaker, or else the name at the start of @text, if any
 * @text: valid UTF-8, on any number of lines
 *
 * Appends a cue unless its text is empty.
 */
void
ear_transcript_add_cue (EarTranscript *self, gint64 start, gint64 end, const char *speaker, const char *text)
{
  g_autoptr (GString) line = tidy (text);
  g_autoptr (GString) name = g_string_new (speaker);
  gsize colon;

  ear_transcript_tidy_name (name);
  colon = name->len == 0 ? find_name (line->str) : 0;
  if (colon > 0)
    {
      g_string_append_len (name, line->str, (gssize) colon);
      g_string_erase (line, 0, (gssize) colon + (line->str[colon + 1] == ' ' ? 2 : 1));
    }
  if (line->len > 0)
    ear_transcript_add (self, start, end, name->len > 0 ? name->str : NULL, line->str);
}

/* --- Markup ------------------------------------------------------------------------- */

/* The words of one voice in a cue */
typedef struct
{
  char *speaker; /* (nullable) */
  GString *text;
} Voice;

static void
voice_free (gpointer data)
{
  Voice *voice = data;

  g_free (voice->speaker);
  g_string_free (voice->text, TRUE);
  g_free (voice);
}

static Voice *
add_voice (GPtrArray *voices, char *speaker)
{
  Voice *voice = g_new0 (Voice, 1);

  voice->speaker = speaker;
  voice->text = g_string_new (NULL);
  g_ptr_array_add (voices, voice);

  return voice;
}

/* "v.loud Ann Lamp" */
static gboolean
is_voice (const char *tag)
{
  return *tag == 'v' && (tag[1] == ' ' || tag[1] == '\t' || tag[1] == '\n' || tag[1] == '.');
}

static char *
dup_speaker (const char *tag, gsize length)
{
  const char *space = tag + strcspn (tag, " \t\r\n");
  g_autoptr (GString) name = g_string_new (NULL);

  if (space < tag + length)
    ear_entity_append_text (name, space, (gsize) (tag + length - space));

  return name->len > 0 ? g_strdup (g_strstrip (name->str)) : NULL;
}

/* `<i>`, `</i>`, `<00:12.345>` */
static gboolean
begins_tag (const char *p)
{
  return *p == '<' && (g_ascii_isalpha (p[1]) || p[1] == '/' || (g_ascii_isdigit (p[1]) && p[1 + strspn (p + 1, "0123456789")] == ':'));
}

/* Returns: the length of the tag at @p, or 0 for a "<" that is text. `{\an8}` positions
 *   subtitles.
 * @unclosed: (inout): brackets found to have no further end, which is searched for only
 *   once */
static gsize
find_tag_length (const char *p, gboolean unclosed[2])
{
  const gboolean braces = *p == '{';
  const char *end;

  if (unclosed[braces] || (braces ? p[1] != '\\' : !begins_tag (p)))
    return 0;
  end = strchr (p, braces ? '}' : '>');
  unclosed[braces] = end == NULL;

  return end != NULL ? (gsize) (end - p) + 1 : 0;
}

static GPtrArray *
split_voices (const char *text)
{
  GPtrArray *voices = g_ptr_array_new_with_free_func (voice_free);
  Voice *voice = add_voice (voices, NULL);
  gboolean unclosed[2] = { FALSE, FALSE };

  while (*text != '\0')
    {
      const gsize tag = find_tag_length (text, unclosed);
      gsize plain;

      if (tag > 0)
        {
          if (is_voice (text + 1))
            voice = add_voice (voices, dup_speaker (text + 1, tag - 2));
          else if (tag >= 4 && strncmp (text, "</v>", 4) == 0)
            voice = add_voice (voices, NULL);
          text += tag;
          continue;
        }
      plain = 1 + strcspn (text + 1, "<{");
      ear_entity_append_text (voice->text, text, plain);
      text += plain;
    }
  /* Spaces between tags must not count for the share of time. */
  for (guint i = 0; i < voices->len; i++)
    {
      voice = g_ptr_array_index (voices, i);
      g_strstrip (voice->text->str);
      voice->text->len = strlen (voice->text->str);
    }

  return voices;
}

/**
 * ear_transcript_add_markup:
 * @text: the text of a cue, with the tags of WebVTT or of subtitles
 *
 * Appends a cue for each voice. Each voice gets a share of the time by the length of its
 * text.
 */
void
ear_transcript_add_markup (EarTranscript *self, gint64 start, gint64 end, const char *text)
{
  g_autoptr (GPtrArray) voices = split_voices (text);
  gsize total = 0;
  gsize before = 0;

  for (guint i = 0; i < voices->len; i++)
    total += ((Voice *) g_ptr_array_index (voices, i))->text->len;
  for (guint i = 0; i < voices->len && total > 0; i++)
    {
      Voice *voice = g_ptr_array_index (voices, i);
      const double length = (double) MAX (end - start, 0) / (double) total;
      const gint64 from = start + (gint64) (length * (double) before);

      before += voice->text->len;
      ear_transcript_add_cue (self, from, before == total ? end : start + (gint64) (length * (double) before), voice->speaker,
                              voice->text->str);
    }
}
