/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-parser.h"

#include <time.h>

/*
 * How fast feeds are parsed: bench-feed [FILE...]; without a file one is made up. Each is
 * pushed in chunks of 16 KiB until 200 MB have gone through. Measured is the processor's time.
 */

#define TARGET (200 * 1000 * 1000)

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
measure (const char *name, GBytes *bytes)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  guint rounds = MAX (1, TARGET / length);
  guint items = 0;
  clock_t start = clock ();
  double seconds;

  for (guint i = 0; i < rounds; i++)
    {
      g_autoptr (EarFeedParser) parser = ear_feed_parser_new ("https://example.org/feed", NULL, count_cb, &items);

      for (gsize at = 0; at < length; at += 16384)
        if (!ear_feed_parser_push (parser, data + at, MIN (16384, length - at), NULL))
          break;
      ear_feed_parser_finish (parser, NULL);
    }
  seconds = (clock () - start) / (double) CLOCKS_PER_SEC;
  g_print ("%s: %.0f MB/s, %u items of %.1f kB, %.1f us each\n", name, rounds * length / seconds / 1e6, items / rounds,
           length / 1e3 / MAX (1, items / rounds), seconds * 1e6 / MAX (1, items));
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
