/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Simulates a restless listener: random seeks, changes of speed, pauses and other
 * episodes in quick succession. Whenever there is time, the reported position is compared
 * with the audible one.
 *
 * EARMARK_RANDOM sets the number of actions, --seed the seed; the first line of the
 * output shows it. */

#include "player-fixture.h"

#define ACTIONS 100

/* Largest difference of reported and audible position: seconds. Scaletempo takes 30
 * ms at a time from where they fit best, and at higher speed these may be farther
 * from their turn. */
#define MARGIN 0.05
#define LISTENING_MARGIN(rate) MAX (MARGIN, 0.02 * (rate))

/* The highest speed with the smallest margin. */
#define NEAR_RATE 2.5

/* At least one in this many checks must have compared both: the rest were at the end,
 * or not clear. */
#define COMPARED_PART 2

/* Readings per comparison; the median counts. */
#define LOOKS 9

/* A reading that took more microseconds is ignored. */
#define LOOK_PATIENCE 5000

#define LENGTH 60.0

/* Positions stay away from the end, which is another test. */
#define LAST_PLACE (LENGTH - 12)

static const struct
{
  const char *name;
  gboolean file;
  /* In MP3 of variable bit rate without a table, a position is known only after reading
   * everything before it: over HTTP GStreamer estimates it from the frames so far, which
   * may be few. The error is printed, but is no failure. */
  gboolean guessed;
} sources[] = {
  { "minute.cbr.mp3", FALSE },
  { "minute.bare.mp3", FALSE, TRUE },
  { "minute.m4a", FALSE },
  { "minute.opus", FALSE },
  { "minute.cbr.mp3", TRUE },
  { "minute.bare.mp3", TRUE },
  { "minute.m4a", TRUE },
  { "minute.opus", TRUE },
};

typedef struct
{
  PlayerFixture player;
  double delays[G_N_ELEMENTS (sources)]; /* added by encoders before the sound: seconds */
  guint source;   /* current source */
  double worst; /* largest difference up to NEAR_RATE */
  double worst_guessed;
  guint compared;
  guint unclear;
  guint jumps, rates, pauses, switches;
} Fixture;

static double
choose_place (void)
{
  return g_test_rand_double_range (0, LAST_PLACE);
}

static void
open_source (Fixture *fixture, guint source, double place)
{
  g_autofree char *path = g_strconcat ("/", sources[source].name, NULL);

  fixture->source = source;
  g_test_message ("%s by %s at %.3f", sources[source].name, sources[source].file ? "file" : "http", place);
  if (sources[source].file)
    player_fixture_open_file (&fixture->player, sources[source].name, place);
  else
    player_fixture_open (&fixture->player, path, place);
}

static void
jump (Fixture *fixture)
{
  double place = choose_place ();

  fixture->jumps++;
  g_test_message ("jump to %.3f", place);
  ear_player_seek (fixture->player.player, (gint64) (place * G_USEC_PER_SEC));
}

static void
change_rate (Fixture *fixture)
{
  double rate = 0.05 * g_test_rand_int_range (10, 81);

  fixture->rates++;
  g_test_message ("speed %.2f", rate);
  ear_player_set_rate (fixture->player.player, rate);
}

/* Asserts that a pause keeps the position. If the computer was too slow, the clock is
 * ahead of the sound. */
static void
rest (Fixture *fixture)
{
  EarPlayer *player = fixture->player.player;
  gint64 behind = ear_test_sound_get_behind (fixture->player.sound);
  double position;

  fixture->pauses++;
  ear_player_pause (player);
  position = player_fixture_position (&fixture->player);
  player_fixture_wait ((guint) g_test_rand_int_range (0, 200));
  g_test_message ("paused at %.3f, %.3f s behind; it is at %.3f", position, (double) behind / G_USEC_PER_SEC,
                  player_fixture_position (&fixture->player));
  if (behind < MARGIN * G_USEC_PER_SEC / 2)
    PLAYER_ASSERT_NEAR (player_fixture_position (&fixture->player), position, MARGIN);
  ear_player_play (player);
}

static void
change_episode (Fixture *fixture)
{
  fixture->switches++;
  open_source (fixture, (guint) g_test_rand_int_range (0, G_N_ELEMENTS (sources)), choose_place ());
}

static void
act (Fixture *fixture)
{
  static void (*const actions[]) (Fixture *) = { jump, change_rate, rest, change_episode };
  guint next = (guint) g_test_rand_int_range (0, G_N_ELEMENTS (actions));

  actions[player_fixture_position (&fixture->player) > LAST_PLACE ? 0 : next] (fixture);
}

static int
compare_doubles (const void *a, const void *b)
{
  const double *left = a;
  const double *right = b;

  return (*left > *right) - (*left < *right);
}

