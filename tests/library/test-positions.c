/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "playing-fixture.h"

/* Positions of episodes: started and played ones, stored positions, resuming after a pause, and
 * skipped starts and ends */

/* --- Played ------------------------------------------------------------------------- */

/* Positions near the end, whole episodes, and how far playing rewinds after a pause */
static void
test_rules (void)
{
  static const struct
  {
    gint64 position, duration;
    gboolean is_near;
  } cases[] = {
    { 60 * MINUTE - 30 * SECOND, 60 * MINUTE, TRUE },
    { 60 * MINUTE - 31 * SECOND, 60 * MINUTE, FALSE },
    { 61 * MINUTE, 60 * MINUTE, TRUE },
    /* Short episodes */
    { 57 * SECOND, MINUTE, TRUE },
    { 56 * SECOND, MINUTE, FALSE },
    { 0, SECOND, FALSE },
    /* Unknown length */
    { MINUTE, 0, FALSE },
    { MINUTE, EAR_DURATION_UNKNOWN, FALSE },
  };
  static const struct
  {
    gint64 end, duration, bytes, expected_bytes;
    gboolean is_whole;
  } ends[] = {
    { 30 * MINUTE, 0, 0, 0, TRUE },
    { 30 * MINUTE, EAR_DURATION_UNKNOWN, -1, 0, TRUE },
    { 50 * MINUTE, 60 * MINUTE, 0, 0, TRUE },
    { 30 * MINUTE, 60 * MINUTE, 0, 0, FALSE },
    { 30 * MINUTE, 60 * MINUTE, -1, 480000, FALSE },
    { G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64, TRUE },
    /* The duration in the feed is wrong, and the number of bytes is right. */
    { MINUTE, 2 * MINUTE, 480000, 480000, TRUE },
    { MINUTE, 60 * MINUTE, 480000, 500000, TRUE },
    { MINUTE, 60 * MINUTE, 480000, 0, TRUE },
    { MINUTE, 2 * MINUTE, 240000, 480000, FALSE },
  };
  static const struct
  {
    gint64 pause;
    guint seconds;
  } pauses[] = {
    { G_MININT64, 0 },  { -1, 0 },          { 0, 0 },           { 14 * SECOND, 0 },
    { 15 * SECOND, 2 }, { 59 * SECOND, 2 }, { 60 * SECOND, 5 }, { 600 * SECOND, 10 },
    { HOUR, 15 },       { 24 * HOUR, 20 },  { G_MAXINT64, 20 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("near end: case %" G_GSIZE_FORMAT, i);
      g_assert_cmpint (ear_listened_rule_is_near_end (cases[i].position, cases[i].duration), ==,
                       cases[i].is_near);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_test_message ("whole: case %" G_GSIZE_FORMAT, i);
      g_assert_cmpint (ear_listened_rule_is_whole (ends[i].end, ends[i].duration, ends[i].bytes,
                                                   ends[i].expected_bytes),
                       ==, ends[i].is_whole);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (pauses); i++)
    g_assert_cmpint (ear_playback_controller_get_rewind (pauses[i].pause), ==,
                     pauses[i].seconds * SECOND);
}

/* Plays the last seconds of an episode, but not its end, and goes to another one. */
static void
leave_near_end (Fixture *fixture, EarEpisode *episode)
{
  playing_fixture_play (fixture, episode, PLAYING_LENGTH - 5 * SECOND / 2);
  wait_past (fixture, PLAYING_LENGTH - 9 * SECOND / 20);
  ear_player_pause (fixture->player);
  g_assert_false (ear_episode_get_listened (episode) &&
                  ear_player_get_state (fixture->player) == EAR_PLAYER_PAUSED);
  play_episode (fixture, fixture->second);
}

static void
assert_stays_begun (EarEpisode *episode)
{
  g_assert_false (ear_episode_get_listened (episode));
  g_assert_cmpint (ear_episode_get_position (episode), >=, PLAYING_LENGTH - SECOND);
}

/* Leaving an episode near its end marks it as played, if the end was reached by playing. */
static void
test_near_end (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->parts->settings, "continuous", FALSE, NULL);
  playing_fixture_play (fixture, fixture->first, 20 * SECOND);
  ear_player_seek (fixture->player, PLAYING_LENGTH - SECOND);
  ear_player_pause (fixture->player);
  play_episode (fixture, fixture->second);
  g_assert_false (ear_episode_get_listened (fixture->first));
  leave_near_end (fixture, fixture->first);
  g_assert_true (ear_episode_get_listened (fixture->first));
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);

  /* A file that ends long before its feed's duration is not played whole, whatever size the
   * server reports: the position is stored. Nor is one that is left just before such an end.
   * The player's length of one episode is not stored for the previous one. */
  play_episode (fixture, fixture->overstated);
  play_episode (fixture, fixture->second);
  g_assert_cmpint (ear_episode_get_duration (fixture->overstated), ==, 90 * SECOND);
  g_assert_cmpint (ear_episode_get_duration (fixture->second), ==, 30 * SECOND);

  leave_near_end (fixture, fixture->overstated);
  assert_stays_begun (fixture->overstated);
  playing_fixture_play (fixture, fixture->overstated, PLAYING_LENGTH - 2 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  assert_stays_begun (fixture->overstated);

  /* A wrong duration in the feed does not make the real end of the file a false one. */
  enlarge_overstated (fixture);
  playing_fixture_play (fixture, fixture->overstated, PLAYING_LENGTH - 2 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  g_assert_true (ear_episode_get_listened (fixture->overstated));
  g_assert_cmpint (ear_episode_get_position (fixture->overstated), ==, 0);
  g_assert_cmpint (ear_episode_get_duration (fixture->overstated), ==, PLAYING_LENGTH);
}

/* --- Stored positions --------------------------------------------------------------- */

/* Sets an episode as left some time ago. */
static void
leave (EarEpisode *episode, gint64 position, gint64 ago)
{
  ear_episode_set_heard (episode, g_get_real_time () - ago);
  ear_episode_set_position (episode, position);
}

/* A failed episode keeps its position when the listener goes to another one, and repeated
 * attempts to play it do not rewind each time. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  EarEpisode *episode = fixture->overstated;

  ear_test_server_remove (fixture->server, "/overstated.wav");
  ear_history_set_mark (fixture->parts->history, episode, EAR_MARK_POSITION, 34 * SECOND);
  for (gint64 position = 35 * SECOND; position <= 36 * SECOND; position += SECOND)
    {
      ear_playback_controller_seek (fixture->control, episode, NULL, position);
      wait_for_state (fixture, EAR_PLAYER_FAILED);
    }
  g_assert_cmpint (ear_episode_get_position (episode), ==, 36 * SECOND);
  play_episode (fixture, fixture->second);
  g_assert_cmpint (ear_episode_get_position (episode), ==, 36 * SECOND);

  ear_test_server_put (fixture->server, "/overstated.wav", "text/html", "<p>Gone");
  leave (episode, 36 * SECOND, 2 * HOUR);
  for (guint i = 0; i < 3; i++)
    {
      play_episode (fixture, episode);
      wait_for_state (fixture, EAR_PLAYER_FAILED);
      g_assert_cmpint (ear_player_get_position (fixture->player), ==, 21 * SECOND);
    }
}

/* Rows show the position every five seconds of the episode, at any speed. */
static void
test_often (Fixture *fixture, gconstpointer data)
{
  gint64 behind = 0;

  ear_player_set_rate (fixture->player, 4);
  playing_fixture_play (fixture, fixture->overstated, SECOND);
  while (ear_player_get_position (fixture->player) < 22 * SECOND)
    {
      ear_test_spin (20);
      behind = MAX (behind, ear_player_get_position (fixture->player) -
                                ear_episode_get_position (fixture->overstated));
    }
  g_assert_cmpint (behind, >, 4 * SECOND);
  g_assert_cmpint (behind, <, 10 * SECOND);
}

static void
play_until (Fixture *fixture, gint64 position)
{
  ear_playback_controller_play (fixture->control, ear_player_get_episode (fixture->player), NULL);
  wait_past (fixture, position);
}

/* An episode has a position once 30 seconds of it were heard, in any number of pieces. */
static void
test_started (Fixture *fixture, gconstpointer data)
{
  lengthen_first (fixture, MINUTE);
  /* The skipped start is not a seek by the listener. */
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 5);
  ear_history_set_mark (fixture->parts->history, fixture->first, EAR_MARK_REMOVED, TRUE);
  play_episode (fixture, fixture->first);
  wait_past (fixture, 7 * SECOND);
  g_assert_false (ear_episode_get_removed (fixture->first));
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 0);

  playing_fixture_play (fixture, fixture->second, 0);
  playing_fixture_play (fixture, fixture->first, 0);
  ear_player_set_rate (fixture->player, 4);
  play_until (fixture, 10 * SECOND);
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);
  play_until (fixture, 20 * SECOND);
  play_episode (fixture, fixture->second);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);

  /* The episode plays from its beginning, and its 30 seconds are counted again. */
  play_episode (fixture, fixture->first);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpint (ear_player_get_position (fixture->player), <, 10 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_position (fixture->first) > 0);
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 29 * SECOND);
  ear_player_pause (fixture->player);
  /* The pipeline stops some time after the position was stored. */
  g_assert_cmpint (
      ABS (ear_player_get_position (fixture->player) - ear_episode_get_position (fixture->first)),
      <, SECOND / 10);
}

