/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "downloads-fixture.h"
#include "ear-error.h"
#include "ear-test-made.h"
#include "playing-fixture.h"

/* Podcasts that require a login */

#define FEED "/~status=401/members.xml"
#define MEDIA "/~status=401/a.wav"

static void
put_members_feed (Fixture *fixture, const char *enclosure)
{
  g_autoptr (GBytes) sound = ear_test_made_sound (1);

  ear_test_server_put_bytes (fixture->server, "/a.wav", "audio/wav", sound);
  put_format (fixture, "/members.xml",
              RSS ("Members", "<item><guid>lamp-1</guid><title>For you</title><enclosure "
                              "url=\"@BASE@%s\" type=\"audio/wav\" length=\"16044\"/></item>"),
              enclosure);
  open_and_wait (fixture, NULL);
}

/* Follows a feed with this media, which itself needs no login. */
static EarEpisode *
follow_with (Fixture *fixture, const char *enclosure)
{
  put_members_feed (fixture, enclosure);
  play_silently (fixture->player);
  fetch (fixture, "/members.xml");

  return get_lamp (fixture, 1);
}

/* Returns: whether the server accepts the login */
static gboolean
sign_in (Fixture *fixture, const char *password)
{
  EarLogins *logins = fixture->parts->logins;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  ear_logins_sign_in_async (logins, get_podcast (fixture), EAR_TEST_USER, password, NULL,
                            ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  gboolean accepted = g_task_propagate_boolean (G_TASK (result), &error);
  if (accepted)
    g_assert_no_error (error);
  else
    g_assert_error (error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN);

  return accepted;
}

/* Returns: the URL of a path on the server, with a login */
static char *
dup_with_login (Fixture *fixture, const char *path, const char *password)
{
  return g_strdup_printf ("http://" EAR_TEST_USER ":%s@%s", password,
                          get_url (fixture, path) + strlen ("http://"));
}

/* Without a bus no Secret Service stores a login: one notice reports that, maybe later. */
static void
test_sign_in (Fixture *fixture, gconstpointer data)
{
  put_members_feed (fixture, "/a.wav");
  EarPodcast *podcast = fetch (fixture, FEED);
  g_assert_true (ear_podcast_get_needs_password (podcast));
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);

  g_assert_false (sign_in (fixture, "wrong"));
  g_assert_true (ear_podcast_get_needs_password (podcast));
  ear_test_spin (100);
  g_assert_cmpuint (fixture->n_notices, ==, 0);

  g_assert_true (sign_in (fixture, EAR_TEST_PASSWORD));
  EAR_TEST_WAIT_UNTIL (is_settled (fixture) && fixture->n_notices == 1);
  g_assert_false (ear_podcast_get_needs_password (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 1);

  /* From then on the login is sent with the first request. */
  ear_test_server_clear_log (fixture->server);
  refresh (fixture);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 1);

  /* A mistyped password does not replace it. */
  g_assert_false (sign_in (fixture, "wrong"));
  refresh (fixture);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpuint (fixture->n_notices, ==, 1);
}

/* An imported list may have a wrong password for a followed podcast: it is tried, and not
 * stored. The password is stored for the URL as the listener wrote it. */
static void
test_login_in_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *right = dup_with_login (fixture, FEED "?", EAR_TEST_PASSWORD);
  g_autofree char *wrong = dup_with_login (fixture, FEED "?", "wrong");
  const char *const addresses[] = { right, wrong };

  put_members_feed (fixture, "/a.wav");
  EarPodcast *podcast = fetch (fixture, FEED);
  g_assert_nonnull (ear_podcast_get_error (podcast));
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_assert_true (ear_subscriptions_follow (fixture->parts->subscriptions, addresses[i], NULL) ==
                     podcast);
      refresh (fixture);
    }
  refresh (fixture);
  g_assert_no_error (ear_podcast_get_error (podcast));
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

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        found = holds (path, secret);
      else if (g_file_get_contents (path, &content, &length, NULL))
        found = memmem (content, length, secret, strlen (secret)) != NULL;
    }

  return found;
}

