/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-writer.h"

#include "ear-catalogue-schema.h"
#include "ear-columns.h"
#include "ear-episode-sql.h"
#include "ear-types.h"
#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

/* --- Events ------------------------------------------------------------------------- */

static void
podcast_event_free (gpointer data)
{
  EarPodcastEvent *self = data;

  g_clear_pointer (&self->arrived, g_array_unref);
  g_clear_pointer (&self->rewritten, g_array_unref);
  g_clear_pointer (&self->marked, g_array_unref);
  g_clear_pointer (&self->renamed, ear_marks_unref);
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);
  g_clear_pointer (&self->check, ear_feed_check_free);
  g_free (self);
}

static void
op_clear (gpointer data)
{
  EarCatalogueOp *op = data;

  g_free (op->text);
  g_free (op->title);
  g_clear_pointer (&op->facts, ear_podcast_facts_unref);
  g_clear_pointer (&op->check, ear_feed_check_free);
  g_clear_pointer (&op->items, g_ptr_array_unref);
  g_clear_pointer (&op->ids, g_array_unref);
  g_clear_pointer (&op->query, ear_episode_query_free);
  if (op->data != NULL)
    op->data_free (op->data);
  g_clear_object (&op->task);
  g_clear_pointer (&op->marks, ear_marks_unref);
  g_clear_error (&op->error);
}

static void
op_unref (gpointer op)
{
  g_atomic_rc_box_release_full (op, op_clear);
}

EarCatalogueEvent *
ear_catalogue_event_new (void)
{
  EarCatalogueEvent *self = g_new0 (EarCatalogueEvent, 1);

  self->podcasts = g_ptr_array_new_with_free_func (podcast_event_free);
  self->done = g_ptr_array_new_with_free_func (op_unref);

  return self;
}

void
ear_catalogue_event_free (EarCatalogueEvent *self)
{
  g_ptr_array_unref (self->podcasts);
  g_ptr_array_unref (self->done);
  g_clear_pointer (&self->totals, ear_episode_totals_free);
  g_clear_error (&self->error);
  g_free (self);
}

/* Returns: (transfer none): the podcast's event in the open transaction, to be extended */
EarPodcastEvent *
ear_writer_get_event (EarWriter *self, gint64 podcast)
{
  EarPodcastEvent *event;

  for (guint i = self->event->podcasts->len; i > 0; i--)
    {
      event = g_ptr_array_index (self->event->podcasts, i - 1);
      if (event->podcast == podcast)
        return event;
    }
  event = g_new0 (EarPodcastEvent, 1);
  event->podcast = podcast;
  g_ptr_array_add (self->event->podcasts, event);

  return event;
}

/* Returns: (transfer none): the podcast's event */
EarPodcastEvent *
ear_writer_add_change (EarWriter *self, gint64 podcast, EarEpisodeChange what)
{
  EarPodcastEvent *event = ear_writer_get_event (self, podcast);

  event->what |= what;

  return event;
}

/* --- Transactions ------------------------------------------------------------------- */

static void
text_change_clear (gpointer data)
{
  g_clear_pointer (&((EarTextChange *) data)->record, ear_episode_record_unref);
}

/* @record: (nullable): the text; %NULL removes the row */
void
ear_writer_change_text (EarWriter *self, gint64 podcast, gint64 key, EarEpisodeRecord *record)
{
  const EarTextChange change = {
    .key = key,
    .podcast = podcast,
    .record = record != NULL ? ear_episode_record_ref (record) : NULL,
  };

  g_array_append_val (self->text_changes, change);
}

/* Sorts by key. Changes of one text keep their order, as g_array_sort() is stable: an episode
 * may be inserted and changed in one transaction. */
static int
compare_text_changes (gconstpointer a, gconstpointer b)
{
  const EarTextChange *first = a;
  const EarTextChange *second = b;

  return ear_compare (first->key, second->key);
}

