/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "playing-fixture.h"

/* What is kept of an episode while another one is put into the player. */

#define MINUTE (60 * G_TIME_SPAN_SECOND)

typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarEpisodeList *list; /* a long one and a short one */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_LONGEST, NULL);
  g_autofree char *address = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-keeper-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->server = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  /* There is no sound at these addresses. */
  ear_test_server_put (fixture->server, "/feed.xml", "application/rss+xml",
                       "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>P</title>"
                       "<item><guid>long</guid><title>Long</title><itunes:duration>3600</itunes:duration>"
                       "<enclosure url=\"/long.mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
                       "<item><guid>short</guid><title>Short</title><itunes:duration>600</itunes:duration>"
                       "<enclosure url=\"/short.mp3\" type=\"audio/mpeg\" length=\"1\"/></item></channel></rss>");
  fixture->library = library_fixture_open (fixture->folder);
  address = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_assert_nonnull (ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL));
  fixture->list = ear_episode_list_new_with_query (ear_library_get_catalogue (fixture->library), query);
  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 2);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

/* What the player says of an episode's length is not taken for that of the one before it. */
static void
test_duration (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  g_autoptr (EarEpisode) second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 1);

  ear_play_control_play (ear_library_get_play_control (fixture->library), first, NULL);
  ear_play_control_play (ear_library_get_play_control (fixture->library), second, NULL);
  g_assert_cmpint (ear_episode_get_duration (first), ==, 60 * MINUTE);
  g_assert_cmpint (ear_episode_get_duration (second), ==, 10 * MINUTE);
}

/* An episode that could not be played keeps its place when the listener goes on with another one. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  g_autoptr (EarEpisode) second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 1);

  ear_play_control_seek (ear_library_get_play_control (fixture->library), first, NULL, 25 * MINUTE);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_FAILED);
  ear_play_control_seek (ear_library_get_play_control (fixture->library), first, NULL, 26 * MINUTE);
  g_assert_cmpint (ear_episode_get_position (first), ==, 26 * MINUTE);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (ear_library_get_player (fixture->library)) == EAR_PLAYER_FAILED);
  ear_play_control_play (ear_library_get_play_control (fixture->library), second, NULL);
  g_assert_cmpint (ear_episode_get_position (first), ==, 26 * MINUTE);
}

/* Who listens at four times the speed loses no more of the episode to a power cut than another. */
static void
test_often (PlayingFixture *fixture, gconstpointer data)
{
  gint64 behind = 0;

  ear_player_set_rate (fixture->player, 4);
  playing_fixture_play (fixture, fixture->overstated, G_TIME_SPAN_SECOND);
  while (ear_player_get_position (fixture->player) < 22 * G_TIME_SPAN_SECOND)
    {
      ear_test_spin (20);
      behind = MAX (behind, ear_player_get_position (fixture->player) - ear_episode_get_position (fixture->overstated));
    }
  g_assert_cmpint (behind, >, 2 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (behind, <, 10 * G_TIME_SPAN_SECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/position-keeper/duration", Fixture, NULL, set_up, test_duration, tear_down);
  g_test_add ("/position-keeper/failed", Fixture, NULL, set_up, test_failed, tear_down);
  g_test_add ("/position-keeper/often", PlayingFixture, NULL, playing_fixture_set_up, test_often, playing_fixture_tear_down);

  return g_test_run ();
}
