/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-error.h"
#include "playing-fixture.h"

/* Up Next: order, persistence, and playing from it */

#define ASSERT_QUEUE(expected) EAR_TEST_WAIT_UNTIL (is_queue (fixture, expected))
#define ASSERT_UNDO(message) g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, message)

/* Moves in front of another episode, or to the end for 0. */
static void
move (Fixture *fixture, guint number, guint before)
{
  EarEpisode *other = before != 0 ? get_lamp (fixture, before) : NULL;

  ear_queue_insert (fixture->parts->queue, LAMPS (number), other);
}

/* Each action, and its undo */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  ear_queue_add_last (fixture->parts->queue, LAMPS (3, 1));
  ASSERT_QUEUE ("3 1");
  ASSERT_UNDO ("2 episodes added to Up Next");
  ear_queue_add_last (fixture->parts->queue, LAMPS (5));
  ASSERT_UNDO ("Added to Up Next");
  ear_queue_add_next (fixture->parts->queue, LAMPS (7, 8));
  ASSERT_QUEUE ("7 8 3 1 5");
  /* A queued episode moves to its new position. */
  ear_queue_add_last (fixture->parts->queue, LAMPS (8));
  ASSERT_QUEUE ("7 3 1 5 8");
  ear_undo_run (fixture->undo);
  ASSERT_QUEUE ("7 8 3 1 5");
  ear_queue_add_next (fixture->parts->queue, LAMPS (5, 5));
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

  ear_queue_remove (fixture->parts->queue, LAMPS (8, 1, 9));
  ASSERT_QUEUE ("7 3 5");
  ASSERT_UNDO ("2 episodes removed from Up Next");
  ear_queue_clear (fixture->parts->queue);
  ASSERT_QUEUE ("");
  ASSERT_UNDO ("3 episodes removed from Up Next");
  ear_undo_run (fixture->undo);
  ASSERT_QUEUE ("7 3 5");
}

/* Any number of episodes can be inserted between the same two; and the lowest and highest
 * positions, from a wrong clock or another program, block neither end of the queue. */
static void
test_no_room (Fixture *fixture, gconstpointer data)
{
  ear_queue_add_last (fixture->parts->queue, LAMPS (1, 2, 3, 4));
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

  set_mark (fixture, 5, EAR_MARK_QUEUED, G_MAXINT64);
  ASSERT_QUEUE ("1 2 3 4 5");
  ear_queue_add_last (fixture->parts->queue, LAMPS (6, 7));
  ASSERT_QUEUE ("1 2 3 4 5 6 7");
  ear_queue_add_last (fixture->parts->queue, LAMPS (2));
  ASSERT_QUEUE ("1 3 4 5 6 7 2");

  set_mark (fixture, 3, EAR_MARK_QUEUED, 5);
  ASSERT_QUEUE ("3 1 4 5 6 7 2");
  ear_queue_add_next (fixture->parts->queue, LAMPS (8));
  ASSERT_QUEUE ("8 3 1 4 5 6 7 2");
  set_mark (fixture, 4, EAR_MARK_QUEUED, 1);
  ASSERT_QUEUE ("4 8 3 1 5 6 7 2");
  ear_queue_add_next (fixture->parts->queue, LAMPS (9, 7));
  ASSERT_QUEUE ("9 7 4 8 3 1 5 6 2");
}

/* A played episode leaves the queue, and a queued one becomes unplayed. */
static void
test_listened (Fixture *fixture, gconstpointer data)
{
  EarEpisode *first = get_lamp (fixture, 1);

  ear_queue_add_last (fixture->parts->queue, LAMPS (1, 2));
  ASSERT_QUEUE ("1 2");
  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  ASSERT_QUEUE ("2");
  g_assert_false (ear_queue_has (first));
  ear_undo_run (fixture->undo);
  ASSERT_QUEUE ("1 2");

  set_mark (fixture, 1, EAR_MARK_LISTENED, TRUE);
  ASSERT_QUEUE ("2");
  ear_queue_add_last (fixture->parts->queue, LAMPS (1));
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
  ear_queue_add_last (fixture->parts->queue, LAMPS (4, 2, 6));
  ASSERT_QUEUE ("4 2 6");
  move (fixture, 6, 4);
  ASSERT_QUEUE ("6 4 2");
  restart (fixture);
  ASSERT_QUEUE ("6 4 2");
  restart_without_catalogue (fixture);
  ASSERT_QUEUE ("6 4 2");
  /* New episodes are added after them. */
  ear_queue_add_last (fixture->parts->queue, LAMPS (9));
  ASSERT_QUEUE ("6 4 2 9");
}

