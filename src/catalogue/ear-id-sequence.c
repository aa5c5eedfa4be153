/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id-sequence.h"

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
  g_autoptr (GHashTable) by_id = g_hash_table_new (g_int64_hash,
                                                   g_int64_equal); /* index in @after + 1 */
  g_autoptr (GArray) common = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree guint *places = g_new (guint, before->len); /* of @common in @after */
  gboolean rising = TRUE;

  for (guint i = 0; i < after->len; i++)
    g_hash_table_insert (by_id, &g_array_index (after, gint64, i), GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < before->len; i++)
    {
      const guint place = GPOINTER_TO_UINT (
          g_hash_table_lookup (by_id, &g_array_index (before, gint64, i)));

      if (place == 0)
        continue;
      rising = rising && (common->len == 0 || place > places[common->len - 1]);
      places[common->len] = place;
      g_array_append_val (common, g_array_index (before, gint64, i));
    }

  return rising ? g_steal_pointer (&common) : select_rising (common, places);
}

/* An ordered array of row ids that changes into another one by single steps, and is
 * consistent after each of them. */
struct _EarIdSequence
{
  /* Owned */
  GArray *ids; /* (element-type gint64): not shared while it changes */

  /* Borrowed */
  EarIdsChangedFunc func;
  gpointer user_data;
};

EarIdSequence *
ear_id_sequence_new (EarIdsChangedFunc func, gpointer user_data)
{
  EarIdSequence *self = g_new0 (EarIdSequence, 1);

  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->func = func;
  self->user_data = user_data;

  return self;
}

void
ear_id_sequence_free (EarIdSequence *self)
{
  g_array_unref (self->ids);
  g_free (self);
}

guint
ear_id_sequence_get_n_ids (EarIdSequence *self)
{
  return self->ids->len;
}

gint64
ear_id_sequence_get (EarIdSequence *self, guint position)
{
  return g_array_index (self->ids, gint64, position);
}

/* @position: (out) (optional): its index */
gboolean
ear_id_sequence_find (EarIdSequence *self, gint64 id, guint *position)
{
  for (guint i = 0; i < self->ids->len; i++)
    if (ear_id_sequence_get (self, i) == id)
      {
        if (position != NULL)
          *position = i;
        return TRUE;
      }

  return FALSE;
}

/* @target: (element-type gint64): the final sequence
 * Returns: length of @target up to the last id that @self already has */
guint
ear_id_sequence_get_n_covered (EarIdSequence *self, GArray *target)
{
  g_autoptr (GArray) kept = ear_id_diff_get_kept (self->ids, target);
  guint n_covered = 0;

  if (kept->len == 0)
    return 0;
  while (g_array_index (target, gint64, n_covered) != g_array_index (kept, gint64, kept->len - 1))
    n_covered++;

  return n_covered + 1;
}

static gint64
id_at (GArray *ids, guint position)
{
  return g_array_index (ids, gint64, position);
}

/* Inserts the ids of @target from @start to before @end. */
static void
take_in (EarIdSequence *self, guint position, GArray *target, guint start, guint end)
{
  g_array_insert_vals (self->ids, position, &g_array_index (target, gint64, start), end - start);
  self->func (position, 0, end - start, self->user_data);
}

/* Inserts the ids of @target that @ids lacks, run by run, outwards from the id at @place
 * of @ids, which is at @place_in_target in @target. */
static void
come (EarIdSequence *self, GArray *target, guint place, guint place_in_target)
{
  guint position = place;
  guint start;
  guint behind = self->ids->len - place;

  for (guint end = place_in_target; end > 0; end = start)
    {
      for (start = end; start > 0 && (position == 0 || id_at (self->ids, position - 1) !=
                                                           id_at (target, start - 1));)
        start--;
      if (start < end)
        take_in (self, position, target, start, end);
      else
        {
          start--;
          position--;
        }
    }
  for (start = place_in_target; start < target->len;)
    {
      guint end = start;

      position = self->ids->len - behind;
      while (end < target->len &&
             (behind == 0 || id_at (self->ids, position) != id_at (target, end)))
        end++;
      if (end > start)
        take_in (self, position, target, start, end);
      else
        {
          end++;
          behind--;
        }
      start = end;
    }
}

