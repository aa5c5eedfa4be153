/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-dialog.h"
#include "ear-window-private.h"

/*
 * What is handed to the window: addresses and files that were dropped on it, or come from the
 * command line and the desktop. They are looked at one after another, as if each had been
 * written into Add Podcast.
 */

/* Who drops more does not mean it. */
#define OPENINGS_LIMIT 100
#define TEXT_LIMIT 8192

static void
open_next (EarWindow *self)
{
  g_autofree char *text = NULL;
  EarDiscoverDialog *dialog;

  if (self->opening || self->openings->len == 0)
    return;

  self->opening = TRUE;
  text = g_ptr_array_steal_index (self->openings, 0);
  dialog = ear_window_discover (self, NULL, text);
  g_signal_connect_object (dialog, "closed", G_CALLBACK (ear_window_opened), self, G_CONNECT_SWAPPED);
}

/* What was handed over last has been dealt with: the next one, if there is one. */
void
ear_window_opened (EarWindow *self)
{
  self->opening = FALSE;
  open_next (self);
}

/* Shows what is there: a podcast that is not followed as a preview, a list with the offer to
 * import it, else why there is nothing.
 * @text: an address, or the path of a file */
void
ear_window_open_text (EarWindow *self, const char *text)
{
  g_return_if_fail (EAR_IS_WINDOW (self));

  if (self->openings->len >= OPENINGS_LIMIT || strlen (text) > TEXT_LIMIT)
    return;

  g_ptr_array_add (self->openings, g_utf8_make_valid (text, -1));
  open_next (self);
}

/* See [method@EarWindow.open_text]. */
void
ear_window_open_file (EarWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *uri = g_file_get_uri (file);

  g_return_if_fail (EAR_IS_WINDOW (self));

  /* A name that is not UTF-8 is written as an address. */
  ear_window_open_text (self, path != NULL && g_utf8_validate (path, -1, NULL) ? path : uri);
}

/* Shows what is there, if it is an address or a file at all: words that come by mistake are no
 * reason to ask a directory about them.
 * @text: what was dropped, or handed over by another program */
gboolean
ear_window_open_address (EarWindow *self, const char *text)
{
  g_autofree char *value = NULL;
  EarDiscoveryInput input = EAR_DISCOVERY_NOTHING;

  g_return_val_if_fail (EAR_IS_WINDOW (self), FALSE);

  if (strlen (text) <= TEXT_LIMIT)
    input = ear_discovery_input_read (text, &value);
  if (input != EAR_DISCOVERY_ADDRESS && input != EAR_DISCOVERY_APPLE && input != EAR_DISCOVERY_FILE)
    return FALSE;
  ear_window_open_text (self, text);

  return TRUE;
}

static gboolean
dropped_cb (EarWindow *self, const GValue *value)
{
  if (G_VALUE_HOLDS (value, G_TYPE_FILE))
    ear_window_open_file (self, g_value_get_object (value));
  else if (G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    {
      g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

      for (GSList *item = files; item != NULL; item = item->next)
        ear_window_open_file (self, item->data);
      return files != NULL;
    }
  else
    return G_VALUE_HOLDS_STRING (value) && ear_window_open_address (self, g_value_get_string (value));

  return TRUE;
}

/* From now on links and files can be dropped on the window. */
void
ear_window_take_drops (EarWindow *self)
{
  GType types[] = { GDK_TYPE_FILE_LIST, G_TYPE_FILE, G_TYPE_STRING };
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect_object (target, "drop", G_CALLBACK (dropped_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
