/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list-store.h"

/* The limit for changes one by one */
#define MOST_MOVES 8

static guint
find_from (GListModel *model, guint position, gpointer wanted)
{
  for (guint i = position; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      if (item == wanted)
        return i;
    }

  return G_MAXUINT;
}

static gboolean
has_at (GListModel *model, guint position, gpointer item)
{
  g_autoptr (GObject) there = g_list_model_get_item (model, position);

  return there == item;
}

/* Returns: how many of the items go or do not follow the same item as in the model: three for
 * each that moves */
static guint
count_moves (GListModel *model, GPtrArray *items, GHashTable *wanted)
{
  g_autoptr (GHashTable) next_of = g_hash_table_new (NULL, NULL);
  GObject *last = NULL;
  guint n_moves = 0;

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      n_moves += !g_hash_table_contains (wanted, item);
      g_hash_table_insert (next_of, last, item);
      last = item;
    }
  for (guint i = 0; i < items->len; i++)
    n_moves += g_hash_table_lookup (next_of, i > 0 ? items->pdata[i - 1] : NULL) != items->pdata[i];

  return n_moves;
}

/* Replaces the part that changes. */
static void
splice_changed (GListStore *store, GPtrArray *items)
{
  GListModel *model = G_LIST_MODEL (store);
  guint n_before = g_list_model_get_n_items (model);
  guint n_after = items->len;
  guint start = 0;

  while (start < n_before && start < n_after && has_at (model, start, items->pdata[start]))
    start++;
  while (n_before > start && n_after > start &&
         has_at (model, n_before - 1, items->pdata[n_after - 1]))
    {
      n_before--;
      n_after--;
    }
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
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < items->len; i++)
    g_hash_table_add (wanted, items->pdata[i]);
  if (count_moves (model, items, wanted) > MOST_MOVES)
    {
      splice_changed (store, items);
      return;
    }
  for (guint i = g_list_model_get_n_items (model); i-- > 0;)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      if (g_hash_table_contains (wanted, item))
        g_hash_table_add (known, item);
      else
        g_list_store_remove (store, i);
    }
  for (guint i = 0; i < items->len;)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);
      g_autoptr (GObject) next = g_list_model_get_item (model, i + 1);
      const gboolean is_known = g_hash_table_contains (known, items->pdata[i]);
      guint n = 1;

      if (item == items->pdata[i])
        {
          i++;
          continue;
        }
      if (next == items->pdata[i])
        {
          /* The item itself moves down, past this one. */
          g_list_store_remove (store, i);
          g_hash_table_remove (known, item);
          i++;
          continue;
        }
      if (is_known)
        g_list_store_remove (store, find_from (model, i, items->pdata[i]));
      else
        while (i + n < items->len && !g_hash_table_contains (known, items->pdata[i + n]))
          n++;
      g_list_store_splice (store, i, 0, items->pdata + i, n);
      i += n;
    }
}