/* A name and password in a URL are sent to its server, and written to no file. */
static void
test_login_in_address (Fixture *fixture, gconstpointer data)
{
  const char *plain = get_url (fixture, FEED);
  g_autofree char *address = dup_with_login (fixture, FEED, EAR_TEST_PASSWORD);

  put_members_feed (fixture, "/a.wav");
  EarSubscriptions *subscriptions = fixture->parts->subscriptions;
  EarPodcast *podcast = ear_subscriptions_preview (subscriptions, address, NULL);
  g_assert_cmpstr (ear_podcast_get_address (podcast), ==, plain);
  g_assert_true (ear_subscriptions_follow (subscriptions, address, "Members") == podcast);
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 1);
  /* One notice, not one for each password */
  EAR_TEST_WAIT_UNTIL (fixture->n_notices > 0);
  ear_test_spin (100);
  g_assert_cmpuint (fixture->n_notices, ==, 1);
  g_assert_true (ear_subscriptions_find (subscriptions, address) == podcast);
  g_assert_true (ear_subscriptions_find (subscriptions, plain) == podcast);
  g_assert_true (ear_subscriptions_add (subscriptions, address, NULL) == podcast);

  close_library (fixture);
  g_assert_true (holds (fixture->folder, "Members"));
  g_assert_false (holds (fixture->folder, EAR_TEST_PASSWORD));
}

/* A login in the URL to which a feed has moved is not written to a file, either. */
static void
test_login_in_moved_address (Fixture *fixture, gconstpointer data)
{
  const char *plain = get_url (fixture, "/~status=401/moved.xml");
  g_autofree char *address = dup_with_login (fixture, "/~status=401/moved.xml", EAR_TEST_PASSWORD);
  g_autofree char *feed =
      g_strdup_printf (RSS ("Elsewhere", "<itunes:new-feed-url>%s</itunes:new-feed-url>"
                                         "<item><guid>m</guid><title>One</title></item>"),
                       address);
  g_autofree char *state = g_build_filename (fixture->data, "state", NULL);

  put_text (fixture, "/old.xml", feed);
  put_text (fixture, "/moved.xml", feed);
  open_library (fixture, NULL);
  EarPodcast *podcast = follow (fixture, "/old.xml");
  EAR_TEST_WAIT_UNTIL (g_str_equal (ear_podcast_get_feed_address (podcast), plain) &&
                       is_at_rest (fixture));
  refresh (fixture);
  g_assert_no_error (ear_podcast_get_error (podcast));

  close_library (fixture);
  g_assert_true (holds (state, "/moved.xml"));
  g_assert_false (holds (state, EAR_TEST_PASSWORD));
}

/* The server of the sound requires a login, though that of the feed did not. */
static void
test_sign_in_to_sound (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = follow_with (fixture, MEDIA);

  ear_playback_controller_play (fixture->control, episode, NULL);
  EAR_TEST_WAIT_UNTIL (ear_error_wants_login (ear_player_get_error (fixture->player)));
  g_assert_false (sign_in (fixture, "wrong"));
  g_assert_true (ear_error_wants_login (ear_player_get_error (fixture->player)));
  ear_test_spin (100);
  g_assert_cmpuint (fixture->n_notices, ==, 0);
  /* The wrong login was not stored: another attempt asks for it again. */
  ear_playback_controller_play (fixture->control, episode, NULL);
  EAR_TEST_WAIT_UNTIL (ear_error_wants_login (ear_player_get_error (fixture->player)));
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  g_assert_true (sign_in (fixture, EAR_TEST_PASSWORD));
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  /* The listener wanted the login stored. */
  EAR_TEST_WAIT_UNTIL (fixture->n_notices == 1);
}

/* A slow server that requires a login has not accepted it before it answers. */
static void
test_sign_in_to_download (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = follow_with (fixture, "/~delay=700" MEDIA);

  request (fixture, 1);
  EAR_TEST_WAIT_UNTIL (has_failed (episode));
  g_assert_error (ear_episode_get_download_error (episode), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  g_assert_false (sign_in (fixture, "wrong"));
  g_assert_true (sign_in (fixture, EAR_TEST_PASSWORD));
  EAR_TEST_WAIT_UNTIL (is_done (episode));

  /* A downloaded episode plays without its server. */
  ear_test_server_clear_log (fixture->server);
  ear_playback_controller_play (fixture->control, episode, NULL);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 0);

  /* The download is removed while in the player: the next start streams it. */
  ear_downloader_remove (fixture->parts->downloader, episode);
  ear_playback_controller_play (fixture->control, episode, NULL);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpuint (count_requests (fixture, NULL), >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD_TEST ("/library-logins/sign-in", test_sign_in);
  ADD_TEST ("/library-logins/login-in-address", test_login_in_address);
  ADD_TEST ("/library-logins/login-in-list", test_login_in_list);
  ADD_TEST ("/library-logins/login-in-moved-address", test_login_in_moved_address);
  ADD_TEST ("/library-logins/sign-in-to-sound", test_sign_in_to_sound);
  ADD_TEST ("/library-logins/sign-in-to-download", test_sign_in_to_download);

  return g_test_run ();
}
