/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"
#include "ear-test-wait.h"
#include "import-fixture.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Lists of podcasts, imported from and exported to files */

static char *
export_text (Fixture *fixture, gboolean with_private)
{
  g_autoptr (GBytes) list = ear_subscriptions_export (ear_library_get_subscriptions (fixture->library), with_private);

  return g_strndup (g_bytes_get_data (list, NULL), g_bytes_get_size (list));
}

static char *
make_list (Fixture *fixture)
{
  const char *base = ear_test_server_get_base_url (fixture->server);

  return g_strdup_printf ("<opml><body>"
                          "<outline text='News &amp; more'><outline text='Deep'><outline xmlUrl='%s/generated/Alpha-3.xml'/></outline>"
                          "<outline text='Beta in the list' xmlUrl='%s/generated/Beta-2.xml'/></outline>"
                          "<outline text='Gone' xmlUrl='%s/missing.xml'/><outline text='Page' xmlUrl='%s/~html/x'/>"
                          "<outline xmlUrl='%s/generated/Beta-2.xml'/><outline xmlUrl='javascript:alert(1)'/>"
                          "</body></opml>",
                          base, base, base, base, base);
}

static void
test_import (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);
  EarImporter *importer;
  GListModel *failures;

  import_text (fixture, list);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (fixture->n_imported, ==, 4);
  wait_for (fixture, import_is_finished);
  importer = ear_library_get_importer (fixture->library);
  /* One of them is in the list twice. */
  g_assert_cmpuint (ear_importer_get_total (importer), ==, 5);
  g_assert_cmpuint (ear_importer_get_done (importer), ==, 5);
  g_assert_cmpuint (ear_importer_get_n_repeated (importer), ==, 1);
  g_assert_cmpuint (count_podcasts (fixture), ==, 4);

  failures = ear_importer_get_failures (importer);
  g_assert_cmpuint (g_list_model_get_n_items (failures), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (failures, i);
      const char *title = ear_podcast_get_title (podcast);
      const GError *error = ear_podcast_get_error (podcast);

      if (g_str_equal (title, "Gone"))
        g_assert_error (error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
      else
        g_assert_error (error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
    }
}

static guint
count_failures (Fixture *fixture)
{
  EarImporter *importer = ear_library_get_importer (fixture->library);

  return g_list_model_get_n_items (ear_importer_get_failures (importer));
}

/* A podcast is a failure until it is fetched or unfollowed. */
static void
test_mended (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *list = make_list (fixture);
  g_autofree char *gone = g_strconcat (base, "/missing.xml", NULL);
  g_autofree char *page = g_strconcat (base, "/~html/x", NULL);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (fixture->library);
  EarPodcast *podcast;

  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (count_failures (fixture), ==, 2);
  ear_subscriptions_unfollow (subscriptions, ear_subscriptions_find (subscriptions, page));
  g_assert_cmpuint (count_failures (fixture), ==, 1);

  podcast = ear_subscriptions_find (subscriptions, gone);
  ear_test_server_put (fixture->server, "/missing.xml", "application/rss+xml",
                       "<rss version=\"2.0\"><channel><title>Back</title></channel></rss>");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), podcast, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (count_failures (fixture) == 0);
  g_assert_no_error (ear_podcast_get_error (podcast));
}

/* A list may have the web page of a podcast in place of its feed: the first feed that the
 * page links to is followed instead, unless it is followed already. */
