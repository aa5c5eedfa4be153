/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-text.h"
#include "ear-command-line.h"
#include "ear-time.h"

#include <glib/gstdio.h>
#include <string.h>

/* @words: arguments, separated by spaces */
static EarCommandLine *
parse (const char *words, GError **error)
{
  g_autofree char *line = g_strconcat ("earmark ", words, NULL);
  g_auto (GStrv) arguments = g_strsplit (g_strchomp (line), " ", -1);

  return ear_command_line_parse ((const char *const *) arguments, error);
}

static void
test_verbs (void)
{
  static const struct
  {
    const char *words;
    EarCommandVerb verb;
  } cases[] = {
    { "", EAR_COMMAND_OPEN },
    { "--help", EAR_COMMAND_HELP },
    { "-h", EAR_COMMAND_HELP },
    { "--version", EAR_COMMAND_VERSION },
    { "--play-pause", EAR_COMMAND_PLAY_PAUSE },
    { "--play", EAR_COMMAND_PLAY },
    { "--pause", EAR_COMMAND_PAUSE },
    { "--next", EAR_COMMAND_NEXT },
    { "--previous", EAR_COMMAND_PREVIOUS },
    { "--next-chapter", EAR_COMMAND_NEXT_CHAPTER },
    { "--previous-chapter", EAR_COMMAND_PREVIOUS_CHAPTER },
    { "--seek 10", EAR_COMMAND_SEEK },
    { "--speed 1", EAR_COMMAND_SPEED },
    { "--bookmark", EAR_COMMAND_BOOKMARK },
    { "--bookmark=Note", EAR_COMMAND_BOOKMARK },
    { "--sleep 15", EAR_COMMAND_SLEEP },
    { "--sleep episode", EAR_COMMAND_SLEEP },
    { "--sleep chapter", EAR_COMMAND_SLEEP },
    { "--sleep off", EAR_COMMAND_SLEEP },
    { "--status", EAR_COMMAND_STATUS },
    { "--json --status", EAR_COMMAND_STATUS },
    { "--refresh", EAR_COMMAND_REFRESH },
    { "--add https://example.org/feed", EAR_COMMAND_ADD },
    { "--import podcasts.opml", EAR_COMMAND_IMPORT },
    { "--export -", EAR_COMMAND_EXPORT },
    { "--statistics", EAR_COMMAND_STATISTICS },
    { "--reading-list", EAR_COMMAND_READING_LIST },
    { "--reading-list --json", EAR_COMMAND_READING_LIST },
    { "--export=podcasts.opml --force --with-private", EAR_COMMAND_EXPORT },
    { "--quit", EAR_COMMAND_QUIT },
    { "--gapplication-service", EAR_COMMAND_OPEN },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EarCommandLine) line = parse (cases[i].words, &error);

      g_test_message ("%s", cases[i].words);
      g_assert_no_error (error);
      g_assert_cmpint (line->verb, ==, cases[i].verb);
    }
}

static void
test_misuse (void)
{
  static const char *const cases[] = {
    "--play --pause", "--next-chapter 2", "--play --play", "--bogus", "-x", "--seek", "--add", "--add=", "--json", "--refresh --json", "--force",
    "--import x --force", "--with-private", "--play https://example.org/feed", "--gapplication-service https://example.org/feed",
    "nothing-of-that-name", "/", ".", "ftp://example.org/feed", "javascript:alert(1)", "https://",
    "--seek nan", "--seek inf", "--seek 1e3", "--seek ++", "--seek +-", "--seek ++1", "--seek 1:60", "--seek 1:2:3:4", "--seek :30",
    "--seek 0x10", "--seek 999999999999", "--seek 99999999", "--seek 12:345", "--seek 1.5",
    "--speed 0", "--speed nan", "--speed -1", "--speed 0.49", "--speed 4.01", "--speed 1e0", "--speed 1.2.3", "--speed inf",
    "--sleep 0", "--sleep -1", "--sleep 721", "--sleep 1.5", "--sleep soon", "--sleep 99999999999999999999", "--sleep",
    "--speed 0x1", "--speed x", "--speed 1.0000000000000000",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EarCommandLine) line = parse (cases[i], &error);

      g_test_message ("%s", cases[i]);
      g_assert_null (line);
      g_assert_error (error, G_OPTION_ERROR, error->code);
      g_assert_cmpint ((int) strlen (error->message), >, 5);
    }
}

