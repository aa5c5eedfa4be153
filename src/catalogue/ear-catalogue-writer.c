/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-writer.h"

#include "ear-catalogue-tables.h"
#include "ear-thread.h"

/* @perform: (nullable): called on the writer thread
 * @podcast: row id of the op's podcast, or 0 */
EarCatalogueOp *
ear_catalogue_op_new (EarWriteFunc perform, EarCatalogueOpFlags flags, gint64 podcast)
{
  EarCatalogueOp *self = g_atomic_rc_box_new0 (EarCatalogueOp);

  self->perform = perform;
  self->flags = flags;
  self->podcast = podcast;

  return self;
}

static EarCatalogueOp *
op_ref (EarCatalogueOp *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
op_clear (gpointer data)
{
  EarCatalogueOp *self = data;

  g_free (self->text);
  g_free (self->title);
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);
  g_clear_pointer (&self->check, ear_feed_check_free);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  if (self->data != NULL)
    self->data_free (self->data);
  g_clear_object (&self->task);
  g_clear_pointer (&self->marks, ear_marks_unref);
}

void
ear_catalogue_op_unref (EarCatalogueOp *self)
{
  g_atomic_rc_box_release_full (self, op_clear);
}

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
  self->n_episodes += op->n_episodes;
  self->n_waiting += op->size;
  self->n_bytes += op->size;
  g_queue_push_tail (&self->ops, op);
}

