/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-export.h"

/* What is the listener's, in a file of his, for other programs. */

/* What is exported, and what is said of it, where */
typedef struct
{
  GtkWidget *widget;
  GBytes *bytes;
  char *done;
  char *failed;
} Export;

static void
export_free (Export *export)
{
  g_object_unref (export->widget);
  g_bytes_unref (export->bytes);
  g_free (export->done);
  g_free (export->failed);
  g_free (export);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  const gboolean ok = g_file_replace_contents_finish (G_FILE (source), result, NULL, NULL);

  gtk_widget_activate_action (export->widget, "win.notify", "s", ok ? export->done : export->failed);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, NULL);

  if (file != NULL)
    g_file_replace_contents_bytes_async (file, export->bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL, written_cb, g_steal_pointer (&export));
}

/* Asks for a file, and writes to it.
 * @widget: within a window
 * @title: of the question
 * @name: of the file that is offered
 * @done: what is said when it is written
 * @failed: what is said when that cannot be done */
void
ear_export_choose (GtkWidget *widget, const char *title, const char *name, GBytes *bytes, const char *done, const char *failed)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  Export *export = g_new0 (Export, 1);

  export->widget = g_object_ref (widget);
  export->bytes = g_bytes_ref (bytes);
  export->done = g_strdup (done);
  export->failed = g_strdup (failed);
  gtk_file_dialog_set_title (dialog, title);
  gtk_file_dialog_set_initial_name (dialog, name);
  gtk_file_dialog_save (dialog, GTK_WINDOW (gtk_widget_get_root (widget)), NULL, chosen_cb, export);
}
