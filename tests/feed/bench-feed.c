/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-parser.h"

#include <libxml/parser.h>
#include <string.h>
#include <time.h>

/* Measures the speed of the feed parser: bench-feed [FILE...]; without a file it
 * generates one. Each feed is pushed in chunks of 16 KiB until 200 MB have been parsed,
 * and then once more through libxml2 alone, as the lower bound. Measures CPU time. */

#define TARGET (200 * 1000 * 1000)
#define CHUNK 16384

static void
count_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  *(guint *) user_data += 1;
}

static GBytes *
make_feed (void)
{
  GString *feed = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" "
                                "xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" "
                                "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><title>Bench</title>\n");

  for (int i = 0; i < 2000; i++)
    {
      g_string_append_printf (feed, "<item>\n  <guid isPermaLink=\"false\">bench-%d</guid>\n  <title>Episode %d &amp; more</title>\n"
                              "  <pubDate>Sun, 4 Aug 2024 01:47:46 +0000</pubDate>\n  <link>https://example.org/%d</link>\n"
                              "  <enclosure length=\"15898472\" type=\"audio/mpeg\" url=\"https://example.org/%d.mp3?a=1&amp;b=2\"/>\n"
                              "  <itunes:duration>00:16:33</itunes:duration>\n  <itunes:episode>%d</itunes:episode>\n  <description>",
                              i, i, i, i, i);
      for (int j = 0; j < 6; j++)
        g_string_append (feed, "&lt;p&gt;An ordinary sentence of ordinary notes, with a link: "
                               "&lt;a href=\"https://example.org/\"&gt;here&lt;/a&gt;.&lt;/p&gt;\n");
      g_string_append (feed, "</description>\n  <content:encoded><![CDATA[");
      for (int j = 0; j < 6; j++)
        g_string_append (feed, "<p>An ordinary sentence of ordinary notes, with a link: <a href=\"https://example.org/\">here</a>.</p>\n");
      g_string_append (feed, "]]></content:encoded>\n</item>\n");
    }
  g_string_append (feed, "</channel></rss>\n");

  return g_string_free_to_bytes (feed);
}

static void
parse (const guint8 *data, gsize length, gpointer user_data)
{
  g_autoptr (EarFeedParser) parser = ear_feed_parser_new ("https://example.org/feed", NULL, count_cb, user_data);

  for (gsize at = 0; at < length; at += CHUNK)
    if (!ear_feed_parser_push (parser, data + at, MIN (CHUNK, length - at), NULL))
      break;
  ear_feed_parser_finish (parser, NULL);
}

static void
start_element_cb (void *user_data, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                  int n_spaces, const xmlChar **spaces, int n_attributes, int n_defaulted, const xmlChar **values)
{
  *(guint *) user_data += strcmp ((const char *) name, "item") == 0;
}

static void
characters_cb (void *user_data, const xmlChar *text, int length)
{
}

static void
read_bare (const guint8 *data, gsize length, gpointer user_data)
{
  xmlSAXHandler handler = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = start_element_cb,
    .characters = characters_cb,
    .cdataBlock = characters_cb,
  };
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt (&handler, user_data, NULL, 0, NULL);

  xmlCtxtUseOptions (parser, XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  for (gsize at = 0; at < length; at += CHUNK)
    xmlParseChunk (parser, (const char *) data + at, (int) MIN (CHUNK, length - at), 0);
  xmlParseChunk (parser, "", 0, 1);
  xmlFreeParserCtxt (parser);
}

static double
run (void (*func) (const guint8 *, gsize, gpointer), const guint8 *data, gsize length, guint rounds, guint *items)
{
  clock_t start = clock ();

  for (guint i = 0; i < rounds; i++)
    func (data, length, items);

  return (clock () - start) / (double) CLOCKS_PER_SEC;
}

static void
measure (const char *name, GBytes *bytes)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  guint rounds = MAX (1, TARGET / length);
  double megabytes = rounds * (double) length / 1e6;
  guint items = 0;
  guint floor_items = 0;
  double floor = run (read_bare, data, length, rounds, &floor_items);
  double seconds = run (parse, data, length, rounds, &items);

  g_print ("%s: %.0f MB/s, libxml2 alone %.0f MB/s: %.2f of it; %u items of %.1f kB, %.1f us each\n", name, megabytes / seconds,
           megabytes / floor, floor / seconds, items / rounds, length / 1e3 / MAX (1, items / rounds), seconds * 1e6 / MAX (1, items));
}

int
main (int argc, char *argv[])
{
  g_autoptr (GBytes) made = make_feed ();

  measure ("made up", made);
  for (int i = 1; i < argc; i++)
    {
      g_autofree char *contents = NULL;
      gsize length;

      if (g_file_get_contents (argv[i], &contents, &length, NULL) && length > 0)
        {
          g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&contents), length);

          measure (argv[i], bytes);
        }
    }

  return 0;
}
