/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video.h"

#include "ear-closures.h"
#include "ear-property.h"
#include "ear-scrubber.h"
#include "ear-widget.h"

/* --- The picture -------------------------------------------------------------------- */

/**
 * EarVideoView:
 *
 * The picture of a video episode. The player decodes pictures only while a view watches
 * its output: not in a window that is minimized, hidden, or (on some desktops) behind
 * others.
 */
struct _EarVideoView
{
  AdwBin parent_instance;

  /* Template children */
  GtkPicture *picture;

  /* Owned */
  EarPlayer *player;

  gboolean watching;
  gboolean alone;
};

G_DEFINE_FINAL_TYPE (EarVideoView, ear_video_view, ADW_TYPE_BIN)

static void
update_watching (EarVideoView *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  EarVideoOutput *output =
      self->player != NULL ? ear_player_get_video_output (self->player) : NULL;
  const gboolean seen = output != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
                        !gtk_window_is_suspended (GTK_WINDOW (window));

  if (self->watching == seen)
    return;

  self->watching = seen;
  if (seen)
    ear_video_output_watch (output);
  else if (output != NULL)
    ear_video_output_unwatch (output);
}

static void
ear_video_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ear_video_view_parent_class)->map (widget);

  ear_connect (gtk_widget_get_root (widget), "notify::suspended", update_watching, widget);
  update_watching (EAR_VIDEO_VIEW (widget));
}

static void
ear_video_view_unmap (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_widget_get_root (widget), update_watching, widget);
  GTK_WIDGET_CLASS (ear_video_view_parent_class)->unmap (widget);

  update_watching (EAR_VIDEO_VIEW (widget));
}

/* Returns: (transfer full): the frame, rotated as the video asks for; it shares its memory */
static GdkPaintable *
create_paintable (const EarVideoFrame *frame)
{
  g_autoptr (GdkTexture) texture =
      gdk_memory_texture_new (frame->width, frame->height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED,
                              frame->bytes, frame->stride);
  const float width = (float) frame->width;
  const float height = (float) frame->height;
  const graphene_size_t size = frame->turns % 2 == 1 ? GRAPHENE_SIZE_INIT (height, width)
                                                     : GRAPHENE_SIZE_INIT (width, height);
  GtkSnapshot *snapshot;

  if (frame->turns == 0 && !frame->mirrored)
    return GDK_PAINTABLE (g_steal_pointer (&texture));

  snapshot = gtk_snapshot_new ();
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (size.width / 2, size.height / 2));
  gtk_snapshot_rotate (snapshot, (float) frame->turns * 90);
  if (frame->mirrored)
    gtk_snapshot_scale (snapshot, -1, 1);
  gtk_snapshot_append_texture (snapshot, texture,
                               &GRAPHENE_RECT_INIT (-width / 2, -height / 2, width, height));

  return gtk_snapshot_free_to_paintable (snapshot, &size);
}

/* GTK's own sink, where it is installed, has a paintable. */
static void
update_paintable (EarVideoView *self)
{
  EarVideoOutput *output = ear_player_get_video_output (self->player);
  GObject *paintable = ear_video_output_get_paintable (output);
  const EarVideoFrame *frame = ear_video_output_get_frame (output);
  g_autoptr (GdkPaintable) picture = NULL;

  if (GDK_IS_PAINTABLE (paintable))
    picture = g_object_ref (GDK_PAINTABLE (paintable));
  else if (frame != NULL)
    picture = create_paintable (frame);
  else
    /* An area with the usual ratio, until the first frame */
    picture = gdk_paintable_new_empty (16, 9);
  gtk_picture_set_paintable (self->picture, picture);
}

static void
player_changed_cb (EarVideoView *self)
{
  EarVideoOutput *output = ear_player_get_video_output (self->player);

  ear_connect (output, "notify::paintable", update_paintable, self);
  ear_connect (output, "frame", update_paintable, self);
  update_paintable (self);
  update_watching (self);
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
ear_video_view_class_init (EarVideoViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "player", EAR_TYPE_PLAYER, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoView, player),
      .changed = G_CALLBACK (player_changed_cb) },
    /* Whether the view fills the window */
    { "alone", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoView, alone) },
  };

  widget_class->map = ear_video_view_map;
  widget_class->unmap = ear_video_view_unmap;
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

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