/* A position chosen by the listener counts as soon as it plays. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  playing_fixture_play (fixture, fixture->second, 0);
  ear_player_seek (fixture->player, 12 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_position (fixture->second) > 12 * SECOND);

  playing_fixture_play (fixture, fixture->first, 0);
  ear_player_pause (fixture->player);
  ear_player_seek (fixture->player, 12 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) == 12 * SECOND);
  ear_test_spin (100);
  g_assert_cmpint (ear_episode_get_position (fixture->first), ==, 0);
  play_until (fixture, 13 * SECOND);
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->first), >, 12 * SECOND);

  /* A started episode keeps its position, however little of it is played now. */
  ear_history_set_mark (fixture->parts->history, fixture->second, EAR_MARK_POSITION, 15 * SECOND);
  play_episode (fixture, fixture->second);
  wait_past (fixture, 15 * SECOND);
  ear_player_pause (fixture->player);
  g_assert_cmpint (ear_episode_get_position (fixture->second), >, 15 * SECOND);
  ear_player_seek (fixture->player, 3 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_episode_get_position (fixture->second) < 4 * SECOND);
  g_assert_cmpint (ear_episode_get_position (fixture->second), >, 2 * SECOND);

  /* After a restart, one that was not started is at its position, and still not started. */
  playing_fixture_play (fixture, fixture->overstated, 0);
  play_until (fixture, 3 * SECOND);
  ear_player_pause (fixture->player);
  restart (fixture);
  EAR_TEST_WAIT_UNTIL (ear_player_get_episode (fixture->parts->player) != NULL);
  EarEpisode *episode = ear_player_get_episode (fixture->parts->player);
  g_assert_cmpstr (ear_episode_get_guid (episode), ==, "overstated");
  g_assert_cmpint (ear_player_get_position (fixture->parts->player), >=, 3 * SECOND);
  g_assert_cmpint (ear_episode_get_position (episode), ==, 0);
}

