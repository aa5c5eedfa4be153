/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"
#include "ear-facts.h"
#include "ear-transcript-reader.h"

#include <string.h>

/* Transcripts in all formats, and the sentences made from them. */

static EarTranscript *
read_text (const char *text, const char *type)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  EarTranscript *transcript = ear_transcript_read (bytes, type, &error);

  g_assert_true ((transcript == NULL) == (error != NULL));

  return transcript;
}

/* Returns: "1.5-2 Ann: Good evening." per line; unknown parts are omitted */
static char *
describe (EarTranscript *transcript)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; transcript != NULL && i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      if (sentence->start >= 0)
        g_string_append_printf (lines, "%g-", (double) (sentence->start / 1000) / 1000);
      if (sentence->end >= 0)
        g_string_append_printf (lines, "%g", (double) (sentence->end / 1000) / 1000);
      if (sentence->start >= 0)
        g_string_append_c (lines, ' ');
      if (sentence->speaker != NULL)
        g_string_append_printf (lines, "%s: ", sentence->speaker);
      g_string_append_printf (lines, "%s\n", sentence->text);
    }

  return g_string_free (g_steal_pointer (&lines), FALSE);
}

static const struct
{
  const char *type;
  const char *text;
  const char *expected;
} cases[] = {
  { "text/vtt", "WEBVTT - Title\nKind: captions\n\nSTYLE\n::cue { }\n\nNOTE\nnone\n\n1\n00:01.000 --> 00:02.500 align:left\n<v.loud Ann Lamp>Good <i>evening</i>, A &amp; B</v>\n",
    "1-2.5 Ann Lamp: Good evening, A & B\n" },
  { "text/vtt", "\xef\xbb\xbfWEBVTT\r\n\r\n0:00:01.000 --> 01:00:02,500\r\n- One\r\n- two\r\n", "1-3602.5 - One - two\n" },
  { "text/vtt", "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ann>Good evening</v> <v Bob>Good morning\n", "0-2 Ann: Good evening\n2-4 Bob: Good morning\n" },
  { "text/vtt", "WEBVTT\n\n00:00.000 --> 00:04.000\n3 < 4 <3 and <c.red>so</c> <00:00:01.000>on\n", "0-4 3 < 4 <3 and so on\n" },
  /* Unusual numbers of digits, within limits */
  { "text/vtt", "WEBVTT\n\n0:00.0 --> 0:02.5\nOne\n\n00:02.50 --> 00:04\nTwo\n\n0:00:05.000 --> 0:00:06.250000\nThree\n\n"
                "0:5.0 --> 0:06.0\nNo\n\n00:61.0 --> 00:62.0\nNo\n\n000:07.0 --> 000:08.0\nNo\n",
    "0-2.5 One\n2.5-4 Two\n5-6.25 Three\n" },
  /* No header line */
  { "text/vtt", "00:00.000 --> 00:01.000\nOne\n", "0-1 One\n" },
  { "text/plain", "WEBVTT\n\n00:00.000 --> 00:01.000\nOne\n", "0-1 One\n" },
  /* A cue that ends before it begins has no end. */
  { "text/vtt", "WEBVTT\n\n00:09.000 --> 00:01.000\nOne\n", "9- One\n" },
  { "application/x-subrip", "1\n00:00:01,000 --> 00:00:02,5\nAnn Lamp: Good\nevening\n\n2\n00:00:90,250 --> 00:01:31,000\n{\\an8}<b>Yes</b>\n3\n00:02:00,000 --> 00:02:01,000\n42\n",
    "1-2.5 Ann Lamp: Good evening\n90.25-91 Yes\n120-121 42\n" },
  { "application/srt", "badtime --> 3\nNo\n\n2\n00:00:02,000 --> 00:00:04,000\n\nAfter an empty line\n", "2-4 After an empty line\n" },
  { "application/json", "{\"version\":\"1.0.0\",\"segments\":[{\"speaker\":\"Ann\",\"startTime\":0.5,\"endTime\":1,\"body\":\"Good\"},{\"startTime\":\"1.5\",\"body\":\" evening \"},"
                        "{\"startTime\":-1,\"body\":\"no\"},{\"startTime\":1e300,\"body\":\"no\"},{\"startTime\":true,\"body\":\"no\"},7,{\"startTime\":3,\"body\":[]}]}",
    "0.5-1 Ann: Good\n1.5- evening\n" },
  { "application/json", "[{\"start\":0,\"end\":2,\"text\":\"One\"}]", "0-2 One\n" },
  /* Clock times, numbered voices, non-numbers */
  { "application/json", "{\"segments\":[{\"startTime\":\"00:00:01.5\",\"endTime\":\"00:00:03,25\",\"speaker\":1,\"body\":\"One\"},"
                        "{\"startTime\":4,\"endTime\":NaN,\"speaker\":null,\"body\":\"NaN\"},{\"startTime\":Infinity,\"body\":\"no\"}]}",
    "1.5-3.25 1: One\n4- NaN\n" },
  /* whisper.cpp, Deepgram, AssemblyAI */
  { "application/json", "{\"transcription\":[{\"timestamps\":{\"from\":\"00:00:01,000\"},\"offsets\":{\"from\":1000,\"to\":2500},\"text\":\" One\"},"
                        "{\"offsets\":7,\"text\":\"no\"},{\"text\":\"no\"}]}",
    "1-2.5 One\n" },
  { "application/json", "{\"results\":{\"channels\":[],\"utterances\":[{\"start\":0.5,\"end\":2,\"speaker\":0,\"transcript\":\"One\"}]}}", "0.5-2 0: One\n" },
  { "application/json", "{\"words\":[],\"utterances\":[{\"start\":500,\"end\":2000,\"speaker\":\"A\",\"text\":\"One\"}]}", "0.5-2 A: One\n" },
  { "text/html", "<html><head><title>T</title><style>p{}</style></head><body><cite>Ann:</cite><time>0:01</time><p>Good &amp; <b>well</b>.<br>Yes</p><p>Bob: No</p><script>x</script></body>",
    "1- Ann: Good & well. Yes\nAnn: Bob: No\n" },
  { NULL, "<p>\n Peter: One\n</p><div>Two</div>", "Peter: One\nTwo\n" },
  { "text/plain", "Ann Lamp  0:01\nGood\nevening.\n\n[00:00:05] Bob: Well\n\nNo time: here\n", "1- Ann Lamp: Good evening.\n5- Bob: Well\nNo time: here\n" },
  { "text/plain", "One line\nanother line", "One line\nanother line\n" },
  /* Names are short, and begin with capitals. */
  { "text/plain", "The question is: why?\n\nAnna von Lamp: So.\n\nAt 12:30 we met\n\nhttps://example.org/", "The question is: why?\nAnna von Lamp: So.\nAt 12:30 we met\nhttps://example.org/\n" },
  /* Not transcripts */
  { "text/vtt", "<!DOCTYPE html><html><body>Sign in</body></html>", "" },
  { "application/json", "{\"segments\":\"none\"}", "" },
  { "application/json", "{", "" },
  { "application/x-subrip", "Hello", "" },
  { "text/vtt", "WEBVTT", "" },
  { "text/plain", " \n\n ", "" },
  { NULL, "", "" },
};

