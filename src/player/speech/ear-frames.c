/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-frames.h"

/* Dropped frames kept before the memory is compacted. */
#define GONE_LIMIT 16384

void
ear_frames_init (EarFrames *self, guint channels)
{
  /* With capacity, because offsetting a NULL pointer is undefined even for no samples. */
  self->samples = g_array_sized_new (FALSE, FALSE, sizeof (float), 1);
  self->channels = channels;
  self->first = 0;
}

void
ear_frames_clear (EarFrames *self)
{
  g_clear_pointer (&self->samples, g_array_unref);
}

void
ear_frames_empty (EarFrames *self)
{
  g_array_set_size (self->samples, 0);
  self->first = 0;
}

gsize
ear_frames_count (const EarFrames *self)
{
  return self->samples->len / self->channels - self->first;
}

const float *
ear_frames_peek (const EarFrames *self)
{
  return (const float *) self->samples->data + self->first * self->channels;
}

float *
ear_frames_edit (EarFrames *self)
{
  return (float *) self->samples->data + self->first * self->channels;
}

void
ear_frames_append (EarFrames *self, const float *samples, gsize n)
{
  g_array_append_vals (self->samples, samples, (guint) (n * self->channels));
}

/* Drops the first @n frames. */
void
ear_frames_drop (EarFrames *self, gsize n)
{
  self->first += n;
  if (ear_frames_count (self) == 0)
    ear_frames_empty (self);
  else if (self->first >= GONE_LIMIT && self->first >= ear_frames_count (self))
    {
      g_array_remove_range (self->samples, 0, (guint) (self->first * self->channels));
      self->first = 0;
    }
}

/* Moves the first @n frames to the end of another queue. */
void
ear_frames_move (EarFrames *self, EarFrames *to, gsize n)
{
  ear_frames_append (to, ear_frames_peek (self), n);
  ear_frames_drop (self, n);
}
