/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-item-actions.h"

#include <glib/gi18n.h>

#include "ear-address-dialog.h"
#include "ear-chooser.h"
#include "ear-dialog.h"
#include "ear-error.h"
#include "ear-list-dialog.h"
#include "ear-podcast-dialog.h"
#include "ear-podcast-settings-dialog.h"
#include "ear-property.h"
#include "ear-share.h"
#include "ear-widget.h"

/**
 * EarSidebarItemActions:
 *
 * The actions of a podcast, a folder, a list or a view, for its menus and the window's
 * keys. The window has two of these objects: one for the chosen item of the sidebar,
 * one for the row there whose menu is open. The window's property `library` is read
 * when an action runs.
 */
struct _EarSidebarItemActions
{
  GObject parent_instance;

  /* Owned */
  GSimpleActionGroup *group;
  EarSidebarItem *target; /* (nullable) */
  GSignalGroup *podcast_signals;
  GSignalGroup *downloader_signals;
  GSignalGroup *queue_signals;

  /* Borrowed */
  GtkWidget *window; /* owns this object */
};

G_DEFINE_FINAL_TYPE (EarSidebarItemActions, ear_sidebar_item_actions, G_TYPE_OBJECT)

enum
{
  FIND_SIMILAR,
  SIGN_IN,
  UNFOLLOW,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* Returns: (nullable) */
static EarLibrary *
get_library (EarSidebarItemActions *self)
{
  g_autoptr (EarLibrary) library = NULL;

  g_object_get (self->window, "library", &library, NULL);

  return library; /* the window keeps it */
}

static EarPodcast *
get_podcast (EarSidebarItemActions *self)
{
  return self->target != NULL ? ear_sidebar_item_get_podcast (self->target) : NULL;
}

/* --- Podcasts and views ------------------------------------------------------------- */

static void
refresh (EarSidebarItemActions *self)
{
  EarRefresher *refresher = ear_library_get_refresher (get_library (self));
  EarFolder *folder = ear_sidebar_item_get_folder (self->target);
  GPtrArray *podcasts = folder != NULL ? ear_folder_get_podcasts (folder) : NULL;

  for (guint i = 0; podcasts != NULL && i < podcasts->len; i++)
    ear_refresher_refresh (refresher, podcasts->pdata[i], EAR_REFRESH_ONE);
  if (get_podcast (self) != NULL)
    ear_refresher_refresh (refresher, get_podcast (self), EAR_REFRESH_ONE);
  else if (podcasts == NULL)
    ear_refresher_refresh_all (refresher, EAR_REFRESH_ALL);
}

/* Marks all episodes of the item, whatever filter its list has. */
static void
set_marks (EarSidebarItemActions *self, EarMark mark)
{
  g_autoptr (EarEpisodeQuery) query =
      ear_sidebar_item_create_query (self->target, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);

  ear_history_set_marks (ear_library_get_history (get_library (self)),
                         &(EarMarkTarget){ .query = query }, mark, TRUE);
}

static void
mark_all (EarSidebarItemActions *self)
{
  set_marks (self, EAR_MARK_LISTENED);
}

static void
remove_all (EarSidebarItemActions *self)
{
  set_marks (self, EAR_MARK_REMOVED);
}

static void
similar_cb (EarSidebarItemActions *self, EarPodcastDialog *dialog)
{
  g_autoptr (EarPodcast) podcast = NULL;

  g_object_get (dialog, "podcast", &podcast, NULL);
  g_signal_emit (self, signals[FIND_SIMILAR], 0, podcast);
}

static void
podcast_details (EarSidebarItemActions *self)
{
  EarPodcast *podcast = get_podcast (self);
  EarPodcastDialog *dialog;

  if (ear_single_dialog_raise (self->window, "podcast-details", podcast) != NULL)
    return;

  dialog = ear_podcast_dialog_new (get_library (self), podcast);
  g_signal_connect_object (dialog, "similar", G_CALLBACK (similar_cb), self, G_CONNECT_SWAPPED);
  ear_single_dialog_present (ADW_DIALOG (dialog), self->window, "podcast-details", podcast);
}

static void
unfollow_cb (EarSidebarItemActions *self, EarPodcastSettingsDialog *dialog)
{
  g_autoptr (EarPodcast) podcast = NULL;

  g_object_get (dialog, "podcast", &podcast, NULL);
  g_signal_emit (self, signals[UNFOLLOW], 0, podcast);
}

static void
podcast_settings (EarSidebarItemActions *self)
{
  EarPodcast *podcast = get_podcast (self);
  EarPodcastSettingsDialog *dialog;

  if (ear_single_dialog_raise (self->window, "podcast-settings", podcast) != NULL)
    return;

  dialog = ear_podcast_settings_dialog_new (get_library (self), podcast);
  g_signal_connect_object (dialog, "unfollow", G_CALLBACK (unfollow_cb), self, G_CONNECT_SWAPPED);
  ear_single_dialog_present (ADW_DIALOG (dialog), self->window, "podcast-settings", podcast);
}

static void
change_address (EarSidebarItemActions *self)
{
  EarPodcast *podcast = get_podcast (self);

  if (ear_single_dialog_raise (self->window, "change-address", podcast) == NULL)
    ear_single_dialog_present (ADW_DIALOG (ear_address_dialog_new (get_library (self), podcast)),
                               self->window, "change-address", podcast);
}

static void
sign_in (EarSidebarItemActions *self)
{
  g_signal_emit (self, signals[SIGN_IN], 0, get_podcast (self));
}

static void
unfollow (EarSidebarItemActions *self)
{
  g_autoptr (EarPodcast) podcast = g_object_ref (get_podcast (self));

  g_signal_emit (self, signals[UNFOLLOW], 0, podcast);
}

static void
feed_reviewed_cb (AdwAlertDialog *dialog, const char *response, EarSidebarItemActions *self)
{
  EarPodcast *podcast = g_object_get_data (G_OBJECT (dialog), "podcast");
  EarRefresher *refresher = ear_library_get_refresher (get_library (self));

  if (g_str_equal (response, "replace"))
    ear_refresher_accept (refresher, podcast);
  else if (g_str_equal (response, "retry"))
    ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
}

/* Asks whether the podcast that is at the address of another one takes its place. */
static void
review_feed (EarSidebarItemActions *self)
{
  EarPodcast *podcast = get_podcast (self);
  AdwDialog *dialog = ear_alert_new (_("Another Podcast?"));
  AdwAlertDialog *alert = ADW_ALERT_DIALOG (dialog);

  adw_alert_dialog_format_body (
      alert,
      /* Translators: %s is the title of a podcast */
      _("The feed of “%s” answers with another podcast, and has none of its episodes. "
         "If you replace the podcast, the episodes you have are kept."),
      ear_podcast_get_name (podcast));
  adw_alert_dialog_add_responses (alert, "cancel", _("_Cancel"), "retry", _("_Retry"), "replace",
                                  _("Re_place"), NULL);
  adw_alert_dialog_set_response_appearance (alert, "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (alert, "retry");
  adw_alert_dialog_set_close_response (alert, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "podcast", g_object_ref (podcast), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (feed_reviewed_cb), self,
                           G_CONNECT_DEFAULT);
  adw_dialog_present (dialog, self->window);
}

/* Copies the current address of the feed, not the one that was followed. */
static void
copy_feed (EarSidebarItemActions *self)
{
  ear_copy_address (self->window, ear_podcast_get_feed_address (get_podcast (self)),
                    ear_podcast_is_private (get_podcast (self)));
}

static void
continued_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) window = user_data;
  g_autoptr (GError) error = NULL;