static void
put_texts (EarWriter *self)
{
  g_array_sort (self->text_changes, compare_text_changes);
  for (guint i = 0; i < self->text_changes->len; i++)
    {
      const EarTextChange *change = &g_array_index (self->text_changes, EarTextChange, i);

      if (change->record == NULL)
        ear_database_execute (self->database, "DELETE FROM episode_text WHERE rowid = ?1", "x",
                              change->key);
      else
        ear_database_execute (
            self->database,
            "INSERT INTO episode_text (rowid, title, notes, podcast)"
            " VALUES (?1, ?2, ?3, 'p' || ?4)",
            "xssx", change->key, change->record->facts->title, change->record->text,
            change->podcast);
    }
  g_array_set_size (self->text_changes, 0);
}

/* Completes the event: counts the episodes of podcasts that have others now, and those in the
 * views over all podcasts if a change affects these. */
static void
complete_event (EarWriter *self)
{
  gboolean changes_totals = FALSE;

  for (guint i = 0; i < self->event->podcasts->len; i++)
    {
      EarPodcastEvent *event = g_ptr_array_index (self->event->podcasts, i);
      g_autoptr (EarStatement) statement = NULL;

      changes_totals |= (event->what & (EAR_CHANGE_INSERTED | EAR_CHANGE_HIDDEN | EAR_CHANGE_FRESH |
                                        EAR_CHANGE_BEGUN | EAR_CHANGE_LISTENED |
                                        EAR_CHANGE_REMOVED | EAR_CHANGE_LIKED)) != 0;
      if ((event->what & (EAR_CHANGE_INSERTED | EAR_CHANGE_LISTENED)) == 0)
        continue;
      event->counted = TRUE;
      statement = ear_database_query (
          self->database,
          "SELECT count (*), sum (listened = 0) FROM episode INDEXED BY episode_of"
          " WHERE podcast = ?1",
          "x", event->podcast);
      if (ear_database_step (self->database, statement))
        ear_statement_read (statement, 0, "ii", &event->n_episodes, &event->n_unplayed);
    }
  if (changes_totals)
    self->event->totals = ear_episode_totals_read (self->database);
}

/* Adds an op that somebody waits for to the event, with its result. */
static void
add_done (EarCatalogueEvent *event, EarCatalogueOp *op, const GError *error)
{
  if (op->task == NULL && (op->flags & EAR_OP_ACKNOWLEDGED) == 0)
    return;
  op->error = error != NULL ? g_error_copy (error) : NULL;
  g_ptr_array_add (event->done, g_atomic_rc_box_acquire (op));
}

/* @event: (transfer full): changes for the main thread */
static void
post (EarWriter *self, EarCatalogueEvent *event)
{
  if (event->podcasts->len > 0 || event->done->len > 0)
    ear_main_queue_post (self->main_queue, event);
  else
    ear_catalogue_event_free (event);
}

/* Performs ops and writes the full text index in one transaction, and posts the changes.
 * After an error it is rolled back. The first transaction also marks the file as in use. */
static gboolean
try_transaction (EarWriter *self, EarCatalogueOp **ops, guint n_ops, GError **error)
{
  g_autoptr (EarCatalogueEvent) event = ear_catalogue_event_new ();
  gboolean stored;

  self->event = event;
  ear_database_exec (self->database, "BEGIN IMMEDIATE");
  if (!self->unclean)
    ear_catalogue_schema_set_clean (self->database, FALSE);
  /* An op after an error would change nothing but the responses in memory. */
  for (guint i = 0; i < n_ops && !ear_database_has_failed (self->database); i++)
    {
      ops[i]->again = FALSE;
      ops[i]->perform (self, ops[i]);
    }
  put_texts (self);
  complete_event (self);
  ear_database_exec (self->database, "COMMIT");
  stored = ear_database_finish (self->database, error);
  ear_writer_settle_answers (self, stored);
  self->event = NULL;
  if (!stored)
    return FALSE;
  self->unclean = TRUE;
  /* Report the results together with the changes. */
  for (guint i = 0; i < n_ops; i++)
    {
      add_done (event, ops[i], NULL);
      if (ops[i]->again)
        ear_writer_push (self, (EarCatalogueOp) { .perform = ops[i]->perform,
                                                  .flags = ops[i]->flags,
                                                  .podcast = ops[i]->podcast });
    }
  post (self, g_steal_pointer (&event));

  return TRUE;
}