static gboolean
has_room (EarOpQueue *self, const EarCatalogueOp *op)
{
  return !(op->flags & EAR_OP_BATCH) || self->closed || self->n_bytes == 0 ||
         self->n_bytes + op->size <= QUEUE_BYTES;
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
  return !self->closed && self->n_urgent == 0 && self->n_blocked == 0 &&
         g_hash_table_size (self->answering) > 0 && self->n_episodes < TRANSACTION_EPISODES &&
         self->n_waiting < TRANSACTION_BYTES;
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
  while (!g_queue_is_empty (&self->ops) && n_episodes < TRANSACTION_EPISODES &&
         n_bytes < TRANSACTION_BYTES && taken->length < TRANSACTION_OPS)
    {
      EarCatalogueOp *op = g_queue_pop_head (&self->ops);

      n_episodes += op->n_episodes;
      n_bytes += op->size;
      self->n_urgent -= (op->flags & EAR_OP_URGENT) != 0;
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

/* Rejects further ops; queued ones can still be taken. */
void
ear_op_queue_close (EarOpQueue *self)
{
  g_mutex_lock (&self->mutex);
  self->closed = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/* Few large transactions cost less than many small ones, as each writes the words of all
 * its texts once: while batches keep coming, the writer rests as long as the last
 * transaction took, and then takes all waiting ones. After the end of the last feed it
 * does not rest. */
#define REST_LIMIT (100 * G_TIME_SPAN_MILLISECOND)

/* A 304 changes only a time: those of a whole refresh share one transaction. */
#define CHECK_DELAY (1 * G_TIME_SPAN_SECOND)
#define CHECK_DELAY_LIMIT (10 * G_TIME_SPAN_SECOND)

/* Idle time before upkeep, step by step */
#define TIDY_DELAY (2 * G_TIME_SPAN_SECOND)

/* The writer thread. Any thread pushes ops; the writer performs all waiting ones in one
 * transaction, commits, and posts the changes to the main queue. It never waits while a
 * transaction is open. */
struct _EarCatalogueWriter
{
  /* Owned */
  GThread *thread;
  EarOpQueue *queue;
  EarCatalogueTables *tables; /* used on the writer thread only */
  GPtrArray *deferred;        /* (element-type EarCatalogueOp): can wait; used on the
                               * writer thread only */
  gint64 first_deferred;      /* monotonic times of their arrival */
  gint64 last_deferred;
  gint64 tidy_time;           /* monotonic times; -1: no upkeep needed */
  gint64 rest_until;
  GPtrArray *retries;         /* (element-type EarCatalogueOp): ops to repeat */
  gboolean damaged;           /* set before the queue is closed */

  /* Borrowed */
  EarMainQueue *main_queue;
};

static GPtrArray *
new_ops (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_catalogue_op_unref);
}

/* Without its row, nothing of a podcast could be stored until the next start: the op that
 * inserts the row is repeated. Further ops for the row wait until then. */
static gboolean
waits_for_retries (EarCatalogueWriter *self, const EarCatalogueOp *op)
{
  if (!(op->flags & EAR_OP_NEEDS_PODCAST))
    return FALSE;
  for (guint i = 0; i < self->retries->len; i++)
    if (((EarCatalogueOp *) g_ptr_array_index (self->retries, i))->podcast == op->podcast)
      return TRUE;

  return FALSE;
}

/* Keeps an op for another attempt, replacing an earlier one with the same function. For a
 * podcast to be purged nothing is kept: its row is not needed any more. */
static void
retry_later (EarCatalogueWriter *self, EarCatalogueOp *op)
{
  for (guint i = self->retries->len; i > 0; i--)
    {
      const EarCatalogueOp *earlier = g_ptr_array_index (self->retries, i - 1);

      if (earlier->podcast == op->podcast &&
          ((op->flags & EAR_OP_REMOVES_PODCAST) || op->perform == earlier->perform))
        g_ptr_array_remove_index (self->retries, i - 1);
    }
  if (!(op->flags & EAR_OP_REMOVES_PODCAST))
    g_ptr_array_add (self->retries, op_ref (op));
}

static void
defer (EarCatalogueWriter *self, EarCatalogueOp *op)
{
  self->last_deferred = g_get_monotonic_time ();
  if (self->deferred->len == 0)
    self->first_deferred = self->last_deferred;
  g_ptr_array_add (self->deferred, op);
}

static void
take_deferred (EarCatalogueWriter *self, GPtrArray *ops)
{
  g_ptr_array_extend_and_steal (ops, self->deferred);
  self->deferred = new_ops ();
}

/* Returns the time at which deferred ops have to be written; -1 without any. */
static gint64
get_deferred_time (EarCatalogueWriter *self)
{
  return self->deferred->len > 0
             ? MIN (self->last_deferred + CHECK_DELAY, self->first_deferred + CHECK_DELAY_LIMIT)
             : -1;
}

/* Queues the rest of an op after all waiting ones; after closing, it is left to
 * the next start. */
static void
push_again (EarCatalogueWriter *self, EarCatalogueOp *op)
{
  g_autoptr (EarCatalogueOp) refused = ear_op_queue_push (self->queue, op_ref (op));
}

/* Adds the result of the op's task to the event. */
static void
add_result (EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  g_autoptr (EarMarks) marks = g_steal_pointer (&op->marks);

  if (op->task != NULL)
    ear_catalogue_event_add_done (event, g_steal_pointer (&op->task),
                                  error == NULL ? g_steal_pointer (&marks) : NULL, op->n_before,
                                  error);
}

static gboolean
try_transaction (EarCatalogueWriter *self, EarCatalogueOp **ops, guint n_ops, GError **error)
{
  EarCatalogueEvent *event = NULL;
  gboolean all = ear_catalogue_tables_begin (self->tables, error);

  for (guint i = 0; all && i < n_ops; i++)
    {
      ops[i]->again = FALSE;
      all = ops[i]->perform == NULL || ops[i]->perform (self->tables, ops[i], error);
    }
  if (all)
    event = ear_catalogue_tables_commit (self->tables, error);
  if (event == NULL)
    {
      ear_catalogue_tables_roll_back (self->tables);
      return FALSE;
    }
  /* Report the results together with the changes. */
  for (guint i = 0; i < n_ops; i++)
    {
      add_result (ops[i], event, NULL);
      if (ops[i]->again)
        push_again (self, ops[i]);
    }
  if (event->podcasts->len > 0 || event->acknowledged->len > 0 || event->done->len > 0)
    ear_main_queue_post (self->main_queue, event);
  else
    ear_catalogue_event_free (event);

  return TRUE;
}

/* Reports a failure. The data are lost until the next refresh fetches them again. */
static void
report_failure (EarCatalogueWriter *self, EarCatalogueOp *op, GError *error)
{
  EarCatalogueEvent *event = ear_catalogue_event_new (G_MAXINT64);

  if (op->flags & EAR_OP_ADDS_PODCAST)
    retry_later (self, op);
  if (op->flags & EAR_OP_BATCH)
    ear_catalogue_tables_spoil_response (self->tables, op->podcast);
  if (op->flags & EAR_OP_ACKNOWLEDGED)
    g_array_append_val (event->acknowledged, op->episode);
  event->lost_episodes = (op->flags & (EAR_OP_BATCH | EAR_OP_ADDS_PODCAST)) != 0;
  add_result (op, event, error);
  event->error = error;
  ear_main_queue_post (self->main_queue, event);
}

static gboolean
any_waits_for_retries (EarCatalogueWriter *self, GPtrArray *ops)
{
  for (guint i = 0; self->retries->len > 0 && i < ops->len; i++)
    if (waits_for_retries (self, g_ptr_array_index (ops, i)))
      return TRUE;

  return FALSE;
}

static void
run_transaction (EarCatalogueWriter *self, GPtrArray *ops)
{
  g_autoptr (GError) error = NULL;

  if (ops->len == 0 || (!any_waits_for_retries (self, ops) &&
                        try_transaction (self, (EarCatalogueOp **) ops->pdata, ops->len, &error)))
    return;

  /* After an error, or on a full disk, run each op alone. */
  for (guint i = 0; i < ops->len; i++)
    {
      EarCatalogueOp *op = g_ptr_array_index (ops, i);

      g_clear_error (&error);
      if (waits_for_retries (self, op))
        retry_later (self, op);
      else if (!try_transaction (self, &op, 1, &error))
        report_failure (self, op, g_steal_pointer (&error));
    }
}

/* Repeats failed ops: there may be disk space now. Another failure is not reported again,
 * and must not make other ops fail. */
static void
try_again (EarCatalogueWriter *self)
{
  if (self->retries->len > 0 &&
      try_transaction (self, (EarCatalogueOp **) self->retries->pdata, self->retries->len, NULL))
    g_ptr_array_set_size (self->retries, 0);
}

static void
complete_flush (EarCatalogueWriter *self, EarCatalogueOp *op)
{
  EarCatalogueEvent *event = ear_catalogue_event_new (G_MAXINT64);

  add_result (op, event, NULL);
  ear_main_queue_post (self->main_queue, event);
}

static gboolean
any_needs_transaction (GQueue *taken)
{
  for (GList *l = taken->head; l != NULL; l = l->next)
    if (!(((EarCatalogueOp *) l->data)->flags & EAR_OP_CAN_WAIT))
      return TRUE;

  return FALSE;
}

static void
work (EarCatalogueWriter *self, GQueue *taken)
{
  g_autoptr (GPtrArray) ops = new_ops ();
  g_autoptr (GPtrArray) flushes = new_ops ();
  const gboolean needed = any_needs_transaction (taken);
  const gint64 check_time = get_deferred_time (self);
  gint64 start, end;

  try_again (self);
  /* Deferred ops came first: new ones must not overtake them. */
  if (check_time >= 0 && (needed || check_time <= g_get_monotonic_time ()))
    take_deferred (self, ops);
  for (EarCatalogueOp *op = g_queue_pop_head (taken); op != NULL; op = g_queue_pop_head (taken))
    if (op->flags & EAR_OP_FLUSH)
      g_ptr_array_add (flushes, op);
    else if (ops->len == 0 && op->is_needed != NULL && !op->is_needed (self->tables, op))
      ear_catalogue_op_unref (op);
    else if ((op->flags & EAR_OP_CAN_WAIT) && !needed)
      defer (self, op);
    else
      g_ptr_array_add (ops, op);

  /* A flush includes deferred ops. */
  if (flushes->len > 0)
    take_deferred (self, ops);
  start = g_get_monotonic_time ();
  run_transaction (self, ops);
  end = g_get_monotonic_time ();
  for (guint i = 0; i < ops->len; i++)
    {
      EarCatalogueOp *op = g_ptr_array_index (ops, i);

      if (op->flags & EAR_OP_BATCH)
        self->rest_until = end + MIN (end - start, REST_LIMIT);
      if (op->flags & EAR_OP_LEAVES_ROOM)
        self->tidy_time = end + TIDY_DELAY;
      ear_op_queue_release (self->queue, op);
    }
  for (guint i = 0; i < flushes->len; i++)
    complete_flush (self, g_ptr_array_index (flushes, i));
}

static void
tidy (EarCatalogueWriter *self)
{
  const gint64 pause = ear_catalogue_tables_tidy (self->tables);

  self->tidy_time = pause >= 0 ? g_get_monotonic_time () + pause : -1;
}

/* Returns the time of the next own work; -1 without any. */
static gint64
get_wake_time (EarCatalogueWriter *self)
{
  const gint64 deferred = get_deferred_time (self);

  return deferred < 0 || self->tidy_time < 0 ? MAX (deferred, self->tidy_time)
                                             : MIN (deferred, self->tidy_time);
}

static gpointer
writer_thread (gpointer data)
{
  EarCatalogueWriter *self = data;
  g_autoptr (GPtrArray) rest = new_ops ();
  GQueue taken = G_QUEUE_INIT;

  ear_worker_lower_priority (EAR_WORKER_STORES);
  while (ear_op_queue_take (self->queue, &taken, get_wake_time (self), self->rest_until))
    if (taken.length == 0 && self->tidy_time >= 0 && self->tidy_time <= g_get_monotonic_time ())
      tidy (self);
    else
      work (self, &taken);
  try_again (self);
  take_deferred (self, rest);
  run_transaction (self, rest);
  ear_catalogue_tables_close (self->tables, self->damaged);

  return NULL;
}

/* Starts the writer thread.
 * @tables: (transfer full): the tables
 * @main_queue: gets an `EarCatalogueEvent` after each commit; has to
 * outlive the writer */
EarCatalogueWriter *
ear_catalogue_writer_new (EarCatalogueTables *tables, EarMainQueue *main_queue)
{
  EarCatalogueWriter *self = g_new0 (EarCatalogueWriter, 1);

  self->tables = tables;
  self->main_queue = main_queue;
  self->tidy_time = ear_catalogue_tables_has_long_log (tables)
                        ? g_get_monotonic_time () + TIDY_DELAY
                        : -1;
  self->retries = new_ops ();
  self->deferred = new_ops ();
  self->queue = ear_op_queue_new ();
  self->thread = g_thread_new ("catalogue-write", writer_thread, self);

  return self;
}

/* Queues an op; a batch may block, see ear_op_queue_push(). Any thread may call it. After
 * closing nothing is written any more: a flush is completed at once.
 * @self: (nullable): without it, nothing is written
 * @op: (transfer full): the op */
void
ear_catalogue_writer_push (EarCatalogueWriter *self, EarCatalogueOp *op)
{
  EarCatalogueOp *refused = self != NULL ? ear_op_queue_push (self->queue, op) : op;

  if (self != NULL && refused != NULL && (refused->flags & EAR_OP_FLUSH))
    complete_flush (self, refused);
  g_clear_pointer (&refused, ear_catalogue_op_unref);
}

/* Performs all queued ops, stores that the exit is a clean one, ends the thread and
 * closes the connection. The queue is bounded, and so is the time.
 * @damaged: whether a reader has found damage: then the next start checks the file */
void
ear_catalogue_writer_close (EarCatalogueWriter *self, gboolean damaged)
{
  self->damaged = damaged;
  ear_op_queue_close (self->queue);
  g_clear_pointer (&self->thread, g_thread_join);
  g_clear_pointer (&self->tables, ear_catalogue_tables_free);
}

/* @self: (transfer full): a closed writer */
void
ear_catalogue_writer_free (EarCatalogueWriter *self)
{
  g_assert (self->thread == NULL);

  g_ptr_array_unref (self->deferred);
  g_ptr_array_unref (self->retries);
  ear_op_queue_free (self->queue);
  g_free (self);
}
