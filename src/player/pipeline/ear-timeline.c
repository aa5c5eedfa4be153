/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-timeline.h"

#include <string.h>

/* Sound this close to the expected time starts no new line: clocks round. */
#define MARGIN GST_MSECOND

/* The sound is at most a second ahead of the picture. */
#define N_LINES 64

/* How often a waiting thread checks whether to give up, unless it is woken. */
#define PATIENCE G_USEC_PER_SEC

/* From @time of the media on, heard at @running, the media plays at @rate. */
typedef struct
{
  GstClockTime time;
  GstClockTime running;
  double rate;
} Line;

/**
 * EarTimeline:
 *
 * Maps times of the media to when they are heard, from the sound that arrives at its
 * output. So the picture follows, whatever stretched or cut the sound. Any thread.
 */
struct _EarTimeline
{
  /* Under the lock */
  GMutex lock;
  GCond changed;
  Line lines[N_LINES];  /* oldest first */
  guint n_lines;
  GstClockTime reached; /* last sound received; GST_CLOCK_TIME_NONE: none */
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

/* The sound starts again at another position. */
void
ear_timeline_begin (EarTimeline *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->n_lines = 0;
  self->reached = GST_CLOCK_TIME_NONE;
  self->ended = FALSE;
}

/* Adds a piece of sound.
 * @time: its start in the media
 * @running: when it is heard
 * @rate: the speed of the media */
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

/* No sound comes before @time, and perhaps none after it.
 * @time: in the media */
void
ear_timeline_skip (EarTimeline *self, GstClockTime time)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  if (!GST_CLOCK_TIME_IS_VALID (self->reached) || time > self->reached)
    self->reached = time;
  g_cond_broadcast (&self->changed);
}

/* Marks the end of the sound, unless more arrives. */
void
ear_timeline_end (EarTimeline *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  self->ended = TRUE;
  g_cond_broadcast (&self->changed);
}

/* Finds when a time of the media is heard, or will be if nothing changes.
 * @time: in the media
 * @running: (out): the running time
 * @rate: (out): the speed there
 * Returns: %FALSE before any sound has arrived */
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
  /* A part cut from the sound takes no time. */
  if (i + 1 < self->n_lines)
    *running = MIN (*running, self->lines[i + 1].running);

  return TRUE;
}

/* Blocks until the sound has reached a time.
 * @time: in the media
 * @give_up: called with @user_data: whether to stop waiting */
void
ear_timeline_wait (EarTimeline *self, GstClockTime time, EarTimelineFunc give_up, gpointer user_data)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  while (!self->ended && (!GST_CLOCK_TIME_IS_VALID (self->reached) || self->reached < time) && !give_up (user_data))
    g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + PATIENCE);
}

/* Makes waiting threads check whether to give up. */
void
ear_timeline_wake (EarTimeline *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  g_cond_broadcast (&self->changed);
}