/* The time in an episode is that of the player, or as stored; long jumps can be undone. */
static void
test_jump (Fixture *fixture, gconstpointer data)
{
  EarPlaybackController *control = fixture->control;

  lengthen_first (fixture, 8 * MINUTE);
  leave (fixture->second, 18 * SECOND, 0);
  playing_fixture_play (fixture, fixture->first, 0);
  ear_player_pause (fixture->player);
  ear_player_seek (fixture->player, 10 * SECOND);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) == 10 * SECOND);
  ear_episode_set_position (fixture->first, SECOND);
  g_assert_cmpint (ear_playback_controller_get_time (control, fixture->first), ==, 10 * SECOND);
  g_assert_cmpint (ear_playback_controller_get_time (control, fixture->second), ==, 18 * SECOND);

  /* The second jump continues the search of the first, too short one. */
  ear_playback_controller_jump (control, 50 * SECOND);
  g_assert_null (fixture->undo);
  ear_playback_controller_jump (control, 60 * SECOND);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 60 * SECOND);
  g_assert_cmpstr (ear_undo_get_message (fixture->undo), ==, "Jumped to 1:00");
  ear_undo_run (fixture->undo);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 10 * SECOND);

  /* Far from the last jump, it is not undone, and the next one is no search. */
  ear_playback_controller_jump (control, 60 * SECOND);
  ear_player_seek (fixture->player, 7 * MINUTE);
  ear_undo_run (fixture->undo);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 7 * MINUTE);
  ear_playback_controller_jump (control, 6 * MINUTE);
  ear_undo_run (fixture->undo);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 7 * MINUTE);

  ear_playback_controller_seek (control, fixture->second, fixture->list, 12 * SECOND);
  g_assert_cmpint (ear_playback_controller_get_time (control, fixture->second), ==, 18 * SECOND);
}

