/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-order.h"

#include <string.h>

/* In which order the podcasts are listed: pure functions. */

static const char *const names[] = {
  [EAR_PODCAST_ORDER_TITLE] = "title",
  [EAR_PODCAST_ORDER_NEWEST] = "newest",
  [EAR_PODCAST_ORDER_BY_HAND] = "by-hand",
};

/* @name: (nullable): what an order is called in the settings
 * Returns: the order of that name, or by title */
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

/* Returns: which one comes first */
int
ear_podcast_order_compare (EarPodcast *a, EarPodcast *b, EarPodcastOrder order)
{
  int result = 0;

  if (order == EAR_PODCAST_ORDER_NEWEST)
    result = compare_numbers (ear_podcast_get_newest (b), ear_podcast_get_newest (a));
  /* Those that have no place come last. */
  else if (order == EAR_PODCAST_ORDER_BY_HAND)
    result = compare_numbers ((guint) get_place (a) - 1u, (guint) get_place (b) - 1u);
  if (result == 0)
    result = strcmp (ear_podcast_get_sort_key (a), ear_podcast_get_sort_key (b));

  return result != 0 ? result : compare_numbers (ear_podcast_get_id (a), ear_podcast_get_id (b));
}

/* Finds a place for the podcast that is moved to @position.
 * @podcasts: (element-type EarPodcast): all of them, in the order that is wanted
 * @place: (out): the place
 * Returns: %FALSE where there is no room, or those around it have no place themselves: then all need new ones */
gboolean
ear_podcast_order_find_place (GPtrArray *podcasts, guint position, int *place)
{
  const int before = position > 0 ? get_place (g_ptr_array_index (podcasts, position - 1)) : 0;
  int after;

  if (position > 0 && before == 0)
    return FALSE;
  if (position + 1 < podcasts->len)
    {
      after = get_place (g_ptr_array_index (podcasts, position + 1));
      if (after == 0 && before == 0)
        return FALSE;
      if (after == 0)
        after = before < G_MAXINT - 2 * EAR_PODCAST_ORDER_STEP ? before + 2 * EAR_PODCAST_ORDER_STEP : G_MAXINT;
    }
  else
    after = before < G_MAXINT - 2 * EAR_PODCAST_ORDER_STEP ? before + 2 * EAR_PODCAST_ORDER_STEP : G_MAXINT;
  *place = before + (after - before) / 2;

  return *place > before && *place < after;
}
