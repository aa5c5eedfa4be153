/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-window-item-actions.h"

#include <glib/gi18n.h>

#include "ear-address-dialog.h"
#include "ear-alert.h"
#include "ear-bookmark-actions.h"
#include "ear-chooser.h"
#include "ear-episode-actions.h"
#include "ear-error.h"
#include "ear-list-dialog.h"
#include "ear-podcast-dialog.h"
#include "ear-podcast-settings-dialog.h"
#include "ear-share-actions.h"
#include "ear-single-dialog.h"
#include "ear-window-private.h"

/**
 * EarSidebarItemActions:
 *
 * The actions of a podcast or a view: what its menus and the window's keys do. The window has
 * them twice: once for what is chosen, and once for the row whose menu is open.
 */
struct _EarSidebarItemActions
{
  GObject parent_instance;

  /* Owned */
  GSimpleActionGroup *group;
  EarSidebarItem *target;
  GSignalGroup *podcast_signals;
  GSignalGroup *downloader_signals;
  GSignalGroup *queue_signals;

  /* Borrowed */
  EarWindow *window; /* that owns it */
};

G_DEFINE_FINAL_TYPE (EarSidebarItemActions, ear_sidebar_item_actions, G_TYPE_OBJECT)

static EarPodcast *
get_podcast (EarSidebarItemActions *self)
{
  return self->target != NULL ? ear_sidebar_item_get_podcast (self->target) : NULL;
}

/* --- What can be done ------------------------------------------------------------------ */

static EarFolder *
get_folder (EarSidebarItemActions *self)
{
  return self->target != NULL ? ear_sidebar_item_get_folder (self->target) : NULL;
}

static void
refresh (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  EarRefresher *refresher = ear_library_get_refresher (self->window->library);
  GPtrArray *podcasts =
      get_folder (self) != NULL ? ear_folder_get_podcasts (get_folder (self)) : NULL;

  for (guint i = 0; podcasts != NULL && i < podcasts->len; i++)
    ear_refresher_refresh (refresher, podcasts->pdata[i], EAR_REFRESH_ONE);
  if (get_podcast (self) != NULL)
    ear_refresher_refresh (refresher, get_podcast (self), EAR_REFRESH_ONE);
  else if (podcasts == NULL)
    ear_refresher_refresh_all (refresher, EAR_REFRESH_ALL);
}

/* All that is there, whatever of it is listed. */
static void
mark_all (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  g_autoptr (EarEpisodeQuery) query =
      ear_sidebar_item_create_query (self->target, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);

  ear_history_set_marks (
      ear_library_get_history (self->window->library), &(EarMarkTarget){ .query = query },
      g_str_equal (g_action_get_name (G_ACTION (action)), "remove-all") ? EAR_MARK_REMOVED
                                                                        : EAR_MARK_LISTENED,
      TRUE);
}

static void
similar_wanted_cb (EarWindow *window, EarPodcastDialog *dialog)
{
  g_autoptr (EarPodcast) podcast = NULL;

  g_object_get (dialog, "podcast", &podcast, NULL);
  ear_window_discover (window, podcast, NULL);
}

static void
podcast_details (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  EarPodcast *podcast = get_podcast (self);
  GtkWidget *window = GTK_WIDGET (self->window);

  EarPodcastDialog *dialog;

  if (ear_single_dialog_raise (window, "podcast-details", podcast) != NULL)
    return;

  dialog = ear_podcast_dialog_new (self->window->library, podcast);
  g_signal_connect_object (dialog, "similar", G_CALLBACK (similar_wanted_cb), self->window,
                           G_CONNECT_SWAPPED);
  ear_single_dialog_present (ADW_DIALOG (dialog), window, "podcast-details", podcast);
}

static void
unfollow_wanted_cb (EarWindow *window, EarPodcastSettingsDialog *dialog)
{
  g_autoptr (EarPodcast) podcast = NULL;

  g_object_get (dialog, "podcast", &podcast, NULL);
  ear_window_unfollow (window, podcast);
}

static void
podcast_settings (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  EarPodcast *podcast = get_podcast (self);
  GtkWidget *window = GTK_WIDGET (self->window);
  EarPodcastSettingsDialog *dialog;

  if (ear_single_dialog_raise (window, "podcast-settings", podcast) != NULL)
    return;

  dialog = ear_podcast_settings_dialog_new (self->window->library, podcast);
  g_signal_connect_object (dialog, "unfollow", G_CALLBACK (unfollow_wanted_cb), self->window,
                           G_CONNECT_SWAPPED);
  ear_single_dialog_present (ADW_DIALOG (dialog), window, "podcast-settings", podcast);
}