/* --- After a pause ------------------------------------------------------------------ */

static void
test_another_time (Fixture *fixture, gconstpointer data)
{
  leave (fixture->first, 18 * SECOND, 2 * HOUR);
  play_episode (fixture, fixture->first);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 3 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ASSERT_POSITION (fixture, 3 * SECOND);

  /* No rewind beyond the beginning, with the setting off, or to a chosen position */
  leave (fixture->overstated, 18 * SECOND, 48 * HOUR);
  play_episode (fixture, fixture->overstated);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 0);
  g_object_set (fixture->parts->settings, "rewind-after-pause", FALSE, NULL);
  leave (fixture->first, 18 * SECOND, 2 * HOUR);
  play_episode (fixture, fixture->first);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 18 * SECOND);
  g_object_set (fixture->parts->settings, "rewind-after-pause", TRUE, NULL);
  leave (fixture->second, 18 * SECOND, 48 * HOUR);
  ear_playback_controller_seek (fixture->control, fixture->second, fixture->list, 20 * SECOND);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 20 * SECOND);
}

static void
pause_for (Fixture *fixture, gint64 length)
{
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_for_state (fixture, EAR_PLAYER_PAUSED);
  ear_playback_controller_lengthen_pause (fixture->control, length);
}

static void
resume (Fixture *fixture)
{
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
}

static void
test_pause (Fixture *fixture, gconstpointer data)
{
  playing_fixture_play (fixture, fixture->first, 20 * SECOND);
  pause_for (fixture, 0);
  gint64 before = ear_player_get_position (fixture->player);
  resume (fixture);
  /* The audio clock, stopped and restarted, may be a fraction of a millisecond behind. */
  g_assert_cmpint (ear_player_get_position (fixture->player), >, before - SECOND / 100);

  /* Every way to resume rewinds. */
  pause_for (fixture, 20 * MINUTE);
  before = ear_player_get_position (fixture->player);
  ear_playback_controller_resume_async (fixture->control, NULL, NULL);
  g_assert_cmpint (ABS (ear_player_get_position (fixture->player) - before + 10 * SECOND), <,
                   SECOND / 10);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ASSERT_POSITION (fixture, before - 10 * SECOND);

  /* A seek during the pause sets the position. */
  pause_for (fixture, 20 * MINUTE);
  ear_player_seek (fixture->player, 25 * SECOND);
  resume (fixture);
  ASSERT_POSITION (fixture, 25 * SECOND);

  /* A click on a sentence, a chapter or a time in the notes plays exactly from there. */
  pause_for (fixture, 20 * MINUTE);
  ear_playback_controller_seek (fixture->control, fixture->first, fixture->list, 10 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ASSERT_POSITION (fixture, 10 * SECOND);
}

/* The rewind leads into a skipped beginning, without a notice, but not out of a skipped end. */
static void
test_skipped_ends (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    int left, found;
  } cases[] = { { 10, 5 }, { 5, 0 }, { 20, 15 }, { 33, 30 } };

  lengthen_first (fixture, 40 * SECOND);
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 8);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      if (cases[i].left == 33)
        {
          set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 0);
          set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_END, 10);
        }
      playing_fixture_play (fixture, fixture->second, 15 * SECOND);
      leave (fixture->first, cases[i].left * SECOND, 120 * SECOND);
      g_string_truncate (fixture->notices, 0);
      play_episode (fixture, fixture->first);
      g_assert_cmpint (ear_player_get_position (fixture->player), ==, cases[i].found * SECOND);
      wait_for_state (fixture, EAR_PLAYER_PLAYING);
      ear_player_seek (fixture->player, cases[i].left * SECOND);
      wait_past (fixture, cases[i].left * SECOND + SECOND / 10);
      g_assert_cmpstr (fixture->notices->str, ==, "");

      pause_for (fixture, 120 * SECOND);
      resume (fixture);
      ASSERT_POSITION (fixture, cases[i].found * SECOND);
    }
}

