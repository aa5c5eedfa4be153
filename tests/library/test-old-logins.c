/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <libsecret/secret.h>
#include <string.h>

#include "ear-library-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "secret-service.h"
#include "served-library.h"

/* Podcasts that an earlier version followed at URLs with names and passwords */

#define WAY "/~status=401/feed.xml"

static GTestDBus *bus;
static SecretService *service;

static char *
dup_secret_address (Fixture *fixture)
{
  g_autofree char *plain = ear_test_server_dup_url (fixture->server, 1, WAY);

  return g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@", plain + strlen ("http://"), NULL);
}

static char *
dup_list_path (Fixture *fixture)
{
  return g_build_filename (fixture->data, "logins-kept", NULL);
}

static gboolean
has_list (Fixture *fixture)
{
  g_autofree char *path = dup_list_path (fixture);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
holds_password (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  gboolean found = FALSE;

  while (!found && dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *content = NULL;
      gsize length = 0;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        found = holds_password (path);
      else if (!g_str_has_prefix (name, "catalogue.db"))
        found = g_file_get_contents (path, &content, &length, NULL) &&
                memmem (content, length, EAR_TEST_PASSWORD, strlen (EAR_TEST_PASSWORD)) != NULL;
    }

  return found;
}

static void
write_subscriptions (Fixture *fixture, const char *first, const char *second)
{
  g_autofree char *path = dup_subscriptions_path (fixture);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *more = second != NULL ? g_strdup_printf (", \"%s\": {}", second) : g_strdup ("");
  g_autofree char *text = g_strdup_printf ("{\"version\": 1, \"kind\": \"subscriptions\", \"podcasts\": {\"%s\": {}%s}}", first, more);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static EarPodcast *
find_at (Fixture *fixture, const char *address)
{
  return ear_catalogue_find_exactly (fixture->library->catalogue, address);
}

static guint
count_podcasts (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_library_get_podcasts (fixture->library));
}

static EarEpisode *
dup_episode (Fixture *fixture, const char *guid)
{
  return ear_catalogue_dup_episode_by_guid (fixture->library->catalogue, get_podcast (fixture), guid);
}

/* Sets up a podcast as an earlier version left it, with a mark, a download and an episode
 * in the player. */
static void
live_with (Fixture *fixture, const char *address)
{
  put_feed (fixture, 1, 5);
  ear_test_server_put (fixture->server, "/audio/3.mp3", "audio/mpeg", "ID3, or so");
  write_subscriptions (fixture, address, NULL);
  open_and_wait (fixture, NULL);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_cmpstr (ear_podcast_get_address (get_podcast (fixture)), ==, address);
  {
    g_autoptr (EarEpisode) marked = dup_episode (fixture, "lamp-2");
    g_autoptr (EarEpisode) downloaded = dup_episode (fixture, "lamp-3");

    ear_history_set_mark (ear_library_get_history (fixture->library), marked, EAR_MARK_LISTENED, TRUE);
    ear_history_set_mark (ear_library_get_history (fixture->library), marked, EAR_MARK_LIKED, TRUE);
    ear_downloader_download (ear_library_get_downloader (fixture->library), downloaded);
    EAR_TEST_WAIT_UNTIL (ear_episode_get_download (downloaded) == EAR_DOWNLOAD_DONE);
    ear_userdata_store_set_now (fixture->library->state, downloaded, 7 * G_TIME_SPAN_SECOND);
  }
}

static void
assert_lived (Fixture *fixture, const char *address)
{
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  g_assert_true (get_podcast (fixture) == find_at (fixture, address));
  g_assert_cmpstr (ear_podcast_get_feed_address (get_podcast (fixture)), ==, address);
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 5);
  {
    g_autoptr (EarEpisode) marked = dup_episode (fixture, "lamp-2");
    g_autoptr (EarEpisode) downloaded = dup_episode (fixture, "lamp-3");

    g_assert_true (ear_episode_get_listened (marked));
    g_assert_true (ear_episode_get_liked (marked));
    EAR_TEST_WAIT_UNTIL (ear_episode_get_download (downloaded) == EAR_DOWNLOAD_DONE);
    EAR_TEST_WAIT_UNTIL (ear_episode_get_position (downloaded) == 7 * G_TIME_SPAN_SECOND);
  }
}

