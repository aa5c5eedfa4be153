/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters.h"
#include "feed-reader.h"

#include <string.h>

/* Feeds built to be expensive. Each is generated while it is pushed, so that the measured
 * memory is the parser's. None may be slow, or need more and more memory. */

#define HEAD "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:psc=\"http://podlove.org/simple-chapters\" " \
             "xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"><channel><title>Hostile</title>"
#define LAST "<item><guid>last</guid></item></channel></rss>"

typedef struct
{
  guint n;
  char *last_guid;
  gsize longest; /* of all texts */
  guint most;    /* entries of the longest list */
} Seen;

static void
item_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  Seen *seen = user_data;
  const char *texts[] = { facts->guid, facts->title, facts->notes, facts->link, facts->subtitle };

  seen->n++;
  g_set_str (&seen->last_guid, facts->guid);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL)
      {
        g_assert_true (g_utf8_validate (texts[i], -1, NULL));
        seen->longest = MAX (seen->longest, strlen (texts[i]));
      }
  seen->most = MAX (seen->most, MAX (facts->enclosures->len, MAX (facts->chapters->len, facts->transcripts->len)));
}

/* Returns: the resident memory of this process, in bytes */
static gsize
get_memory (void)
{
  g_autofree char *contents = NULL;
  g_auto (GStrv) fields = NULL;

  if (!g_file_get_contents ("/proc/self/statm", &contents, NULL, NULL))
    return 0;
  fields = g_strsplit (contents, " ", 3);

  return g_ascii_strtoull (fields[1], NULL, 10) * 4096;
}

/* The address sanitizer quarantines freed memory. */
#ifdef __SANITIZE_ADDRESS__
#define ALLOWANCE ((gsize) 600 * 1024 * 1024)
#else
#define ALLOWANCE ((gsize) 24 * 1024 * 1024)
#endif

/* Pushes `before`, then `unit` repeatedly, then `after`. */
static EarFeedParser *
push_repeated (const char *before, const char *unit, gsize total, const char *after, Seen *seen)
{
  EarFeedParser *parser = ear_feed_parser_new ("https://example.org/", NULL, item_cb, seen);
  g_autoptr (GString) block = g_string_new (NULL);
  gsize memory = get_memory ();
  gsize most = memory;
  gboolean good;

  while (block->len < 64 * 1024)
    g_string_append (block, unit);
  g_test_timer_start ();
  good = ear_feed_parser_push (parser, (const guint8 *) before, strlen (before), NULL);
  for (gsize done = 0; done < total && good; done += block->len)
    {
      good = ear_feed_parser_push (parser, (const guint8 *) block->str, block->len, NULL);
      most = MAX (most, get_memory ());
    }
  if (good)
    ear_feed_parser_push (parser, (const guint8 *) after, strlen (after), NULL);
  ear_feed_parser_finish (parser, NULL);
  if (most - memory > ALLOWANCE)
    {
      g_test_message ("%.40s: grew by %zu bytes", unit, most - memory);
      g_test_fail ();
    }

  return parser;
}

static void
check (const char *before, const char *unit, gsize total, const char *after, double seconds, Seen *seen)
{
  g_autoptr (EarFeedParser) parser = push_repeated (before, unit, total, after, seen);

  g_assert_cmpstr (ear_feed_parser_get_podcast (parser)->title, ==, "Hostile");
  g_assert_false (ear_feed_parser_get_damaged (parser));
  g_assert_cmpstr (seen->last_guid, ==, "last");
  g_assert_cmpfloat (g_test_timer_elapsed (), <, seconds);
  g_clear_pointer (&seen->last_guid, g_free);
}

static void
test_long_text (void)
{
  static const char *const units[] = { "x", "wörd ", "&lt;", "&amp;&#x41;", "& ", "]]> ", "\360\237\230\200", "\303" };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      Seen seen = { 0 };

      check (HEAD "<item><description>", units[i], i == 0 ? 300 * 1000 * 1000 : 20 * 1000 * 1000, "</description></item>" LAST, 60, &seen);
      g_assert_cmpuint (seen.n, ==, 2);
      g_assert_cmpuint (seen.longest, <=, 2 * 1024 * 1024);
      g_assert_cmpuint (seen.longest, >, 1024 * 1024);
    }
}

