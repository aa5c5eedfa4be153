/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-deferred-checks.h"

/* A 304 changes nothing but a time: those of a whole refresh share one transaction. */
#define CHECK_DELAY (1 * G_TIME_SPAN_SECOND)
#define CHECK_DELAY_LIMIT (10 * G_TIME_SPAN_SECOND)

struct _EarDeferredChecks
{
  /* Owned */
  GHashTable *ops;   /* row id of the podcast: EarCatalogueOp */
  GPtrArray *before; /* (element-type EarCatalogueOp): what comes before those, and is not one with them */

  gint64 first; /* monotonic times */
  gint64 last;
};

EarDeferredChecks *
ear_deferred_checks_new (void)
{
  EarDeferredChecks *self = g_new0 (EarDeferredChecks, 1);

  self->ops = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, (GDestroyNotify) ear_catalogue_op_unref);
  self->before = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_catalogue_op_unref);

  return self;
}

/**
 * ear_deferred_checks_free:
 * @self: (transfer full): checks; those that were not taken are lost
 */
void
ear_deferred_checks_free (EarDeferredChecks *self)
{
  g_hash_table_unref (self->ops);
  g_ptr_array_unref (self->before);
  g_free (self);
}

/* Nobody has answered, but the feed is somewhere else. */
static gboolean
is_move (const EarCatalogueOp *op)
{
  const EarFeedCheck *check = ((EarCheckData *) op->data)->check;

  return check->checked == 0 && check->feed_address != NULL;
}

/* What the later one of two does not tell stays as the earlier one told it. */
static void
merge (EarCatalogueOp *earlier_op, EarCatalogueOp *later_op)
{
  EarFeedCheck *earlier = ((EarCheckData *) earlier_op->data)->check;
  EarFeedCheck *later = ((EarCheckData *) later_op->data)->check;

  if (later->checked == 0)
    later->checked = earlier->checked;
  if (later->feed_address == NULL)
    later->feed_address = g_steal_pointer (&earlier->feed_address);
}

/**
 * ear_deferred_checks_add:
 * @op: (transfer full): a check that brought nothing, or failed, with an `EarCheckData`
 *
 * Keeps it for later; the main thread knows of it already.
 */
void
ear_deferred_checks_add (EarDeferredChecks *self, EarCatalogueOp *op)
{
  EarCatalogueOp *earlier = g_hash_table_lookup (self->ops, &op->podcast);

  /* An answer says nothing of another address than its own: merged, it would seem to come from the new one. */
  if (earlier != NULL && is_move (earlier) != is_move (op))
    {
      g_hash_table_steal (self->ops, &op->podcast);
      g_ptr_array_add (self->before, earlier);
    }
  else if (earlier != NULL)
    merge (earlier, op);

  self->last = g_get_monotonic_time ();
  if (g_hash_table_size (self->ops) == 0 && self->before->len == 0)
    self->first = self->last;
  g_hash_table_replace (self->ops, &op->podcast, op);
}

/**
 * ear_deferred_checks_take:
 * @ops: (element-type EarCatalogueOp): gets all of them, those of a podcast in their order
 */
void
ear_deferred_checks_take (EarDeferredChecks *self, GPtrArray *ops)
{
  GHashTableIter iter;
  gpointer op;

  g_ptr_array_extend_and_steal (ops, g_steal_pointer (&self->before));
  self->before = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_catalogue_op_unref);
  g_hash_table_iter_init (&iter, self->ops);
  while (g_hash_table_iter_next (&iter, NULL, &op))
    {
      g_hash_table_iter_steal (&iter);
      g_ptr_array_add (ops, op);
    }
}

/**
 * ear_deferred_checks_get_time:
 *
 * Returns: the monotonic time at which they have to be written; -1 while there are none
 */
gint64
ear_deferred_checks_get_time (EarDeferredChecks *self)
{
  if (g_hash_table_size (self->ops) == 0)
    return -1;

  return MIN (self->last + CHECK_DELAY, self->first + CHECK_DELAY_LIMIT);
}
