/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "ear-error.h"
#include "ear-opml.h"
#include "served-library.h"

/* Podcasts imported from files: lists, long ones too, and the databases of other programs.
 * Lists are exported as well. */

static void
set_up_import (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  open_library (fixture, NULL);
}

/* Returns: @text, in which the server's URL takes the place of each "$" */
static char *
dup_with_urls (Fixture *fixture, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "$", 0);

  return g_strjoinv (ear_test_server_get_base_url (fixture->server), parts);
}

/* Returns once the file is read: the number of podcasts in it, which arrive later */
static int
import_file (Fixture *fixture, const char *path, GError **error)
{
  EarImporter *importer = fixture->parts->importer;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;

  ear_importer_read_async (importer, file, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);

  return ear_importer_read_finish (importer, result, error);
}

static int
import_text (Fixture *fixture, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (fixture->folder, "in.opml", NULL);
  g_autofree char *with_urls = dup_with_urls (fixture, text);

  write_text (path, with_urls);

  return import_file (fixture, path, error);
}

/* Imports a list of these outlines. */
static int
import_list (Fixture *fixture, const char *outlines)
{
  g_autofree char *list = g_strdup_printf ("<opml><body>%s</body></opml>", outlines);
  g_autoptr (GError) error = NULL;
  const int n = import_text (fixture, list, &error);

  g_assert_no_error (error);

  return n;
}

/* The same, and waits until all podcasts are fetched. */
static int
import_outlines (Fixture *fixture, const char *outlines)
{
  const int n = import_list (fixture, outlines);

  EAR_TEST_WAIT_UNTIL (ear_importer_get_finished (fixture->parts->importer));

  return n;
}

static guint
count_failures (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_importer_get_failures (fixture->parts->importer));
}

/* Asserts the numbers of an import, and of all podcasts followed. */
static void
assert_counts (Fixture *fixture, const char *expected)
{
  EarImporter *importer = fixture->parts->importer;
  g_autofree char *counts =
    g_strdup_printf ("%u of %u done, %u repeated, %u failed, %u added; %u followed",
                     ear_test_get_uint (importer, "done"), ear_importer_get_total (importer),
                     ear_importer_get_n_repeated (importer), count_failures (fixture),
                     ear_importer_get_added (importer)->len, count_followed (fixture));

  g_assert_cmpstr (counts, ==, expected);
}

/* Returns: (transfer none) (nullable) */
static EarPodcast *
find_podcast (Fixture *fixture, const char *path)
{
  return ear_subscriptions_find (fixture->parts->subscriptions, get_url (fixture, path));
}

static char *
export_text (Fixture *fixture, gboolean with_private)
{
  g_autoptr (GBytes) list = ear_subscriptions_export (fixture->parts->subscriptions, with_private);

  return g_strndup (g_bytes_get_data (list, NULL), g_bytes_get_size (list));
}

/* Two podcasts in folders, of which one is listed twice, two that fail, and no URL */
static const char outlines[] =
  "<outline text='News &amp; more'>"
  "<outline text='Deep'><outline xmlUrl='$/generated/Alpha-3.xml'/></outline>"
  "<outline text='Beta in the list' xmlUrl='$/generated/Beta-2.xml'/></outline>"
  "<outline text='Gone' xmlUrl='$/missing.xml'/><outline text='Page' xmlUrl='$/~html/x'/>"
  "<outline xmlUrl='$/generated/Beta-2.xml'/><outline xmlUrl='javascript:alert(1)'/>";

