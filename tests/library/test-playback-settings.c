/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library.h"
#include "ear-skip-ends.h"
#include "ear-test-folder.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "player-fixture.h"

/* Speed, filters and skipped ends: for one podcast, and the default for all */

#define ADDRESS "http://127.0.0.1:1/a"
#define OTHER "http://127.0.0.1:1/b"

typedef struct
{
  char *folder;
  EarLibrary *library;
  EarPlayer *player;
  EarPlaybackSettings *settings;
  EarTestSound *sound;
  EarEpisode *episode; /* of a followed podcast */
  EarEpisode *other;   /* of another followed podcast */
} Fixture;

static EarEpisode *
new_episode (Fixture *fixture, const char *address)
{
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, "A");

  return ear_episode_new (1, podcast, "guid");
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-playback-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->library = library_fixture_open (fixture->folder);
  fixture->player = ear_library_get_player (fixture->library);
  g_object_get (fixture->library, "playback-settings", &fixture->settings, NULL);
  fixture->sound = ear_test_sound_new ();
  ear_player_set_sink (fixture->player, ear_test_sound_make_sink, G_OBJECT (fixture->sound));
  fixture->episode = new_episode (fixture, ADDRESS);
  fixture->other = new_episode (fixture, OTHER);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_set (ear_library_get_settings (fixture->library), "rate", 1.0, "trim-silence", FALSE, "level-volume", FALSE, NULL);
  g_clear_object (&fixture->settings);
  library_fixture_close (&fixture->library);
  g_clear_object (&fixture->sound);
  g_clear_object (&fixture->episode);
  g_clear_object (&fixture->other);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static void
put_in (Fixture *fixture, EarEpisode *episode)
{
  ear_player_open (fixture->player, episode, "http://127.0.0.1:1/nothing.mp3", 0);
}

static int
get_setting (EarEpisode *episode, EarPodcastSetting setting)
{
  return ear_podcast_get_settings (ear_episode_get_podcast (episode))->values[setting];
}

static void
set_setting (Fixture *fixture, EarEpisode *episode, EarPodcastSetting setting, int value)
{
  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), ear_episode_get_podcast (episode), setting,
                                 value);
}

static void
check (Fixture *fixture, double rate, gboolean trim, gboolean own)
{
  gboolean trims, is_own;

  g_object_get (fixture->player, "trim-silence", &trims, NULL);
  g_object_get (fixture->settings, "own", &is_own, NULL);
  g_assert_cmpfloat_with_epsilon (ear_player_get_rate (fixture->player), rate, 0.001);
  g_assert_cmpint (trims, ==, trim);
  g_assert_cmpint (is_own, ==, own);
}

/* A default applies to all podcasts, and an own setting to one podcast only. */
static void
test_own (Fixture *fixture, gconstpointer data)
{
  double everywhere;

  put_in (fixture, fixture->episode);
  ear_player_set_rate (fixture->player, 1.5);
  check (fixture, 1.5, FALSE, FALSE);
  put_in (fixture, fixture->other);
  check (fixture, 1.5, FALSE, FALSE);

  put_in (fixture, fixture->episode);
  g_object_set (fixture->settings, "own", TRUE, NULL);
  g_assert_cmpint (get_setting (fixture->episode, EAR_PODCAST_SETTING_SPEED), ==, 150);
  g_assert_cmpint (get_setting (fixture->episode, EAR_PODCAST_SETTING_TRIM_SILENCE), ==, FALSE);
  ear_player_set_rate (fixture->player, 2);
  g_object_set (fixture->player, "trim-silence", TRUE, NULL);
  EAR_TEST_WAIT_UNTIL (get_setting (fixture->episode, EAR_PODCAST_SETTING_SPEED) == 200);
  check (fixture, 2, TRUE, TRUE);
  g_object_get (ear_library_get_settings (fixture->library), "rate", &everywhere, NULL);
  g_assert_cmpfloat (everywhere, ==, 1.5);

  put_in (fixture, fixture->other);
  check (fixture, 1.5, FALSE, FALSE);
  put_in (fixture, fixture->episode);
  check (fixture, 2, TRUE, TRUE);

  g_object_set (fixture->settings, "own", FALSE, NULL);
  check (fixture, 1.5, FALSE, FALSE);
  g_assert_cmpint (get_setting (fixture->episode, EAR_PODCAST_SETTING_SPEED), ==, EAR_PLAYBACK_INHERIT);
}

/* Changes made in the preferences or the dialog of the podcast apply at once. */
static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  put_in (fixture, fixture->episode);
  g_object_set (ear_library_get_settings (fixture->library), "rate", 1.2, "trim-silence", TRUE, NULL);
  check (fixture, 1.2, TRUE, FALSE);
  set_setting (fixture, fixture->episode, EAR_PODCAST_SETTING_SPEED, 80);
  check (fixture, 0.8, TRUE, TRUE);
  g_object_set (ear_library_get_settings (fixture->library), "rate", 3.0, NULL);
  check (fixture, 0.8, TRUE, TRUE);
  set_setting (fixture, fixture->episode, EAR_PODCAST_SETTING_SPEED, EAR_PLAYBACK_INHERIT);
  check (fixture, 3, TRUE, FALSE);
}

/* A change is stored even if another episode starts, or Earmark quits, right after it. */
static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  put_in (fixture, fixture->episode);
  g_object_set (fixture->settings, "own", TRUE, NULL);
  ear_player_set_rate (fixture->player, 2.5);
  put_in (fixture, fixture->other);
  g_assert_cmpint (get_setting (fixture->episode, EAR_PODCAST_SETTING_SPEED), ==, 250);
  check (fixture, 1, FALSE, FALSE);
}

