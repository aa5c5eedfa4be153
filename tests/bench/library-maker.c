/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>

#include "ear-test-made.h"

/* library-maker FOLDER FEEDS EPISODES [MORE]: writes feed-001.xml and so on with that
 * many episodes each, and a cover for each. The same numbers always give the same
 * bytes. With MORE, every tenth feed has that many newer episodes on top, and the rest
 * of it is unchanged.
 *
 * An episode takes about 3.3 kB, like real ones: the notes once as plain text, cut
 * short, and once as HTML with links. Words follow Zipf's law, so that some are in
 * every episode and some in one of a thousand; the common ones are listed, the rest are
 * made of syllables. */

#define N_WORDS 30000
#define NEWEST 1772344800 /* 1 March 2026, 6:00 UTC */
#define COVER_SIZE 1400
#define N_TINTS 6

static const char *const common[] = {
  "the", "and", "of", "to", "in", "that", "episode", "with", "for", "this", "we", "about", "on", "our", "how",
  "from", "podcast", "week", "music", "history", "people", "science", "talk", "story", "today", "world", "new",
  "guest", "interview", "listener", "question", "answer", "garden", "river", "tensor", "kernel", "compiler",
  "window", "letter", "matrix", "gradient", "museum", "harbour", "lantern", "orchard", "telescope",
};
static const char *const syllables[] = {
  "ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "wa", "xe", "yi", "zo",
  "bra", "cle", "dri", "flo", "gru", "pla", "sta", "tre", "ver", "win", "lan", "mer", "nor",
};

typedef struct
{
  GRand *rand;
  char *words[N_WORDS];
  guint16 ranks[65536]; /* a word for each interval of the distribution */
} Language;

static void
language_init (Language *self, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  double sum = 0, all = 0;
  guint next = 0;

  for (guint i = 0; i < N_WORDS; i++)
    all += 1.0 / (i + 8.0);
  for (guint i = 0; i < N_WORDS; i++)
    {
      GString *word = g_string_new (i < G_N_ELEMENTS (common) ? common[i] : NULL);

      for (guint left = word->len > 0 ? 0 : 2 + i % 3; left > 0; left--)
        g_string_append (word, syllables[g_rand_int_range (rand, 0, G_N_ELEMENTS (syllables))]);
      self->words[i] = g_string_free (word, FALSE);
      sum += 1.0 / (i + 8.0);
      while (next < G_N_ELEMENTS (self->ranks) && next < sum / all * G_N_ELEMENTS (self->ranks))
        self->ranks[next++] = i;
    }
  while (next < G_N_ELEMENTS (self->ranks))
    self->ranks[next++] = g_rand_int_range (rand, N_WORDS / 2, N_WORDS);
  self->rand = g_rand_new_with_seed (seed);
}

static void
language_clear (Language *self)
{
  for (guint i = 0; i < N_WORDS; i++)
    g_free (self->words[i]);
  g_rand_free (self->rand);
}

static const char *
pick_word (Language *self)
{
  return self->words[self->ranks[g_rand_int (self->rand) & 0xffff]];
}

static void
append_words (Language *self, GString *text, guint n_words, const char *end)
{
  for (guint i = 0; i < n_words; i++)
    {
      const char *word = pick_word (self);

      if (i == 0)
        g_string_append_c (text, g_ascii_toupper (*word++));
      g_string_append (text, word);
      g_string_append (text, i + 1 < n_words ? (i % 9 == 8 ? ", " : " ") : end);
    }
}

static void
append_paragraph (Language *self, GString *text, guint n_sentences)
{
  for (guint i = 0; i < n_sentences; i++)
    append_words (self, text, (guint) g_rand_int_range (self->rand, 8, 18), ". ");
}

static void
append_notes (Language *self, GString *feed, guint podcast, guint number)
{
  const guint n_links = (guint) g_rand_int_range (self->rand, 1, 8);

  for (guint i = 0; i < 3; i++)
    {
      g_string_append (feed, "<p>");
      append_paragraph (self, feed, (guint) g_rand_int_range (self->rand, 3, 8));
      g_string_append (feed, "</p>\n");
    }
  g_string_append (feed, "<p><strong>Further reading</strong></p>\n<ul>\n");
  for (guint i = 0; i < n_links; i++)
    {
      g_string_append_printf (feed, "<li><a href=\"https://example.org/%03u/%u/%08x?utm_source=podcast&amp;utm_medium=feed\">", podcast,
                              number, g_rand_int (self->rand));
      append_words (self, feed, 5, "</a></li>\n");
    }
  g_string_append (feed, "</ul>\n");
}

static void
append_date (GString *feed, gint64 seconds)
{
  static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
  static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (seconds);

  g_string_append_printf (feed, "<pubDate>%s, %02d %s %d %02d:%02d:%02d +0000</pubDate>\n",
                          days[g_date_time_get_day_of_week (date) - 1], g_date_time_get_day_of_month (date),
                          months[g_date_time_get_month (date) - 1], g_date_time_get_year (date), g_date_time_get_hour (date),
                          g_date_time_get_minute (date), g_date_time_get_second (date));
}

/* Episodes are numbered from the oldest, and each has a generator of its own: its text
 * does not depend on newer ones. */