/* Two computers started from one queue, and each has changed it without knowing about the
 * other. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = dup_state_path (fixture);

  ear_queue_add_last (fixture->parts->queue, LAMPS (1, 2, 3));
  ASSERT_QUEUE ("1 2 3");
  close_library (fixture);
  g_autofree char *both = read_text (path);

  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("1 2 3");
  move (fixture, 3, 1);
  ear_queue_remove (fixture->parts->queue, LAMPS (2));
  ear_queue_add_last (fixture->parts->queue, LAMPS (8));
  ASSERT_QUEUE ("3 1 8");
  close_library (fixture);
  g_autofree char *elsewhere = read_text (path);

  /* The other computer has none of that, neither in its files nor in its catalogue. */
  write_text (path, both);
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
  ASSERT_QUEUE ("1 2 3");
  ear_queue_add_last (fixture->parts->queue, LAMPS (9));
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

  /* If no following episode can be played, the last one shows the error. */
  ear_queue_clear (fixture->parts->queue);
  EAR_TEST_WAIT_UNTIL (count_queue (fixture) == 0);
  ear_test_server_remove (fixture->server, "/second.wav");
  playing_fixture_play (fixture, fixture->first, PLAYING_LENGTH - 4 * SECOND);
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

  put_text (fixture, "/other.xml",
            RSS ("Q", "<item><guid>other</guid><title>Other</title><enclosure length=\"1\""
                      " url=\"/~delay=400/first.wav\" type=\"audio/wav\"/></item>"));
  EarPodcast *podcast = follow (fixture, "/other.xml");
  EAR_TEST_WAIT_UNTIL (has_rows (fixture->list, 4));
  other = dup_by_guid (fixture, podcast, "other");
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    ear_subscriptions_set_setting (fixture->parts->subscriptions, podcast, settings[i], values[i]);
  queue_episode (fixture, other);
  playing_fixture_play (fixture, fixture->first, 24 * SECOND);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 1);
  ASSERT_PLAYS (other);
  g_assert_cmpfloat (ear_player_get_rate (fixture->player), ==, 1.5);
  g_assert_true (ear_test_get_boolean (fixture->player, "trim-silence"));
  g_assert_true (ear_test_get_boolean (fixture->player, "level-volume"));
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
  g_autoptr (GString) items = g_string_new (NULL);

  for (guint i = 1; i <= 5; i++)
    g_string_append_printf (
        items,
        "<item><guid>lost-%u</guid><title>%u</title>"
        "<enclosure url=\"/lost-%u.wav\" type=\"audio/wav\" length=\"1\"/></item>",
        i, i, i);
  put_format (fixture, "/lost.xml", RSS ("L", "%s"), items->str);
  EarPodcast *podcast = follow (fixture, "/lost.xml");
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

#define ADD(name, test)                                                                            \
  g_test_add ("/queue/" name, Fixture, GUINT_TO_POINTER (9), set_up_feed, test, tear_down)
  ADD ("order", test_order);
  ADD ("no-room", test_no_room);
  ADD ("listened", test_listened);
  ADD ("kept", test_kept);
  ADD ("merged", test_merged);
#undef ADD
  ADD_PLAYING_TEST ("/queue/plays-next", test_plays_next);
  ADD_PLAYING_TEST ("/queue/skips", test_skips);
  ADD_PLAYING_TEST ("/queue/passes-over", test_passes_over);
  ADD_PLAYING_TEST ("/queue/passes-over-three", test_passes_over_three);
  ADD_PLAYING_TEST ("/queue/own", test_own);

  return g_test_run ();
}
