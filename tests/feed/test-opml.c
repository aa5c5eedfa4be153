/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-date.h"
#include "ear-error.h"
#include "ear-opml.h"
#include "ear-time.h"

#include <string.h>

static char *
dump (const char *source, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (source, length);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_opml_parse (bytes, &error);
  g_autoptr (GString) lines = g_string_new (NULL);

  if (outlines == NULL)
    return g_strdup_printf ("error %d\n", error->domain == EAR_ERROR ? error->code : -1);
  for (guint i = 0; i < outlines->len; i++)
    {
      EarListedPodcast *outline = g_ptr_array_index (outlines, i);

      g_string_append_printf (lines, "%s|%s|%s|%s\n", outline->address != NULL ? outline->address : "", outline->title != NULL ? outline->title : "",
                              outline->link != NULL ? outline->link : "", outline->folder != NULL ? outline->folder : "");
    }

  return g_string_free (g_steal_pointer (&lines), FALSE);
}

static void
test_parse (void)
{
  static const struct
  {
    const char *source;
    const char *expected;
  } cases[] = {
    { "<opml version=\"2.0\"><head><title>x</title></head><body><outline text=\"A &amp; B\" type=\"rss\" "
      "xmlUrl=\"https://example.org/a\" htmlUrl=\"https://example.org/\"/></body></opml>",
      "https://example.org/a|A & B|https://example.org/|\n" },
    { "<opml><body><outline text=\"Text\" title=\"Title\" xmlUrl=\"https://example.org/a\"/></body></opml>", "https://example.org/a|Title||\n" },
    { "<opml><body><outline url=\"https://example.org/a\"/></body></opml>", "https://example.org/a|||\n" },
    { "<OPML><BODY><OUTLINE XMLURL=\"feed://example.org/a\"/></BODY></OPML>", "https://example.org/a|||\n" },
    { "<opml><body><outline text=\"News\"><outline text=\"Local\"><outline text=\"A\" xmlUrl=\"https://example.org/a\"/></outline>"
      "<outline text=\"B\" xmlUrl=\"https://example.org/b\"/></outline><outline text=\"C\" xmlUrl=\"https://example.org/c\"/></body></opml>",
      "https://example.org/a|A||News/Local\nhttps://example.org/b|B||News\nhttps://example.org/c|C||\n" },
    { "<opml><body><outline xmlUrl=\"https://example.org/a\" text=\"1\"/><outline xmlUrl=\"https://example.org/a\" text=\"2\"/></body></opml>",
      "https://example.org/a|1||\n" },
    { "<opml><body><outline xmlUrl=\"file:///etc/passwd\"/><outline xmlUrl=\"javascript:x\"/><outline xmlUrl=\"\"/><outline text=\"x\"/></body></opml>", "" },
    { "\357\273\277 <?xml version=\"1.0\"?>\n<opml><body><outline text=\"Tom & <Jerry>\" xmlUrl=https://example.org/a?x=1&y=2></body>",
      "https://example.org/a?x=1&y=2|Tom & <Jerry>||\n" },
    { "<?xml version=\"1.0\" encoding=\"utf-8\"?><opml><body><outline text=\"Caf\351\" xmlUrl=\"https://example.org/a\"/></body></opml>",
      "https://example.org/a|Café||\n" },
    /* Episodes and links in a list are not podcasts. */
    { "<opml><body><outline type=\"rss\" xmlUrl=\"https://example.org/a\"><outline type=\"podcast-episode\" url=\"https://example.org/1\""
      " enclosureUrl=\"https://example.org/1.mp3\"/><outline url=\"https://example.org/2\"/></outline><outline type=\"podcast-episode\""
      " xmlUrl=\"https://example.org/3\"/><outline type=\"link\" url=\"https://example.org/4\"/><outline type=\"Include\""
      " url=\"https://example.org/5.opml\"/><outline type=\"podcast-playlist\" title=\"x\" url=\"https://example.org/6\"/>"
      "<outline enclosureUrl=\"https://example.org/7.mp3\" url=\"https://example.org/7\"/><outline url=\"https://example.org/b\"/></body></opml>",
      "https://example.org/a|||\nhttps://example.org/b|||\n" },
    /* A podcast that is none of the web is kept by title, to be reported. */
    { "<opml><body><outline text=\"Mine\" xmlUrl=\"antennapod_local:content://x\"/><outline text=\"A\" xmlUrl=\"https://example.org/a\"/>"
      "</body></opml>", "|Mine||\nhttps://example.org/a|A||\n" },
    { "<opml><body><outline text=\"Mine\" xmlUrl=\"antennapod_local:content://x\"><outline url=\"https://example.org/a\"/></outline>"
      "</body></opml>", "|Mine||\nhttps://example.org/a|||\n" },
    /* Pocket Casts and Overcast: "feeds" is no folder, except within one. */
    { "<opml version='1.0'><head><title>Pocket Casts Feeds</title></head><body><outline text=\"feeds\"><outline type=\"rss\" text=\"A\""
      " xmlUrl=\"https://example.org/a\" /><outline text=\"More\"><outline text=\"feeds\"><outline xmlUrl=\"https://example.org/b\"/></outline>"
      "</outline></outline></body></opml>", "https://example.org/a|A||\nhttps://example.org/b|||More/feeds\n" },
    /* Castro and Apple */
    { "<opml version=\"1.0\"><head><title>Castro Podcasts</title></head><body><outline type=\"rss\" text=\"A\" title=\"A\""
      " xmlUrl=\"https://example.org/a\"/><outline text=\"B\" type=\"rss\" xmlUrl=\"https://example.org/b\" htmlUrl=\"https://example.org/\"/>"
      "</body></opml>", "https://example.org/a|A||\nhttps://example.org/b|B|https://example.org/|\n" },
    { "<opml><body/></opml>", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *lines = dump (cases[i].source, strlen (cases[i].source));

      g_assert_cmpstr (lines, ==, cases[i].expected);
    }
}

/* Overcast exports played episodes within their podcast. */
static void
test_episodes (void)
{
  const char source[] =
    "<opml><body><outline text='feeds'><outline type='rss' xmlUrl='https://example.org/a' subscribed='1'>"
    "<outline type='podcast-episode' title='One' enclosureUrl='https://example.org/1.mp3' played='1' progress='9'"
    " userUpdatedDate='2020-01-02T03:04:05-01:00'/>"
    "<outline type='podcast-episode' enclosureUrl='https://example.org/2.mp3' progress='410'/>"
    "<outline type='podcast-episode' enclosureUrl='https://example.org/3.mp3' progress='0' played='0'/>"
    "<outline type='podcast-episode' enclosureUrl='https://example.org/4.mp3' progress='nan'/>"
    "<outline type='podcast-episode' enclosureUrl='https://example.org/5.mp3' progress='1e300'/>"
    "<outline type='podcast-episode' enclosureUrl='file:///etc/passwd' played='1'/>"
    "<outline type='podcast-episode' enclosureUrl='https://example.org/7.mp3' userRecommendedDate='2020-01-02T04:04:05Z'/>"
    "</outline><outline type='rss' text='Heard once' xmlUrl='https://example.org/b' subscribed='0'/></outline><outline type='podcast-episode' enclosureUrl='https://example.org/6.mp3' played='1'/></body></opml>";
  g_autoptr (GBytes) bytes = g_bytes_new_static (source, sizeof source - 1);
  g_autoptr (GPtrArray) outlines = ear_opml_parse (bytes, NULL);
  const EarListedPodcast *outline;
  const EarListedEpisode *episode;

  g_assert_cmpuint (outlines->len, ==, 2);
  g_assert_false (ear_listed_podcast_can_follow (g_ptr_array_index (outlines, 1)));
  outline = g_ptr_array_index (outlines, 0);
  g_assert_true (ear_listed_podcast_can_follow (outline));
  g_assert_cmpuint (outline->episodes->len, ==, 3);
  episode = g_ptr_array_index (outline->episodes, 0);
  g_assert_true (episode->state.listened);
  g_assert_cmpstr (episode->title, ==, "One");
  g_assert_cmpint (episode->state.position, ==, 0);
  g_assert_cmpint (episode->state.listened_updated, ==, 1577937845 * G_TIME_SPAN_SECOND);
  episode = g_ptr_array_index (outline->episodes, 1);
  g_assert_false (episode->state.listened);
  g_assert_cmpstr (episode->enclosure, ==, "https://example.org/2.mp3");
  g_assert_cmpint (episode->state.position, ==, 410 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (episode->state.position_updated, ==, EAR_STAMP_OLDEST);
  episode = g_ptr_array_index (outline->episodes, 2);
  g_assert_true (episode->state.liked);
  g_assert_cmpint (episode->state.liked_updated, ==, 1577937845 * G_TIME_SPAN_SECOND);
}

/* Duplicates are counted, so that the import can report them. */
static void
test_repeated (void)
{
  const char source[] = "<opml><body><outline xmlUrl='https://example.org/a'/><outline xmlUrl='https://example.org/b'/>"
                        "<outline text='folder'><outline xmlUrl='https://example.org/a'/></outline>"
                        "<outline xmlUrl='https://example.org/a'/></body></opml>";
  g_autoptr (GBytes) bytes = g_bytes_new_static (source, sizeof source - 1);
  g_autoptr (GPtrArray) outlines = ear_opml_parse (bytes, NULL);

  g_assert_cmpuint (outlines->len, ==, 2);
  g_assert_cmpuint (((EarListedPodcast *) g_ptr_array_index (outlines, 0))->n_repeated, ==, 2);
  g_assert_cmpuint (((EarListedPodcast *) g_ptr_array_index (outlines, 1))->n_repeated, ==, 0);
}

static void
check_error (const char *source, EarError code)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (source, strlen (source));
  g_autoptr (GError) error = NULL;

  g_assert_null (ear_opml_parse (bytes, &error));
  g_assert_error (error, EAR_ERROR, (int) code);
}

static void
test_errors (void)
{
  check_error ("", EAR_ERROR_NOT_XML);
  check_error ("text", EAR_ERROR_NOT_XML);
  check_error ("<!DOCTYPE html><html></html>", EAR_ERROR_WEB_PAGE);
  check_error ("<rss><channel/></rss>", EAR_ERROR_NOT_XML);
}

static void
test_bounds (void)
{
  g_autoptr (GString) deep = g_string_new ("<opml><body>");
  g_autoptr (GString) many = g_string_new ("<opml><body>");
  g_autofree char *deep_lines = NULL;
  g_autofree char *many_lines = NULL;
  g_autofree char *long_source = g_strnfill (33 * 1024 * 1024, ' ');

  for (int i = 0; i < 100000; i++)
    g_string_append (deep, "<outline text=\"x\">");
  g_string_append (deep, "<outline xmlUrl=\"https://example.org/a\"/>");
  deep_lines = dump (deep->str, deep->len);
  g_assert_cmpuint (strlen (deep_lines), <, 1000);
  for (int i = 0; i < 30000; i++)
    g_string_append_printf (many, "<outline xmlUrl=\"https://example.org/%d\"/>", i);
  many_lines = dump (many->str, many->len);
  g_assert_nonnull (strstr (many_lines, "https://example.org/19999|"));
  g_assert_null (strstr (many_lines, "https://example.org/20000|"));
  check_error (long_source, EAR_ERROR_TOO_LARGE);
}

/* Many podcasts in deeply nested folders: each would store the names of all folders. */
static void
test_folders (void)
{
  g_autofree char *name = g_strnfill (400, 'n');
  g_autoptr (GString) source = g_string_new ("<opml><body>");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GPtrArray) outlines = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 150; i++)
    g_string_append_printf (source, "<outline text=\"%s\">", name);
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (source, "<outline xmlUrl=\"https://example.org/%u\"/>", i);
  bytes = g_bytes_new_static (source->str, source->len);
  outlines = ear_opml_parse (bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outlines->len, ==, 100);
  for (guint i = 0; i < outlines->len; i++)
    {
      const EarListedPodcast *outline = g_ptr_array_index (outlines, i);

      g_assert_true (g_str_has_prefix (outline->folder, name));
      g_assert_cmpuint (strlen (outline->folder), <=, 1000);
    }
}

