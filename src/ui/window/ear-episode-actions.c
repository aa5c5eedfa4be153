/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-actions.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-library.h"
#include "ear-list-chooser.h"
#include "ear-share-actions.h"

/* The last resort where the desktop has no browser: the listener gets the address. */
static void
address_opened_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (gtk_uri_launcher_launch_finish (GTK_URI_LAUNCHER (object), result, &error) ||
      g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
    return;

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), gtk_uri_launcher_get_uri (GTK_URI_LAUNCHER (object)));
  gtk_widget_activate_action (widget, "win.notify", "s", _("The link could not be opened. It was copied instead."));
}

/* Opens an address in the program that the listener has for it.
 * @address: (nullable): an http, https or mailto address; others are not opened */
void
ear_open_address (GtkWidget *widget, const char *address)
{
  g_autofree char *scheme = NULL;
  g_autoptr (GtkUriLauncher) launcher = NULL;
  GtkRoot *root;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  scheme = address != NULL ? g_uri_parse_scheme (address) : NULL;
  if (scheme == NULL || (!g_str_equal (scheme, "https") && !g_str_equal (scheme, "http") && !g_str_equal (scheme, "mailto")))
    return;

  root = gtk_widget_get_root (widget);
  launcher = gtk_uri_launcher_new (address);
  gtk_uri_launcher_launch (launcher, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                           address_opened_cb, g_object_ref (widget));
}

static EarEpisode *
dup_target (GtkWidget *widget)
{
  EarEpisode *episode = NULL;

  g_object_get (widget, "target", &episode, NULL);

  return episode;
}

/* What is to be done something with, and by whom; both to be let go of */
static gboolean
get_subject (GtkWidget *widget, EarEpisode **episode, EarLibrary **library)
{
  g_object_get (widget, "target", episode, "library", library, NULL);

  return *episode != NULL && *library != NULL;
}

/* The menu has the verb that makes sense, a key toggles. */
static const struct
{
  const char *name;
  EarMark mark;
  int value; /* what it is to be, or TOGGLE */
} marks[] = {
#define TOGGLE (-1)
  { "episode.toggle-listened", EAR_MARK_LISTENED, TOGGLE },
  { "episode.mark-listened", EAR_MARK_LISTENED, TRUE },
  { "episode.mark-unlistened", EAR_MARK_LISTENED, FALSE },
  { "episode.toggle-liked", EAR_MARK_LIKED, TOGGLE },
  { "episode.like", EAR_MARK_LIKED, TRUE },
  { "episode.unlike", EAR_MARK_LIKED, FALSE },
  { "episode.toggle-archived", EAR_MARK_ARCHIVED, TOGGLE },
  { "episode.archive", EAR_MARK_ARCHIVED, TRUE },
  { "episode.unarchive", EAR_MARK_ARCHIVED, FALSE },
};

static void
set_mark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;

  if (!get_subject (widget, &episode, &library))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (g_str_equal (marks[i].name, name))
      ear_history_set_mark (ear_library_get_history (library), episode, marks[i].mark,
                            marks[i].value != TOGGLE ? marks[i].value : !ear_episode_get_mark (episode, marks[i].mark));
}

static const char *const queue_actions[] = { "episode.toggle-queued", "episode.play-next", "episode.play-last", "episode.remove-from-queue" };

/* What there is no address of cannot be had, nor what is only looked at before it is followed. */
static gboolean
can_download (EarEpisode *episode)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  return enclosure != NULL && enclosure->address != NULL && ear_address_is_web (enclosure->address) &&
         podcast != NULL && ear_podcast_get_followed (podcast);
}

