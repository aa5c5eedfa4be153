/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-sidebar-row.h"
#include "ear-row-action.h"
#include "ear-rows-in-sight.h"

/* A list view makes widgets for two hundred rows and a few, in sight or not: the first
 * screenful comes with the first frame, the others a few in each frame after it. */
#define ROW_HEIGHT 50
#define WIDGETS 220
#define STEP 8

/* Returns: (nullable): all that is listed, with a row or not */
GListModel *
ear_sidebar_page_get_collections (EarSidebarPage *self)
{
  return gtk_slice_list_model_get_model (self->rows);
}

/* Returns: how much is listed, with a row or not */
guint
ear_sidebar_page_count_collections (EarSidebarPage *self)
{
  GListModel *collections = ear_sidebar_page_get_collections (self);

  return collections != NULL ? g_list_model_get_n_items (collections) : 0;
}

/* Returns: where it is listed, with a row or not, or %GTK_INVALID_LIST_POSITION */
guint
ear_sidebar_page_find_position (EarSidebarPage *self, EarSidebarItem *collection)
{
  for (guint i = 0; collection != NULL && i < ear_sidebar_page_count_collections (self); i++)
    {
      g_autoptr (EarSidebarItem) item = g_list_model_get_item (ear_sidebar_page_get_collections (self), i);

      if (ear_sidebar_item_equal (item, collection))
        return i;
    }

  return GTK_INVALID_LIST_POSITION;
}

/* Returns: where the podcasts begin, with a folder or one of them, or behind the end */
guint
ear_sidebar_page_find_first (EarSidebarPage *self)
{
  guint position = 0;

  for (; position < ear_sidebar_page_count_collections (self); position++)
    {
      g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, position);

      if (ear_sidebar_item_get_podcast (collection) != NULL || ear_sidebar_item_get_folder (collection) != NULL)
        break;
    }

  return position;
}

/* Returns: where the row is that has the focus, which need not be the chosen one where this is the only pane, or
 * %GTK_INVALID_LIST_POSITION */
guint
ear_sidebar_page_find_focused (EarSidebarPage *self)
{
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_SIDEBAR_ROW);

  return row != NULL ? ear_sidebar_page_find_position (self, ear_sidebar_row_get_collection (EAR_SIDEBAR_ROW (row))) : GTK_INVALID_LIST_POSITION;
}

/* Returns: (transfer full) (nullable): what is listed there */
EarSidebarItem *
ear_sidebar_page_dup_collection (EarSidebarPage *self, guint position)
{
  return position < ear_sidebar_page_count_collections (self) ? g_list_model_get_item (ear_sidebar_page_get_collections (self), position) : NULL;
}

/* Gives a row to what is listed there, and to all above it. */
void
ear_sidebar_page_ensure_row (EarSidebarPage *self, guint position)
{
  if (position != GTK_INVALID_LIST_POSITION && position >= gtk_slice_list_model_get_size (self->rows))
    gtk_slice_list_model_set_size (self->rows, position + 1);
}

/* @position: a place in what is listed, or %GTK_INVALID_LIST_POSITION */
gboolean
ear_sidebar_page_has_row (EarSidebarPage *self, guint position)
{
  return position != GTK_INVALID_LIST_POSITION && position < gtk_slice_list_model_get_size (self->rows);
}

/* Selects a row. Only what has a row can be selected: what has none yet is selected when it comes. */
void
ear_sidebar_page_select_position (EarSidebarPage *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, ear_sidebar_page_has_row (self, position) ? position : GTK_INVALID_LIST_POSITION);
}

/* Whoever has scrolled meanwhile, or gone to another row, is somewhere. */
static gboolean
has_moved (EarSidebarPage *self)
{
  const guint focused = ear_sidebar_page_find_focused (self);

  return gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list_view))) > 0 ||
         (focused != GTK_INVALID_LIST_POSITION && focused != self->first_focused);
}

/* What is chosen may stand below the rows of the first frame. It is shown when its row comes: two
 * hundred rows that were made at once, to have it in the second frame, stop the window for 200 ms. */
static void
show_chosen (EarSidebarPage *self, guint n_rows)
{
  const guint chosen = ear_sidebar_page_find_position (self, self->collection);

  if (chosen != GTK_INVALID_LIST_POSITION && chosen >= n_rows && ear_sidebar_page_has_row (self, chosen) && !has_moved (self))
    gtk_list_view_scroll_to (self->list_view, chosen, GTK_LIST_SCROLL_FOCUS, NULL);
}

static gboolean
grow_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarSidebarPage *self = EAR_SIDEBAR_PAGE (widget);
  guint n_rows;

  /* The first frame has enough to do. */
  if (!self->drawn)
    {
      self->drawn = TRUE;
      self->first_focused = ear_sidebar_page_find_focused (self);
      return G_SOURCE_CONTINUE;
    }
  n_rows = gtk_slice_list_model_get_size (self->rows);
  gtk_slice_list_model_set_size (self->rows, n_rows < WIDGETS ? n_rows + STEP : G_MAXUINT);
  show_chosen (self, n_rows);

  return n_rows < WIDGETS ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

guint
ear_sidebar_page_count_podcasts (EarSidebarPage *self)
{
  GListModel *podcasts = self->library != NULL ? ear_library_get_podcasts (self->library) : NULL;

  return podcasts != NULL ? g_list_model_get_n_items (podcasts) : 0;
}

/* Returns: where what is called so is listed, or %GTK_INVALID_LIST_POSITION */
guint
ear_sidebar_page_find_name (EarSidebarPage *self, const char *name)
{
  for (guint i = 0; ear_sidebar_page_count_podcasts (self) > 0 && i < ear_sidebar_page_count_collections (self); i++)
    {
      g_autoptr (EarSidebarItem) collection = ear_sidebar_page_dup_collection (self, i);

      if (g_strcmp0 (ear_sidebar_item_get_name (collection), name) == 0)
        return i;
    }

  return GTK_INVALID_LIST_POSITION;
}

/* Gives its list the rows, of which there will be more with each frame. */
void
ear_sidebar_page_init_rows (EarSidebarPage *self)
{
  self->rows = gtk_slice_list_model_new (NULL, 0, 0);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
  gtk_widget_add_tick_callback (GTK_WIDGET (self), grow_cb, NULL, NULL);
}

/* Lists it: before the first frame, only what is in sight then has rows. */
void
ear_sidebar_page_set_collections (EarSidebarPage *self, GListModel *collections)
{
  if (!self->drawn)
    gtk_slice_list_model_set_size (self->rows, ear_rows_in_sight (GTK_WIDGET (self), 0, ROW_HEIGHT));
  gtk_slice_list_model_set_model (self->rows, collections);
}
