/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pipeline-internal.h"

#include "ear-error.h"
#include "ear-fade.h"
#include "ear-playbin.h"
#include "ear-teardown.h"
#include "ear-thread.h"

#include <gst/audio/streamvolume.h>

#define OGG_LEAD (1200 * 1000)

/* Microseconds that a dropped pipeline may still be opening. */
#define PATIENCE (5 * G_USEC_PER_SEC)

/**
 * EarPipeline:
 *
 * One opening of one source: a playbin3 from creation to end, reduced to a few events
 * on the main thread. GStreamer's threads report by messages on the bus. No playbin is
 * used twice, so messages queued by an earlier opening cannot be mistaken for those of
 * a later one.
 */
G_DEFINE_FINAL_TYPE (EarPipeline, ear_pipeline, G_TYPE_OBJECT)

void
ear_pipeline_set_sounding (EarPipeline *self, gboolean sounding)
{
  if (self->sounding == sounding)
    return;

  self->sounding = sounding;
  self->events->sounding (sounding, self->user_data);
}

/* Sets the playbin to the requested state, as far as possible now. */
void
ear_pipeline_apply_state (EarPipeline *self)
{
  gboolean play = self->playing && self->opened && !self->seeking && !self->ended && self->buffering == 100;

  if (self->playbin == NULL)
    return;

  ear_playbin_set_playing (self->playbin, play);
  if (!play)
    ear_pipeline_set_sounding (self, FALSE);
}

static void
apply_volume (EarPipeline *self)
{
  if (self->playbin == NULL || self->volume < 0)
    return;

  gst_stream_volume_set_volume (GST_STREAM_VOLUME (self->playbin), GST_STREAM_VOLUME_FORMAT_CUBIC, self->volume);
  gst_stream_volume_set_mute (GST_STREAM_VOLUME (self->playbin), self->muted);
}

/* Ends the playbin and keeps the last position. A failed one would never come to rest,
 * and is ended at once. */
void
ear_pipeline_close_playbin (EarPipeline *self, gboolean failed)
{
  g_autoptr (GstBus) bus = NULL;

  if (self->playbin != NULL)
    {
      ear_pipeline_get_position (self, &self->position);
      bus = gst_element_get_bus (self->playbin);
      gst_bus_remove_watch (bus);
      g_signal_handlers_disconnect_by_data (self->playbin, self);
      if (self->picture != NULL)
        ear_picture_stop (self->picture);
      ear_playbin_wait (self->playbin);
      if (failed || (self->opened && !self->seeking))
        g_clear_pointer (&self->playbin, ear_playbin_end);
      else
        ear_teardown_begin (g_steal_pointer (&self->playbin), g_steal_pointer (&self->tempo), self->beginnings,
                            PATIENCE);
    }
  g_clear_object (&self->tempo);
  g_clear_object (&self->picture);
}

/* Ends the playbin and emits the error.
 * @error: (transfer full): the reason */
void
ear_pipeline_fail (EarPipeline *self, GError *error)
{
  ear_pipeline_close_playbin (self, TRUE);
  self->events->failed (error, self->user_data);
  g_error_free (error);
}

/* Any thread, usually one of the sound server. */
static void
volume_changed_cb (GstElement *playbin, GParamSpec *pspec, gpointer user_data)
{
  gst_element_post_message (playbin, gst_message_new_application (GST_OBJECT (playbin),
                                                                  gst_structure_new_empty ("volume-changed")));
}

static void
attach_picture (EarPipeline *self)
{
  if (self->output == NULL)
    return;

  self->picture = ear_picture_new (self->output);
  ear_picture_attach (self->picture, self->playbin);
}

static void
made_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  EarPipeline *self = EAR_PIPELINE (object);
  g_autoptr (GError) error = NULL;
  GstElement *playbin = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GstBus) bus = NULL;

  if (g_cancellable_is_cancelled (self->cancellable))
    {
      g_clear_pointer (&playbin, gst_object_unref);
      return;
    }
  if (playbin == NULL)
    {
      ear_pipeline_fail (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_CODEC, error->message));
      return;
    }

  self->playbin = playbin;
  attach_picture (self);
  bus = gst_element_get_bus (playbin);
  gst_bus_add_watch (bus, ear_pipeline_message_cb, self);
  apply_volume (self);
  ear_fade_set_level (playbin, self->fade);
  g_signal_connect (playbin, "notify::volume", G_CALLBACK (volume_changed_cb), self);
  g_signal_connect (playbin, "notify::mute", G_CALLBACK (volume_changed_cb), self);
  if (self->at_once)
    ear_playbin_begin_at_once (playbin);
  ear_pipeline_apply_state (self);
}