/* Under each name that a menu has for it, and under the one that a button and a key have */
static void
toggle_download (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;
  gboolean wanted;

  if (!get_subject (widget, &episode, &library))
    return;

  wanted = g_str_equal (name, "episode.toggle-download") ? !ear_episode_has_download (episode)
                                                         : !g_str_equal (name, "episode.cancel-download") && !g_str_equal (name, "episode.remove-download");
  if (g_str_equal (name, "episode.pause-download"))
    ear_downloader_pause (ear_library_get_downloader (library), episode);
  else if (wanted)
    ear_downloader_download (ear_library_get_downloader (library), episode);
  else
    ear_downloader_remove (ear_library_get_downloader (library), episode);
}

/* Under each name that a menu has for it, and under the one that a button and a key have */
static void
set_queued (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();
  EarQueue *queue;

  if (!get_subject (widget, &episode, &library))
    return;

  queue = ear_library_get_queue (library);
  g_ptr_array_add (episodes, episode);
  if (g_str_equal (name, "episode.play-next"))
    ear_queue_add_next (queue, episodes);
  else if (g_str_equal (name, "episode.remove-from-queue") ||
           (g_str_equal (name, "episode.toggle-queued") && ear_queue_has (episode)))
    ear_queue_remove (queue, episodes);
  else
    ear_queue_add_last (queue, episodes);
}

static void
add_to_list (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);

  if (!get_subject (widget, &episode, &library))
    return;

  g_ptr_array_add (episodes, g_steal_pointer (&episode));
  ear_list_chooser_present (library, widget, episodes);
}

static void
file_shown_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (gtk_file_launcher_open_containing_folder_finish (GTK_FILE_LAUNCHER (source), result, &error) ||
      g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
    return;

  g_info ("The folder cannot be shown: %s", error->message);
  gtk_widget_activate_action (widget, "win.notify", "s", _("No app can show the folder"));
}

/* Shows the folder around a file, or around another folder, in the program that the listener has for it. */
void
ear_show_in_folder (GtkWidget *widget, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (file);

  g_return_if_fail (GTK_IS_WIDGET (widget));

  gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (gtk_widget_get_root (widget)), NULL, file_shown_cb,
                                            g_object_ref (widget));
}

static void
show_file (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;
  g_autofree char *path = NULL;

  if (!get_subject (widget, &episode, &library))
    return;
  path = ear_downloader_dup_file (ear_library_get_downloader (library), episode);
  if (path != NULL)
    ear_show_in_folder (widget, path);
}

static void
open_link (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = dup_target (widget);

  if (episode != NULL)
    ear_open_address (widget, ear_episode_get_facts (episode)->link);
}

/* Where the listener can give something for an episode, or else for its podcast */
static const char *
get_support (EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  GPtrArray *funding = ear_episode_get_facts (episode)->funding;

  if (funding->len == 0 && podcast != NULL)
    funding = ear_podcast_get_facts (podcast)->funding;

  return funding->len > 0 ? ((EarFunding *) g_ptr_array_index (funding, 0))->address : NULL;
}

static void
support (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = dup_target (widget);

  if (episode != NULL)
    ear_open_address (widget, get_support (episode));
}

/* Gives a class the actions of an episode.
 * @widget_class: the class of a widget with the properties `library` and `target` */
void
ear_episode_actions_install (GtkWidgetClass *widget_class)
{
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    gtk_widget_class_install_action (widget_class, marks[i].name, NULL, set_mark);
  gtk_widget_class_install_action (widget_class, "episode.toggle-download", NULL, toggle_download);
  gtk_widget_class_install_action (widget_class, "episode.download", NULL, toggle_download);
  gtk_widget_class_install_action (widget_class, "episode.retry-download", NULL, toggle_download);
  gtk_widget_class_install_action (widget_class, "episode.pause-download", NULL, toggle_download);
  gtk_widget_class_install_action (widget_class, "episode.resume-download", NULL, toggle_download);
  gtk_widget_class_install_action (widget_class, "episode.cancel-download", NULL, toggle_download);
  gtk_widget_class_install_action (widget_class, "episode.remove-download", NULL, toggle_download);
  for (gsize i = 0; i < G_N_ELEMENTS (queue_actions); i++)
    gtk_widget_class_install_action (widget_class, queue_actions[i], NULL, set_queued);
  gtk_widget_class_install_action (widget_class, "episode.add-to-list", NULL, add_to_list);
  gtk_widget_class_install_action (widget_class, "episode.show-file", NULL, show_file);
  gtk_widget_class_install_action (widget_class, "episode.open-link", NULL, open_link);
  gtk_widget_class_install_action (widget_class, "episode.support", NULL, support);
  ear_share_actions_install (widget_class);
}

