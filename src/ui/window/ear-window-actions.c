/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-bookmark-actions.h"
#include "ear-discover-dialog.h"
#include "ear-episode-actions.h"
#include "ear-link-row.h"
#include "ear-list-dialog.h"
#include "ear-player-pane.h"
#include "ear-podcast-dialog.h"
#include "ear-podcast-settings-dialog.h"
#include "ear-sign-in-dialog.h"
#include "ear-single-dialog.h"
#include "ear-statistics-dialog.h"
#include "ear-window-private.h"

/*
 * The actions of the window: what its menus, keys and buttons do.
 */

static void
recognized_cb (EarWindow *self, EarPodcast *podcast)
{
  const char *name = ear_podcast_get_name (podcast);
  /* Translators: %s is the title of a podcast */
  g_autofree char *message =
      g_strdup_printf (_ ("You already follow “%s”"), name != NULL ? name : "");

  ear_window_show_reply (self, message);
}

/* The focus goes to the list, or to the sidebar while the list has no rows yet. */
static void
shown_cb (EarWindow *self)
{
  if (!ear_episodes_page_enter (self->episodes_page))
    ear_sidebar_page_enter (self->sidebar_page);
}

static void
chosen_cb (EarWindow *self, EarPodcast *podcast, EarDiscoverDialog *dialog)
{
  ear_sidebar_page_choose_podcast (self->sidebar_page, podcast);
  ear_window_show_episodes (self);
  g_signal_connect_object (dialog, "closed", G_CALLBACK (shown_cb), self, G_CONNECT_SWAPPED);
}

static EarDiscoverDialog *
create_discover_dialog (EarWindow *self, EarPodcast *like)
{
  EarDiscoverDialog *dialog = ear_discover_dialog_new (self->library, like);

  g_signal_connect_object (dialog, "chosen", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "recognized", G_CALLBACK (recognized_cb), self,
                           G_CONNECT_SWAPPED);

  return dialog;
}

/* Opens the dialog that finds podcasts, or shows the one that is there, unless there is something
 * to look for.
 * @like: (nullable): a podcast that others are to be like
 * @text: (nullable): what to look for at once */
EarDiscoverDialog *
ear_window_discover (EarWindow *self, EarPodcast *like, const char *text)
{
  AdwDialog *there =
      text == NULL ? ear_single_dialog_raise (GTK_WIDGET (self), "discover", like) : NULL;
  EarDiscoverDialog *dialog;

  if (there != NULL)
    return EAR_DISCOVER_DIALOG (there);

  dialog = create_discover_dialog (self, like);
  if (text != NULL)
    ear_discover_dialog_look_for (dialog, text);
  ear_single_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self), "discover", like);

  return dialog;
}

static void
add_podcast (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_window_discover (EAR_WINDOW (user_data), NULL, parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL);
}

/* Asks for the name and the password that its server wants. */
void
ear_window_ask_for_password (EarWindow *self, EarPodcast *podcast)
{
  adw_bottom_sheet_set_open (self->sheet, FALSE);
  if (ear_single_dialog_raise (GTK_WIDGET (self), "sign-in", podcast) == NULL)
    ear_single_dialog_present (
        ADW_DIALOG (ear_sign_in_dialog_new (ear_library_get_logins (self->library), podcast)),
        GTK_WIDGET (self), "sign-in", podcast);
}

/* Asks for the login of the episode in the player, or of the one that is shown. Either may be of
 * another podcast than the chosen one. */
static void
sign_in (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisode *episode = g_str_equal (g_action_get_name (G_ACTION (action)), "sign-in-media")
                          ? ear_player_get_episode (ear_library_get_player (self->library))
                          : ear_episodes_page_get_episode (self->episodes_page);

  if (episode != NULL && ear_episode_get_podcast (episode) != NULL)
    ear_window_ask_for_password (self, ear_episode_get_podcast (episode));
}

/* The unfollowing was taken back: the podcast is shown again. */
static void
followed_again_cb (EarPodcast *podcast, GParamSpec *pspec, EarWindow *self)
{
  g_signal_handlers_disconnect_by_func (podcast, followed_again_cb, self);
  ear_sidebar_page_choose_podcast (self->sidebar_page, podcast);
}

/* Unfollows a podcast. If it was chosen, it is again when that is taken back. */
void
ear_window_unfollow (EarWindow *self, EarPodcast *podcast)
{
  const gboolean chosen = podcast == ear_window_get_podcast (self);

  ear_subscriptions_unfollow (ear_library_get_subscriptions (self->library), podcast);
  if (!chosen)
    return;

  g_signal_connect_object (podcast, "notify::followed", G_CALLBACK (followed_again_cb), self,
                           G_CONNECT_DEFAULT);
  if (ear_window_get_podcast (self) == NULL)
    ear_window_show_sidebar (self);
}