static void
add (GPtrArray *outlines, const char *address, const char *title, const char *link, const char *folder)
{
  EarListedPodcast *outline = ear_listed_podcast_new ();

  outline->address = g_strdup (address);
  outline->title = g_strdup (title);
  outline->link = g_strdup (link);
  outline->folder = g_strdup (folder);
  g_ptr_array_add (outlines, outline);
}

static void
test_write (void)
{
  g_autoptr (GPtrArray) outlines = ear_listed_podcasts_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  g_autofree char *lines = NULL;
  const char *date;
  g_autofree char *date_text = NULL;

  add (outlines, "https://example.org/?a=1&b=2", "\"A\" & <B>\n", "https://example.org/", NULL);
  add (outlines, "https://example.org/c", NULL, NULL, "One");
  add (outlines, "https://example.org/d", "Dé", NULL, "One");
  add (outlines, "https://example.org/e", "E", NULL, "One/Two");
  add (outlines, "https://example.org/f", "F", NULL, NULL);
  bytes = ear_opml_write (outlines, "Mine & yours");
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_true (g_str_has_prefix (text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">"));
  g_assert_nonnull (strstr (text, "<title>Mine &amp; yours</title>"));
  g_assert_nonnull (strstr (text, "text=\"&quot;A&quot; &amp; &lt;B&gt;"));
  g_assert_nonnull (strstr (text, "xmlUrl=\"https://example.org/?a=1&amp;b=2\""));
  g_assert_nonnull (strstr (text, "text=\"https://example.org/c\""));
  date = strstr (text, "<dateCreated>") + strlen ("<dateCreated>");
  date_text = g_strndup (date, strcspn (date, "<"));
  g_assert_cmpint (ABS (ear_date_parse (date_text) - g_get_real_time () / G_USEC_PER_SEC), <, 60);

  lines = dump (text, strlen (text));
  g_assert_cmpstr (lines, ==,
                   "https://example.org/?a=1&b=2|\"A\" & <B>|https://example.org/|\n"
                   "https://example.org/c|https://example.org/c||One\nhttps://example.org/d|Dé||One\n"
                   "https://example.org/e|E||One/Two\nhttps://example.org/f|F||\n");
}

