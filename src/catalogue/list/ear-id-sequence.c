/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id-sequence.h"

#include "ear-id-diff.h"

/*
 * An ordered array of row ids that changes into another one by single steps, and is
 * consistent at each of them: while rows come or go, it is the start of @ids, a part from the middle
 * of another array, and the rest of @ids. No step moves memory about, however long the array is.
 */
struct _EarIdSequence
{
  /* Owned */
  GArray *ids; /* (element-type gint64) */

  /* Borrowed */
  GArray *inner; /* (nullable) (element-type gint64): while it changes */
  EarIdsChangedFunc func;
  gpointer user_data;

  guint head;        /* of @ids: what stands before the part of @inner */
  guint inner_start; /* of @inner: the part */
  guint inner_end;
  guint tail; /* of @ids: where it goes on behind that */
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

/**
 * ear_id_sequence_free:
 * @self: (transfer full): a sequence
 */
void
ear_id_sequence_free (EarIdSequence *self)
{
  g_array_unref (self->ids);
  g_free (self);
}

guint
ear_id_sequence_get_n_ids (EarIdSequence *self)
{
  return self->inner != NULL ? self->head + self->inner_end - self->inner_start + self->ids->len - self->tail : self->ids->len;
}

gint64
ear_id_sequence_get (EarIdSequence *self, guint position)
{
  if (self->inner == NULL || position < self->head)
    return g_array_index (self->ids, gint64, position);
  position -= self->head;
  if (position < self->inner_end - self->inner_start)
    return g_array_index (self->inner, gint64, self->inner_start + position);

  return g_array_index (self->ids, gint64, self->tail + position - (self->inner_end - self->inner_start));
}

/**
 * ear_id_sequence_find:
 * @position: (out) (optional): where it stands
 */
gboolean
ear_id_sequence_find (EarIdSequence *self, gint64 id, guint *position)
{
  guint n_ids = ear_id_sequence_get_n_ids (self);

  for (guint i = 0; i < n_ids; i++)
    if (ear_id_sequence_get (self, i) == id)
      {
        if (position != NULL)
          *position = i;
        return TRUE;
      }

  return FALSE;
}

/**
 * ear_id_sequence_get_n_covered:
 * @target: (element-type gint64): what it is to become
 *
 * Returns: how much of @target reaches up to the last id that the sequence has already
 */
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

/* Before the part of @inner: it takes in what stands there in both, and then what only @inner has.
 * Gives how many those are. */
static guint
grow_head (EarIdSequence *self)
{
  const guint end = self->inner_start;
  guint common = 0;

  while (self->head > 0 && self->inner_start > 0 && id_at (self->ids, self->head - 1) == id_at (self->inner, self->inner_start - 1))
    {
      self->head--;
      self->inner_start--;
      common++;
    }
  while (self->inner_start > 0 &&
         (self->head == 0 || id_at (self->ids, self->head - 1) != id_at (self->inner, self->inner_start - 1)))
    self->inner_start--;

  return end - self->inner_start - common;
}

/* The same behind it. */
static guint
grow_tail (EarIdSequence *self)
{
  const guint start = self->inner_end;
  guint common = 0;

  while (self->tail < self->ids->len && self->inner_end < self->inner->len &&
         id_at (self->ids, self->tail) == id_at (self->inner, self->inner_end))
    {
      self->tail++;
      self->inner_end++;
      common++;
    }
  while (self->inner_end < self->inner->len &&
         (self->tail == self->ids->len || id_at (self->ids, self->tail) != id_at (self->inner, self->inner_end)))
    self->inner_end++;

  return self->inner_end - start - common;
}

/* Takes in what @target has beyond @ids, from the id at @place of @ids, which is that at @place_in_target,
 * outwards. */
static void
come (EarIdSequence *self, GArray *target, guint place, guint place_in_target)
{
  guint n_new;

  self->head = self->tail = place;
  self->inner_start = self->inner_end = place_in_target;
  self->inner = target;
  while ((n_new = grow_head (self)) > 0)
    self->func (self->head, 0, n_new, self->user_data);
  while ((n_new = grow_tail (self)) > 0)
    self->func (self->head + self->inner_end - self->inner_start - n_new, 0, n_new, self->user_data);
  self->inner = NULL;
  g_array_unref (self->ids);
  self->ids = g_array_ref (target);
}

/* The way of grow_head() back: at the front of the part of @inner, up to @end of it, what stands in both, and
 * then what only @inner has. */
static guint
shrink_head (EarIdSequence *self, guint end)
{
  const guint last = self->ids->len;
  guint start;

  while (self->inner_start < end && self->head < last && id_at (self->ids, self->head) == id_at (self->inner, self->inner_start))
    {
      self->head++;
      self->inner_start++;
    }
  start = self->inner_start;
  while (self->inner_start < end &&
         (self->head == last || id_at (self->ids, self->head) != id_at (self->inner, self->inner_start)))
    self->inner_start++;

  return self->inner_start - start;
}

/* And that of grow_tail(). */
static guint
shrink_tail (EarIdSequence *self)
{
  guint end;

  while (self->inner_end > self->inner_start && self->tail > self->head &&
         id_at (self->ids, self->tail - 1) == id_at (self->inner, self->inner_end - 1))
    {
      self->tail--;
      self->inner_end--;
    }
  end = self->inner_end;
  while (self->inner_end > self->inner_start &&
         (self->tail == self->head || id_at (self->ids, self->tail - 1) != id_at (self->inner, self->inner_end - 1)))
    self->inner_end--;

  return end - self->inner_end;
}

/* Lets go of what @kept has not got, towards the id at @place. */
static void
go (EarIdSequence *self, GArray *kept, guint place)
{
  g_autoptr (GArray) before = g_steal_pointer (&self->ids);
  guint n_gone;

  self->ids = g_array_ref (kept);
  self->head = 0;
  self->inner_start = 0;
  self->inner_end = before->len;
  self->tail = kept->len;
  self->inner = before;
  while ((n_gone = shrink_head (self, place)) > 0)
    self->func (self->head, n_gone, 0, self->user_data);
  while ((n_gone = shrink_tail (self)) > 0)
    self->func (self->head + self->inner_end - self->inner_start, n_gone, 0, self->user_data);
  self->inner = NULL;
}

/* How many of @part, which @all has in the same order, stand there before @position. */
static guint
count_before (GArray *part, GArray *all, guint position)
{
  guint n_before = 0;

  for (guint i = 0; i < MIN (position, all->len) && n_before < part->len; i++)
    if (id_at (all, i) == id_at (part, n_before))
      n_before++;

  return n_before;
}

/* Where the id at @place of @part stands in @all, which has all of @part in the same order; its end for that of @part. */
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

/**
 * ear_id_sequence_is_start_of:
 * @target: (element-type gint64): what it is to become
 */
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

/**
 * ear_id_sequence_predict:
 * @target: (element-type gint64): what it is to become
 */
guint
ear_id_sequence_predict (EarIdSequence *self, GArray *target, guint position)
{
  g_autoptr (GArray) kept = ear_id_diff_get_kept (self->ids, target);
  const guint n_before = count_before (kept, self->ids, position);

  /* Behind the last one that stays, it is that one. */
  return kept->len > 0 ? find_place (kept, target, MIN (n_before, kept->len - 1)) : 0;
}

/**
 * ear_id_sequence_change_to:
 * @target: (element-type gint64): what it is to become; not to be changed by the caller any more
 *
 * Becomes @target: first what is not in it goes, then what is missing comes, run by run,
 * and all else stays. What is far from @position goes first, and comes last: who shows the rows
 * around it has to look at few others meanwhile.
 */
void
ear_id_sequence_change_to (EarIdSequence *self, GArray *target, guint position)
{
  g_autoptr (GArray) kept = ear_id_diff_get_kept (self->ids, target);
  const guint place = count_before (kept, self->ids, position);

  if (kept->len < self->ids->len)
    go (self, kept, find_place (kept, self->ids, place));
  if (self->ids->len < target->len)
    come (self, target, place, find_place (kept, target, place));
}

/**
 * ear_id_sequence_replace:
 * @target: (element-type gint64): what it is to become; not to be changed by the caller any more
 *
 * Becomes @target in one step.
 */
void
ear_id_sequence_replace (EarIdSequence *self, GArray *target)
{
  const guint before = self->ids->len;

  g_array_unref (self->ids);
  self->ids = g_array_ref (target);
  if (before > 0 || target->len > 0)
    self->func (0, before, target->len, self->user_data);
}

/**
 * ear_id_sequence_extend:
 * @target: (element-type gint64): what it is growing to
 */
void
ear_id_sequence_extend (EarIdSequence *self, GArray *target, guint n_new)
{
  const guint before = self->ids->len;

  g_array_append_vals (self->ids, &g_array_index (target, gint64, before), n_new);
  self->func (before, 0, n_new, self->user_data);
}