static void
test_pages (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *list = g_strdup_printf ("<opml><body><outline text='Folder'><outline text='Ours' xmlUrl='%s/page'/></outline>"
                                           "<outline xmlUrl='%s/generated/Beta-2.xml'/><outline xmlUrl='%s/other'/>"
                                           "<outline xmlUrl='%s/empty'/></body></opml>",
                                           base, base, base, base);
  g_autoptr (EarPodcast) ours = NULL;
  EarImporter *importer;

  ear_test_server_put (fixture->server, "/page", "text/html", "<!DOCTYPE html><html><head><title>A page</title>"
                       "<link rel=alternate type=application/rss+xml href=/generated/Alpha-3.xml>"
                       "<link rel=alternate type=application/rss+xml href=/generated/Comments-9.xml></head><body>Hello</body></html>");
  ear_test_server_put (fixture->server, "/other", "text/html", "<!DOCTYPE html><html><head><title>Another page</title>"
                       "<link rel=alternate type=application/rss+xml href=/generated/Beta-2.xml></head><body>Hello</body></html>");
  ear_test_server_put (fixture->server, "/empty", "text/html", "<!DOCTYPE html><html><head><title>No feed</title></head><body>Hello</body></html>");
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);

  importer = ear_library_get_importer (fixture->library);
  g_assert_cmpuint (ear_importer_get_total (importer), ==, 4);
  g_assert_cmpuint (ear_importer_get_done (importer), ==, 4);
  g_assert_cmpuint (g_list_model_get_n_items (ear_importer_get_failures (importer)), ==, 1);
  g_assert_cmpuint (count_podcasts (fixture), ==, 3);
  g_assert_cmpuint (ear_importer_get_added (importer)->len, ==, 3);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 3 podcasts");
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), i);

      if (g_str_has_suffix (ear_podcast_get_address (podcast), "/generated/Alpha-3.xml"))
        g_set_object (&ours, podcast);
    }
  g_assert_nonnull (ours);
  g_assert_cmpuint (ear_podcast_get_n_episodes (ours), ==, 3);
}

static void
stop_cb (Fixture *fixture)
{
  ear_importer_stop (ear_library_get_importer (fixture->library));
}

/* The next import of a list does not get the page that a stopped one asked for. */
static void
test_pages_stopped (Fixture *fixture, gconstpointer data)
{
  EarRefresher *refresher = ear_library_get_refresher (fixture->library);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (fixture->library);
  g_autofree char *address = g_strconcat (ear_test_server_get_base_url (fixture->server), "/page", NULL);
  g_autofree char *list = g_strdup_printf ("<opml><body><outline xmlUrl='%s'/></body></opml>", address);

  ear_test_server_put (fixture->server, "/links", "text/html", "<!DOCTYPE html><html><head><title>A page</title>"
                       "<link rel=alternate type=application/rss+xml href=/generated/Alpha-3.xml></head><body>Hello</body></html>");
  ear_test_server_put_way (fixture->server, "/page", "/~delay=500/links");
  g_signal_connect_swapped (refresher, "refreshed", G_CALLBACK (stop_cb), fixture);
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);

  g_signal_handlers_disconnect_by_func (refresher, stop_cb, fixture);
  ear_test_spin (100);
  ear_test_server_put_way (fixture->server, "/page", "/~mute/links");
  import_text (fixture, list);
  ear_test_spin (800);
  g_assert_false (import_is_finished (fixture));
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  g_assert_nonnull (ear_subscriptions_find (subscriptions, address));
}

/* A podcast is not followed twice because the list spells its URL differently. */
static void
test_written_otherwise (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *alpha = g_strconcat (base, "/generated/Alpha-3.xml", NULL);
  g_autofree char *list = g_strdup_printf ("<opml><body><outline xmlUrl='%s//generated/Alpha-3.xml'/>"
                                           "<outline xmlUrl='%s/generated/%%42eta-2.xml'/><outline xmlUrl='%s/generated/Beta-2.xml/'/>"
                                           "<outline xmlUrl='%s//generated/Alpha-3.xml'/></body></opml>",
                                           base, base, base, base);

  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), alpha, NULL);
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  g_assert_cmpuint (ear_importer_get_done (ear_library_get_importer (fixture->library)), ==, 4);
  g_assert_cmpuint (ear_importer_get_n_repeated (ear_library_get_importer (fixture->library)), ==, 2);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 1 podcast");
}

static gboolean
is_merged (Fixture *fixture)
{
  return count_podcasts (fixture) == 1;
}

