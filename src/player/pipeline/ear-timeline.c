/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-timeline.h"

#include <string.h>

/* Sound that comes as it was to be expected begins no new line: clocks round. */
#define MARGIN GST_MSECOND

/* The sound is ahead of what is seen by a second at most. */
#define N_LINES 64

/* Whoever waits looks that often whether it is to wait at all, if nobody wakes it. */
#define PATIENCE G_USEC_PER_SEC

/* From @time of the media on, which is heard at @running, it goes by at @rate. */
typedef struct
{
  GstClockTime time;
  GstClockTime running;
  double rate;
} Line;

/**
 * EarTimeline:
 *
 * When which moment of the media is heard, as the sound that comes to its output tells: whatever stretches it or
 * leaves something out on the way, the picture follows. Any thread may use it.
 */
struct _EarTimeline
{
  /* Under the lock */
  GMutex lock;
  GCond changed;
  Line lines[N_LINES];  /* the oldest first */
  guint n_lines;
  GstClockTime reached; /* what has come last; GST_CLOCK_TIME_NONE: nothing yet */
  gboolean ended;
};

static GstClockTime
follow (const Line *line, GstClockTime time)
{
  return line->running + (GstClockTime) ((double) (time - line->time) / line->rate);
}

static void
push (EarTimeline *self, const Line *line)
{
  if (self->n_lines == N_LINES)
    {
      memmove (self->lines, self->lines + 1, (N_LINES - 1) * sizeof *line);
      self->n_lines--;
    }
  self->lines[self->n_lines++] = *line;
}

EarTimeline *
ear_timeline_new (void)
{
  EarTimeline *self = g_new0 (EarTimeline, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->reached = GST_CLOCK_TIME_NONE;

  return self;
}

void
ear_timeline_free (EarTimeline *self)
{
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* The sound begins anew, somewhere else. */
void
ear_timeline_begin (EarTimeline *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->n_lines = 0;
  self->reached = GST_CLOCK_TIME_NONE;
  self->ended = FALSE;
}

/* A piece of sound comes.
 * @time: where in the media it begins
 * @running: when it is heard
 * @rate: how fast the media goes by */
void
ear_timeline_add (EarTimeline *self, GstClockTime time, GstClockTime running, double rate)
{
  const Line line = { time, running, rate };
  const Line *last;

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  last = self->n_lines > 0 ? &self->lines[self->n_lines - 1] : NULL;
  if (last == NULL || ABS (last->rate - rate) > 0.0001 || time < last->time ||
      ABS (GST_CLOCK_DIFF (follow (last, time), running)) > (GstClockTimeDiff) MARGIN)
    push (self, &line);
  self->reached = time;
  self->ended = FALSE;
  g_cond_broadcast (&self->changed);
}

/* Before that there is no sound, perhaps none at all any more.
 * @time: where in the media */
void
ear_timeline_skip (EarTimeline *self, GstClockTime time)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (!GST_CLOCK_TIME_IS_VALID (self->reached) || time > self->reached)
    self->reached = time;
  g_cond_broadcast (&self->changed);
}

/* No more sound comes, as far as is known. */
void
ear_timeline_end (EarTimeline *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->ended = TRUE;
  g_cond_broadcast (&self->changed);
}

/* Finds when a moment is heard, or will be if nothing changes.
 * @time: where in the media
 * @running: (out): when
 * @rate: (out): how fast it goes by there
 * Returns: %FALSE while no sound has come that could tell */
gboolean
ear_timeline_find (EarTimeline *self, GstClockTime time, GstClockTime *running, double *rate)
{
  const Line *line;
  guint i;

  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (self->n_lines == 0)
    return FALSE;

  i = self->n_lines - 1;
  while (i > 0 && self->lines[i].time > time)
    i--;
  line = &self->lines[i];
  *rate = line->rate;
  if (time < line->time)
    {
      GstClockTime before = (GstClockTime) ((double) (line->time - time) / line->rate);

      *running = line->running > before ? line->running - before : 0;
      return TRUE;
    }

  *running = follow (line, time);
  /* What is left out of the sound is over in a moment. */
  if (i + 1 < self->n_lines)
    *running = MIN (*running, self->lines[i + 1].running);

  return TRUE;
}

/* Waits until the sound has come as far as that.
 * @time: where in the media
 * @give_up: with @user_data: whether it is to wait no longer */
void
ear_timeline_wait (EarTimeline *self, GstClockTime time, EarTimelineFunc give_up, gpointer user_data)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  while (!self->ended && (!GST_CLOCK_TIME_IS_VALID (self->reached) || self->reached < time) && !give_up (user_data))
    g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + PATIENCE);
}

/* Has whoever waits look whether it is to wait. */
void
ear_timeline_wake (EarTimeline *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  g_cond_broadcast (&self->changed);
}
