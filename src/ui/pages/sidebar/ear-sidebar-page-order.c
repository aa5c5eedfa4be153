/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-podcast-order.h"

/*
 * The listener's own order of the podcasts, and that of his lists: Alt and an arrow move one.
 */

/* Returns: (transfer full) (element-type EarPodcast): the podcasts as they are listed
 * @first: (out): where the first of them is listed */
static GPtrArray *
list_podcasts (EarSidebarPage *self, guint *first)
{
  const guint n = ear_sidebar_page_count_collections (self);
  GPtrArray *podcasts = g_ptr_array_new_with_free_func (g_object_unref);

  *first = n - ear_sidebar_page_count_podcasts (self);
  for (guint i = *first; i < n; i++)
    {
      g_autoptr (EarCollection) collection = ear_sidebar_page_dup_collection (self, i);

      g_ptr_array_add (podcasts, g_object_ref (ear_collection_get_podcast (collection)));
    }

  return podcasts;
}

/* The row that has the focus, or else the one that is chosen. */
static guint
find_moved (EarSidebarPage *self)
{
  const guint focused = ear_sidebar_page_find_focused (self);

  return focused != GTK_INVALID_LIST_POSITION ? focused : ear_sidebar_page_find_position (self, self->collection);
}

/* Only in the listener's own order podcasts can be moved. */
static gboolean
move_podcast (EarSidebarPage *self, guint position, gboolean up)
{
  const int step = up ? -1 : 1;
  guint first;
  g_autoptr (GPtrArray) podcasts = list_podcasts (self, &first);
  const guint from = position - first;
  const guint to = from + (guint) step;
  gpointer other;

  if (ear_podcast_order_from_name (self->order) != EAR_PODCAST_ORDER_BY_HAND || position < first || to >= podcasts->len)
    return FALSE;

  other = podcasts->pdata[to];
  podcasts->pdata[to] = podcasts->pdata[from];
  podcasts->pdata[from] = other;
  ear_subscriptions_place (ear_library_get_subscriptions (self->library), podcasts, to);

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
  const gboolean moved = list != NULL ? ear_lists_move_by (ear_library_get_lists (self->library), list, up)
                                      : collection != NULL && move_podcast (self, position, up);

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
