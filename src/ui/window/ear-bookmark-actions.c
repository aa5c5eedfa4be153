/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-actions.h"

#include <glib/gi18n.h>

#include "ear-bookmark-export.h"
#include "ear-export.h"

/* Bookmarks in a file of the listener's, for other programs. */

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
      bytes = g_str_equal (format, "json") ? ear_bookmark_export_json (list) : ear_bookmark_export_markdown (list, _("Bookmarks"));
      /* Translators: the name of a file that is offered, without its ending */
      name = g_strdup_printf ("%s.%s", C_("file name", "bookmarks"), formats[i].suffix);
      ear_export_choose (GTK_WIDGET (window), _("Export Bookmarks"), name, bytes, _("Bookmarks exported"),
                         _("The bookmarks could not be exported"));
    }
}
