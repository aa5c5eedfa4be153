/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video-view.h"

#include "ear-closures.h"
#include "ear-property.h"
#include "ear-video-paintable.h"

/**
 * EarVideoView:
 *
 * Shows the picture of a video episode, and says that it does while it is in sight: not in a window that is minimised,
 * hidden, or behind others where the desktop tells so, and not scrolled away.
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
  GdkSurface *surface; /* (nullable): of the window that it is mapped in */
  GtkWidget *scroller; /* (nullable): what it may be scrolled away in */

  gboolean watching;
  gboolean alone;
};

G_DEFINE_FINAL_TYPE (EarVideoView, ear_video_view, ADW_TYPE_BIN)

/* Where it is in what scrolls is known already while that has not been laid out in its new place. */
static gboolean
is_scrolled_away (EarVideoView *self)
{
  GtkWidget *viewport = self->scroller != NULL ? gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->scroller)) : NULL;
  GtkWidget *content = GTK_IS_VIEWPORT (viewport) ? gtk_viewport_get_child (GTK_VIEWPORT (viewport)) : NULL;
  GtkAdjustment *adjustment;
  graphene_rect_t bounds;
  double top;

  if (content == NULL || !gtk_widget_compute_bounds (GTK_WIDGET (self), content, &bounds) || graphene_rect_get_height (&bounds) <= 0)
    return FALSE;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  top = graphene_rect_get_y (&bounds) - gtk_adjustment_get_value (adjustment);

  return top + graphene_rect_get_height (&bounds) <= 0 || top >= gtk_adjustment_get_page_size (adjustment);
}

static gboolean
is_window_seen (EarVideoView *self)
{
  const GdkToplevelState away = GDK_TOPLEVEL_STATE_MINIMIZED | GDK_TOPLEVEL_STATE_SUSPENDED;

  return self->surface != NULL &&
         (!GDK_IS_TOPLEVEL (self->surface) || (gdk_toplevel_get_state (GDK_TOPLEVEL (self->surface)) & away) == 0);
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
    g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), self);
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
    g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), "value-changed",
                              G_CALLBACK (update_watching), self);
  update_watching (self);
}

static void
ear_video_view_unmap (GtkWidget *widget)
{
  leave_surface (EAR_VIDEO_VIEW (widget));

  GTK_WIDGET_CLASS (ear_video_view_parent_class)->unmap (widget);
}

/* What GTK's own sink draws, where there is one. */
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

/* GTK (4.18) makes it a description only. */
static void
named_cb (EarVideoView *self)
{
  const char *name = gtk_picture_get_alternative_text (self->picture);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->picture), GTK_ACCESSIBLE_PROPERTY_LABEL, name != NULL ? name : "", -1);
}

/* A second press is not the window's, which would be maximized by it. */
static void
pressed_cb (EarVideoView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  if (n_press == 2)
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

/* The picture must not get another parent while the button is down: GTK 4.18 then loses count of the
 * presses, and warns of it. */
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
    /* What plays */
    { "player", EAR_TYPE_PLAYER, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoView, player),
      .changed = G_CALLBACK (player_changed_cb) },
    /* Whether it has all of the window */
    { "alone", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoView, alone) },
  };

  object_class->dispose = ear_video_view_dispose;
  widget_class->map = ear_video_view_map;
  widget_class->unmap = ear_video_view_unmap;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_css_name (widget_class, "video");
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-video-view.ui");
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