  if (!ear_play_control_continue_finish (EAR_PLAY_CONTROL (source), result, &error) &&
      g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_MEDIA))
    gtk_widget_activate_action (window, "win.notify", "s", _("You have finished this series"));
}

static void
continue_series (EarSidebarItemActions *self)
{
  ear_play_control_continue_async (ear_library_get_play_control (get_library (self)),
                                   get_podcast (self), continued_cb, g_object_ref (self->window));
}

/* The parameter is the format. */
static void
export_bookmarks (EarSidebarItemActions *self, GVariant *parameter)
{
  ear_export_bookmarks (self->window, ear_library_get_bookmarks (get_library (self)),
                        g_variant_get_string (parameter, NULL));
}

static void
clear_queue (EarSidebarItemActions *self)
{
  ear_queue_clear (ear_library_get_queue (get_library (self)));
}

/* --- Downloads ---------------------------------------------------------------------- */

static EarDownloader *
get_downloader (EarSidebarItemActions *self)
{
  return ear_library_get_downloader (get_library (self));
}

/* Shows a file or folder in the folder of downloads: a sandboxed program cannot open a
 * folder, only show something in it. */
static void
open_downloads (EarSidebarItemActions *self)
{
  const char *folder = ear_downloader_get_path (get_downloader (self));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  if (dir != NULL)
    do
      name = g_dir_read_name (dir);
    while (name != NULL && *name == '.');

  if (name != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      ear_show_in_folder (self->window, path);
    }
  else
    gtk_widget_activate_action (self->window, "win.notify", "s", _("No downloads"));
}

static void
pause_downloads (EarSidebarItemActions *self)
{
  ear_downloader_pause_all (get_downloader (self));
}

