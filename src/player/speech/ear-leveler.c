/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-leveler.h"

/* Target loudness in LUFS, and the limit of the gain in dB. */
#define TARGET -16.0
#define GAIN_LIMIT 20.0

/* For a voice heard for ten seconds, the gain changes by a part of the difference and by
 * at most 2.8 dB a second, too slowly to be heard: dB in a step of 100 ms. The gain of a
 * more recent voice follows faster, because less is known of it. */
#define SLOPE 0.28
#define HASTE 0.15

/* For another voice the gain changes at once: dB in a step. A loud voice is recognized
 * within the lookahead, so that the gain is down before it is heard; for a soft one the
 * gain rises during the first words. */
#define HURRY_DOWN 10.0
#define HURRY_UP 3.0
#define ARRIVED 1.0

/* Return to no gain after leveling is turned off: dB in a step. */
#define RELEASE 3.0

/* Lookahead, and the minimum for measuring a loudness: steps. */
#define AHEAD 15
#define LEAST_STEPS 5

/* A pause does not count: below this, LUFS, or this far below the loudest part of the
 * same time, LU. As in BS.1770, neither does a part this far below the mean. */
#define LOWEST -50.0
#define BELOW_LOUDEST 20.0
#define BELOW_MEAN 10.0

/* Another voice begins where half of two seconds are louder than the previous voice (most
 * laughs are shorter), where one and a half seconds have almost nothing as loud (the soft
 * end of a sentence is shorter), or where the loudness of three seconds differs: steps,
 * LU. A single voice stays within half of these differences. */
#define LOUDER_STEPS 20
#define LOUDER_LEAST 10
#define LOUDER 3.0
#define SOFTER_STEPS 15
#define SOFTER_MOST 2
#define SOFTER 7.0
#define OTHER_STEPS 30
#define OTHER 4.0

/* Steps whose 400 ms still contain the previous voice. */
#define STRADDLE 3

/* From step to step, speech rises or falls by more than this: dB. Softer sound without
 * such changes stays soft. */
#define SYLLABLE 1.5

void
ear_leveler_init (EarLeveler *self, guint channels, guint sample_rate)
{
  *self = (EarLeveler) { .channels = channels, .fresh = TRUE, .hurry = TRUE };
  ear_loudness_init (&self->loudness, channels, sample_rate);
  ear_limiter_init (&self->limiter, channels, sample_rate);
  ear_frames_init (&self->waiting, channels);
  self->ahead = AHEAD * self->loudness.step;
}

void
ear_leveler_clear (EarLeveler *self)
{
  ear_limiter_clear (&self->limiter);
  ear_frames_clear (&self->waiting);
}

/* The loudness is kept, because the voices after a seek are usually the same. */
void
ear_leveler_reset (EarLeveler *self)
{
  self->fresh = TRUE;
  ear_frames_empty (&self->waiting);
  ear_limiter_reset (&self->limiter);
  ear_loudness_reset (&self->loudness);
}

/* @ago: steps before the newest one */
static const EarLevelerStep *
get_step (const EarLeveler *self, guint ago)
{
  return &self->steps[(self->n_steps - 1 - ago) % EAR_LEVELER_STEPS];
}

/* Computes the mean of the steps from @from to @to ago that are louder than @least, LUFS.
 * Returns: %FALSE if there are too few */
static gboolean
find_mean (const EarLeveler *self, guint from, guint to, double least, double *level)
{
  guint n = 0;
  double sum = 0;

  for (guint i = from; i < to; i++)
    if (get_step (self, i)->level > least)
      {
        sum += get_step (self, i)->power;
        n++;
      }
  if (n < LEAST_STEPS)
    return FALSE;
  *level = ear_loudness_level (sum / n);

  return TRUE;
}

/* Computes the loudness of the current voice without pauses, from @from to @to
 * steps ago, LUFS.
 * Returns: %FALSE if the voice is too recent */
