/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

/* Damages valid input at random, for a few seconds and always the same way.
 * EARMARK_FUZZ=N multiplies the rounds, EARMARK_FUZZ_SEED=N changes the seed. With
 * sanitizers, each round also checks memory. */

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

/* The first byte selects a target. */
static const char *const transcripts[] = {
  "0WEBVTT\n\nNOTE n\n\n1\n00:01.000 --> 00:02.500 align:left\n<v.loud Ann Lamp>Good <i>evening</i>. A &amp; b</v> <v Bob>Yes.\n\n00:03.000 --> 00:04.000\nNo\n",
  "11\n00:00:01,000 --> 00:00:02,000\nAnn: {\\an8}<i>Good</i>\n\n2\n0:00:03,0 --> 0:00:04\nevening.\n",
  "2{\"version\":\"1.0.0\",\"segments\":[{\"speaker\":\"Ann\",\"startTime\":0.5,\"endTime\":1,\"body\":\"Good\"},{\"startTime\":\"1.5\",\"body\":\"evening.\"}]}",
  "3<html><head><title>T</title></head><body><cite>Ann:</cite><time>0:01</time><p>Good &amp; well.<br>Yes</p><p>Bob: No… (“Dr. No”)</p></body>",
  "4Ann Lamp  0:01\nGood evening.\n\n[00:00:05] Bob: Well... Dr. No?\n",
};

static const char *const chapters[] = {
  "0{\"version\":\"1.2.0\",\"chapters\":[{\"startTime\":0,\"title\":\"A\",\"img\":\"/a.png\"},{\"startTime\":\"1:02.5\",\"url\":\"https://example.org/\",\"toc\":false}]}",
  "0[{\"startTime\":NaN,\"endTime\":-Infinity},{\"startTime\":1,\"endTime\":2.5,\"title\":\"\\\"NaN,]\"},{\"startTime\":3,\"toc\":false},]",
  "4CHAPTER001=00:01:02.500\nCHAPTER001NAME=First\nCHAPTER002=0:02:00-->0:03:00\nCHAPTER002URL=https://example.org/\n",
};

static const char *const values[] = {
  "Sun, 04 Aug 2024 01:47:46 +0000", "2024-08-04T01:47:46.123+02:00", "4 août 2024, 10:00 p.m. (CEST)", "1722736066",
  "2024년 8월 4일 오후 1:47", "20240804T014746Z", "Sonntag, 4. Mär 24 24:00", "5 Aug 2024 20h19 America/Los_Angeles",
  "Mon, 5 Aug 2024 20:19:00:000 EST5EDT (PDT)", "1:02:03.5", "PT1H2M3S", "62 min, 3 s", "3723", "99:59", "1h2m", "1 h and 2'30\"",
  "P1DT2H", "1.02.03", "12:45:00 AM", "1時間2分", "FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2", "RRULE:FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=1",
};

/* Pieces likely to confuse the readers */
static const char *const pieces[] = {
  "<", ">", "</", "/>", "&", ";", "&#", "&#x", "\"", "'", "=", "<![CDATA[", "]]>", "<!--", "-->", "<?", "<!DOCTYPE", "<item>", "</item>", "</channel>",
  "<rss>", "</rss>", "<title>", "</title>", "<a href=", "</a>", "<table>", "<td>", "<pre>", "<script>", "<p/>", "<b hidden>", "style='display:none'", "xmlns=\"", "xml:base=\"", "://", "http://",
  "javascript:", "\xff", "\xc3", "\xed\xa0\xbd", "\xef\xbb\xbf", "\xe2\x80\xae", "\xf4\x90\x80\x80", "\n", "\t", "-", "+", ":", ".", ",", "0", "9", "99999999999999999999",
};

#define STAMP "\"updated\": \"2026-11-21T01:00:00.000000Z\""