typedef struct
{
  EarPipeline *pipeline; /* borrowed: source object of the task */
  EarTempo *tempo;
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_object_unref (making->tempo);
  g_free (making);
}

static void
make_playbin_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  const Making *making = task_data;
  EarPipeline *self = making->pipeline;
  GError *error = NULL;
  GstElement *playbin;

  /* The fields read here were set before the thread started, and stay unchanged. */
  playbin = ear_playbin_new (self->source, making->tempo, self->make_sink, self->sink_owner, &error);
  if (playbin != NULL && self->output != NULL)
    ear_picture_prepare ();
  if (playbin != NULL)
    g_task_return_pointer (task, playbin, gst_object_unref);
  else
    g_task_return_error (task, error);
}

/* How far before a position to seek, so that nothing is missed: EarTempo drops
 * early sound, but late sound is lost. Over HTTP, Ogg's demuxer finds a
 * position only roughly. */
static gint64
find_lead (EarPipeline *self)
{
  g_auto (GValue) found = G_VALUE_INIT;
  GstIterator *demuxers;
  gboolean ogg;

  if (self->source->local)
    return 0;

  demuxers = gst_bin_iterate_all_by_element_factory_name (GST_BIN (self->playbin), "oggdemux");
  ogg = gst_iterator_next (demuxers, &found) == GST_ITERATOR_OK;
  gst_iterator_free (demuxers);

  return ogg ? OGG_LEAD : 0;
}

static void
ear_pipeline_dispose (GObject *object)
{
  EarPipeline *self = EAR_PIPELINE (object);

  ear_pipeline_close (self);
  g_clear_pointer (&self->source, ear_source_unref);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->sink_owner);
  g_clear_object (&self->output);

  G_OBJECT_CLASS (ear_pipeline_parent_class)->dispose (object);
}

static void
ear_pipeline_class_init (EarPipelineClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_pipeline_dispose;
}

static void
ear_pipeline_init (EarPipeline *self)
{
  self->cancellable = g_cancellable_new ();
  self->position = -1;
  self->rate = 1.0;
  self->volume = -1;
  self->fade = 1.0;
  self->buffering = 100;
}

/* @source: the media to play
 * @events: callbacks for @user_data
 * Returns: (transfer full): an unopened pipeline */
EarPipeline *
ear_pipeline_new (EarSource *source, const EarPipelineEvents *events, gpointer user_data)
{
  EarPipeline *self = g_object_new (EAR_TYPE_PIPELINE, NULL);

  self->source = ear_source_ref (source);
  self->events = events;
  self->user_data = user_data;

  return self;
}

/* Sets another sound output than the listener's.
 * @self: a pipeline that is not opened yet
 * @make_sink: (nullable) (scope forever): creates the sound output
 * @owner: (nullable): argument of @make_sink */
void
ear_pipeline_set_sink (EarPipeline *self, EarPlayerSinkFunc make_sink, GObject *owner)
{
  self->make_sink = make_sink;
  g_set_object (&self->sink_owner, owner);
}

/* @self: a pipeline that is not opened yet
 * @output: (nullable): the output for the picture; %NULL for sound only, at no cost */
void
ear_pipeline_set_video (EarPipeline *self, EarVideoOutput *output)
{
  g_set_object (&self->output, output);
}

/* Lets sound start at the beginning of the media before `ready`, for which the main loop
 * may be too busy: a click on an episode draws a frame that takes 30 ms. Only while no
 * other position is wanted.
 * @self: a pipeline; to set @at_once, one that is not opened yet
 * @at_once: whether sound may start */
void
ear_pipeline_set_at_once (EarPipeline *self, gboolean at_once)
{
  self->at_once = at_once;
  if (!at_once && self->playbin != NULL)
    ear_playbin_wait (self->playbin);
}

/* Makes the next opening reach a position by reading everything before it, for
 * servers that send no ranges. Drops the picture, because its frames would fill
 * the buffers meanwhile.
 * @self: a pipeline that is not open
 * @position: microseconds; 0: the beginning */
void
ear_pipeline_read_on_to (EarPipeline *self, gint64 position)
{
  self->source->ranges = FALSE;
  self->start = position;
  if (position <= 0)
    return;
  self->at_once = FALSE;
  g_clear_object (&self->output);
}

/* Starts to fetch; emits `ready` when the first sound could be heard.
 * @self: a new pipeline, or one that failed */
