/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-actions.h"

#include <glib/gi18n.h>

#include "ear-bookmark-export.h"

/* Bookmarks in a file of the listener's, for other programs. */

static const struct
{
  const char *name;
  const char *suffix;
} formats[] = {
  { "markdown", "md" },
  { "json", "json" },
};

/* What is exported, and where it is said */
typedef struct
{
  EarBookmarks *bookmarks;
  GtkWindow *window;
  gboolean json;
} Export;

static void
export_free (Export *export)
{
  g_object_unref (export->bookmarks);
  g_object_unref (export->window);
  g_free (export);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  const gboolean ok = g_file_replace_contents_finish (G_FILE (source), result, NULL, NULL);

  gtk_widget_activate_action (GTK_WIDGET (export->window), "win.notify", "s",
                              ok ? _("Bookmarks exported") : _("The bookmarks could not be saved there"));
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (source), result, NULL);
  GListModel *list = ear_bookmarks_get_list (export->bookmarks);
  g_autoptr (GBytes) bytes = NULL;

  if (file == NULL)
    return;
  bytes = export->json ? ear_bookmark_export_json (list) : ear_bookmark_export_markdown (list, _("Bookmarks"));
  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL, written_cb, g_steal_pointer (&export));
}

/* Asks for a file, and writes all bookmarks to it.
 * @format: "markdown" or "json"; else nothing is done */
void
ear_bookmarks_choose_export (EarBookmarks *bookmarks, const char *format, GtkWindow *window)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *name = NULL;
      Export *export;

      if (!g_str_equal (format, formats[i].name))
        continue;
      export = g_new0 (Export, 1);
      export->bookmarks = g_object_ref (bookmarks);
      export->window = g_object_ref (window);
      export->json = g_str_equal (format, "json");
      /* Translators: the name of a file that is offered, without its ending */
      name = g_strdup_printf ("%s.%s", C_("file name", "bookmarks"), formats[i].suffix);
      gtk_file_dialog_set_title (dialog, _("Export Bookmarks"));
      gtk_file_dialog_set_initial_name (dialog, name);
      gtk_file_dialog_save (dialog, window, NULL, chosen_cb, export);
    }
}
