/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-podcast-order.h"

/*
 * The listener's own order of the podcasts: Alt and an arrow move one.
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

static void
move (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  const int step = g_str_equal (name, "list.move-up") ? -1 : 1;
  const guint position = find_moved (self);
  guint first;
  g_autoptr (GPtrArray) podcasts = list_podcasts (self, &first);
  const guint from = position - first;
  const guint to = from + (guint) step;
  gpointer other;

  if (position == GTK_INVALID_LIST_POSITION || position < first || to >= podcasts->len)
    {
      gtk_widget_error_bell (widget);
      return;
    }

  other = podcasts->pdata[to];
  podcasts->pdata[to] = podcasts->pdata[from];
  podcasts->pdata[from] = other;
  ear_subscriptions_place (ear_library_get_subscriptions (self->library), podcasts, to);
}

/* Only in the listener's own order podcasts can be moved. */
void
ear_sidebar_page_update_order (EarSidebarPage *self)
{
  const gboolean by_hand = ear_podcast_order_from_name (self->order) == EAR_PODCAST_ORDER_BY_HAND;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-up", by_hand);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.move-down", by_hand);
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