void
ear_pipeline_open (EarPipeline *self)
{
  Making *making;
  GTask *task;

  self->opened = self->seeking = self->ended = FALSE;
  self->buffering = 100;
  self->beginnings = 0;
  self->tempo = ear_tempo_new ();
  ear_tempo_set_rate (self->tempo, self->rate);
  ear_tempo_set_speech (self->tempo, self->trim, self->level);
  if (self->start > 0)
    ear_tempo_read_on_to (self->tempo, (GstClockTime) self->start * GST_USECOND);

  making = g_new0 (Making, 1);
  making->pipeline = self;
  making->tempo = g_object_ref (self->tempo);
  task = g_task_new (self, self->cancellable, made_cb, NULL);
  g_task_set_source_tag (task, ear_pipeline_open);
  g_task_set_task_data (task, making, making_free);
  ear_worker_run (task, make_playbin_thread, (GDestroyNotify) gst_object_unref);
}

/* Ends the pipeline: it is silent, emits nothing, and drops its connection as soon as
 * possible. The last position stays available. */
void
ear_pipeline_close (EarPipeline *self)
{
  g_cancellable_cancel (self->cancellable);
  ear_pipeline_close_playbin (self, FALSE);
}

/* Returns: whether the pipeline has ever been ready */
gboolean
ear_pipeline_get_opened (EarPipeline *self)
{
  return self->opened;
}

/* @playing: whether to play as soon as possible */
void
ear_pipeline_set_playing (EarPipeline *self, gboolean playing)
{
  if (self->playing == playing)
    return;

  self->playing = playing;
  if (!playing)
    ear_pipeline_set_at_once (self, FALSE);
  ear_pipeline_apply_state (self);
}

/* Seeks; emits `ready` at the position. A second seek may overtake the first.
 * @self: a pipeline that has been ready
 * @position: microseconds
 * Returns: %FALSE if seeking is impossible, or not possible now; then
 * nothing has changed */
gboolean
ear_pipeline_seek (EarPipeline *self, gint64 position)
{
  GstSeekFlags flags = GST_SEEK_FLAG_FLUSH;
  gboolean before;
  guint beginnings;
  gint64 lead;

  if (self->playbin == NULL || !self->opened)
    return FALSE;

  /* In MP3, only reading everything before a time shows where it is. A file is read
   * quickly, but fetching hours of sound takes minutes. A stream in segments would start
   * at the start of a segment. */
  if (self->source->local || ear_source_get_content (self->source) == EAR_MEDIA_CONTENT_STREAM)
    flags |= GST_SEEK_FLAG_ACCURATE;

  lead = MIN (position, find_lead (self));
  before = self->seeking;
  beginnings = self->beginnings;
  self->seeking = TRUE;
  ear_pipeline_apply_state (self);
  self->beginnings = ear_tempo_get_beginnings (self->tempo);
  ear_tempo_begin_at (self->tempo, position * GST_USECOND);
  if (gst_element_seek (self->playbin, 1.0, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET,
                        (position - lead) * GST_USECOND, GST_SEEK_TYPE_NONE, -1))
    {
      self->ended = FALSE;
      return TRUE;
    }

  ear_tempo_begin_at (self->tempo, GST_CLOCK_TIME_NONE);
  self->seeking = before;
  self->beginnings = beginnings;
  ear_pipeline_apply_state (self);

  return FALSE;
}

/* Changes the speed without a gap.
 * @rate: the speed; the pitch is kept */
void
ear_pipeline_set_rate (EarPipeline *self, double rate)
{
  self->rate = rate;
  if (self->tempo != NULL)
    ear_tempo_set_rate (self->tempo, rate);
}

/* Sets the filters for voices, at once and without a gap.
 * @trim: whether to shorten pauses
 * @level: whether to bring voices to one loudness */
void
ear_pipeline_set_speech (EarPipeline *self, gboolean trim, gboolean level)
{
  self->trim = trim;
  self->level = level;
  if (self->tempo != NULL)
    ear_tempo_set_speech (self->tempo, trim, level);
}

/* Sets the volume of our own stream.
 * @volume: 0 to 1, cubic */
void
ear_pipeline_set_volume (EarPipeline *self, double volume, gboolean muted)
{
  self->volume = volume;
  self->muted = muted;
  apply_volume (self);
}

/* Makes the sound quieter than the listener's volume.
 * @level: 0 to 1, cubic */
void
ear_pipeline_set_fade (EarPipeline *self, double level)
{
  self->fade = level;
  if (self->playbin != NULL)
    ear_fade_set_level (self->playbin, level);
}

/* @volume: (out): 0 to 1, cubic
 * Returns: %FALSE if unknown */
gboolean
ear_pipeline_get_volume (EarPipeline *self, double *volume, gboolean *muted)
{
  if (self->playbin == NULL)
    return FALSE;

  *volume = gst_stream_volume_get_volume (GST_STREAM_VOLUME (self->playbin), GST_STREAM_VOLUME_FORMAT_CUBIC);
  *muted = gst_stream_volume_get_mute (GST_STREAM_VOLUME (self->playbin));

  return TRUE;
}

