/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video-view.h"

#include "ear-closures.h"
#include "ear-property.h"

/* --- Frames ------------------------------------------------------------------------- */

/* Aspect ratio before the first frame */
#define DEFAULT_RATIO (16.0 / 9.0)

/**
 * EarVideoPaintable:
 *
 * The frames of an output, rotated as the video asks for. A texture shares the
 * memory of its frame. */
#define EAR_TYPE_VIDEO_PAINTABLE (ear_video_paintable_get_type ())
G_DECLARE_FINAL_TYPE (EarVideoPaintable, ear_video_paintable, EAR, VIDEO_PAINTABLE, GObject)

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
                               G_IMPLEMENT_INTERFACE (GDK_TYPE_PAINTABLE,
                                                      ear_video_paintable_paintable_init))

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
      self->texture =
          gdk_memory_texture_new (frame->width, frame->height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED,
                                  frame->bytes, frame->stride);
      self->turns = frame->turns;
      self->mirrored = frame->mirrored;
    }

  if (width != gdk_paintable_get_intrinsic_width (paintable) ||
      height != gdk_paintable_get_intrinsic_height (paintable))
    gdk_paintable_invalidate_size (paintable);
  gdk_paintable_invalidate_contents (paintable);
}

static void
ear_video_paintable_snapshot (GdkPaintable *paintable, GdkSnapshot *snapshot, double width,
                              double height)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);
  const gboolean rotated = self->turns % 2 == 1;
  const float own_width = (float) (rotated ? height : width);
  const float own_height = (float) (rotated ? width : height);

  if (self->texture == NULL)
    return;

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) width / 2, (float) height / 2));
  gtk_snapshot_rotate (snapshot, (float) self->turns * 90);
  if (self->mirrored)
    gtk_snapshot_scale (snapshot, -1, 1);
  gtk_snapshot_append_texture (snapshot, self->texture,
                               &GRAPHENE_RECT_INIT (-own_width / 2, -own_height / 2, own_width,
                                                    own_height));
  gtk_snapshot_restore (snapshot);
}

static int
ear_video_paintable_get_intrinsic_width (GdkPaintable *paintable)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);

  if (self->texture == NULL)
    return 0;

  return self->turns % 2 == 1 ? gdk_texture_get_height (self->texture)
                              : gdk_texture_get_width (self->texture);
}

static int
ear_video_paintable_get_intrinsic_height (GdkPaintable *paintable)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);

  if (self->texture == NULL)
    return 0;

  return self->turns % 2 == 1 ? gdk_texture_get_width (self->texture)
                              : gdk_texture_get_height (self->texture);
}

static double
ear_video_paintable_get_intrinsic_aspect_ratio (GdkPaintable *paintable)
{
  EarVideoPaintable *self = EAR_VIDEO_PAINTABLE (paintable);

  if (self->texture == NULL)
    return DEFAULT_RATIO;

  return (double) gdk_paintable_get_intrinsic_width (paintable) /
         gdk_paintable_get_intrinsic_height (paintable);
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

static EarVideoPaintable *
ear_video_paintable_new (EarVideoOutput *output)
{
  EarVideoPaintable *self = g_object_new (EAR_TYPE_VIDEO_PAINTABLE, NULL);

  self->output = g_object_ref (output);
  g_signal_connect_object (output, "frame", G_CALLBACK (frame_cb), self, G_CONNECT_SWAPPED);
  frame_cb (self);

  return self;
}

/* --- The view ----------------------------------------------------------------------- */

/**
 * EarVideoView:
 *
 * The picture of a video episode. The player decodes pictures only while a view watches
 * its output: not in a window that is minimized, hidden, or (on some desktops) behind
 * others, and not scrolled out of sight.
 */
struct _EarVideoView
{
  AdwBin parent_instance;

  /* Template children */
  GtkPicture *picture;

  /* Owned */
  EarPlayer *player;
  EarVideoOutput *output; /* (nullable) */
  EarVideoPaintable *frames;

  /* Borrowed */
  GdkSurface *surface; /* (nullable): of the window, while the view is mapped */
  GtkWidget *scroller; /* (nullable) */

  gboolean watching;
  gboolean alone;
};

G_DEFINE_FINAL_TYPE (EarVideoView, ear_video_view, ADW_TYPE_BIN)

/* The adjustment changes before the content is laid out at its new position. */
static gboolean
is_scrolled_away (EarVideoView *self)
{
  GtkWidget *viewport = self->scroller != NULL
                            ? gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->scroller))
                            : NULL;
  GtkWidget *content =
      GTK_IS_VIEWPORT (viewport) ? gtk_viewport_get_child (GTK_VIEWPORT (viewport)) : NULL;
  GtkAdjustment *adjustment;
  graphene_rect_t bounds;
  double top;

  if (content == NULL || !gtk_widget_compute_bounds (GTK_WIDGET (self), content, &bounds) ||
      graphene_rect_get_height (&bounds) <= 0)
    return FALSE;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  top = graphene_rect_get_y (&bounds) - gtk_adjustment_get_value (adjustment);

  return top + graphene_rect_get_height (&bounds) <= 0 ||
         top >= gtk_adjustment_get_page_size (adjustment);
}

