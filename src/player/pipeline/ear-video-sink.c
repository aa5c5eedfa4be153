/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video-sink.h"

/**
 * EarVideoSink:
 *
 * Passes on each frame when it is due. Its caps make upstream scale down larger pictures,
 * so that a frame takes at most 14 MB, and turn pixels into squares.
 */
struct _EarVideoSink
{
  GstVideoSink parent_instance;

  /* Owned */
  GObject *owner;

  /* Borrowed */
  EarVideoSinkFunc show;

  /* The streaming thread only */
  GstVideoInfo info;
  GstVideoOrientationMethod orientation;
};

G_DEFINE_FINAL_TYPE (EarVideoSink, ear_video_sink, GST_TYPE_VIDEO_SINK)

static GstStaticPadTemplate template =
  GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
                           GST_STATIC_CAPS ("video/x-raw, format=BGRA, width=[1,1920], height=[1,1920], "
                                            "pixel-aspect-ratio=1/1"));

static gboolean
ear_video_sink_set_caps (GstBaseSink *sink, GstCaps *caps)
{
  return gst_video_info_from_caps (&EAR_VIDEO_SINK (sink)->info, caps);
}

static gboolean
ear_video_sink_event (GstBaseSink *sink, GstEvent *event)
{
  EarVideoSink *self = EAR_VIDEO_SINK (sink);
  GstTagList *tags;

  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    self->orientation = GST_VIDEO_ORIENTATION_IDENTITY;
  else if (GST_EVENT_TYPE (event) == GST_EVENT_TAG)
    {
      gst_event_parse_tag (event, &tags);
      gst_video_orientation_from_tag (tags, &self->orientation);
    }

  return GST_BASE_SINK_CLASS (ear_video_sink_parent_class)->event (sink, event);
}

static GstFlowReturn
ear_video_sink_show_frame (GstVideoSink *sink, GstBuffer *buffer)
{
  EarVideoSink *self = EAR_VIDEO_SINK (sink);

  self->show (self->owner, buffer, &self->info, self->orientation);

  return GST_FLOW_OK;
}

static void
ear_video_sink_finalize (GObject *object)
{
  g_clear_object (&EAR_VIDEO_SINK (object)->owner);

  G_OBJECT_CLASS (ear_video_sink_parent_class)->finalize (object);
}

static void
ear_video_sink_class_init (EarVideoSinkClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ear_video_sink_finalize;
  GST_BASE_SINK_CLASS (klass)->set_caps = ear_video_sink_set_caps;
  GST_BASE_SINK_CLASS (klass)->event = ear_video_sink_event;
  GST_VIDEO_SINK_CLASS (klass)->show_frame = ear_video_sink_show_frame;

  gst_element_class_add_static_pad_template (element_class, &template);
  gst_element_class_set_static_metadata (element_class, "Picture of an episode", "Sink/Video",
                                         "Hands frames to the main thread", "Earmark");
}

static void
ear_video_sink_init (EarVideoSink *self)
{
  gst_video_info_init (&self->info);
}

/* @show: (scope forever): receives the frames
 * @owner: argument of @show
 * Returns: (transfer floating): a sink */
GstElement *
ear_video_sink_new (EarVideoSinkFunc show, GObject *owner)
{
  EarVideoSink *self = g_object_new (EAR_TYPE_VIDEO_SINK, NULL);

  self->show = show;
  self->owner = g_object_ref (owner);

  return GST_ELEMENT (self);
}
