/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "ear-bookmark-export.h"
#include "ear-dialog.h"
#include "ear-error.h"
#include "ear-share.h"
#include "ear-widget.h"
#include "ear-window-private.h"

/* The actions of a podcast, a folder, a list or a view, for its menus and the window's
 * keys. The window has them twice: for the chosen item of the sidebar, and for the row
 * there whose menu is open; a dialog about a podcast has them once more. */
struct _EarItemActions
{
  EarWindow *window; /* borrowed: it, or a dialog in it, owns this */
  AdwDialog *dialog; /* (nullable): borrowed: that dialog */
  GSimpleActionGroup *group;
  EarSidebarItem *target;        /* (nullable) */
  GSignalGroup *subject_signals; /* of what decides which actions apply */
};

static EarPodcast *
get_podcast (EarItemActions *self)
{
  return self->target != NULL ? ear_sidebar_item_get_podcast (self->target) : NULL;
}

/* --- Podcasts and views ------------------------------------------------------------- */

static void
refresh (EarItemActions *self)
{
  EarRefresher *refresher = ear_library_get_refresher (self->window->library);
  EarFolder *folder = ear_sidebar_item_get_folder (self->target);
  GPtrArray *podcasts = folder != NULL ? ear_folder_get_podcasts (folder) : NULL;

  for (guint i = 0; podcasts != NULL && i < podcasts->len; i++)
    ear_refresher_refresh (refresher, podcasts->pdata[i], EAR_REFRESH_ONE);
  if (get_podcast (self) != NULL)
    ear_refresher_refresh (refresher, get_podcast (self), EAR_REFRESH_ONE);
  else if (podcasts == NULL)
    ear_refresher_refresh_all (refresher, EAR_REFRESH_ALL);
}

/* Marks all episodes of the item as played, or removes them from it, whatever filter its
 * list has. */
static void
mark_all (EarItemActions *self, GVariant *parameter, GAction *action)
{
  const gboolean removes = g_str_equal (g_action_get_name (action), "remove-all");
  g_autoptr (EarEpisodeQuery) query =
      ear_sidebar_item_create_query (self->target, EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);

  ear_history_set_marks (ear_library_get_history (self->window->library),
                         &(EarMarkTarget){ .query = query },
                         removes ? EAR_MARK_REMOVED : EAR_MARK_LISTENED, TRUE);
}

/* Presents the details or the settings of the podcast. Their buttons run these actions for that
 * podcast even if another item is chosen meanwhile. */
static void
show_podcast (EarItemActions *self, GVariant *parameter, GAction *action)
{
  EarLibrary *library = self->window->library;
  EarItemActions *actions = ear_item_actions_new (self->window);
  AdwDialog *dialog = g_str_equal (g_action_get_name (action), "podcast-settings")
                          ? ear_podcast_settings_dialog_new (library, get_podcast (self))
                          : ear_podcast_dialog_new (library, get_podcast (self));

  actions->dialog = dialog;
  ear_item_actions_set_target (actions, self->target);
  gtk_widget_insert_action_group (GTK_WIDGET (dialog), "collection",
                                  ear_item_actions_get_group (actions));
  g_object_set_data_full (G_OBJECT (dialog), "ear-item-actions", actions,
                          (GDestroyNotify) ear_item_actions_free);
  ear_single_dialog_present (dialog, GTK_WIDGET (self->window), get_podcast (self));
}

/* Closes the details of the podcast. */
static void
find_similar (EarItemActions *self)
{
  g_autoptr (EarPodcast) podcast = g_object_ref (get_podcast (self));
  EarWindow *window = self->window;

  if (self->dialog != NULL)
    adw_dialog_close (self->dialog);
  ear_window_discover (window, podcast, NULL);
}

static void
followed_again_cb (EarPodcast *podcast, GParamSpec *pspec, EarWindow *window)
{
  g_signal_handlers_disconnect_by_func (podcast, followed_again_cb, window);
  ear_sidebar_page_choose_podcast (window->sidebar_page, podcast);
}

