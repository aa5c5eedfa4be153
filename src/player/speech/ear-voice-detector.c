/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-voice-detector.h"

/* Hum and rumble, which pauses contain too, are below this: Hz. */
#define BAND_FROM 250.0

/* A slot of the recent past: blocks of 10 ms. */
#define SLOT_BLOCKS 50

/* How far speech is above the background: dB. The voice must be PAUSE_DEPTH louder than
 * its pauses, so that no sound between the two can be a soft voice; otherwise nothing
 * counts as a pause. */
#define VOICE_MARGIN 9.0
#define PAUSE_DEPTH 18.0
#define VOICE_DEPTH 12.0

/* Quieter sound is only noise; a floor below LOWEST_FLOOR is digital silence: dB
 * of full scale. */
#define QUIET_LEVEL -45.0
#define LOWEST_FLOOR -68.0

/* A soft consonant at the end of a word sinks into noise. The consonant lasts until the
 * sound is hardly above the noise, dB, but no longer than any consonant, blocks. Softer
 * noise hides none. */
#define FADE_MARGIN 2.5
#define FADE_BLOCKS 25
#define NOISE_LOWEST -56.0

/* Noise is even: the mean of a pause is at most NOISE_SPREAD above its lowest part; music
 * is above that, dB. Each block of a pause has little weight, and a soft block of the
 * next word hardly more. */
#define NOISE_SPREAD 2.0
#define MOST_SPREAD 4.0
#define SPREAD_PART 0.02

/* At lower sample rates a soft consonant is no louder than music under it, and only quiet
 * sound counts as a pause: Hz. */
#define LEAST_RATE 16000

static double
to_decibels (double power)
{
  return 10 * log10 (power + 1e-12);
}

void
ear_voice_detector_init (EarVoiceDetector *self, guint channels, guint sample_rate)
{
  *self = (EarVoiceDetector) {
    .channels = channels,
    .block = MAX (1, sample_rate / 100),
    .narrow = sample_rate < LEAST_RATE,
    .band = ear_biquad_high_pass (BAND_FROM, G_SQRT2 / 2, sample_rate),
  };
  ear_voice_detector_reset (self);
}

/* Forgets the recent past, as after a seek. */
void
ear_voice_detector_reset (EarVoiceDetector *self)
{
  for (guint i = 0; i < EAR_VOICE_SLOTS; i++)
    {
      self->lowest[i] = G_MAXDOUBLE;
      self->highest[i] = -G_MAXDOUBLE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->memories); i++)
    self->memories[i] = (EarBiquadMemory) { 0 };
  self->slot = self->blocks = self->taken = 0;
  self->fading = FADE_BLOCKS;
  self->in_noise = FALSE;
  self->spread = 0;
}

/* Measures the loudest channel: the sum of two may be silent, and of six channels one
 * has the voice. */
static double
measure (EarVoiceDetector *self, const float *samples)
{
  const guint channels = MIN (self->channels, G_N_ELEMENTS (self->memories));
  double loudest = 0;

  for (guint channel = 0; channel < channels; channel++)
    {
      EarBiquadMemory memory = self->memories[channel];
      double sum = 0;

      for (guint i = 0; i < self->block; i++)
        {
          const double sample = ear_biquad_step (&self->band, &memory, samples[i * self->channels + channel]);

          sum += sample * sample;
        }
      ear_biquad_rest (&memory);
      self->memories[channel] = memory;
      loudest = MAX (loudest, sum / self->block);
    }

  return loudest;
}

static double
find_mean (const EarVoiceDetector *self)
{
  double sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (self->powers); i++)
    sum += self->powers[i];

  return sum / G_N_ELEMENTS (self->powers);
}

/* Records the extremes of the recent past, by slots. */
static void
remember (EarVoiceDetector *self, double level)
{
  if (self->blocks == SLOT_BLOCKS)
    {
      self->slot = (self->slot + 1) % EAR_VOICE_SLOTS;
      self->lowest[self->slot] = G_MAXDOUBLE;
      self->highest[self->slot] = -G_MAXDOUBLE;
      self->blocks = 0;
    }
  self->blocks++;
  self->lowest[self->slot] = MIN (self->lowest[self->slot], level);
  self->highest[self->slot] = MAX (self->highest[self->slot], level);
}

/* Finds the level above which sound is speech, in dB; minus infinity if unknown.
 * @floor: (out): the level of the background, dB */
static double
find_threshold (const EarVoiceDetector *self, double *floor)
{
  double voice = -G_MAXDOUBLE;

  *floor = G_MAXDOUBLE;
  for (guint i = 0; i < EAR_VOICE_SLOTS; i++)
    {
      *floor = MIN (*floor, self->lowest[i]);
      voice = MAX (voice, self->highest[i]);
    }
  *floor = MAX (*floor, LOWEST_FLOOR);
  if (voice - *floor < PAUSE_DEPTH)
    return -G_MAXDOUBLE;

  return MIN (*floor + VOICE_MARGIN, voice - VOICE_DEPTH);
}

/* @samples: one block of frames
 * Returns: its kind */
EarSound
ear_voice_detector_take (EarVoiceDetector *self, const float *samples)
{
  const double power = measure (self, samples);
  const double level = to_decibels (power);
  double mean, threshold, floor;

  self->powers[self->taken++ % G_N_ELEMENTS (self->powers)] = power;
  if (self->taken >= G_N_ELEMENTS (self->powers))
    remember (self, to_decibels (find_mean (self)));

  mean = to_decibels (find_mean (self));
  threshold = find_threshold (self, &floor);
  self->in_noise = floor > NOISE_LOWEST && self->spread < NOISE_SPREAD;
  if (level > threshold || (self->narrow && level > QUIET_LEVEL))
    {
      self->fading = 0;
      return EAR_SOUND_VOICE;
    }
  if (self->fading < FADE_BLOCKS && mean > floor + FADE_MARGIN && self->in_noise)
    {
      self->fading++;
      return EAR_SOUND_VOICE;
    }

  /* Noise that swells later in the pause is not a word. */
  self->fading = FADE_BLOCKS;
  self->spread += (MIN (mean - floor, MOST_SPREAD) - self->spread) * SPREAD_PART;

  return level > QUIET_LEVEL ? EAR_SOUND_BED : EAR_SOUND_QUIET;
}