/* Returns: whether it can be downloaded, or its download be removed */
gboolean
ear_episode_actions_can_download (EarEpisode *episode)
{
  return episode != NULL && (can_download (episode) || ear_episode_has_download (episode));
}

static void
update_download (GtkWidget *widget, EarEpisode *episode)
{
  const EarDownload download = episode != NULL ? ear_episode_get_download (episode) : EAR_DOWNLOAD_NONE;
  const gboolean can = episode != NULL && can_download (episode);
  const gboolean failed = download == EAR_DOWNLOAD_FAILED;
  /* What is tried again by itself later can be tried now. */
  const gboolean waits = download == EAR_DOWNLOAD_WAITING && ear_episode_get_download_error (episode) != NULL;

  gtk_widget_action_set_enabled (widget, "episode.toggle-download", ear_episode_actions_can_download (episode));
  gtk_widget_action_set_enabled (widget, "episode.download", can && download == EAR_DOWNLOAD_NONE);
  gtk_widget_action_set_enabled (widget, "episode.retry-download", can && (failed || waits));
  gtk_widget_action_set_enabled (widget, "episode.cancel-download",
                                 failed || download == EAR_DOWNLOAD_WAITING || download == EAR_DOWNLOAD_RUNNING || download == EAR_DOWNLOAD_PAUSED);
  gtk_widget_action_set_enabled (widget, "episode.pause-download", download == EAR_DOWNLOAD_WAITING || download == EAR_DOWNLOAD_RUNNING);
  gtk_widget_action_set_enabled (widget, "episode.resume-download", download == EAR_DOWNLOAD_PAUSED);
  gtk_widget_action_set_enabled (widget, "episode.remove-download", download == EAR_DOWNLOAD_DONE);
  gtk_widget_action_set_enabled (widget, "episode.show-file", download == EAR_DOWNLOAD_DONE);
}

static void
update_queue (GtkWidget *widget, EarEpisode *episode)
{
  const gboolean queued = episode != NULL && ear_queue_has (episode);
  const gboolean playable = episode != NULL && ear_episode_get_enclosure (episode) != NULL;

  gtk_widget_action_set_enabled (widget, "episode.toggle-queued", playable);
  gtk_widget_action_set_enabled (widget, "episode.play-next", playable);
  gtk_widget_action_set_enabled (widget, "episode.play-last", playable);
  gtk_widget_action_set_enabled (widget, "episode.remove-from-queue", queued);
}

/* Switches off what this episode cannot do. */
void
ear_episode_actions_update (GtkWidget *widget, EarEpisode *episode)
{
  const gboolean linked = episode != NULL && ear_episode_get_facts (episode)->link != NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    gtk_widget_action_set_enabled (widget, marks[i].name,
                                   episode != NULL && ear_episode_get_mark (episode, marks[i].mark) != marks[i].value);
  /* What was heard is no longer new or in progress anyway. */
  if (episode != NULL && ear_episode_get_listened (episode))
    gtk_widget_action_set_enabled (widget, "episode.archive", FALSE);
  update_download (widget, episode);
  update_queue (widget, episode);
  gtk_widget_action_set_enabled (widget, "episode.add-to-list", episode != NULL && ear_lists_accept (episode));
  gtk_widget_action_set_enabled (widget, "episode.open-link", linked);
  gtk_widget_action_set_enabled (widget, "episode.support", episode != NULL && get_support (episode) != NULL);
  ear_share_actions_update (widget, episode);
}