/* --- Skipped starts and ends, and when they are played all the same ------------------ */

/* Forty seconds are long enough for ten of them to be skipped. */
static void
set_up_ends (Fixture *fixture, gconstpointer data)
{
  playing_fixture_set_up (fixture, data);
  lengthen_first (fixture, 40 * SECOND);
  g_object_set (fixture->parts->settings, "continuous", FALSE, NULL);
}

/* Plays the episode from its stored position, after another one. */
static void
play (Fixture *fixture, EarEpisode *episode)
{
  playing_fixture_play (fixture, fixture->second, 20 * SECOND);
  play_episode (fixture, episode);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
}

/* Seeks in an episode that is not in the player. */
static void
go_into (Fixture *fixture, EarEpisode *episode, gint64 position)
{
  playing_fixture_play (fixture, fixture->second, 20 * SECOND);
  playing_fixture_play (fixture, episode, position);
}

/* Playing continues for a while, without a notice. */
static void
assert_goes_on (Fixture *fixture)
{
  const gint64 position = ear_player_get_position (fixture->player);

  wait_past (fixture, position + SECOND / 2);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PLAYING);
  g_assert_false (ear_episode_get_listened (ear_player_get_episode (fixture->player)));
  g_assert_cmpstr (fixture->notices->str, ==, "");
}

static void
test_end (Fixture *fixture, gconstpointer data)
{
  static const EarPodcastSetting settings[] = { EAR_PODCAST_SETTING_SKIP_END,
                                                EAR_PODCAST_SETTING_SKIP_START };
  static const int values[] = { 10, 0 };
  EarEpisode *episode = fixture->first;

  /* Changing the length of the skipped end while inside it does not move the position. */
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 9);
  go_into (fixture, episode, 33 * SECOND);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      set_podcast_setting (fixture, settings[i], values[i]);
      assert_goes_on (fixture);
      pause_for (fixture, 0);
      resume (fixture);
      assert_goes_on (fixture);
    }

  /* A seek into the skipped end plays it, and so does returning to a position there. */
  go_into (fixture, episode, 33 * SECOND);
  assert_goes_on (fixture);
  play (fixture, episode);
  g_assert_cmpint (ear_player_get_position (fixture->player), >, 33 * SECOND);
  assert_goes_on (fixture);
  ear_playback_controller_leave (fixture->control, ear_episode_get_podcast (episode));
  ear_playback_controller_return (fixture->control);
  resume (fixture);
  assert_goes_on (fixture);

  /* After going back, playing ends before the skipped end. */
  ear_player_seek (fixture->player, 29 * SECOND);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  g_assert_cmpstr (fixture->notices->str, ==, "The last 10 seconds were skipped\n");
  g_assert_true (ear_episode_get_listened (episode));

  /* The beginning of the skipped end is not known before the file is opened. */
  g_string_truncate (fixture->notices, 0);
  ear_history_set_mark (fixture->parts->history, episode, EAR_MARK_LISTENED, FALSE);
  ear_episode_set_duration (episode, 90 * SECOND);
  go_into (fixture, episode, 33 * SECOND);
  g_assert_cmpint (ear_player_get_duration (fixture->player), ==, 40 * SECOND);
  assert_goes_on (fixture);
}

