/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-accelerators.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "ear-episode-actions.h"
#include "ear-sidebar-page.h"

/* A placeholder in the table for the keys of the verbs of an episode, see
 * ear_episode_actions_foreach_key() */
#define VERBS "verbs"

/* The keys in the order of the dialog that lists them */
static const EarAccelerator accelerators[] = {
  /* Translators: a heading above keys; the other texts describe a key */
  { .group = N_("Playing") },
  { "app.play-pause", { "space", "<Ctrl>space" }, N_("Play or pause"), TRUE },
  { "app.seek-back", { "<Ctrl>Left", "bracketleft" }, N_("Skip back"), TRUE },
  { "app.seek-forward", { "<Ctrl>Right", "bracketright" }, N_("Skip forward"), TRUE },
  { "app.previous", { "<Ctrl>Page_Up" }, N_("Previous episode"), TRUE },
  { "app.next", { "<Ctrl>Page_Down" }, N_("Next episode"), TRUE },
  { "app.previous-chapter", { "<Ctrl><Shift>Left" }, N_("Previous chapter"), TRUE },
  { "app.next-chapter", { "<Ctrl><Shift>Right" }, N_("Next chapter"), TRUE },
  { "app.speed-down", { "less" }, N_("Slower"), TRUE },
  { "app.speed-up", { "greater" }, N_("Faster"), TRUE },
  { "app.speed-reset", { "<Ctrl>0" }, N_("Normal speed") },
  { "app.volume-up", { "<Ctrl>Up" }, N_("Louder"), TRUE },
  { "app.volume-down", { "<Ctrl>Down" }, N_("Quieter"), TRUE },
  { "app.mute", { "<Ctrl>M" }, N_("Mute") },
  { "app.sleep-longer", { "<Ctrl>T" }, N_("Sleep timer: 15 minutes more") },
  { "app.bookmark", { "<Ctrl>K" }, N_("Bookmark current position") },
  { "win.show-playing", { "<Ctrl>J" }, N_("Show the current episode") },
  { "win.fullscreen-video", { "F11" }, N_("Toggle fullscreen video") },

  { .group = N_("Episode") },
  { "win.play-selected", { "<Ctrl>Return" }, N_("Play or pause the selected episode") },
  { VERBS },
  { "win.queue-first", { "<Ctrl><Shift>U" }, N_("Queue “Listen First” episodes") },
  { NULL, { "<Alt>Up", "<Alt>Down" }, N_("Move in Up Next or list") },
  { NULL, { "Delete" }, N_("Remove from New, In Progress, Up Next or list") },
  { NULL, { "<Ctrl><Alt>C" }, N_("Copy notes or selection as Markdown") },
  { "win.next-tab", { "<Ctrl>Tab" }, N_("Next tab") },
  { "win.previous-tab", { "<Ctrl><Shift>Tab" }, N_("Previous tab") },
  { NULL, { "<Ctrl>A" }, N_("Select all episodes") },
  { NULL, { "<Shift>Up", "<Shift>Down" }, N_("Extend selection") },

  { .group = N_("Links") },
  { NULL, { "<Ctrl>L" }, N_("Mark as read or unread") },
  { NULL, { "<Ctrl>D" }, N_("Star or unstar") },
  { NULL, { "<Ctrl>B" }, N_("Open in web browser") },
  { NULL, { "<Ctrl><Shift>C" }, N_("Copy link") },

  { .group = N_("Transcript") },
  { NULL, { "<Ctrl>G" }, N_("Next match") },
  { NULL, { "<Ctrl><Shift>G" }, N_("Previous match") },
  { NULL, { "<Ctrl>C" }, N_("Copy selection with its time") },

  { .group = N_("Podcasts") },
  { "win.show-up-next", { "<Alt>U" }, N_("Up Next") },
  { "win.show-new", { "<Alt>1" }, N_("New episodes") },
  { "win.show-in-progress", { "<Alt>2" }, N_("Episodes in progress") },
  { "win.show-downloads", { "<Alt>3" }, N_("Downloaded episodes") },
  { "win.show-saved", { "<Alt>4" }, N_("Liked episodes, bookmarks and links") },
  { "win.show-history", { "<Alt>5" }, N_("History") },
  { "win.statistics", { "<Ctrl>I" }, N_("Statistics") },
  { NULL, { "<Alt>Up", "<Alt>Down" }, N_("Move list or podcast") },
  { "win.search", { "<Ctrl>F" }, N_("Search episodes or transcript") },
  { "win.search-everywhere", { "<Ctrl><Shift>F" }, N_("Search all podcasts") },
  { "win.refresh", { "<Ctrl>R", "F5" }, N_("Check for new episodes") },
  { "app.refresh-all", { "<Ctrl><Shift>R", "<Shift>F5" },
    N_("Check all podcasts for new episodes") },
  { "win.continue-series", { "<Ctrl><Shift>Return" }, N_("Continue the series") },
  { "win.podcast-details", { "<Alt>Return" }, N_("About this podcast") },
  { "win.podcast-settings", { "<Alt>comma" }, N_("Podcast settings") },
  { "app.import", { "<Ctrl>O" }, N_("Import podcasts") },
  { "win.new-list", { "<Ctrl><Shift>N" }, N_("New list") },
  { "win.add-podcast", { "<Ctrl>N" }, N_("Add podcast") },

  { .group = N_("General") },
  { "win.undo", { "<Ctrl>Z" }, N_("Undo"), TRUE },
  { "win.next-pane", { "F6" }, N_("Next pane") },
  { "win.previous-pane", { "<Shift>F6" }, N_("Previous pane") },
  { "app.preferences", { "<Ctrl>comma" }, N_("Preferences") },
  { "win.main-menu", { "F10" }, N_("Main menu") },
  { "app.shortcuts", { "<Ctrl>question" }, N_("Keyboard shortcuts") },
  { "window.close", { "<Ctrl>W" }, N_("Close the window") },
  { "app.quit", { "<Ctrl>Q" }, N_("Quit") },
};