static void
resume_downloads (EarSidebarItemActions *self)
{
  ear_downloader_resume_all (get_downloader (self));
}

/* Removes finished downloads; others are in the list, too, and stay. */
static void
remove_downloads (EarSidebarItemActions *self)
{
  ear_downloader_remove_all (get_downloader (self));
}

/* --- Lists and folders -------------------------------------------------------------- */

static EarLists *
get_lists (EarSidebarItemActions *self)
{
  return ear_library_get_lists (get_library (self));
}

static void
edit_list (EarSidebarItemActions *self)
{
  ear_list_dialog_present (get_library (self), self->window,
                           ear_sidebar_item_get_list (self->target));
}

static void
remove_list (EarSidebarItemActions *self)
{
  g_autoptr (EarList) list = g_object_ref (ear_sidebar_item_get_list (self->target));

  ear_lists_remove (get_lists (self), list);
}

static void
move_list_up (EarSidebarItemActions *self)
{
  ear_lists_move_by (get_lists (self), ear_sidebar_item_get_list (self->target), TRUE);
}

static void
move_list_down (EarSidebarItemActions *self)
{
  ear_lists_move_by (get_lists (self), ear_sidebar_item_get_list (self->target), FALSE);
}

static void
add_to_folder (EarSidebarItemActions *self)
{
  ear_folder_chooser_present (get_library (self), self->window, get_podcast (self));
}

static void
rename_folder (EarSidebarItemActions *self)
{
  ear_folder_rename (get_library (self), self->window, ear_sidebar_item_get_folder (self->target));
}

static void
remove_folder (EarSidebarItemActions *self)
{
  ear_subscriptions_remove_folder (
      ear_library_get_subscriptions (get_library (self)),
      ear_folder_get_name (ear_sidebar_item_get_folder (self->target)));
}

/* --- Table -------------------------------------------------------------------------- */

static const EarActionEntry actions[] = {
  { "refresh", G_CALLBACK (refresh) },
  { "mark-all", G_CALLBACK (mark_all) },
  { "remove-all", G_CALLBACK (remove_all) },
  { "podcast-details", G_CALLBACK (podcast_details) },
  { "podcast-settings", G_CALLBACK (podcast_settings) },
  { "change-address", G_CALLBACK (change_address) },
  { "sign-in", G_CALLBACK (sign_in) },
  { "review-feed", G_CALLBACK (review_feed) },
  { "unfollow", G_CALLBACK (unfollow) },
  { "copy-feed", G_CALLBACK (copy_feed) },
  { "open-downloads", G_CALLBACK (open_downloads) },
  { "pause-downloads", G_CALLBACK (pause_downloads) },
  { "resume-downloads", G_CALLBACK (resume_downloads) },
  { "remove-downloads", G_CALLBACK (remove_downloads) },
  { "clear-queue", G_CALLBACK (clear_queue) },
  { "continue-series", G_CALLBACK (continue_series) },
  { "export-bookmarks", G_CALLBACK (export_bookmarks), "s" },
  { "edit-list", G_CALLBACK (edit_list) },
  { "remove-list", G_CALLBACK (remove_list) },
  { "move-list-up", G_CALLBACK (move_list_up) },
  { "move-list-down", G_CALLBACK (move_list_down) },
  { "add-to-folder", G_CALLBACK (add_to_folder) },
  { "rename-folder", G_CALLBACK (rename_folder) },
  { "remove-folder", G_CALLBACK (remove_folder) },
};

/* Returns: a property of one of the library's parts */
static guint
count (EarSidebarItemActions *self, const char *part_name, const char *property)
{
  g_autoptr (GObject) part = NULL;
  guint n;

  g_object_get (get_library (self), part_name, &part, NULL);
  g_object_get (part, property, &n, NULL);

  return n;
}

