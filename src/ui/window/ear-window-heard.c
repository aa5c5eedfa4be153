/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window-private.h"

#include <glib/gi18n.h>

#include "ear-link.h"
#include "ear-notes-loader.h"
#include "ear-toasts.h"

/*
 * What the window says of an episode that was heard to its end: how many links it has that the listener has not read. Whoever listens
 * while he works in another window is told once he comes back, of the last one only.
 */

/* Who tells of which episode */
typedef struct
{
  EarWindow *window;
  EarEpisode *episode;
} Telling;

static void
telling_free (Telling *self)
{
  g_object_unref (self->window);
  g_object_unref (self->episode);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Telling, telling_free)

static void
show_links_cb (AdwToast *toast, Telling *telling)
{
  EarWindow *self = telling->window;

  ear_window_show_episode (self, telling->episode);
  ear_episode_tabs_choose (ear_episode_page_get_tabs (self->episode_page), "links");
}

static void
free_closure (gpointer telling, GClosure *closure)
{
  telling_free (telling);
}

/* @telling: (transfer full): what the button is about */
static void
show_toast (Telling *telling, guint n_unread)
{
  /* Translators: of an episode that has just ended; %2$s is its title */
  g_autofree char *message = g_strdup_printf (ngettext ("%1$u unread link in “%2$s”", "%1$u unread links in “%2$s”", n_unread), n_unread,
                                              ear_episode_get_name (telling->episode));
  AdwToast *toast = adw_toast_new (message);

  adw_toast_set_use_markup (toast, FALSE);
  adw_toast_set_button_label (toast, _("Show Links"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (show_links_cb), telling, free_closure, G_CONNECT_DEFAULT);
  ear_toasts_add_now (telling->window->toasts, toast);
}

static void
notes_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Telling) telling = user_data;
  EarWindow *self = telling->window;
  g_autoptr (EarNotes) notes = ear_notes_load_finish (result, NULL);
  g_autoptr (GPtrArray) links = ear_links_of_notes (notes);
  const guint n_unread = self->library != NULL ? ear_reading_list_count_unread (ear_library_get_reading_list (self->library), links) : 0;

  if (n_unread > 0)
    show_toast (g_steal_pointer (&telling), n_unread);
}

static void
tell (EarWindow *self)
{
  Telling *telling;

  if (self->heard == NULL || !gtk_window_is_active (GTK_WINDOW (self)))
    return;
  telling = g_new0 (Telling, 1);
  telling->window = g_object_ref (self);
  telling->episode = g_steal_pointer (&self->heard);
  ear_notes_load_async (ear_library_get_catalogue (self->library), telling->episode, NULL, notes_loaded_cb, telling);
}

static void
heard_cb (EarWindow *self, EarEpisode *episode)
{
  if (self->library == NULL)
    return;
  g_set_object (&self->heard, episode);
  tell (self);
}

/* From now on the listener is told of the links of what he has heard. */
void
ear_window_begin_telling (EarWindow *self)
{
  g_signal_connect_object (ear_library_get_history (self->library), "heard", G_CALLBACK (heard_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (tell), NULL);
}