/* --- The picture in all of the window ---------------------------------------------- */

/* Milliseconds without a move of the pointer or a key until the controls hide */
#define HIDE_AFTER 2500

/**
 * EarVideoScreen:
 *
 * The video in all of the window. Controls are shown over it while the pointer moves or
 * keys are pressed.
 */
struct _EarVideoScreen
{
  AdwBin parent_instance;

  /* Template children */
  GtkWidget *controls;
  GtkEventControllerMotion *motion; /* on the controls */

  /* Owned */
  EarLibrary *library;
  guint hide_timeout; /* source */

  double x, y; /* where the pointer was */
};

G_DEFINE_FINAL_TYPE (EarVideoScreen, ear_video_screen, ADW_TYPE_BIN)

/* Hidden controls keep the focus. */
static void
set_shown (EarVideoScreen *self, gboolean shown)
{
  ear_set_css_class (GTK_WIDGET (self), "idle", !shown);
  gtk_widget_set_can_target (self->controls, shown);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), shown ? NULL : "none");
}

static gboolean
is_watched (EarVideoScreen *self)
{
  const EarPlayerState state = ear_player_get_state (ear_library_get_player (self->library));
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  return !gtk_event_controller_motion_contains_pointer (self->motion) &&
         (state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING) &&
         (focus == NULL || gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) == NULL);
}

static gboolean
hide_timeout_cb (gpointer user_data)
{
  EarVideoScreen *self = user_data;

  if (!is_watched (self))
    return G_SOURCE_CONTINUE;

  self->hide_timeout = 0;
  set_shown (self, FALSE);

  return G_SOURCE_REMOVE;
}

static void
wake (EarVideoScreen *self)
{
  set_shown (self, TRUE);
  g_clear_handle_id (&self->hide_timeout, g_source_remove);
  self->hide_timeout = g_timeout_add (HIDE_AFTER, hide_timeout_cb, self);
}

/* GTK emits motion as well when another widget appears below the pointer. */
static void
moved_cb (EarVideoScreen *self, double x, double y)
{
  if (self->x == x && self->y == y)
    return;

  self->x = x;
  self->y = y;
  wake (self);
}

static gboolean
key_pressed_cb (EarVideoScreen *self)
{
  wake (self);

  return GDK_EVENT_PROPAGATE;
}

/* Shortcuts of the window, and other programs, pause and seek as well. */
static void
acted_cb (EarVideoScreen *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    wake (self);
}

static void
library_changed_cb (EarVideoScreen *self)
{
  EarPlayer *player = ear_library_get_player (self->library);

  ear_connect (player, "notify::state", acted_cb, self);
  ear_connect (player, "seeked", acted_cb, self);
}

static void
ear_video_screen_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ear_video_screen_parent_class)->map (widget);

  wake (EAR_VIDEO_SCREEN (widget));
}

static void
ear_video_screen_unmap (GtkWidget *widget)
{
  EarVideoScreen *self = EAR_VIDEO_SCREEN (widget);

  g_clear_handle_id (&self->hide_timeout, g_source_remove);

  GTK_WIDGET_CLASS (ear_video_screen_parent_class)->unmap (widget);
}

static void
ear_video_screen_class_init (EarVideoScreenClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoScreen, library),
      .changed = G_CALLBACK (library_changed_cb) },
  };

  widget_class->map = ear_video_screen_map;
  widget_class->unmap = ear_video_screen_unmap;
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_SCRUBBER);
  g_type_ensure (EAR_TYPE_VIDEO_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-video-screen.ui");
  gtk_widget_class_bind_template_child (widget_class, EarVideoScreen, controls);
  gtk_widget_class_bind_template_child (widget_class, EarVideoScreen, motion);
  gtk_widget_class_bind_template_callback (widget_class, moved_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  ear_closures_bind (widget_class);
}

static void
ear_video_screen_init (EarVideoScreen *self)
{
  self->x = self->y = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
}