/* A podcast is a failure until it is fetched or unfollowed. */
static void
test_import (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (import_outlines (fixture, outlines), ==, 4);
  assert_counts (fixture, "5 of 5 done, 1 repeated, 2 failed, 4 added; 4 followed");
  EarPodcast *gone = find_podcast (fixture, "/missing.xml");
  EarPodcast *page = find_podcast (fixture, "/~html/x");
  g_assert_cmpstr (ear_podcast_get_title (gone), ==, "Gone");
  g_assert_error (ear_podcast_get_error (gone), EAR_ERROR, EAR_ERROR_NOT_FOUND);
  g_assert_error (ear_podcast_get_error (page), EAR_ERROR, EAR_ERROR_WEB_PAGE);

  ear_subscriptions_unfollow (fixture->parts->subscriptions, page);
  g_assert_cmpuint (count_failures (fixture), ==, 1);
  put_text (fixture, "/missing.xml", RSS ("Back", ""));
  ear_refresher_refresh (fixture->parts->refresher, gone, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (count_failures (fixture) == 0);
  g_assert_no_error (ear_podcast_get_error (gone));
}

static void
put_page (Fixture *fixture, const char *path, const char *feeds)
{
  g_autofree char *page = g_strdup_printf ("<!DOCTYPE html><html><head><title>A page</title>%s"
                                           "</head><body>Hello</body></html>",
                                           feeds);

  ear_test_server_put (fixture->server, path, "text/html", page);
}

#define FEED(path) "<link rel=alternate type=application/rss+xml href=" path ">"

/* A list may have the web page of a podcast in place of its feed: the first feed that the
 * page links to is followed instead, unless it is followed already. */
static void
test_pages (Fixture *fixture, gconstpointer data)
{
  put_page (fixture, "/page", FEED ("/generated/Alpha-3.xml") FEED ("/generated/Comments-9.xml"));
  put_page (fixture, "/other", FEED ("/generated/Beta-2.xml"));
  put_page (fixture, "/empty", "");
  import_outlines (fixture,
                   "<outline text='Folder'><outline text='Ours' xmlUrl='$/page'/></outline>"
                   "<outline xmlUrl='$/generated/Beta-2.xml'/><outline xmlUrl='$/other'/>"
                   "<outline xmlUrl='$/empty'/>");
  assert_counts (fixture, "4 of 4 done, 1 repeated, 1 failed, 3 added; 3 followed");
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 3 podcasts");
  EarPodcast *ours = find_podcast (fixture, "/generated/Alpha-3.xml");
  g_assert_nonnull (ours);
  g_assert_cmpuint (ear_podcast_get_n_episodes (ours), ==, 3);
}

/* The next import of a list does not get the page that a stopped one asked for. */
static void
test_pages_stopped (Fixture *fixture, gconstpointer data)
{
  EarRefresher *refresher = fixture->parts->refresher;

  put_page (fixture, "/links", FEED ("/generated/Alpha-3.xml"));
  ear_test_server_put_way (fixture->server, "/page", "/~delay=500/links");
  g_signal_connect_swapped (refresher, "refreshed", G_CALLBACK (ear_importer_stop),
                            fixture->parts->importer);
  import_outlines (fixture, "<outline xmlUrl='$/page'/>");
  g_assert_cmpuint (count_followed (fixture), ==, 0);

  g_signal_handlers_disconnect_by_func (refresher, ear_importer_stop, fixture->parts->importer);
  ear_test_spin (100);
  ear_test_server_put_way (fixture->server, "/page", "/~mute/links");
  import_list (fixture, "<outline xmlUrl='$/page'/>");
  ear_test_spin (800);
  g_assert_false (ear_importer_get_finished (fixture->parts->importer));
  g_assert_cmpuint (count_followed (fixture), ==, 1);
  g_assert_nonnull (find_podcast (fixture, "/page"));
}

/* A podcast is not followed twice because the list spells its URL differently, or has a former
 * one, which an earlier import merged with the present one. */
static void
test_written_otherwise (Fixture *fixture, gconstpointer data)
{
  static const char former[] =
    "<outline xmlUrl='$/generated/Alpha-3.xml'/><outline xmlUrl='$/old.xml'/>";

  follow (fixture, "/generated/Alpha-3.xml");
  import_outlines (fixture, "<outline xmlUrl='$//generated/Alpha-3.xml'/>"
                            "<outline xmlUrl='$/generated/%42eta-2.xml'/>"
                            "<outline xmlUrl='$/generated/Beta-2.xml/'/>"
                            "<outline xmlUrl='$//generated/Alpha-3.xml'/>");
  assert_counts (fixture, "4 of 4 done, 2 repeated, 0 failed, 1 added; 2 followed");
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 1 podcast");

  ear_test_server_put_way (fixture->server, "/old.xml", "/~redirect=301/generated/Alpha-3.xml");
  import_outlines (fixture, former);
  EAR_TEST_WAIT_UNTIL (count_followed (fixture) == 2);
  import_outlines (fixture, former);
  assert_counts (fixture, "2 of 2 done, 1 repeated, 0 failed, 0 added; 2 followed");
}

#define EPISODE(path, state) \
  "<outline type='podcast-episode' enclosureUrl='$" path "' " state "/>"

/* Episodes in a list are marked, not followed: here at once, as their feed was fetched before. */
static void
test_episodes (Fixture *fixture, gconstpointer data)
{
  static const char list[] = "<outline text='Harbour' xmlUrl='$/feed.xml'>"
                             EPISODE ("/audio/1.mp3", "url='$/1' played='1'")
                             EPISODE ("/audio/2.mp3", "progress='410'")
                             EPISODE ("/audio/9.mp3", "played='1'") "</outline>";

  put_feed (fixture, 1, 3);
  fetch (fixture, "/feed.xml");
  EarEpisode *one = get_lamp (fixture, 1), *two = get_lamp (fixture, 2);
  g_assert_cmpint (import_outlines (fixture, list), ==, 1);
  g_assert_cmpuint (count_followed (fixture), ==, 1);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_listened (one) &&
                       ear_episode_get_position (two) == 410 * G_TIME_SPAN_SECOND);
  g_assert_false (ear_episode_get_listened (two));
  g_assert_false (ear_episode_get_listened (get_lamp (fixture, 3)));
}