/* Returns: %FALSE if the sound was not clear */
static gboolean
look (Fixture *fixture, double *difference)
{
  gint64 when[LOOKS], took[LOOKS];
  double position[LOOKS], differences[LOOKS];
  gsize n = 0;

  for (guint i = 0; i < LOOKS; i++)
    {
      gint64 before = g_get_monotonic_time ();

      position[i] = player_fixture_position (&fixture->player);
      took[i] = g_get_monotonic_time () - before;
      when[i] = before + took[i] / 2;
      player_fixture_wait ((guint) g_test_rand_int_range (15, 50));
    }
  player_fixture_wait (150);

  for (guint i = 0; i < LOOKS; i++)
    {
      double heard;

      if (took[i] <= LOOK_PATIENCE && ear_test_sound_read_around (fixture->player.sound, when[i], ear_player_get_rate (fixture->player.player), &heard))
        differences[n++] = position[i] - heard - fixture->delays[fixture->source];
    }
  if (n <= LOOKS / 2)
    return FALSE;
  qsort (differences, n, sizeof *differences, compare_doubles);
  *difference = differences[n / 2];

  return TRUE;
}

static void
check (Fixture *fixture)
{
  PlayerFixture *player = &fixture->player;
  double rate = ear_player_get_rate (player->player);
  double difference = 0;
  gboolean heard = FALSE;

  player_fixture_await (player, EAR_PLAYER_PLAYING);
  ear_test_sound_clear (player->sound);
  PLAYER_WAIT_UNTIL (ear_test_sound_get_heard (player->sound) >= 150000 || ear_player_get_state (player->player) != EAR_PLAYER_PLAYING);
  for (guint i = 0; i < 8 && !heard && ear_player_get_state (player->player) == EAR_PLAYER_PLAYING; i++)
    heard = look (fixture, &difference);
  /* The end may have been reached meanwhile; and a computer that is too slow proves
   * nothing about the player. */
  if (!heard)
    {
      g_test_message ("it was not heard clearly");
      fixture->unclear++;
      return;
    }
  g_test_message ("at %.3f, %.2f times the speed, it says that it is %.3f ahead", player_fixture_position (player), rate, difference);
  fixture->compared++;
  if (sources[fixture->source].guessed)
    {
      fixture->worst_guessed = MAX (fixture->worst_guessed, ABS (difference));
      return;
    }
  if (rate <= NEAR_RATE)
    fixture->worst = MAX (fixture->worst, ABS (difference));
  PLAYER_ASSERT_NEAR (difference, 0, LISTENING_MARGIN (rate));
}

static void
test_random (Fixture *fixture, gconstpointer data)
{
  const char *wanted = g_getenv ("EARMARK_RANDOM");
  guint n = wanted != NULL ? (guint) g_ascii_strtoull (wanted, NULL, 10) : ACTIONS;

#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("the position goes by the clock, with which a sanitizer does not keep up");
  return;
#endif

  open_source (fixture, (guint) g_test_rand_int_range (0, G_N_ELEMENTS (sources)), 0);
  ear_player_play (fixture->player.player);
  check (fixture);
  for (guint done = 0; done < n;)
    {
      /* Usually one action, now and then a few at once. */
      guint few = g_test_rand_int_range (0, 3) > 0 ? 1 : (guint) g_test_rand_int_range (2, 5);

      for (guint i = 0; i < few && done < n; i++, done++)
        {
          act (fixture);
          player_fixture_wait ((guint) g_test_rand_int_range (0, 60));
        }
      ear_player_play (fixture->player.player);
      check (fixture);
    }
  g_test_message ("%u jumps, %u changes of speed, %u pauses, %u other episodes; position and sound compared %u times, %u times not heard clearly: "
                  "%.1f ms apart at most, where GStreamer guesses %.1f ms",
                  fixture->jumps, fixture->rates, fixture->pauses, fixture->switches, fixture->compared, fixture->unclear, fixture->worst * 1000,
                  fixture->worst_guessed * 1000);
  g_assert_cmpuint (fixture->compared * COMPARED_PART, >=, fixture->compared + fixture->unclear);
  g_assert_cmpuint (fixture->compared * 4, >=, n);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  player_fixture_set_up (&fixture->player, data);
  gst_init (NULL, NULL);
  player_fixture_hurry (&fixture->player);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), sources[i].name, NULL);

      fixture->delays[i] = ear_test_sound_read_whole (fixture->player.sound, path, 7.5);
      g_test_message ("%s: %.3f", sources[i].name, fixture->delays[i]);
    }
  ear_test_sound_set_hurried (fixture->player.sound, FALSE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  player_fixture_tear_down (&fixture->player, data);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add ("/player/random", Fixture, NULL, set_up, test_random, tear_down);

  return g_test_run ();
}
