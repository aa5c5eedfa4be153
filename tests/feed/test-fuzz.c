/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-reader.h"

#include "ear-address.h"
#include "ear-date.h"
#include "ear-duration.h"
#include "ear-opml.h"
#include "ear-recurrence.h"
#include "ear-show-notes.h"

#include <string.h>

/*
 * Good input, damaged at random: always in the same way, and a few seconds of it. For more of
 * it, EARMARK_FUZZ=N multiplies the rounds and EARMARK_FUZZ_SEED=N begins elsewhere. Under the
 * sanitizers every round is also a look at memory.
 */

#define MOST 20000

static const char feed[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE rss [<!ENTITY co \"Company\">]>\n<rss version=\"2.0\" xml:base=\"https://example.org/\""
    " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\""
    " xmlns:atom=\"http://www.w3.org/2005/Atom\" xmlns:psc=\"http://podlove.org/simple-chapters\"><channel><title>Caf&eacute; &co;</title>"
    "<atom:link rel=\"next\" href=\"?page=2\"/><itunes:category text=\"Arts\"><itunes:category text=\"Design\"/></itunes:category>"
    "<itunes:owner><itunes:name>Ann</itunes:name></itunes:owner><itunes:image href=\"/c.jpg\"/><podcast:person role=\"host\">Ann</podcast:person>"
    "<podcast:funding url=\"/give\">Give</podcast:funding><podcast:podroll><podcast:remoteItem feedGuid=\"7\" feedUrl=\"/o\"/></podcast:podroll>"
    "<podcast:liveItem status=\"live\" start=\"2024-08-04\"><title>Live</title><enclosure url=\"/l.mp3\"/></podcast:liveItem>"
    "<podcast:updateFrequency rrule=\"FREQ=WEEKLY\">Weekly</podcast:updateFrequency><podcast:trailer url=\"/t.mp3\">T</podcast:trailer>\n"
    "<item><guid isPermaLink=\"false\">1</guid><title>One &amp; <![CDATA[<b>two</b>]]></title><link>https://example.org/1</link>"
    "<pubDate>Sun, 04 Aug 2024 01:47:46 +0000</pubDate><itunes:duration>1:02:03</itunes:duration><enclosure url=\"/1.mp3\" type=\"audio/mpeg\" length=\"9\"/>"
    "<podcast:alternateEnclosure type=\"audio/opus\" bitrate=\"64000\"><podcast:source uri=\"/1.opus\"/></podcast:alternateEnclosure>"
    "<podcast:soundbite startTime=\"1.5\" duration=\"2\">Bite</podcast:soundbite><podcast:transcript url=\"/1.vtt\" type=\"text/vtt\"/>"
    "<psc:chapters><psc:chapter start=\"0:10\" title=\"First\"/></psc:chapters><description>&lt;p&gt;Notes&lt;/p&gt;</description></item>\n"
    "<!-- between --><item><guid>2</guid><description><p>Unescaped <br> &amp; wörds 😀</p></description></item></channel></rss>\n";

static const char atom[] =
    "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:fh=\"http://purl.org/syndication/history/1.0\"><fh:archive/><title type=\"html\">A &lt;b&gt;</title>"
    "<link rel=\"prev-archive\" href=\"/2\"/><author><name>Ann</name></author><entry><id>1</id><updated>2024-08-04T01:47:46.5+02:00</updated>"
    "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>One <a href=\"x\">two</a></p></div></content>"
    "<link rel=\"enclosure\" href=\"/1.mp3\" length=\"1\"/></entry></feed>";

static const char notes[] =
    "<p>At 1:05 <a href=\"/x?a=1&amp;b=2\">a <b>link</b></a>, https://example.com/a_(b). www.example.net &hellip; &copy 12:34</p><ul><li>One<ol><li>A</ol>"
    "<li>Two</ul><table><tr><th>a<td>b</table><blockquote>Q</blockquote><pre> x\n y</pre><img src=/i.png alt='Picture'><script>no()</script>"
    "<b hidden>no</b><p style='display:none'>no<x:script>no</x:script>"
    "<!-- no --><h2>Head</h2><div>- line<br>* line</div><iframe src=x></iframe>äöü 😀";

static const char opml[] =
    "<?xml version=\"1.0\"?><opml version=\"2.0\"><head><title>T</title></head><body><outline text=\"Folder &amp; more\"><outline type=\"rss\" text=\"One\" "
    "xmlUrl=\"https://example.org/1\" htmlUrl=\"https://example.org/\"/></outline><outline text=\"Two\" url='http://example.org/2'/></body></opml>";

static const char *const dates[] = { "Sun, 04 Aug 2024 01:47:46 +0000", "2024-08-04T01:47:46.123+02:00", "4 août 2024, 10:00 p.m. (CEST)",
                                     "1722736066", "2024년 8월 4일 오후 1:47", "20240804T014746Z", "Sonntag, 4. Mär 24 24:00",
                                     "5 Aug 2024 20h19 America/Los_Angeles", "Mon, 5 Aug 2024 20:19:00:000 EST5EDT (PDT)" };
static const char *const times[] = { "1:02:03.5", "PT1H2M3S", "62 min, 3 s", "3723", "99:59", "1h2m", "1 h and 2'30\"", "P1DT2H", "1.02.03", "12:45:00 AM", "1時間2分" };
static const char *const rules[] = { "FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2", "RRULE:FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=1" };

/* What confuses a reader of the above most */
static const char *const pieces[] = {
  "<", ">", "</", "/>", "&", ";", "&#", "&#x", "\"", "'", "=", "<![CDATA[", "]]>", "<!--", "-->", "<?", "<!DOCTYPE", "<item>", "</item>", "</channel>",
  "<rss>", "</rss>", "<title>", "</title>", "<a href=", "</a>", "<table>", "<td>", "<pre>", "<script>", "<p/>", "<b hidden>", "style='display:none'", "xmlns=\"", "xml:base=\"", "://", "http://",
  "javascript:", "\xff", "\xc3", "\xed\xa0\xbd", "\xef\xbb\xbf", "\xe2\x80\xae", "\xf4\x90\x80\x80", "\n", "\t", "-", "+", ":", ".", ",", "0", "9", "99999999999999999999",
};

static guint
get_rounds (guint rounds)
{
  const char *factor = g_getenv ("EARMARK_FUZZ");

  return rounds * (factor != NULL ? CLAMP (g_ascii_strtoll (factor, NULL, 10), 1, 100000) : 1);
}

static GRand *
make_random (guint32 seed)
{
  const char *other = g_getenv ("EARMARK_FUZZ_SEED");

  return g_rand_new_with_seed (seed + (other != NULL ? (guint32) g_ascii_strtoull (other, NULL, 10) : 0));
}

static void
damage (GString *text, GRand *random)
{
  gsize at = (gsize) g_rand_int_range (random, 0, (gint32) text->len + 1);
  gsize wanted = (gsize) g_rand_int_range (random, 1, 60);
  gsize length = MIN (wanted, text->len - at);
  g_autofree char *part = g_memdup2 (text->str + at, length);

  switch (g_rand_int_range (random, 0, 6))
    {
    case 0:
      if (at < text->len)
        text->str[at] = (char) g_rand_int_range (random, 0, 256);
      break;
    case 1:
      g_string_erase (text, (gssize) at, (gssize) length);
      break;
    case 2:
      if (text->len < MOST)
        g_string_insert_len (text, g_rand_int_range (random, 0, (gint32) text->len + 1), part, (gssize) length);
      break;
    case 3:
      if (g_rand_int_range (random, 0, 10) == 0)
        g_string_truncate (text, at);
      break;
    default:
      g_string_insert (text, (gssize) at, pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
    }
}

static GString *
make_damaged (const char *good, GRand *random)
{
  GString *text = g_string_new (good);
  int n = g_rand_int_range (random, 1, 12);

  for (int i = 0; i < n; i++)
    damage (text, random);

  return text;
}

/* Whatever came in: text is text, and addresses are the web's. */
static void
check_dump (const char *dump)
{
  static const char *const addresses[] = { "link", "image", "next", "new", "funding", "enclosure", "alternate", "transcript", "chapters", "podlove", "comments", NULL };
  g_auto (GStrv) lines = g_strsplit (dump, "\n", -1);

  g_assert_true (g_utf8_validate (dump, -1, NULL));
  for (char **line = lines; *line != NULL; line++)
    {
      const char *dot = strchr (*line, '.');
      const char *equals = dot != NULL ? strchr (dot, '=') : NULL;
      g_autofree char *owner = equals != NULL ? g_strndup (*line, dot - *line) : NULL;
      g_autofree char *name = equals != NULL ? g_strndup (dot + 1, equals - dot - 1) : NULL;

      /* Lines of a text look otherwise. */
      if (name == NULL || (strcmp (owner, "podcast") != 0 && strspn (owner, "0123456789") != strlen (owner)))
        continue;
      if (g_strv_contains (addresses, name) && !ear_address_is_web (equals + 1))
        {
          g_test_message ("%s", *line);
          g_test_fail ();
        }
    }
}

static void
fuzz_feed (const char *good, guint32 seed)
{
  g_autoptr (GRand) random = make_random (seed);

  for (guint round = get_rounds (1500); round > 0 && !g_test_failed (); round--)
    {
      g_autoptr (GString) source = make_damaged (good, random);
      g_autofree char *whole = feed_reader_dump (source->str, source->len, MAX (source->len, 1), NULL);
      g_autofree char *parts = feed_reader_dump (source->str, source->len, (gsize) g_rand_int_range (random, 1, 40), NULL);

      check_dump (whole);
      if (strcmp (whole, parts) != 0)
        {
          g_autofree char *escaped = g_strescape (source->str, NULL);

          g_test_message ("%s\n-- whole%s-- in parts%s", escaped, whole, parts);
          g_test_fail ();
        }
    }
}

static void
test_feed (void)
{
  fuzz_feed (feed, 1);
}

static void
test_atom (void)
{
  fuzz_feed (atom, 2);
}

static void
check_span (const EarNotesSpan *span)
{
  g_assert_true (g_utf8_validate (span->text, -1, NULL));
  g_assert_true (span->time >= -1);
  if (span->link == NULL)
    return;
  g_assert_true (g_utf8_validate (span->link, -1, NULL));
  if (!ear_address_is_web (span->link) && !g_str_has_prefix (span->link, "mailto:"))
    {
      g_test_message ("%s", span->link);
      g_test_fail ();
    }
}

static void
test_notes (void)
{
  g_autoptr (GRand) random = make_random (3);

  for (guint round = get_rounds (4000); round > 0; round--)
    {
      g_autoptr (GString) source = make_damaged (notes, random);
      g_autofree char *valid = g_utf8_make_valid (source->str, -1);
      /* Bytes that are no UTF-8 end the notes, and do no other harm. */
      g_autoptr (EarNotes) parsed = ear_show_notes_parse (round % 2 ? source->str : valid, "https://example.org/", round % 3 * 60 * G_USEC_PER_SEC);

      for (guint i = 0; i < parsed->blocks->len; i++)
        {
          const EarNotesBlock *block = g_ptr_array_index (parsed->blocks, i);

          g_assert_true (block->spans->len > 0 || block->type == EAR_NOTES_RULE);
          for (guint j = 0; j < block->spans->len; j++)
            check_span (g_ptr_array_index (block->spans, j));
        }
    }
}

static void
test_opml (void)
{
  g_autoptr (GRand) random = make_random (4);

  for (guint round = get_rounds (3000); round > 0; round--)
    {
      g_autoptr (GString) source = make_damaged (opml, random);
      g_autoptr (GBytes) bytes = g_bytes_new (source->str, source->len);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) outlines = ear_opml_parse (bytes, &error);
      g_autoptr (GBytes) written = NULL;
      g_autoptr (GPtrArray) again = NULL;

      g_assert_true ((outlines == NULL) == (error != NULL));
      if (outlines == NULL)
        continue;
      for (guint i = 0; i < outlines->len; i++)
        g_assert_true (ear_address_is_web (((EarOpmlOutline *) g_ptr_array_index (outlines, i))->address));
      /* What was read can be written, and is read again. */
      written = ear_opml_write (outlines, "T");
      again = ear_opml_parse (written, &error);
      g_assert_cmpuint (again != NULL ? again->len : 0, ==, outlines->len);
    }
}

static void
test_values (void)
{
  g_autoptr (GRand) random = make_random (5);

  for (guint round = get_rounds (20000); round > 0; round--)
    {
      g_autoptr (GString) date = make_damaged (dates[round % G_N_ELEMENTS (dates)], random);
      g_autoptr (GString) time = make_damaged (times[round % G_N_ELEMENTS (times)], random);
      g_autoptr (GString) rule = make_damaged (rules[round % G_N_ELEMENTS (rules)], random);
      gint64 seconds = ear_date_parse (date->str);
      gint64 duration = ear_duration_parse (time->str);
      gint64 interval = ear_recurrence_parse (rule->str);

      /* The years 1 to 9999 */
      g_assert_true (seconds == EAR_DATE_UNKNOWN || (seconds > -G_GINT64_CONSTANT (62135596801) && seconds < G_GINT64_CONSTANT (1000000000000)));
      g_assert_true (duration >= 0 && duration <= (gint64) 1000 * 3600 * G_USEC_PER_SEC);
      g_assert_true (interval == 0 || interval >= 3600);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/fuzz/feed", test_feed);
  g_test_add_func ("/feed/fuzz/atom", test_atom);
  g_test_add_func ("/feed/fuzz/notes", test_notes);
  g_test_add_func ("/feed/fuzz/opml", test_opml);
  g_test_add_func ("/feed/fuzz/values", test_values);

  return g_test_run ();
}
