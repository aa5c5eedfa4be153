/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-op-queue.h"

/* Limit of memory in queued batches; with more, their threads wait. */
#define QUEUE_BYTES (16 * 1024 * 1024)

/* Limits of one transaction, so that rows appear soon, and that there is space for the
 * next batches meanwhile */
#define TRANSACTION_EPISODES 3000
#define TRANSACTION_BYTES (QUEUE_BYTES / 2)
#define TRANSACTION_OPS 1000

struct _EarOpQueue
{
  GMutex mutex;
  GCond changed;

  /* Owned; the mutex protects all following members */
  GQueue ops;            /* (element-type EarCatalogueOp) */
  GHashTable *answering; /* row ids of podcasts whose response has not ended, or was abandoned */

  guint n_urgent;  /* changes by the listener in the queue */
  guint n_flushes; /* flushes in the queue */
  guint n_episodes;
  guint n_blocked; /* threads that wait for space */
  gsize n_waiting; /* bytes in the queue */
  gsize n_bytes;   /* bytes in the queue, and in the present transaction */
  gboolean closed;
};

static void
note_response (EarOpQueue *self, const EarCatalogueOp *op)
{
  if (op->flags & EAR_OP_BEGINS_RESPONSE)
    g_hash_table_add (self->answering, g_memdup2 (&op->podcast, sizeof op->podcast));
  else if (op->flags & EAR_OP_ENDS_RESPONSE)
    g_hash_table_remove (self->answering, &op->podcast);
}

static void
put_op (EarOpQueue *self, EarCatalogueOp *op)
{
  note_response (self, op);
  self->n_urgent += (op->flags & EAR_OP_URGENT) != 0;
  self->n_flushes += (op->flags & EAR_OP_FLUSH) != 0;
  self->n_episodes += op->n_episodes;
  self->n_waiting += op->size;
  self->n_bytes += op->size;
  g_queue_push_tail (&self->ops, op);
}

static gboolean
has_room (EarOpQueue *self, const EarCatalogueOp *op)
{
  return !(op->flags & EAR_OP_BATCH) || self->closed || self->n_bytes == 0 || self->n_bytes + op->size <= QUEUE_BYTES;
}

/* Waits for space, and wakes a resting writer: more batches can only come
 * after it continues. */
static void
wait_for_room (EarOpQueue *self, const EarCatalogueOp *op)
{
  if (has_room (self, op))
    return;
  self->n_blocked++;
  g_cond_broadcast (&self->changed);
  while (!has_room (self, op))
    g_cond_wait (&self->changed, &self->mutex);
  self->n_blocked--;
}

/* Whether the writer should wait for more ops. */
static gboolean
may_rest (EarOpQueue *self)
{
  return !self->closed && self->n_urgent == 0 && self->n_blocked == 0 && g_hash_table_size (self->answering) > 0 &&
         self->n_episodes < TRANSACTION_EPISODES && self->n_waiting < TRANSACTION_BYTES;
}

static void
wait_for_ops (EarOpQueue *self, gint64 wake_time, gint64 rest_until)
{
  while (g_queue_is_empty (&self->ops) && !self->closed)
    if (wake_time < 0)
      g_cond_wait (&self->changed, &self->mutex);
    else if (!g_cond_wait_until (&self->changed, &self->mutex, wake_time))
      break;
  while (!g_queue_is_empty (&self->ops) && may_rest (self))
    if (!g_cond_wait_until (&self->changed, &self->mutex, rest_until))
      break;
}

EarOpQueue *
ear_op_queue_new (void)
{
  EarOpQueue *self = g_new0 (EarOpQueue, 1);

  self->answering = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->ops);

  return self;
}

/* @self: (transfer full): a closed and empty queue */
void
ear_op_queue_free (EarOpQueue *self)
{
  g_assert (self->closed);
  g_assert (g_queue_is_empty (&self->ops));

  g_hash_table_unref (self->answering);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* Queues an op. A batch waits for space, so that the memory of the queue is bounded; all
 * others are small and queued at once. Any thread may call it.
 * @op: (transfer full): the op
 * Returns: (transfer full) (nullable): @op itself if the queue was closed */
EarCatalogueOp *
ear_op_queue_push (EarOpQueue *self, EarCatalogueOp *op)
{
  g_mutex_lock (&self->mutex);
  wait_for_room (self, op);
  if (!self->closed)
    {
      put_op (self, g_steal_pointer (&op));
      g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->mutex);

  return op;
}

/* Waits for ops and takes as many as one transaction may have.
 * @taken: (element-type EarCatalogueOp): gets the ops
 * @wake_time: time to return without any, a monotonic time, or -1
 * @rest_until: time until which to wait for more batches
 * Returns: %FALSE once the queue is closed and empty */
gboolean
ear_op_queue_take (EarOpQueue *self, GQueue *taken, gint64 wake_time, gint64 rest_until)
{
  guint n_episodes = 0;
  gsize n_bytes = 0;
  gboolean more;

  g_mutex_lock (&self->mutex);
  wait_for_ops (self, wake_time, rest_until);
  while (!g_queue_is_empty (&self->ops) && n_episodes < TRANSACTION_EPISODES && n_bytes < TRANSACTION_BYTES &&
         taken->length < TRANSACTION_OPS)
    {
      EarCatalogueOp *op = g_queue_pop_head (&self->ops);

      n_episodes += op->n_episodes;
      n_bytes += op->size;
      self->n_urgent -= (op->flags & EAR_OP_URGENT) != 0;
      self->n_flushes -= (op->flags & EAR_OP_FLUSH) != 0;
      g_queue_push_tail (taken, op);
    }
  self->n_episodes -= n_episodes;
  self->n_waiting -= n_bytes;
  more = !self->closed || taken->length > 0;
  g_mutex_unlock (&self->mutex);

  return more;
}

/* Frees the op's space in the queue. */
void
ear_op_queue_release (EarOpQueue *self, EarCatalogueOp *op)
{
  if (op->size == 0)
    return;
  g_mutex_lock (&self->mutex);
  self->n_bytes -= op->size;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/* Whether somebody waits, in the middle of deferred work. */
gboolean
ear_op_queue_is_wanted (EarOpQueue *self)
{
  gboolean wanted;

  g_mutex_lock (&self->mutex);
  wanted = self->n_urgent > 0 || self->n_flushes > 0 || self->closed;
  g_mutex_unlock (&self->mutex);

  return wanted;
}

/* Rejects further ops; queued ones can still be taken. */
void
ear_op_queue_close (EarOpQueue *self)
{
  g_mutex_lock (&self->mutex);
  self->closed = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}