static gboolean
query_position (EarPipeline *self, gint64 *position)
{
  if (self->picture != NULL)
    return ear_picture_query_sound (self->picture, position);

  return gst_element_query_position (self->playbin, GST_FORMAT_TIME, position);
}

/* At the end, everything that passed has been heard. */
static GstClockTime
find_running_time (EarPipeline *self)
{
  if (self->ended)
    return GST_CLOCK_TIME_NONE - 1;
  if (GST_STATE (self->playbin) == GST_STATE_PLAYING)
    return gst_element_get_current_running_time (self->playbin);

  return gst_element_get_start_time (self->playbin);
}

/* The position that is heard: from EarTempo, or from the sink if EarTempo
 * does not know. */
static gboolean
find_place (EarPipeline *self, gint64 *place)
{
  const GstClockTime running = find_running_time (self);
  GstClockTime found;
  gint64 now;

  if (GST_CLOCK_TIME_IS_VALID (running) && ear_tempo_find_place (self->tempo, running, &found))
    {
      *place = (gint64) (found / GST_USECOND);
      return TRUE;
    }
  if (!query_position (self, &now) || now < 0)
    return FALSE;
  *place = now / GST_USECOND;

  return TRUE;
}

/* Gets the position that is heard now; of a closed pipeline, the last one.
 * @position: (out): microseconds
 * Returns: %FALSE if nothing was heard yet */
gboolean
ear_pipeline_get_position (EarPipeline *self, gint64 *position)
{
  if (self->playbin != NULL && self->opened && !self->seeking)
    find_place (self, &self->position);

  if (self->position < 0)
    return FALSE;
  *position = self->position;

  return TRUE;
}

/* Gets the position that the last seek led to, by the first sound after it and not by
 * the demuxer's claim.
 * @self: a pipeline that is ready
 * @position: (out): microseconds
 * Returns: %FALSE if unknown */
gboolean
ear_pipeline_get_landing (EarPipeline *self, gint64 *position)
{
  GstClockTime landed;

  landed = self->tempo != NULL ? ear_tempo_get_landed (self->tempo) : GST_CLOCK_TIME_NONE;
  if (!GST_CLOCK_TIME_IS_VALID (landed))
    return ear_pipeline_get_position (self, position);
  *position = (gint64) (landed / GST_USECOND);

  return TRUE;
}

/* Returns: microseconds; 0 if unknown */
gint64
ear_pipeline_get_duration (EarPipeline *self)
{
  gint64 duration;

  if (self->playbin == NULL || !gst_element_query_duration (self->playbin, GST_FORMAT_TIME, &duration) || duration < 0)
    return 0;

  return duration / GST_USECOND;
}

/* @self: a pipeline that has ended
 * Returns: the end of sound or picture, whichever is later, in microseconds */
gint64
ear_pipeline_get_end (EarPipeline *self)
{
  gint64 position;

  if (!ear_pipeline_get_position (self, &position))
    position = 0;

  return self->picture != NULL ? MAX (position, ear_picture_get_reached (self->picture)) : position;
}

/* Returns: whether the picture is outdated, because nobody watched */
gboolean
ear_pipeline_get_stale (EarPipeline *self)
{
  return self->picture != NULL && self->opened && !self->seeking && ear_picture_is_stale (self->picture);
}

/* Returns: the number of buffers that the video decoder received, for tests */
guint
ear_pipeline_get_decoded (EarPipeline *self)
{
  return self->picture != NULL ? ear_picture_get_decoded (self->picture) : 0;
}

/* @self: a pipeline that has been ready
 * Returns: whether [method@EarPipeline.seek] may work */
gboolean
ear_pipeline_get_seekable (EarPipeline *self)
{
  g_autoptr (GstQuery) query = NULL;
  gboolean seekable = FALSE;

  if (self->playbin == NULL || !self->opened || !self->source->ranges)
    return FALSE;
  query = gst_query_new_seeking (GST_FORMAT_TIME);
  if (gst_element_query (self->playbin, query))
    gst_query_parse_seeking (query, NULL, &seekable, NULL, NULL);

  return seekable;
}

/* Returns: whether the server turned out to send no ranges */
gboolean
ear_pipeline_get_whole (EarPipeline *self)
{
  return !self->source->ranges;
}

/* Returns: whether the duration is from a table of contents, which may be wrong */
gboolean
ear_pipeline_get_tabled (EarPipeline *self)
{
  return g_atomic_int_get (&self->source->has_table);
}

/* Returns: the size of the media in bytes; -1 if unknown */
gint64
ear_pipeline_get_size (EarPipeline *self)
{
  return self->source->size;
}