/* --- Taking back ----------------------------------------------------------------------- */

static void
forget_undo (EarWindow *self)
{
  g_autoptr (AdwToast) toast = g_steal_pointer (&self->undo_toast);

  g_clear_object (&self->undo);
  if (toast != NULL)
    adw_toast_dismiss (toast);
}

static gboolean
is_changing (EarWindow *self)
{
  return self->library != NULL &&
         ear_notices_get_changing (ear_library_get_notices (self->library));
}

static void
take_back (EarWindow *self)
{
  g_autoptr (EarUndo) undo = g_steal_pointer (&self->undo);

  if (undo == NULL)
    return;

  forget_undo (self);
  ear_undo_run (undo);
  ear_window_update_actions (self);
}

/* Undoes the last change, even if it is not stored yet. */
static void
undo_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (is_changing (self))
    ear_notices_take_change_back (ear_library_get_notices (self->library));
  else
    take_back (self);
}

/* Undoes the change that the toast is about, even if there was another one since. */
static void
toast_button_cb (AdwToast *toast, EarWindow *self)
{
  if (toast == self->undo_toast)
    take_back (self);
}

/* Shows the message of the change, with Undo or with the button that the change offers in its
 * place; Ctrl+Z undoes it later, too. A change without a message is plain to be seen, and left to
 * Ctrl+Z. */
void
ear_window_offer_undo (EarWindow *self, EarUndo *undo)
{
  const char *offer, *action, *target;

  forget_undo (self);
  self->undo = g_object_ref (undo);
  ear_window_update_actions (self);
  if (ear_undo_get_message (undo) == NULL)
    return;

  self->undo_toast = adw_toast_new (ear_undo_get_message (undo));
  adw_toast_set_use_markup (self->undo_toast, FALSE);
  offer = ear_undo_get_offer (undo, &action, &target);
  /* Without a letter for a key, which libadwaita (1.7) would read aloud as an underscore; there is
   * Ctrl+Z. */
  adw_toast_set_button_label (self->undo_toast, offer != NULL ? offer : _("Undo"));
  if (offer != NULL)
    {
      adw_toast_set_action_name (self->undo_toast, action);
      adw_toast_set_action_target (self->undo_toast, "s", target);
    }
  else
    g_signal_connect_object (self->undo_toast, "button-clicked", G_CALLBACK (toast_button_cb), self,
                             G_CONNECT_DEFAULT);
  ear_window_add_toast (self, g_object_ref (self->undo_toast));
}

/* Returns: (transfer none): what is read where the listener is: in the sheet of the player, or on
 * the page of the episode */
static EarEpisodeTabs *
get_tabs (EarWindow *self)
{
  EarEpisodeTabs *tabs =
      adw_bottom_sheet_get_open (self->sheet)
          ? ear_player_pane_get_tabs (EAR_PLAYER_PANE (adw_bottom_sheet_get_sheet (self->sheet)))
          : NULL;

  return tabs != NULL ? tabs : ear_episode_page_get_tabs (self->episode_page);
}

/* Searches the tab or list that the listener is in, or all podcasts. @parameter, from GNOME Shell,
 * has the words. */
static void
search (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (g_str_equal (g_action_get_name (G_ACTION (action)), "search") &&
      ear_episode_tabs_find (get_tabs (self)))
    return;
  /* GNOME Shell can ask for a search when nothing is followed. */
  if (ear_sidebar_page_get_item (self->sidebar_page) == NULL)
    return;
  ear_window_show_episodes (self);
  ear_episodes_page_begin_search (self->episodes_page,
                                  !g_str_equal (g_action_get_name (G_ACTION (action)), "search"));
  if (parameter != NULL)
    g_object_set (self->episodes_page, "search", g_variant_get_string (parameter, NULL), NULL);
}

static void
show_playing (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisode *episode = ear_player_get_episode (ear_library_get_player (self->library));

  if (episode != NULL)
    ear_window_show_episode (self, episode);
}

/* Lists the podcast of an episode, and chooses the episode there, instead of the first one of the
 * list. */
void
ear_window_list_podcast (EarWindow *self, EarEpisode *episode)
{
  ear_sidebar_page_choose_podcast (self->sidebar_page, ear_episode_get_podcast (episode));
  /* The podcast may be chosen already, with the results of a search in place of its list. */
  g_object_set (self->episodes_page, "search", NULL, NULL);
  ear_episodes_page_set_episode (self->episodes_page, episode);
}

