/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-dialog.h"
#include "ear-discover-dialog.h"
#include "ear-episode-actions.h"
#include "ear-links.h"
#include "ear-player-widget.h"
#include "ear-statistics-dialog.h"
#include "ear-widget.h"
#include "ear-window-private.h"

/* The actions of the window: its menus, keys and buttons, and the
 * dialogs that these open */

/* --- Podcasts ----------------------------------------------------------------------- */

/* The list may have no rows yet. */
static void
shown_cb (EarWindow *self)
{
  if (!ear_episodes_page_enter (self->episodes_page))
    ear_sidebar_page_enter (self->sidebar_page);
}

static void
podcast_chosen_cb (EarWindow *self, EarPodcast *podcast, EarDiscoverDialog *dialog)
{
  ear_window_show_podcast (self, podcast);
  ear_connect (dialog, "closed", shown_cb, self);
}

static EarDiscoverDialog *
create_discover_dialog (EarWindow *self, EarPodcast *like, const char *text)
{
  EarDiscoverDialog *dialog = ear_discover_dialog_new (self->library, like, text);

  ear_connect (dialog, "chosen", podcast_chosen_cb, self);

  return dialog;
}

/* Opens Add Podcast, or raises it if there is no text.
 * @like: (nullable): finds podcasts similar to this one
 * @text: (nullable): what to search for */
AdwDialog *
ear_window_discover (EarWindow *self, EarPodcast *like, const char *text)
{
  AdwDialog *dialog = ADW_DIALOG (create_discover_dialog (self, like, text));

  if (text == NULL)
    return ear_single_dialog_present (dialog, GTK_WIDGET (self), like);

  adw_dialog_present (dialog, GTK_WIDGET (self));

  return dialog;
}

/* @parameter: (nullable): what to search for */
static void
add_podcast (EarWindow *self, GVariant *parameter)
{
  ear_window_discover (self, NULL,
                       parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL);
}

/* @parameter: the beginning of a text, which the listener is typing */
static void
type_podcasts (EarWindow *self, GVariant *parameter)
{
  EarDiscoverDialog *dialog = create_discover_dialog (self, NULL, NULL);

  ear_discover_dialog_type (dialog, g_variant_get_string (parameter, NULL));
  adw_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self));
}

/* @parameter: the URL of the feed, and the title, if known */
static void
follow_podcast (EarSubscriptions *subscriptions, GVariant *parameter)
{
  const char *address, *title;

  g_variant_get (parameter, "(&s&s)", &address, &title);
  ear_subscriptions_follow (subscriptions, address, *title != '\0' ? title : NULL);
}

/* Asks for the name and password that the podcast's server wants. */
void
ear_window_sign_in (EarWindow *self, EarPodcast *podcast)
{
  adw_bottom_sheet_set_open (self->sheet, FALSE);
  ear_single_dialog_present (ear_feed_dialog_new (self->library, podcast, TRUE), GTK_WIDGET (self),
                             podcast);
}

/* The episode may be of another podcast than the chosen one. */
static void
sign_in (EarWindow *self, GVariant *parameter, GAction *action)
{
  EarEpisode *episode = g_str_equal (g_action_get_name (action), "sign-in-media")
                            ? ear_player_get_episode (ear_library_get_player (self->library))
                            : ear_episodes_page_get_episode (self->episodes_page);

  if (episode != NULL && ear_episode_get_podcast (episode) != NULL)
    ear_window_sign_in (self, ear_episode_get_podcast (episode));
}

/* Shows the podcast of the episode: its list, or a preview if it is not followed. */
static void
show_podcast (EarWindow *self)
{
  g_autoptr (EarEpisode) episode =
      g_object_ref (ear_episodes_page_get_episode (self->episodes_page));
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  if (podcast == NULL)
    return;
  if (ear_podcast_get_followed (podcast))
    {
      ear_window_list_podcast (self, episode);
      ear_window_show_episodes (self);
      ear_episodes_page_enter (self->episodes_page);
    }
  /* A second preview of the podcast would end the first one when it goes. */
  else if (ear_single_dialog_find (GTK_WIDGET (self), "EarDiscoverDialog", podcast) == NULL)
    {
      EarDiscoverDialog *dialog = create_discover_dialog (self, NULL, NULL);

      ear_discover_dialog_preview (dialog, podcast);
      ear_single_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self), podcast);
    }
}

/* --- Bookmarks ---------------------------------------------------------------------- */

static void
note_saved (gpointer bookmarks, gpointer bookmark, const char *note)
{
  ear_bookmarks_set_note (bookmarks, bookmark, note);
}

