/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-reader.h"

#include "ear-main-queue.h"
#include "ear-thread.h"

/* SQLite steps between two checks for cancellation: some tens of microseconds */
#define PROGRESS_STEPS 2000

typedef struct
{
  EarCatalogueReader *reader;
  GTask *task;
  EarReadFunc func;
  GDestroyNotify answer_free;
  gpointer answer;
  GError *error;
  int superseded; /* atomic */
} Question;

/**
 * EarCatalogueReader:
 *
 * A thread that reads the catalogue, one query after the other, on a connection of its
 * own. Queries and their tasks return to the owner with the result, so that no object of
 * the main thread is ever released here.
 */
struct _EarCatalogueReader
{
  /* Owned */
  EarThread *thread;
  EarMainQueue *answered;
  EarDatabase *database; /* used on the reader thread only */
  GQueue questions;      /* (element-type Question): without a result yet; used by the owner only */

  Question *current; /* (nullable): used on the reader thread only */
  int closing;       /* atomic */
};

/* --- Reader thread ------------------------------------------------------------------- */

static gboolean
is_unwanted (Question *question)
{
  return g_atomic_int_get (&question->reader->closing) || g_atomic_int_get (&question->superseded) ||
         g_cancellable_is_cancelled (g_task_get_cancellable (question->task));
}

static int
progress_cb (gpointer data)
{
  EarCatalogueReader *self = data;

  return self->current != NULL && is_unwanted (self->current);
}

static void
answer (gpointer data)
{
  Question *question = data;
  EarCatalogueReader *self = question->reader;

  self->current = question;
  if (is_unwanted (question))
    g_set_error_literal (&question->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The answer is not wanted any more");
  else
    question->answer = question->func (self->database, g_task_get_task_data (question->task), &question->error);
  self->current = NULL;
  ear_main_queue_post (self->answered, question);
}

static void
save_memory (gpointer data)
{
  EarCatalogueReader *self = data;

  ear_database_save_memory (self->database);
}

/* --- Main thread --------------------------------------------------------------------- */

static void
take_answer (gpointer message, gpointer user_data)
{
  g_autofree Question *question = message;
  g_autoptr (GTask) task = question->task;

  g_queue_remove (&question->reader->questions, question);
  if (question->error != NULL)
    g_task_return_error (task, question->error);
  else
    g_task_return_pointer (task, question->answer, question->answer_free);
}

/* @database: (transfer full): a read-only connection */
EarCatalogueReader *
ear_catalogue_reader_new (EarDatabase *database, GMainContext *context)
{
  EarCatalogueReader *self = g_new0 (EarCatalogueReader, 1);

  self->database = database;
  self->answered = ear_main_queue_new (context, take_answer, NULL);
  g_queue_init (&self->questions);
  sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS, progress_cb, self);
  self->thread = ear_thread_new ("catalogue-read", EAR_WORKER_ANSWERS);

  return self;
}

/* Queues a query; queries run in the order of the calls.
 * @task: a task, whose data @func gets, and which returns the result of @func
 * @answer_free: (nullable): frees an unused result */
void
ear_catalogue_reader_ask (EarCatalogueReader *self, GTask *task, EarReadFunc func, GDestroyNotify answer_free)
{
  Question *question;

  if (g_atomic_int_get (&self->closing))
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is closed");
      return;
    }
  question = g_new0 (Question, 1);
  question->reader = self;
  question->task = g_object_ref (task);
  question->func = func;
  question->answer_free = answer_free;
  g_queue_push_tail (&self->questions, question);
  ear_thread_push (self->thread, answer, question);
}

/* Cancels all queries so far with @func and @cancellable; they
 * fail with `G_IO_ERROR_CANCELLED`. */
void
ear_catalogue_reader_supersede (EarCatalogueReader *self, GCancellable *cancellable, EarReadFunc func)
{
  for (GList *l = self->questions.head; l != NULL; l = l->next)
    {
      Question *question = l->data;

      if (question->func == func && g_task_get_cancellable (question->task) == cancellable)
        g_atomic_int_set (&question->superseded, TRUE);
    }
}

/* Frees the page cache, after all queued queries. */
void
ear_catalogue_reader_save_memory (EarCatalogueReader *self)
{
  ear_thread_push (self->thread, save_memory, self);
}

/* Interrupts the running query, fails all others, ends the thread and
 * closes the connection. */
gboolean
ear_catalogue_reader_close (EarCatalogueReader *self)
{
  gboolean damaged;

  g_atomic_int_set (&self->closing, TRUE);
  g_clear_pointer (&self->thread, ear_thread_stop);
  damaged = ear_database_get_damaged (self->database);
  g_clear_pointer (&self->database, ear_database_close);
  ear_main_queue_drain (self->answered);

  return damaged;
}

/* @self: (transfer full): a closed reader */
void
ear_catalogue_reader_free (EarCatalogueReader *self)
{
  g_assert (self->thread == NULL);

  ear_main_queue_free (self->answered);
  g_free (self);
}
