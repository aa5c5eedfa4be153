/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters for voices, on synthetic signals: which frames come out, at which level,
 * and that none is lost or has a wrong index. */

#include "ear-limiter.h"
#include "ear-speech.h"

#include <math.h>

#define RATE 48000

/* The output, as frames of the first channel. */
typedef struct
{
  GArray *samples; /* float */
  GArray *places;  /* guint64: index of each frame among those pushed */
  guint64 cut;
  guint cuts;
} Output;

static void
output_clear (Output *output)
{
  g_clear_pointer (&output->samples, g_array_unref);
  g_clear_pointer (&output->places, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Output, output_clear)

static void
pull (EarSpeech *speech, guint channels, Output *output)
{
  const float *samples;
  guint64 first;
  gsize n, cut;

  if (output->samples == NULL)
    {
      output->samples = g_array_new (FALSE, FALSE, sizeof (float));
      output->places = g_array_new (FALSE, FALSE, sizeof (guint64));
    }
  while ((n = ear_speech_peek (speech, 777, &samples, &first, &cut)) > 0)
    {
      for (gsize i = 0; i < n; i++)
        {
          const guint64 place = first + i;

          g_array_append_val (output->samples, samples[i * channels]);
          g_array_append_val (output->places, place);
        }
      if (cut > 0)
        g_test_message ("%.3f s left out before %.3f s", (double) cut / RATE, (double) first / RATE);
      output->cut += cut;
      output->cuts += cut > 0;
      ear_speech_take (speech, n);
    }
}

/* Pushes pieces of uneven length, as decoders do. */
static void
push (EarSpeech *speech, guint channels, const float *samples, gsize n, Output *output)
{
  for (gsize done = 0, piece = 1; done < n; piece = (piece * 7 + 13) % 2311 + 1)
    {
      const gsize frames = MIN (piece, n - done);

      ear_speech_push (speech, samples + done * channels, frames);
      done += frames;
      pull (speech, channels, output);
    }
}

static float
noise (guint32 *state)
{
  *state = *state * 1664525 + 1013904223;

  return (float) ((gint32) *state / 2147483648.0);
}

/* Fills a range with noise that swells like syllables, or, with @swell 0, does not. */
static void
fill (float *samples, guint channels, gsize from, gsize to, double level, double swell)
{
  static guint32 state = 4711;

  for (gsize i = from; i < to; i++)
    {
      const double syllable = 1 - swell * (0.5 + 0.5 * cos (2 * G_PI * 4 * (double) (i - from) / RATE));
      const float sample = (float) (level * syllable) * noise (&state);

      for (guint channel = 0; channel < channels; channel++)
        samples[i * channels + channel] = channel == 0 ? sample : -sample;
    }
}

/* Two words of two seconds with two seconds of soft noise between them, three times. */
static float *
make_talk (guint channels, double room, gsize *n)
{
  float *samples;

  *n = 12 * RATE;
  samples = g_new0 (float, *n * channels);
  for (guint i = 0; i < 3; i++)
    {
      fill (samples, channels, (i * 4) * RATE, (i * 4 + 2) * RATE, 0.3, 0.6);
      fill (samples, channels, (i * 4 + 2) * RATE, (i * 4 + 4) * RATE, room, 0);
    }

  return samples;
}

/* Asserts that each word has all of its frames. */
static void
check_words (const Output *output)
{
  gsize words = 0;

  for (guint i = 0; i < output->places->len; i++)
    words += g_array_index (output->places, guint64, i) % (4 * RATE) < 2 * RATE;
  g_assert_cmpuint (words, ==, 6 * RATE);
}

/* In six channels the voice has one of its own, and sound in the front channels must not
 * affect the measurement. */
static void
test_centre (void)
{
  const guint channels = 6;
  g_autoptr (EarSpeech) speech = ear_speech_new (channels, RATE);
  g_auto (Output) output = { 0 };
  gsize n;
  g_autofree float *voice = make_talk (1, 0.001, &n);
  g_autofree float *samples = g_new0 (float, n * channels);

  fill (samples, channels, 0, 2 * RATE, 0.3, 0.6);
  for (gsize i = 0; i < n; i++)
    samples[i * channels + 2] = voice[i];
  ear_speech_set_trim (speech, TRUE);
  push (speech, channels, samples, n, &output);
  ear_speech_drain (speech);
  pull (speech, channels, &output);

  g_assert_cmpfloat_with_epsilon ((double) output.cut / RATE, 3 * 1.7, 0.1);
  check_words (&output);
}

/* Two channels that cancel each other out are not a pause. */
static void
test_trim (gconstpointer data)
{
  const guint channels = GPOINTER_TO_UINT (data);
  g_autoptr (EarSpeech) speech = ear_speech_new (channels, RATE);
  g_auto (Output) output = { 0 };
  gsize n;
  g_autofree float *samples = make_talk (channels, 0.001, &n);

  ear_speech_set_trim (speech, TRUE);
  push (speech, channels, samples, n, &output);
  ear_speech_drain (speech);
  pull (speech, channels, &output);

  g_assert_cmpuint (output.samples->len + output.cut, ==, n);
  g_assert_cmpuint (output.cuts, ==, 3);
  g_test_message ("%.3f s left out", (double) output.cut / RATE);
  /* 0.3 s of each pause are left. */
  g_assert_cmpfloat_with_epsilon ((double) output.cut / RATE, 3 * 1.7, 0.1);
  for (guint i = 0; i < output.samples->len; i++)
    {
      const guint64 place = g_array_index (output.places, guint64, i);
      const guint64 in_turn = place % (4 * RATE);

      g_assert_cmpuint (place, <, n);
      /* Words come out unchanged. */
      if (in_turn < 2 * RATE)
        g_assert_cmpfloat (g_array_index (output.samples, float, i), ==, samples[place * channels]);
    }
  check_words (&output);
}

/* Without a voice that differs from pauses, or without a pause, nothing is cut. */
static void
test_untrimmed (void)
{
  static const struct
  {
    double level;
    double swell;
  } sounds[] = { { 0.2, 0.7 }, { 0.2, 0 }, { 0.003, 0 }, { 0, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sounds); i++)
    {
      g_autoptr (EarSpeech) speech = ear_speech_new (1, RATE);
      g_auto (Output) output = { 0 };
      g_autofree float *samples = g_new0 (float, 10 * RATE);

      fill (samples, 1, 0, 10 * RATE, sounds[i].level, sounds[i].swell);
      ear_speech_set_trim (speech, TRUE);
      push (speech, 1, samples, 10 * RATE, &output);
      ear_speech_drain (speech);
      pull (speech, 1, &output);
      g_assert_cmpuint (output.cut, ==, 0);
      g_assert_cmpuint (output.samples->len, ==, 10 * RATE);
    }
}

/* A quiet guest after a loud host is not a pause. */
static void
test_quiet_guest (void)
{
  g_autoptr (EarSpeech) speech = ear_speech_new (1, RATE);
  g_auto (Output) output = { 0 };
  g_autofree float *samples = g_new0 (float, 16 * RATE);

  for (guint i = 0; i < 16; i++)
    {
      fill (samples, 1, i * RATE, i * RATE + RATE * 8 / 10, i < 8 ? 0.4 : 0.02, 0.6);
      fill (samples, 1, i * RATE + RATE * 8 / 10, (i + 1) * RATE, 0.001, 0);
    }
  ear_speech_set_trim (speech, TRUE);
  push (speech, 1, samples, 16 * RATE, &output);
  g_assert_cmpuint (output.cut, ==, 0);
}

static double
find_gain (const Output *output, const float *samples, guint place)
{
  double in = 0, out = 0;

  for (guint i = place; i < place + RATE / 20; i++)
    {
      out += pow (g_array_index (output->samples, float, i), 2);
      in += pow (samples[g_array_index (output->places, guint64, i)], 2);
    }

  return 10 * log10 (out / in);
}

/* Voices 14 dB apart take turns: two seconds after each change the gain is right, from
 * three seconds after it the gain changes by at most 3 dB in a second, and a loud voice
 * starts with the right gain. */
static void
test_turns (void)
{
  const guint turn = 15;
  g_autoptr (EarSpeech) speech = ear_speech_new (1, RATE);
  g_auto (Output) output = { 0 };
  g_autofree float *samples = g_new0 (float, 60 * RATE);

  for (guint i = 0; i < 60; i++)
    fill (samples, 1, i * RATE, (i + 1) * RATE, i / turn % 2 == 0 ? 0.1 : 0.02, 0.8);
  ear_speech_set_level (speech, TRUE);
  push (speech, 1, samples, 60 * RATE, &output);
  ear_speech_drain (speech);
  pull (speech, 1, &output);

  for (guint i = 0; i < 4; i++)
    {
      const guint start = i * turn * RATE;
      const double right = find_gain (&output, samples, start + 12 * RATE);
      const double first = find_gain (&output, samples, start);
      const double soon = find_gain (&output, samples, start + 2 * RATE);
      double last = find_gain (&output, samples, start + 3 * RATE);
      double steepest = 0;

      for (guint place = start + 3 * RATE; place < start + 12 * RATE; place += RATE / 2)
        {
          const double gain = find_gain (&output, samples, place);

          steepest = MAX (steepest, 2 * fabs (gain - last));
          last = gain;
        }
      g_test_message ("turn %u: %.1f dB, then %.1f dB, later %.1f dB; %.2f dB/s", i, first, soon,
                      right, steepest);
      g_assert_cmpfloat_with_epsilon (soon, right, 2);
      g_assert_cmpfloat (steepest, <=, 3);
      if (i % 2 == 0)
        g_assert_cmpfloat (first, <=, right + 2);
      else
        g_assert_cmpfloat_with_epsilon (right, find_gain (&output, samples, 12 * RATE) + 14, 1);
    }
}

/* The gain is right from the first sample, whichever filter is enabled first. */
static void
test_begin (gconstpointer data)
{
  g_autoptr (EarSpeech) speech = ear_speech_new (1, RATE);
  g_auto (Output) output = { 0 };
  g_autofree float *samples = g_new0 (float, 12 * RATE);
  double right;

  fill (samples, 1, 0, 12 * RATE, 0.05, 0.6);
  if (GPOINTER_TO_INT (data))
    ear_speech_set_level (speech, TRUE);
  ear_speech_set_trim (speech, TRUE);
  ear_speech_set_level (speech, TRUE);
  push (speech, 1, samples, 12 * RATE, &output);
  ear_speech_drain (speech);
  pull (speech, 1, &output);

  right = find_gain (&output, samples, 10 * RATE);
  g_assert_cmpfloat (right, >, 3);
  g_assert_cmpfloat_with_epsilon (find_gain (&output, samples, 0), right, 1.5);
}

/* After a seek to a voice that is 14 dB louder or softer the gain is right at once. */
static void
test_jump (void)
{
  g_autoptr (EarSpeech) speech = ear_speech_new (1, RATE);
  g_autofree float *samples = g_new0 (float, 30 * RATE);
  double right[3], begun[3];

  for (guint i = 0; i < 3; i++)
    fill (samples, 1, i * 10 * RATE, (i + 1) * 10 * RATE, i == 1 ? 0.02 : 0.1, 0.6);
  ear_speech_set_level (speech, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_auto (Output) output = { 0 };

      ear_speech_reset (speech);
      push (speech, 1, samples + i * 10 * RATE, 10 * RATE, &output);
      begun[i] = find_gain (&output, samples + i * 10 * RATE, 0);
      right[i] = find_gain (&output, samples + i * 10 * RATE, 8 * RATE);
    }
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (begun[i], right[i], 2);
  g_assert_cmpfloat_with_epsilon (right[1], right[0] + 14, 1);
}

/* Both ears hear a single channel, which is as loud as the same sound in two. */
static void
test_mono (void)
{
  double gains[2];

  for (guint channels = 1; channels <= 2; channels++)
    {
      g_autoptr (EarSpeech) speech = ear_speech_new (channels, RATE);
      g_auto (Output) output = { 0 };
      g_autofree float *voice = g_new0 (float, 12 * RATE);
      g_autofree float *samples = g_new0 (float, 12 * RATE * channels);

      fill (voice, 1, 0, 12 * RATE, 0.05, 0.6);
      for (gsize i = 0; i < 12 * RATE * channels; i++)
        samples[i] = voice[i / channels];
      ear_speech_set_level (speech, TRUE);
      push (speech, channels, samples, 12 * RATE, &output);
      gains[channels - 1] = find_gain (&output, voice, 10 * RATE);
    }
  g_assert_cmpfloat_with_epsilon (gains[0], gains[1], 0.3);
}

/* The gain does not change in a pause: nothing pumps. */
static void
test_pause (void)
{
  g_autoptr (EarSpeech) speech = ear_speech_new (1, RATE);
  g_auto (Output) output = { 0 };
  g_autofree float *samples = g_new0 (float, 30 * RATE);
  double before, after;

  fill (samples, 1, 0, 20 * RATE, 0.05, 0.6);
  fill (samples, 1, 20 * RATE, 30 * RATE, 0.0005, 0);
  ear_speech_set_level (speech, TRUE);
  push (speech, 1, samples, 30 * RATE, &output);
  before = find_gain (&output, samples, 19 * RATE);
  after = find_gain (&output, samples, 28 * RATE);
  g_test_message ("%.2f dB, then %.2f dB", before, after);
  g_assert_cmpfloat_with_epsilon (after, before, 1);
}

/* After disabling, the gain returns quickly and evenly, and then
 * sound passes unchanged. */
static void
test_switch (void)
{
  g_autoptr (EarSpeech) speech = ear_speech_new (2, RATE);
  g_auto (Output) output = { 0 };
  g_autofree float *samples = g_new0 (float, 2 * 20 * RATE);
  guint last;

  fill (samples, 2, 0, 20 * RATE, 0.04, 0.5);
  g_assert_true (ear_speech_is_idle (speech));
  push (speech, 2, samples, 5 * RATE, &output);
  g_assert_true (ear_speech_is_idle (speech));
  ear_speech_set_level (speech, TRUE);
  ear_speech_set_trim (speech, TRUE);
  push (speech, 2, samples + 2 * 5 * RATE, 10 * RATE, &output);
  ear_speech_set_level (speech, FALSE);
  ear_speech_set_trim (speech, FALSE);
  push (speech, 2, samples + 2 * 15 * RATE, 5 * RATE, &output);
  g_assert_true (ear_speech_is_idle (speech));

  g_assert_cmpuint (output.samples->len + output.cut, ==, 20 * RATE);
  last = output.samples->len - 1;
  g_assert_cmpuint (g_array_index (output.places, guint64, last), ==, 20 * RATE - 1);
  g_assert_cmpfloat (g_array_index (output.samples, float, last), ==, samples[2 * (20 * RATE - 1)]);
}

/* A tone whose curve between samples is higher than the samples, and clicks. */
static void
test_limiter (void)
{
  EarLimiter limiter;
  EarFrames out;
  g_autofree float *samples = g_new0 (float, 2 * RATE);
  float highest = 0;

  for (gsize i = 0; i < 2 * RATE; i++)
    samples[i] = (float) (1.6 * sin (G_PI / 2 * (double) i + G_PI / 4));
  for (gsize i = 0; i < 2 * RATE; i += 4999)
    samples[i] = 8;
  ear_limiter_init (&limiter, 1, RATE);
  ear_frames_init (&out, 1);
  for (gsize i = 0; i < 2 * RATE; i += 100)
    ear_limiter_push (&limiter, samples + i, 100, &out);
  ear_limiter_drain (&limiter, &out);
  g_assert_cmpuint (ear_frames_count (&out), ==, 2 * RATE);
  for (gsize i = 0; i < 2 * RATE; i++)
    highest = MAX (highest, fabsf (ear_frames_peek (&out)[i]));
  g_test_message ("highest %.3f", highest);
  g_assert_cmpfloat (highest, <=, pow (10, -1.0 / 20));
  /* The tone's curve is 3 dB above its samples. */
  g_assert_cmpfloat (fabs (ear_frames_peek (&out)[2 * RATE - 100]), <=, pow (10, -4.0 / 20));
  ear_frames_clear (&out);
  ear_limiter_clear (&limiter);
}

/* A damaged file may contain NaN or far too large samples. The samples may be audible for
 * a moment, but the sound after them is unaffected. */
static void
test_odd_samples (gconstpointer data)
{
  const float odd = *(const float *) data;
  g_autoptr (EarSpeech) speech = ear_speech_new (1, RATE);
  g_auto (Output) output = { 0 };
  gsize n;
  g_autofree float *samples = make_talk (1, 0.001, &n);

  samples[RATE] = odd;
  ear_speech_set_trim (speech, TRUE);
  ear_speech_set_level (speech, TRUE);
  push (speech, 1, samples, n, &output);
  ear_speech_drain (speech);
  pull (speech, 1, &output);

  g_assert_cmpuint (output.samples->len + output.cut, ==, n);
  check_words (&output);
  for (guint i = 0; i < output.samples->len; i++)
    {
      const guint64 place = g_array_index (output.places, guint64, i);

      g_assert_true (isfinite (g_array_index (output.samples, float, i)));
      g_assert_cmpfloat (fabsf (g_array_index (output.samples, float, i)), <=, 1);
      /* The last word */
      if (place == 9 * RATE)
        g_assert_cmpfloat (find_gain (&output, samples, i), >, -20);
    }
}

int
main (int argc, char *argv[])
{
  static const float odd_samples[] = { NAN, INFINITY, -INFINITY, 3e38f };

  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/speech/trim/mono", GUINT_TO_POINTER (1), test_trim);
  g_test_add_data_func ("/speech/trim/opposed", GUINT_TO_POINTER (2), test_trim);
  g_test_add_data_func ("/speech/trim/surround", GUINT_TO_POINTER (6), test_trim);
  g_test_add_func ("/speech/trim/centre", test_centre);
  g_test_add_func ("/speech/untrimmed", test_untrimmed);
  g_test_add_func ("/speech/quiet-guest", test_quiet_guest);
  g_test_add_func ("/speech/turns", test_turns);
  g_test_add_data_func ("/speech/begin/trim-first", GINT_TO_POINTER (FALSE), test_begin);
  g_test_add_data_func ("/speech/begin/level-first", GINT_TO_POINTER (TRUE), test_begin);
  g_test_add_func ("/speech/jump", test_jump);
  g_test_add_func ("/speech/mono", test_mono);
  g_test_add_func ("/speech/pause", test_pause);
  g_test_add_func ("/speech/switch", test_switch);
  g_test_add_func ("/speech/limiter", test_limiter);
  for (gsize i = 0; i < G_N_ELEMENTS (odd_samples); i++)
    {
      g_autofree char *path = g_strdup_printf ("/speech/odd-samples/%f", odd_samples[i]);

      g_test_add_data_func (path, &odd_samples[i], test_odd_samples);
    }

  return g_test_run ();
}