/* The parameter is the id of a bookmark. */
static void
edit_note (EarWindow *self, GVariant *parameter)
{
  EarBookmarks *bookmarks = ear_library_get_bookmarks (self->library);
  EarBookmark *bookmark = ear_bookmarks_lookup (bookmarks, g_variant_get_string (parameter, NULL));
  const char *title = C_("bookmark", "Note");

  if (bookmark != NULL)
    ear_text_dialog_present (GTK_WIDGET (self), title, ear_bookmark_get_title (bookmark), title,
                             ear_bookmark_get_note (bookmark), FALSE, _("_Save"), note_saved,
                             bookmarks, bookmark);
}

/* --- Other actions ------------------------------------------------------------------ */

/* Returns: (transfer none): the tabs of the player's sheet if it is open,
 * else of the episode */
static EarEpisodeTabs *
get_tabs (EarWindow *self)
{
  EarPlayerWidget *pane = EAR_PLAYER_WIDGET (adw_bottom_sheet_get_sheet (self->sheet));
  EarEpisodeTabs *tabs =
      adw_bottom_sheet_get_open (self->sheet) ? ear_player_widget_get_tabs (pane) : NULL;

  return tabs != NULL ? tabs : ear_episode_page_get_tabs (self->episode_page);
}

/* Searches the tab that is shown, if the focus is beside it or no list is in sight,
 * else the list. */
static void
search (EarWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  const gboolean in_tabs =
      adw_bottom_sheet_get_open (self->sheet) ||
      !gtk_widget_get_mapped (GTK_WIDGET (self->episodes_page)) ||
      (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->episode_page)));

  if (in_tabs && ear_episode_tabs_find (get_tabs (self)))
    return;

  ear_window_show_episodes (self);
  ear_episodes_page_begin_search (self->episodes_page, FALSE);
}

/* Searches all podcasts.
 * @parameter: (nullable): what to search for */
static void
search_everywhere (EarWindow *self, GVariant *parameter)
{
  /* GNOME Shell can ask for a search when nothing is followed. */
  if (ear_sidebar_page_get_item (self->sidebar_page) == NULL)
    return;

  ear_window_show_episodes (self);
  ear_episodes_page_begin_search (self->episodes_page, TRUE);
  if (parameter != NULL)
    g_object_set (self->episodes_page, "search", g_variant_get_string (parameter, NULL), NULL);
}

static void
show_playing (EarWindow *self)
{
  ear_window_show_episode (self, ear_player_get_episode (ear_library_get_player (self->library)));
}

static void
play_selected (EarWindow *self)
{
  ear_playback_controller_toggle (ear_library_get_playback_controller (self->library),
                                  ear_episodes_page_get_episode (self->episodes_page),
                                  ear_episodes_page_get_list (self->episodes_page));
}

/* Runs a verb on the focused link, else on the selected episodes while they are in sight,
 * else on the shown episode. */
static void
run_verb (EarWindow *self, GVariant *parameter, GAction *action)
{
  const char *verb = g_action_get_name (action);
  g_autofree char *name = g_strconcat ("episode.", verb, NULL);

  if (ear_link_row_take_action (GTK_WIDGET (self), verb) ||
      (!ear_window_is_covered (self) &&
       ear_episodes_page_toggle_selected (self->episodes_page, verb)))
    return;

  gtk_widget_activate_action_variant (GTK_WIDGET (self->episode_page), name, NULL);
}

/* @name: see ear_sidebar_item_get_name() */
static void
choose_item (EarWindow *self, const char *name)
{
  if (ear_sidebar_page_choose (self->sidebar_page, name))
    ear_window_show_episodes (self);
}

/* The parameter is the name of a sidebar item, or the first address of a podcast. */
static void
select_podcast (EarWindow *self, GVariant *parameter)
{
  const char *name = g_variant_get_string (parameter, NULL);
  g_autofree char *hash = ear_address_is_web (name) ? ear_address_hash (name, NULL) : NULL;

  choose_item (self, hash != NULL ? hash : name);
}

/* The actions are named after the views: show-new, show-in-progress ... */
static void
show_view (EarWindow *self, GVariant *parameter, GAction *action)
{
  choose_item (self, g_action_get_name (action) + strlen ("show-"));
}

static void
new_list (EarWindow *self)
{
  ear_list_dialog_present (self->library, GTK_WIDGET (self), NULL);
}

static void
statistics (EarWindow *self)
{
  ear_single_dialog_present (ADW_DIALOG (ear_statistics_dialog_new (self->library)),
                             GTK_WIDGET (self), NULL);
}

/* The parameter is a position in the list. */
static void
select_episode (EarWindow *self, GVariant *parameter)
{
  GListModel *list = G_LIST_MODEL (ear_episodes_page_get_list (self->episodes_page));
  g_autoptr (EarEpisode) episode =
      list != NULL ? g_list_model_get_item (list, g_variant_get_uint32 (parameter)) : NULL;

  if (episode == NULL)
    return;

  ear_episodes_page_set_episode (self->episodes_page, episode);
  ear_window_show_page (self);
}