/* --- Upkeep ------------------------------------------------------------------------- */

/* While the writer is idle, a few milliseconds at a time: merges segments of the
 * full text index, frees empty pages, and checkpoints the write-ahead log. */

/* Pages of the full text index merged at a time */
#define MERGE_STEP 64

/* Empty pages freed at a time, once they are 1 / VACUUM_PART of the file */
#define VACUUM_STEP 32
#define VACUUM_PART 64

/* Between two steps */
#define PAUSE (50 * G_TIME_SPAN_MILLISECOND)

/* Returns: whether there is more to merge */
static gboolean
merge_texts (EarWriter *self)
{
  sqlite3 *handle = ear_database_get_handle (self->database);
  const int before = sqlite3_total_changes (handle);

  ear_database_execute (self->database,
                        "INSERT INTO episode_text (episode_text, rank) VALUES ('merge', ?1)", "i",
                        MERGE_STEP);

  /* The command itself counts as one change. */
  return sqlite3_total_changes (handle) - before >= 2;
}

/* Frees empty pages, if the file was created with `auto_vacuum`; keeps some for new rows.
 * Returns: whether there may be more */
static gboolean
vacuum (EarWriter *self)
{
  if (ear_database_get_int (self->database,
                            "SELECT auto_vacuum > 0 AND freelist_count >= max (page_count / ?1, ?2)"
                            " FROM pragma_auto_vacuum, pragma_freelist_count, pragma_page_count",
                            "ii", VACUUM_PART, VACUUM_STEP) == 0)
    return FALSE;
  ear_database_exec (self->database,
                     "PRAGMA incremental_vacuum (" G_STRINGIFY (VACUUM_STEP) ")");

  return TRUE;
}

/* @op: gets whether there is more to do as its value */
static void
put_in_order (EarWriter *self, EarCatalogueOp *op)
{
  op->value = merge_texts (self) || vacuum (self);
}

/* Runs a step of upkeep, which takes a few milliseconds.
 * Returns: delay before the next step in microseconds, or -1 if none is needed */
static gint64
run_upkeep (EarWriter *self)
{
  EarCatalogueOp *step = &(EarCatalogueOp) { .perform = put_in_order };
  g_autoptr (GError) error = NULL;

  if (try_transaction (self, &step, 1, &error) && step->value != 0)
    return PAUSE;
  if (error != NULL)
    g_message ("The catalogue cannot be put in order: %s", error->message);
  ear_database_empty_log (self->database);
  ear_database_save_memory (self->database);
#ifdef HAVE_MALLOC_TRIM
  /* A refresh leaves many small blocks, which the C library would keep. */
  malloc_trim (0);
#endif

  return -1;
}

/* --- The thread --------------------------------------------------------------------- */

/* Idle time before notes are scanned, and then upkeep, step by step */
#define TIDY_DELAY (2 * G_TIME_SPAN_SECOND)

/* Limit of memory in queued batches; with more, their threads wait. */
#define QUEUE_BYTES (16 * 1024 * 1024)

/* Limit of one transaction, so that rows appear soon, and that there is space for the
 * next batches meanwhile */
#define TRANSACTION_BYTES (QUEUE_BYTES / 2)

/* The least that an op counts, so that small ones do not gather in one transaction without end */
#define OP_BYTES 1024

/* Waits for more ops that can wait. A 304 changes only a time: those of a whole refresh share
 * one transaction. Few large transactions with batches cost less than many small ones. */
#define CHECK_DELAY (1 * G_TIME_SPAN_SECOND)
#define BATCH_DELAY (100 * G_TIME_SPAN_MILLISECOND)

/* Queues a write. A batch waits for space, so that the memory of the queue is bounded; all
 * others are small and queued at once. Any thread may call it. After closing nothing is
 * written any more: the op is left to the next start, and one with a task must not come.
 * @self: (nullable): without it, nothing is written
 * @op: its owned members are transferred */