static void
test_long_sections (void)
{
  Seen seen = { 0 };

  check (HEAD "<item><description><![CDATA[", "text ]] > <p>", 64 * 1000 * 1000, "]]></description></item>" LAST, 30, &seen);
  g_assert_cmpuint (seen.longest, <=, 2 * 1024 * 1024);
  check (HEAD "<!--", "comment - -- -> ", 64 * 1000 * 1000, "-->" LAST, 30, &seen);
  check (HEAD "<?x ", "instruction ", 64 * 1000 * 1000, "?>" LAST, 30, &seen);
  check (HEAD "<item><x y=\"", "attribute ", 20 * 1000 * 1000, "\" z='1'/></item>" LAST, 30, &seen);
  check (HEAD "<item><x", " a=\"b\"", 20 * 1000 * 1000, "/></item>" LAST, 30, &seen);
  check (HEAD "<item><", "name", 20 * 1000 * 1000, "/></item>" LAST, 30, &seen);
}

/* Tags of the maximum length that are not closed, pushed byte by byte: each byte must be
 * scanned once. Scanning the whole tag again for each byte would take 10^11 steps. */
static void
test_bytewise (void)
{
  static const struct
  {
    const char *open;
    const char *close;
  } tags[] = {
    { "<br a=\"", "\">" },       { "<br a='", "'>" },           { "<br ", "\"]>" }, { "</br ", "\"]>" },
    { "<!DOCTYPE [", "\"]>" },   { "<!DOCTYPE \"", "\"]>" },  { "<!--", "-->" },  { "<![CDATA[", "]]>" },
    { "<?", "\"]>" },            { "&", "\"]>" },
  };
  const gsize size = 150 * 1000;
  const guint rounds = 10;

  for (gsize i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      Seen seen = { 0 };
      g_autoptr (EarFeedParser) parser = ear_feed_parser_new ("https://example.org/", NULL, item_cb, &seen);
      g_autofree char *filling = g_strnfill (size, 'y');
      g_autofree char *unit = g_strconcat (tags[i].open, filling, tags[i].close, NULL);

      g_assert_true (ear_feed_parser_push (parser, (const guint8 *) HEAD, strlen (HEAD), NULL));
      for (guint round = 0; round < rounds; round++)
        for (const char *p = unit; *p != '\0'; p++)
          ear_feed_parser_push (parser, (const guint8 *) p, 1, NULL);
      ear_feed_parser_push (parser, (const guint8 *) LAST, strlen (LAST), NULL);
      g_assert_true (ear_feed_parser_finish (parser, NULL));
      g_assert_cmpstr (ear_feed_parser_get_podcast (parser)->title, ==, "Hostile");
      g_assert_cmpstr (seen.last_guid, ==, "last");
      g_free (seen.last_guid);
    }
}

/* Each element is compared with all namespaces declared around it. */
static void
test_namespaces (void)
{
  g_autoptr (GString) many = g_string_new (HEAD);
  g_autoptr (GString) ends = g_string_new (NULL);
  g_autofree char *words = g_strnfill (16000, 'X');
  g_autofree char *address = g_strdup_printf (HEAD "<item xmlns:l=\"http://%s\">", words);
  Seen seen = { 0 };

  for (guint i = 0; i < 190; i++)
    {
      g_string_append (many, "<x");
      for (guint j = 0; j < 100; j++)
        g_string_append_printf (many, " xmlns:p%u=\"y\"", j);
      g_string_append_c (many, '>');
      g_string_append (ends, "</x>");
    }
  g_string_append (ends, LAST);
  check (many->str, "<a/>", 4 * 1000 * 1000, ends->str, 60, &seen);
  check (address, "<l:a/>", 4 * 1000 * 1000, "</item>" LAST, 60, &seen);
}

static void
test_long_fields (void)
{
  static const char *const names[] = { "title", "guid", "link", "category", "pubDate", "author" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *before = g_strdup_printf (HEAD "<item><%s>", names[i]);
      g_autofree char *after = g_strdup_printf ("</%s></item>" LAST, names[i]);
      Seen seen = { 0 };

      check (before, "long ", 1000 * 1000, after, 10, &seen);
      g_assert_cmpuint (seen.longest, <=, 8192);
    }
}

static void
test_long_guids_differ (void)
{
  g_autofree char *one = g_strnfill (5000, 'a');
  g_autofree char *source = g_strdup_printf ("<rss><channel><item><guid>%s1</guid></item><item><guid>%s2</guid></item></channel></rss>", one, one);
  g_autofree char *dump = feed_reader_dump (source, strlen (source), 100, NULL);
  const char *first = strstr (dump, "0.guid=sha256:");
  const char *second = strstr (dump, "1.guid=sha256:");

  g_assert_nonnull (first);
  g_assert_nonnull (second);
  g_assert_cmpmem (first + 2, 30, first + 2, 30);
  g_assert_true (strncmp (first + 2, second + 2, 70) != 0);
}