/* Unfollows the podcast. If it was chosen, undoing that chooses it again. */
static void
unfollow (EarItemActions *self)
{
  EarWindow *window = self->window;
  EarSidebarPage *page = window->sidebar_page;
  EarSidebarItem *chosen = ear_sidebar_page_get_item (page);
  g_autoptr (EarPodcast) podcast = g_object_ref (get_podcast (self));
  const gboolean was_chosen = chosen != NULL && ear_sidebar_item_get_podcast (chosen) == podcast;

  ear_subscriptions_unfollow (ear_library_get_subscriptions (window->library), podcast);
  if (!was_chosen)
    return;

  g_signal_connect_object (podcast, "notify::followed", G_CALLBACK (followed_again_cb), window,
                           G_CONNECT_DEFAULT);
  chosen = ear_sidebar_page_get_item (page);
  if (chosen == NULL || ear_sidebar_item_get_podcast (chosen) == NULL)
    ear_window_show_sidebar (window);
}

static void
change_address (EarItemActions *self)
{
  EarPodcast *podcast = get_podcast (self);

  ear_single_dialog_present (ear_feed_dialog_new (self->window->library, podcast, FALSE),
                             GTK_WIDGET (self->window), podcast);
}

static void
sign_in (EarItemActions *self)
{
  ear_window_sign_in (self->window, get_podcast (self));
}

static void
feed_reviewed_cb (EarRefresher *refresher, const char *response, AdwAlertDialog *dialog)
{
  EarPodcast *podcast = g_object_get_data (G_OBJECT (dialog), "podcast");

  if (g_str_equal (response, "replace"))
    ear_refresher_accept (refresher, podcast);
  else if (g_str_equal (response, "retry"))
    ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
}

/* Asks whether the podcast that is at the address of another one takes its place. */
static void
review_feed (EarItemActions *self)
{
  EarPodcast *podcast = get_podcast (self);
  g_autofree char *body = g_strdup_printf (
      /* Translators: %s is the title of a podcast */
      _("The feed of “%s” answers with another podcast, and has none of its episodes. "
        "If you replace the podcast, the episodes you have are kept."),
      ear_podcast_get_name (podcast));
  AdwDialog *dialog = ear_question_new (_("Another Podcast?"), body, "retry", _("_Retry"),
                                        "replace", _("Re_place"));

  g_object_set_data_full (G_OBJECT (dialog), "podcast", g_object_ref (podcast), g_object_unref);
  ear_connect (dialog, "response", feed_reviewed_cb,
               ear_library_get_refresher (self->window->library));
  adw_dialog_present (dialog, GTK_WIDGET (self->window));
}

/* Copies the current address of the feed, not the one that was followed. */
static void
copy_feed (EarItemActions *self)
{
  ear_copy_address (GTK_WIDGET (self->window), ear_podcast_get_feed_address (get_podcast (self)),
                    ear_podcast_is_private (get_podcast (self)));
}

static void
continued_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarWindow) window = user_data;
  g_autoptr (GError) error = NULL;

  if (!ear_playback_controller_resume_finish (EAR_PLAYBACK_CONTROLLER (source), result, &error) &&
      g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_MEDIA))
    ear_window_show_toast (window, _("You have finished this series"));
}

static void
continue_series (EarItemActions *self)
{
  ear_playback_controller_continue_async (
      ear_library_get_playback_controller (self->window->library), get_podcast (self),
      continued_cb, g_object_ref (self->window));
}

/* Asks for a file, and writes all bookmarks to it. The parameter is the format: "markdown" or
 * "json"; another one, from the session bus, is ignored. */
static void
export_bookmarks (EarItemActions *self, GVariant *parameter)
{
  const char *format = g_variant_get_string (parameter, NULL);
  GListModel *list = ear_bookmarks_get_list (ear_library_get_bookmarks (self->window->library));
  const gboolean is_json = g_str_equal (format, "json");
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *name = NULL;

  if (!is_json && !g_str_equal (format, "markdown"))
    return;

  bytes = is_json ? ear_bookmark_export_json (list)
                  : ear_bookmark_export_markdown (list, _("Bookmarks"));
  /* Translators: the name of a file that is offered, without its ending */
  name = g_strdup_printf ("%s.%s", C_("file name", "bookmarks"), is_json ? "json" : "md");
  ear_export_choose (GTK_WIDGET (self->window), ear_library_get_notices (self->window->library),
                     "export-bookmarks", name, bytes, _("Bookmarks exported"),
                     _("The bookmarks could not be exported"));
}