void
ear_writer_push (EarWriter *self, EarCatalogueOp op)
{
  const gboolean is_batch = (op.flags & EAR_OP_BATCH) != 0;
  const gint64 delay = is_batch                         ? BATCH_DELAY
                       : (op.flags & EAR_OP_CAN_WAIT) ? CHECK_DELAY
                                                      : 0;
  g_autoptr (GMutexLocker) locker = self != NULL ? g_mutex_locker_new (&self->mutex) : NULL;
  EarCatalogueOp *queued = g_atomic_rc_box_dup (sizeof op, &op);

  queued->size = MAX (op.size, OP_BYTES);
  while (is_batch && self != NULL && !self->closed && self->n_bytes > 0 &&
         self->n_bytes + queued->size > QUEUE_BYTES)
    g_cond_wait (&self->changed, &self->mutex);
  if (self == NULL || self->closed)
    {
      op_unref (queued);
      return;
    }
  self->n_bytes += queued->size;
  self->due = MIN (self->due, g_get_monotonic_time () + delay);
  g_queue_push_tail (&self->ops, queued);
  g_cond_broadcast (&self->changed);
}

/* Waits for ops, or until it is time for upkeep.
 * Returns: %FALSE once the queue is closed and empty */
static gboolean
wait_for_ops (EarWriter *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  while (self->ops.length == 0 && !self->closed)
    if (self->tidy_time < 0)
      g_cond_wait (&self->changed, &self->mutex);
    else if (!g_cond_wait_until (&self->changed, &self->mutex, self->tidy_time))
      break;
  while (self->ops.length > 0 && !self->closed && self->n_bytes < TRANSACTION_BYTES)
    if (!g_cond_wait_until (&self->changed, &self->mutex, self->due))
      break;

  return !self->closed || self->ops.length > 0;
}

/* Reports a failure. The data are lost until the next refresh fetches them again.
 * @error: (transfer full): why */
static void
report_failure (EarWriter *self, EarCatalogueOp *op, GError *error)
{
  EarCatalogueEvent *event = ear_catalogue_event_new ();

  /* Without its row, nothing of a podcast could be stored until the next start. */
  if (op->flags & EAR_OP_ADDS_PODCAST)
    g_ptr_array_add (self->retries, g_atomic_rc_box_acquire (op));
  if (op->flags & EAR_OP_BATCH)
    ear_writer_spoil_answer (self, op->podcast);
  event->lost_episodes = (op->flags & (EAR_OP_BATCH | EAR_OP_ADDS_PODCAST)) != 0;
  add_done (event, op, error);
  event->error = error;
  ear_main_queue_post (self->main_queue, event);
}

/* Repeats failed ops: there may be disk space now. Another failure is not reported again,
 * and must not make other ops fail. */
static void
try_again (EarWriter *self)
{
  if (self->retries->len > 0 &&
      try_transaction (self, (EarCatalogueOp **) self->retries->pdata, self->retries->len, NULL))
    g_ptr_array_set_size (self->retries, 0);
}

/* Performs as many ops of the queue as one transaction may have; after an error, or on a full
 * disk, each op alone.
 * Returns: %FALSE if there are none */
static gboolean
perform_ops (EarWriter *self)
{
  g_autoptr (GPtrArray) ops = g_ptr_array_new_with_free_func (op_unref);
  g_autoptr (EarCatalogueEvent) flushed = ear_catalogue_event_new ();
  EarCatalogueOp *op;
  EarCatalogueOpFlags flags = 0;
  gsize n_bytes = 0;

  g_mutex_lock (&self->mutex);
  while (n_bytes < TRANSACTION_BYTES && (op = g_queue_pop_head (&self->ops)) != NULL)
    {
      n_bytes += op->size;
      flags |= op->flags;
      g_ptr_array_add (op->perform != NULL ? ops : flushed->done, op);
    }
  if (self->ops.length == 0)
    self->due = G_MAXINT64;
  g_mutex_unlock (&self->mutex);
  if (n_bytes == 0)
    return FALSE;

  try_again (self);
  if (ops->len > 0 && !try_transaction (self, (EarCatalogueOp **) ops->pdata, ops->len, NULL))
    for (guint i = 0; i < ops->len; i++)
      {
        GError *error = NULL;

        op = g_ptr_array_index (ops, i);
        if (!try_transaction (self, &op, 1, &error))
          report_failure (self, op, error);
      }
  if (flags & EAR_OP_LEAVES_ROOM)
    {
      self->tidy_time = g_get_monotonic_time () + self->tidy_delay;
      self->scan_failed = FALSE;
    }
  g_mutex_lock (&self->mutex);
  self->n_bytes -= n_bytes;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  post (self, g_steal_pointer (&flushed));

  return TRUE;
}