/* Compares the list of omissions: a line each, with the first missing episode. */
static void
assert_omissions (Fixture *fixture, const char *expected)
{
  GPtrArray *omissions = ear_importer_get_omissions (fixture->parts->importer);
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < omissions->len; i++)
    {
      const EarImportOmission *omission = g_ptr_array_index (omissions, i);
      g_autofree char *reason = ear_import_omission_describe (omission);
      const char *first =
        omission->episodes->len > 0 ? g_ptr_array_index (omission->episodes, 0) : "";

      g_string_append_printf (lines, "%s: %s %s\n", omission->title, reason, first);
    }
  g_assert_cmpstr (lines->str, ==, expected);
}

/* The login of an address is not listed. A feed that never arrived lacks no episodes. */
static void
test_omissions (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "/missing.xml");

  import_outlines (fixture, "<outline subscribed='0' xmlUrl='https://me:secret@example.org/a'/>");
  assert_omissions (fixture, "example.org: Not followed in the other app \n");

  EAR_TEST_WAIT_UNTIL (ear_podcast_get_error (podcast) != NULL);
  import_outlines (fixture, "<outline xmlUrl='$/missing.xml'>"
                            EPISODE ("/1.mp3", "progress='60'") "</outline>");
  g_assert_cmpuint (ear_test_get_uint (fixture->parts->importer, "done"), ==, 1);
  assert_omissions (fixture, "");
}

static void
assert_finished_cb (EarImporter *importer)
{
  g_assert_true (ear_importer_get_finished (importer));
}

/* Undo, also of unfollowing failed ones; an export, which makes the same list again */
static void
test_undo (Fixture *fixture, gconstpointer data)
{
  g_signal_connect_swapped (fixture->parts->notices, "undo-offered",
                            G_CALLBACK (assert_finished_cb), fixture->parts->importer);
  import_outlines (fixture, outlines);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 4 podcasts");
  g_autofree char *text = export_text (fixture, FALSE);
  g_assert_nonnull (strstr (text, "<outline text=\"News &amp; more\">"));
  g_assert_nonnull (strstr (text, "<outline text=\"Deep\">"));
  g_assert_nonnull (strstr (text, "text=\"Beta\""));
  g_assert_null (strstr (text, "Beta in the list"));

  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_followed (fixture), ==, 0);
  import_text (fixture, text, NULL);
  EAR_TEST_WAIT_UNTIL (ear_importer_get_finished (fixture->parts->importer));
  g_autofree char *again = export_text (fixture, FALSE);
  g_assert_cmpstr (strstr (again, "<body>"), ==, strstr (text, "<body>"));

  ear_importer_unfollow_failed (fixture->parts->importer);
  g_assert_cmpuint (count_followed (fixture), ==, 2);
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_followed (fixture), ==, 4);

  /* Podcasts followed earlier are left alone. */
  ear_subscriptions_unfollow (fixture->parts->subscriptions,
                              find_podcast (fixture, "/generated/Beta-2.xml"));
  import_outlines (fixture, outlines);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 1 podcast");
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_followed (fixture), ==, 3);
}