static void
test_seek (void)
{
  static const struct
  {
    const char *text;
    int seconds;
    gboolean relative;
    int skip;
  } cases[] = {
    { "+", 0, TRUE, 1 },
    { "-", 0, TRUE, -1 },
    { "+30", 30, TRUE },
    { "-10", -10, TRUE },
    { "+1:30", 90, TRUE },
    { "-1:02:03", -3723, TRUE },
    { "90", 90, FALSE },
    { "0", 0, FALSE },
    { "12:34", 754, FALSE },
    { "1:02:03", 3723, FALSE },
    { "90:00", 5400, FALSE },
    { "3600000", 3600000, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int joined = 0; joined < 2; joined++)
      {
        g_autofree char *words = g_strdup_printf ("--seek%c%s", joined ? '=' : ' ', cases[i].text);
        g_autoptr (GError) error = NULL;
        g_autoptr (EarCommandLine) line = parse (words, &error);

        g_assert_no_error (error);
        g_assert_cmpint (line->time, ==, cases[i].seconds * G_TIME_SPAN_SECOND);
        g_assert_cmpint (line->relative, ==, cases[i].relative);
        g_assert_cmpint (line->skip, ==, cases[i].skip);
      }
}

static void
test_speed (void)
{
  static const struct
  {
    const char *text;
    double speed;
  } cases[] = { { "1", 1 }, { "1.5", 1.5 }, { "1,5", 1.5 }, { "0.5", 0.5 }, { "4", 4 }, { ".75", 0.75 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = g_strconcat ("--speed ", cases[i].text, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (EarCommandLine) line = parse (words, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (line->speed, ==, cases[i].speed);
    }
}

/* The window gets only URLs and files from the arguments. */
static void
test_open (void)
{
  g_autofree char *folder = g_dir_make_tmp ("earmark-open-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a list.opml", NULL);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autofree char *latin = g_build_filename (folder, "caf\xe9.opml", NULL);
  g_autofree char *latin_uri = g_filename_to_uri (latin, NULL, NULL);
  const char *arguments[] = { "earmark", path, uri, latin, "feed:https://example.org/a?b=c", "pcast://example.org/d",
                              "example.org/feed.xml", "https://podcasts.apple.com/us/podcast/name/id123?i=4", "itms://itunes.apple.com/podcast/x/id7",
                              NULL };
  const char *expected[] = { uri, uri, latin_uri, "https://example.org/a?b=c", "https://example.org/d", "https://example.org/feed.xml",
                             "https://podcasts.apple.com/podcast/id123", "https://podcasts.apple.com/podcast/id7", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCommandLine) line = NULL;
  g_auto (GStrv) argv = NULL;

  g_file_set_contents (path, "", 0, NULL);
  g_file_set_contents (latin, "", 0, NULL);
  line = ear_command_line_parse (arguments, &error);
  g_assert_no_error (error);
  g_assert_cmpstrv (line->uris, expected);
  argv = ear_command_line_dup_argv (line, "earmark");
  g_assert_cmpuint (g_strv_length (argv), ==, G_N_ELEMENTS (expected));
  g_assert_cmpstr (argv[0], ==, "earmark");

  g_unlink (path);
  g_unlink (latin);
  g_rmdir (folder);
}

static void
test_service (void)
{
  g_autoptr (EarCommandLine) line = parse ("--gapplication-service", NULL);
  g_auto (GStrv) argv = ear_command_line_dup_argv (line, "earmark");
  const char *expected[] = { "earmark", "--gapplication-service", NULL };

  g_assert_cmpstrv (argv, expected);
}

static void
test_hostile (void)
{
  static const char *const bytes[] = { "\xff\xfe\xfd", "\x1b[2J", "%s%n%s%n", "--add=\xff", "--seek=\xff", "-\xff", "--\xff=1", "\xc3" };
  g_autofree char *long_text = g_strnfill (200000, 'x');
  g_autofree char *long_value = g_strconcat ("--add=", long_text, NULL);
  g_autofree char *long_seek = g_strconcat ("--seek=", long_text, NULL);
  g_autofree char *long_option = g_strconcat ("--", long_text, NULL);
  const char *many[300] = { "earmark" };
  const char *long_ones[] = { long_text, long_value, long_seek, long_option };

  for (gsize i = 0; i < G_N_ELEMENTS (long_ones); i++)
    {
      const char *arguments[] = { "earmark", long_ones[i], NULL };
      g_autoptr (GError) error = NULL;

      g_assert_null (ear_command_line_parse (arguments, &error));
      g_assert_nonnull (error);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bytes); i++)
    {
      const char *arguments[] = { "earmark", bytes[i], NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (EarCommandLine) line = ear_command_line_parse (arguments, &error);
      g_autofree char *shown = ear_command_line_dup_printable (error != NULL ? error->message : "");

      /* An address is checked only when it is used. */
      g_assert_true (line == NULL || line->verb == EAR_COMMAND_ADD);
      g_assert_true (g_utf8_validate (shown, -1, NULL));
      g_assert_null (strchr (shown, '\x1b'));
    }
  for (gsize i = 1; i + 1 < G_N_ELEMENTS (many); i++)
    many[i] = "https://example.org/feed";
  g_assert_null (ear_command_line_parse (many, NULL));
}

static void
test_printable (void)
{
  static const struct
  {
    const char *text;
    const char *shown;
  } cases[] = {
    { "Plain ünïcode ✓ עברית", "Plain ünïcode ✓ עברית" },
    { "two\nlines\tand a tab", "two lines and a tab" },
    { "\x1b]0;title\x07", "\\x1b]0;title\\x07" },
    { "\xc2\x9b" "31m", "\\x9b31m" },
    { "a\xe2\x80\xae" "b", "a\\u202eb" },
    { "\x7f\r", "\\x7f\\x0d" },
    { "bad \xff byte", "bad \xef\xbf\xbd byte" },
    { NULL, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = ear_command_line_dup_printable (cases[i].text);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

/* Isolates in Earmark's own sentences are kept, unless inserted text leaves one open. */
static void
test_sentence (void)
{
  static const struct
  {
    const char *text;
    const char *shown;
  } cases[] = {
    { "\u2066https://example.org\u2069.", "\u2066https://example.org\u2069." },
    { "\u2068a\u2067b\u2069\u2069", "\u2068a\u2067b\u2069\u2069" },
    { "\u2066open", "\\u2066open" },
    { "\u2069\u2066", "\\u2069\\u2066" },
    { "\u2066\u202e\x1b\u2069", "\u2066\\u202e\\x1b\u2069" },
    { NULL, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = ear_command_line_dup_sentence (cases[i].text);

      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

static void
test_clock (void)
{
  static const struct
  {
    gint64 seconds;
    const char *shown;
  } cases[] = { { 0, "0:00" }, { -5, "0:00" }, { 59, "0:59" }, { 754, "12:34" }, { 3723, "1:02:03" }, { G_MAXINT64 / G_TIME_SPAN_SECOND, NULL } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = ear_clock_format (cases[i].seconds * G_TIME_SPAN_SECOND);

      g_assert_true (cases[i].shown == NULL || g_str_equal (shown, cases[i].shown));
    }
}

static void
test_status (void)
{
  const EarCommandLineReport report = {
    .state = "playing", .speed = 1.25, .n_podcasts = 3, .n_new = 1, .n_begun = 2, .n_downloads = 2, .checked = 1700000000,
    .key = "k", .title = "Bells \x1b[2J \"x\"", .podcast = "P", .chapter = "C \x1b \"y\"", .position = 192500000, .duration = 993000000,
    .liked = TRUE, .downloaded = TRUE,
  };
  const EarCommandLineReport strange = { .state = "?", .key = "", .position = -1 };
  g_autofree char *text = ear_command_line_dup_status (&report);
  g_autofree char *json = ear_command_line_dup_status_json (&report);
  g_autofree char *expected = NULL;
  g_autofree char *none = ear_command_line_dup_status_json (NULL);
  g_autofree char *strange_text = ear_command_line_dup_status (&strange);
  g_autofree char *strange_json = ear_command_line_dup_status_json (&strange);

  g_assert_true (g_str_has_prefix (text, "Playing: Bells \\x1b[2J \"x\" (P)\nChapter: C \\x1b \"y\"\nAt 3:12 of 16:33, speed 1.25\n3 podcasts, 1 new episode, 2 in progress\n"));
  expected = g_strdup_printf ("{\"running\": true, \"version\": \"%s\", \"state\": \"playing\", \"episode\": {\"key\": \"k\", "
                              "\"title\": \"Bells \\u001b[2J \\\"x\\\"\", \"podcast\": \"P\", \"chapter\": \"C \\u001b \\\"y\\\"\", \"position\": 192.500, \"duration\": 993.000, "
                              "\"listened\": false, \"liked\": true, \"downloaded\": true}, \"speed\": 1.250, \"podcasts\": 3, \"new\": 1, \"in_progress\": 2, "
                              "\"refreshing\": false, \"downloads\": 2, \"last_check\": \"2023-11-14T22:13:20Z\"}\n", EAR_VERSION);
  g_assert_cmpstr (json, ==, expected);
  g_assert_cmpstr (none, ==, "{\"running\": false}\n");
  g_assert_nonnull (strstr (strange_text, "0 podcasts"));
  g_assert_null (strstr (strange_text, "Chapter"));
  g_assert_nonnull (strstr (strange_json, "\"duration\": null"));
  g_assert_nonnull (strstr (strange_json, "\"chapter\": null"));
}

static void
test_refreshed (void)
{
  static const char *const titles[] = { "One", "Two\nlines", NULL };
  g_autoptr (GString) news = g_string_new (NULL);
  g_autoptr (GString) failures = g_string_new (NULL);
  g_autofree char *checked = ear_command_line_dup_checked (3, 3);
  g_autofree char *nothing = ear_command_line_dup_checked (0, 0);

  ear_command_line_append_news (news, 0, "A\x07", 3, titles);
  g_assert_cmpstr (news->str, ==, "A\\x07: 3 new episodes\n  One\n  Two lines\n");
  g_assert_cmpstr (checked, ==, "Checked 3 podcasts, 3 new episodes\n");
  g_assert_cmpstr (nothing, ==, "Checked 0 podcasts, 0 new episodes\n");
  ear_command_line_append_failure (failures, 0, "B\x07", "It is not there.");
  ear_command_line_append_rest (failures, 1);
  g_assert_cmpstr (failures->str, ==, "B\\x07: It is not there.\n");
}

static void
test_many_failures (void)
{
  g_autoptr (GString) failures = g_string_new (NULL);
  g_autoptr (GString) news = g_string_new (NULL);
  g_autofree char *text = ear_command_line_dup_imported (1002, 1000, 0);
  g_autofree char *repeated = ear_command_line_dup_imported (7, 3, 3);
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) news_lines = NULL;
  const char *many[1001] = { NULL };

  for (guint i = 0; i < 1000; i++)
    many[i] = "E";
  for (guint i = 0; i < 1000; i++)
    {
      ear_command_line_append_failure (failures, i, "P", "Why");
      ear_command_line_append_news (news, i, "P", 1000, many);
    }
  ear_command_line_append_rest (failures, 1000);
  lines = g_strsplit (failures->str, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 202);
  g_assert_cmpstr (lines[200], ==, "And 800 more");
  news_lines = g_strsplit (news->str, "\n", -1);
  g_assert_cmpuint (g_strv_length (news_lines), ==, 200 * 201 + 1);
  g_assert_cmpstr (text, ==, "Followed 1000 podcasts\n2 were already followed\n");
  g_assert_cmpstr (repeated, ==, "Followed 3 podcasts\n1 was already followed\n3 duplicates in the list were skipped\n");
}

static void
test_waiting (void)
{
  g_autoptr (GDateTime) date = g_date_time_new_local (2026, 11, 28, 14, 29, 1);
  g_autoptr (GString) text = g_string_new (NULL);

  ear_command_line_append_waiting (text, 0, "A\x07", FALSE, g_date_time_to_unix (date));
  ear_command_line_append_waiting (text, 1, "B", TRUE, g_date_time_to_unix (date));
  ear_command_line_append_waiting (text, 2, "C", FALSE, G_MAXINT64);
  g_assert_true (g_str_has_prefix (text->str, "A\\x07: The server asks to wait until 2026-11-28 14:30\n"
                                              "B: Removed by its publisher; its episodes are kept. Next check: 2026-11-28\nC: "));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/command-line/verbs", test_verbs);
  g_test_add_func ("/command-line/misuse", test_misuse);
  g_test_add_func ("/command-line/seek", test_seek);
  g_test_add_func ("/command-line/speed", test_speed);
  g_test_add_func ("/command-line/open", test_open);
  g_test_add_func ("/command-line/service", test_service);
  g_test_add_func ("/command-line/hostile", test_hostile);
  g_test_add_func ("/command-line/printable", test_printable);
  g_test_add_func ("/command-line/sentence", test_sentence);
  g_test_add_func ("/command-line/clock", test_clock);
  g_test_add_func ("/command-line/status", test_status);
  g_test_add_func ("/command-line/waiting", test_waiting);
  g_test_add_func ("/command-line/refreshed", test_refreshed);
  g_test_add_func ("/command-line/many-failures", test_many_failures);

  return g_test_run ();
}
