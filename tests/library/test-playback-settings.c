/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "player-fixture.h"
#include "served-library.h"

/* Speed and filters: for one podcast, and the default for all */

static EarPlayer *player;             /* owned by the library */
static EarPlaybackSettings *settings; /* owned by the library */
static EarTestSound *sound;
static EarEpisode *episode;           /* of a followed podcast, held by the fixture */
static EarEpisode *other;             /* of another followed podcast, held by the fixture */

static void
set_up_episodes (Fixture *fixture, gconstpointer data)
{
  set_up (fixture, data);
  open_library (fixture, NULL);
  player = fixture->parts->player;
  settings = fixture->parts->playback_settings;
  sound = ear_test_sound_new ();
  ear_player_set_sink (player, ear_test_sound_make_sink, G_OBJECT (sound));
  episode = fixture->first = ear_episode_new (1, follow (fixture, "/a.xml"), "guid");
  other = fixture->second = ear_episode_new (1, follow (fixture, "/b.xml"), "guid");
}

static void
tear_down_episodes (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->parts->settings, "rate", 1.0, "trim-silence", FALSE, NULL);
  tear_down (fixture, data);
  g_clear_object (&sound);
}

static void
put_in (EarEpisode *wanted)
{
  ear_player_open (player, wanted, NULL, "http://127.0.0.1:1/nothing.mp3", 0);
}

static int
get_setting (EarPodcastSetting setting)
{
  return ear_podcast_get_setting (ear_episode_get_podcast (episode), setting);
}

static void
check (double rate, gboolean trim, gboolean own)
{
  g_assert_cmpfloat_with_epsilon (ear_player_get_rate (player), rate, 0.001);
  g_assert_cmpint (ear_test_get_boolean (player, "trim-silence"), ==, trim);
  g_assert_cmpint (ear_test_get_boolean (settings, "own"), ==, own);
}

static void
assert_default_rate (Fixture *fixture, double expected)
{
  double rate;

  g_object_get (fixture->parts->settings, "rate", &rate, NULL);
  g_assert_cmpfloat (rate, ==, expected);
}

/* A default applies to all podcasts, and an own setting to one podcast only. */
static void
test_own (Fixture *fixture, gconstpointer data)
{
  put_in (episode);
  ear_player_set_rate (player, 1.5);
  check (1.5, FALSE, FALSE);
  put_in (other);
  check (1.5, FALSE, FALSE);

  put_in (episode);
  g_object_set (settings, "own", TRUE, NULL);
  g_assert_cmpint (get_setting (EAR_PODCAST_SETTING_SPEED), ==, 150);
  g_assert_cmpint (get_setting (EAR_PODCAST_SETTING_TRIM_SILENCE), ==, FALSE);
  ear_player_set_rate (player, 2);
  g_object_set (player, "trim-silence", TRUE, NULL);
  EAR_TEST_WAIT_UNTIL (get_setting (EAR_PODCAST_SETTING_SPEED) == 200);
  check (2, TRUE, TRUE);
  assert_default_rate (fixture, 1.5);

  put_in (other);
  check (1.5, FALSE, FALSE);
  put_in (episode);
  check (2, TRUE, TRUE);

  g_object_set (settings, "own", FALSE, NULL);
  check (1.5, FALSE, FALSE);
  g_assert_cmpint (get_setting (EAR_PODCAST_SETTING_SPEED), ==, EAR_SETTING_INHERIT);

  /* A change is stored even if another episode starts, or Earmark quits, right after it. */
  g_object_set (settings, "own", TRUE, NULL);
  ear_player_set_rate (player, 2.5);
  put_in (other);
  g_assert_cmpint (get_setting (EAR_PODCAST_SETTING_SPEED), ==, 250);
  check (1.5, FALSE, FALSE);
}

/* Changes made in the preferences or the dialog of the podcast apply at once. */
static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  EarSubscriptions *subscriptions = fixture->parts->subscriptions;
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autoptr (EarPodcast) previewed = ear_podcast_new (99, "http://127.0.0.1:1/c");
  g_autoptr (EarEpisode) preview = ear_episode_new (2, previewed, "guid");
  EarPodcast *own;

  put_in (episode);
  g_object_set (fixture->parts->settings, "rate", 1.2, "trim-silence", TRUE, NULL);
  check (1.2, TRUE, FALSE);
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_SPEED, 80);
  check (0.8, TRUE, TRUE);
  g_object_set (fixture->parts->settings, "rate", 3.0, NULL);
  check (0.8, TRUE, TRUE);
  ear_subscriptions_set_setting (subscriptions, podcast, EAR_PODCAST_SETTING_SPEED,
                                 EAR_SETTING_INHERIT);
  check (3, TRUE, FALSE);

  /* Settings of a previewed podcast are not stored. */
  put_in (preview);
  g_object_get (settings, "podcast", &own, NULL);
  g_assert_null (own);
  ear_player_set_rate (player, 1.1);
  check (1.1, TRUE, FALSE);
}

/* A change that is limited to one podcast after it was made does not affect the others. */
static void
test_only_here (Fixture *fixture, gconstpointer data)
{
  put_in (episode);
  ear_player_set_rate (player, 1.25);
  ear_playback_settings_begin_change (settings);
  ear_player_set_rate (player, 2);
  g_object_set (player, "trim-silence", TRUE, NULL);
  g_object_set (settings, "own", TRUE, NULL);
  check (2, TRUE, TRUE);
  g_assert_cmpint (get_setting (EAR_PODCAST_SETTING_SPEED), ==, 200);
  assert_default_rate (fixture, 1.25);
  ear_playback_settings_end_change (settings);
  put_in (other);
  check (1.25, FALSE, FALSE);

  /* Earlier changes stay the default. */
  ear_player_set_rate (player, 1.5);
  g_object_set (settings, "own", TRUE, NULL);
  assert_default_rate (fixture, 1.5);
}

/* At double speed, skipping saves half of the skipped time. */
static void
test_time_saved (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), "minute.pauses.wav", NULL);
  EarListening *saved = fixture->parts->listening;
  gint64 recording = 0, of_episode, total;

  ear_player_set_rate (player, 2);
  g_object_set (player, "trim-silence", TRUE, NULL);
  ear_player_open (player, episode, path, NULL, 0);
  ear_player_play (player);
  while (recording < 2 * G_USEC_PER_SEC)
    {
      g_main_context_iteration (NULL, TRUE);
      recording = ear_test_get_int64 (player, "time-saved");
    }
  g_object_get (saved, "of-episode", &of_episode, "by-trimming", &total, NULL);
  g_assert_cmpfloat_with_epsilon ((double) of_episode, (double) recording / 2, 2);
  g_assert_cmpint (total, ==, of_episode);

  put_in (other);
  g_object_get (saved, "of-episode", &of_episode, "by-trimming", &total, NULL);
  g_assert_cmpint (of_episode, ==, 0);
  g_assert_cmpfloat_with_epsilon ((double) total, (double) recording / 2, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add ("/playback-settings" path, Fixture, NULL, set_up_episodes, test, tear_down_episodes)
  ADD ("/own", test_own);
  ADD ("/elsewhere", test_elsewhere);
  ADD ("/only-here", test_only_here);
  ADD ("/time-saved", test_time_saved);

  return g_test_run ();
}
