/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmarks-view.h"

#include <glib/gi18n.h>

#include "ear-format.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-share.h"
#include "ear-sight.h"
#include "ear-widget.h"

/**
 * EarBookmarkRow:
 *
 * A bookmark with its menu, in Saved or among the chapters of its episode, where the row
 * does not name the episode.
 */
struct _EarBookmarkRow
{
  EarItemRow parent_instance;

  /* Owned */
  EarBookmarks *bookmarks;
  EarBookmark *bookmark; /* (nullable) */

  gboolean within; /* the page of the episode */
};

G_DEFINE_FINAL_TYPE (EarBookmarkRow, ear_bookmark_row, EAR_TYPE_ITEM_ROW)

/* The listener's own note comes before the quote, and the quote before the episode. */
static void
update (EarBookmarkRow *self)
{
  const char *text = ear_bookmark_get_text (self->bookmark);
  const char *note = ear_bookmark_get_note (self->bookmark);
  const char *title = ear_bookmark_get_title (self->bookmark);
  /* Translators: the quotation marks around what is said in an episode */
  g_autofree char *quote = text != NULL ? g_strdup_printf (C_("quotation", "“%s”"), text) : NULL;
  const char *headline = note != NULL ? note : quote;
  g_autofree char *source = ear_format_join (headline != NULL ? title : NULL,
                                             ear_bookmark_get_podcast (self->bookmark));
  g_autofree char *clock = ear_format_clock_spoken (ear_bookmark_get_time (self->bookmark));
  g_autofree char *name = NULL;

  if (headline == NULL)
    headline = self->within ? C_("spoken", "Bookmark") : title;
  ear_item_row_set_time (EAR_ITEM_ROW (self), ear_bookmark_get_time (self->bookmark));
  name = ear_format_speak (self->within ? C_("spoken", "Bookmark") : NULL, headline,
                           note != NULL ? quote : NULL, clock, self->within ? NULL : source);
  ear_item_row_set_texts (EAR_ITEM_ROW (self), headline, note != NULL ? quote : NULL,
                          self->within ? NULL : source, name);
}

static void
play (EarBookmarkRow *self)
{
  g_autofree char *key = ear_bookmark_dup_key (self->bookmark);

  gtk_widget_activate_action (GTK_WIDGET (self), "app.play-episode-at", "(sx)", key,
                              ear_bookmark_get_time (self->bookmark));
}

static void
show_episode (EarBookmarkRow *self)
{
  g_autofree char *key = ear_bookmark_dup_key (self->bookmark);

  gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
}

static void
copy (EarBookmarkRow *self)
{
  g_autofree char *text = ear_bookmark_dup_quotation (self->bookmark);

  ear_copy_text (GTK_WIDGET (self), text);
}

static void
remove_bookmark (EarBookmarkRow *self)
{
  /* The row may show another one afterwards. */
  g_autoptr (EarBookmark) bookmark = g_object_ref (self->bookmark);

  ear_bookmarks_remove (self->bookmarks, bookmark);
}

static void
edit_note (EarBookmarkRow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit-note", "s",
                              ear_bookmark_get_id (self->bookmark));
}

static void
set_bookmark (EarBookmarkRow *self, EarBookmark *bookmark)
{
  if (self->bookmark != NULL)
    g_signal_handlers_disconnect_by_func (self->bookmark, update, self);
  g_set_object (&self->bookmark, bookmark);
  if (bookmark == NULL)
    return;
  ear_connect (bookmark, "changed", update, self);
  update (self);
}

static void
ear_bookmark_row_dispose (GObject *object)
{
  EarBookmarkRow *self = EAR_BOOKMARK_ROW (object);

  set_bookmark (self, NULL);
  g_clear_object (&self->bookmarks);

  G_OBJECT_CLASS (ear_bookmark_row_parent_class)->dispose (object);
}

static void
ear_bookmark_row_class_init (EarBookmarkRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty bookmark = { "bookmark", EAR_TYPE_BOOKMARK, G_PARAM_READWRITE,
                                 G_STRUCT_OFFSET (EarBookmarkRow, bookmark),
                                 .set = G_CALLBACK (set_bookmark) };

  G_OBJECT_CLASS (klass)->dispose = ear_bookmark_row_dispose;
  ear_properties_install (G_OBJECT_CLASS (klass), &bookmark, 1);

  ear_action_install (widget_class, "bookmark.play", NULL, play);
  ear_action_install (widget_class, "bookmark.show", NULL, show_episode);
  ear_action_install (widget_class, "bookmark.copy", NULL, copy);
  ear_action_install (widget_class, "bookmark.edit-note", NULL, edit_note);
  ear_action_install (widget_class, "bookmark.remove", NULL, remove_bookmark);
  ear_widget_set_template (widget_class, "ear-bookmark-row");
}

