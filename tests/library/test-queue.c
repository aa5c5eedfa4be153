/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "ear-error.h"
#include "playing-fixture.h"

/* Up Next: order, persistence, and playing from it */

#define ASSERT_UNDO(message) g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, message)

static void
assert_queue (Fixture *fixture, const char *expected)
{
  g_test_message ("%s", expected);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, expected));
}

/* The following functions change the queue, which @expected is afterwards. */

static void
add_last (Fixture *fixture, GPtrArray *episodes, const char *expected)
{
  ear_queue_add_last (fixture->parts->queue, episodes);
  assert_queue (fixture, expected);
}

static void
add_next (Fixture *fixture, GPtrArray *episodes, const char *expected)
{
  ear_queue_add_next (fixture->parts->queue, episodes);
  assert_queue (fixture, expected);
}

/* Moves in front of another episode, or to the end for 0. */
static void
move (Fixture *fixture, guint number, guint before, const char *expected)
{
  EarEpisode *other = before != 0 ? get_lamp (fixture, before) : NULL;

  ear_queue_insert (fixture->parts->queue, LAMPS (number), other);
  assert_queue (fixture, expected);
}

static void
mark_as (Fixture *fixture, guint number, EarMark mark, gint64 value, const char *expected)
{
  set_mark (fixture, number, mark, value);
  assert_queue (fixture, expected);
}

static void
undo (Fixture *fixture, const char *expected)
{
  ear_undo_run (fixture->undo);
  assert_queue (fixture, expected);
}

/* Each action, and its undo */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, LAMPS (3, 1), "3 1");
  ASSERT_UNDO ("2 episodes added to Up Next");
  add_last (fixture, LAMPS (5), "3 1 5");
  ASSERT_UNDO ("Added to Up Next");
  add_next (fixture, LAMPS (7, 8), "7 8 3 1 5");
  /* A queued episode moves to its new position. */
  add_last (fixture, LAMPS (8), "7 3 1 5 8");
  undo (fixture, "7 8 3 1 5");
  add_next (fixture, LAMPS (5, 5), "5 7 8 3 1");

  move (fixture, 5, 3, "7 8 5 3 1");
  ASSERT_UNDO (NULL);
  move (fixture, 5, 5, "7 8 5 3 1");
  move (fixture, 5, 0, "7 8 3 1 5");
  /* An episode that is not in the queue */
  move (fixture, 1, 9, "7 8 3 5 1");
  move (fixture, 1, 5, "7 8 3 1 5");
  move (fixture, 5, 7, "5 7 8 3 1");
  undo (fixture, "7 8 3 1 5");

  ear_queue_remove (fixture->parts->queue, LAMPS (8, 1, 9));
  assert_queue (fixture, "7 3 5");
  ASSERT_UNDO ("2 episodes removed from Up Next");
  ear_queue_clear (fixture->parts->queue);
  assert_queue (fixture, "");
  ASSERT_UNDO ("3 episodes removed from Up Next");
  undo (fixture, "7 3 5");
}

/* Any number of episodes can be inserted between the same two; and the lowest and highest
 * positions, from a wrong clock or another program, block neither end of the queue. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  add_last (fixture, LAMPS (1, 2, 3, 4), "1 2 3 4");
  for (guint i = 0; i < 30; i++)
    {
      move (fixture, 4, 2, "1 4 2 3");
      move (fixture, 3, 4, "1 3 4 2");
      move (fixture, 2, 3, "1 2 3 4");
    }

  mark_as (fixture, 5, EAR_MARK_QUEUED, G_MAXINT64, "1 2 3 4 5");
  add_last (fixture, LAMPS (6, 7), "1 2 3 4 5 6 7");
  add_last (fixture, LAMPS (2), "1 3 4 5 6 7 2");
  mark_as (fixture, 3, EAR_MARK_QUEUED, 5, "3 1 4 5 6 7 2");
  add_next (fixture, LAMPS (8), "8 3 1 4 5 6 7 2");
  mark_as (fixture, 4, EAR_MARK_QUEUED, 1, "4 8 3 1 5 6 7 2");
  add_next (fixture, LAMPS (9, 7), "9 7 4 8 3 1 5 6 2");
}

/* A played episode leaves the queue, and a queued one becomes unplayed. */
static void
test_listened (Fixture *fixture, gconstpointer data)
{
  EarEpisode *first = get_lamp (fixture, 1);

  add_last (fixture, LAMPS (1, 2), "1 2");
  mark_as (fixture, 1, EAR_MARK_LISTENED, TRUE, "2");
  g_assert_false (ear_queue_has (first));
  undo (fixture, "1 2");
  mark_as (fixture, 1, EAR_MARK_LISTENED, TRUE, "2");
  add_last (fixture, LAMPS (1), "2 1");
  g_assert_false (ear_episode_get_listened (first));
  undo (fixture, "2");
  g_assert_true (ear_episode_get_listened (first));
}