static void
test_depth (void)
{
  Seen seen = { 0 };
  g_autoptr (EarFeedParser) parser = NULL;

  check (HEAD "<item><description>", "<b>", 6 * 1000 * 1000, "</description></item>" LAST, 20, &seen);
  check (HEAD, "<x></y>", 6 * 1000 * 1000, LAST, 20, &seen);
  check (HEAD, "</x>", 6 * 1000 * 1000, LAST, 20, &seen);
  /* Too deep to track, and never closed: the valid part before it is kept. */
  parser = push_repeated (HEAD "<item><guid>first</guid></item>", "<x>", 3 * 1000 * 1000, "", &seen);
  g_assert_cmpstr (seen.last_guid, ==, "first");
  g_assert_true (ear_feed_parser_get_damaged (parser));
  g_free (seen.last_guid);
}

static void
test_floods (void)
{
  Seen seen = { 0 };

  check (HEAD "<item>", "<enclosure url=\"https://example.org/1.mp3\"/>", 2 * 1000 * 1000, "</item>" LAST, 20, &seen);
  check (HEAD "<item><psc:chapters>", "<psc:chapter start=\"1\" title=\"x\"/>", 4 * 1000 * 1000, "</psc:chapters></item>" LAST, 20, &seen);
  g_assert_cmpuint (seen.most, <=, EAR_CHAPTERS_LIMIT);
  seen.most = 0;
  check (HEAD "<item>", "<podcast:transcript url=\"https://example.org/1.vtt\"/>", 2 * 1000 * 1000, "</item>" LAST, 20, &seen);
  check (HEAD, "<category>x</category>", 2 * 1000 * 1000, LAST, 20, &seen);
  check (HEAD, "<podcast:person>x</podcast:person>", 2 * 1000 * 1000, LAST, 20, &seen);
  check (HEAD, "<podcast:funding url=\"https://example.org/\">x</podcast:funding>", 2 * 1000 * 1000, LAST, 20, &seen);
  g_assert_cmpuint (seen.most, <=, 100);
}

/* Descriptions of decreasing length: measuring the longest again for each one would be
 * slow. */
static void
test_descriptions (void)
{
  static const char *const scopes[] = { HEAD "<item><description>", HEAD "<description>" };
  static const char *const ends[] = { "</item>" LAST, LAST };
  g_autofree char *words = g_strnfill (1900000, 'x');

  for (gsize i = 0; i < G_N_ELEMENTS (scopes); i++)
    {
      g_autofree char *start = g_strconcat (scopes[i], words, "</description>", NULL);
      Seen seen = { 0 };

      check (start, "<description>a</description>", 12 * 1000 * 1000, ends[i], 20, &seen);
    }
}

/* Different enclosures: comparing each with all others would be slow. */
static void
test_different_enclosures (void)
{
  g_autoptr (GString) source = g_string_new (HEAD "<item>");
  g_autofree char *dump = NULL;

  for (int i = 0; i < 20000; i++)
    g_string_append_printf (source, "<enclosure url=\"https://example.org/%d.mp3\"/><a%d/>", i, i);
  g_string_append (source, "</item>" LAST);
  dump = feed_reader_dump (source->str, source->len, 65536, NULL);
  g_assert_nonnull (strstr (dump, "1.guid=last\n"));
  g_assert_nonnull (strstr (dump, "/99.mp3|"));
  g_assert_null (strstr (dump, "/100.mp3|"));
}

/* Memory does not grow with the number of episodes, which is limited. */
static void
test_items (void)
{
  Seen seen = { 0 };
  g_autoptr (EarFeedParser) parser =
      push_repeated (HEAD, "<item><guid>1</guid><title>T</title><description>Some notes</description></item>\n", 20 * 1000 * 1000,
                     "</channel></rss>", &seen);

  g_assert_cmpuint (seen.n, ==, 200000);
  g_assert_cmpuint (ear_feed_parser_get_n_items (parser), ==, 200000);
  g_free (seen.last_guid);
}