static gboolean
find_loudness (const EarLeveler *self, guint from, guint to, double *level)
{
  double least = LOWEST;

  to = MIN (to, self->voice_steps);
  for (guint i = from; i < to; i++)
    least = MAX (least, get_step (self, i)->level - BELOW_LOUDEST);

  return find_mean (self, from, to, least, level) &&
         find_mean (self, from, to, MAX (least, *level - BELOW_MEAN), level);
}

/* Returns: how many of the last @steps are louder than @level */
static guint
count_louder (const EarLeveler *self, guint steps, double level)
{
  guint n = 0;

  for (guint i = 0; i < steps; i++)
    n += get_step (self, i)->short_level > level;

  return n;
}

/* Whether the last @steps rise and fall like syllables: most of them, not just the end of
 * a word before noise, and in both directions, unlike a tune that fades away */
static gboolean
has_syllables (const EarLeveler *self, guint steps)
{
  const double newest = get_step (self, 0)->short_level;
  double way = -fabs (newest - get_step (self, steps - 1)->short_level);
  guint n = 0;

  for (guint i = 0; i + 1 < steps; i++)
    {
      const double level = get_step (self, i)->short_level;
      const double difference = fabs (level - get_step (self, i + 1)->short_level);

      way += difference;
      n += difference > SYLLABLE;
    }

  return n > steps / 2 && way > steps * SYLLABLE;
}

static gboolean
is_louder (const EarLeveler *self)
{
  double before;

  return find_loudness (self, LOUDER_STEPS, EAR_LEVELER_STEPS, &before) &&
         count_louder (self, LOUDER_STEPS, before + LOUDER) >= LOUDER_LEAST;
}

static gboolean
is_softer (const EarLeveler *self)
{
  double before, now;

  return find_loudness (self, SOFTER_STEPS, EAR_LEVELER_STEPS, &before) &&
         find_loudness (self, 0, SOFTER_STEPS - STRADDLE, &now) &&
         count_louder (self, SOFTER_STEPS, before - SOFTER) <= SOFTER_MOST &&
         has_syllables (self, SOFTER_STEPS);
}

static gboolean
is_other (const EarLeveler *self)
{
  double before, now;

  if (!find_loudness (self, OTHER_STEPS, EAR_LEVELER_STEPS, &before) ||
      !find_loudness (self, 0, OTHER_STEPS - STRADDLE, &now) || !has_syllables (self, OTHER_STEPS))
    return FALSE;

  /* A single shout makes the mean loud, but not half of the time. */
  return before - now > OTHER ||
         (now - before > OTHER && count_louder (self, OTHER_STEPS, before) > OTHER_STEPS / 2);
}

/* Compares the first sound after a seek with the sound before it. */
static gboolean
is_elsewhere (const EarLeveler *self)
{
  double before, now;

  return find_loudness (self, AHEAD, EAR_LEVELER_STEPS, &before) &&
         find_loudness (self, 0, AHEAD, &now) && fabs (now - before) > OTHER;
}

/* Forgets the previous voice when another one begins. */
static void
notice_voice (EarLeveler *self)
{
  if (self->fresh)
    {
      if (is_elsewhere (self))
        self->voice_steps = AHEAD;
    }
  else if (is_louder (self) || is_softer (self))
    {
      self->voice_steps = is_louder (self) ? LOUDER_LEAST : SOFTER_STEPS - STRADDLE;
      self->hurry = TRUE;
    }
  else if (is_other (self))
    {
      self->voice_steps = OTHER_STEPS - STRADDLE;
    }
}

/* @known: (out): %FALSE in a pause, during which the gain stays
 * Returns: the gain for the current voice, dB */
static double
find_gain (const EarLeveler *self, gboolean *known)
{
  double level;

  *known = TRUE;
  if (!self->enabled)
    return 0;
  *known = find_loudness (self, 0, EAR_LEVELER_STEPS, &level);

  return *known ? CLAMP (TARGET - level, -GAIN_LIMIT, GAIN_LIMIT) : self->gain;
}

