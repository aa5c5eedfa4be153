/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every format that podcasts use, over HTTP and from a file: whether the audible position
 * is the reported one after opening, a seek, a skip, a pause and resuming. */

#include "player-fixture.h"

/* Largest error of a seek. */
#define MARGIN 0.15
/* MP3 of variable bit rate over HTTP has a coarse table of contents. */
#define MARGIN_ESTIMATED 0.3

typedef struct
{
  const char *name;
  gboolean file;
  double margin;
  double duration_margin;
} Clip;

static const Clip clips[] = {
  { "minute.wav", FALSE, MARGIN, 0.3 },
  { "minute.cbr.mp3", FALSE, MARGIN, 0.3 },
  { "minute.vbr.mp3", FALSE, MARGIN_ESTIMATED, 0.3 },
  { "minute.opus", FALSE, MARGIN, 0.3 },
  { "minute.m4a", FALSE, MARGIN, 0.3 },
  { "minute.late.m4a", FALSE, MARGIN, 0.3 },
  { "minute.wav", TRUE, MARGIN, 0.3 },
  { "minute.cbr.mp3", TRUE, MARGIN, 0.3 },
  { "minute.vbr.mp3", TRUE, MARGIN, 0.3 },
  /* The file does not contain its duration. */
  { "minute.bare.mp3", TRUE, MARGIN, 5 },
  { "minute.opus", TRUE, MARGIN, 0.3 },
  { "minute.m4a", TRUE, MARGIN, 0.3 },
  { "minute.late.m4a", TRUE, MARGIN, 0.3 },
};

static void
open_clip (PlayerFixture *fixture, const Clip *clip, double position)
{
  g_autofree char *path = g_strconcat ("/", clip->name, NULL);

  if (clip->file)
    player_fixture_open_file (fixture, clip->name, position);
  else
    player_fixture_open (fixture, path, position);
}

/* Asserts that the audible and the reported position are near @expected. */
static void
check_place (PlayerFixture *fixture, const Clip *clip, double expected)
{
  double heard;

  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  PLAYER_WAIT_UNTIL (ear_test_sound_get_heard (fixture->sound) >= 200000);
  heard = player_fixture_agree (fixture, clip->margin);
  /* Playback has lasted a moment. */
  g_assert_cmpfloat (heard, >=, expected - clip->margin);
  g_assert_cmpfloat (heard, <=, expected + 1.5);
}

static void
test_clip (PlayerFixture *fixture, gconstpointer data)
{
  const Clip *clip = data;
  double first, lowest, highest;

  open_clip (fixture, clip, 0);
  g_assert_cmpint (ear_player_get_state (fixture->player), ==, EAR_PLAYER_PAUSED);
  ear_player_play (fixture->player);
  check_place (fixture, clip, 0);
  /* The duration of MP3 is known only after some frames. */
  PLAYER_WAIT_UNTIL (ear_player_get_duration (fixture->player) > 0);
  PLAYER_ASSERT_NEAR ((double) ear_player_get_duration (fixture->player), 60e6, clip->duration_margin * 1e6);
  g_assert_true (ear_player_get_seekable (fixture->player));
  g_assert_cmpuint (fixture->seeked, ==, 0);

  ear_player_seek (fixture->player, 33300 * 1000);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 33300 * 1000);
  ear_test_sound_clear (fixture->sound);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  PLAYER_ASSERT_NEAR ((double) fixture->seeked_position, 33.3e6, clip->margin * 1e6);
  ear_test_sound_clear (fixture->sound);
  check_place (fixture, clip, 33.3);

  ear_player_skip (fixture->player, -10 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 2);
  ear_test_sound_clear (fixture->sound);
  check_place (fixture, clip, 23.5);

  /* Resuming plays no moment of another position. */
  ear_player_pause (fixture->player);
  fixture->lowest = G_MAXINT64;
  open_clip (fixture, clip, 47.7);
  g_assert_cmpint (ear_player_get_position (fixture->player), ==, 47700 * 1000);
  g_assert_false (ear_player_get_restored (fixture->player));
  ear_test_sound_clear (fixture->sound);
  ear_player_play (fixture->player);
  check_place (fixture, clip, 47.7);
  g_assert_true (ear_test_sound_read_range (fixture->sound, &first, &lowest, &highest));
  PLAYER_ASSERT_NEAR (first, 47.7, clip->margin);
  g_assert_cmpfloat (lowest, >=, 47.7 - clip->margin);
  g_assert_cmpfloat (highest, <=, 49.5);
  g_assert_true (ear_player_get_restored (fixture->player));
  g_assert_cmpint (fixture->lowest, >=, (gint64) (47.7 - clip->margin) * G_USEC_PER_SEC);
  g_assert_cmpuint (fixture->seeked, ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (clips); i++)
    {
      g_autofree char *path = g_strdup_printf ("/player/playing/%s/%s", clips[i].file ? "file" : "http", clips[i].name);

      g_test_add (path, PlayerFixture, &clips[i], player_fixture_set_up, test_clip, player_fixture_tear_down);
    }

  return g_test_run ();
}
