/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list-store.h"

/* More changes one by one would be noticed. */
#define MOST_MOVES 40

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

/* Returns: how many of the items do not follow the same item as in the model */
static guint
count_moves (GListModel *model, GPtrArray *items)
{
  g_autoptr (GHashTable) next_of = g_hash_table_new (NULL, NULL);
  g_autoptr (GObject) last = NULL;
  GObject *item;
  guint n_moves = 0;

  for (guint i = 0; (item = g_list_model_get_item (model, i)) != NULL; i++)
    {
      g_hash_table_insert (next_of, last, item);
      g_set_object (&last, item);
      g_object_unref (item);
    }
  for (guint i = 0; i < items->len; i++)
    n_moves += g_hash_table_lookup (next_of, i > 0 ? items->pdata[i - 1] : NULL) != items->pdata[i];

  return n_moves;
}

/* Updates a store to contain @items in their order. Only items that move are removed and
 * added again, so that a list view keeps its focus and scroll position, unless many move:
 * GtkListView keeps a tile for each of several changes in a frame, and walks all of them.
 * @items: (element-type GObject): distinct items */
void
ear_list_store_update (GListStore *store, GPtrArray *items)
{
  GListModel *model = G_LIST_MODEL (store);
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  if (count_moves (model, items) > MOST_MOVES)
    {
      g_list_store_splice (store, 0, g_list_model_get_n_items (model), items->pdata, items->len);
      return;
    }
  for (guint i = 0; i < items->len; i++)
    g_hash_table_add (wanted, items->pdata[i]);
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