/* Shows a file or folder in the folder of downloads: a sandboxed program cannot open a
 * folder, only show something in it. */
static void
open_downloads (EarItemActions *self)
{
  const char *folder = ear_downloader_get_path (ear_library_get_downloader (self->window->library));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  if (dir != NULL)
    do
      name = g_dir_read_name (dir);
    while (name != NULL && *name == '.');

  if (name != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      ear_show_in_folder (GTK_WIDGET (self->window), path);
    }
  else
    ear_window_show_toast (self->window, _("No downloads"));
}

/* --- Lists and folders -------------------------------------------------------------- */

static void
edit_list (EarItemActions *self)
{
  ear_list_dialog_present (self->window->library, GTK_WIDGET (self->window),
                           ear_sidebar_item_get_list (self->target));
}

static void
remove_list (EarItemActions *self)
{
  g_autoptr (EarList) list = g_object_ref (ear_sidebar_item_get_list (self->target));

  ear_lists_remove (ear_library_get_lists (self->window->library), list);
}

static void
move_list (EarItemActions *self, GVariant *parameter, GAction *action)
{
  ear_lists_move_by (ear_library_get_lists (self->window->library),
                     ear_sidebar_item_get_list (self->target),
                     g_str_has_suffix (g_action_get_name (action), "-up"));
}

static void
add_to_folder (EarItemActions *self)
{
  ear_folder_chooser_present (self->window->library, GTK_WIDGET (self->window), get_podcast (self));
}

static void
rename_folder (EarItemActions *self)
{
  ear_folder_rename (self->window->library, GTK_WIDGET (self->window),
                     ear_sidebar_item_get_folder (self->target));
}

static void
remove_folder (EarItemActions *self)
{
  ear_subscriptions_rename_folder (
      ear_library_get_subscriptions (self->window->library),
      ear_folder_get_name (ear_sidebar_item_get_folder (self->target)), NULL);
}

/* --- Table -------------------------------------------------------------------------- */

static gboolean
has_other_feed (EarSidebarItem *target)
{
  return g_error_matches (ear_podcast_get_error (ear_sidebar_item_get_podcast (target)), EAR_ERROR,
                          EAR_ERROR_OTHER_PODCAST);
}

#define KIND(name) (1u << EAR_SIDEBAR_ITEM_##name)
#define ANY G_MAXUINT

typedef struct
{
  EarActionEntry entry;
  guint kinds;                               /* of the targets that the action applies to */
  gboolean (*can) (EarSidebarItem *target);  /* (nullable) */
  const char *condition;                     /* (nullable): property of the subject, not 0 */
} ItemAction;

