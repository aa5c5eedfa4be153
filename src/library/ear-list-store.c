/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list-store.h"

/* The limit for changes one by one */
#define MOST_CHANGES 8

static gboolean
has_at (GListModel *model, guint position, gpointer item)
{
  g_autoptr (GObject) there = g_list_model_get_item (model, position);

  return there == item;
}

/* Returns: (transfer full) (element-type GObject guint): positions in the model plus one */
static GHashTable *
list_positions (GListModel *model)
{
  GHashTable *positions = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      g_hash_table_insert (positions, item, GUINT_TO_POINTER (i + 1));
    }

  return positions;
}

static guint
get_position (GHashTable *positions, gpointer item)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (positions, item));
}

/* Finds the longest part of the items that the model has in the same order. @last has the end of
 * the best sequence of each length so far, @before the item before each in its sequence.
 * Returns: (transfer full): a set of items */
static GHashTable *
find_staying (GListModel *model, GPtrArray *items)
{
  g_autoptr (GHashTable) positions = list_positions (model);
  g_autofree guint *last = g_new (guint, items->len + 1);
  g_autofree guint *before = g_new (guint, items->len + 1);
  GHashTable *staying = g_hash_table_new (NULL, NULL);
  guint longest = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const guint position = get_position (positions, items->pdata[i]);
      guint low = 0;
      guint high = longest;

      if (position == 0)
        continue;
      while (low < high)
        {
          const guint middle = (low + high) / 2;

          if (get_position (positions, items->pdata[last[middle]]) < position)
            low = middle + 1;
          else
            high = middle;
        }
      before[i] = low > 0 ? last[low - 1] : G_MAXUINT;
      last[low] = i;
      longest = MAX (longest, low + 1);
    }
  for (guint i = longest > 0 ? last[longest - 1] : G_MAXUINT; i != G_MAXUINT; i = before[i])
    g_hash_table_add (staying, items->pdata[i]);

  return staying;
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

static void
change_one_by_one (GListStore *store, GPtrArray *items, GHashTable *staying)
{
  GListModel *model = G_LIST_MODEL (store);

  for (guint i = g_list_model_get_n_items (model); i-- > 0;)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      if (!g_hash_table_contains (staying, item))
        g_list_store_remove (store, i);
    }
  for (guint i = 0; i < items->len;)
    {
      guint n = 0;

      while (i + n < items->len && !g_hash_table_contains (staying, items->pdata[i + n]))
        n++;
      if (n > 0)
        g_list_store_splice (store, i, 0, items->pdata + i, n);
      i += n + 1;
    }
}

/* Updates a store to contain @items in their order. Only items that move are removed and
 * added again, so that a list view keeps its focus and scroll position, unless several move:
 * with 200 rows, GtkListView takes 10 ms and more for each change.
 * @items: (element-type GObject): distinct items */
void
ear_list_store_update (GListStore *store, GPtrArray *items)
{
  g_autoptr (GHashTable) staying = find_staying (G_LIST_MODEL (store), items);
  const guint n_before = g_list_model_get_n_items (G_LIST_MODEL (store));
  const guint n_staying = g_hash_table_size (staying);

  if (n_before - n_staying + items->len - n_staying > MOST_CHANGES)
    splice_changed (store, items);
  else
    change_one_by_one (store, items, staying);
}
