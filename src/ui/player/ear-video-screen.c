/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-video-screen.h"

#include "ear-closures.h"
#include "ear-property.h"
#include "ear-scrubber.h"
#include "ear-video-view.h"
#include "ear-widget.h"

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
ear_video_screen_dispose (GObject *object)
{
  EarVideoScreen *self = EAR_VIDEO_SCREEN (object);

  g_clear_handle_id (&self->hide_timeout, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_VIDEO_SCREEN);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_video_screen_parent_class)->dispose (object);
}

static void
ear_video_screen_class_init (EarVideoScreenClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarVideoScreen, library),
      .changed = G_CALLBACK (library_changed_cb) },
  };

  object_class->dispose = ear_video_screen_dispose;
  widget_class->map = ear_video_screen_map;
  widget_class->unmap = ear_video_screen_unmap;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

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