static void
preview_podcast (EarWindow *self, EarPodcast *podcast)
{
  EarDiscoverDialog *dialog;

  if (ear_single_dialog_raise (GTK_WIDGET (self), "preview", podcast) != NULL)
    return;

  dialog = create_discover_dialog (self, NULL);
  ear_discover_dialog_preview (dialog, podcast);
  ear_single_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self), "preview", podcast);
}

/* Leads from the episode to its podcast: its list, or a preview where it is not followed and so
 * has no list. */
static void
show_podcast (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisode *shown = ear_episodes_page_get_episode (self->episodes_page);
  g_autoptr (EarEpisode) episode = shown != NULL ? g_object_ref (shown) : NULL;
  EarPodcast *podcast = episode != NULL ? ear_episode_get_podcast (episode) : NULL;

  if (podcast == NULL)
    return;
  if (!ear_podcast_get_followed (podcast))
    {
      preview_podcast (self, podcast);
      return;
    }

  ear_window_list_podcast (self, episode);
  ear_window_show_episodes (self);
  ear_episodes_page_enter (self->episodes_page);
}

static void
fullscreen_video (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_window_toggle_video (EAR_WINDOW (user_data));
}

static void
play_selected (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisode *episode = ear_episodes_page_get_episode (self->episodes_page);

  if (episode != NULL)
    ear_play_control_toggle (ear_library_get_play_control (self->library), episode,
                             ear_episodes_page_get_list (self->episodes_page));
}

/* Does a verb to the link that has the focus, or to the selected episodes while they are in sight,
 * or to the episode that is shown. */
static void
episode_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  const char *what = g_action_get_name (G_ACTION (action));
  g_autofree char *name = g_strconcat ("episode.", what, NULL);

  if (ear_link_row_take_action (GTK_WIDGET (self), what))
    return;
  if (!ear_window_is_covered (self) &&
      ear_episodes_page_toggle_selected (self->episodes_page, what))
    return;

  gtk_widget_activate_action_variant (GTK_WIDGET (self->episode_page), name, NULL);
}

/* A view or a podcast, by its name: see ear_sidebar_item_get_name(). */
static void
select_collection (EarWindow *self, const char *name)
{
  if (ear_sidebar_page_choose (self->sidebar_page, name))
    ear_window_show_episodes (self);
}

/* The parameter is a name of a sidebar item, or the first address of a podcast. */
static void
select_podcast (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *name = g_variant_get_string (parameter, NULL);
  g_autofree char *hash = ear_address_is_web (name) ? ear_address_hash (name, NULL) : NULL;

  select_collection (EAR_WINDOW (user_data), hash != NULL ? hash : name);
}

static void
new_list (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  ear_list_dialog_present (self->library, GTK_WIDGET (self), NULL);
}

/* A list of the listener's own, by its name. */
static void
show_list (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autofree char *name = g_strconcat ("list-", g_variant_get_string (parameter, NULL), NULL);

  select_collection (EAR_WINDOW (user_data), name);
}

/* The actions are named after the views: show-new, show-in-progress ... */
static void
show_view (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  select_collection (EAR_WINDOW (user_data),
                     g_action_get_name (G_ACTION (action)) + strlen ("show-"));
}

static void
show_statistics (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (ear_single_dialog_raise (GTK_WIDGET (self), "statistics", NULL) == NULL)
    ear_single_dialog_present (ADW_DIALOG (ear_statistics_dialog_new (self->library)),
                               GTK_WIDGET (self), "statistics", NULL);
}

/* The parameter is a position in the list. */
static void
select_episode (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarEpisodeList *list = ear_episodes_page_get_list (self->episodes_page);
  g_autoptr (EarEpisode) episode =
      list != NULL ? g_list_model_get_item (G_LIST_MODEL (list), g_variant_get_uint32 (parameter))
                   : NULL;

  if (episode == NULL)
    return;

  ear_episodes_page_set_episode (self->episodes_page, episode);
  ear_window_show_page (self);
}

static void
open_player (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  if (self->narrow && ear_player_get_episode (ear_library_get_player (self->library)) != NULL)
    adw_bottom_sheet_set_open (self->sheet, TRUE);
}

static void
main_menu (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);

  adw_bottom_sheet_set_open (self->sheet, FALSE);
  ear_window_show_sidebar (self);
  ear_sidebar_page_open_menu (self->sidebar_page);
}

