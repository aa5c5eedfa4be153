/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-picture.h"

#include "ear-video-gate.h"
#include "ear-video-output-private.h"

#include <string.h>

/**
 * EarPicture:
 *
 * The picture of one pipeline. Makes playbin3 decode it only while somebody watches, and
 * shows each frame when its sound is heard.
 *
 * EarTempo stretches the sound; the demuxer and the video decoder do not know about it.
 * So the times of the frames are rewritten at the sink pad of the video sink, where each
 * frame is about to wait for its time. The new times follow from the sound that has
 * arrived at the audio sink, which is slightly ahead.
 */
struct _EarPicture
{
  GObject parent_instance;

  /* Owned */
  EarVideoGateState *state;
  GstElement *sound;  /* (nullable): audio sink */
  GstPad *sound_door;
  gulong sound_probe;
  GstPad *door;       /* sink pad of the video sink */
  gulong probe;

  /* The audio thread only */
  GstSegment sound_segment;

  /* The video thread only */
  GstSegment segment;
  GstClockTime running; /* of the last frame, from the decoder */
  GstClockTime shown;   /* of the last frame, for the sink */
  double rate;
};

G_DEFINE_FINAL_TYPE (EarPicture, ear_picture, G_TYPE_OBJECT)

static gboolean
is_within (const GstSegment *segment, GstClockTime time)
{
  return GST_CLOCK_TIME_IS_VALID (time) && segment->format == GST_FORMAT_TIME && time >= segment->start &&
         (!GST_CLOCK_TIME_IS_VALID (segment->stop) || time <= segment->stop);
}

/* If the picture is longer than the sound, playsink holds back the end of the sound until
 * the picture ends; playsink or the demuxer sends gaps instead. */
static void
take_gap (EarPicture *self, GstEvent *event)
{
  GstClockTime start, duration;

  gst_event_parse_gap (event, &start, &duration);
  if (!GST_CLOCK_TIME_IS_VALID (duration))
    ear_timeline_end (self->state->timeline);
  else if (is_within (&self->sound_segment, start) && is_within (&self->sound_segment, start + duration))
    ear_timeline_skip (self->state->timeline,
                       gst_segment_to_stream_time (&self->sound_segment, GST_FORMAT_TIME, start + duration));
}

static GstPadProbeReturn
sound_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarPicture *self = user_data;
  const GstSegment *segment = &self->sound_segment;
  GstEvent *event;
  GstClockTime pts;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    {
      pts = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));
      if (is_within (segment, pts))
        ear_timeline_add (self->state->timeline, gst_segment_to_stream_time (segment, GST_FORMAT_TIME, pts),
                          gst_segment_to_running_time (segment, GST_FORMAT_TIME, pts),
                          segment->rate * segment->applied_rate);
      return GST_PAD_PROBE_OK;
    }

  event = GST_PAD_PROBE_INFO_EVENT (info);
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (event, &self->sound_segment);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    ear_timeline_begin (self->state->timeline);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_GAP)
    take_gap (self, event);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    ear_timeline_end (self->state->timeline);

  return GST_PAD_PROBE_OK;
}

/* Gives the sink a plain segment: a frame's time is when to show it, and nothing else. */
static void
replace_segment (EarPicture *self, GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstSegment plain;

  gst_event_copy_segment (event, &self->segment);
  gst_segment_init (&plain, GST_FORMAT_TIME);
  info->data = gst_event_new_segment (&plain);
  gst_event_set_seqnum (info->data, gst_event_get_seqnum (event));
  gst_event_unref (event);
}

static GstPadProbeReturn
replace_time (EarPicture *self, GstPadProbeInfo *info)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstClockTime time, running, shown;
  double rate = 1;

  time = gst_segment_to_stream_time (&self->segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  running = gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  if (!GST_CLOCK_TIME_IS_VALID (time) || !GST_CLOCK_TIME_IS_VALID (running) || g_atomic_int_get (&self->state->stopped))
    return GST_PAD_PROBE_DROP;

  if (!ear_timeline_find (self->state->timeline, time, &shown, &rate))
    shown = running;
  self->running = running;
  self->shown = shown;
  self->rate = rate;
  g_atomic_int_set (&self->state->stale, FALSE);

  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = shown;
  GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    GST_BUFFER_DURATION (buffer) = (GstClockTime) ((double) GST_BUFFER_DURATION (buffer) / rate);
  info->data = buffer;

  return GST_PAD_PROBE_OK;
}