static void
test_formats (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EarTranscript) transcript = read_text (cases[i].text, cases[i].type);
      g_autofree char *lines = describe (transcript);

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      g_assert_cmpstr (lines, ==, cases[i].expected);
    }
}

static void
expect_sentences (const char *type, const char *text, gint64 seconds, const char *expected)
{
  g_autoptr (EarTranscript) cues = read_text (text, type);
  g_autoptr (EarTranscript) sentences = ear_transcript_make_sentences (cues, seconds * G_USEC_PER_SEC);
  g_autofree char *lines = describe (sentences);

  g_assert_cmpstr (lines, ==, expected);
}

static void
test_sentences (void)
{
  /* Split and joined at the ends of sentences */
  expect_sentences ("text/vtt", "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>Here begins a sentence that\n\n"
                                "00:02.000 --> 00:04.000\n<v Ann>goes on to here. The next one\n\n00:04.000 --> 00:05.000\n<v Ann>is over, Dr. Lamp.\n", 0,
                    "0-3.172 Ann: Here begins a sentence that goes on to here.\n3.172-5 Ann: The next one is over, Dr. Lamp.\n");
  /* One cue per word; never joined across a pause or between speakers */
  expect_sentences ("application/json", "{\"segments\":[{\"speaker\":\"A\",\"startTime\":0,\"endTime\":1,\"body\":\"I\"},{\"speaker\":\"A\",\"startTime\":1,\"endTime\":2,\"body\":\"am\"},"
                                        "{\"speaker\":\"B\",\"startTime\":2,\"endTime\":3,\"body\":\"No\"},{\"speaker\":\"B\",\"startTime\":9,\"endTime\":10,\"body\":\"so.\"}]}", 0,
                    "0-2 A: I am\n2-3 B: No\n9-10 B: so.\n");
  /* Sorted; each lasts until the next one or the end */
  expect_sentences ("application/json", "{\"segments\":[{\"startTime\":5,\"body\":\"The second of these sentences.\"},{\"startTime\":1,\"body\":\"The first of these sentences.\"}]}", 9,
                    "1-5 The first of these sentences.\n5-9 The second of these sentences.\n");
  /* A paragraph without a time gets a share of the time of the one before. */
  expect_sentences ("text/html", "<time>0:10</time><p>Twenty-five bytes at least.</p><p>Twenty-six bytes, at least.</p><time>0:30</time><p>The end of it, as it is.</p>", 40,
                    "10-20 Twenty-five bytes at least.\n20-30 Twenty-six bytes, at least.\n30-40 The end of it, as it is.\n");
  expect_sentences ("text/plain", "One paragraph. Of two.\n\nAnother", 60, "One paragraph. Of two.\nAnother\n");
}