/* Settings of a previewed podcast are not stored. */
static void
test_not_followed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (99, "http://127.0.0.1:1/c");
  g_autoptr (EarEpisode) episode = ear_episode_new (2, podcast, "guid");
  g_autoptr (EarPodcast) own = NULL;

  put_in (fixture, episode);
  g_object_get (fixture->settings, "podcast", &own, NULL);
  g_assert_null (own);
  ear_player_set_rate (fixture->player, 1.1);
  check (fixture, 1.1, FALSE, FALSE);
}

static void
test_skip_start (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (ear_skip_ends_get_start (fixture->episode), ==, 0);
  set_setting (fixture, fixture->episode, EAR_PODCAST_SETTING_SKIP_START, 25);
  g_assert_cmpint (ear_skip_ends_get_start (fixture->episode), ==, 25 * G_USEC_PER_SEC);
}

static void
play (Fixture *fixture, const char *clip, double position)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), clip, NULL);

  ear_player_open_file (fixture->player, fixture->episode, path, (gint64) (position * G_USEC_PER_SEC));
  ear_player_play (fixture->player);
}

static void
count_cb (guint *n)
{
  (*n)++;
}

/* A change that is then limited to one podcast does not affect the others, although it
 * was made first. */
static void
test_only_here (Fixture *fixture, gconstpointer data)
{
  double everywhere;

  put_in (fixture, fixture->episode);
  ear_player_set_rate (fixture->player, 1.25);
  ear_playback_settings_begin_change (fixture->settings);
  ear_player_set_rate (fixture->player, 2);
  g_object_set (fixture->player, "trim-silence", TRUE, NULL);
  g_object_set (fixture->settings, "own", TRUE, NULL);
  check (fixture, 2, TRUE, TRUE);
  g_assert_cmpint (get_setting (fixture->episode, EAR_PODCAST_SETTING_SPEED), ==, 200);
  g_object_get (ear_library_get_settings (fixture->library), "rate", &everywhere, NULL);
  g_assert_cmpfloat (everywhere, ==, 1.25);
  ear_playback_settings_end_change (fixture->settings);
  put_in (fixture, fixture->other);
  check (fixture, 1.25, FALSE, FALSE);

  /* Earlier changes stay the default. */
  ear_player_set_rate (fixture->player, 1.5);
  g_object_set (fixture->settings, "own", TRUE, NULL);
  g_object_get (ear_library_get_settings (fixture->library), "rate", &everywhere, NULL);
  g_assert_cmpfloat (everywhere, ==, 1.5);
}

/* The episode ends early, and counts as played to the end; a seek beyond that point plays
 * the rest. */
static void
test_skip_end (Fixture *fixture, gconstpointer data)
{
  guint ended = 0;
  double first, lowest, highest;

  set_setting (fixture, fixture->episode, EAR_PODCAST_SETTING_SKIP_END, 20);
  g_signal_connect_swapped (fixture->player, "ended", G_CALLBACK (count_cb), &ended);
  play (fixture, "minute.wav", 38.5);
  EAR_TEST_WAIT_UNTIL (ended == 1);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_ENDED);

  ear_test_sound_clear (fixture->sound);
  play (fixture, "minute.wav", 38.5);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (fixture->player) == EAR_PLAYER_PLAYING);
  ear_player_seek (fixture->player, 45 * G_USEC_PER_SEC);
  EAR_TEST_WAIT_UNTIL (ear_player_get_position (fixture->player) > 46 * G_USEC_PER_SEC);
  g_assert_true (ear_test_sound_read_range (fixture->sound, &first, &lowest, &highest));
  g_assert_cmpfloat (highest, <, 50);
  g_assert_cmpuint (ended, ==, 1);
}

/* At double speed, skipping saves half of the skipped time. */
static void
test_time_saved (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GObject) saved = NULL;
  gint64 recording = 0, episode, total;

  ear_player_set_rate (fixture->player, 2);
  g_object_set (fixture->player, "trim-silence", TRUE, NULL);
  g_object_get (fixture->library, "listening", &saved, NULL);
  play (fixture, "minute.pauses.wav", 0);
  while (recording < 2 * G_USEC_PER_SEC)
    {
      g_main_context_iteration (NULL, TRUE);
      g_object_get (fixture->player, "time-saved", &recording, NULL);
    }
  g_object_get (saved, "of-episode", &episode, "by-trimming", &total, NULL);
  g_assert_cmpfloat_with_epsilon ((double) episode, (double) recording / 2, 2);
  g_assert_cmpint (total, ==, episode);

  put_in (fixture, fixture->other);
  g_object_get (saved, "of-episode", &episode, NULL);
  g_assert_cmpint (episode, ==, 0);
  g_object_get (saved, "by-trimming", &total, NULL);
  g_assert_cmpfloat_with_epsilon ((double) total, (double) recording / 2, 2);
}

#define ADD(path, function) g_test_add ("/playback-settings" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/own", test_own);
  ADD ("/elsewhere", test_elsewhere);
  ADD ("/at-once", test_at_once);
  ADD ("/not-followed", test_not_followed);
  ADD ("/skip-start", test_skip_start);
  ADD ("/only-here", test_only_here);
  ADD ("/skip-end", test_skip_end);
  ADD ("/time-saved", test_time_saved);

  return g_test_run ();
}