/* Addresses with a secret are exported only when asked for. */
static void
test_private (Fixture *fixture, gconstpointer data)
{
  follow (fixture, "/generated/Open-1.xml");
  g_assert_cmpuint (ear_subscriptions_count_private (fixture->parts->subscriptions), ==, 0);
  follow (fixture, "/generated/Secret-1.xml?auth=hush");
  g_assert_cmpuint (ear_subscriptions_count_private (fixture->parts->subscriptions), ==, 1);
  g_autofree char *text = export_text (fixture, FALSE);
  g_assert_nonnull (strstr (text, "Open-1"));
  g_assert_null (strstr (text, "hush"));
  g_autofree char *all = export_text (fixture, TRUE);
  g_assert_nonnull (strstr (all, "hush"));
}

static void
test_no_list (Fixture *fixture, gconstpointer data)
{
  const char *endless = "/proc/self/pagemap";
  g_autoptr (GError) error = NULL;

  import_text (fixture, "Dear diary", &error);
  g_assert_error (error, EAR_ERROR, EAR_ERROR_NOT_XML);
  g_assert_cmpint (import_outlines (fixture, ""), ==, 0);
  g_assert_cmpuint (count_followed (fixture), ==, 0);

  /* The file claims to be empty, and has gigabytes. Callers on the bus can name any file. */
  if (access (endless, R_OK) == 0)
    g_assert_cmpint (import_file (fixture, endless, NULL), ==, -1);
  else
    g_test_message ("there is no %s", endless);
}

/* --- Long lists --------------------------------------------------------------------- */

/* Appends @n podcasts of several hosts, the first of them this one. */
static void
append_outlines (Fixture *fixture, GString *list, guint n, guint host, const char *way)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/generated/Number%u-2.xml", way, i);
      g_autofree char *address =
          ear_test_server_dup_url (fixture->server, 1 + (host - 1 + i) % 20, path);

      g_string_append_printf (list, "<outline xmlUrl='%s'/>", address);
    }
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_notifies = 0;

  append_outlines (fixture, list, 500, 1, "");
  import_list (fixture, list->str);
  g_signal_connect_swapped (fixture->parts->importer, "notify::done",
                            G_CALLBACK (ear_test_count_cb), &n_notifies);
  g_assert_cmpuint (ear_test_get_uint (fixture->parts->importer, "done"), <, 500);
  EAR_TEST_WAIT_UNTIL (ear_importer_get_finished (fixture->parts->importer));
  g_assert_cmpuint (n_notifies, >, 100);
  g_assert_cmpuint (count_followed (fixture), ==, 500);
  g_assert_cmpuint (count_failures (fixture), ==, 0);
}

/* Fetched podcasts stay, and no others. */
static void
test_stop (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) list = g_string_new (NULL);

  /* Silent servers lead the list: the podcasts after them, of other hosts, arrive long before
   * the silent ones time out. */
  append_outlines (fixture, list, 30, 1, "/~mute");
  append_outlines (fixture, list, 5, 11, "");
  append_outlines (fixture, list, 300, 1, "/~mute/other");
  import_list (fixture, list->str);
  EAR_TEST_WAIT_UNTIL (ear_test_get_uint (fixture->parts->importer, "done") >= 5);
  g_assert_cmpuint (count_failures (fixture), ==, 0);
  g_assert_cmpuint (count_followed (fixture), <, 80);
  ear_importer_stop (fixture->parts->importer);
  g_assert_true (ear_importer_get_finished (fixture->parts->importer));
  g_assert_cmpuint (count_followed (fixture), ==, 5);
  g_assert_cmpuint (ear_importer_get_added (fixture->parts->importer)->len, ==, 5);
}

