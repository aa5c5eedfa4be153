/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-address.h"
#include "ear-date.h"
#include "ear-duration.h"
#include "ear-opml.h"
#include "ear-page-links.h"
#include "ear-reference.h"
#include "ear-show-notes.h"
#include "ear-transcript-reader.h"
#include "feed-reader.h"

#include <string.h>

/* For any input, texts are valid and URLs are web addresses. */
static void
check_line (const char *line)
{
  static const char *const addresses[] = { "link", "image", "next", "new", "funding", "enclosure", "alternate", "transcript", "chapters", "podlove", "comments", NULL };
  const char *dot = strchr (line, '.');
  const char *equals = dot != NULL ? strchr (dot, '=') : NULL;
  g_autofree char *owner = equals != NULL ? g_strndup (line, dot - line) : NULL;
  g_autofree char *name = equals != NULL ? g_strndup (dot + 1, equals - dot - 1) : NULL;

  /* Lines of a text have another form. */
  if (name == NULL || (strcmp (owner, "podcast") != 0 && strspn (owner, "0123456789") != strlen (owner)))
    return;
  if (g_strv_contains (addresses, name) && !ear_address_is_web (equals + 1))
    g_error ("This is no address of the web: %s", line);
}

static void
check_dump (const char *dump)
{
  g_auto (GStrv) lines = g_strsplit (dump, "\n", -1);

  g_assert_true (g_utf8_validate (dump, -1, NULL));
  for (char **line = lines; *line != NULL; line++)
    check_line (*line);
}

/* The result does not depend on the chunk size. */
void
ear_fuzz_feed (const guint8 *data, gsize length)
{
  const char *text = (const char *) data;
  const gsize chunk = 1 + length % 39;
  g_autofree char *whole = feed_reader_dump (text, length, MAX (length, 1), NULL);
  g_autofree char *parts = feed_reader_dump (text, length, chunk, NULL);

  check_dump (whole);
  g_assert_cmpstr (whole, ==, parts);
}

static void
check_span (const EarNotesSpan *span)
{
  g_assert_true (g_utf8_validate (span->text, -1, NULL));
  g_assert_cmpint (span->time, >=, -1);
  if (span->link == NULL)
    return;
  g_assert_true (g_utf8_validate (span->link, -1, NULL));
  if (!ear_address_is_web (span->link) && !g_str_has_prefix (span->link, "mailto:"))
    g_error ("A link leads elsewhere: %s", span->link);
}

static void
check_notes (const char *source, gint64 duration)
{
  g_autoptr (EarNotes) parsed = ear_show_notes_parse (source, "https://example.org/", duration);

  for (guint i = 0; i < parsed->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (parsed->blocks, i);

      g_assert_true (block->spans->len > 0 || block->type == EAR_NOTES_RULE);
      for (guint j = 0; j < block->spans->len; j++)
        check_span (g_ptr_array_index (block->spans, j));
    }
}

/* Bytes that are not UTF-8 end the notes and do no other harm. */
void
ear_fuzz_notes (const guint8 *data, gsize length)
{
  g_autofree char *source = g_strndup ((const char *) data, length);
  g_autofree char *valid = g_utf8_make_valid (source, -1);

  check_notes (source, 0);
  check_notes (valid, (gint64) (length % 3) * 60 * G_USEC_PER_SEC);
}

/* Each line before the first empty one is an episode: number, title and link, separated
 * by tabs. The rest is notes. */
void
ear_fuzz_references (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  char *source = strstr (valid, "\n\n");
  g_autoptr (GHashTable) targets = ear_reference_targets_new ();
  g_autoptr (EarNotes) notes = ear_show_notes_parse (source != NULL ? source + 2 : "", "https://example.org/", 0);
  g_autoptr (GPtrArray) found = NULL;
  g_auto (GStrv) lines = NULL;
  gint64 n = 0;

  if (source != NULL)
    *source = '\0';
  lines = g_strsplit (valid, "\n", 100);
  for (; lines[n] != NULL; n++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[n], "\t", 3);
      const guint n_parts = g_strv_length (parts);

      ear_reference_targets_name (targets, n + 1, n_parts > 1 ? parts[1] : NULL, n_parts > 0 ? parts[0] : NULL);
      if (n_parts > 2 && ear_address_is_web (parts[2]))
        ear_reference_targets_add (targets, n + 1, parts[2], NULL);
    }
  found = ear_references_find (notes, 1, targets);
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const EarReference *reference = g_ptr_array_index (found, i);

      g_assert_true (reference->episode > 1 && reference->episode <= n);
      g_assert_true (reference->address == NULL || g_utf8_validate (reference->address, -1, NULL));
    }
}

