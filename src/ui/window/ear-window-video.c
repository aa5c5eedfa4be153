/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window-private.h"

#include <glib/gi18n.h>

/*
 * The picture of a video in all of the window, and the window on all of the screen.
 */

/* So long may the picture be gone, as another episode begins or a connection is made again: milliseconds. */
#define PATIENCE 2000

static gboolean
is_on (EarWindow *self)
{
  return gtk_widget_get_visible (self->video_screen);
}

static void
enter (EarWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  g_set_weak_pointer (&self->focus_before, focus);
  self->was_fullscreen = gtk_window_is_fullscreen (GTK_WINDOW (self));
  gtk_widget_set_visible (self->video_screen, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->sheet), FALSE);
  gtk_window_set_focus (GTK_WINDOW (self), adw_bin_get_child (ADW_BIN (self->video_screen)));
  if (!self->was_fullscreen)
    gtk_window_fullscreen (GTK_WINDOW (self));
}

static void
leave (EarWindow *self)
{
  g_clear_handle_id (&self->video_gone, g_source_remove);
  if (!is_on (self))
    return;

  gtk_widget_set_visible (GTK_WIDGET (self->sheet), TRUE);
  gtk_widget_set_visible (self->video_screen, FALSE);
  if (!self->was_fullscreen)
    gtk_window_unfullscreen (GTK_WINDOW (self));
  if (self->focus_before != NULL)
    gtk_widget_grab_focus (self->focus_before);
  g_clear_weak_pointer (&self->focus_before);
}

/* Gives the picture all of the window, or takes it back. */
void
ear_window_toggle_video (EarWindow *self)
{
  if (is_on (self))
    leave (self);
  else if (ear_player_get_video (ear_library_get_player (self->library)))
    enter (self);
}

static gboolean
gone_cb (gpointer user_data)
{
  EarWindow *self = user_data;

  self->video_gone = 0;
  leave (self);

  return G_SOURCE_REMOVE;
}

static void
video_changed_cb (EarWindow *self)
{
  g_clear_handle_id (&self->video_gone, g_source_remove);
  if (is_on (self) && !ear_player_get_video (ear_library_get_player (self->library)))
    self->video_gone = g_timeout_add (PATIENCE, gone_cb, self);
  ear_window_update_actions (self);
}

/* Whoever leaves it by the desktop's own key leaves all of it. */
static void
fullscreened_changed_cb (EarWindow *self)
{
  if (!gtk_window_is_fullscreen (GTK_WINDOW (self)))
    leave (self);
}

/* Whoever watches touches nothing: the screen is not to go dark for that. */
static void
update_idle (EarWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  EarPlayer *player = ear_library_get_player (self->library);
  const gboolean watched = ear_player_get_video (player) && ear_player_get_state (player) == EAR_PLAYER_PLAYING &&
                           ear_video_output_get_watched (ear_player_get_video_output (player));

  if (application == NULL || watched == (self->idle_cookie != 0))
    return;

  if (!watched)
    gtk_application_uninhibit (application, g_steal_handle_id (&self->idle_cookie));
  else
    self->idle_cookie = gtk_application_inhibit (application, GTK_WINDOW (self), GTK_APPLICATION_INHIBIT_IDLE, _("A video is playing"));
}

/* Lets pictures be seen. */
void
ear_window_begin_video (EarWindow *self)
{
  EarPlayer *player = ear_library_get_player (self->library);

  if (ear_player_get_video_output (player) == NULL)
    {
      g_autoptr (EarVideoOutput) output = ear_video_output_new (TRUE);

      ear_player_set_video_output (player, output);
    }
  g_signal_connect_object (player, "notify::video", G_CALLBACK (video_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::video", G_CALLBACK (update_idle), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::state", G_CALLBACK (update_idle), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_player_get_video_output (player), "notify::watched", G_CALLBACK (update_idle), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::fullscreened", G_CALLBACK (fullscreened_changed_cb), NULL);
}

/* To be called when the window goes. */
void
ear_window_end_video (EarWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (self->idle_cookie != 0 && application != NULL)
    gtk_application_uninhibit (application, g_steal_handle_id (&self->idle_cookie));
  g_clear_handle_id (&self->video_gone, g_source_remove);
  g_signal_handlers_disconnect_by_func (self, fullscreened_changed_cb, NULL);
  g_clear_weak_pointer (&self->focus_before);
}
