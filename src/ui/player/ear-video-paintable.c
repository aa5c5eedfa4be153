/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video-paintable.h"

/* As most are, until the first frame tells. */
#define USUAL_RATIO (16.0 / 9.0)

/**
 * EarVideoPaintable:
 *
 * The frames of an output, each as a texture of the memory that it came in, upright.
 */
struct _EarVideoPaintable
{
  GObject parent_instance;

  /* Owned */
  EarVideoOutput *output;
  GdkTexture *texture; /* (nullable) */

  guint turns;
  gboolean mirrored;
};

static void ear_video_paintable_paintable_init (GdkPaintableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (EarVideoPaintable, ear_video_paintable, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GDK_TYPE_PAINTABLE, ear_video_paintable_paintable_init))

static void
frame_cb (EarVideoPaintable *self)
{
  GdkPaintable *paintable = GDK_PAINTABLE (self);
  const EarVideoFrame *frame = ear_video_output_get_frame (self->output);
  const int width = gdk_paintable_get_intrinsic_width (paintable);
  const int height = gdk_paintable_get_intrinsic_height (paintable);

  g_clear_object (&self->texture);
  if (frame != NULL)
    {
      self->texture = gdk_memory_texture_new (frame->width, frame->height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, frame->bytes,
                                              frame->stride);
      self->turns = frame->turns;
      self->mirrored = frame->mirrored;
    }

  if (width != gdk_paintable_get_intrinsic_width (paintable) || height != gdk_paintable_get_intrinsic_height (paintable))
    gdk_paintable_invalidate_size (paintable);
  gdk_paintable_invalidate_contents (paintable);
}

static void
ear_video_paintable_snapshot (GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);
  const gboolean lies = self->turns % 2 == 1;
  const float own_width = (float) (lies ? height : width);
  const float own_height = (float) (lies ? width : height);

  if (self->texture == NULL)
    return;

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) width / 2, (float) height / 2));
  gtk_snapshot_rotate (snapshot, (float) self->turns * 90);
  if (self->mirrored)
    gtk_snapshot_scale (snapshot, -1, 1);
  gtk_snapshot_append_texture (snapshot, self->texture,
                               &GRAPHENE_RECT_INIT (-own_width / 2, -own_height / 2, own_width, own_height));
  gtk_snapshot_restore (snapshot);
}

static int
ear_video_paintable_get_intrinsic_width (GdkPaintable *paintable)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);

  if (self->texture == NULL)
    return 0;

  return self->turns % 2 == 1 ? gdk_texture_get_height (self->texture) : gdk_texture_get_width (self->texture);
}

static int
ear_video_paintable_get_intrinsic_height (GdkPaintable *paintable)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);

  if (self->texture == NULL)
    return 0;

  return self->turns % 2 == 1 ? gdk_texture_get_width (self->texture) : gdk_texture_get_height (self->texture);
}

static double
ear_video_paintable_get_intrinsic_aspect_ratio (GdkPaintable *paintable)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);

  if (self->texture == NULL)
    return USUAL_RATIO;

  return (double) gdk_paintable_get_intrinsic_width (paintable) / gdk_paintable_get_intrinsic_height (paintable);
}

static void
ear_video_paintable_paintable_init (GdkPaintableInterface *iface)
{
  iface->snapshot = ear_video_paintable_snapshot;
  iface->get_intrinsic_width = ear_video_paintable_get_intrinsic_width;
  iface->get_intrinsic_height = ear_video_paintable_get_intrinsic_height;
  iface->get_intrinsic_aspect_ratio = ear_video_paintable_get_intrinsic_aspect_ratio;
}

static void
ear_video_paintable_dispose (GObject *object)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (object);

  g_clear_object (&self->texture);
  g_clear_object (&self->output);

  G_OBJECT_CLASS (ear_video_paintable_parent_class)->dispose (object);
}

static void
ear_video_paintable_class_init (EarVideoPaintableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_video_paintable_dispose;
}

static void
ear_video_paintable_init (EarVideoPaintable *self)
{
}

/* Returns: (transfer full): what shows the frames of an output */
EarVideoPaintable *
ear_video_paintable_new (EarVideoOutput *output)
{
  EarVideoPaintable *self = g_object_new (EAR_TYPE_VIDEO_PAINTABLE, NULL);

  self->output = g_object_ref (output);
  g_signal_connect_object (output, "frame", G_CALLBACK (frame_cb), self, G_CONNECT_SWAPPED);
  frame_cb (self);

  return self;
}