/* Returns: the gain at the end of the next step, dB */
static double
next_gain (EarLeveler *self)
{
  gboolean known;
  const double wanted = find_gain (self, &known);
  const double difference = wanted - self->gain;
  const double slope = SLOPE * EAR_LEVELER_STEPS / MAX (self->voice_steps, 1);
  const double haste = MIN (1, HASTE * EAR_LEVELER_STEPS / MAX (self->voice_steps, 1));
  double change = CLAMP (difference * haste, -slope, slope);

  if (self->fresh)
    change = difference;
  else if (!self->enabled)
    change = CLAMP (difference, -RELEASE, RELEASE);
  else if (self->hurry)
    change = CLAMP (difference, -HURRY_DOWN, HURRY_UP);
  if (known && fabs (difference - change) < ARRIVED)
    self->hurry = FALSE;

  return self->gain + change;
}

/* Passes on the first @frames, with a gain that changes evenly from the previous
 * one to @gain. */
static void
let_go (EarLeveler *self, gsize frames, double gain, EarFrames *into)
{
  const double from = self->fresh ? gain : self->gain;
  const double step = pow (10, (gain - from) / 20 / (double) MAX (frames, 1));
  double factor = pow (10, from / 20);
  float *sample = ear_frames_edit (&self->waiting);

  for (gsize i = 0; i < frames; i++)
    {
      factor *= step;
      for (guint channel = 0; channel < self->channels; channel++)
        *sample++ *= (float) factor;
    }
  ear_limiter_push (&self->limiter, ear_frames_peek (&self->waiting), frames, into);
  ear_frames_drop (&self->waiting, frames);
  self->gain = gain;
  self->fresh = FALSE;
}

static void
take_step (EarLeveler *self, EarFrames *into)
{
  EarLevelerStep *step = &self->steps[self->n_steps++ % EAR_LEVELER_STEPS];

  step->power = ear_loudness_power (&self->loudness);
  step->level = ear_loudness_level (step->power);
  step->short_level = ear_loudness_level (ear_loudness_last_power (&self->loudness));
  self->voice_steps = MIN (self->voice_steps + 1, EAR_LEVELER_STEPS);
  if (ear_frames_count (&self->waiting) < self->ahead)
    return;

  notice_voice (self);
  let_go (self, self->loudness.step, next_gain (self), into);
}

/* When disabled, sound passes unchanged once the gain has returned to 0. */
void
ear_leveler_set_enabled (EarLeveler *self, gboolean enabled)
{
  self->enabled = enabled;
}

/* Sound has bypassed the leveler; the gain continues from 0. */
void
ear_leveler_pass (EarLeveler *self)
{
  self->fresh = FALSE;
  self->hurry = TRUE;
  self->gain = 0;
}

/* Returns: whether the leveler is off and holds no sound */
gboolean
ear_leveler_is_idle (const EarLeveler *self)
{
  return !self->enabled && fabs (self->gain) < 0.001 && ear_frames_count (&self->waiting) == 0 &&
         ear_frames_count (&self->limiter.taken) == 0;
}

/* @into: (out): the leveled sound, except for the last second and a half */
void
ear_leveler_push (EarLeveler *self, const float *samples, gsize n, EarFrames *into)
{
  if (n == 0)
    return;

  if (ear_leveler_is_idle (self))
    {
      ear_frames_append (into, samples, n);
      ear_leveler_pass (self);
      return;
    }

  while (n > 0)
    {
      gboolean stepped;
      const gsize taken = ear_loudness_take (&self->loudness, samples, n, &stepped);

      ear_frames_append (&self->waiting, samples, taken);
      samples += taken * self->channels;
      n -= taken;
      if (stepped)
        take_step (self, into);
    }
  if (!self->enabled && fabs (self->gain) < 0.001)
    ear_leveler_drain (self, into);
}

/* Passes on all sound, at the end of the stream. */
void
ear_leveler_drain (EarLeveler *self, EarFrames *into)
{
  const gsize step = self->loudness.step;
  gboolean known;
  const double gain = self->fresh ? find_gain (self, &known) : self->gain;

  while (ear_frames_count (&self->waiting) > 0)
    let_go (self, MIN (step, ear_frames_count (&self->waiting)), gain, into);
  ear_limiter_drain (&self->limiter, into);
}
