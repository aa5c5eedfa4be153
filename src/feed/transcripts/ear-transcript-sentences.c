/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-reader.h"

#include <string.h>

/* Cues are made for screens: a line or two, cut at any word. Some files have one cue per
 * word, others one per three minutes. Reading, highlighting and searching work on
 * sentences. The time of a sentence end within a cue is interpolated: people speak evenly
 * enough for that. */

/* The maximum length of a sentence, in bytes and in time */
#define LONGEST 300
#define LONGEST_TIME (20 * G_TIME_SPAN_SECOND)
/* The same for text without punctuation */
#define LONGEST_UNPUNCTUATED 120
#define LONGEST_UNPUNCTUATED_TIME (8 * G_TIME_SPAN_SECOND)
/* The same for text without times */
#define LONGEST_UNTIMED 600
/* Shorter sentences, such as "Yes.", are joined with the next. */
#define SHORT 25
/* A pause this long ends a sentence. */
#define PAUSE (2 * G_TIME_SPAN_SECOND)

/* Part of a cue, up to the end of a sentence or of the cue */
typedef struct
{
  const char *text;
  gsize length;
  const char *speaker; /* (nullable) */
  gint64 start;
  gint64 end;
} Piece;

typedef struct
{
  EarTranscript *to;
  GString *text;
  const char *speaker; /* (nullable) */
  gint64 start;
  gint64 end;
  guint cue; /* the last cue in it */
  gboolean timed;
  gsize longest;
  gint64 longest_time;
} Joiner;

/* --- Sentence boundaries ------------------------------------------------------------ */

/* Returns: whether a point belongs to an abbreviation */
static gboolean
is_abbreviation (const char *text, const char *point)
{
  static const char *const words[] = { "mr", "mrs", "ms", "dr", "st", "vs", "prof", "sr", "jr", "e.g", "i.e", "z.b", "bzw", NULL };
  const char *begin = point;
  g_autofree char *word = NULL;

  while (begin > text && begin[-1] != ' ' && point - begin < 8)
    begin--;
  word = g_ascii_strdown (begin, point - begin);

  return (point - begin == 1 && g_ascii_isupper (*begin)) || g_strv_contains (words, word);
}

/* @text: the start of the text
 * @p: a character of it
 * Returns: whether a sentence may end with it */
static gboolean
is_stop (const char *text, const char *p)
{
  switch (g_utf8_get_char (p))
    {
    case '?':
    case '!':
    case 0x2026: /* … */
    case 0x3002: /* 。 */
    case 0xff01: /* ！ */
    case 0xff1f: /* ？ */
    case 0x061f: /* ؟ */
    case 0x06d4: /* ۔ */
    case 0x0964: /* । */
      return TRUE;
    case '.':
      return !is_abbreviation (text, p);
    default:
      return FALSE;
    }
}

/* Closing quotation marks and brackets belong to the sentence. */
static const char *
skip_closing (const char *p)
{
  while (*p != '\0' && (strchr ("\"')]", *p) != NULL || g_utf8_get_char (p) == 0x201d || g_utf8_get_char (p) == 0x2019 ||
                        g_utf8_get_char (p) == 0xbb || g_utf8_get_char (p) == 0x300d))
    p = g_utf8_next_char (p);

  return p;
}

/* @text: a text
 * @longest: in bytes: past this length, a piece ends with a word
 * @complete: (out): whether a sentence ends there
 * Returns: the length of the next piece in bytes, with the space after it */
static gsize
find_piece (const char *text, gsize longest, gboolean *complete)
{
  const char *p = text;

  *complete = FALSE;
  while (*p != '\0')
    {
      const gboolean stops = is_stop (text, p);

      p = g_utf8_next_char (p);
      if (stops)
        {
          const gboolean wide = (guint8) p[-1] >= 0x80;

          p = skip_closing (p);
          if (*p == '\0' || wide || (*p == ' ' && !g_unichar_islower (g_utf8_get_char (p + 1))))
            {
              *complete = TRUE;
              return (gsize) (p - text) + (*p == ' ');
            }
        }
      else if ((gsize) (p - text) >= longest && (p[-1] == ' ' || (gsize) (p - text) >= 2 * longest))
        {
          return (gsize) (p - text);
        }
    }

  return (gsize) (p - text);
}

/* --- Times -------------------------------------------------------------------------- */

/* Interpolates missing times between known ones, by the length of the text.
 * @cues: (element-type EarSentence): all cues, in the order of the text */
static void
fill_times (GArray *cues, gint64 duration)
{
  gint64 from = 0;
  guint first = 0;

  for (guint i = 0; i <= cues->len; i++)
    {
      EarSentence *cue = i < cues->len ? &g_array_index (cues, EarSentence, i) : NULL;
      const gint64 to = cue == NULL ? MAX (duration, from) : cue->start;
      gsize total = 0;
      gsize before = 0;

      if (cue != NULL && cue->start < 0)
        continue;
      for (guint j = first; j < i; j++)
        total += strlen (g_array_index (cues, EarSentence, j).text);
      for (guint j = first; j < i; j++)
        {
          EarSentence *untimed = &g_array_index (cues, EarSentence, j);

          if (untimed->start < 0)
            untimed->start = from + (gint64) ((double) MAX (to - from, 0) * (double) before / (double) total);
          before += strlen (untimed->text);
        }
      first = i;
      from = to;
    }
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const EarSentence *first = a;
  const EarSentence *second = b;

  return ear_compare (first->start, second->start);
}

