/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-error.h"
#include "ear-player-private.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "served-library.h"

/* Podcasts that require a login */

static void
put_members_feed (Fixture *fixture, const char *enclosure)
{
  /* A second of silence; no test plays it. */
  static const guint8 head[] = "RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\x40\x1f\0\0";
  GByteArray *sound = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *feed =
    g_strdup_printf ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Members</title><item><guid>m</guid>"
                     "<title>For you</title><enclosure url=\"%s\" type=\"audio/wav\" length=\"8044\"/></item></channel></rss>", enclosure);

  g_byte_array_append (sound, head, 44);
  g_byte_array_set_size (sound, 8044);
  memset (sound->data + 44, 128, 8000);
  bytes = g_byte_array_free_to_bytes (sound);
  ear_test_server_put_bytes (fixture->server, "/a.wav", "audio/wav", bytes);
  ear_test_server_put (fixture->server, "/members.xml", "application/rss+xml", feed);
}

typedef struct
{
  gboolean answered;
  gboolean accepted;
  GError *error;
} SignIn;

static void
signed_in_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  SignIn *answer = user_data;

  answer->accepted = ear_logins_sign_in_finish (EAR_LOGINS (source), result, &answer->error);
  answer->answered = TRUE;
}

/* Returns: whether the server accepts the login */
static gboolean
sign_in (Fixture *fixture, const char *user, const char *password)
{
  SignIn answer = { 0 };

  ear_logins_sign_in_async (ear_library_get_logins (fixture->library), get_podcast (fixture), user, password, NULL, signed_in_cb, &answer);
  EAR_TEST_WAIT_UNTIL (answer.answered);
  if (answer.accepted)
    g_assert_no_error (answer.error);
  else
    g_assert_error (answer.error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN);
  g_clear_error (&answer.error);

  return answer.accepted;
}

static gboolean
is_quiet (Fixture *fixture)
{
  return !ear_podcast_get_refreshing (get_podcast (fixture));
}

static void
test_sign_in (Fixture *fixture, gconstpointer data)
{
  guint notices = 0;

  put_members_feed (fixture, "@BASE@/a.wav");
  open_library (fixture, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (count_signal_cb), &notices);
  follow (fixture, "/~status=401/members.xml");
  EAR_TEST_WAIT_UNTIL (has_error (fixture));
  g_assert_true (ear_podcast_get_needs_password (get_podcast (fixture)));

  g_assert_error (ear_podcast_get_error (get_podcast (fixture)), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);

  g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
  g_assert_true (ear_podcast_get_needs_password (get_podcast (fixture)));
  ear_test_spin (100);
  g_assert_cmpuint (notices, ==, 0);

  g_assert_true (sign_in (fixture, EAR_TEST_USER, EAR_TEST_PASSWORD));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  /* This session has no bus, and so no Secret Service to store the login; the notice may
   * come a little later. */
  EAR_TEST_WAIT_UNTIL (notices == 1);
  g_assert_false (ear_podcast_get_needs_password (get_podcast (fixture)));
  g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture)), ==, 1);

  /* From then on the login is sent with the first request. */
  ear_test_server_clear_log (fixture->server);
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);

  /* A mistyped password does not replace it. */
  g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));
  g_assert_cmpuint (notices, ==, 1);
}

/* An imported list may have a wrong password for a followed podcast: it is tried, and not
 * stored. */
static void
test_login_in_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plain = NULL;
  g_autofree char *right = NULL;
  g_autofree char *wrong = NULL;

  put_members_feed (fixture, "@BASE@/a.wav");
  open_and_wait (fixture, NULL);
  /* The password is stored for the URL as the listener wrote it. */
  plain = ear_test_server_dup_url (fixture->server, 1, "/~status=401/members.xml?");
  right = g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@", plain + strlen ("http://"), NULL);
  wrong = g_strconcat ("http://" EAR_TEST_USER ":wrong@", plain + strlen ("http://"), NULL);
  follow (fixture, "/~status=401/members.xml");
  EAR_TEST_WAIT_UNTIL (has_error (fixture));

  g_assert_true (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), right, NULL) == get_podcast (fixture));
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));

  g_assert_true (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), wrong, NULL) == get_podcast (fixture));
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));
}

