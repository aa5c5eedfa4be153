/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application-private.h"

/*
 * The window of the application, and what is said in it, or kept until there is one.
 */

/* Of what there was to say while there was no window: each has to be closed by hand. */
#define MAX_NOTICES 5

EarWindow *
ear_application_get_window (EarApplication *self)
{
  for (GList *item = gtk_application_get_windows (GTK_APPLICATION (self)); item != NULL; item = item->next)
    if (EAR_IS_WINDOW (item->data))
      return item->data;

  return NULL;
}

/* What was said before is said once, and last. */
static void
keep_notice (EarApplication *self, const char *message)
{
  guint index;

  if (g_ptr_array_find_with_equal_func (self->notices, message, g_str_equal, &index))
    g_ptr_array_remove_index (self->notices, index);
  else if (self->notices->len == MAX_NOTICES)
    g_ptr_array_remove_index (self->notices, 0);
  g_ptr_array_add (self->notices, g_strdup (message));
}

/* Shows it in the window, or as soon as there is one, unless much was said after it.
 * @message: a sentence for the listener
 * @lasting: whether it stays until it is read */
void
ear_application_show_notice (EarApplication *self, const char *message, gboolean lasting)
{
  EarWindow *window = ear_application_get_window (self);

  if (window != NULL)
    ear_window_show_notice (window, message, lasting);
  else
    keep_notice (self, message);
}

/* Who moves the pointer, or presses a key, may want to hear something soon: Ctrl is pressed before the space bar. */
static gboolean
touched_cb (EarApplication *self, GdkEvent *event, GtkEventController *controller)
{
  const GdkEventType type = gdk_event_get_event_type (event);

  if (self->started && (type == GDK_MOTION_NOTIFY || type == GDK_KEY_PRESS || type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN))
    {
      ear_player_prepare (ear_library_get_player (self->library));
      gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }

  return GDK_EVENT_PROPAGATE;
}

static void
watch_for_touch (EarApplication *self, EarWindow *window)
{
  GtkEventController *controller = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "event", G_CALLBACK (touched_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (window), controller);
}

static EarWindow *
make_window (EarApplication *self)
{
  EarWindow *window = ear_window_new (GTK_APPLICATION (self), self->library);

  watch_for_touch (self, window);
  g_signal_connect_object (window, "notify::is-active", G_CALLBACK (ear_application_update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "map", G_CALLBACK (ear_application_start_soon), self, G_CONNECT_SWAPPED);

  return window;
}

/* Returns: the window, which is there before long */
EarWindow *
ear_application_open_window (EarApplication *self)
{
  EarWindow *window = ear_application_get_window (self);

  if (window == NULL)
    window = make_window (self);
  ear_window_present_soon (window);
  ear_application_update_background (self);
  for (guint i = 0; i < self->notices->len; i++)
    ear_window_show_notice (window, g_ptr_array_index (self->notices, i), TRUE);
  g_ptr_array_set_size (self->notices, 0);

  return window;
}

/* Returns: (nullable): the window, in front of others; %NULL where ear_application_ensure_library() gives nothing */
EarWindow *
ear_application_ensure_window (EarApplication *self)
{
  EarWindow *window = ear_application_ensure_library (self) != NULL ? ear_application_open_window (self) : NULL;

  if (window != NULL)
    gtk_window_present (GTK_WINDOW (window));
  g_clear_handle_id (&self->pause_source, g_source_remove);

  return window;
}