/* A cue without an end lasts until the next one begins. */
static void
fill_ends (GArray *cues, gint64 duration)
{
  gint64 next = duration;

  for (guint i = cues->len; i > 0; i--)
    {
      EarSentence *cue = &g_array_index (cues, EarSentence, i - 1);

      if (cue->end < cue->start)
        cue->end = MAX (next, cue->start);
      next = cue->start;
    }
}

/* --- Joining ------------------------------------------------------------------------ */

static void
flush (Joiner *self)
{
  while (self->text->len > 0 && self->text->str[self->text->len - 1] == ' ')
    g_string_truncate (self->text, self->text->len - 1);
  if (self->text->len > 0)
    ear_transcript_add (self->to, self->start, self->end, self->speaker, self->text->str);
  g_string_truncate (self->text, 0);
}

static gboolean
belongs (Joiner *self, const Piece *piece, guint cue)
{
  if (self->text->len == 0 || self->text->len + piece->length > self->longest)
    return FALSE;
  if (!self->timed)
    return cue == self->cue;

  return (piece->speaker == NULL || g_strcmp0 (piece->speaker, self->speaker) == 0) && piece->start - self->end <= PAUSE &&
         piece->end - self->start <= self->longest_time;
}

static void
take_piece (Joiner *self, const Piece *piece, guint cue, gboolean complete)
{
  if (!belongs (self, piece, cue))
    {
      flush (self);
      self->start = piece->start;
      self->speaker = piece->speaker;
    }
  else if (self->text->str[self->text->len - 1] != ' ' && cue != self->cue)
    {
      g_string_append_c (self->text, ' ');
    }
  g_string_append_len (self->text, piece->text, (gssize) piece->length);
  self->end = piece->end;
  self->cue = cue;
  if (complete && self->timed && self->text->len > SHORT)
    flush (self);
}

/* @next: the start of the next cue, the latest start for parts of this one: a cue may
 *   claim to last for hours */
static void
take_cue (Joiner *self, const EarSentence *cue, guint i, gint64 next)
{
  const gsize total = strlen (cue->text);
  const double length = (double) MAX (cue->end - cue->start, 0) / (double) total;
  Piece piece = { .speaker = cue->speaker, .start = cue->start };
  gboolean complete;

  for (gsize at = 0; at < total; at += piece.length)
    {
      piece.text = cue->text + at;
      piece.length = find_piece (piece.text, self->longest, &complete);
      piece.end = at + piece.length == total ? cue->end : cue->start + (gint64) (length * (double) (at + piece.length));
      take_piece (self, &piece, i, complete);
      piece.start = MIN (piece.end, MAX (next, cue->start));
    }
}

/* Returns: whether more than every twentieth cue ends like a sentence */
static gboolean
is_punctuated (GArray *cues)
{
  guint n = 0;

  for (guint i = 0; i < cues->len; i++)
    {
      const char *text = g_array_index (cues, EarSentence, i).text;

      for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
        if (is_stop (text, p))
          {
            n++;
            break;
          }
    }

  return n * 20 > cues->len;
}

/**
 * ear_transcript_make_sentences:
 * @cues: cues from [func@Ear.transcript_read]
 * @duration: the duration of the episode, or %EAR_DURATION_UNKNOWN
 *
 * Joins and splits cues into sentences, in order of time. May be called on any thread.
 *
 * Returns: (transfer full): the sentences
 */
EarTranscript *
ear_transcript_make_sentences (EarTranscript *cues, gint64 duration)
{
  const guint n = ear_transcript_get_length (cues);
  g_autoptr (GArray) timed = g_array_sized_new (FALSE, FALSE, sizeof (EarSentence), n);
  g_autoptr (GString) text = g_string_new (NULL);
  Joiner joiner = { .to = ear_transcript_new (), .text = text, .longest = LONGEST_UNTIMED };

  for (guint i = 0; i < n; i++)
    {
      g_array_append_vals (timed, ear_transcript_get (cues, i), 1);
      joiner.timed = joiner.timed || ear_transcript_get (cues, i)->start >= 0;
    }
  if (joiner.timed)
    {
      const gboolean punctuated = is_punctuated (timed);

      fill_times (timed, duration);
      g_array_sort (timed, compare_starts);
      fill_ends (timed, duration);
      joiner.longest = punctuated ? LONGEST : LONGEST_UNPUNCTUATED;
      joiner.longest_time = punctuated ? LONGEST_TIME : LONGEST_UNPUNCTUATED_TIME;
    }
  for (guint i = 0; i < n; i++)
    take_cue (&joiner, &g_array_index (timed, EarSentence, i), i, i + 1 < n ? g_array_index (timed, EarSentence, i + 1).start : G_MAXINT64);
  flush (&joiner);

  return joiner.to;
}