static void
test_endless_prolog (void)
{
  static const char *const units[] = { " ", "x", "<b>", "\n<!-- -->", "&", "\xff" };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      Seen seen = { 0 };
      g_autoptr (EarFeedParser) parser = push_repeated (" ", units[i], 5 * 1000 * 1000, LAST, &seen);

      g_assert_cmpuint (seen.n, ==, 0);
    }
}

static void
test_entity_bombs (void)
{
  g_autoptr (GString) laughs = g_string_new ("<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a0 \"lol\">");
  g_autoptr (GString) quadratic = g_string_new ("<!DOCTYPE rss [<!ENTITY a \"");
  g_autofree char *dump = NULL;
  g_autofree char *dump_quadratic = NULL;

  for (int i = 1; i < 10; i++)
    g_string_append_printf (laughs, "<!ENTITY a%d \"&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;\">", i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
  g_string_append (laughs, "<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p; ]><rss><channel><title>&a9;</title>"
                           "<item><guid>&a9;</guid><enclosure url=\"https://example.org/&a9;\"/></item></channel></rss>");
  dump = feed_reader_dump (laughs->str, laughs->len, 1000, NULL);
  g_assert_cmpuint (strlen (dump), <, 10000);
  g_assert_null (strstr (dump, "root:"));
  g_assert_nonnull (strstr (dump, "items=1\n"));

  for (int i = 0; i < 1000; i++)
    g_string_append_c (quadratic, 'x');
  g_string_append (quadratic, "\">]>" HEAD "<item><guid>1</guid><description>");
  for (int i = 0; i < 200000; i++)
    g_string_append (quadratic, "&a;");
  g_string_append (quadratic, "</description></item>" LAST);
  dump_quadratic = feed_reader_dump (quadratic->str, quadratic->len, 65536, NULL);
  g_assert_cmpuint (strlen (dump_quadratic), <, 300000);
  g_assert_nonnull (strstr (dump_quadratic, "1.guid=last\n"));
}

/* Random pieces from a generator with a fixed seed */
static void
test_noise (void)
{
  static const char *const pieces[] = { "<item>", "</item>", "<title>", "</title>", "<![CDATA[", "]]>", "<!--", "-->", "&", ";", "<",
                                        ">", "\"", "'", "=", "&lt;", "<rss>", "</rss>", "<channel>", "<!DOCTYPE", "[", "]", "\xff",
                                        "\xc3", "\xa9", "\xef\xbb\xbf", "guid", "<guid>x</guid>", " ", "\n", "<?", "?>", "/", "x",
                                        "&#", "<a b=", "<enclosure url=\"https://example.org/1.mp3\"/>", "xmlns:a=\"b\"", "\xed\xa0\x80" };
  g_autoptr (GRand) random = g_rand_new_with_seed (20240804);

  for (int round = 0; round < 2000; round++)
    {
      g_autoptr (GString) source = g_string_new (round % 2 == 0 ? HEAD : "");
      g_autofree char *whole = NULL;
      g_autofree char *parts = NULL;

      for (int i = 0; i < 60; i++)
        g_string_append (source, pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
      whole = feed_reader_dump (source->str, source->len, source->len, NULL);
      parts = feed_reader_dump (source->str, source->len, 1 + round % 5, NULL);
      if (strcmp (whole, parts) != 0)
        {
          g_test_message ("%s\n-- whole%s-- in parts%s", source->str, whole, parts);
          g_test_fail ();
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/hostile/long-text", test_long_text);
  g_test_add_func ("/feed/hostile/long-sections", test_long_sections);
  g_test_add_func ("/feed/hostile/bytewise", test_bytewise);
  g_test_add_func ("/feed/hostile/namespaces", test_namespaces);
  g_test_add_func ("/feed/hostile/long-fields", test_long_fields);
  g_test_add_func ("/feed/hostile/long-guids-differ", test_long_guids_differ);
  g_test_add_func ("/feed/hostile/depth", test_depth);
  g_test_add_func ("/feed/hostile/floods", test_floods);
  g_test_add_func ("/feed/hostile/descriptions", test_descriptions);
  g_test_add_func ("/feed/hostile/different-enclosures", test_different_enclosures);
  g_test_add_func ("/feed/hostile/items", test_items);
  g_test_add_func ("/feed/hostile/endless-prolog", test_endless_prolog);
  g_test_add_func ("/feed/hostile/entity-bombs", test_entity_bombs);
  g_test_add_func ("/feed/hostile/noise", test_noise);

  return g_test_run ();
}
