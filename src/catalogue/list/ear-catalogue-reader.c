/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-reader.h"

#include "ear-episode-key.h"
#include "ear-episode-rows.h"
#include "ear-episode-search.h"
#include "ear-episode-sql.h"
#include "ear-mailbox.h"
#include "ear-notes-finder.h"
#include "ear-snippet-maker.h"

/* How often SQLite asks whether to go on: some tens of microseconds. */
#define PROGRESS_STEPS 2000

typedef enum
{
  REQUEST_QUERY,
  REQUEST_NOTES,
  REQUEST_SNIPPET,
  REQUEST_FIND,
  REQUEST_KEY,
  REQUEST_WARM,
} RequestType;

typedef struct
{
  RequestType type;

  /* Owned */
  GTask *task;
  EarEpisodeQuery *query; /* (nullable): of a query */
  guint limit;
  gint64 episode; /* also the answer to a key */
  int superseded; /* atomic: somebody who asks again does not want this answer */

  GArray *ids; /* (nullable): the answer to a query; or what is to be warm */
  GArray *marks;   /* (nullable): the answer to where words are */
  EarNotes *where; /* (nullable): that they are looked for in */
  EarNotesText *notes;
  char *search; /* (nullable): of a snippet, or to be found in notes; or the key */
  char *title;  /* (nullable) */
  EarSnippet *snippet;
  GError *error;
} Request;

/*
 * The reader thread: answers queries with ids and loads notes, one after the other, on a
 * connection of its own. Answers go to the owner's thread by mailbox, so that no object
 * of the main thread is ever let go here.
 */
struct _EarCatalogueReader
{
  /* Owned */
  GThread *thread;
  EarMailbox *mailbox;
  EarDatabase *database; /* the reader thread's */
  int closing;           /* atomic, and written under the mutex */

  GMutex mutex;
  GCond changed;
  GQueue queue;     /* (element-type Request); this and what follows under the mutex */
  Request *current; /* (nullable): what the reader thread answers now */
};

static void
request_free (Request *request)
{
  g_clear_object (&request->task);
  g_clear_pointer (&request->query, ear_episode_query_free);
  g_clear_pointer (&request->ids, g_array_unref);
  g_clear_pointer (&request->marks, g_array_unref);
  g_clear_pointer (&request->where, ear_notes_unref);
  g_clear_pointer (&request->notes, ear_notes_text_free);
  g_clear_pointer (&request->search, g_free);
  g_clear_pointer (&request->title, g_free);
  g_clear_pointer (&request->snippet, ear_snippet_free);
  g_clear_error (&request->error);
  g_free (request);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Request, request_free)

/**
 * ear_notes_text_free:
 * @self: (transfer full): notes
 */
void
ear_notes_text_free (EarNotesText *self)
{
  g_free (self->text);
  g_free (self->base);
  g_free (self);
}

/* --- Reader thread ------------------------------------------------------------------- */

static gboolean
is_unwanted (EarCatalogueReader *self, Request *request)
{
  return g_atomic_int_get (&self->closing) || g_atomic_int_get (&request->superseded) ||
         g_cancellable_is_cancelled (g_task_get_cancellable (request->task));
}

static int
progress_cb (gpointer data)
{
  EarCatalogueReader *self = data;

  /* Set by this thread alone; others only look at it. */
  return self->current != NULL && is_unwanted (self, self->current);
}

static EarNotesText *
load_notes (EarCatalogueReader *self, gint64 episode, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_prepare (self->database, "SELECT text, base FROM notes WHERE episode = ?1", error);
  g_autoptr (EarNotesText) notes = g_new0 (EarNotesText, 1);
  gboolean row = FALSE;

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, episode);
  if (!ear_database_step (self->database, statement, &row, error))
    return NULL;
  if (row)
    {
      notes->text = ear_statement_dup_text (statement, 0);
      notes->base = ear_statement_dup_text (statement, 1);
    }

  return g_steal_pointer (&notes);
}

static EarSnippet *
make_snippet (EarCatalogueReader *self, Request *request, GError **error)
{
  g_autoptr (EarSearchWords) words = ear_search_words_new (self->database, request->search, error);
  g_autoptr (EarNotesText) notes = words != NULL ? load_notes (self, request->episode, error) : NULL;

  return notes != NULL ? ear_snippet_make (words, request->title, notes->text) : NULL;
}

static GArray *
find_in_notes (EarCatalogueReader *self, Request *request, GError **error)
{
  g_autoptr (EarSearchWords) words = ear_search_words_new (self->database, request->search, error);

  return words != NULL ? ear_notes_finder_find (words, request->where) : NULL;
}

static void
pass_row (const EarEpisodeRow *row, gpointer user_data)
{
}

/* Reads what the main thread will read next, so that it finds it in memory: whoever opens a
 * podcast after the machine was started would have to wait for the disk. */
