/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video-output-private.h"

#include "ear-property.h"
#include "ear-video-sink.h"

/**
 * EarVideoOutput:
 *
 * An output for the picture of a video episode. Widgets call watch and unwatch while they
 * show it; without any, no picture is decoded.
 *
 * If GTK's own sink (`gtk4paintablesink`) is installed, `paintable` is the picture,
 * and stays on the graphics card. Otherwise frames arrive one by one, and only the
 * newest is kept.
 */
struct _EarVideoOutput
{
  GObject parent_instance;

  /* Owned */
  GObject *paintable;  /* (nullable) */
  EarVideoFrame frame; /* its bytes are NULL if there is none */

  gboolean toolkit;
  guint watchers;
  int watched; /* copy of @watchers > 0 for all threads */

  /* Any thread, under the lock */
  GMutex lock;
  GstBuffer *buffer; /* newest buffer, until the main thread takes it */
  GstVideoInfo info;
  GstVideoOrientationMethod orientation;
  guint source;
};

G_DEFINE_FINAL_TYPE (EarVideoOutput, ear_video_output, G_TYPE_OBJECT)

static guint frame_signal;

static void
unmap_frame (gpointer data)
{
  GstVideoFrame *mapped = data;

  gst_video_frame_unmap (mapped);
  g_free (mapped);
}

static const struct
{
  guint turns;
  gboolean mirrored;
} orientations[] = {
  [GST_VIDEO_ORIENTATION_IDENTITY] = { 0, FALSE },
  [GST_VIDEO_ORIENTATION_90R] = { 1, FALSE },
  [GST_VIDEO_ORIENTATION_180] = { 2, FALSE },
  [GST_VIDEO_ORIENTATION_90L] = { 3, FALSE },
  [GST_VIDEO_ORIENTATION_HORIZ] = { 0, TRUE },
  [GST_VIDEO_ORIENTATION_VERT] = { 2, TRUE },
  [GST_VIDEO_ORIENTATION_UL_LR] = { 3, TRUE },
  [GST_VIDEO_ORIENTATION_UR_LL] = { 1, TRUE },
};

