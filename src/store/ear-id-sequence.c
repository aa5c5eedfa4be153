/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id-sequence.h"

#include "ear-id-diff.h"

/*
 * An ordered array of row ids that changes into another one by single steps, and is
 * consistent at each of them: while rows come or go, it is the start of @next, then the
 * rest of @ids. No step moves memory about, however long the array is.
 */
struct _EarIdSequence
{
  /* Owned */
  GArray *ids; /* (element-type gint64) */

  /* Borrowed */
  GArray *next; /* (nullable) (element-type gint64) */
  EarIdsChangedFunc func;
  gpointer user_data;

  guint n_next;
  guint n_past;
};

/**
 * ear_id_sequence_new:
 * @func: told of each change
 * @user_data: data for @func
 *
 * Returns: (transfer full): an empty sequence
 */
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

/**
 * ear_id_sequence_get_n_ids:
 * @self: a sequence
 *
 * Returns: how many ids there are now
 */
guint
ear_id_sequence_get_n_ids (EarIdSequence *self)
{
  return self->n_next + self->ids->len - self->n_past;
}

/**
 * ear_id_sequence_get:
 * @self: a sequence
 * @position: a position in it
 *
 * Returns: the id there
 */
gint64
ear_id_sequence_get (EarIdSequence *self, guint position)
{
  if (position < self->n_next)
    return g_array_index (self->next, gint64, position);

  return g_array_index (self->ids, gint64, position - self->n_next + self->n_past);
}

/**
 * ear_id_sequence_find:
 * @self: a sequence
 * @id: a row id
 * @position: (out) (optional): where it stands
 *
 * Returns: whether it is there
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
 * @self: a sequence
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

/* Passes over what @ids and @target have in common, to the next difference. */
static gboolean
find_difference (EarIdSequence *self, GArray *target)
{
  while (self->n_past < self->ids->len && self->n_next < target->len &&
         g_array_index (self->ids, gint64, self->n_past) == g_array_index (target, gint64, self->n_next))
    {
      self->n_past++;
      self->n_next++;
    }

  return self->n_past < self->ids->len || self->n_next < target->len;
}

/* Passes over a run of ids that one array has and the other, shorter one does not. */
static guint
skip_run (GArray *longer, guint *at, GArray *shorter, guint other)
{
  const guint start = *at;

  while (*at < longer->len &&
         (other == shorter->len || g_array_index (longer, gint64, *at) != g_array_index (shorter, gint64, other)))
    (*at)++;

  return *at - start;
}

/* Goes over to @target, which has only less than there is, or only more. */
static void
step_to (EarIdSequence *self, GArray *target)
{
  const gboolean less = target->len < self->ids->len;

  self->next = target;
  while (find_difference (self, target))
    {
      const guint position = self->n_next;

      if (less)
        self->func (position, skip_run (self->ids, &self->n_past, target, self->n_next), 0, self->user_data);
      else
        self->func (position, 0, skip_run (target, &self->n_next, self->ids, self->n_past), self->user_data);
    }

  g_array_unref (self->ids);
  self->ids = g_array_ref (target);
  self->next = NULL;
  self->n_next = 0;
  self->n_past = 0;
}

/**
 * ear_id_sequence_hold:
 * @self: a sequence
 * @target: (element-type gint64): what it is to become
 * @id: a row id
 *
 * Moves an id of @target to where it stands in the sequence.
 *
 * Returns: whether it is in both
 */
gboolean
ear_id_sequence_hold (EarIdSequence *self, GArray *target, gint64 id)
{
  guint from = 0;
  guint to;

  if (!ear_id_sequence_find (self, id, &to))
    return FALSE;
  while (from < target->len && g_array_index (target, gint64, from) != id)
    from++;
  if (from == target->len)
    return FALSE;
  g_array_remove_index (target, from);
  g_array_insert_val (target, MIN (to, target->len), id);

  return TRUE;
}

/**
 * ear_id_sequence_change_to:
 * @self: a sequence
 * @target: (element-type gint64): what it is to become; not to be changed by the caller any more
 * @pinned: an id that does not go while it is in @target, or 0
 *
 * Becomes @target: first what is not in it goes, then what is missing comes, run by run,
 * and all else stays.
 */
void
ear_id_sequence_change_to (EarIdSequence *self, GArray *target, gint64 pinned)
{
  g_autoptr (GArray) kept = pinned != 0 ? ear_id_diff_get_kept_around (self->ids, target, pinned)
                                        : ear_id_diff_get_kept (self->ids, target);

  if (kept->len < self->ids->len)
    step_to (self, kept);
  if (self->ids->len < target->len)
    step_to (self, target);
}

/**
 * ear_id_sequence_replace:
 * @self: a sequence
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
 * @self: a sequence that is the start of @target
 * @target: (element-type gint64): what it is growing to
 * @n_new: how many more of it to take
 */
void
ear_id_sequence_extend (EarIdSequence *self, GArray *target, guint n_new)
{
  const guint before = self->ids->len;

  g_array_append_vals (self->ids, &g_array_index (target, gint64, before), n_new);
  self->func (before, 0, n_new, self->user_data);
}