static void
change_address (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  EarPodcast *podcast = get_podcast (self);
  GtkWidget *window = GTK_WIDGET (self->window);

  if (ear_single_dialog_raise (window, "change-address", podcast) == NULL)
    ear_single_dialog_present (
        ADW_DIALOG (ear_address_dialog_new (self->window->library, podcast)), window,
        "change-address", podcast);
}

static void
sign_in (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_window_ask_for_password (self->window, get_podcast (self));
}

static void
feed_reviewed_cb (AdwAlertDialog *dialog, const char *response, EarSidebarItemActions *self)
{
  EarPodcast *podcast = g_object_get_data (G_OBJECT (dialog), "podcast");
  EarRefresher *refresher = ear_library_get_refresher (self->window->library);

  if (g_str_equal (response, "replace"))
    ear_refresher_accept (refresher, podcast);
  else if (g_str_equal (response, "retry"))
    ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
}

/* Asks whether the podcast that is at the address of another one takes its place. */
static void
review_feed (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  EarPodcast *podcast = get_podcast (self);
  AdwDialog *dialog = ear_alert_new (_("Another Podcast?"));
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (dialog);

  adw_alert_dialog_format_body (
      alert,
      /* Translators: %s is the title of a podcast */
      _("The feed of “%s” answers with another podcast, and has none of its episodes. "
         "If you replace the podcast, the episodes you have are kept."),
      ear_podcast_get_name (podcast));
  adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "retry", _ ("_Retry"), "replace",
                                  _("Re_place"), NULL);
  adw_alert_dialog_set_response_appearance (alert, "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (alert, "retry");
  adw_alert_dialog_set_close_response (alert, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "podcast", g_object_ref (podcast), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (feed_reviewed_cb), self,
                           G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, GTK_WIDGET (self->window));
}

static void
unfollow (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  g_autoptr (EarPodcast) podcast = g_object_ref (get_podcast (self));

  ear_window_unfollow (self->window, podcast);
}

/* Copies the current address of the feed, not the one that was followed. */
static void
copy_feed (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_copy_address (GTK_WIDGET (self->window), ear_podcast_get_feed_address (get_podcast (self)),
                    ear_podcast_is_private (get_podcast (self)));
}

/* Something in a folder, that of a podcast say; what is hidden is not for the listener. */
static char *
find_visible (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  if (dir != NULL)
    do
      name = g_dir_read_name (dir);
    while (name != NULL && *name == '.');

  return name != NULL ? g_build_filename (folder, name, NULL) : NULL;
}

/* By what is in it: in a sandbox a folder itself cannot be opened, only be shown in the one around it. */
static void
open_downloads (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  g_autofree char *inside =
      find_visible (ear_downloader_get_path (ear_library_get_downloader (self->window->library)));

  if (inside != NULL)
    ear_show_in_folder (GTK_WIDGET (self->window), inside);
  else
    ear_window_show_reply (self->window, _("No downloads"));
}

static void
pause_downloads (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = user_data;

  ear_downloader_pause_all (ear_library_get_downloader (self->window->library));
}

static void
resume_downloads (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = user_data;

  ear_downloader_resume_all (ear_library_get_downloader (self->window->library));
}

static void
remove_downloads (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = user_data;

  /* Downloads that wait or failed are in the list, too, and stay. */
  ear_downloader_remove_all (ear_library_get_downloader (self->window->library));
}

static void
clear_queue (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_queue_clear (ear_library_get_queue (self->window->library));
}

static void
continued_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarWindow) window = user_data;
  g_autoptr (GError) error = NULL;

  if (!ear_play_control_continue_finish (EAR_PLAY_CONTROL (source), result, &error) &&
      g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_MEDIA))
    ear_window_show_reply (window, _("You have finished this series"));
}

static void
continue_series (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_play_control_continue_async (ear_library_get_play_control (self->window->library),
                                   get_podcast (self), continued_cb, g_object_ref (self->window));
}

static void
export_bookmarks (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *window = EAR_SIDEBAR_ITEM_ACTIONS (user_data)->window;

  ear_bookmarks_choose_export (ear_library_get_bookmarks (window->library),
                               g_variant_get_string (parameter, NULL), GTK_WINDOW (window));
}