/* The pixels are not copied; the bytes keep their buffer. */
static void
set_frame (EarVideoOutput *self, GstBuffer *buffer, const GstVideoInfo *info, GstVideoOrientationMethod orientation)
{
  GstVideoFrame *mapped = g_new0 (GstVideoFrame, 1);
  gsize stride, height;

  if (!gst_video_frame_map (mapped, info, buffer, GST_MAP_READ))
    {
      g_free (mapped);
      return;
    }

  stride = (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (mapped, 0);
  height = (gsize) GST_VIDEO_FRAME_HEIGHT (mapped);
  g_clear_pointer (&self->frame.bytes, g_bytes_unref);
  self->frame = (EarVideoFrame) {
    .bytes = g_bytes_new_with_free_func (GST_VIDEO_FRAME_PLANE_DATA (mapped, 0),
                                         stride * (height - 1) + (gsize) GST_VIDEO_FRAME_WIDTH (mapped) * 4,
                                         unmap_frame, mapped),
    .width = GST_VIDEO_FRAME_WIDTH (mapped),
    .height = GST_VIDEO_FRAME_HEIGHT (mapped),
    .stride = stride,
  };
  if (orientation < G_N_ELEMENTS (orientations))
    {
      self->frame.turns = orientations[orientation].turns;
      self->frame.mirrored = orientations[orientation].mirrored;
    }
}

static gboolean
fetch_cb (gpointer user_data)
{
  EarVideoOutput *self = user_data;
  g_autoptr (GstBuffer) buffer = NULL;
  GstVideoOrientationMethod orientation;
  GstVideoInfo info;

  g_mutex_lock (&self->lock);
  buffer = g_steal_pointer (&self->buffer);
  info = self->info;
  orientation = self->orientation;
  self->source = 0;
  g_mutex_unlock (&self->lock);

  if (buffer != NULL)
    {
      set_frame (self, buffer, &info, orientation);
      g_signal_emit (self, frame_signal, 0);
    }

  return G_SOURCE_REMOVE;
}

/* Receives a frame when it is due, in a streaming thread. */
static void
show_cb (GObject *owner, GstBuffer *buffer, const GstVideoInfo *info, GstVideoOrientationMethod orientation)
{
  EarVideoOutput *self = EAR_VIDEO_OUTPUT (owner);
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  gst_buffer_replace (&self->buffer, buffer);
  self->info = *info;
  self->orientation = orientation;
  if (self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_DEFAULT, fetch_cb, g_object_ref (self), g_object_unref);
}

static void
forget_buffer (EarVideoOutput *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  gst_clear_buffer (&self->buffer);
  g_clear_handle_id (&self->source, g_source_remove);
}

static void
ear_video_output_finalize (GObject *object)
{
  EarVideoOutput *self = EAR_VIDEO_OUTPUT (object);

  gst_clear_buffer (&self->buffer);
  g_clear_pointer (&self->frame.bytes, g_bytes_unref);
  g_clear_object (&self->paintable);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (ear_video_output_parent_class)->finalize (object);
}

static void
ear_video_output_class_init (EarVideoOutputClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* The GdkPaintable of GTK's own sink; NULL if frames arrive one by one */
    { "paintable", G_TYPE_OBJECT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarVideoOutput, paintable) },
    /* Whether any widget shows the picture */
    { "watched", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarVideoOutput, watched) },
  };

  object_class->finalize = ear_video_output_finalize;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /**
   * EarVideoOutput::frame:
   * @self: an output
   *
   * Emitted for each new frame, and when the frame is cleared.
   */
  frame_signal = g_signal_new ("frame", EAR_TYPE_VIDEO_OUTPUT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ear_video_output_init (EarVideoOutput *self)
{
  g_mutex_init (&self->lock);
}

/**
 * ear_video_output_new:
 * @toolkit: whether GTK is available, and this is its thread
 *
 * Returns: (transfer full): an output without watchers
 */
EarVideoOutput *
ear_video_output_new (gboolean toolkit)
{
  EarVideoOutput *self = g_object_new (EAR_TYPE_VIDEO_OUTPUT, NULL);

  self->toolkit = toolkit;

  return self;
}

/**
 * ear_video_output_get_paintable:
 * @self: an output
 *
 * Returns: (transfer none) (nullable): the paintable of GTK's own sink; a new one
 *   for each pipeline
 */
EAR_DEFINE_GET (EarVideoOutput, ear_video_output, GObject *, paintable)

/**
 * ear_video_output_get_frame:
 * @self: an output
 *
 * Returns: (transfer none) (nullable): the newest frame, if frames arrive one by one
 */
const EarVideoFrame *
ear_video_output_get_frame (EarVideoOutput *self)
{
  g_return_val_if_fail (EAR_IS_VIDEO_OUTPUT (self), NULL);

  return self->frame.bytes != NULL ? &self->frame : NULL;
}

static void
set_watchers (EarVideoOutput *self, guint watchers)
{
  const gboolean watched = watchers > 0;

  self->watchers = watchers;
  if (g_atomic_int_get (&self->watched) == watched)
    return;

  g_atomic_int_set (&self->watched, watched);
  g_object_notify (G_OBJECT (self), "watched");
}

/**
 * ear_video_output_watch:
 * @self: an output
 *
 * Keeps the picture decoded until a matching call of [method@EarVideoOutput.unwatch].
 */
void
ear_video_output_watch (EarVideoOutput *self)
{
  g_return_if_fail (EAR_IS_VIDEO_OUTPUT (self));

  set_watchers (self, self->watchers + 1);
}

void
ear_video_output_unwatch (EarVideoOutput *self)
{
  g_return_if_fail (EAR_IS_VIDEO_OUTPUT (self));
  g_return_if_fail (self->watchers > 0);

  set_watchers (self, self->watchers - 1);
}

/**
 * ear_video_output_get_watched:
 * @self: an output
 *
 * Any thread.
 *
 * Returns: whether any widget shows the picture
 */
gboolean
ear_video_output_get_watched (EarVideoOutput *self)
{
  g_return_val_if_fail (EAR_IS_VIDEO_OUTPUT (self), FALSE);

  return g_atomic_int_get (&self->watched);
}

/* The sound must not wait for the first picture, which may never come. Playsink
 * (GStreamer 1.26) sets "async" when it adds the sink. */
static void
async_cb (GstElement *sink, GParamSpec *pspec, gpointer user_data)
{
  gboolean async = FALSE;

  g_object_get (sink, "async", &async, NULL);
  if (async)
    g_object_set (sink, "async", FALSE, NULL);
}

/* GTK's sink accepts pictures on the graphics card if GTK draws there. */
static GstElement *
put_into_gl (GstElement *sink, GObject *paintable)
{
  g_autoptr (GObject) context = NULL;
  GstElement *bin;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (paintable), "gl-context") != NULL)
    g_object_get (paintable, "gl-context", &context, NULL);
  bin = context != NULL ? gst_element_factory_make ("glsinkbin", NULL) : NULL;
  if (bin == NULL)
    return sink;
  g_object_set (bin, "sink", sink, NULL);

  return bin;
}

static GstElement *
make_toolkit_sink (EarVideoOutput *self)
{
  GstElement *sink = gst_element_factory_make ("gtk4paintablesink", NULL);

  g_clear_object (&self->paintable);
  if (sink == NULL)
    return NULL;

  g_signal_connect (sink, "notify::async", G_CALLBACK (async_cb), NULL);
  g_object_get (sink, "paintable", &self->paintable, NULL);
  g_object_notify (G_OBJECT (self), "paintable");

  return self->paintable != NULL ? put_into_gl (sink, self->paintable) : sink;
}

/* Creates the video sink of one pipeline.
 * @self: an output; main thread, as GTK's sink demands
 * Returns: (transfer floating): a sink */
GstElement *
ear_video_output_make_sink (EarVideoOutput *self)
{
  GstElement *sink = self->toolkit ? make_toolkit_sink (self) : NULL;

  if (sink == NULL)
    {
      sink = ear_video_sink_new (show_cb, G_OBJECT (self));
      g_signal_connect (sink, "notify::async", G_CALLBACK (async_cb), NULL);
    }

  return sink;
}

/* Clears the picture of a pipeline that has ended. */
void
ear_video_output_clear (EarVideoOutput *self)
{
  forget_buffer (self);
  if (self->paintable != NULL)
    {
      g_clear_object (&self->paintable);
      g_object_notify (G_OBJECT (self), "paintable");
    }
  if (self->frame.bytes != NULL)
    {
      g_clear_pointer (&self->frame.bytes, g_bytes_unref);
      g_signal_emit (self, frame_signal, 0);
    }
}
