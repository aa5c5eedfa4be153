/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id-diff.h"

/* Returns the longest increasing subsequence of @common by @places (patience sorting). */
static GArray *
select_rising (GArray *common, const guint *places)
{
  const guint n = common->len;
  g_autofree guint *ends = g_new (guint, n);    /* by length: the last member of the subsequence */
  g_autofree guint *previous = g_new (guint, n); /* by member: index of its predecessor + 1 */
  GArray *kept;
  guint length = 0;
  guint member;

  for (guint i = 0; i < n; i++)
    {
      guint low = 0, high = length;

      while (low < high)
        {
          guint middle = (low + high) / 2;

          if (places[ends[middle]] < places[i])
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

/* Finds the ids that need not move when @before becomes @after: the others of @before are
 * removed, then those of @after inserted. As many as possible are kept.
 * @before: (element-type gint64): distinct ids
 * @after: (element-type gint64): distinct ids
 * Returns: (transfer full) (element-type gint64): a common subsequence of both */
GArray *
ear_id_diff_get_kept (GArray *before, GArray *after)
{
  g_autoptr (GHashTable) by_id = g_hash_table_new (g_int64_hash, g_int64_equal); /* index in @after + 1 */
  g_autoptr (GArray) common = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree guint *places = g_new (guint, before->len); /* of @common in @after */
  gboolean rising = TRUE;

  for (guint i = 0; i < after->len; i++)
    g_hash_table_insert (by_id, &g_array_index (after, gint64, i), GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < before->len; i++)
    {
      const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (by_id, &g_array_index (before, gint64, i)));

      if (place == 0)
        continue;
      rising = rising && (common->len == 0 || place > places[common->len - 1]);
      places[common->len] = place;
      g_array_append_val (common, g_array_index (before, gint64, i));
    }

  return rising ? g_steal_pointer (&common) : select_rising (common, places);
}