/* Reports lateness to the decoder in the decoder's own times. */
static void
translate_lateness (EarPicture *self, GstPadProbeInfo *info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstClockTimeDiff diff, since;
  GstClockTime time;
  GstQOSType type;
  double proportion;

  gst_event_parse_qos (event, &type, &proportion, &diff, &time);
  since = GST_CLOCK_DIFF (self->shown, time);
  time = since < 0 && (GstClockTime) -since > self->running ? 0 : self->running + (GstClockTime) since;
  info->data = gst_event_new_qos (type, proportion, (GstClockTimeDiff) ((double) diff * self->rate), time);
  gst_event_unref (event);
}

static GstPadProbeReturn
picture_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarPicture *self = user_data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return replace_time (self, info);

  switch ((guint) GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)))
    {
    case GST_EVENT_SEGMENT:
      replace_segment (self, info);
      return GST_PAD_PROBE_OK;
    case GST_EVENT_QOS:
      translate_lateness (self, info);
      return GST_PAD_PROBE_OK;
    case GST_EVENT_GAP:
      return GST_PAD_PROBE_DROP;
    default:
      return GST_PAD_PROBE_OK;
    }
}

static gboolean
has_class (GstObject *object, const char *name)
{
  GstElementFactory *factory = GST_IS_ELEMENT (object) ? gst_element_get_factory (GST_ELEMENT (object)) : NULL;
  const char *klass = factory != NULL ? gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_KLASS) : NULL;

  return klass != NULL && strstr (klass, name) != NULL;
}

/* Called in any thread when playbin3 has created an element. Only the outermost of
 * nested decoders counts. */
static void
element_setup_cb (GstElement *playbin, GstElement *element, gpointer user_data)
{
  g_autoptr (GstObject) parent = gst_object_get_parent (GST_OBJECT (element));

  if (has_class (GST_OBJECT (element), "Decoder/Video") && !has_class (parent, "Decoder/Video"))
    ear_video_gate_add (user_data, element);
}

static void
watched_cb (EarPicture *self)
{
  ear_timeline_wake (self->state->timeline);
}

static void
ear_picture_dispose (GObject *object)
{
  EarPicture *self = EAR_PICTURE (object);

  if (self->probe != 0)
    gst_pad_remove_probe (self->door, self->probe);
  if (self->sound_probe != 0)
    gst_pad_remove_probe (self->sound_door, self->sound_probe);
  self->probe = self->sound_probe = 0;
  g_clear_pointer (&self->door, gst_object_unref);
  g_clear_pointer (&self->sound_door, gst_object_unref);
  g_clear_pointer (&self->sound, gst_object_unref);

  G_OBJECT_CLASS (ear_picture_parent_class)->dispose (object);
}

static void
ear_picture_finalize (GObject *object)
{
  g_clear_pointer (&EAR_PICTURE (object)->state, ear_video_gate_state_unref);

  G_OBJECT_CLASS (ear_picture_parent_class)->finalize (object);
}

static void
ear_picture_class_init (EarPictureClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_picture_dispose;
  object_class->finalize = ear_picture_finalize;
}

static void
ear_picture_init (EarPicture *self)
{
  gst_segment_init (&self->sound_segment, GST_FORMAT_UNDEFINED);
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  self->rate = 1;
}

/* Creates the picture of one pipeline; it cannot be reused. Call ear_picture_stop()
 * before the pipeline ends.
 * Returns: (transfer full): a picture */
EarPicture *
ear_picture_new (EarVideoOutput *output)
{
  EarPicture *self = g_object_new (EAR_TYPE_PICTURE, NULL);

  self->state = ear_video_gate_state_new (output);
  g_signal_connect_swapped (output, "notify::watched", G_CALLBACK (watched_cb), self);

  return self;
}