static const ItemAction actions[] = {
  { { "refresh", G_CALLBACK (refresh) }, ANY },
  /* Episodes in Up Next, Downloads and Saved are kept on purpose: none of these marks all. */
  { { "mark-all", G_CALLBACK (mark_all) }, ~(KIND (DOWNLOADS) | KIND (QUEUE) | KIND (SAVED)),
    ear_sidebar_item_has_menu },
  { { "remove-all", G_CALLBACK (mark_all) }, KIND (NEW) | KIND (IN_PROGRESS) },
  { { "podcast-details", G_CALLBACK (show_podcast) }, KIND (PODCAST) },
  { { "podcast-settings", G_CALLBACK (show_podcast) }, KIND (PODCAST) },
  { { "find-similar", G_CALLBACK (find_similar) }, KIND (PODCAST) },
  { { "change-address", G_CALLBACK (change_address) }, KIND (PODCAST) },
  { { "sign-in", G_CALLBACK (sign_in) }, KIND (PODCAST), .condition = "needs-password" },
  { { "review-feed", G_CALLBACK (review_feed) }, KIND (PODCAST), has_other_feed },
  { { "unfollow", G_CALLBACK (unfollow) }, KIND (PODCAST) },
  { { "copy-feed", G_CALLBACK (copy_feed) }, KIND (PODCAST) },
  { { "continue-series", G_CALLBACK (continue_series) }, KIND (PODCAST), .condition = "series" },
  { { "add-to-folder", G_CALLBACK (add_to_folder) }, KIND (PODCAST) },
  { { "rename-folder", G_CALLBACK (rename_folder) }, KIND (FOLDER) },
  { { "remove-folder", G_CALLBACK (remove_folder) }, KIND (FOLDER) },
  { { "edit-list", G_CALLBACK (edit_list) }, KIND (LIST) },
  { { "remove-list", G_CALLBACK (remove_list) }, KIND (LIST) },
  { { "move-list-up", G_CALLBACK (move_list) }, KIND (LIST) },
  { { "move-list-down", G_CALLBACK (move_list) }, KIND (LIST) },
  { { "export-bookmarks", G_CALLBACK (export_bookmarks), "s" }, KIND (SAVED) },
  { { "open-downloads", G_CALLBACK (open_downloads) }, KIND (DOWNLOADS) },
  { { "pause-downloads", G_CALLBACK (ear_downloader_pause_all), .part = "downloader" },
    KIND (DOWNLOADS), .condition = "n-active" },
  { { "resume-downloads", G_CALLBACK (ear_downloader_resume_all), .part = "downloader" },
    KIND (DOWNLOADS), .condition = "n-paused" },
  /* Removes finished downloads; others are in the list, too, and stay. */
  { { "remove-downloads", G_CALLBACK (ear_downloader_remove_all), .part = "downloader" },
    KIND (DOWNLOADS), .condition = "n-done" },
  { { "clear-queue", G_CALLBACK (ear_queue_clear), .part = "queue" }, KIND (QUEUE),
    .condition = "n-episodes" },
};

/* Returns: (nullable): the object whose properties decide which actions apply */
static gpointer
get_subject (EarItemActions *self)
{
  const EarSidebarItemKind kind =
      self->target != NULL ? ear_sidebar_item_get_kind (self->target) : EAR_SIDEBAR_ITEM_PODCAST;

  if (kind == EAR_SIDEBAR_ITEM_DOWNLOADS)
    return ear_library_get_downloader (self->window->library);
  if (kind == EAR_SIDEBAR_ITEM_QUEUE)
    return ear_library_get_queue (self->window->library);

  return get_podcast (self);
}

static gboolean
applies (EarItemActions *self, const ItemAction *action)
{
  int value = TRUE;

  if (self->target == NULL ||
      (action->kinds & (1u << ear_sidebar_item_get_kind (self->target))) == 0)
    return FALSE;
  if (action->condition != NULL)
    g_object_get (get_subject (self), action->condition, &value, NULL);

  return value != 0 && (action->can == NULL || action->can (self->target));
}

/* Disables the actions that do not apply to the target. */
static void
update (EarItemActions *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    ear_action_set_enabled (G_ACTION_MAP (self->group), actions[i].entry.name,
                            applies (self, &actions[i]));
}

/* --- Target ------------------------------------------------------------------------- */

EarItemActions *
ear_item_actions_new (EarWindow *window)
{
  EarItemActions *self = g_new0 (EarItemActions, 1);

  self->window = window;
  self->group = g_simple_action_group_new ();
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    ear_actions_add (G_ACTION_MAP (self->group), &actions[i].entry, 1,
                     actions[i].entry.part != NULL ? (gpointer) window : self);
  self->subject_signals = g_signal_group_new (G_TYPE_OBJECT);
  g_signal_group_connect_swapped (self->subject_signals, "notify", G_CALLBACK (update), self);
  update (self);

  return self;
}

void
ear_item_actions_free (EarItemActions *self)
{
  g_object_unref (self->subject_signals);
  g_clear_object (&self->target);
  g_object_unref (self->group);
  g_free (self);
}

GActionGroup *
ear_item_actions_get_group (EarItemActions *self)
{
  return G_ACTION_GROUP (self->group);
}

/* @target: (nullable) */
void
ear_item_actions_set_target (EarItemActions *self, EarSidebarItem *target)
{
  g_set_object (&self->target, target);
  g_signal_group_set_target (self->subject_signals, get_subject (self));
  update (self);
}