void
ear_fuzz_opml (const guint8 *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_opml_parse (bytes, &error);
  g_autoptr (GBytes) written = NULL;
  g_autoptr (GPtrArray) again = NULL;

  g_assert_true ((outlines == NULL) == (error != NULL));
  if (outlines == NULL)
    return;
  for (guint i = outlines->len; i > 0; i--)
    {
      const EarListedPodcast *podcast = g_ptr_array_index (outlines, i - 1);

      if (podcast->address == NULL)
        g_ptr_array_remove_index (outlines, i - 1);
      else
        g_assert_true (ear_address_is_web (podcast->address));
    }
  /* A parsed list can be written and parsed again. */
  written = ear_opml_write (outlines, "T");
  again = ear_opml_parse (written, &error);
  g_assert_cmpuint (again != NULL ? again->len : 0, ==, outlines->len);
}

void
ear_fuzz_page (const guint8 *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  g_autoptr (GPtrArray) links = ear_page_find_feeds (bytes, "text/html", "https://example.org/a/b");

  for (guint i = 0; i < links->len; i++)
    {
      const EarPageLink *link = g_ptr_array_index (links, i);

      g_assert_true (ear_address_is_web (link->address));
      g_assert_true (link->title == NULL || g_utf8_validate (link->title, -1, NULL));
    }
}

static void
check_sentences (EarTranscript *transcript, gboolean ordered)
{
  gint64 before = -1;

  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      g_assert_true (g_utf8_validate (sentence->text, -1, NULL) && *sentence->text != '\0' && strchr (sentence->text, '\n') == NULL);
      g_assert_true (sentence->speaker == NULL || (g_utf8_validate (sentence->speaker, -1, NULL) && *sentence->speaker != '\0'));
      g_assert_cmpint (sentence->start, >=, ordered ? before : -1);
      g_assert_cmpint (sentence->start, <=, EAR_POSITION_LIMIT);
      g_assert_true (sentence->end == -1 || sentence->end >= sentence->start);
      before = sentence->start;
    }
}

/* The first byte selects the type. */
void
ear_fuzz_transcript (const guint8 *data, gsize length)
{
  static const char *const types[] = { "text/vtt", "application/x-subrip", "application/json", "text/html", "text/plain", NULL };
  g_autoptr (GBytes) bytes = g_bytes_new (length > 0 ? data + 1 : NULL, length > 0 ? length - 1 : 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarTranscript) cues = ear_transcript_read (bytes, types[length > 0 ? data[0] % G_N_ELEMENTS (types) : 0], &error);
  g_autoptr (EarTranscript) sentences = NULL;

  g_assert_true ((cues == NULL) == (error != NULL));
  if (cues == NULL)
    return;
  check_sentences (cues, FALSE);
  sentences = ear_transcript_make_sentences (cues, (gint64) (length % 3) * 60 * G_USEC_PER_SEC);
  g_assert_cmpuint (ear_transcript_get_length (sentences), >, 0);
  check_sentences (sentences, TRUE);
  g_assert_cmpint (ear_transcript_find (sentences, EAR_POSITION_LIMIT), ==,
                   ear_transcript_get_timed (sentences) ? (int) ear_transcript_get_length (sentences) - 1 : -1);
}

/* Dates and durations */
void
ear_fuzz_values (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  gint64 seconds = ear_date_parse (text);
  gint64 duration = ear_duration_parse (text);

  /* The years 1 to 9999 */
  g_assert_true (seconds == EAR_DATE_UNKNOWN || (seconds > -G_GINT64_CONSTANT (62135596801) && seconds < G_GINT64_CONSTANT (1000000000000)));
  g_assert_true (duration >= 0 && duration <= (gint64) 1000 * 3600 * G_USEC_PER_SEC);
}
