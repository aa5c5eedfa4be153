/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id-diff.h"

/* A damaged file may have any ids: a table of more entries than this, or than so many for each id, is not made. */
#define SPAN_LEAST ((guint64) 1024 * 1024)
#define SPAN_FACTOR 64

/* Row ids are small and dense, so that a table by id is quicker than hashing. */
typedef struct
{
  gint64 first;
  gint64 last;
  guint *places;       /* (nullable): place in the list + 1, or 0 */
  GHashTable *by_hash; /* (nullable): the same, where the ids are not dense */
} Places;

static void
places_clear (Places *places)
{
  g_clear_pointer (&places->places, g_free);
  g_clear_pointer (&places->by_hash, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Places, places_clear)

static void
hash_places (Places *places, GArray *ids)
{
  places->by_hash = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_insert (places->by_hash, &g_array_index (ids, gint64, i), GUINT_TO_POINTER (i + 1));
}

/* Of @ids, which have to outlive it. */
static Places
get_places (GArray *ids)
{
  Places places = { .first = G_MAXINT64, .last = G_MININT64 };
  guint64 span;

  for (guint i = 0; i < ids->len; i++)
    {
      places.first = MIN (places.first, g_array_index (ids, gint64, i));
      places.last = MAX (places.last, g_array_index (ids, gint64, i));
    }
  span = (guint64) places.last - (guint64) places.first;
  if (ids->len == 0)
    return places;
  if (span >= MAX (SPAN_LEAST, (guint64) SPAN_FACTOR * ids->len))
    {
      hash_places (&places, ids);
      return places;
    }
  places.places = g_new0 (guint, (gsize) span + 1);
  for (guint i = 0; i < ids->len; i++)
    places.places[g_array_index (ids, gint64, i) - places.first] = i + 1;

  return places;
}

static guint
get_place (const Places *places, gint64 id)
{
  if (id < places->first || id > places->last)
    return 0;

  return places->by_hash != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (places->by_hash, &id)) : places->places[id - places->first];
}

/* The longest selection of @common whose places rise (patience sorting). */
static GArray *
select_rising (GArray *common, const Places *places)
{
  const guint n = common->len;
  g_autofree guint *ends = g_new (guint, n);    /* by length: the selection's last member */
  g_autofree guint *previous = g_new (guint, n); /* by member: the one before it + 1 */
  GArray *kept;
  guint length = 0;
  guint member;

  for (guint i = 0; i < n; i++)
    {
      guint place = get_place (places, g_array_index (common, gint64, i));
      guint low = 0, high = length;

      while (low < high)
        {
          guint middle = (low + high) / 2;

          if (get_place (places, g_array_index (common, gint64, ends[middle])) < place)
            low = middle + 1;
          else
            high = middle;
        }
      previous[i] = low > 0 ? ends[low - 1] + 1 : 0;
      ends[low] = i;
      length = MAX (length, low + 1);
    }

  kept = g_array_sized_new (FALSE, FALSE, sizeof (gint64), length);
  g_array_set_size (kept, length);
  member = ends[length - 1];
  for (guint i = length; i > 0; i--)
    {
      g_array_index (kept, gint64, i - 1) = g_array_index (common, gint64, member);
      member = previous[member] - 1;
    }

  return kept;
}

/**
 * ear_id_diff_get_kept:
 * @before: (element-type gint64): different ids in an order
 * @after: (element-type gint64): different ids in an order
 *
 * Finds the ids that need not move when @before becomes @after: the others of @before
 * are taken out, then those of @after put in. As many as possible are kept.
 *
 * Returns: (transfer full) (element-type gint64): a part of both, in order
 */
GArray *
ear_id_diff_get_kept (GArray *before, GArray *after)
{
  g_auto (Places) places = get_places (after);
  g_autoptr (GArray) common = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean rising = TRUE;
  guint last = 0;

  for (guint i = 0; i < before->len; i++)
    {
      guint place = get_place (&places, g_array_index (before, gint64, i));

      if (place == 0)
        continue;
      rising = rising && place > last;
      last = place;
      g_array_append_val (common, g_array_index (before, gint64, i));
    }
  if (!rising)
    {
      GArray *kept = select_rising (common, &places);

      g_array_unref (common);
      common = kept;
    }

  return g_steal_pointer (&common);
}