static gboolean
is_window_seen (EarVideoView *self)
{
  const GdkToplevelState away = GDK_TOPLEVEL_STATE_MINIMIZED | GDK_TOPLEVEL_STATE_SUSPENDED;

  return self->surface != NULL &&
         (!GDK_IS_TOPLEVEL (self->surface) ||
          (gdk_toplevel_get_state (GDK_TOPLEVEL (self->surface)) & away) == 0);
}

static void
update_watching (EarVideoView *self)
{
  const gboolean seen = self->output != NULL && is_window_seen (self) && !is_scrolled_away (self);

  if (self->watching == seen)
    return;

  self->watching = seen;
  if (seen)
    ear_video_output_watch (self->output);
  else
    ear_video_output_unwatch (self->output);
}

static void
leave_surface (EarVideoView *self)
{
  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_vadjustment (
                                              GTK_SCROLLED_WINDOW (self->scroller)),
                                          self);
  self->scroller = NULL;
  if (self->surface != NULL)
    g_signal_handlers_disconnect_by_data (self->surface, self);
  self->surface = NULL;
  update_watching (self);
}

static void
ear_video_view_map (GtkWidget *widget)
{
  EarVideoView *self = EAR_VIDEO_VIEW (widget);

  GTK_WIDGET_CLASS (ear_video_view_parent_class)->map (widget);

  self->surface = gtk_native_get_surface (gtk_widget_get_native (widget));
  if (GDK_IS_TOPLEVEL (self->surface))
    g_signal_connect_swapped (self->surface, "notify::state", G_CALLBACK (update_watching), self);
  self->scroller = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  if (self->scroller != NULL)
    g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (
                                  GTK_SCROLLED_WINDOW (self->scroller)),
                              "value-changed", G_CALLBACK (update_watching), self);
  update_watching (self);
}

static void
ear_video_view_unmap (GtkWidget *widget)
{
  leave_surface (EAR_VIDEO_VIEW (widget));

  GTK_WIDGET_CLASS (ear_video_view_parent_class)->unmap (widget);
}

/* GTK's own sink, where it is installed, has a paintable. */
static void
update_paintable (EarVideoView *self)
{
  GObject *paintable = self->output != NULL ? ear_video_output_get_paintable (self->output) : NULL;

  if (GDK_IS_PAINTABLE (paintable))
    gtk_picture_set_paintable (self->picture, GDK_PAINTABLE (paintable));
  else
    gtk_picture_set_paintable (self->picture, GDK_PAINTABLE (self->frames));
}

static void
set_output (EarVideoView *self, EarVideoOutput *output)
{
  if (self->watching)
    ear_video_output_unwatch (self->output);
  self->watching = FALSE;
  if (self->output != NULL)
    g_signal_handlers_disconnect_by_data (self->output, self);
  g_clear_object (&self->frames);
  g_set_object (&self->output, output);
  if (output == NULL)
    return;

  self->frames = ear_video_paintable_new (output);
  g_signal_connect_swapped (output, "notify::paintable", G_CALLBACK (update_paintable), self);
  update_paintable (self);
  update_watching (self);
}

static void
player_changed_cb (EarVideoView *self)
{
  set_output (self, self->player != NULL ? ear_player_get_video_output (self->player) : NULL);
}

/* GTK (4.18) makes the alternative text a description only. */
static void
named_cb (EarVideoView *self)
{
  const char *name = gtk_picture_get_alternative_text (self->picture);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->picture), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name != NULL ? name : "", -1);
}

/* A double click that reached the window would maximize it. */
static void
pressed_cb (EarVideoView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  if (n_press == 2)
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

/* The picture must not get another parent while the button is down: GTK 4.18 then loses
 * count of the presses, and warns of it. */
static void
released_cb (EarVideoView *self, int n_press)
{
  if (n_press == 2)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.fullscreen-video", NULL);
}

static void
ear_video_view_dispose (GObject *object)
{
  EarVideoView *self = EAR_VIDEO_VIEW (object);

  leave_surface (self);
  set_output (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_VIDEO_VIEW);
  g_clear_object (&self->player);

  G_OBJECT_CLASS (ear_video_view_parent_class)->dispose (object);
}

static void
ear_video_view_class_init (EarVideoViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "player", EAR_TYPE_PLAYER, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoView, player),
      .changed = G_CALLBACK (player_changed_cb) },
    /* Whether the view fills the window */
    { "alone", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoView, alone) },
  };

  object_class->dispose = ear_video_view_dispose;
  widget_class->map = ear_video_view_map;
  widget_class->unmap = ear_video_view_unmap;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_css_name (widget_class, "video");
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-video-view.ui");
  gtk_widget_class_bind_template_child (widget_class, EarVideoView, picture);
  gtk_widget_class_bind_template_callback (widget_class, named_cb);
  gtk_widget_class_bind_template_callback (widget_class, pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, released_cb);
  ear_closures_bind (widget_class);
}

static void
ear_video_view_init (EarVideoView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
