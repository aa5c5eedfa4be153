/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-error.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "playing-fixture.h"

/* Up Next: order, persistence, and playing from it */

static gboolean
is_queue (Fixture *fixture, const char *expected)
{
  return are_episodes (ear_queue_get_list (fixture->parts->queue), expected);
}

#define ASSERT_QUEUE(expected) EAR_TEST_WAIT_UNTIL (is_queue (fixture, expected))
#define ASSERT_UNDO(message) g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, message)

static void
add_last (Fixture *fixture, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_lamps (fixture, numbers);

  ear_queue_add_last (fixture->parts->queue, episodes);
}

static void
add_next (Fixture *fixture, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_lamps (fixture, numbers);

  ear_queue_add_next (fixture->parts->queue, episodes);
}

static void
remove_from_queue (Fixture *fixture, const guint *numbers)
{
  g_autoptr (GPtrArray) episodes = list_lamps (fixture, numbers);

  ear_queue_remove (fixture->parts->queue, episodes);
}

/* Moves in front of another episode, or to the end for 0. */
static void
move (Fixture *fixture, guint number, guint before)
{
  g_autoptr (GPtrArray) episodes = list_lamps (fixture, EPISODES (number));
  g_autoptr (EarEpisode) other = before != 0 ? dup_lamp (fixture, before) : NULL;

  ear_queue_insert (fixture->parts->queue, episodes, other);
}

static void
set_up_queue (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  follow_feed (fixture, 9);
}

/* Each action, and its undo */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, EPISODES (3, 1));
  ASSERT_QUEUE ("3 1");
  ASSERT_UNDO ("2 episodes added to Up Next");
  add_last (fixture, EPISODES (5));
  ASSERT_UNDO ("Added to Up Next");
  add_next (fixture, EPISODES (7, 8));
  ASSERT_QUEUE ("7 8 3 1 5");
  /* A queued episode moves to its new position. */
  add_last (fixture, EPISODES (8));
  ASSERT_QUEUE ("7 3 1 5 8");
  ear_undo_run (fixture->undo);
  ASSERT_QUEUE ("7 8 3 1 5");
  add_next (fixture, EPISODES (5, 5));
  ASSERT_QUEUE ("5 7 8 3 1");

  move (fixture, 5, 3);
  ASSERT_QUEUE ("7 8 5 3 1");
  ASSERT_UNDO (NULL);
  move (fixture, 5, 5);
  move (fixture, 5, 0);
  ASSERT_QUEUE ("7 8 3 1 5");
  /* An episode that is not in the queue */
  move (fixture, 1, 9);
  ASSERT_QUEUE ("7 8 3 5 1");
  move (fixture, 1, 5);
  ASSERT_QUEUE ("7 8 3 1 5");
  move (fixture, 5, 7);
  ASSERT_QUEUE ("5 7 8 3 1");
  ear_undo_run (fixture->undo);
  ASSERT_QUEUE ("7 8 3 1 5");

  remove_from_queue (fixture, EPISODES (8, 1, 9));
  ASSERT_QUEUE ("7 3 5");
  ASSERT_UNDO ("2 episodes removed from Up Next");
  ear_queue_clear (fixture->parts->queue);
  ASSERT_QUEUE ("");
  ASSERT_UNDO ("3 episodes removed from Up Next");
  ear_undo_run (fixture->undo);
  ASSERT_QUEUE ("7 3 5");
}

/* Any number of episodes can be inserted between the same two. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, EPISODES (1, 2, 3, 4));
  ASSERT_QUEUE ("1 2 3 4");
  for (guint i = 0; i < 30; i++)
    {
      move (fixture, 4, 2);
      ASSERT_QUEUE ("1 4 2 3");
      move (fixture, 3, 4);
      ASSERT_QUEUE ("1 3 4 2");
      move (fixture, 2, 3);
      ASSERT_QUEUE ("1 2 3 4");
    }
}

/* A largest possible order number, from a wrong clock or another program, does not block
 * the end of the queue. */
static void
test_far_ahead (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, EPISODES (1, 2));
  ASSERT_QUEUE ("1 2");
  set_mark (fixture, 3, EAR_MARK_QUEUED, G_MAXINT64);
  ASSERT_QUEUE ("1 2 3");
  add_last (fixture, EPISODES (4, 5));
  ASSERT_QUEUE ("1 2 3 4 5");
  add_last (fixture, EPISODES (2));
  ASSERT_QUEUE ("1 3 4 5 2");
}

/* A played episode leaves the queue, and a queued one becomes unplayed. */
static void
test_listened (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) first = dup_lamp (fixture, 1);

  add_last (fixture, EPISODES (1, 2));
  ASSERT_QUEUE ("1 2");
  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  ASSERT_QUEUE ("2");
  g_assert_false (ear_queue_has (first));
  ear_undo_run (fixture->undo);
  ASSERT_QUEUE ("1 2");

  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  ASSERT_QUEUE ("2");
  add_last (fixture, EPISODES (1));
  ASSERT_QUEUE ("2 1");
  g_assert_false (ear_episode_get_listened (first));
  ear_undo_run (fixture->undo);
  g_assert_true (ear_episode_get_listened (first));
  ASSERT_QUEUE ("2");
}

