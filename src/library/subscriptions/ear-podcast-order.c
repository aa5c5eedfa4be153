/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-order.h"

#include "ear-folders.h"

#include <string.h>

/* The order of podcasts: pure functions */

static const char *const names[] = {
  [EAR_PODCAST_ORDER_TITLE] = "title",
  [EAR_PODCAST_ORDER_NEWEST] = "newest",
  [EAR_PODCAST_ORDER_BY_HAND] = "by-hand",
};

/* @name: (nullable): an order in the settings
 * Returns: the order with that name, or by title */
EarPodcastOrder
ear_podcast_order_from_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (names[i], name) == 0)
      return (EarPodcastOrder) i;

  return EAR_PODCAST_ORDER_TITLE;
}

static int
get_place (EarPodcast *podcast)
{
  return ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_PLACE];
}

static int
compare_numbers (gint64 a, gint64 b)
{
  return a < b ? -1 : a > b;
}

/* Returns: a comparison result as of strcmp() */
int
ear_podcast_order_compare (EarPodcast *a, EarPodcast *b, EarPodcastOrder order)
{
  int result = 0;

  if (order == EAR_PODCAST_ORDER_NEWEST)
    result = compare_numbers (ear_podcast_get_newest (b), ear_podcast_get_newest (a));
  /* Podcasts without a position come last. */
  else if (order == EAR_PODCAST_ORDER_BY_HAND)
    result = compare_numbers ((guint) get_place (a) - 1u, (guint) get_place (b) - 1u);
  if (result == 0)
    result = strcmp (ear_podcast_get_sort_key (a), ear_podcast_get_sort_key (b));

  return result != 0 ? result : compare_numbers (ear_podcast_get_id (a), ear_podcast_get_id (b));
}

static void
add_folder (GPtrArray *grouped, GPtrArray *podcasts, const char *folder)
{
  for (guint i = 0; i < podcasts->len; i++)
    if (g_strcmp0 (ear_podcast_get_folder (podcasts->pdata[i]), folder) == 0)
      g_ptr_array_add (grouped, g_object_ref (podcasts->pdata[i]));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  g_autofree char *first = ear_folder_name_dup_key (a);
  g_autofree char *second = ear_folder_name_dup_key (b);

  return strcmp (first, second);
}

/* @podcasts: (element-type EarPodcast): all podcasts, in the listener's own order
 * Returns: (transfer full): the podcasts as listed: folder by folder, in the order of the
 * first podcast of each, or by title if that has no position; then those outside of
 * folders */
GPtrArray *
ear_podcast_order_group (GPtrArray *podcasts)
{
  GPtrArray *grouped = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  for (guint i = 0; i < podcasts->len; i++)
    {
      const char *folder = ear_podcast_get_folder (podcasts->pdata[i]);

      if (folder != NULL && g_hash_table_add (known, (char *) folder))
        g_ptr_array_add (get_place (podcasts->pdata[i]) > 0 ? folders : others, (char *) folder);
    }
  g_ptr_array_sort_values (others, compare_names);
  g_ptr_array_extend (folders, others, NULL, NULL);
  for (guint i = 0; i < folders->len; i++)
    add_folder (grouped, podcasts, folders->pdata[i]);
  add_folder (grouped, podcasts, NULL);

  return grouped;
}

/* Returns: whether the positions of the unmoved podcasts match their order; those without
 * a position come last */
static gboolean
are_in_order (GPtrArray *podcasts, guint position, guint n)
{
  guint before = 0;

  for (guint i = 0; i < podcasts->len; i++)
    {
      const int place = get_place (podcasts->pdata[i]);
      const guint order = (guint) place - 1u;

      if (i >= position && i < position + n)
        continue;
      if (order < before)
        return FALSE;
      before = place == 0 ? order : order + 1;
    }

  return TRUE;
}

/* Finds positions for podcasts that are moved to index @position.
 * @podcasts: (element-type EarPodcast): all podcasts in the new order
 * @n: the number of moved podcasts
 * @place: (out): the position of the first one
 * @step: (out): the distance to the next one
 * Returns: %FALSE if there is no room, or if the others have no matching positions: then
 * all need new ones */
gboolean
ear_podcast_order_find_place (GPtrArray *podcasts, guint position, guint n, int *place, int *step)
{
  const int before = position > 0 ? get_place (g_ptr_array_index (podcasts, position - 1)) : 0;
  const int most = before < G_MAXINT - 2 * EAR_PODCAST_ORDER_STEP
                       ? before + 2 * EAR_PODCAST_ORDER_STEP
                       : G_MAXINT;
  int after = 0;

  if ((position > 0 && before == 0) || !are_in_order (podcasts, position, n))
    return FALSE;
  if (position + n < podcasts->len)
    {
      after = get_place (g_ptr_array_index (podcasts, position + n));
      if (after == 0 && before == 0)
        return FALSE;
    }
  if (after == 0)
    after = most;
  *step = (after - before) / (int) (n + 1);
  *place = before + *step;

  return *step > 0;
}