/* A podcast that was followed before stays, even while its marks are compared. */
static void
test_stop_followed (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, "/generated/Alpha-3.xml");
  g_autoptr (GString) list = g_string_new ("<outline xmlUrl='$/generated/Alpha-3.xml'>");

  EAR_TEST_WAIT_UNTIL (ear_podcast_get_n_episodes (podcast) > 0);
  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (list, EPISODE ("/%u.mp3", "played='1'"), i);
  g_string_append (list, "</outline><outline xmlUrl='$/~mute/x.xml'/>");
  import_list (fixture, list->str);
  EAR_TEST_WAIT_UNTIL (count_followed (fixture) > 1);
  ear_importer_stop (fixture->parts->importer);
  g_assert_cmpuint (count_followed (fixture), ==, 1);
  EAR_TEST_WAIT_UNTIL (ear_importer_get_finished (fixture->parts->importer));
  g_assert_nonnull (find_podcast (fixture, "/generated/Alpha-3.xml"));
}

/* A stopped import cancels its fetches; a podcast followed later is fetched all the same. */
static void
test_stop_and_follow (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) list = g_string_new ("<opml><body>");

  append_outlines (fixture, list, 60, 1, "");
  g_string_append (list, "</body></opml>");
  g_autoptr (GBytes) bytes = g_bytes_new (list->str, list->len);
  g_autoptr (GPtrArray) listed = ear_opml_parse (bytes, NULL);
  /* No scheduled refresh would fetch a forgotten podcast later. */
  g_object_set (fixture->parts->settings, "refresh-interval", 0, NULL);
  ear_importer_add (fixture->parts->importer, listed);
  EAR_TEST_WAIT_UNTIL (ear_test_get_uint (fixture->parts->importer, "done") >= 5);
  ear_importer_stop (fixture->parts->importer);
  g_assert_cmpuint (count_followed (fixture), <, 60);
  for (guint i = 0; i < listed->len; i++)
    {
      const EarListedPodcast *podcast = g_ptr_array_index (listed, i);

      ear_subscriptions_follow (fixture->parts->subscriptions, podcast->address, NULL);
    }
  g_assert_cmpuint (count_followed (fixture), ==, 60);
  /* Each has two episodes. */
  g_autoptr (EarEpisodeList) all =
    open_list (fixture, ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL));
  EAR_TEST_WAIT_UNTIL (has_rows (all, 120));
}

/* --- Databases of other programs ---------------------------------------------------- */

/* The listener follows a podcast, began one episode under a guid that its feed has changed
 * since, has two in the queue, and two that are no longer there. */
static const char antennapod[] =
  "CREATE TABLE Feeds (id INTEGER PRIMARY KEY, title, custom_title, download_url,"
  "  username, password, tags, state);"
  "CREATE TABLE FeedItems (id INTEGER PRIMARY KEY, title, read INTEGER, feed INTEGER,"
  "  item_identifier);"
  "CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY, download_url, position INTEGER,"
  "  feeditem INTEGER, playback_completion_date INTEGER, last_played_time INTEGER);"
  "CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);"
  "CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);"
  "INSERT INTO Feeds (id, title, download_url, state) VALUES"
  "  (1, 'Ant', '$/generated/Ant-6.xml', 0),"
  "  (2, 'On the card', 'antennapod_local:content://tree', 0),"
  "  (3, 'Left', '$/generated/Left-2.xml', 2);"
  "INSERT INTO FeedItems VALUES (1, '', 1, 1, 'made-0'), (2, '', 0, 1, 'formerly'),"
  "  (3, '', 0, 1, 'made-2'), (4, '', -1, 1, 'made-3'), (5, 'Gone', 0, 1, 'gone'),"
  "  (6, 'Heard and gone', 1, 1, 'heard'), (7, '', 1, 3, 'made-0');"
  "INSERT INTO FeedMedia (download_url, position, feeditem, last_played_time) VALUES"
  "  ('$/generated/audio/1.mp3', 42000, 2, 1700000000000);"
  "INSERT INTO Queue VALUES (0, 4, 1), (1, 3, 1), (2, 5, 1);"
  "INSERT INTO Favorites VALUES (1, 3, 1);";