static void
test_start (Fixture *fixture, gconstpointer data)
{
  static const int too_far[] = { 15, 28, 39, 600 };

  /* Short episodes skip nothing, even if only the media tells their length. */
  for (guint i = 0; i < G_N_ELEMENTS (too_far); i++)
    {
      set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, too_far[i]);
      ear_episode_set_duration (fixture->first, EAR_DURATION_UNKNOWN);
      ear_episode_set_position (fixture->first, 0);
      play (fixture, fixture->first);
      EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) < 2 * SECOND);
      wait_for_state (fixture, EAR_PLAYER_PLAYING);
      assert_goes_on (fixture);
    }

  /* A notice says once that the start was skipped, as the setting may be old. */
  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 8);
  play (fixture, fixture->first);
  ASSERT_POSITION (fixture, 8 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "The first 8 seconds were skipped\n");
  g_string_truncate (fixture->notices, 0);
  pause_for (fixture, 0);
  resume (fixture);
  assert_goes_on (fixture);

  /* A seek to the very beginning plays it. */
  go_into (fixture, fixture->first, 0);
  ASSERT_POSITION (fixture, 0);
  assert_goes_on (fixture);

  /* A server without range requests is read up to the end of the skipped start. */
  ear_test_server_put_way (fixture->server, "/first.wav", "/~norange/first.wav");
  ear_episode_set_position (fixture->first, 0);
  play (fixture, fixture->first);
  ASSERT_POSITION (fixture, 8 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "The first 8 seconds were skipped\n");
}

/* Playing again after the end skips the start again, also the first chapter if the listener
 * skips such chapters. */
static void
test_again (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = ear_episode_get_podcast (fixture->first);

  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 8);
  go_into (fixture, fixture->first, 77 * SECOND / 2);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  resume (fixture);
  ASSERT_POSITION (fixture, 8 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "The first 8 seconds were skipped\n");

  /* A seek to the beginning plays it. */
  go_into (fixture, fixture->first, 77 * SECOND / 2);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  ear_playback_controller_seek (fixture->control, fixture->first, fixture->list, 0);
  wait_for_state (fixture, EAR_PLAYER_PLAYING);
  ASSERT_POSITION (fixture, 0);

  set_podcast_setting (fixture, EAR_PODCAST_SETTING_SKIP_START, 0);
  ear_chapter_control_set_skips (fixture->parts->chapter_control, podcast, "A", TRUE);
  g_string_truncate (fixture->notices, 0);
  playing_fixture_play (fixture, fixture->second, 57 * SECOND / 2);
  wait_for_state (fixture, EAR_PLAYER_ENDED);
  ear_playback_controller_toggle (fixture->control, NULL, NULL);
  wait_past (fixture, SECOND);
  g_assert_cmpint (ear_player_get_position (fixture->player), >=, 12 * SECOND);
  g_assert_cmpstr (fixture->notices->str, ==, "“A” was skipped\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/positions/rules", test_rules);
  ADD_PLAYING_TEST ("/positions/near-end", test_near_end);
  ADD_PLAYING_TEST ("/positions/failed", test_failed);
  ADD_PLAYING_TEST ("/positions/often", test_often);
  ADD_PLAYING_TEST ("/positions/started", test_started);
  ADD_PLAYING_TEST ("/positions/moved", test_moved);
  ADD_PLAYING_TEST ("/positions/jump", test_jump);
  ADD_PLAYING_TEST ("/positions/rewind/another-time", test_another_time);
  ADD_PLAYING_TEST ("/positions/rewind/pause", test_pause);
  ADD_PLAYING_TEST ("/positions/rewind/skipped-ends", test_skipped_ends);

#define ADD_ENDS_TEST(path, test)                                                                  \
  g_test_add ("/positions/skipped" path, Fixture, NULL, set_up_ends, test, tear_down)
  ADD_ENDS_TEST ("/end", test_end);
  ADD_ENDS_TEST ("/start", test_start);
  ADD_ENDS_TEST ("/again", test_again);

  return g_test_run ();
}
