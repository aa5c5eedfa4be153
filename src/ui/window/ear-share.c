/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-share.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "ear-dialog.h"
#include "ear-episode.h"

/* Opening addresses and folders in other apps, copying, the code for a phone, and
 * export to files. All of it needs a widget in a window: its window shows the
 * messages and dialogs. */

static void
notify (GtkWidget *widget, const char *message)
{
  gtk_widget_activate_action (widget, "win.notify", "s", message);
}

/* --- Opening ------------------------------------------------------------------------ */

/* Without a browser, the listener gets the address on the clipboard. */
static void
address_opened_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (gtk_uri_launcher_launch_finish (GTK_URI_LAUNCHER (object), result, &error) ||
      g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
    return;

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget),
                          gtk_uri_launcher_get_uri (GTK_URI_LAUNCHER (object)));
  notify (widget, _("The link could not be opened. It was copied instead."));
}

/* Opens an address in the listener's app for it.
 * @address: (nullable): an http, https or mailto address; others are not opened */
void
ear_open_address (GtkWidget *widget, const char *address)
{
  g_autofree char *scheme = address != NULL ? g_uri_parse_scheme (address) : NULL;
  g_autoptr (GtkUriLauncher) launcher = NULL;
  GtkRoot *root = gtk_widget_get_root (widget);

  if (scheme == NULL || (!g_str_equal (scheme, "https") && !g_str_equal (scheme, "http") &&
                         !g_str_equal (scheme, "mailto")))
    return;

  launcher = gtk_uri_launcher_new (address);
  gtk_uri_launcher_launch (launcher, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                           address_opened_cb, g_object_ref (widget));
}

static void
file_shown_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (gtk_file_launcher_open_containing_folder_finish (GTK_FILE_LAUNCHER (source), result,
                                                       &error) ||
      g_error_matches (error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED))
    return;

  g_info ("The folder cannot be shown: %s", error->message);
  notify (widget, _("No app can show the folder"));
}

/* Shows a file or folder in the folder around it. */
void
ear_show_in_folder (GtkWidget *widget, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GtkFileLauncher) launcher = gtk_file_launcher_new (file);

  gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (gtk_widget_get_root (widget)),
                                            NULL, file_shown_cb, g_object_ref (widget));
}

/* --- Copying and the code ----------------------------------------------------------- */

void
ear_copy_text (GtkWidget *widget, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  /* Translators: an address, or a quotation, is on the clipboard now */
  notify (widget, _("Copied"));
}

/* Asks whether to share a private address, and calls @agreed with the window if the listener
 * agrees.
 * @share: label of the button that agrees
 * @shared: (transfer full): the text or file to share, as data of the dialog with that name */
static void
ask_about_private (GtkWidget *widget, const char *share, GCallback agreed, gpointer shared,
                   GDestroyNotify destroy)
{
  GtkRoot *window = gtk_widget_get_root (widget);
  AdwDialog *dialog = ear_question_new (
      _("Share a Private Address?"),
      _("This address works like a password. Anyone with it could listen in your name."), NULL,
      NULL, "share", share);

  g_object_set_data_full (G_OBJECT (dialog), "shared", shared, destroy);
  ear_connect (dialog, "response::share", agreed, window);
  adw_dialog_present (dialog, GTK_WIDGET (window));
}

static void
copy_agreed_cb (GtkWidget *window, const char *response, GObject *dialog)
{
  ear_copy_text (window, g_object_get_data (dialog, "shared"));
}

/* @is_private: whether the listener is asked before the address is copied */
void
ear_copy_address (GtkWidget *widget, const char *address, gboolean is_private)
{
  if (is_private)
    ask_about_private (widget, _("_Copy"), G_CALLBACK (copy_agreed_cb), g_strdup (address), g_free);
  else
    ear_copy_text (widget, address);
}

static void
code_agreed_cb (GtkWidget *window, const char *response, GObject *dialog)
{
  AdwDialog *code = g_object_get_data (dialog, "shared");
  g_autoptr (EarEpisode) episode = NULL;

  g_object_get (code, "episode", &episode, NULL);
  ear_single_dialog_present (code, window, episode);
}

/* Shows a code with which a phone continues the episode from @time. */
void
ear_show_code (GtkWidget *widget, EarEpisode *episode, gint64 time)
{
  const gboolean is_private = ear_episode_is_address_private (episode, EAR_ADDRESS_MEDIA);
  AdwDialog *code = ear_phone_dialog_new (episode, time, is_private);

  if (is_private)
    ask_about_private (widget, _("_Show Code"), G_CALLBACK (code_agreed_cb),
                       g_object_ref_sink (code), g_object_unref);
  else
    ear_single_dialog_present (code, GTK_WIDGET (gtk_widget_get_root (widget)), episode);
}

/* --- Export ------------------------------------------------------------------------- */

/* A slow disk may still write after the window is closed. */
static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GObject) dialog = user_data;
  const gboolean ok = g_file_replace_contents_finish (G_FILE (source), result, NULL, NULL);

  ear_notices_add (g_object_get_data (dialog, "notices"), !ok, "%s",
                   (const char *) g_object_get_data (dialog, ok ? "done" : "failed"));
}

static void
chosen_cb (GObject *dialog, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (dialog), result, NULL);

  if (file != NULL)
    g_file_replace_contents_bytes_async (file, g_object_get_data (dialog, "bytes"), NULL, FALSE,
                                         G_FILE_CREATE_NONE, NULL, written_cb,
                                         g_object_ref (dialog));
}

/* Asks for a file, and writes to it.
 * @dialog_name: a dialog of ear-file-dialogs.ui
 * @name: the file name that is offered
 * @done: the message once the file is written, a translation
 * @failed: the message if it cannot be written, which stays until it is dismissed */
void
ear_export_choose (GtkWidget *widget, EarNotices *notices, const char *dialog_name,
                   const char *name, GBytes *bytes, const char *done, const char *failed)
{
  g_autoptr (GtkFileDialog) dialog = ear_file_dialog_new (dialog_name);
  GObject *data = G_OBJECT (dialog);

  gtk_file_dialog_set_initial_name (dialog, name);
  g_object_set_data_full (data, "notices", g_object_ref (notices), g_object_unref);
  g_object_set_data_full (data, "bytes", g_bytes_ref (bytes), (GDestroyNotify) g_bytes_unref);
  g_object_set_data (data, "done", (gpointer) done);
  g_object_set_data (data, "failed", (gpointer) failed);
  gtk_file_dialog_save (dialog, GTK_WINDOW (gtk_widget_get_root (widget)), NULL, chosen_cb, NULL);
}