/* A second import recognizes two URLs that the first one merged. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *list = g_strdup_printf ("<opml><body><outline xmlUrl='%s/generated/Alpha-3.xml'/>"
                                           "<outline xmlUrl='%s/old.xml'/></body></opml>", base, base);
  EarImporter *importer;

  ear_test_server_put_way (fixture->server, "/old.xml", "/~redirect=301/generated/Alpha-3.xml");
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  wait_for (fixture, is_merged);

  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  importer = ear_library_get_importer (fixture->library);
  g_assert_cmpuint (ear_importer_get_added (importer)->len, ==, 0);
  g_assert_cmpuint (ear_importer_get_n_repeated (importer), ==, 1);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
}

static EarEpisode *
dup_episode (Fixture *fixture, const char *guid)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);
  EarEpisode *episode = ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (fixture->library), podcast, guid);

  g_assert_nonnull (episode);

  return episode;
}

/* Episodes in a list are marked, not followed: once their feed is fetched, or at once. */
static void
test_episodes (Fixture *fixture, gconstpointer data)
{
  static const char feed[] = "<rss version='2.0'><channel><title>Harbour</title>"
                             "<item><title>Three</title><guid>h-3</guid><enclosure url='/3.mp3' type='audio/mpeg'/></item>"
                             "<item><title>Two</title><guid>h-2</guid><enclosure url='/2.mp3' type='audio/mpeg'/></item>"
                             "<item><title>One</title><guid>h-1</guid><enclosure url='/1.mp3' type='audio/mpeg'/></item></channel></rss>";
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *list = NULL;
  g_autofree char *more = NULL;
  g_autoptr (EarEpisode) one = NULL;
  g_autoptr (EarEpisode) two = NULL;
  g_autoptr (EarEpisode) three = NULL;

  ear_test_server_put (fixture->server, "/harbour.xml", "application/rss+xml", feed);
  list = g_strdup_printf ("<opml><body><outline text='feeds'><outline type='rss' text='Harbour' xmlUrl='%s/harbour.xml'>"
                          "<outline type='podcast-episode' url='%s/1' enclosureUrl='%s/1.mp3' played='1'/>"
                          "<outline type='podcast-episode' url='%s/2' enclosureUrl='%s/2.mp3' progress='410'/>"
                          "<outline type='podcast-episode' url='%s/9' enclosureUrl='%s/9.mp3' played='1'/>"
                          "</outline></outline></body></opml>",
                          base, base, base, base, base, base, base);
  import_text (fixture, list);
  g_assert_cmpint (fixture->n_imported, ==, 1);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  one = dup_episode (fixture, "h-1");
  two = dup_episode (fixture, "h-2");
  three = dup_episode (fixture, "h-3");
  g_assert_true (ear_episode_get_listened (one));
  g_assert_cmpint (ear_episode_get_position (two), ==, 410 * G_TIME_SPAN_SECOND);
  g_assert_false (ear_episode_get_listened (two));
  g_assert_false (ear_episode_get_listened (three));

  more = g_strdup_printf ("<opml><body><outline xmlUrl='%s/harbour.xml'><outline type='podcast-episode' enclosureUrl='%s/3.mp3'"
                          " played='1'/></outline></body></opml>", base, base);
  import_text (fixture, more);
  wait_for (fixture, import_is_finished);
  while (!ear_episode_get_listened (three))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (ear_episode_get_position (two), ==, 410 * G_TIME_SPAN_SECOND);
}

/* A feed that never arrived lacks no episodes. */
static void
test_episodes_awaited (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *address = g_strconcat (base, "/missing.xml", NULL);
  g_autofree char *list = g_strdup_printf ("<opml><body><outline xmlUrl='%s'><outline type='podcast-episode' enclosureUrl='%s/1.mp3'"
                                           " progress='60'/></outline></body></opml>", address, base);
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  EarImporter *importer;

  EAR_TEST_WAIT_UNTIL (ear_podcast_get_error (podcast) != NULL);
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  importer = ear_library_get_importer (fixture->library);
  g_assert_cmpuint (ear_importer_get_done (importer), ==, 1);
  g_assert_cmpuint (ear_importer_get_omissions (importer)->len, ==, 0);
}

/* A podcast without a title is listed without the login of its address. */
static void
test_untitled (Fixture *fixture, gconstpointer data)
{
  const EarImportOmission *omission;
  GPtrArray *omissions;

  import_text (fixture, "<opml><body><outline subscribed='0' xmlUrl='https://me:secret@example.org/a'/></body></opml>");
  wait_for (fixture, import_is_finished);
  omissions = ear_importer_get_omissions (ear_library_get_importer (fixture->library));
  g_assert_cmpuint (omissions->len, ==, 1);
  omission = g_ptr_array_index (omissions, 0);
  g_assert_cmpstr (omission->title, ==, "example.org");
}