static void
warm (EarCatalogueReader *self, GArray *ids, guint n_ids)
{
  g_autoptr (GError) error = NULL;

  if (!ear_episode_rows_read (self->database, (const gint64 *) (gpointer) ids->data, n_ids, pass_row, NULL, &error))
    g_debug ("Rows are left cold: %s", error->message);
}

static void
run_query (EarCatalogueReader *self, Request *request)
{
  if (request->query->search != NULL)
    request->ids = ear_episode_search_run (self->database, request->query, request->limit, &request->error);
  else
    request->ids = ear_episode_sql_run (self->database, request->query, request->limit, &request->error);
  if (request->ids != NULL)
    warm (self, request->ids, MIN (request->ids->len, EAR_CATALOGUE_WARM_ROWS));
}

static void
answer (EarCatalogueReader *self, Request *request)
{
  if (is_unwanted (self, request))
    {
      g_set_error_literal (&request->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The answer is not wanted any more");
      return;
    }

  switch (request->type)
    {
    case REQUEST_NOTES:
      request->notes = load_notes (self, request->episode, &request->error);
      break;
    case REQUEST_SNIPPET:
      request->snippet = make_snippet (self, request, &request->error);
      break;
    case REQUEST_FIND:
      request->marks = find_in_notes (self, request, &request->error);
      break;
    case REQUEST_KEY:
      ear_episode_key_find (self->database, request->search, &request->episode, &request->error);
      break;
    case REQUEST_WARM:
      warm (self, request->ids, request->ids->len);
      break;
    case REQUEST_QUERY:
    default:
      run_query (self, request);
      break;
    }
}

static Request *
take_request (EarCatalogueReader *self)
{
  g_mutex_lock (&self->mutex);
  while (g_queue_is_empty (&self->queue) && !self->closing)
    g_cond_wait (&self->changed, &self->mutex);
  self->current = g_queue_pop_head (&self->queue);
  g_mutex_unlock (&self->mutex);

  return self->current;
}

static gpointer
reader_thread (gpointer data)
{
  EarCatalogueReader *self = data;
  Request *request;

  while ((request = take_request (self)) != NULL)
    {
      answer (self, request);
      g_mutex_lock (&self->mutex);
      self->current = NULL;
      g_mutex_unlock (&self->mutex);
      ear_mailbox_post (self->mailbox, request);
    }

  return NULL;
}

/* --- Main thread --------------------------------------------------------------------- */

static void
take_answer (gpointer letter, gpointer user_data)
{
  g_autoptr (Request) request = letter;

  if (request->error != NULL)
    g_task_return_error (request->task, g_steal_pointer (&request->error));
  else if (request->type == REQUEST_NOTES)
    g_task_return_pointer (request->task, g_steal_pointer (&request->notes), (GDestroyNotify) ear_notes_text_free);
  else if (request->type == REQUEST_SNIPPET)
    g_task_return_pointer (request->task, g_steal_pointer (&request->snippet), (GDestroyNotify) ear_snippet_free);
  else if (request->type == REQUEST_FIND)
    g_task_return_pointer (request->task, g_steal_pointer (&request->marks), (GDestroyNotify) g_array_unref);
  else if (request->type == REQUEST_KEY)
    g_task_return_pointer (request->task, g_memdup2 (&request->episode, sizeof request->episode), g_free);
  else if (request->type == REQUEST_WARM)
    g_task_return_boolean (request->task, TRUE);
  else
    g_task_return_pointer (request->task, g_steal_pointer (&request->ids), (GDestroyNotify) g_array_unref);
}

/**
 * ear_catalogue_reader_new:
 * @database: (transfer full): a read-only connection
 * @context: main context of the owner
 *
 * Starts the reader thread.
 *
 * Returns: (transfer full): the reader
 */
EarCatalogueReader *
ear_catalogue_reader_new (EarDatabase *database, GMainContext *context)
{
  EarCatalogueReader *self = g_new0 (EarCatalogueReader, 1);

  self->database = database;
  self->mailbox = ear_mailbox_new (context, take_answer, NULL);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->queue);
  sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS, progress_cb, self);
  self->thread = g_thread_new ("catalogue-read", reader_thread, self);

  return self;
}

/* Whoever asks again with the same cancellable wants no earlier answer. */
static void
supersede (EarCatalogueReader *self, GCancellable *cancellable)
{
  for (GList *l = self->queue.head; l != NULL; l = l->next)
    {
      Request *request = l->data;

      if (request->query != NULL && g_task_get_cancellable (request->task) == cancellable)
        g_atomic_int_set (&request->superseded, TRUE);
    }
  if (self->current != NULL && self->current->query != NULL &&
      g_task_get_cancellable (self->current->task) == cancellable)
    g_atomic_int_set (&self->current->superseded, TRUE);
}

