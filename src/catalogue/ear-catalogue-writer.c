/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-writer.h"

#include "ear-catalogue-tables.h"
#include "ear-thread.h"

/* @values: its owned members are transferred */
EarCatalogueOp *
ear_catalogue_op_new (EarCatalogueOp values)
{
  return g_atomic_rc_box_dup (sizeof values, &values);
}

static void
op_clear (EarCatalogueOp *self)
{
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

EAR_DEFINE_REF_COUNTED (EarCatalogueOp, ear_catalogue_op, op_clear)

/* Limit of memory in queued batches; with more, their threads wait. */
#define QUEUE_BYTES (16 * 1024 * 1024)

/* Limits of one transaction, so that rows appear soon, and that there is space for the
 * next batches meanwhile */
#define TRANSACTION_EPISODES 3000
#define TRANSACTION_BYTES (QUEUE_BYTES / 2)
#define TRANSACTION_OPS 1000

/* Waits for more ops that can wait: for checks, and for batches while feeds are fetched */
#define CHECK_DELAY (1 * G_TIME_SPAN_SECOND)
#define BATCH_DELAY (100 * G_TIME_SPAN_MILLISECOND)

struct _EarOpQueue
{
  GMutex mutex;
  GCond changed;

  /* Protected by the mutex */
  GQueue ops;    /* (element-type EarCatalogueOp) */
  gsize n_bytes; /* bytes in the queue, and in the present transaction */
  guint n_urgent; /* ops in the queue that cannot wait */
  guint n_batches; /* batches in the queue */
  gboolean closed;
};

static gboolean
has_room (EarOpQueue *self, const EarCatalogueOp *op)
{
  return !(op->flags & EAR_OP_BATCH) || self->closed || self->n_bytes == 0 ||
         self->n_bytes + op->size <= QUEUE_BYTES;
}

EarOpQueue *
ear_op_queue_new (void)
{
  EarOpQueue *self = g_new0 (EarOpQueue, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->ops);

  return self;
}

void
ear_op_queue_free (EarOpQueue *self)
{
  g_assert (self->closed);
  g_assert (g_queue_is_empty (&self->ops));

  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* Queues an op. A batch waits for space, so that the memory of the queue is bounded; all
 * others are small and queued at once. Any thread may call it.
 * Returns: (transfer full) (nullable): @op itself if the queue was closed */
EarCatalogueOp *
ear_op_queue_push (EarOpQueue *self, EarCatalogueOp *op)
{
  g_mutex_lock (&self->mutex);
  while (!has_room (self, op))
    g_cond_wait (&self->changed, &self->mutex);
  if (!self->closed)
    {
      self->n_bytes += op->size;
      self->n_urgent += (op->flags & (EAR_OP_CAN_WAIT | EAR_OP_BATCH)) == 0;
      self->n_batches += (op->flags & EAR_OP_BATCH) != 0;
      g_queue_push_tail (&self->ops, g_steal_pointer (&op));
      g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->mutex);

  return op;
}

/* Waits for ops and takes as many as one transaction may have.
 * @taken: (element-type EarCatalogueOp): gets the ops
 * @wake_time: time to return without any, a monotonic time, or -1
 * Returns: %FALSE once the queue is closed and empty */
gboolean
ear_op_queue_take (EarOpQueue *self, GQueue *taken, gint64 wake_time)
{
  guint n_episodes = 0;
  gsize n_bytes = 0;
  gboolean more;
  gint64 until;

  g_mutex_lock (&self->mutex);
  while (g_queue_is_empty (&self->ops) && !self->closed)
    if (wake_time < 0)
      g_cond_wait (&self->changed, &self->mutex);
    else if (!g_cond_wait_until (&self->changed, &self->mutex, wake_time))
      break;
  /* A 304 changes only a time: those of a whole refresh share one transaction. Few large
   * transactions with batches cost less than many small ones. */
  until = g_get_monotonic_time () + (self->n_batches > 0 ? BATCH_DELAY : CHECK_DELAY);
  while (!g_queue_is_empty (&self->ops) && self->n_urgent == 0 && !self->closed &&
         self->n_bytes < TRANSACTION_BYTES)
    if (!g_cond_wait_until (&self->changed, &self->mutex, until))
      break;
  while (!g_queue_is_empty (&self->ops) && n_episodes < TRANSACTION_EPISODES &&
         n_bytes < TRANSACTION_BYTES && taken->length < TRANSACTION_OPS)
    {
      EarCatalogueOp *op = g_queue_pop_head (&self->ops);

      n_episodes += op->n_episodes;
      n_bytes += op->size;
      self->n_urgent -= (op->flags & (EAR_OP_CAN_WAIT | EAR_OP_BATCH)) == 0;
      self->n_batches -= (op->flags & EAR_OP_BATCH) != 0;
      g_queue_push_tail (taken, op);
    }
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

/* The writer thread. Any thread pushes ops; the writer performs all waiting ones in one
 * transaction, commits, and posts the changes to the main queue. It never waits while a
 * transaction is open. */
struct _EarCatalogueWriter
{
  /* Owned */
  GThread *thread;
  EarOpQueue *queue;
  EarCatalogueTables *tables; /* used on the writer thread only */
  gint64 tidy_time;           /* monotonic time; -1: no upkeep needed */
  gboolean scan_failed;       /* notes are scanned again once more episodes come */
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

/* Queues the rest of an op after all waiting ones; after closing, it is left to
 * the next start. */
static void
push_again (EarCatalogueWriter *self, EarCatalogueOp *op)
{
  g_autoptr (EarCatalogueOp) refused = ear_op_queue_push (self->queue, ear_catalogue_op_ref (op));
}

/* Adds the result of the op's task to the event. */
static void
add_result (EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  g_autoptr (EarMarks) marks = g_steal_pointer (&op->marks);
  EarDoneEvent *done;

  if (op->task == NULL)
    return;
  done = g_new0 (EarDoneEvent, 1);
  done->task = g_steal_pointer (&op->task);
  done->marks = error == NULL ? g_steal_pointer (&marks) : NULL;
  done->error = error != NULL ? g_error_copy (error) : NULL;
  g_ptr_array_add (event->done, done);
}

static gboolean
try_transaction (EarCatalogueWriter *self, EarCatalogueOp **ops, guint n_ops, GError **error)
{
  EarCatalogueEvent *event;

  ear_catalogue_tables_begin (self->tables);
  /* An op after an error would change nothing but the responses in memory. */
  for (guint i = 0; i < n_ops && !ear_database_has_failed (self->tables->database); i++)
    {
      ops[i]->again = FALSE;
      if (ops[i]->perform != NULL)
        ops[i]->perform (self->tables, ops[i]);
    }
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

  /* Without its row, nothing of a podcast could be stored until the next start. */
  if (op->flags & EAR_OP_ADDS_PODCAST)
    g_ptr_array_add (self->retries, ear_catalogue_op_ref (op));
  if (op->flags & EAR_OP_BATCH)
    ear_catalogue_tables_spoil_response (self->tables, op->podcast);
  if (op->flags & EAR_OP_ACKNOWLEDGED)
    g_array_append_val (event->acknowledged, op->episode);
  event->lost_episodes = (op->flags & (EAR_OP_BATCH | EAR_OP_ADDS_PODCAST)) != 0;
  add_result (op, event, error);
  event->error = error;
  ear_main_queue_post (self->main_queue, event);
}

static void
run_transaction (EarCatalogueWriter *self, GPtrArray *ops)
{
  g_autoptr (GError) error = NULL;

  if (ops->len == 0 ||
      try_transaction (self, (EarCatalogueOp **) ops->pdata, ops->len, &error))
    return;

  /* After an error, or on a full disk, run each op alone. */
  for (guint i = 0; i < ops->len; i++)
    {
      EarCatalogueOp *op = g_ptr_array_index (ops, i);

      g_clear_error (&error);
      if (!try_transaction (self, &op, 1, &error))
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

static void
work (EarCatalogueWriter *self, GQueue *taken)
{
  g_autoptr (GPtrArray) ops = new_ops ();
  g_autoptr (GPtrArray) flushes = new_ops ();

  try_again (self);
  for (EarCatalogueOp *op = g_queue_pop_head (taken); op != NULL; op = g_queue_pop_head (taken))
    if (op->flags & EAR_OP_FLUSH)
      g_ptr_array_add (flushes, op);
    else
      g_ptr_array_add (ops, op);
  run_transaction (self, ops);
  for (guint i = 0; i < ops->len; i++)
    {
      EarCatalogueOp *op = g_ptr_array_index (ops, i);

      if (op->flags & EAR_OP_LEAVES_ROOM)
        {
          self->tidy_time = g_get_monotonic_time () + self->tables->tidy_delay;
          self->scan_failed = FALSE;
        }
      ear_op_queue_release (self->queue, op);
    }
  for (guint i = 0; i < flushes->len; i++)
    complete_flush (self, g_ptr_array_index (flushes, i));
}

static void
tidy (EarCatalogueWriter *self)
{
  EarCatalogueOp *scan = &(EarCatalogueOp) { .perform = ear_catalogue_tables_scan };
  GError *error = NULL;
  gint64 pause = 0;

  if (!self->scan_failed && ear_catalogue_tables_has_unscanned (self->tables, &error))
    try_transaction (self, &scan, 1, &error);
  else if (error == NULL)
    pause = ear_catalogue_tables_tidy (self->tables);
  if (error != NULL)
    {
      self->scan_failed = TRUE;
      report_failure (self, scan, error);
    }
  self->tidy_time = pause >= 0 ? g_get_monotonic_time () + pause : -1;
}

static gpointer
writer_thread (gpointer data)
{
  EarCatalogueWriter *self = data;
  GQueue taken = G_QUEUE_INIT;

  ear_worker_lower_priority (EAR_WORKER_STORES);
  while (ear_op_queue_take (self->queue, &taken, self->tidy_time))
    if (taken.length > 0)
      work (self, &taken);
    else
      tidy (self);
  try_again (self);
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
  g_autoptr (GError) error = NULL;

  self->tables = tables;
  self->main_queue = main_queue;
  /* tidy() meets an error again, and reports it. */
  self->tidy_time = ear_catalogue_tables_has_unscanned (tables, &error) || error != NULL
                        ? g_get_monotonic_time () + tables->tidy_delay
                        : -1;
  self->retries = new_ops ();
  self->queue = ear_op_queue_new ();
  self->thread = g_thread_new ("catalogue-write", writer_thread, self);

  return self;
}

/* Queues an op; a batch may block, see ear_op_queue_push(). Any thread may call it. After
 * closing nothing is written any more: a flush is completed at once.
 * @self: (nullable): without it, nothing is written
 * @op: (transfer full): an op */
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

void
ear_catalogue_writer_free (EarCatalogueWriter *self)
{
  g_assert (self->thread == NULL);

  g_ptr_array_unref (self->retries);
  ear_op_queue_free (self->queue);
  g_free (self);
}