/* Disables the actions that do not apply to the target. */
static void
update (EarSidebarItemActions *self)
{
  EarPodcast *podcast = get_podcast (self);
  const gboolean has_target = self->target != NULL && get_library (self) != NULL;
  /* Without a target it has the kind of a podcast, but no podcast. */
  const EarSidebarItemKind kind =
      has_target ? ear_sidebar_item_get_kind (self->target) : EAR_SIDEBAR_ITEM_PODCAST;
  const gboolean is_list = kind == EAR_SIDEBAR_ITEM_LIST;
  const gboolean is_folder = kind == EAR_SIDEBAR_ITEM_FOLDER;
  const gboolean is_downloads = kind == EAR_SIDEBAR_ITEM_DOWNLOADS;
  const gboolean is_queue = kind == EAR_SIDEBAR_ITEM_QUEUE;
  const gboolean is_saved = kind == EAR_SIDEBAR_ITEM_SAVED;
  const struct
  {
    const char *name;
    gboolean enabled;
  } states[] = {
    { "refresh", has_target },
    /* Episodes in Up Next, Downloads and Saved are kept on purpose: none of
     * these marks all. */
    { "mark-all", has_target && !is_downloads && !is_queue && !is_saved &&
                      ear_sidebar_item_has_menu (self->target) },
    { "remove-all", kind == EAR_SIDEBAR_ITEM_NEW || kind == EAR_SIDEBAR_ITEM_IN_PROGRESS },
    { "podcast-details", podcast != NULL },
    { "podcast-settings", podcast != NULL },
    { "change-address", podcast != NULL },
    { "unfollow", podcast != NULL },
    { "copy-feed", podcast != NULL },
    { "add-to-folder", podcast != NULL },
    { "sign-in", podcast != NULL && ear_podcast_get_needs_password (podcast) },
    { "review-feed", podcast != NULL && g_error_matches (ear_podcast_get_error (podcast), EAR_ERROR,
                                                         EAR_ERROR_OTHER_PODCAST) },
    { "continue-series", podcast != NULL && ear_podcast_get_series (podcast) },
    { "open-downloads", is_downloads },
    { "pause-downloads", is_downloads && count (self, "downloader", "n-active") > 0 },
    { "resume-downloads", is_downloads && count (self, "downloader", "n-paused") > 0 },
    { "remove-downloads", is_downloads && count (self, "downloader", "n-done") > 0 },
    { "clear-queue", is_queue && count (self, "queue", "n-episodes") > 0 },
    { "export-bookmarks", is_saved },
    { "edit-list", is_list },
    { "remove-list", is_list },
    { "move-list-up", is_list },
    { "move-list-down", is_list },
    { "rename-folder", is_folder },
    { "remove-folder", is_folder },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    ear_action_set_enabled (G_ACTION_MAP (self->group), states[i].name, states[i].enabled);
}

/* --- Class -------------------------------------------------------------------------- */

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
  static const char *const names[N_SIGNALS] = { "find-similar", "sign-in", "unfollow" };

  G_OBJECT_CLASS (klass)->dispose = ear_sidebar_item_actions_dispose;

  /* Requests to the window, each with a podcast */
  for (gsize i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
}

/* @properties: %NULL-terminated
 * Returns: (transfer full): a group that calls update() when one of them changes */
static GSignalGroup *
create_signals (EarSidebarItemActions *self, GType type, const char *const *properties)
{
  GSignalGroup *group = g_signal_group_new (type);

  for (; *properties != NULL; properties++)
    g_signal_group_connect_swapped (group, *properties, G_CALLBACK (update), self);

  return group;
}

static void
ear_sidebar_item_actions_init (EarSidebarItemActions *self)
{
  self->group = g_simple_action_group_new ();
  ear_actions_add (G_ACTION_MAP (self->group), actions, G_N_ELEMENTS (actions), self);
  self->podcast_signals = create_signals (
      self, EAR_TYPE_PODCAST,
      (const char *const[]){ "notify::series", "notify::needs-password", NULL });
  self->downloader_signals = create_signals (
      self, EAR_TYPE_DOWNLOADER,
      (const char *const[]){ "notify::n-active", "notify::n-paused", "notify::n-done", NULL });
  self->queue_signals = create_signals (self, EAR_TYPE_QUEUE,
                                        (const char *const[]){ "notify::n-episodes", NULL });
}

EarSidebarItemActions *
ear_sidebar_item_actions_new (GtkWidget *window)
{
  EarSidebarItemActions *self = g_object_new (EAR_TYPE_SIDEBAR_ITEM_ACTIONS, NULL);

  self->window = window;
  update (self);

  return self;
}

GActionGroup *
ear_sidebar_item_actions_get_group (EarSidebarItemActions *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM_ACTIONS (self), NULL);

  return G_ACTION_GROUP (self->group);
}

/* @target: (nullable) */
void
ear_sidebar_item_actions_set_target (EarSidebarItemActions *self, EarSidebarItem *target)
{
  const EarSidebarItemKind kind =
      target != NULL ? ear_sidebar_item_get_kind (target) : EAR_SIDEBAR_ITEM_PODCAST;
  EarLibrary *library = get_library (self);

  g_set_object (&self->target, target);
  g_signal_group_set_target (self->podcast_signals, get_podcast (self));
  g_signal_group_set_target (
      self->downloader_signals,
      kind == EAR_SIDEBAR_ITEM_DOWNLOADS ? ear_library_get_downloader (library) : NULL);
  g_signal_group_set_target (self->queue_signals, kind == EAR_SIDEBAR_ITEM_QUEUE
                                                      ? ear_library_get_queue (library)
                                                      : NULL);
  update (self);
}