static void
append_item (Language *self, GString *feed, guint podcast, guint number, guint n_episodes)
{
  /* Each podcast has its own schedule. */
  const gint64 rhythm = (gint64) (1 + podcast % 9) * 86400;
  const gint64 time = NEWEST + ((gint64) number - n_episodes) * rhythm - (gint64) podcast * 977;
  g_autoptr (GString) title = g_string_new (NULL);
  guint text_length;

  g_rand_set_seed (self->rand, podcast * 100003 + number);
  append_words (self, title, (guint) g_rand_int_range (self->rand, 3, 9), "");
  g_string_append_printf (feed, "<item>\n<title>%u: %s</title>\n<itunes:title>%s</itunes:title>\n", number, title->str, title->str);
  g_string_append_printf (feed, "<guid isPermaLink=\"false\">%08x-%04x-4000-8000-%012x</guid>\n", g_rand_int (self->rand), podcast, number);
  append_date (feed, time);
  g_string_append_printf (feed, "<link>https://example.org/%03u/episodes/%u</link>\n<itunes:author>Host Number %u</itunes:author>\n", podcast,
                          number, podcast);
  g_string_append_printf (feed, "<itunes:duration>%02u:%02u:%02u</itunes:duration>\n<itunes:episode>%u</itunes:episode>\n",
                          number % 3, number * 7 % 60, number * 13 % 60, number);
  g_string_append (feed, "<itunes:episodeType>full</itunes:episodeType>\n<itunes:explicit>false</itunes:explicit>\n");
  g_string_append_printf (feed, "<enclosure url=\"https://media.example.org/%03u/%u.mp3?source=feed\" length=\"%u\" type=\"audio/mpeg\"/>\n",
                          podcast, number, 9000000 + number * 4001);
  g_string_append (feed, "<description>");
  text_length = feed->len;
  append_paragraph (self, feed, 5);
  if (feed->len - text_length > 500)
    g_string_truncate (feed, text_length + 500);
  g_string_append (feed, "</description>\n<content:encoded><![CDATA[");
  append_notes (self, feed, podcast, number);
  /* A word that is in no other episode, and has a common beginning. */
  if (number == 1)
    g_string_append_printf (feed, "<p>Once lantern%03u.</p>", podcast);
  g_string_append (feed, "]]></content:encoded>\n</item>\n");
}

static void
append_head (Language *self, GString *feed, guint podcast)
{
  g_rand_set_seed (self->rand, podcast);
  g_string_append (feed, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\""
                         " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
                         " xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">\n<channel>\n<title>");
  append_words (self, feed, 2 + podcast % 3, "");
  g_string_append_printf (feed, " %u</title>\n<link>https://example.org/%03u</link>\n<language>en</language>\n<description>", podcast, podcast);
  append_paragraph (self, feed, 4);
  g_string_append_printf (feed, "</description>\n<itunes:author>Host Number %u</itunes:author>\n<itunes:type>episodic</itunes:type>\n"
                                "<itunes:image href=\"cover-%03u.png\"/>\n<itunes:category text=\"Education\"/>\n",
                          podcast, podcast);
}

static void
write_feed (Language *self, const char *folder, guint podcast, guint n_episodes, guint n_more)
{
  g_autofree char *name = g_strdup_printf ("feed-%03u.xml", podcast);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GString) feed = g_string_sized_new (4000 * (gsize) (n_episodes + n_more));
  g_autoptr (GError) error = NULL;

  append_head (self, feed, podcast);
  for (guint number = n_episodes + n_more; number > 0; number--)
    append_item (self, feed, podcast, number, n_episodes);
  g_string_append (feed, "</channel>\n</rss>\n");
  if (!g_file_set_contents (path, feed->str, (gssize) feed->len, &error))
    g_error ("%s", error->message);
}

static void
write_covers (const char *folder, guint n_feeds)
{
  for (guint tint = 0; tint < N_TINTS; tint++)
    {
      g_autoptr (GBytes) picture = ear_test_made_picture (COVER_SIZE, tint);

      for (guint i = tint + 1; i <= n_feeds; i += N_TINTS)
        {
          g_autofree char *name = g_strdup_printf ("cover-%03u.png", i);
          g_autofree char *path = g_build_filename (folder, name, NULL);
          g_autoptr (GError) error = NULL;

          if (!g_file_set_contents (path, g_bytes_get_data (picture, NULL), (gssize) g_bytes_get_size (picture), &error))
            g_error ("%s", error->message);
        }
    }
}

int
main (int argc, char *argv[])
{
  Language language = { 0 };
  guint n_feeds, n_episodes, n_more;

  if (argc < 4)
    {
      g_printerr ("usage: library-maker FOLDER FEEDS EPISODES [MORE]\n");
      return 2;
    }
  n_feeds = (guint) atoi (argv[2]);
  n_episodes = (guint) atoi (argv[3]);
  n_more = argc > 4 ? (guint) atoi (argv[4]) : 0;
  if (g_mkdir_with_parents (argv[1], 0755) != 0)
    g_error ("%s: %s", argv[1], g_strerror (errno));

  language_init (&language, 0);
  for (guint podcast = 1; podcast <= n_feeds; podcast++)
    if (n_more == 0 || podcast % 10 == 0)
      write_feed (&language, argv[1], podcast, n_episodes, n_more);
  if (n_more == 0)
    write_covers (argv[1], n_feeds);
  language_clear (&language);

  return 0;
}