static void
push (EarCatalogueReader *self, Request *request, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  gboolean closed;

  request->task = g_object_ref (task);
  g_mutex_lock (&self->mutex);
  closed = self->closing;
  if (closed)
    g_set_error_literal (&request->error, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is closed");
  else if (request->type == REQUEST_QUERY)
    {
      if (cancellable != NULL)
        supersede (self, cancellable);
      g_queue_push_tail (&self->queue, request);
    }
  else if (request->type != REQUEST_NOTES)
    g_queue_push_tail (&self->queue, request);
  else
    g_queue_push_head (&self->queue, request);
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);

  if (closed)
    take_answer (request, NULL);
}

/**
 * ear_catalogue_reader_query:
 * @self: a reader
 * @query: what is asked
 * @limit: how many ids at most, or 0 for all
 * @task: is completed with a #GArray of ids, in its own context
 *
 * Queues a query. An earlier one with the same cancellable is ended, with
 * `G_IO_ERROR_CANCELLED`.
 */
void
ear_catalogue_reader_query (EarCatalogueReader *self, const EarEpisodeQuery *query, guint limit, GTask *task)
{
  Request *request = g_new0 (Request, 1);

  request->query = ear_episode_query_copy (query);
  request->limit = limit;
  push (self, request, task);
}

/**
 * ear_catalogue_reader_load_notes:
 * @self: a reader
 * @episode: row id of an episode
 * @task: is completed with an `EarNotesText`
 *
 * Queues the loading of notes, before all queries: somebody waits to read them.
 */
void
ear_catalogue_reader_load_notes (EarCatalogueReader *self, gint64 episode, GTask *task)
{
  Request *request = g_new0 (Request, 1);

  request->type = REQUEST_NOTES;
  request->episode = episode;
  push (self, request, task);
}

/**
 * ear_catalogue_reader_load_snippet:
 * @self: a reader
 * @episode: row id of an episode
 * @title: (nullable): its title
 * @search: what was searched for
 * @task: is completed with an `EarSnippet`
 *
 * Queues the making of a snippet.
 */
void
ear_catalogue_reader_load_snippet (EarCatalogueReader *self, gint64 episode, const char *title, const char *search, GTask *task)
{
  Request *request = g_new0 (Request, 1);

  request->type = REQUEST_SNIPPET;
  request->episode = episode;
  request->title = g_strdup (title);
  request->search = g_strdup (search);
  push (self, request, task);
}

/**
 * ear_catalogue_reader_find_in_notes:
 * @self: a reader
 * @notes: show notes
 * @search: what was searched for
 * @task: is completed with a #GArray of `EarNotesMark`
 *
 * Queues the looking for the words in notes.
 */
void
ear_catalogue_reader_find_in_notes (EarCatalogueReader *self, EarNotes *notes, const char *search, GTask *task)
{
  Request *request = g_new0 (Request, 1);

  request->type = REQUEST_FIND;
  request->where = ear_notes_ref (notes);
  request->search = g_strdup (search);
  push (self, request, task);
}

/**
 * ear_catalogue_reader_find_key:
 * @self: a reader
 * @key: key of an episode
 * @task: is completed with a #gint64, the row id or 0
 *
 * Queues the looking for the episode that has a key.
 */
void
ear_catalogue_reader_find_key (EarCatalogueReader *self, const char *key, GTask *task)
{
  Request *request = g_new0 (Request, 1);

  request->type = REQUEST_KEY;
  request->search = g_strdup (key);
  push (self, request, task);
}

/**
 * ear_catalogue_reader_warm:
 * @self: a reader
 * @ids: (array length=n_ids): row ids of episodes
 * @n_ids: how many
 * @task: is completed with %TRUE
 *
 * Queues the reading of rows that the main thread is likely to read soon.
 */
void
ear_catalogue_reader_warm (EarCatalogueReader *self, const gint64 *ids, guint n_ids, GTask *task)
{
  Request *request = g_new0 (Request, 1);

  request->type = REQUEST_WARM;
  request->ids = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n_ids);
  g_array_append_vals (request->ids, ids, n_ids);
  push (self, request, task);
}

/**
 * ear_catalogue_reader_close:
 * @self: a reader
 *
 * Interrupts what is being answered, answers all else with an error, ends the thread and
 * closes the connection.
 *
 * Returns: whether SQLite has found the file damaged
 */
gboolean
ear_catalogue_reader_close (EarCatalogueReader *self)
{
  gboolean damaged;

  g_mutex_lock (&self->mutex);
  g_atomic_int_set (&self->closing, TRUE);
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&self->thread, g_thread_join);
  damaged = ear_database_get_damaged (self->database);
  g_clear_pointer (&self->database, ear_database_close);
  ear_mailbox_empty (self->mailbox);

  return damaged;
}

/**
 * ear_catalogue_reader_free:
 * @self: (transfer full): a reader that was closed
 */
void
ear_catalogue_reader_free (EarCatalogueReader *self)
{
  g_assert (self->thread == NULL);

  ear_mailbox_free (self->mailbox);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}
