/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-page-private.h"

#include "ear-first-focus.h"

#include <string.h>

/*
 * What comes into the entry without being typed there: what was copied, dropped or handed over, and letters
 * that are typed elsewhere on the page.
 */

static void
take_text (EarDiscoverPage *self, const char *text)
{
  gtk_editable_set_text (self->entry, text);
  ear_discovery_search_now (self->discovery);
}

static gboolean
dropped_cb (GtkDropTarget *target, const GValue *value, double x, double y, EarDiscoverPage *self)
{
  g_autofree char *path = NULL;

  if (!G_VALUE_HOLDS (value, G_TYPE_FILE) && !G_VALUE_HOLDS_STRING (value))
    return FALSE;
  if (G_VALUE_HOLDS_STRING (value))
    {
      take_text (self, g_value_get_string (value));
      return TRUE;
    }

  path = g_file_get_path (g_value_get_object (value));
  if (path != NULL)
    take_text (self, path);

  return path != NULL;
}

/* What was copied last is most often what is to be added. */
static void
clipboard_read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDiscoverPage) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (object), result, NULL);
  g_autofree char *value = NULL;
  EarDiscoveryInput input;

  if (text == NULL || self->entry == NULL || self->discovery == NULL || *gtk_editable_get_text (self->entry) != '\0')
    return;
  input = ear_discovery_input_read (text, &value);
  if ((input != EAR_DISCOVERY_ADDRESS && input != EAR_DISCOVERY_APPLE) || strstr (text, "://") == NULL)
    return;

  take_text (self, g_strstrip (text));
  gtk_editable_select_region (self->entry, 0, -1);
}

/* Where nothing was asked yet, puts the focus on the entry, and into it an address that was copied. */
void
ear_discover_page_offer_entry (EarDiscoverPage *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (self));

  if (self->like != NULL || *gtk_editable_get_text (self->entry) != '\0')
    return;

  ear_first_focus_take (GTK_WIDGET (self->entry));
  if (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard), G_TYPE_STRING))
    gdk_clipboard_read_text_async (clipboard, self->cancellable, clipboard_read_cb, g_object_ref (self));
}

/* Takes texts and files that are dropped anywhere on it. */
void
ear_discover_page_accept_drops (EarDiscoverPage *self)
{
  GType types[] = { G_TYPE_FILE, G_TYPE_STRING };
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect (target, "drop", G_CALLBACK (dropped_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state, EarDiscoverPage *self)
{
  const gunichar letter = gdk_keyval_to_unicode (keyval);

  if (!g_unichar_isgraph (letter) || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;

  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  /* Which selects what is there. */
  gtk_editable_set_position (self->entry, -1);

  return gtk_event_controller_key_forward (controller, GTK_WIDGET (gtk_editable_get_delegate (self->entry)));
}

/* Has letters that nothing else on the page wants go on in the entry. */
void
ear_discover_page_catch_letters (EarDiscoverPage *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  g_signal_connect (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

/* Looks what is there, as if it had been typed; if that is one podcast, opens it. */
void
ear_discover_page_look_for (EarDiscoverPage *self, const char *text)
{
  g_return_if_fail (EAR_IS_DISCOVER_PAGE (self));

  gtk_editable_set_text (self->entry, text);
  self->direct = TRUE;
  ear_discovery_search_now (self->discovery);
}