/* A key of a window */
typedef struct
{
  const EarAccelerator *accelerator;
  GtkEventController *controller; /* borrowed: it owns this */
  gboolean presses_button;        /* the space bar */
} Key;

/* Returns: whether the focus handles the key itself: in a popover, an entry or a text, or
 * in the sidebar while a title is typed */
static gboolean
focus_wants_key (GtkWidget *window, GdkEvent *event)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));
  GtkWidget *sidebar;

  if (focus == NULL)
    return FALSE;
  sidebar = gtk_widget_get_ancestor (focus, EAR_TYPE_SIDEBAR_PAGE);
  if (sidebar != NULL && ear_sidebar_page_wants_key (EAR_SIDEBAR_PAGE (sidebar), event))
    return TRUE;

  return GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus) ||
         gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL;
}

/* Behind a dialog, the keys of the window do nothing. */
static gboolean
key_cb (GtkWidget *window, GVariant *arguments, gpointer user_data)
{
  const Key *key = user_data;
  const gboolean on_button = GTK_IS_BUTTON (gtk_root_get_focus (GTK_ROOT (window)));

  if (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) != NULL ||
      (key->presses_button && on_button) ||
      (key->accelerator->typing &&
       focus_wants_key (window, gtk_event_controller_get_current_event (key->controller))))
    return GDK_EVENT_PROPAGATE;

  return gtk_widget_activate_action (window, key->accelerator->action, NULL);
}

/* Calls @func for each row of the tables of keys. */
void
ear_accelerators_foreach (EarAcceleratorFunc func, gpointer user_data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (accelerators); i++)
    if (g_strcmp0 (accelerators[i].action, VERBS) == 0)
      ear_episode_actions_foreach_key (func, user_data);
    else
      func (&accelerators[i], user_data);
}

static gboolean
is_of_window (const EarAccelerator *accelerator)
{
  return accelerator->action != NULL &&
         (accelerator->typing || g_str_has_prefix (accelerator->action, "win."));
}

static void
set_keys (const EarAccelerator *accelerator, gpointer application)
{
  if (accelerator->action != NULL && !is_of_window (accelerator))
    gtk_application_set_accels_for_action (application, accelerator->action, accelerator->keys);
}

/* Sets the keys that mean the same wherever the focus is. */
void
ear_accelerators_add_to_application (GtkApplication *application)
{
  ear_accelerators_foreach (set_keys, application);
}

static gboolean
drop_focus_cb (gpointer user_data)
{
  GtkWindow *window = user_data;
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus != NULL && gtk_widget_get_root (focus) == NULL)
    gtk_window_set_focus (window, NULL);

  return G_SOURCE_REMOVE;
}

/* GTK moves the focus away from a removed row with the next frame. A key that
 * comes before that goes to the removed row, and is lost: from here on it
 * goes to the window. */
static void
focus_root_changed_cb (GtkWindow *window, GParamSpec *pspec, GtkWidget *focus)
{
  if (gtk_widget_get_root (focus) == NULL)
    g_idle_add_full (G_PRIORITY_HIGH, drop_focus_cb, g_object_ref (window),
                     g_object_unref);
}

static void
watch_focus (GtkWidget *window)
{
  GSignalGroup *focus = g_signal_group_new (GTK_TYPE_WIDGET);

  g_signal_group_connect_object (focus, "notify::root", G_CALLBACK (focus_root_changed_cb), window,
                                 G_CONNECT_SWAPPED);
  g_object_bind_property (window, "focus-widget", focus, "target", G_BINDING_SYNC_CREATE);
  g_object_set_data_full (G_OBJECT (window), "ear-focus-watch", focus, g_object_unref);
}

static void
add_shortcuts (const EarAccelerator *accelerator, gpointer user_data)
{
  GtkEventController *controller = user_data;

  for (const char *const *name = accelerator->keys; is_of_window (accelerator) && *name != NULL;
       name++)
    {
      Key *key = g_new0 (Key, 1);

      key->accelerator = accelerator;
      key->controller = controller;
      key->presses_button = g_str_equal (*name, "space");
      gtk_shortcut_controller_add_shortcut (
          GTK_SHORTCUT_CONTROLLER (controller),
          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (*name),
                            gtk_callback_action_new (key_cb, key, g_free)));
    }
}

/* Adds the keys of the window, and those that a focused text or button may use itself. */
void
ear_accelerators_add_to_window (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  ear_accelerators_foreach (add_shortcuts, controller);
  gtk_widget_add_controller (window, controller);
  watch_focus (window);
}