static void
open_player (EarWindow *self)
{
  if (adw_bottom_sheet_get_can_open (self->sheet) &&
      ear_player_get_episode (ear_library_get_player (self->library)) != NULL)
    adw_bottom_sheet_set_open (self->sheet, TRUE);
}

static void
main_menu (EarWindow *self)
{
  adw_bottom_sheet_set_open (self->sheet, FALSE);
  ear_window_show_sidebar (self);
  ear_sidebar_page_open_menu (self->sidebar_page);
}

/* Returns: 1 for an action that is named "next-...", -1 for "previous-..." */
static int
get_step (GAction *action)
{
  return g_str_has_prefix (g_action_get_name (action), "next-") ? 1 : -1;
}

static void
move_pane (EarWindow *self, GVariant *parameter, GAction *action)
{
  ear_window_move_pane (self, get_step (action));
}

static void
move_tab (EarWindow *self, GVariant *parameter, GAction *action)
{
  ear_episode_tabs_move (get_tabs (self), get_step (action));
}

static void
show_tab (EarWindow *self, GVariant *parameter)
{
  ear_episode_tabs_choose (get_tabs (self), g_variant_get_string (parameter, NULL));
}

static void
queue_first (EarWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (get_tabs (self)), "tabs.queue-first", NULL);
}

static void
notify (EarWindow *self, GVariant *parameter)
{
  ear_window_show_toast (self, g_variant_get_string (parameter, NULL));
}

static const EarActionEntry actions[] = {
  { "add-podcast", G_CALLBACK (add_podcast) },
  { "find-podcasts", G_CALLBACK (add_podcast), "s" },
  { "type-podcasts", G_CALLBACK (type_podcasts), "s" },
  { "follow-podcast", G_CALLBACK (follow_podcast), "(ss)", .part = "subscriptions" },
  { "sign-in-media", G_CALLBACK (sign_in) },
  { "sign-in-episode", G_CALLBACK (sign_in) },
  { "undo", G_CALLBACK (ear_window_undo) },
  { "search", G_CALLBACK (search) },
  { "search-everywhere", G_CALLBACK (search_everywhere) },
  { "search-for", G_CALLBACK (search_everywhere), "s" },
  { "show-playing", G_CALLBACK (show_playing) },
  { "fullscreen-video", G_CALLBACK (ear_window_toggle_video) },
  { "show-podcast", G_CALLBACK (show_podcast) },
  { "play-selected", G_CALLBACK (play_selected) },
  { "show-up-next", G_CALLBACK (show_view) },
  { "show-new", G_CALLBACK (show_view) },
  { "show-in-progress", G_CALLBACK (show_view) },
  { "show-downloads", G_CALLBACK (show_view) },
  { "show-saved", G_CALLBACK (show_view) },
  { "show-history", G_CALLBACK (show_view) },
  { "statistics", G_CALLBACK (statistics) },
  { "new-list", G_CALLBACK (new_list) },
  { "select-podcast", G_CALLBACK (select_podcast), "s" },
  { "select-episode", G_CALLBACK (select_episode), "u" },
  { "open-player", G_CALLBACK (open_player) },
  { "main-menu", G_CALLBACK (main_menu) },
  { "next-pane", G_CALLBACK (move_pane) },
  { "previous-pane", G_CALLBACK (move_pane) },
  { "next-tab", G_CALLBACK (move_tab) },
  { "previous-tab", G_CALLBACK (move_tab) },
  { "show-tab", G_CALLBACK (show_tab), "s" },
  { "queue-first", G_CALLBACK (queue_first) },
  { "edit-note", G_CALLBACK (edit_note), "s" },
  { "notify", G_CALLBACK (notify), "s" },
};

static void
add_verb (const EarAccelerator *key, gpointer user_data)
{
  const EarActionEntry entry = { key->action + strlen ("win."), G_CALLBACK (run_verb) };

  ear_actions_add (G_ACTION_MAP (user_data), &entry, 1, user_data);
}

/* Adds the actions of the window, and those of the chosen item, which the keys of the
 * window share. */
void
ear_window_add_actions (EarWindow *self)
{
  GActionGroup *group = ear_item_actions_get_group (self->chosen_actions);
  g_auto (GStrv) names = g_action_group_list_actions (group);

  ear_actions_add (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  ear_episode_actions_foreach_key (add_verb, self);
  for (gsize i = 0; names[i] != NULL; i++)
    g_action_map_add_action (G_ACTION_MAP (self),
                             g_action_map_lookup_action (G_ACTION_MAP (group), names[i]));
}