/* --- Lists ----------------------------------------------------------------------------- */

static EarList *
get_list (EarSidebarItemActions *self)
{
  return self->target != NULL ? ear_sidebar_item_get_list (self->target) : NULL;
}

static EarLists *
get_lists (EarSidebarItemActions *self)
{
  return ear_library_get_lists (self->window->library);
}

static void
edit_list (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_list_dialog_present (self->window->library, GTK_WIDGET (self->window), get_list (self));
}

static void
remove_list (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);
  g_autoptr (EarList) list = g_object_ref (get_list (self));

  ear_lists_remove (get_lists (self), list);
}

static void
move_list (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_lists_move_by (get_lists (self), get_list (self),
                     g_str_equal (g_action_get_name (G_ACTION (action)), "move-list-up"));
}

/* --- Folders --------------------------------------------------------------------------- */

static void
add_to_folder (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_folder_chooser_present (self->window->library, GTK_WIDGET (self->window), get_podcast (self));
}

static void
rename_folder (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_folder_rename (self->window->library, GTK_WIDGET (self->window), get_folder (self));
}

static void
remove_folder (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (user_data);

  ear_subscriptions_remove_folder (ear_library_get_subscriptions (self->window->library),
                                   ear_folder_get_name (get_folder (self)));
}

static const GActionEntry actions[] = {
  { "refresh", refresh },
  { "mark-all", mark_all },
  { "remove-all", mark_all },
  { "podcast-details", podcast_details },
  { "podcast-settings", podcast_settings },
  { "change-address", change_address },
  { "sign-in", sign_in },
  { "review-feed", review_feed },
  { "unfollow", unfollow },
  { "copy-feed", copy_feed },
  { "open-downloads", open_downloads },
  { "pause-downloads", pause_downloads },
  { "resume-downloads", resume_downloads },
  { "remove-downloads", remove_downloads },
  { "clear-queue", clear_queue },
  { "continue-series", continue_series },
  { "export-bookmarks", export_bookmarks, "s" },
  { "edit-list", edit_list },
  { "remove-list", remove_list },
  { "move-list-up", move_list },
  { "move-list-down", move_list },
  { "add-to-folder", add_to_folder },
  { "rename-folder", rename_folder },
  { "remove-folder", remove_folder },
};

/* Returns: a property of one of the library's parts */
static guint
count (EarSidebarItemActions *self, const char *part_name, const char *property)
{
  g_autoptr (GObject) part = NULL;
  guint n = 0;

  if (self->window->library == NULL)
    return 0;

  g_object_get (self->window->library, part_name, &part, NULL);
  g_object_get (part, property, &n, NULL);

  return n;
}

static void
set_enabled (EarSidebarItemActions *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->group), name)), enabled);
}

/* Switches off what makes no sense for the target. */
static void
update (EarSidebarItemActions *self)
{
  static const char *const of_list[] = { "edit-list", "remove-list", "move-list-up",
                                         "move-list-down" };
  static const char *const of_podcast[] = {
    "podcast-details", "podcast-settings", "change-address",
    "unfollow",        "copy-feed",        "add-to-folder"
  };
  EarPodcast *podcast = get_podcast (self);
  const EarSidebarItemKind kind =
      self->target != NULL ? ear_sidebar_item_get_kind (self->target) : EAR_SIDEBAR_ITEM_PODCAST;
  const gboolean is_downloads = kind == EAR_SIDEBAR_ITEM_DOWNLOADS;
  const gboolean is_queue = kind == EAR_SIDEBAR_ITEM_QUEUE;
  const gboolean is_saved = kind == EAR_SIDEBAR_ITEM_SAVED;

  for (gsize i = 0; i < G_N_ELEMENTS (of_podcast); i++)
    set_enabled (self, of_podcast[i], podcast != NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (of_list); i++)
    set_enabled (self, of_list[i], kind == EAR_SIDEBAR_ITEM_LIST);
  set_enabled (self, "rename-folder", kind == EAR_SIDEBAR_ITEM_FOLDER);
  set_enabled (self, "remove-folder", kind == EAR_SIDEBAR_ITEM_FOLDER);
  set_enabled (self, "refresh", self->target != NULL);
  /* Up Next, Downloads and Saved are kept on purpose: no single click plays all of them. */
  set_enabled (self, "mark-all",
               self->target != NULL && !is_downloads && !is_queue && !is_saved &&
                   ear_sidebar_item_has_menu (self->target));
  set_enabled (self, "remove-all",
               kind == EAR_SIDEBAR_ITEM_NEW || kind == EAR_SIDEBAR_ITEM_IN_PROGRESS);
  set_enabled (self, "open-downloads", is_downloads);
  set_enabled (self, "pause-downloads", is_downloads && count (self, "downloader", "n-active") > 0);
  set_enabled (self, "resume-downloads",
               is_downloads && count (self, "downloader", "n-paused") > 0);
  set_enabled (self, "remove-downloads", is_downloads && count (self, "downloader", "n-done") > 0);
  set_enabled (self, "clear-queue", is_queue && count (self, "queue", "n-episodes") > 0);
  set_enabled (self, "export-bookmarks", is_saved);
  set_enabled (self, "sign-in", podcast != NULL && ear_podcast_get_needs_password (podcast));
  set_enabled (self, "review-feed",
               podcast != NULL && g_error_matches (ear_podcast_get_error (podcast), EAR_ERROR,
                                                   EAR_ERROR_OTHER_PODCAST));
  set_enabled (self, "continue-series", podcast != NULL && ear_podcast_get_series (podcast));
}