static void
tidy (EarWriter *self)
{
  EarCatalogueOp *scan = &(EarCatalogueOp) { .perform = ear_writer_scan };
  GError *error = NULL;
  gint64 pause = 0;

  if (!self->scan_failed && ear_writer_has_unscanned (self, &error))
    try_transaction (self, &scan, 1, &error);
  else if (error == NULL)
    pause = run_upkeep (self);
  if (error != NULL)
    {
      self->scan_failed = TRUE;
      report_failure (self, scan, error);
    }
  self->tidy_time = pause >= 0 ? g_get_monotonic_time () + pause : -1;
}

/* Stores whether the exit is a clean one: after any other the next start checks the file. */
static void
store_exit (EarWriter *self)
{
  g_autoptr (GError) error = NULL;
  const gboolean clean = !self->damaged && !ear_database_get_damaged (self->database);

  if (self->unclean || !clean)
    ear_catalogue_schema_set_clean (self->database, clean);
  if (!ear_database_finish (self->database, &error))
    g_message ("The catalogue's end was not noted down: %s", error->message);
}

static gpointer
writer_thread (gpointer data)
{
  EarWriter *self = data;

  ear_worker_lower_priority (EAR_WORKER_STORES);
  while (wait_for_ops (self))
    if (!perform_ops (self))
      tidy (self);
  try_again (self);
  store_exit (self);

  return NULL;
}

/* @database: (transfer full): a writable connection, with the newest schema
 * Returns: (transfer full): a writer without a thread, or %NULL */
EarWriter *
ear_writer_new (EarDatabase *database, GError **error)
{
  g_autoptr (EarWriter) self = g_new0 (EarWriter, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->database = database;
  ear_episode_sql_register (database);
  self->answers = ear_writer_make_answers (database);
  self->text_changes = g_array_new (FALSE, FALSE, sizeof (EarTextChange));
  g_array_set_clear_func (self->text_changes, text_change_clear);
  self->retries = g_ptr_array_new_with_free_func (op_unref);
  self->due = G_MAXINT64;
  self->tidy_delay = TIDY_DELAY;
  self->next_id = ear_database_get_int (database, "SELECT max (id) FROM episode", "") + 1;
  self->unclean = !ear_catalogue_schema_get_clean (database);

  return ear_database_finish (database, error) ? g_steal_pointer (&self) : NULL;
}

/* Starts the thread.
 * @main_queue: gets an `EarCatalogueEvent` after each commit; has to
 * outlive the writer */
void
ear_writer_start (EarWriter *self, EarMainQueue *main_queue)
{
  g_autoptr (GError) error = NULL;

  self->main_queue = main_queue;
  /* tidy() meets an error again, and reports it. */
  self->tidy_time = ear_writer_has_unscanned (self, &error) || error != NULL
                        ? g_get_monotonic_time () + self->tidy_delay
                        : -1;
  self->thread = g_thread_new ("catalogue-write", writer_thread, self);
}

/* Performs all queued ops, stores that the exit is a clean one, ends the thread and
 * closes the connection. The queue is bounded, and so is the time.
 * @damaged: whether a reader has found damage: then the next start checks the file */
void
ear_writer_close (EarWriter *self, gboolean damaged)
{
  self->damaged = damaged;
  g_mutex_lock (&self->mutex);
  self->closed = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&self->thread, g_thread_join);
  g_clear_pointer (&self->database, ear_database_close);
}

void
ear_writer_free (EarWriter *self)
{
  g_assert (self->thread == NULL);

  g_queue_clear_full (&self->ops, op_unref);
  g_hash_table_unref (self->answers);
  g_array_unref (self->text_changes);
  g_ptr_array_unref (self->retries);
  g_clear_pointer (&self->database, ear_database_close);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}