static void
let_go (EarIdSequence *self, guint start, guint end)
{
  g_array_remove_range (self->ids, start, end - start);
  self->func (start, end - start, 0, self->user_data);
}

/* Removes the ids that @kept lacks, run by run, towards the id at @place, first from the
 * start and then from the end. */
static void
go (EarIdSequence *self, GArray *kept, guint place)
{
  const guint behind = self->ids->len - place;
  guint n_first = 0; /* ids of @kept found at the start of @ids */
  guint n_last = 0;

  while (n_first + behind < self->ids->len)
    {
      guint end = n_first;

      while (end + behind < self->ids->len &&
             (n_first == kept->len || id_at (self->ids, end) != id_at (kept, n_first)))
        end++;
      if (end > n_first)
        let_go (self, n_first, end);
      else
        n_first++;
    }
  while (n_first + n_last < self->ids->len)
    {
      const guint end = self->ids->len - n_last;
      guint start = end;

      while (start > n_first &&
             (n_first + n_last == kept->len ||
              id_at (self->ids, start - 1) != id_at (kept, kept->len - n_last - 1)))
        start--;
      if (start < end)
        let_go (self, start, end);
      else
        n_last++;
    }
}

/* Returns the number of ids of @part before @position of @all, which has them in
 * the same order. */
static guint
count_before (GArray *part, GArray *all, guint position)
{
  guint n_before = 0;

  for (guint i = 0; i < MIN (position, all->len) && n_before < part->len; i++)
    if (id_at (all, i) == id_at (part, n_before))
      n_before++;

  return n_before;
}

/* Returns the index in @all of the id at @place of @part, which is a subsequence; the end
 * for the end of @part. */
static guint
find_place (GArray *part, GArray *all, guint place)
{
  guint position = 0;

  if (place == part->len)
    return all->len;
  while (id_at (all, position) != id_at (part, place))
    position++;

  return position;
}

/* @target: (element-type gint64): the final sequence */
gboolean
ear_id_sequence_is_start_of (EarIdSequence *self, GArray *target)
{
  if (self->ids->len > target->len)
    return FALSE;
  for (guint i = 0; i < self->ids->len; i++)
    if (id_at (self->ids, i) != id_at (target, i))
      return FALSE;

  return TRUE;
}

/* @target: (element-type gint64): the final sequence */
guint
ear_id_sequence_predict (EarIdSequence *self, GArray *target, guint position)
{
  g_autoptr (GArray) kept = ear_id_diff_get_kept (self->ids, target);
  const guint n_before = count_before (kept, self->ids, position);

  /* After the last kept id, return that id's index. */
  return kept->len > 0 ? find_place (kept, target, MIN (n_before, kept->len - 1)) : 0;
}

/* Becomes @target: first removes ids, then inserts the missing ones, run by run; all
 * others stay. Ids far from @position are removed first, and inserted last: a view of the
 * rows around it has to read few other rows meanwhile.
 * @target: (element-type gint64): the final sequence; immutable from now on */
void
ear_id_sequence_change_to (EarIdSequence *self, GArray *target, guint position)
{
  g_autoptr (GArray) kept = ear_id_diff_get_kept (self->ids, target);
  const guint place = count_before (kept, self->ids, position);
  const guint place_before = find_place (kept, self->ids, place);
  GArray *copy = g_array_copy (self->ids);

  g_array_unref (self->ids);
  self->ids = copy;
  if (kept->len < self->ids->len)
    go (self, kept, place_before);
  if (self->ids->len < target->len)
    come (self, target, place, find_place (kept, target, place));
}

/* Becomes @target in one step.
 * @target: (element-type gint64): the final sequence; immutable from now on */
void
ear_id_sequence_replace (EarIdSequence *self, GArray *target)
{
  const guint before = self->ids->len;

  g_array_unref (self->ids);
  self->ids = g_array_ref (target);
  if (before > 0 || target->len > 0)
    self->func (0, before, target->len, self->user_data);
}

/* @target: (element-type gint64): the final sequence */
void
ear_id_sequence_extend (EarIdSequence *self, GArray *target, guint n_new)
{
  const guint before = self->ids->len;

  g_array_append_vals (self->ids, &g_array_index (target, gint64, before), n_new);
  self->func (before, 0, n_new, self->user_data);
}