static void
assert_finished_cb (Fixture *fixture)
{
  g_assert_true (import_is_finished (fixture));
}

static void
test_undo (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);
  g_autofree char *alpha = g_strconcat (ear_test_server_get_base_url (fixture->server), "/generated/Alpha-3.xml", NULL);

  /* Podcasts followed earlier are left alone. */
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), alpha, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (assert_finished_cb), fixture);
  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (count_podcasts (fixture), ==, 4);
  g_assert_nonnull (fixture->undo);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Followed 3 podcasts");
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
}

static void
test_unfollow_failed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);

  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  ear_importer_unfollow_failed (ear_library_get_importer (fixture->library));
  g_assert_cmpuint (count_podcasts (fixture), ==, 2);
  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 4);
}

/* The export contains the folders of the import. */
static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_list (fixture);
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  import_text (fixture, list);
  wait_for (fixture, import_is_finished);
  text = export_text (fixture, FALSE);
  g_assert_nonnull (strstr (text, "<outline text=\"News &amp; more\">"));
  g_assert_nonnull (strstr (text, "<outline text=\"Deep\">"));
  g_assert_nonnull (strstr (text, "text=\"Beta\""));
  g_assert_null (strstr (text, "Beta in the list"));

  ear_undo_run (fixture->undo);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
  import_text (fixture, text);
  wait_for (fixture, import_is_finished);
  again = export_text (fixture, FALSE);
  g_assert_cmpstr (strstr (again, "<body>"), ==, strstr (text, "<body>"));
}

static void
test_private (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *open = g_strconcat (base, "/generated/Open-1.xml", NULL);
  g_autofree char *secret = g_strconcat (base, "/generated/Secret-1.xml?auth=hush", NULL);
  g_autofree char *text = NULL;
  g_autofree char *all = NULL;

  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), open, NULL);
  g_assert_cmpuint (ear_subscriptions_count_private (ear_library_get_subscriptions (fixture->library)), ==, 0);
  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), secret, NULL);
  g_assert_cmpuint (ear_subscriptions_count_private (ear_library_get_subscriptions (fixture->library)), ==, 1);
  text = export_text (fixture, FALSE);
  g_assert_nonnull (strstr (text, "Open-1"));
  g_assert_null (strstr (text, "hush"));
  all = export_text (fixture, TRUE);
  g_assert_nonnull (strstr (all, "hush"));
}

static void
test_no_list (Fixture *fixture, gconstpointer data)
{
  import_text (fixture, "Dear diary");
  g_assert_error (fixture->error, EAR_ERROR, EAR_ERROR_NOT_XML);
  import_text (fixture, "<opml><body/></opml>");
  g_assert_no_error (fixture->error);
  g_assert_cmpint (fixture->n_imported, ==, 0);
  g_assert_cmpuint (count_podcasts (fixture), ==, 0);
}

/* The file claims to be empty, and has gigabytes. Callers on the bus can name any
 * file. */
static void
test_endless (Fixture *fixture, gconstpointer data)
{
  const char *path = "/proc/self/pagemap";

  if (access (path, R_OK) != 0)
    {
      g_test_skip ("The file does not exist");
      return;
    }
  import_file (fixture, path);
  g_assert_nonnull (fixture->error);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

  ADD_IMPORT_TEST ("import", test_import);
  ADD_IMPORT_TEST ("mended", test_mended);
  ADD_IMPORT_TEST ("pages", test_pages);
  ADD_IMPORT_TEST ("pages/stopped", test_pages_stopped);
  ADD_IMPORT_TEST ("written-otherwise", test_written_otherwise);
  ADD_IMPORT_TEST ("merged", test_merged);
  ADD_IMPORT_TEST ("episodes", test_episodes);
  ADD_IMPORT_TEST ("episodes/awaited", test_episodes_awaited);
  ADD_IMPORT_TEST ("untitled", test_untitled);
  ADD_IMPORT_TEST ("undo", test_undo);
  ADD_IMPORT_TEST ("unfollow-failed", test_unfollow_failed);
  ADD_IMPORT_TEST ("round-trip", test_round_trip);
  ADD_IMPORT_TEST ("private", test_private);
  ADD_IMPORT_TEST ("no-list", test_no_list);
  ADD_IMPORT_TEST ("endless", test_endless);

  return g_test_run ();
}
