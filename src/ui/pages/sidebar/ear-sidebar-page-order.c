/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-podcast-order.h"

/*
 * The listener's own order of the podcasts, and that of his lists: Alt and an arrow move one.
 */

/* The row that has the focus, or else the one that is chosen. */
static guint
find_moved (EarSidebarPage *self)
{
  const guint focused = ear_sidebar_page_find_focused (self);

  return focused != GTK_INVALID_LIST_POSITION ? focused : ear_sidebar_page_find_position (self, self->collection);
}

/* Returns: (nullable): what is listed there, if it is a podcast of that folder */
static EarPodcast *
get_podcast_in (EarSidebarPage *self, guint position, const char *folder)
{
  g_autoptr (EarCollection) collection = ear_sidebar_page_dup_collection (self, position);
  EarPodcast *podcast = collection != NULL ? ear_collection_get_podcast (collection) : NULL;

  return podcast != NULL && g_strcmp0 (ear_podcast_get_folder (podcast), folder) == 0 ? podcast : NULL;
}

/* Only in the listener's own order podcasts can be moved, and within their folder. */
static gboolean
move_podcast (EarSidebarPage *self, guint position, EarPodcast *podcast, gboolean up)
{
  const char *folder = ear_podcast_get_folder (podcast);
  EarPodcast *other = get_podcast_in (self, up ? position - 1 : position + 1, folder);
  g_autoptr (GPtrArray) moved = NULL;

  if (other == NULL || ear_podcast_order_from_name (self->order) != EAR_PODCAST_ORDER_BY_HAND)
    return FALSE;

  moved = g_ptr_array_new ();
  g_ptr_array_add (moved, podcast);
  ear_subscriptions_place (ear_library_get_subscriptions (self->library), moved, folder, up ? other : get_podcast_in (self, position + 2, folder));

  return TRUE;
}

static void
move (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  const gboolean up = g_str_equal (name, "list.move-up");
  const guint position = find_moved (self);
  g_autoptr (EarCollection) collection = ear_sidebar_page_dup_collection (self, position);
  EarList *list = collection != NULL ? ear_collection_get_list (collection) : NULL;
  EarPodcast *podcast = collection != NULL ? ear_collection_get_podcast (collection) : NULL;
  const gboolean moved = list != NULL ? ear_lists_move_by (ear_library_get_lists (self->library), list, up)
                                      : podcast != NULL && move_podcast (self, position, podcast, up);

  if (!moved)
    gtk_widget_error_bell (widget);
}

void
ear_sidebar_page_bind_order (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_property_action (widget_class, "list.sort-podcasts", "order");
  gtk_widget_class_install_action (widget_class, "list.move-up", NULL, move);
  gtk_widget_class_install_action (widget_class, "list.move-down", NULL, move);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "list.move-up", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "list.move-down", NULL);
}