/* Characters that XML forbids, for which other programs would reject the whole list */
static void
test_write_illegal (void)
{
  g_autoptr (GPtrArray) outlines = ear_listed_podcasts_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  add (outlines, "https://example.org/a", "A\x1b\xef\xbf\xbf\tb 🗼", NULL, "One\x01");
  bytes = ear_opml_write (outlines, "Mine");
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_nonnull (strstr (text, "title=\"A&#9;b 🗼\""));
  g_assert_nonnull (strstr (text, "text=\"One\""));
}

static void
test_write_nothing (void)
{
  g_autoptr (GPtrArray) outlines = g_ptr_array_new ();
  g_autoptr (GBytes) bytes = ear_opml_write (outlines, "Empty");
  g_autofree char *lines = dump (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  g_assert_cmpstr (lines, ==, "");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/opml/parse", test_parse);
  g_test_add_func ("/feed/opml/episodes", test_episodes);
  g_test_add_func ("/feed/opml/repeated", test_repeated);
  g_test_add_func ("/feed/opml/errors", test_errors);
  g_test_add_func ("/feed/opml/bounds", test_bounds);
  g_test_add_func ("/feed/opml/folders", test_folders);
  g_test_add_func ("/feed/opml/write", test_write);
  g_test_add_func ("/feed/opml/write-illegal", test_write_illegal);
  g_test_add_func ("/feed/opml/write-nothing", test_write_nothing);

  return g_test_run ();
}
