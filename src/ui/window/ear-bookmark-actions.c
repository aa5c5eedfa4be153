/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-actions.h"

#include <glib/gi18n.h>

#include "ear-alert.h"
#include "ear-bookmark-export.h"
#include "ear-export.h"

/* The note of a bookmark, and bookmarks in a file of the listener's, for other programs. */

static const struct
{
  const char *name;
  const char *suffix;
} formats[] = {
  { "markdown", "md" },
  { "json", "json" },
};

/* Asks for a file, and writes all bookmarks to it.
 * @format: "markdown" or "json"; else nothing is done */
void
ear_bookmarks_choose_export (EarBookmarks *bookmarks, const char *format, GtkWindow *window)
{
  GListModel *list = ear_bookmarks_get_list (bookmarks);

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *name = NULL;
      g_autoptr (GBytes) bytes = NULL;

      if (!g_str_equal (format, formats[i].name))
        continue;
      bytes = g_str_equal (format, "json") ? ear_bookmark_export_json (list)
                                           : ear_bookmark_export_markdown (list, _("Bookmarks"));
      /* Translators: the name of a file that is offered, without its ending */
      name = g_strdup_printf ("%s.%s", C_("file name", "bookmarks"), formats[i].suffix);
      ear_export_choose (GTK_WIDGET (window), _("Export Bookmarks"), name, bytes,
                         _("Bookmarks exported"), _ ("The bookmarks could not be exported"));
    }
}

/* The note that is being written, and its bookmark: the row that asked may show another one by
 * then. */
typedef struct
{
  EarBookmarks *bookmarks;
  EarBookmark *bookmark;
  GtkEditable *entry; /* borrowed: the dialog's */
} Note;

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Note *note = user_data;
  g_autoptr (EarBookmarks) bookmarks = note->bookmarks;
  g_autoptr (EarBookmark) bookmark = note->bookmark;

  if (g_str_equal (adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (source), result), "save"))
    ear_bookmarks_set_note (bookmarks, bookmark, gtk_editable_get_text (note->entry));
}

/* Asks for the note of a bookmark. */
void
ear_bookmark_edit_note (EarBookmarks *bookmarks, EarBookmark *bookmark, GtkWidget *parent)
{
  const char *title = C_("bookmark", "Note");
  Note *note = g_new0 (Note, 1);
  AdwDialog *dialog = ear_alert_new_for_text (title, title, ear_bookmark_get_note (bookmark),
                                              _("_Save"), &note->entry);

  note->bookmarks = g_object_ref (bookmarks);
  note->bookmark = g_object_ref (bookmark);
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), parent, NULL, answered_cb, note);
  gtk_widget_grab_focus (GTK_WIDGET (note->entry));
}