static void
ear_bookmark_row_init (EarBookmarkRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @bookmark: (nullable)
 * @within: whether the row is on the page of its episode */
GtkWidget *
ear_bookmark_row_new (EarBookmarks *bookmarks, EarBookmark *bookmark, gboolean within)
{
  EarBookmarkRow *self = g_object_new (EAR_TYPE_BOOKMARK_ROW, NULL);

  self->bookmarks = g_object_ref (bookmarks);
  self->within = within;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "bookmark.show", !within);
  set_bookmark (self, bookmark);

  return GTK_WIDGET (self);
}

/**
 * EarBookmarksView:
 *
 * The bookmarks of all podcasts, the newest first. A click shows the episode; a button
 * plays from there.
 */
struct _EarBookmarksView
{
  AdwBin parent_instance;

  /* Template children */
  GtkStack *stack;
  GtkListView *list_view;
  GtkNoSelection *rows;
  AdwStatusPage *status;

  /* Owned */
  EarBookmarks *bookmarks;
  GtkFilterListModel *found;
  char *search;        /* (nullable) */
  char *first_episode; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (EarBookmarksView, ear_bookmarks_view, ADW_TYPE_BIN)

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, EarBookmarksView *self)
{
  GtkWidget *row = ear_bookmark_row_new (self->bookmarks, NULL, FALSE);

  gtk_list_item_set_child (item, row);
  g_object_bind_property (item, "item", row, "bookmark", G_BINDING_SYNC_CREATE);
}

static gboolean
is_found (gpointer item, gpointer user_data)
{
  return ear_bookmark_matches (EAR_BOOKMARK (item), EAR_BOOKMARKS_VIEW (user_data)->search);
}

static void
update_state (EarBookmarksView *self)
{
  g_autoptr (EarBookmark) first = g_list_model_get_item (G_LIST_MODEL (self->found), 0);
  g_autofree char *key = first != NULL ? ear_bookmark_dup_key (first) : NULL;

  ear_property_set_string (self, "first-episode", key);
  adw_status_page_set_title (self->status,
                             self->search != NULL ? _("No Bookmarks Found") : _("No Bookmarks"));
  adw_status_page_set_description (self->status,
                                   self->search != NULL
                                     ? _("Try other words.")
                                     : _("Press Ctrl+K or the bookmark button while you listen."));
  gtk_stack_set_visible_child_name (self->stack, first == NULL ? "status" : "list");
}

static void
search_changed_cb (EarBookmarksView *self)
{
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->found), GTK_FILTER_CHANGE_DIFFERENT);
  update_state (self);
}

static void
activated_cb (EarBookmarksView *self)
{
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_BOOKMARK_ROW);

  if (row != NULL)
    gtk_widget_activate_action (row, "bookmark.show", NULL);
}

static void
ear_bookmarks_view_dispose (GObject *object)
{
  EarBookmarksView *self = EAR_BOOKMARKS_VIEW (object);

  if (self->found != NULL)
    g_signal_handlers_disconnect_by_data (self->found, self);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_BOOKMARKS_VIEW);
  g_clear_object (&self->found);
  g_clear_object (&self->bookmarks);
  ear_properties_clear (self);

  G_OBJECT_CLASS (ear_bookmarks_view_parent_class)->dispose (object);
}

static void
ear_bookmarks_view_class_init (EarBookmarksViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Words that each bookmark must have */
    { "search", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarBookmarksView, search),
      .changed = G_CALLBACK (search_changed_cb) },
    /* The key of the episode of the first bookmark */
    { "first-episode", G_TYPE_STRING, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarBookmarksView, first_episode) },
  };

  G_OBJECT_CLASS (klass)->dispose = ear_bookmarks_view_dispose;
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  ear_item_row_add_key (widget_class, GDK_KEY_Delete, 0, "bookmark.remove");
  ear_item_row_add_key (widget_class, GDK_KEY_Menu, 0, "row.menu");
  ear_item_row_add_key (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "row.menu");
  ear_widget_set_template (widget_class, "ear-bookmarks-view");
  gtk_widget_class_bind_template_child (widget_class, EarBookmarksView, stack);
  gtk_widget_class_bind_template_child (widget_class, EarBookmarksView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarBookmarksView, rows);
  gtk_widget_class_bind_template_child (widget_class, EarBookmarksView, status);
  gtk_widget_class_bind_template_callback (widget_class, setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, ear_rows_keep_top);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
ear_bookmarks_view_init (EarBookmarksView *self)
{
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (is_found, self, NULL));

  gtk_widget_init_template (GTK_WIDGET (self));
  self->found = gtk_filter_list_model_new (NULL, filter);
  g_signal_connect_swapped (self->found, "items-changed", G_CALLBACK (update_state), self);
  gtk_no_selection_set_model (self->rows, G_LIST_MODEL (self->found));
}

GtkWidget *
ear_bookmarks_view_new (EarBookmarks *bookmarks)
{
  EarBookmarksView *self = g_object_new (EAR_TYPE_BOOKMARKS_VIEW, NULL);

  self->bookmarks = g_object_ref (bookmarks);
  gtk_filter_list_model_set_model (self->found, ear_bookmarks_get_list (bookmarks));
  update_state (self);

  return GTK_WIDGET (self);
}