static void
take_over_antennapod (Fixture *fixture)
{
  g_autofree char *path =
      g_build_filename (fixture->folder, "AntennaPodBackup-2026-11-29.db", NULL);
  g_autofree char *sql = dup_with_urls (fixture, antennapod);
  sqlite3 *handle;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
      g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);
      sqlite3_close (handle);
    }
  g_assert_cmpint (import_file (fixture, path, NULL), ==, 3);
  EAR_TEST_WAIT_UNTIL (ear_importer_get_finished (fixture->parts->importer));
}

/* Waits for the states of the first three episodes, and the queue. */
static void
expect_states (Fixture *fixture)
{
  g_autoptr (EarEpisode) one = dup_by_guid (fixture, get_podcast (fixture), "made-0");
  g_autoptr (EarEpisode) two = dup_by_guid (fixture, get_podcast (fixture), "made-1");
  g_autoptr (EarEpisode) three = dup_by_guid (fixture, get_podcast (fixture), "made-2");

  g_assert_cmpuint (count_followed (fixture), ==, 2);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_listened (one) && is_queue (fixture, "0 1 2 3 2") &&
                       ear_episode_get_position (two) == 42 * G_USEC_PER_SEC &&
                       ear_episode_get_liked (three));
}

/* Episodes that are added to the queue together have positions in the next seconds: those of the
 * import follow them. */
static void
test_antennapod (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fetch (fixture, "/generated/Beta-3.xml");
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (episodes, dup_by_guid (fixture, podcast, "made-0"));
  g_ptr_array_add (episodes, dup_by_guid (fixture, podcast, "made-1"));
  g_ptr_array_add (episodes, dup_by_guid (fixture, podcast, "made-2"));
  ear_queue_add_last (fixture->parts->queue, episodes);
  take_over_antennapod (fixture);
  expect_states (fixture);
  assert_omissions (fixture, "On the card: Only podcasts on the web can be followed \n"
                             "Left: Not followed in the other app \n"
                             "Ant: 1 episode is no longer in the feed Gone\n");
  /* A further import finds the podcast and its queue, and changes nothing. */
  take_over_antennapod (fixture);
  expect_states (fixture);
  g_assert_nonnull (fixture->undo);
  g_autoptr (EarUndo) undo = g_object_ref (fixture->undo);
  /* Later changes in Earmark take precedence. */
  g_autoptr (EarEpisode) episode = dup_by_guid (fixture, get_podcast (fixture), "made-0");
  ear_history_set_mark (fixture->parts->history, episode, EAR_MARK_LISTENED, FALSE);
  EAR_TEST_WAIT_UNTIL (!ear_episode_get_listened (episode));
  take_over_antennapod (fixture);
  ear_test_spin (50);
  g_assert_false (ear_episode_get_listened (episode));

  ear_undo_run (undo);
  g_assert_cmpuint (count_followed (fixture), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/import/" name, Fixture, NULL, set_up_import, func, tear_down)
  ADD ("import", test_import);
  ADD ("pages", test_pages);
  ADD ("pages/stopped", test_pages_stopped);
  ADD ("written-otherwise", test_written_otherwise);
  ADD ("episodes", test_episodes);
  ADD ("omissions", test_omissions);
  ADD ("undo", test_undo);
  ADD ("private", test_private);
  ADD ("no-list", test_no_list);
  ADD ("many", test_many);
  ADD ("stop", test_stop);
  ADD ("stop/followed", test_stop_followed);
  ADD ("stop/follow", test_stop_and_follow);
  ADD ("antennapod", test_antennapod);

  return g_test_run ();
}
