/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

/* Brings the pipeline to a position. */

/* Resuming this close to the end starts at the beginning. */
#define RESTART_MARGIN G_USEC_PER_SEC

/* The end itself cannot be played: a seek to it goes this far before it. */
#define END_MARGIN (G_USEC_PER_SEC / 4)

/* A seek that takes longer does not hold up the next one. */
#define JUMP_PATIENCE (G_USEC_PER_SEC / 4)

/* Some demuxers refuse to seek while they are busy: Ogg's, for example, first looks for
 * the end. Retry after this many milliseconds, this often. */
#define REFUSED_DELAY 50
#define REFUSED_LIMIT 10

/* A position this far from the target is wrong. Ogg demuxers lose it now and then when
 * seeks follow each other. */
#define PLACE_MARGIN (3 * G_USEC_PER_SEC)

/* The pipeline drops sound before the target. Sound that starts this much later
 * misses a word. */
#define LATE_MARGIN (G_USEC_PER_SEC * 3 / 10)

/* How often the pipeline is opened again after it lost the position. */
#define REOPEN_LIMIT 3

/* How often the pipeline is sent to the same target; after that, the demuxer is taken to
 * do no better. */
#define REPEAT_LIMIT 2

/* The longest time to read on to a position, in microseconds. Without it, an endless
 * stream would be read forever. */
#define READING_LIMIT (10 * 60 * G_USEC_PER_SEC)

/* Retries a refused seek. */
static void jump (EarPlayer *self);

/* Opens a new pipeline, which seeks first, in place of one that could seek before but no
 * longer finds the position. */
static void
reopen (EarPlayer *self)
{
  g_debug ("reopen for %" G_GINT64_FORMAT, self->target);
  ear_player_close_media (self);
  self->reopened++;
  if (self->playing)
    ear_player_open_media (self);
  else
    ear_player_move (self);
  ear_player_update_state (self);
}

/* Returns: whether sound at @position shows that the table of contents is wrong */
static gboolean
is_beyond_table (EarPlayer *self, gint64 position)
{
  const gint64 duration = ear_pipeline_get_duration (self->pipeline);

  return !self->distrusts && duration > 0 && position > duration + RESTART_MARGIN &&
         ear_pipeline_get_tabled (self->pipeline);
}

/* Corrects the duration when the sound continues past it. */
void
ear_player_check_length (EarPlayer *self)
{
  const gint64 position = ear_player_get_position (self);

  if (self->pipeline == NULL || self->target >= 0 || self->duration <= 0 ||
      position <= self->duration + RESTART_MARGIN)
    return;

  if (is_beyond_table (self, position))
    {
      self->distrusts = TRUE;
      self->target = position;
      reopen (self);
    }
  else
    {
      ear_property_set_int64 (self, "duration", 0);
    }
}

/* Returns: whether a position can be reached by reading everything before it */
gboolean
ear_player_can_read_on (EarPlayer *self)
{
  return !self->local && (self->duration > 0 || self->resuming);
}

/* If the server sends no ranges, makes the pipeline read on to the target
 * when it opens. */
void
ear_player_prepare_reading (EarPlayer *self)
{
  if (!self->whole)
    return;

  if (self->target > 0 && self->duration > 0)
    self->target = MIN (self->target, MAX (0, self->duration - END_MARGIN));
  ear_pipeline_read_on_to (self->pipeline, MAX (0, self->target));
  if (self->target > 0)
    {
      g_debug ("read on to %" G_GINT64_FORMAT, self->target);
      self->under_way = self->target;
      self->since = g_get_monotonic_time ();
      self->opening = FALSE;
    }
}

/* Starts at the beginning: the position is past the end, or takes too long to reach. */
void
ear_player_give_up_reading (EarPlayer *self)
{
  self->hoped = self->resuming ? self->target : -1;
  self->target = self->under_way = -1;
  self->jumped = self->resuming = FALSE;
  reopen (self);
}

void
ear_player_check_reading (EarPlayer *self)
{
  if (self->whole && self->under_way > 0 && g_get_monotonic_time () - self->since > READING_LIMIT)
    ear_player_give_up_reading (self);
}

static gboolean
retry_cb (gpointer user_data)
{
  EarPlayer *self = user_data;

  self->retry = 0;
  jump (self);

  return G_SOURCE_REMOVE;
}

/* Retries after a delay, and is silent until then. */
static void
wait_for_jump (EarPlayer *self)
{
  self->refused++;
  ear_pipeline_set_playing (self->pipeline, FALSE);
  self->retry = g_timeout_add (REFUSED_DELAY, retry_cb, self);
}

static void
stop_waiting (EarPlayer *self)
{
  self->refused = 0;
  g_clear_handle_id (&self->retry, g_source_remove);
  if (self->pipeline != NULL)
    ear_pipeline_set_playing (self->pipeline, self->playing);
}

/* Ends the seek.
 * @reached: whether the pipeline is at the target */