static gboolean
is_quiet (Fixture *fixture)
{
  return !ear_podcast_get_refreshing (get_podcast (fixture));
}

/* The logins move to the keyring, and everything known of the podcast moves to the URL
 * without them. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_secret_address (fixture);
  g_autofree char *plain = ear_test_server_dup_url (fixture->server, 1, WAY);
  const guint n_before = secret_service_stand_in_count (service);

  live_with (fixture, address);
  EAR_TEST_WAIT_UNTIL (has_list (fixture));
  g_assert_cmpuint (secret_service_stand_in_count (service), ==, n_before + 1);
  library_fixture_close (&fixture->library);
  g_assert_true (holds_password (fixture->data));

  open_and_wait (fixture, NULL);
  g_assert_false (has_list (fixture));
  assert_lived (fixture, plain);
  g_assert_false (holds_password (fixture->data));
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));
  library_fixture_close (&fixture->library);

  /* The next start keeps it that way. */
  open_and_wait (fixture, NULL);
  assert_lived (fixture, plain);
  library_fixture_close (&fixture->library);
  g_assert_false (holds_password (fixture->data));
  g_assert_false (has_list (fixture));
}

/* Killed halfway, the move is repeated. */
static void
test_moved_twice (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_secret_address (fixture);
  g_autofree char *plain = ear_test_server_dup_url (fixture->server, 1, WAY);
  g_autofree char *path = dup_list_path (fixture);

  live_with (fixture, address);
  EAR_TEST_WAIT_UNTIL (has_list (fixture));
  library_fixture_close (&fixture->library);
  open_and_wait (fixture, NULL);
  library_fixture_close (&fixture->library);
  g_assert_true (g_file_set_contents (path, address, -1, NULL));

  open_and_wait (fixture, NULL);
  g_assert_false (has_list (fixture));
  assert_lived (fixture, plain);
}

/* Another machine has followed the URL without a login meanwhile, and writes its old
 * state again. */
static void
test_beside_the_plain_one (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_secret_address (fixture);
  g_autofree char *plain = ear_test_server_dup_url (fixture->server, 1, WAY);

  live_with (fixture, address);
  EAR_TEST_WAIT_UNTIL (has_list (fixture));
  library_fixture_close (&fixture->library);
  write_subscriptions (fixture, address, plain);

  open_and_wait (fixture, NULL);
  assert_lived (fixture, plain);
  library_fixture_close (&fixture->library);
  write_subscriptions (fixture, address, plain);

  open_and_wait (fixture, NULL);
  assert_lived (fixture, plain);
}

static void
count_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer n)
{
  if (g_str_has_prefix (message, "The passwords of 1 podcasts stay in their addresses"))
    (*(guint *) n)++;
}

/* Without a keyring nothing changes, and one notice reports that. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_secret_address (fixture);
  guint n = 0;
  guint handler = g_log_set_handler ("earmark-library", G_LOG_LEVEL_MESSAGE, count_cb, &n);

  secret_service_stand_in_refuse (service, TRUE);
  live_with (fixture, address);
  EAR_TEST_WAIT_UNTIL (n == 1);
  library_fixture_close (&fixture->library);
  secret_service_stand_in_refuse (service, FALSE);
  g_log_remove_handler ("earmark-library", handler);
  g_assert_false (has_list (fixture));
}

int
main (int argc, char *argv[])
{
  int status;

  g_setenv ("SECRET_BACKEND", "service", TRUE);
  g_test_init (&argc, &argv, NULL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  service = secret_service_stand_in_new (g_test_dbus_get_bus_address (bus));

#define ADD(path, test) g_test_add ("/old-logins/" path, Fixture, NULL, set_up, test, tear_down)
  ADD ("moved", test_moved);
  ADD ("moved-twice", test_moved_twice);
  ADD ("beside-the-plain-one", test_beside_the_plain_one);
  ADD ("refused", test_refused);
#undef ADD
  status = g_test_run ();

  /* libsecret never releases the bus, as in test-keyring.c. */
  g_clear_pointer (&service, secret_service_stand_in_free);
  secret_service_disconnect ();

  return status;
}