/* The queue is in the state files as well as in the catalogue, which can be lost. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, EPISODES (4, 2, 6));
  ASSERT_QUEUE ("4 2 6");
  move (fixture, 6, 4);
  ASSERT_QUEUE ("6 4 2");
  restart (fixture);
  ASSERT_QUEUE ("6 4 2");
  restart_without_catalogue (fixture);
  ASSERT_QUEUE ("6 4 2");
  /* New episodes are added after them. */
  add_last (fixture, EPISODES (9));
  ASSERT_QUEUE ("6 4 2 9");
}

/* Two computers started from one queue, and each has changed it without knowing about the
 * other. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_state_path (fixture);
  g_autofree char *both = NULL;
  g_autofree char *elsewhere = NULL;

  add_last (fixture, EPISODES (1, 2, 3));
  ASSERT_QUEUE ("1 2 3");
  close_library (fixture);
  both = read_text (path);

  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("1 2 3");
  move (fixture, 3, 1);
  remove_from_queue (fixture, EPISODES (2));
  add_last (fixture, EPISODES (8));
  ASSERT_QUEUE ("3 1 8");
  close_library (fixture);
  elsewhere = read_text (path);

  /* The other computer has none of that, neither in its files nor in its catalogue. */
  write_text (path, both);
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("1 2 3");
  add_last (fixture, EPISODES (9));
  ASSERT_QUEUE ("1 2 3 9");
  write_text (path, elsewhere);
  /* Both were added at the end. */
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "3 1 8 9") || is_queue (fixture, "3 1 9 8"));
  restart_without_catalogue (fixture);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "3 1 8 9") || is_queue (fixture, "3 1 9 8"));
}

/* --- Playing from the queue --------------------------------------------------------- */

#define ASSERT_PLAYS(episode) EAR_TEST_WAIT_UNTIL (is_playing (fixture, episode))

/* The queue takes precedence over the current list, also when the list has ended; played
 * episodes leave the queue. */
static void
test_plays_next (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->parts->settings, "continuous", FALSE, NULL);
  queue_episode (fixture, fixture->second);
  queue_episode (fixture, fixture->overstated);
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - SECOND);
  ASSERT_PLAYS (fixture->second);
  g_assert_true (ear_episode_get_listened (fixture->first));
  g_assert_cmpuint (count_queue (fixture), ==, 2);
  /* A seek before any of it was heard is lost: the whole episode would play. */
  wait_past (fixture, SECOND / 2);
  ear_player_seek (fixture->player, PLAYING_LENGTH - SECOND);
  ASSERT_PLAYS (fixture->overstated);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 1);
  g_assert_cmpint (ear_episode_get_mark (fixture->second, EAR_MARK_QUEUED), ==, 0);
  /* The queue ends after its last episode. */
  g_assert_false (ear_play_order_is_next_queued (fixture->parts->order));
}

/* Next goes through the queue, starting behind the current episode, and is only available
 * if an episode follows. */
static void
test_skips (Fixture *fixture, gconstpointer data)
{
  EarPlayOrder *order = fixture->parts->order;
  g_autoptr (GPtrArray) playing = g_ptr_array_new ();

  /* The last episode of its list */
  playing_fixture_play (fixture, fixture->second, 0);
  g_assert_false (ear_play_order_get_can_go_next (order));
  queue_episode (fixture, fixture->second);
  g_assert_false (ear_play_order_is_next_queued (order));
  queue_episode (fixture, fixture->first);
  g_assert_true (ear_play_order_get_can_go_next (order));
  ear_playback_controller_next (fixture->control);
  ASSERT_PLAYS (fixture->first);
  /* A skipped episode stays queued, and does not come next again. */
  g_assert_cmpuint (count_queue (fixture), ==, 2);
  g_assert_false (ear_play_order_is_next_queued (order));
  queue_episode (fixture, fixture->overstated);
  /* An episode that leaves the queue while it plays still marks its position there. */
  g_ptr_array_add (playing, fixture->first);
  ear_queue_remove (fixture->parts->queue, playing);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 2);
  ear_playback_controller_next (fixture->control);
  ASSERT_PLAYS (fixture->overstated);
}

/* A started episode resumes at its position when its turn comes. */
static void
test_resumed (Fixture *fixture, gconstpointer data)
{
  ear_history_set_mark (fixture->parts->history, fixture->second, EAR_MARK_POSITION, 20 * SECOND);
  queue_episode (fixture, fixture->second);
  playing_fixture_play (fixture, fixture->first, 28 * SECOND);
  ASSERT_PLAYS (fixture->second);
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 15 * SECOND);
}

/* A failed episode stays in Up Next, and is not tried again after each one that follows;
 * it is not skipped if the listener starts it, or if it is the last. */