static gboolean
holds (const char *folder, const char *secret)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  gboolean found = FALSE;

  while (!found && dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *content = NULL;
      gsize length = 0;

      found = g_file_test (path, G_FILE_TEST_IS_DIR) ? holds (path, secret)
                                                     : g_file_get_contents (path, &content, &length, NULL) &&
                                                         memmem (content, length, secret, strlen (secret)) != NULL;
    }

  return found;
}

/* A name and password in a URL are sent to its server, and written to no file. */
static void
test_login_in_address (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plain = NULL;
  g_autofree char *address = NULL;
  guint notices = 0;
  EarPodcast *podcast;

  put_members_feed (fixture, "@BASE@/a.wav");
  open_library (fixture, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (count_signal_cb), &notices);
  plain = ear_test_server_dup_url (fixture->server, 1, "/~status=401/members.xml");
  address = g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@", plain + strlen ("http://"), NULL);

  podcast = ear_subscriptions_preview (ear_library_get_subscriptions (fixture->library), address, NULL);
  g_assert_cmpstr (ear_podcast_get_address (podcast), ==, plain);
  g_assert_true (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, "Members") == podcast);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 1);
  /* This session has no keyring; one notice reports that, not one for each password. */
  EAR_TEST_WAIT_UNTIL (notices > 0);
  ear_test_spin (100);
  g_assert_cmpuint (notices, ==, 1);
  g_assert_true (ear_subscriptions_find (ear_library_get_subscriptions (fixture->library), address) == podcast);
  g_assert_true (ear_subscriptions_find (ear_library_get_subscriptions (fixture->library), plain) == podcast);
  g_assert_true (ear_subscriptions_add (ear_library_get_subscriptions (fixture->library), address, NULL) == podcast);

  library_fixture_close (&fixture->library);
  g_assert_true (holds (fixture->folder, "Members"));
  g_assert_false (holds (fixture->folder, EAR_TEST_PASSWORD));
}

static gboolean
has_moved (Fixture *fixture)
{
  return !g_str_has_suffix (ear_podcast_get_feed_address (get_podcast (fixture)), "/old.xml");
}

/* A login in the URL to which a feed has moved is not written to a file, either. */
static void
test_login_in_moved_address (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plain = ear_test_server_dup_url (fixture->server, 1, "/~status=401/moved.xml");
  g_autofree char *address = g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@", plain + strlen ("http://"), NULL);
  g_autofree char *feed =
    g_strdup_printf ("<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>Elsewhere</title>"
                     "<itunes:new-feed-url>%s</itunes:new-feed-url><item><guid>m</guid><title>One</title></item></channel></rss>", address);
  g_autofree char *subscriptions = dup_subscriptions_path (fixture);
  g_autofree char *text = NULL;

  ear_test_server_put (fixture->server, "/old.xml", "application/rss+xml", feed);
  ear_test_server_put (fixture->server, "/moved.xml", "application/rss+xml", feed);
  open_library (fixture, NULL);
  follow (fixture, "/old.xml");
  EAR_TEST_WAIT_UNTIL (has_moved (fixture));
  g_assert_cmpstr (ear_podcast_get_feed_address (get_podcast (fixture)), ==, plain);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  ear_refresher_refresh (ear_library_get_refresher (fixture->library), get_podcast (fixture), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_quiet (fixture));
  g_assert_no_error (ear_podcast_get_error (get_podcast (fixture)));

  library_fixture_close (&fixture->library);
  g_assert_true (g_file_get_contents (subscriptions, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "/moved.xml"));
  g_assert_null (strstr (text, EAR_TEST_PASSWORD));
}

#define MEDIA "/~status=401/a.wav"

static gboolean
is_refused (Fixture *fixture)
{
  return ear_error_wants_login (ear_player_get_error (ear_library_get_player (fixture->library)));
}

static gboolean
is_served (Fixture *fixture)
{
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, MEDIA);

  return request != NULL && request->status >= 200 && request->status < 300;
}

/* Plays in real time, without sound. */
static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