/* Loads the plugin of GTK's sink. Any thread but the main one: it takes long. */
void
ear_picture_prepare (void)
{
  g_autoptr (GstPluginFeature) feature = gst_registry_lookup_feature (gst_registry_get (), "gtk4paintablesink");
  g_autoptr (GstPluginFeature) loaded = feature != NULL ? gst_plugin_feature_load (feature) : NULL;
}

/* Makes the playbin decode the picture too.
 * @playbin: a playbin in state NULL; main thread */
void
ear_picture_attach (EarPicture *self, GstElement *playbin)
{
  GstElement *sink = ear_video_output_make_sink (self->state->output);

  gst_util_set_object_arg (G_OBJECT (playbin), "flags", "video+audio+soft-volume+buffering");
  g_object_set (playbin, "video-sink", sink, NULL);
  g_object_get (playbin, "audio-sink", &self->sound, NULL);
  /* The threads of the playbin use the picture as long as they run. */
  g_object_set_data_full (G_OBJECT (playbin), "picture", g_object_ref (self), g_object_unref);
  g_signal_connect_data (playbin, "element-setup", G_CALLBACK (element_setup_cb), ear_video_gate_state_ref (self->state),
                         (GClosureNotify) (void (*) (void)) ear_video_gate_state_unref, 0);

  self->door = gst_element_get_static_pad (sink, "sink");
  self->probe = gst_pad_add_probe (self->door, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_BOTH,
                                   picture_probe_cb, self, NULL);
  self->sound_door = gst_element_get_static_pad (self->sound, "sink");
  self->sound_probe = gst_pad_add_probe (self->sound_door,
                                         GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
                                           GST_PAD_PROBE_TYPE_EVENT_FLUSH,
                                         sound_probe_cb, self, NULL);
}

/* Unblocks all threads that wait in it. Call before the playbin ends. */
void
ear_picture_stop (EarPicture *self)
{
  g_signal_handlers_disconnect_by_data (self->state->output, self);
  g_atomic_int_set (&self->state->stopped, TRUE);
  ear_timeline_wake (self->state->timeline);
  ear_video_output_clear (self->state->output);
}

/* Whether an error comes from the picture, so that the sound alone would play. If
 * something cannot be negotiated or decoded, often the demuxer reports that nothing
 * accepts its data. Only errors of the source are certainly not about the picture. */
gboolean
ear_picture_is_to_blame (EarPicture *self, GstMessage *error)
{
  GstObject *source = GST_MESSAGE_SRC (error);
  g_autoptr (GError) reason = NULL;

  if (GST_IS_ELEMENT (source) && GST_OBJECT_FLAG_IS_SET (source, GST_ELEMENT_FLAG_SOURCE))
    return FALSE;
  for (GstObject *o = source; o != NULL; o = GST_OBJECT_PARENT (o))
    if (has_class (o, "Video"))
      return TRUE;
  gst_message_parse_error (error, &reason, NULL);

  return reason->domain == GST_STREAM_ERROR && ear_picture_get_reached (self) > 0;
}

/* Whether the current picture is outdated, because frames were skipped
 * while nobody watched. */
gboolean
ear_picture_is_stale (EarPicture *self)
{
  return g_atomic_int_get (&self->state->stale);
}

/* Returns: the end of the picture received so far, in microseconds; it may be longer
 * than the sound */
gint64
ear_picture_get_reached (EarPicture *self)
{
  return (gint64) g_atomic_int_get (&self->state->reached) * 1000;
}

/* Queries the position of the sound. The playbin would also ask the picture, which has
 * times of its own.
 * @position: (out): nanoseconds
 * Returns: %FALSE if unknown */
gboolean
ear_picture_query_sound (EarPicture *self, gint64 *position)
{
  return self->sound != NULL && gst_element_query_position (self->sound, GST_FORMAT_TIME, position);
}

/* Returns: the number of buffers that the decoder received, for tests */
guint
ear_picture_get_decoded (EarPicture *self)
{
  return (guint) g_atomic_int_get (&self->state->decoded);
}