static void
test_passes_over (Fixture *fixture, gconstpointer data)
{
  ear_test_server_remove (fixture->server, "/overstated.wav");
  queue_episode (fixture, fixture->overstated);
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 4 * SECOND);
  ASSERT_PLAYS (fixture->second);
  g_assert_nonnull (strstr (fixture->notices->str, ear_episode_get_title (fixture->overstated)));
  g_assert_cmpuint (count_queue (fixture), ==, 1);
  g_assert_false (ear_play_order_is_next_queued (fixture->parts->order));

  play_episode (fixture, fixture->overstated);
  wait_for_state (fixture, EAR_PLAYER_FAILED);
  ear_test_spin (100);
  g_assert_true (ear_player_get_episode (fixture->player) == fixture->overstated);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

/* If no following episode can be played, the last one shows the error. */
static void
test_passes_over_all (Fixture *fixture, gconstpointer data)
{
  ear_test_server_remove (fixture->server, "/first.wav");
  ear_test_server_remove (fixture->server, "/second.wav");
  playing_fixture_play (fixture, fixture->overstated, PLAYING_LENGTH - 4 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->second);
  wait_for_state (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

/* The next episode begins with the speed and the filters of its own podcast, from a slow
 * server. */
static void
test_own (Fixture *fixture, gconstpointer data)
{
  static const EarPodcastSetting settings[] = { EAR_PODCAST_SETTING_SPEED,
                                                EAR_PODCAST_SETTING_TRIM_SILENCE,
                                                EAR_PODCAST_SETTING_LEVEL_VOLUME };
  static const int values[] = { 150, TRUE, TRUE };
  g_autoptr (EarEpisode) other = NULL;
  gboolean trim, level;
  EarPodcast *podcast;

  put_text (
      fixture, "/other.xml",
      "<rss version=\"2.0\"><channel><title>Q</title><item><guid>other</guid><title>Other</title>"
      "<enclosure url=\"/~delay=400/first.wav\" type=\"audio/wav\" "
      "length=\"1\"/></item></channel></rss>");
  podcast = follow (fixture, "/other.xml");
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 4));
  other = dup_by_guid (fixture, podcast, "other");
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    ear_subscriptions_set_setting (fixture->parts->subscriptions, podcast, settings[i], values[i]);
  queue_episode (fixture, other);
  playing_fixture_play (fixture, fixture->first, 24 * SECOND);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 1);
  ASSERT_PLAYS (other);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 1.5);
  g_object_get (fixture->player, "trim-silence", &trim, "level-volume", &level, NULL);
  g_assert_true (trim && level);
}

static gboolean
fails (Fixture *fixture, const char *guid)
{
  return g_str_equal (ear_episode_get_guid (ear_player_get_episode (fixture->player)), guid) &&
         ear_player_get_state (fixture->player) == EAR_PLAYER_FAILED;
}

/* A server that has lost all files does not get a request for each of them. */
static void
test_passes_over_three (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) feed = g_string_new ("<rss version=\"2.0\"><channel><title>L</title>");
  EarPodcast *podcast;

  for (guint i = 1; i <= 5; i++)
    g_string_append_printf (
        feed,
        "<item><guid>lost-%u</guid><title>%u</title>"
        "<enclosure url=\"/lost-%u.wav\" type=\"audio/wav\" length=\"1\"/></item>",
        i, i, i);
  g_string_append (feed, "</channel></rss>");
  put_text (fixture, "/lost.xml", feed->str);
  podcast = follow (fixture, "/lost.xml");
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 8));
  for (guint i = 1; i <= 5; i++)
    {
      g_autofree char *guid = g_strdup_printf ("lost-%u", i);
      g_autoptr (EarEpisode) episode = dup_by_guid (fixture, podcast, guid);

      queue_episode (fixture, episode);
    }
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 4 * SECOND);
  EAR_TEST_WAIT_UNTIL (fails (fixture, "lost-4"));
  ear_test_spin (200);
  g_assert_true (fails (fixture, "lost-4"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, test) g_test_add ("/queue/" name, Fixture, NULL, set_up_queue, test, tear_down)
  ADD ("order", test_order);
  ADD ("no-room", test_no_room);
  ADD ("far-ahead", test_far_ahead);
  ADD ("listened", test_listened);
  ADD ("kept", test_kept);
  ADD ("merged", test_merged);
#undef ADD
  ADD_PLAYING_TEST ("/queue/plays-next", test_plays_next);
  ADD_PLAYING_TEST ("/queue/skips", test_skips);
  ADD_PLAYING_TEST ("/queue/resumed", test_resumed);
  ADD_PLAYING_TEST ("/queue/passes-over", test_passes_over);
  ADD_PLAYING_TEST ("/queue/passes-over-all", test_passes_over_all);
  ADD_PLAYING_TEST ("/queue/passes-over-three", test_passes_over_three);
  ADD_PLAYING_TEST ("/queue/own", test_own);

  return g_test_run ();
}
