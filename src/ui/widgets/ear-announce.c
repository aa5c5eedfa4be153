/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-announce.h"

/* gtk_accessible_announce(), also where nobody listens: without an accessibility bus GTK has a context for tests, and
 * up to 4.18 ends the program when that is to announce something. */
void
ear_announce (GtkAccessible *accessible, const char *message, GtkAccessibleAnnouncementPriority priority)
{
  g_autoptr (GtkATContext) context = gtk_accessible_get_at_context (accessible);

  if (context != NULL && !g_str_equal (G_OBJECT_TYPE_NAME (context), "GtkTestATContext"))
    gtk_accessible_announce (accessible, message, priority);
}
