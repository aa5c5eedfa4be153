/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-picture.h"

#include "ear-video-gate.h"
#include "ear-video-output-private.h"

#include <string.h>

/**
 * EarPicture:
 *
 * The picture of one pipeline: has playbin3 decode it, no more of it than is seen, and shows each frame when the moment
 * that it belongs to is heard.
 *
 * The sound decides when that is: it is stretched on its way (EarTempo), which the demuxer and
 * the video's decoder know nothing of. So the times of the frames are rewritten at the door of their sink, where each
 * one is about to wait for its moment, by what has come to the sound's output, which is a little ahead.
 */
struct _EarPicture
{
  GObject parent_instance;

  /* Owned */
  EarVideoGateState *state;
  GstElement *sound;  /* (nullable): where the sound ends up */
  GstPad *sound_door;
  gulong sound_probe;
  GstPad *door;       /* of the sink */
  gulong probe;

  /* The thread of the sound only */
  GstSegment sound_segment;

  /* The thread of the picture only */
  GstSegment segment;
  GstClockTime running; /* of the last frame, as the decoder has it */
  GstClockTime shown;   /* and as the sink has it */
  double rate;
};

G_DEFINE_FINAL_TYPE (EarPicture, ear_picture, G_TYPE_OBJECT)

static gboolean
is_within (const GstSegment *segment, GstClockTime time)
{
  return GST_CLOCK_TIME_IS_VALID (time) && segment->format == GST_FORMAT_TIME && time >= segment->start &&
         (!GST_CLOCK_TIME_IS_VALID (segment->stop) || time <= segment->stop);
}

/* Where the picture is longer than the sound, playsink holds the sound's end back until the picture's; but it, or the
 * demuxer, tells of gaps. */
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

/* To the sink a frame's time is the one at which it is to be seen, and nothing else. */
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

/* How late a frame was the decoder is told in the times that it knows. */
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

/* In any thread, when playbin3 has made an element for itself. Of a decoder that is made of others, the outermost counts. */
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

/* Makes what shows the picture of one pipeline, which is to be told when that is ended; it is not to be used with a
 * second one.
 * Returns: (transfer full): a picture */
EarPicture *
ear_picture_new (EarVideoOutput *output)
{
  EarPicture *self = g_object_new (EAR_TYPE_PICTURE, NULL);

  self->state = ear_video_gate_state_new (output);
  g_signal_connect_swapped (output, "notify::watched", G_CALLBACK (watched_cb), self);

  return self;
}

/* Loads what takes long, in any thread but the main one. */
void
ear_picture_prepare (void)
{
  g_autoptr (GstPluginFeature) feature = gst_registry_lookup_feature (gst_registry_get (), "gtk4paintablesink");
  g_autoptr (GstPluginFeature) loaded = feature != NULL ? gst_plugin_feature_load (feature) : NULL;
}

/* Has the playbin decode the picture too.
 * @playbin: one at rest, in the main thread */
void
ear_picture_attach (EarPicture *self, GstElement *playbin)
{
  GstElement *sink = ear_video_output_make_sink (self->state->output);

  gst_util_set_object_arg (G_OBJECT (playbin), "flags", "video+audio+soft-volume+buffering");
  g_object_set (playbin, "video-sink", sink, NULL);
  g_object_get (playbin, "audio-sink", &self->sound, NULL);
  /* Its threads use it as long as they live. */
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

/* Has its threads wait for nothing any more; to be called before the playbin is ended. */
void
ear_picture_stop (EarPicture *self)
{
  g_signal_handlers_disconnect_by_data (self->state->output, self);
  g_atomic_int_set (&self->state->stopped, TRUE);
  ear_timeline_wake (self->state->timeline);
  ear_video_output_clear (self->state->output);
}

/* Whether an error comes from the picture, so that without it there would be none. What cannot be negotiated or
 * decoded is often told by the demuxer, that its data is taken no more: only what comes from the source is sure to be
 * none of the picture's. */
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

/* Whether something has gone by since the last frame, as nobody watched. */
gboolean
ear_picture_is_stale (EarPicture *self)
{
  return g_atomic_int_get (&self->state->stale);
}

/* How far the picture goes, as far as it has come: it may be longer than the sound.
 * Returns: microseconds */
gint64
ear_picture_get_reached (EarPicture *self)
{
  return (gint64) g_atomic_int_get (&self->state->reached) * 1000;
}

/* Asks the sound where it is. The playbin would ask the picture too, which has times of its own.
 * @position: (out): nanoseconds
 * Returns: %FALSE if that is not known */
gboolean
ear_picture_query_sound (EarPicture *self, gint64 *position)
{
  return self->sound != NULL && gst_element_query_position (self->sound, GST_FORMAT_TIME, position);
}

/* How many pieces the decoder has got, for tests. */
guint
ear_picture_get_decoded (EarPicture *self)
{
  return (guint) g_atomic_int_get (&self->state->decoded);
}
