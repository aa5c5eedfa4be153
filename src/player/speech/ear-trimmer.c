/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-trimmer.h"

/* Milliseconds of a pause left after the voice and before it continues. A soft consonant
 * at the end or start of a word is shorter. Noise hides the very end of a word from the
 * detector, but not from the ear. */
#define AFTER 140
#define AFTER_IN_NOISE 200
#define BEFORE 150

/* A shorter cut is not worth a seam: milliseconds. */
#define LEAST 40

/* The crossfade at a cut: milliseconds. */
#define FADE 10

/* Music alone for longer is not a pause: milliseconds. */
#define BED_LIMIT 2500

void
ear_trimmer_init (EarTrimmer *self, guint channels, guint sample_rate)
{
  *self = (EarTrimmer) {
    .fade = sample_rate * FADE / 1000,
    .before = sample_rate * BEFORE / 1000,
    .limit = sample_rate * BED_LIMIT / 1000,
    .after = AFTER / 10,
    .after_in_noise = AFTER_IN_NOISE / 10,
  };
  ear_voice_detector_init (&self->detector, channels, sample_rate);
  self->block = self->detector.block;
  self->cuts = g_array_new (FALSE, FALSE, sizeof (EarCut));
  ear_frames_init (&self->taken, channels);
  ear_frames_init (&self->held, channels);
  ear_frames_init (&self->left, channels);
  ear_frames_init (&self->tail, channels);
}

void
ear_trimmer_clear (EarTrimmer *self)
{
  g_clear_pointer (&self->cuts, g_array_unref);
  ear_frames_clear (&self->taken);
  ear_frames_clear (&self->held);
  ear_frames_clear (&self->left);
  ear_frames_clear (&self->tail);
}

/* Drops all sound, as after a seek. */
void
ear_trimmer_reset (EarTrimmer *self)
{
  ear_voice_detector_reset (&self->detector);
  ear_frames_empty (&self->taken);
  ear_frames_empty (&self->held);
  ear_frames_empty (&self->left);
  ear_frames_empty (&self->tail);
  g_array_set_size (self->cuts, 0);
  self->n_left = 0;
  self->silent = 0;
  self->dropped = 0;
  self->holding = self->passing = self->bed = FALSE;
}

static void
leave (EarTrimmer *self, EarFrames *from, gsize n)
{
  ear_frames_move (from, &self->left, n);
  self->n_left += n;
}

/* Crossfades the start of the cut into the end of the pause. */
static void
fade_over (EarTrimmer *self)
{
  const guint channels = self->held.channels;
  const gsize fade = MIN (ear_frames_count (&self->tail), ear_frames_count (&self->held));
  const float *from = ear_frames_peek (&self->tail);
  float *to = ear_frames_edit (&self->held);

  for (gsize i = 0; i < fade; i++)
    {
      const float part = ((float) i + 0.5f) / (float) fade;

      for (guint channel = 0; channel < channels; channel++)
        to[i * channels + channel] = from[i * channels + channel] * (1 - part) + to[i * channels + channel] * part;
    }
}

/* Ends the pause and leaves @keep frames of the held sound.
 * @least: the shortest cut, in frames */
static void
end_pause (EarTrimmer *self, gsize keep, gsize least)
{
  const gsize held = ear_frames_count (&self->held);
  const gsize length = self->dropped + (held > keep ? held - keep : 0);
  EarCut cut = { .at = self->n_left, .length = length };

  if (length > least)
    {
      ear_frames_drop (&self->held, length - self->dropped);
      fade_over (self);
      g_array_append_val (self->cuts, cut);
    }
  leave (self, &self->held, ear_frames_count (&self->held));
  ear_frames_empty (&self->tail);
  self->dropped = 0;
  self->holding = self->bed = FALSE;
}

/* After BED_LIMIT, music is passed on, and of silence no more is held than needed. */
static void
shorten (EarTrimmer *self)
{
  if (ear_frames_count (&self->held) <= self->limit)
    return;

  if (self->bed)
    {
      end_pause (self, G_MAXSIZE, 0);
      self->passing = TRUE;
    }
  else
    {
      ear_frames_drop (&self->held, self->block);
      self->dropped += self->block;
    }
}

static void
hold (EarTrimmer *self, EarSound sound)
{
  self->holding = TRUE;
  self->bed = self->bed || sound == EAR_SOUND_BED;
  if (ear_frames_count (&self->tail) < self->fade)
    ear_frames_append (&self->tail, ear_frames_peek (&self->taken), self->block);
  ear_frames_move (&self->taken, &self->held, self->block);
  shorten (self);
}

static void
take_block (EarTrimmer *self)
{
  const EarSound sound = ear_voice_detector_take (&self->detector, ear_frames_peek (&self->taken));
  const guint after = self->detector.in_noise ? self->after_in_noise : self->after;

  if (sound == EAR_SOUND_VOICE)
    {
      if (self->holding)
        end_pause (self, self->before, self->detector.block * LEAST / 10);
      self->silent = 0;
      self->passing = FALSE;
    }
  else
    {
      self->silent++;
    }

  if (sound == EAR_SOUND_VOICE || self->silent <= after || self->passing)
    leave (self, &self->taken, self->block);
  else
    hold (self, sound);
}

/* When disabled, all sound is passed on at once. The held sound may have to
 * be drained first. */
void
ear_trimmer_set_enabled (EarTrimmer *self, gboolean enabled)
{
  if (self->enabled == enabled)
    return;

  self->enabled = enabled;
  if (enabled)
    {
      ear_voice_detector_reset (&self->detector);
      self->silent = 0;
      self->passing = FALSE;
    }
  else
    {
      end_pause (self, G_MAXSIZE, 0);
      leave (self, &self->taken, ear_frames_count (&self->taken));
    }
}

/* Returns: whether the trimmer holds no sound */
gboolean
ear_trimmer_is_idle (const EarTrimmer *self)
{
  return ear_frames_count (&self->taken) == 0 && ear_frames_count (&self->held) == 0 &&
         ear_frames_count (&self->left) == 0;
}

void
ear_trimmer_push (EarTrimmer *self, const float *samples, gsize n)
{
  ear_frames_append (self->enabled ? &self->taken : &self->left, samples, n);
  if (!self->enabled)
    self->n_left += n;
  else
    while (ear_frames_count (&self->taken) >= self->block)
      take_block (self);
}

/* Passes on all sound, at the end of the stream, and shortens a final pause
 * like any other. */
void
ear_trimmer_drain (EarTrimmer *self)
{
  if (self->holding)
    end_pause (self, self->before, self->detector.block * LEAST / 10);
  leave (self, &self->taken, ear_frames_count (&self->taken));
  self->silent = 0;
}
