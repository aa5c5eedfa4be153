/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-leveler.h"

/* What voices are brought to: LUFS, and how far at most: dB. */
#define TARGET -16.0
#define GAIN_LIMIT 20.0

/* How fast: dB in a step of 100 ms. Small differences are made up for slowly, so that nobody hears it. */
#define SLOPE 0.28
#define HASTE 0.15
#define LETTING_GO 3.0

/* How far it looks ahead: steps. */
#define AHEAD 10

/* The last seconds tell of the voice that speaks now. Where they differ by more than that from the time before, it is
 * another voice: steps, LU. */
#define SHORT_STEPS 30
#define SHORT_LEAST 5
#define OTHER_VOICE 4.0

/* What is no voice: LUFS, and LU below what was loud lately, which is forgotten by so much in a step. */
#define LOWEST -50.0
#define BELOW_LOUDEST 20.0
#define FORGETTING 0.1

/* As in BS.1770, what is so much below the mean does not count: LU. */
#define BELOW_MEAN 10.0

void
ear_leveler_init (EarLeveler *self, guint channels, guint sample_rate)
{
  *self = (EarLeveler) { .channels = channels, .loudest = LOWEST, .fresh = TRUE };
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

/* As after a jump. The voices are the same, so what is known of them stays. */
void
ear_leveler_reset (EarLeveler *self)
{
  self->fresh = TRUE;
  ear_frames_empty (&self->waiting);
  ear_limiter_reset (&self->limiter);
  self->loudness.sum = 0;
  self->loudness.frames = 0;
}

static double
get_power (const EarLeveler *self, guint ago)
{
  return self->powers[(self->n_powers - 1 - ago) % EAR_LEVELER_STEPS];
}

/* The mean of the last steps that are louder than @least, in LUFS. */
static gboolean
find_mean (const EarLeveler *self, guint steps, double least, double *level)
{
  guint n = 0;
  double sum = 0;

  for (guint i = 0; i < MIN (steps, self->n_powers); i++)
    if (ear_loudness_level (get_power (self, i)) > least)
      {
        sum += get_power (self, i);
        n++;
      }
  if (n < SHORT_LEAST)
    return FALSE;
  *level = ear_loudness_level (sum / n);

  return TRUE;
}

static gboolean
find_loudness (const EarLeveler *self, guint steps, double *level)
{
  const double least = MAX (LOWEST, self->loudest - BELOW_LOUDEST);

  return find_mean (self, steps, least, level) &&
         find_mean (self, steps, MAX (least, *level - BELOW_MEAN), level);
}

/* The gain that would be right now; what it is where nobody speaks. */
static double
find_gain (const EarLeveler *self)
{
  double now, lately;

  if (!self->enabled)
    return 0;
  if (!find_loudness (self, SHORT_STEPS, &now) || !find_loudness (self, EAR_LEVELER_STEPS, &lately))
    return self->fresh ? 0 : self->gain;

  return CLAMP (TARGET - (fabs (now - lately) > OTHER_VOICE ? now : lately), -GAIN_LIMIT, GAIN_LIMIT);
}

static double
next_gain (const EarLeveler *self)
{
  const double wanted = find_gain (self);

  if (self->fresh)
    return wanted;
  if (!self->enabled)
    return self->gain + CLAMP (wanted - self->gain, -LETTING_GO, LETTING_GO);

  return self->gain + CLAMP ((wanted - self->gain) * HASTE, -SLOPE, SLOPE);
}

/* Lets the first @frames go on, with a gain that goes evenly from what it was to @gain. */
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
  const double power = ear_loudness_power (&self->loudness);

  self->powers[self->n_powers++ % EAR_LEVELER_STEPS] = power;
  self->loudest = MAX (self->loudest - FORGETTING, ear_loudness_level (power));
  if (ear_frames_count (&self->waiting) >= self->ahead)
    let_go (self, self->loudness.step, next_gain (self), into);
}

/* Without, all that is pushed goes on as it is, once the gain has gone back to nothing. */
void
ear_leveler_set_enabled (EarLeveler *self, gboolean enabled)
{
  self->enabled = enabled;
}

/* Tells it that something was heard without it, from which it has to go on evenly. */
void
ear_leveler_pass (EarLeveler *self)
{
  self->fresh = FALSE;
  self->gain = 0;
}

/* Returns: whether it does nothing, and nothing waits in it */
gboolean
ear_leveler_is_idle (const EarLeveler *self)
{
  return !self->enabled && fabs (self->gain) < 0.001 && ear_frames_count (&self->waiting) == 0 &&
         ear_frames_count (&self->limiter.taken) == 0;
}

/* @into: where what is done goes: about a second less than there is */
void
ear_leveler_push (EarLeveler *self, const float *samples, gsize n, EarFrames *into)
{
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

/* Nothing more comes. */
void
ear_leveler_drain (EarLeveler *self, EarFrames *into)
{
  const gsize step = self->loudness.step;

  while (ear_frames_count (&self->waiting) > 0)
    let_go (self, MIN (step, ear_frames_count (&self->waiting)), self->fresh ? find_gain (self) : self->gain, into);
  ear_limiter_drain (&self->limiter, into);
}
