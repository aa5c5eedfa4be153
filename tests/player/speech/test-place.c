/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether the reported position is the audible one, at any speed and with
 * pauses left out. */

#include "player-fixture.h"

#include <math.h>

/* Largest difference: seconds. */
#define MARGIN 0.05

typedef struct
{
  const char *clip;
  double rate;
  gboolean trim;
} Case;

static const Case cases[] = {
  { "minute.wav", 0.5, FALSE },
  { "minute.wav", 1, FALSE },
  { "minute.wav", 1.3, FALSE },
  { "minute.wav", 2.5, FALSE },
  { "minute.wav", 4, FALSE },
  { "minute.pauses.wav", 1, TRUE },
  { "minute.pauses.wav", 1.7, TRUE },
  { "minute.pauses.wav", 3, TRUE },
};

static int
compare (gconstpointer a, gconstpointer b)
{
  const double difference = *(const double *) a - *(const double *) b;

  return (difference > 0) - (difference < 0);
}

/* Returns how far the reported position is ahead of the audible one: the median of many
 * readings, because a busy computer is late with some. */
static double
find_difference (PlayerFixture *fixture, double rate, double until)
{
  g_autoptr (GArray) differences = g_array_new (FALSE, FALSE, sizeof (double));

  while (player_fixture_position (fixture) < until)
    {
      EarTimeToneReading reading;
      double difference;

      player_fixture_wait (20);
      if (!ear_test_sound_read (fixture->sound, &reading) || reading.level < 0.2 || fabs (reading.pitch - 1) > 0.01)
        continue;
      difference = player_fixture_position (fixture) - reading.time - EAR_TIME_TONE_WINDOW / 2 / 44100.0 * rate;
      g_array_append_val (differences, difference);
    }
  g_assert_cmpuint (differences->len, >, 20);
  g_array_sort (differences, compare);
  g_test_message ("%u looks: %.0f ms in the middle, %.0f to %.0f for nine of ten", differences->len,
                  g_array_index (differences, double, differences->len / 2) * 1000,
                  g_array_index (differences, double, differences->len / 20) * 1000,
                  g_array_index (differences, double, differences->len * 19 / 20) * 1000);

  return g_array_index (differences, double, differences->len / 2);
}

static void
test_place (PlayerFixture *fixture, gconstpointer data)
{
  const Case *what = data;
  gint64 saved;

  ear_player_set_rate (fixture->player, what->rate);
  g_object_set (fixture->player, "trim-silence", what->trim, NULL);
  player_fixture_open_file (fixture, what->clip, 0);
  ear_player_play (fixture->player);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  g_assert_cmpfloat (fabs (find_difference (fixture, what->rate, MIN (12, 5 * what->rate + 3))), <, MARGIN);

  ear_player_seek (fixture->player, 33 * G_USEC_PER_SEC);
  PLAYER_WAIT_UNTIL (fixture->seeked == 1);
  player_fixture_await (fixture, EAR_PLAYER_PLAYING);
  ear_test_sound_clear (fixture->sound);
  g_assert_cmpfloat (fabs (find_difference (fixture, what->rate, MIN (45, 33 + 4 * what->rate))), <, MARGIN);

  g_object_get (fixture->player, "time-saved", &saved, NULL);
  g_test_message ("%.1f s saved", (double) saved / G_USEC_PER_SEC);
  g_assert_true ((saved > 0) == what->trim);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/place/%s/%.1f", cases[i].clip, cases[i].rate);

      g_test_add (path, PlayerFixture, &cases[i], player_fixture_set_up, test_place, player_fixture_tear_down);
    }

  return g_test_run ();
}