/* The queue is in the state files as well as in the catalogue, which can be lost. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_state_path (fixture);

  add_last (fixture, LAMPS (4, 2, 6), "4 2 6");
  move (fixture, 6, 4, "6 4 2");
  restart (fixture);
  assert_queue (fixture, "6 4 2");
  restart_without_catalogue (fixture);
  assert_queue (fixture, "6 4 2");
  /* New episodes are added after them. */
  add_last (fixture, LAMPS (9), "6 4 2 9");

  /* Two computers have changed one queue without knowing about each other. */
  ear_queue_clear (fixture->parts->queue);
  add_last (fixture, LAMPS (1, 2, 3), "1 2 3");
  close_library (fixture);
  g_autofree char *both = read_text (path);

  open_and_wait (fixture, NULL);
  assert_queue (fixture, "1 2 3");
  move (fixture, 3, 1, "3 1 2");
  ear_queue_remove (fixture->parts->queue, LAMPS (2));
  add_last (fixture, LAMPS (8), "3 1 8");
  close_library (fixture);
  g_autofree char *elsewhere = read_text (path);

  /* The other computer has none of that, neither in its files nor in its catalogue. */
  write_text (path, both);
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
  assert_queue (fixture, "1 2 3");
  add_last (fixture, LAMPS (9), "1 2 3 9");
  write_text (path, elsewhere);
  /* Both were added at the end. */
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "3 1 8 9") || is_queue (fixture, "3 1 9 8"));
  restart_without_catalogue (fixture);
  EAR_TEST_WAIT_UNTIL (is_queue (fixture, "3 1 8 9") || is_queue (fixture, "3 1 9 8"));
}

/* --- Playing from the queue --------------------------------------------------------- */

#define ASSERT_PLAYS(episode) EAR_TEST_WAIT_UNTIL (is_playing (fixture, episode))

/* The queue comes before the current list, even after its end; played episodes leave the queue. */
static void
test_plays_next (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->parts->settings, "continuous", FALSE, NULL);
  ear_history_set_mark (fixture->parts->history, fixture->second, EAR_MARK_POSITION, 20 * SECOND);
  queue_episode (fixture, fixture->second);
  queue_episode (fixture, fixture->overstated);
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - SECOND);
  ASSERT_PLAYS (fixture->second);
  g_assert_true (ear_episode_get_listened (fixture->first));
  g_assert_cmpuint (count_queue (fixture), ==, 2);
  /* A started episode resumes at its position when its turn comes. A seek before any of it was
   * heard is lost: the whole episode would play. */
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 15 * SECOND);
  wait_past (fixture, 41 * SECOND / 2);
  ear_player_seek (fixture->player, PLAYING_LENGTH - SECOND);
  ASSERT_PLAYS (fixture->overstated);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 1);
  g_assert_cmpint (ear_episode_get_mark (fixture->second, EAR_MARK_QUEUED), ==, 0);
  /* The queue ends after its last episode. */
  g_assert_false (ear_play_order_is_next_queued (fixture->parts->order));
}

/* Next leads through the queue from behind the current episode, while an episode follows. */
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

/* Asserts that the episode fails, and stays in the player. */
static void
assert_not_found (Fixture *fixture, EarEpisode *episode)
{
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == episode &&
                       ear_player_get_state (fixture->player) == EAR_PLAYER_FAILED);
  ear_test_spin (200);
  g_assert_true (ear_player_get_episode (fixture->player) == episode);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
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
  assert_not_found (fixture, fixture->overstated);

  /* If no following episode can be played, the last one shows the error. */
  ear_queue_clear (fixture->parts->queue);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 0);
  ear_test_server_remove (fixture->server, "/second.wav");
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 4 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->player) == fixture->second);
  wait_for_state (fixture, EAR_PLAYER_FAILED);
  g_assert_error (ear_player_get_error (fixture->player), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

/* A server that has lost all files does not get a request for each of them. */
static void
test_passes_over_three (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) lost = g_ptr_array_new_with_free_func (g_object_unref);

  put_news (fixture, "lost", 1, 5, NULL, NULL);
  EarPodcast *podcast = follow (fixture, "/lost.xml");
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 8));
  for (guint i = 1; i <= 5; i++)
    {
      g_autofree char *guid = g_strdup_printf ("lost-%u", i);

      g_ptr_array_add (lost, dup_by_guid (fixture, podcast, guid));
      queue_episode (fixture, lost->pdata[i - 1]);
    }
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 4 * SECOND);
  assert_not_found (fixture, lost->pdata[3]);
}

/* The next episode has the speed and the filters of its own podcast, from a slow server, too. */
static void
test_own (Fixture *fixture, gconstpointer data)
{
  EarSubscriptions *subscriptions = fixture->parts->subscriptions;

  put_text (fixture, "/other.xml",
            RSS ("Q", "<item><guid>other</guid><title>Other</title><enclosure length=\"1\""
                      " url=\"/~delay=400/first.wav\" type=\"audio/wav\"/></item>"));
  EarPodcast *podcast = follow (fixture, "/other.xml");
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 4));
  g_autoptr (EarEpisode) other = dup_by_guid (fixture, podcast, "other");
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_SPEED, 150);
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_TRIM_SILENCE, TRUE);
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_LEVEL_VOLUME, TRUE);
  queue_episode (fixture, other);
  playing_fixture_play (fixture, fixture->first, 24 * SECOND);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 1);
  ASSERT_PLAYS (other);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 1.5);
  g_assert_true (ear_test_get_boolean (fixture->player, "trim-silence"));
  g_assert_true (ear_test_get_boolean (fixture->player, "level-volume"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, test)                                                                            \
  g_test_add ("/queue/" name, Fixture, GUINT_TO_POINTER (9), set_up_feed, test, tear_down)
  ADD ("order", test_order);
  ADD ("no-room", test_no_room);
  ADD ("listened", test_listened);
  ADD ("kept", test_kept);
#undef ADD
  ADD_PLAYING_TEST ("/queue/plays-next", test_plays_next);
  ADD_PLAYING_TEST ("/queue/skips", test_skips);
  ADD_PLAYING_TEST ("/queue/passes-over", test_passes_over);
  ADD_PLAYING_TEST ("/queue/passes-over-three", test_passes_over_three);
  ADD_PLAYING_TEST ("/queue/own", test_own);

  return g_test_run ();
}