static void
move_pane (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_window_move_pane (EAR_WINDOW (user_data),
                        g_str_equal (g_action_get_name (G_ACTION (action)), "next-pane") ? 1 : -1);
}

static void
move_tab (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_episode_tabs_move (get_tabs (EAR_WINDOW (user_data)),
                         g_str_equal (g_action_get_name (G_ACTION (action)), "next-tab") ? 1 : -1);
}

static void
show_tab (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_episode_tabs_choose (get_tabs (EAR_WINDOW (user_data)),
                           g_variant_get_string (parameter, NULL));
}

static void
queue_first (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_widget_activate_action (GTK_WIDGET (get_tabs (EAR_WINDOW (user_data))), "tabs.queue-first",
                              NULL);
}

/* Edits the note of the bookmark with that id. */
static void
edit_note (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *self = EAR_WINDOW (user_data);
  EarBookmarks *bookmarks = ear_library_get_bookmarks (self->library);
  EarBookmark *bookmark = ear_bookmarks_lookup (bookmarks, g_variant_get_string (parameter, NULL));

  if (bookmark != NULL)
    ear_bookmark_edit_note (bookmarks, bookmark, GTK_WIDGET (self));
}

static void
notify_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ear_window_show_reply (EAR_WINDOW (user_data), g_variant_get_string (parameter, NULL));
}

static const GActionEntry actions[] = {
  { "add-podcast", add_podcast },
  { "find-podcasts", add_podcast, "s" },
  { "sign-in-media", sign_in },
  { "sign-in-episode", sign_in },
  { "undo", undo_action },
  { "search", search },
  { "search-everywhere", search },
  { "search-for", search, "s" },
  { "show-playing", show_playing },
  { "fullscreen-video", fullscreen_video },
  { "show-podcast", show_podcast },
  { "play-selected", play_selected },
  { "show-up-next", show_view },
  { "show-new", show_view },
  { "show-in-progress", show_view },
  { "show-downloads", show_view },
  { "show-saved", show_view },
  { "show-history", show_view },
  { "statistics", show_statistics },
  { "new-list", new_list },
  { "show-list", show_list, "s" },
  { "select-podcast", select_podcast, "s" },
  { "select-episode", select_episode, "u" },
  { "open-player", open_player },
  { "main-menu", main_menu },
  { "next-pane", move_pane },
  { "previous-pane", move_pane },
  { "next-tab", move_tab },
  { "previous-tab", move_tab },
  { "show-tab", show_tab, "s" },
  { "queue-first", queue_first },
  { "edit-note", edit_note, "s" },
  { "notify", notify_action, "s" },
};

static void
set_enabled (EarWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

/* Disables actions that do not apply to the shown item. */
void
ear_window_update_actions (EarWindow *self)
{
  static const char *const of_episode[] = { "show-podcast", "play-selected", "sign-in-episode" };
  const gboolean chosen = ear_episodes_page_get_episode (self->episodes_page) != NULL;
  const gboolean collected = ear_sidebar_page_get_item (self->sidebar_page) != NULL;

  ear_sidebar_item_actions_set_target (self->chosen_actions,
                                       ear_sidebar_page_get_item (self->sidebar_page));
  set_enabled (self, "search", collected);
  set_enabled (self, "search-everywhere", collected);
  for (gsize i = 0; i < G_N_ELEMENTS (of_episode); i++)
    set_enabled (self, of_episode[i], chosen);
  set_enabled (self, "fullscreen-video",
               self->library != NULL &&
                   (ear_player_get_video (ear_library_get_player (self->library)) ||
                    gtk_widget_get_visible (self->video_screen)));
  set_enabled (self, "undo", self->undo != NULL || is_changing (self));
  set_enabled (self, "show-playing",
               self->library != NULL &&
                   ear_player_get_episode (ear_library_get_player (self->library)) != NULL);
}

static void
add_verb (const EarAccelerator *key, gpointer user_data)
{
  const GActionEntry entry = { key->action + strlen ("win."), episode_action };

  g_action_map_add_action_entries (G_ACTION_MAP (user_data), &entry, 1, user_data);
}

/* Adds the actions, before the template that names them. */
void
ear_window_add_actions (EarWindow *self)
{
  GActionMap *of_chosen = G_ACTION_MAP (ear_sidebar_item_actions_get_group (self->chosen_actions));
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (of_chosen));

  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  ear_episode_actions_foreach_key (add_verb, self);
  /* The keys and the menu of the chosen item share its actions. */
  for (gsize i = 0; names[i] != NULL; i++)
    g_action_map_add_action (G_ACTION_MAP (self), g_action_map_lookup_action (of_chosen, names[i]));
}