/* Sentences stay short in a paragraph of any length. */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new ("WEBVTT\n\n00:00.000 --> 59:59.000\n");
  g_autoptr (EarTranscript) cues = NULL;
  g_autoptr (EarTranscript) sentences = NULL;

  for (guint i = 0; i < 20000; i++)
    g_string_append (text, i == 10000 ? "." : i % 7 == 0 ? " " : "ä");
  cues = read_text (text->str, "text/vtt");
  g_assert_cmpuint (ear_transcript_get_length (cues), ==, 1);
  sentences = ear_transcript_make_sentences (cues, 0);
  g_assert_cmpuint (ear_transcript_get_length (sentences), >, 50);
  for (guint i = 0; i < ear_transcript_get_length (sentences); i++)
    g_assert_cmpuint (strlen (ear_transcript_get (sentences, i)->text), <=, 700);
}

/* All hostile input is fast. */
static void
test_hostile (void)
{
  static const char *const parts[] = { "<", "-->", "<v ", "{\\", "[", "{\"segments\":[", "1\n", "\n", "\r", "&", ":", "A: ", "00:00:00,000 --> 00:00:00,000\n", "<p>", "<cite>", "99:99 " };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    for (guint j = 0; j < 3; j++)
      {
        static const char *const types[] = { "text/vtt", "text/plain", "text/html" };
        g_autoptr (GString) text = g_string_new (j == 0 ? "WEBVTT\n\n00:00.000 --> 00:01.000\n" : "");
        g_autoptr (EarTranscript) cues = NULL;
        g_autoptr (EarTranscript) sentences = NULL;

        while (text->len < 300000)
          g_string_append (text, parts[i]);
        cues = read_text (text->str, types[j]);
        if (cues != NULL)
          sentences = ear_transcript_make_sentences (cues, 0);
      }
}

/* The text of a long speaker element is not parsed again for each paragraph after it. */
static void
test_long_before_many (void)
{
  g_autoptr (GString) text = g_string_new ("<cite>Ann");
  g_autoptr (EarTranscript) cues = NULL;
  const gint64 begun = g_get_monotonic_time ();

  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (text, ' ');
  g_string_append (text, "</cite><time>");
  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (text, ' ');
  g_string_append (text, "0:10</time>");
  for (guint i = 0; i < 50000; i++)
    g_string_append (text, "<p>");
  for (guint i = 0; i < 50000; i++)
    g_string_append (text, "<p>Words");
  cues = read_text (text->str, "text/html");
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 10 * G_USEC_PER_SEC);
  g_assert_cmpint (ear_transcript_get (cues, 0)->start, ==, 10 * G_USEC_PER_SEC);
  g_assert_cmpstr (ear_transcript_get (cues, 1)->speaker, ==, "Ann");
}