static void
finish_jump (EarPlayer *self, gboolean reached)
{
  gboolean jumped = self->jumped;

  if (reached)
    {
      self->position = self->target;
      self->restored = TRUE;
      self->hoped = -1;
    }
  else if (self->resuming)
    {
      self->hoped = self->target;
    }
  self->target = self->under_way = -1;
  self->jumped = self->resuming = self->opening = FALSE;
  self->reopened = 0;
  stop_waiting (self);

  g_object_notify (G_OBJECT (self), "position");
  if (jumped)
    ear_player_emit_seeked (self);
}

/* Sends the pipeline to the target as soon as it accepts a seek. */
static void
jump (EarPlayer *self)
{
  gboolean seekable = ear_pipeline_get_seekable (self->pipeline);
  gint64 place = self->target;

  g_debug ("jump to %" G_GINT64_FORMAT ", seekable %d, %" G_GINT64_FORMAT " under way, refused %u times", place,
           seekable, self->under_way, self->refused);
  g_clear_handle_id (&self->retry, g_source_remove);
  if (self->duration > 0)
    place = MIN (place, MAX (0, self->duration - END_MARGIN));
  if (seekable)
    ear_property_set_boolean (self, "seekable", TRUE);

  if (seekable && ear_pipeline_seek (self->pipeline, place))
    {
      self->under_way = self->target;
      self->since = g_get_monotonic_time ();
      self->opening = FALSE;
      stop_waiting (self);
    }
  else if (self->under_way >= 0)
    {
      /* The previous seek is still in progress; this one follows it. */
    }
  else if ((seekable || self->opening) && self->refused < REFUSED_LIMIT)
    {
      wait_for_jump (self);
    }
  else if (!seekable && ear_player_can_read_on (self) && self->reopened < REOPEN_LIMIT)
    {
      self->whole = TRUE;
      reopen (self);
    }
  else if (self->seekable && self->reopened == 0)
    {
      reopen (self);
    }
  else
    {
      finish_jump (self, FALSE);
    }
}

/* Checks the position when the pipeline reports the end of a seek; it is still silent.
 * Over HTTP, Ogg's demuxer searches in steps and leaves each seek to a thread of its own
 * (GStreamer 1.26). It mistakes data from before a seek for its result, and ends up
 * anywhere. This is a race, so the next try usually succeeds. */
static void
check_place (EarPlayer *self)
{
  gint64 position;
  gint64 late = ear_pipeline_get_landing (self->pipeline, &position) ? position - self->target : 0;
  gboolean lost = ABS (late) > PLACE_MARGIN;

  if (lost && self->reopened < REOPEN_LIMIT)
    {
      reopen (self);
    }
  else if (!lost && late > LATE_MARGIN && self->repeated < REPEAT_LIMIT)
    {
      g_debug ("%" G_GINT64_FORMAT " too late", late);
      self->repeated++;
      jump (self);
    }
  else
    {
      finish_jump (self, !lost);
    }
}

static void
first_jump (EarPlayer *self)
{
  gint64 duration = ear_pipeline_get_duration (self->pipeline);

  if (self->resuming && is_beyond_table (self, self->target))
    {
      self->distrusts = TRUE;
      reopen (self);
      return;
    }
  if (self->resuming && duration > 0 && self->target >= duration - RESTART_MARGIN)
    self->target = 0;

  if (self->target == 0)
    finish_jump (self, TRUE);
  else
    jump (self);
}

/* Seeks to the target once the pipeline is ready, or checks whether it is there.
 * @done: the target that the pipeline was going to, in microseconds; -1: none */
void
ear_player_go_on (EarPlayer *self, gint64 done)
{
  if (self->target < 0)
    {
      self->opening = FALSE;
      g_object_notify (G_OBJECT (self), "position");
    }
  else if (self->opening)
    first_jump (self);
  else if (self->target != done)
    jump (self);
  else
    check_place (self);
}

/* Seeks to the current position without a signal, to get its picture. */
void
ear_player_show_place (EarPlayer *self)
{
  self->target = ear_player_get_position (self);
  self->jumped = self->resuming = FALSE;
  self->repeated = 0;
  jump (self);
}

/* Seeks to the target, now or as soon as possible. A burst of targets uses the first and
 * the last, and those in between for which there is time. */
void
ear_player_move (EarPlayer *self)
{
  gboolean impatient;

  self->jumped = TRUE;
  self->resuming = FALSE;
  self->repeated = 0;
  self->hoped = -1;
  ear_player_move_over (self);

  if (self->pipeline == NULL)
    {
      /* The change applies at once: playback will start there. */
      self->position = self->target;
      self->restored = TRUE;
      self->jumped = FALSE;
      g_object_notify (G_OBJECT (self), "position");
      ear_player_emit_seeked (self);
      return;
    }

  g_object_notify (G_OBJECT (self), "position");
  impatient = self->under_way < 0 || g_get_monotonic_time () - self->since > JUMP_PATIENCE;
  if (!ear_pipeline_get_opened (self->pipeline))
    {
      ear_pipeline_set_at_once (self->pipeline, FALSE);
      /* Reading on to another position may take a minute. */
      if (self->whole && self->under_way >= 0 && impatient)
        reopen (self);
    }
  else if (self->retry == 0 && impatient)
    jump (self);
}
