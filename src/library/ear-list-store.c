/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list-store.h"

/* The limit for changes one by one */
#define MOST_CHANGES 8

/* Returns: (transfer none) (nullable): an item that the model keeps; %NULL behind the last one */
gpointer
ear_list_peek (GListModel *model, guint position)
{
  g_autoptr (GObject) item = g_list_model_get_item (model, position);

  return item;
}

static gboolean
has_at (GListStore *store, guint position, gpointer item)
{
  return ear_list_peek (G_LIST_MODEL (store), position) == item;
}

/* Makes one change towards @items at a position. An item that is next in the store already
 * stays, as the one before it has moved away.
 * Returns: whether the store was changed */
static gboolean
change_one (GListStore *store, guint position, GPtrArray *items)
{
  g_autoptr (GObject) there = g_list_model_get_item (G_LIST_MODEL (store), position);
  gpointer item = position < items->len ? items->pdata[position] : NULL;
  guint former;

  if (there == item)
    return FALSE;
  if (there != NULL && (!g_ptr_array_find (items, there, NULL) ||
                        has_at (store, position + 1, item)))
    g_list_store_remove (store, position);
  else if (g_list_store_find (store, item, &former))
    g_list_store_remove (store, former);
  else
    g_list_store_insert (store, position, item);

  return TRUE;
}

/* Replaces the part that changes. */
static void
splice_changed (GListStore *store, GPtrArray *items)
{
  guint n_before = g_list_model_get_n_items (G_LIST_MODEL (store));
  guint n_after = items->len;
  guint start = 0;

  while (start < n_before && start < n_after && has_at (store, start, items->pdata[start]))
    start++;
  while (n_before > start && n_after > start &&
         has_at (store, n_before - 1, items->pdata[n_after - 1]))
    {
      n_before--;
      n_after--;
    }
  if (n_before > start || n_after > start)
    g_list_store_splice (store, start, n_before - start, items->pdata + start, n_after - start);
}

/* Updates a store to contain @items in their order. Only items that move are removed and
 * added again, so that a list view keeps its focus and scroll position, unless several move:
 * with 200 rows, GtkListView takes 10 ms and more for each change.
 * @items: (element-type GObject): distinct items */
void
ear_list_store_update (GListStore *store, GPtrArray *items)
{
  GListModel *model = G_LIST_MODEL (store);
  const int difference = (int) items->len - (int) g_list_model_get_n_items (model);
  guint n_changes = ABS (difference);
  guint i = 0;

  while (n_changes < MOST_CHANGES && i < MAX (items->len, g_list_model_get_n_items (model)))
    if (change_one (store, i, items))
      n_changes++;
    else
      i++;
  splice_changed (store, items);
}