static void
test_most (void)
{
  g_autoptr (GString) text = g_string_new ("WEBVTT\n\n");
  g_autoptr (EarTranscript) cues = NULL;

  for (guint i = 0; i < EAR_TRANSCRIPT_LIMIT + 10; i++)
    g_string_append (text, "00:00.000 --> 00:01.000\nA\n\n");
  cues = read_text (text->str, "text/vtt");
  g_assert_cmpuint (ear_transcript_get_length (cues), ==, EAR_TRANSCRIPT_LIMIT);
}

static void
test_find (void)
{
  g_autoptr (EarTranscript) timed = read_text ("WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n00:05.000 --> 00:06.000\nB\n\n00:05.000 --> 00:06.000\nC\n", "text/vtt");
  g_autoptr (EarTranscript) untimed = read_text ("Hello", "text/plain");

  g_assert_true (ear_transcript_get_timed (timed));
  g_assert_cmpint (ear_transcript_find (timed, 0), ==, -1);
  g_assert_cmpint (ear_transcript_find (timed, 1000000), ==, 0);
  g_assert_cmpint (ear_transcript_find (timed, 4999999), ==, 0);
  g_assert_cmpint (ear_transcript_find (timed, 5000000), ==, 2);
  g_assert_cmpint (ear_transcript_find (timed, G_MAXINT64), ==, 2);
  g_assert_false (ear_transcript_get_timed (untimed));
  g_assert_cmpint (ear_transcript_find (untimed, 5), ==, -1);
}

static void
add_link (GPtrArray *links, const char *address, const char *type, const char *language)
{
  EarTranscriptLink *link = ear_transcript_link_new ();

  link->address = g_strdup (address);
  link->mime_type = g_strdup (type);
  link->language = g_strdup (language);
  g_ptr_array_add (links, link);
}

static void
expect_choice (GPtrArray *links, const char *language, const char *expected)
{
  g_autoptr (GPtrArray) ranked = ear_transcript_rank (links, language);

  g_assert_cmpuint (ranked->len, ==, links->len);
  g_assert_cmpstr (((EarTranscriptLink *) g_ptr_array_index (ranked, 0))->address, ==, expected);
}

static void
test_choose (void)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_transcript_link_free);
  g_autoptr (GPtrArray) none = ear_transcript_rank (links, "en");
  g_autoptr (GPtrArray) ranked = NULL;

  g_assert_cmpuint (none->len, ==, 0);
  add_link (links, "https://a/x", "text/plain", NULL);
  expect_choice (links, "en", "https://a/x");
  add_link (links, "https://a/html", "text/html", "en");
  expect_choice (links, "en", "https://a/html");
  add_link (links, "https://a/s.srt?x=1", NULL, NULL);
  expect_choice (links, "en", "https://a/s.srt?x=1");
  add_link (links, "https://a/json", "application/json", "de");
  expect_choice (links, "en", "https://a/s.srt?x=1");
  expect_choice (links, "de-AT", "https://a/json");
  expect_choice (links, NULL, "https://a/json");
  add_link (links, "https://a/vtt", "text/vtt; charset=utf-8", "en-US");
  expect_choice (links, "en", "https://a/vtt");
  expect_choice (links, NULL, "https://a/vtt");
  expect_choice (links, "de", "https://a/json");

  ranked = ear_transcript_rank (links, "en");
  g_assert_cmpstr (((EarTranscriptLink *) g_ptr_array_index (ranked, 1))->address, ==, "https://a/s.srt?x=1");
  g_assert_cmpstr (((EarTranscriptLink *) g_ptr_array_index (ranked, 4))->address, ==, "https://a/json");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transcripts/formats", test_formats);
  g_test_add_func ("/transcripts/sentences", test_sentences);
  g_test_add_func ("/transcripts/long", test_long);
  g_test_add_func ("/transcripts/hostile", test_hostile);
  g_test_add_func ("/transcripts/long-before-many", test_long_before_many);
  g_test_add_func ("/transcripts/most", test_most);
  g_test_add_func ("/transcripts/find", test_find);
  g_test_add_func ("/transcripts/choose", test_choose);

  return g_test_run ();
}
