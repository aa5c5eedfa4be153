/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether the other tests' readings can be trusted. */

#include "ear-time-tone.h"

#include <math.h>

#define N (EAR_TIME_TONE_WINDOW + 100)

/* Reads the time around @middle, after @change. */
static gboolean
read_at (double middle, guint sample_rate, void (*change) (float *samples), EarTimeToneReading *reading)
{
  gint16 samples[N];
  float heard[N];
  guint64 first = (guint64) (middle * sample_rate) - (N - EAR_TIME_TONE_WINDOW / 2);

  ear_time_tone_write (samples, N, first, sample_rate);
  for (gsize i = 0; i < N; i++)
    heard[i] = samples[i] / 32768.0f;
  if (change != NULL)
    change (heard);

  return ear_time_tone_read (heard, N, sample_rate, reading);
}

static void
test_times (void)
{
  static const guint sample_rates[] = { 44100, 48000 };

  for (gsize r = 0; r < G_N_ELEMENTS (sample_rates); r++)
    for (double time = 0.1; time < EAR_TIME_TONE_LIMIT - 1; time += 3.37)
      {
        EarTimeToneReading reading;

        g_assert_true (read_at (time, sample_rates[r], NULL, &reading));
        g_assert_cmpfloat_with_epsilon (reading.time, time, 0.01);
        g_assert_cmpfloat_with_epsilon (reading.pitch, 1, 0.005);
      }
}

static void
add_noise (float *samples)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (gsize i = 0; i < N; i++)
    samples[i] = samples[i] * 0.3f + (float) g_rand_double_range (rand, -0.05, 0.05);
}

static void
silence (float *samples)
{
  for (gsize i = 0; i < N; i++)
    samples[i] = 0;
}

/* Halves the speed and the pitch: every sample twice. */
static void
slow_down (float *samples)
{
  for (gsize i = N; i-- > 0;)
    samples[i] = samples[i / 2];
}

static void
test_bad_sound (void)
{
  EarTimeToneReading reading;

  g_assert_true (read_at (123.4, 44100, add_noise, &reading));
  g_assert_cmpfloat_with_epsilon (reading.time, 123.4, 0.03);
  g_assert_false (read_at (123.4, 44100, silence, &reading));
  g_assert_cmpfloat (reading.level, <, 0.001);

  /* A changed pitch is detected. */
  read_at (23.4, 44100, slow_down, &reading);
  g_assert_cmpfloat_with_epsilon (reading.pitch, 0.5, 0.02);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/player/time-tone/times", test_times);
  g_test_add_func ("/player/time-tone/bad-sound", test_bad_sound);

  return g_test_run ();
}