static const struct
{
  EarFuzzFunc target;
  const char *good;
} typed[] = {
  { ear_fuzz_search, "podcast:\"lighthouse hour\" fog longer:1h30m shorter:1.5 is:new after:2023-05 before:2024/05/03 in:“light”" },
  { ear_fuzz_search, "longer:99999999999999999999s shorter:2e4 before:1970 is:unpl :is torch::Tensor" },
  { ear_fuzz_input, "feed://user:p%40ss@example.org:8443/f?x=1#y" },
  { ear_fuzz_input, "https://podcasts.apple.com/us/podcast/name/id1234567890?i=1" },
  { ear_fuzz_input, "file:///tmp/a%20b.opml" },
  { ear_fuzz_command, "--seek\n+1:02:03" },
  { ear_fuzz_command, "--speed\n1,25\n--json\n--" },
  { ear_fuzz_command, "feed:https://example.org/f\nexample.org\n--sleep\n30" },
  { ear_fuzz_headers, "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 100-199/200\r\nETag: \"a\"\r\nLast-Modified: Sun, 04 Aug 2024 01:47:46 GMT\r\n"
                      "Content-Type: audio/mpeg; charset=\"koi8-r\"\r\nLocation: //user:p@other.example:80/a?b#c\r\nRetry-After: 120\r\n\r\n<html>" },
  { ear_fuzz_references, "12\tThe Lighthouse Keeper\thttps://example.org/lighthouse-a1b2c3d4\n12.5\t“Fog” & more\thttps://example.org/?p=7\n\n"
                         "<p>Listen to episode 13 first, then “The Lighthouse Keeper” <a href=\"/lighthouse\">part one</a> and #12, #12.5." },
  { ear_fuzz_state, "{\"version\": 1, \"kind\": \"podcast\", \"addresses\": [\"https://example.org/\"], \"settings\": {\"speed\": {\"value\": 1.5, " STAMP "}},"
                    " \"episodes\": {\"g1\": {\"aliases\": [\"g0\"], \"title\": \"\\u05d0 \\\"one\\\"\", \"position\": {\"value\": 12.345, " STAMP "},"
                    " \"listened\": {\"value\": true, " STAMP "}}, \"g2\": {\"liked\": {\"value\": false, " STAMP "}}}}" },
  { ear_fuzz_chapters, "50:00 Hello\n01:30 - The middle\n20:00: Colon\n<li>[<a href='/x'>1:02:03</a>] The end\n" },
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

static void
give_damaged (EarFuzzFunc target, const char *good, guint rounds, guint32 seed)
{
  g_autoptr (GRand) random = make_random (seed);

  for (guint round = get_rounds (rounds); round > 0; round--)
    {
      g_autoptr (GString) text = make_damaged (good, random);

      target ((const guint8 *) text->str, text->len);
    }
}

static void
test_feed (void)
{
  give_damaged (ear_fuzz_feed, feed, 1500, 1);
}

static void
test_atom (void)
{
  give_damaged (ear_fuzz_feed, atom, 1500, 2);
}

static void
test_notes (void)
{
  give_damaged (ear_fuzz_notes, notes, 4000, 3);
}

static void
test_opml (void)
{
  give_damaged (ear_fuzz_opml, opml, 3000, 4);
}

static void
test_transcript (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transcripts); i++)
    give_damaged (ear_fuzz_transcript, transcripts[i], 2000, 40 + i);
}

static void
test_chapters (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (chapters); i++)
    give_damaged (ear_fuzz_chapters, chapters[i], 2000, 60 + i);
}

static void
test_values (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    give_damaged (ear_fuzz_values, values[i], 3000, 5 + i);
}

/* Files on disk are damaged the same way as external data. */
static void
test_files (gconstpointer data)
{
  const char *name = data;
  const EarFuzzFunc target = g_str_equal (name, "records")     ? ear_fuzz_records
                             : g_str_equal (name, "copies")    ? ear_fuzz_copies
                             : g_str_equal (name, "downloads") ? ear_fuzz_downloads
                             : g_str_equal (name, "settings")  ? ear_fuzz_settings
                             : g_str_equal (name, "facts")     ? ear_fuzz_facts
                                                               : ear_fuzz_salvage;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fuzz", "seeds", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  const char *seed;

  g_assert_no_error (error);
  while ((seed = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, seed, NULL);
      g_autofree char *content = NULL;

      g_assert_true (g_file_get_contents (file, &content, NULL, NULL));
      give_damaged (target, content, 60, 80);
    }
}

static void
test_typed (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    give_damaged (typed[i].target, typed[i].good, 1500, 100 + i);
}

int
main (int argc, char *argv[])
{
  static const char *const files[] = { "records", "copies", "downloads", "settings", "facts", "salvage" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/fuzz/feed", test_feed);
  g_test_add_func ("/feed/fuzz/atom", test_atom);
  g_test_add_func ("/feed/fuzz/notes", test_notes);
  g_test_add_func ("/feed/fuzz/opml", test_opml);
  g_test_add_func ("/feed/fuzz/transcript", test_transcript);
  g_test_add_func ("/feed/fuzz/chapters", test_chapters);
  g_test_add_func ("/feed/fuzz/values", test_values);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat ("/files/fuzz/", files[i], NULL);

      g_test_add_data_func (path, files[i], test_files);
    }
  g_test_add_func ("/feed/fuzz/typed", test_typed);

  return g_test_run ();
}
