/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmarks-view.h"

#include <glib/gi18n.h>

#include "ear-bookmark-row.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-rows-in-sight.h"

/**
 * EarBookmarksView:
 *
 * The bookmarks of all podcasts, the newest first. A click shows the episode; a button plays from
 * there.
 */
struct _EarBookmarksView
{
  AdwBin parent_instance;

  /* Template children */
  GtkStack *stack;
  GtkListView *list_view;
  AdwStatusPage *status;

  /* Owned */
  EarBookmarks *bookmarks;
  GtkFilterListModel *found;
  char *search; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (EarBookmarksView, ear_bookmarks_view, ADW_TYPE_BIN)

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, EarBookmarksView *self)
{
  GtkWidget *row = GTK_WIDGET (ear_bookmark_row_new (self->bookmarks, FALSE));

  gtk_list_item_set_child (item, row);
  g_object_bind_property (row, "spoken", item, "accessible-label", G_BINDING_SYNC_CREATE);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  ear_bookmark_row_set_bookmark (EAR_BOOKMARK_ROW (gtk_list_item_get_child (item)),
                                 gtk_list_item_get_item (item));
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  ear_bookmark_row_set_bookmark (EAR_BOOKMARK_ROW (gtk_list_item_get_child (item)), NULL);
}

static gboolean
is_found (gpointer item, gpointer user_data)
{
  return ear_bookmark_matches (EAR_BOOKMARK (item), EAR_BOOKMARKS_VIEW (user_data)->search);
}

static void
update_state (EarBookmarksView *self)
{
  const gboolean empty = g_list_model_get_n_items (G_LIST_MODEL (self->found)) == 0;

  adw_status_page_set_title (self->status,
                             self->search != NULL ? _("No Bookmarks Found") : _("No Bookmarks"));
  adw_status_page_set_description (self->status,
                                   self->search != NULL
                                     ? _("Try other words.")
                                     : _("Press Ctrl+K or the bookmark button while you listen."));
  gtk_stack_set_visible_child_name (self->stack, empty ? "status" : "list");
}

static void
items_changed_cb (EarBookmarksView *self, guint position, guint n_removed, guint n_added)
{
  ear_rows_keep_top (self->list_view, position, n_added);
}

static void
activated_cb (EarBookmarksView *self)
{
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_BOOKMARK_ROW);

  if (row != NULL)
    ear_bookmark_row_show (EAR_BOOKMARK_ROW (row));
}

static gboolean
delete_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  GtkWidget *row =
    ear_row_with_focus (GTK_WIDGET (EAR_BOOKMARKS_VIEW (widget)->list_view), EAR_TYPE_BOOKMARK_ROW);

  if (row == NULL)
    return GDK_EVENT_PROPAGATE;
  ear_bookmark_row_remove (EAR_BOOKMARK_ROW (row));

  return GDK_EVENT_STOP;
}

static void
ear_bookmarks_view_dispose (GObject *object)
{
  EarBookmarksView *self = EAR_BOOKMARKS_VIEW (object);

  if (self->list_view != NULL)
    gtk_list_view_set_model (self->list_view, NULL);
  if (self->found != NULL)
    g_signal_handlers_disconnect_by_data (self->found, self);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_BOOKMARKS_VIEW);
  g_clear_object (&self->found);
  g_clear_object (&self->bookmarks);
  g_clear_pointer (&self->search, g_free);

  G_OBJECT_CLASS (ear_bookmarks_view_parent_class)->dispose (object);
}

static void
ear_bookmarks_view_class_init (EarBookmarksViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_bookmarks_view_dispose;

  gtk_widget_class_add_binding (widget_class, GDK_KEY_Delete, 0, delete_cb, NULL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-bookmarks-view.ui");
  gtk_widget_class_bind_template_child (widget_class, EarBookmarksView, stack);
  gtk_widget_class_bind_template_child (widget_class, EarBookmarksView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarBookmarksView, status);
  gtk_widget_class_bind_template_callback (widget_class, setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, unbind_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
ear_bookmarks_view_init (EarBookmarksView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
ear_bookmarks_view_new (EarBookmarks *bookmarks)
{
  EarBookmarksView *self = g_object_new (EAR_TYPE_BOOKMARKS_VIEW, NULL);
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (is_found, self, NULL));
  g_autoptr (GtkNoSelection) rows = NULL;

  self->bookmarks = g_object_ref (bookmarks);
  self->found =
    gtk_filter_list_model_new (g_object_ref (ear_bookmarks_get_list (bookmarks)), filter);
  g_signal_connect_swapped (self->found, "items-changed", G_CALLBACK (update_state), self);
  rows = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->found)));
  gtk_list_view_set_model (self->list_view, GTK_SELECTION_MODEL (rows));
  g_signal_connect_object (rows, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  update_state (self);

  return GTK_WIDGET (self);
}

/* @search: (nullable): words that each bookmark must have */
void
ear_bookmarks_view_set_search (EarBookmarksView *self, const char *search)
{
  g_return_if_fail (EAR_IS_BOOKMARKS_VIEW (self));

  if (!g_set_str (&self->search, search))
    return;
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->found), GTK_FILTER_CHANGE_DIFFERENT);
  update_state (self);
}