/* --- Class ----------------------------------------------------------------------------- */

static void
ear_sidebar_item_actions_dispose (GObject *object)
{
  EarSidebarItemActions *self = EAR_SIDEBAR_ITEM_ACTIONS (object);

  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->downloader_signals);
  g_clear_object (&self->queue_signals);
  g_clear_object (&self->target);
  g_clear_object (&self->group);

  G_OBJECT_CLASS (ear_sidebar_item_actions_parent_class)->dispose (object);
}

static void
ear_sidebar_item_actions_class_init (EarSidebarItemActionsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_sidebar_item_actions_dispose;
}

static void
ear_sidebar_item_actions_init (EarSidebarItemActions *self)
{
  self->group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->group), actions, G_N_ELEMENTS (actions),
                                   self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::series", G_CALLBACK (update),
                                  self);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::needs-password",
                                  G_CALLBACK (update), self);
  self->downloader_signals = g_signal_group_new (EAR_TYPE_DOWNLOADER);
  g_signal_group_connect_swapped (self->downloader_signals, "notify::n-active", G_CALLBACK (update),
                                  self);
  g_signal_group_connect_swapped (self->downloader_signals, "notify::n-paused", G_CALLBACK (update),
                                  self);
  g_signal_group_connect_swapped (self->downloader_signals, "notify::n-done", G_CALLBACK (update),
                                  self);
  self->queue_signals = g_signal_group_new (EAR_TYPE_QUEUE);
  g_signal_group_connect_swapped (self->queue_signals, "notify::n-episodes", G_CALLBACK (update),
                                  self);
  update (self);
}

EarSidebarItemActions *
ear_sidebar_item_actions_new (EarWindow *window)
{
  EarSidebarItemActions *self = g_object_new (EAR_TYPE_SIDEBAR_ITEM_ACTIONS, NULL);

  self->window = window;

  return self;
}

GActionGroup *
ear_sidebar_item_actions_get_group (EarSidebarItemActions *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM_ACTIONS (self), NULL);

  return G_ACTION_GROUP (self->group);
}

static gboolean
is_of (EarSidebarItem *item, EarSidebarItemKind kind)
{
  return item != NULL && ear_sidebar_item_get_kind (item) == kind;
}

void
ear_sidebar_item_actions_set_target (EarSidebarItemActions *self, EarSidebarItem *target)
{
  g_return_if_fail (EAR_IS_SIDEBAR_ITEM_ACTIONS (self));

  g_set_object (&self->target, target);
  g_signal_group_set_target (self->podcast_signals, get_podcast (self));
  g_signal_group_set_target (self->downloader_signals,
                             is_of (target, EAR_SIDEBAR_ITEM_DOWNLOADS)
                                 ? ear_library_get_downloader (self->window->library)
                                 : NULL);
  g_signal_group_set_target (self->queue_signals,
                             is_of (target, EAR_SIDEBAR_ITEM_QUEUE)
                                 ? ear_library_get_queue (self->window->library)
                                 : NULL);
  update (self);
}