/* The server of the sound requires a login, though that of the feed did not. */
static void
test_sign_in_to_sound (Fixture *fixture, gconstpointer data)
{
  EarPlayer *player;
  guint notices = 0;

  put_members_feed (fixture, "@BASE@" MEDIA);
  open_library (fixture, NULL);
  player = ear_library_get_player (fixture->library);
  ear_player_set_sink (player, make_sink_cb, NULL);
  g_signal_connect_swapped (ear_library_get_notices (fixture->library), "notice", G_CALLBACK (count_signal_cb), &notices);
  follow (fixture, "/members.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  {
    g_autoptr (EarEpisodeList) list = list_all (fixture);
    g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (list), 0);

    ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                  NULL);
    EAR_TEST_WAIT_UNTIL (is_refused (fixture));
    g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
    g_assert_true (is_refused (fixture));
    ear_test_spin (100);
    g_assert_cmpuint (notices, ==, 0);
    /* The wrong login was not stored: another attempt asks for it again. */
    ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                  NULL);
    EAR_TEST_WAIT_UNTIL (is_refused (fixture));
    g_assert_error (ear_player_get_error (player), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
    g_assert_true (sign_in (fixture, EAR_TEST_USER, EAR_TEST_PASSWORD));
    EAR_TEST_WAIT_UNTIL (is_served (fixture));
    /* The listener wanted the login stored. */
    EAR_TEST_WAIT_UNTIL (notices == 1);
  }
}

static gboolean
is_download_over (EarEpisode *episode)
{
  return ear_episode_get_download (episode) == EAR_DOWNLOAD_FAILED || ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;
}

/* A download from a server that requires a login */
static void
test_sign_in_to_download (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = NULL;
  g_autoptr (EarEpisode) episode = NULL;

  put_members_feed (fixture, "@BASE@" MEDIA);
  open_and_wait (fixture, NULL);
  follow (fixture, "/members.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  list = list_all (fixture);
  episode = g_list_model_get_item (G_LIST_MODEL (list), 0);

  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_download_over (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
  g_assert_true (sign_in (fixture, EAR_TEST_USER, EAR_TEST_PASSWORD));
  EAR_TEST_WAIT_UNTIL (is_download_over (episode));
  g_assert_no_error (ear_episode_get_download_error (episode));
  g_assert_cmpint (ear_episode_get_download (episode), ==, EAR_DOWNLOAD_DONE);
}

/* A slow server has not accepted the login before it answers. */
static void
test_sign_in_slowly (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = NULL;
  g_autoptr (EarEpisode) episode = NULL;

  put_members_feed (fixture, "@BASE@/~delay=700" MEDIA);
  open_and_wait (fixture, NULL);
  follow (fixture, "/members.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  list = list_all (fixture);
  episode = g_list_model_get_item (G_LIST_MODEL (list), 0);

  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_download_over (episode));
  g_assert_false (sign_in (fixture, EAR_TEST_USER, "wrong"));
}

/* A downloaded episode plays without its server. */
static void
test_play_downloaded (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeList) list = NULL;
  g_autoptr (EarEpisode) episode = NULL;
  EarPlayer *player;

  put_members_feed (fixture, "@BASE@/a.wav");
  open_and_wait (fixture, NULL);
  player = ear_library_get_player (fixture->library);
  ear_player_set_sink (player, make_sink_cb, NULL);
  follow (fixture, "/members.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  list = list_all (fixture);
  episode = g_list_model_get_item (G_LIST_MODEL (list), 0);
  ear_downloader_download (ear_library_get_downloader (fixture->library), episode);
  EAR_TEST_WAIT_UNTIL (is_download_over (episode));
  ear_test_server_clear_log (fixture->server);

  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (player) == EAR_PLAYER_ENDED);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 0);

  /* The download is removed while in the player: the next start streams it. */
  ear_downloader_remove (ear_library_get_downloader (fixture->library), episode);
  ear_playback_controller_play (ear_library_get_playback_controller (fixture->library), episode,
                                NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (player) == EAR_PLAYER_PLAYING);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/a.wav"), >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add ("/library-logins/" path, Fixture, NULL, set_up, test, tear_down)
  ADD ("sign-in", test_sign_in);
  ADD ("login-in-address", test_login_in_address);
  ADD ("login-in-list", test_login_in_list);
  ADD ("login-in-moved-address", test_login_in_moved_address);
  ADD ("sign-in-to-sound", test_sign_in_to_sound);
  ADD ("sign-in-to-download", test_sign_in_to_download);
  ADD ("sign-in-slowly", test_sign_in_slowly);
  ADD ("play-downloaded", test_play_downloaded);
#undef ADD

  return g_test_run ();
}
