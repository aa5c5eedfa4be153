/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-thread.h"

#include "ear-thread.h"

/* More than the dead or slow hosts at any time: a request that waits for a host occupies
 * a connection, and must not block hosts that answer. */
#define MAX_CONNECTIONS 256

/* The limit of browsers. At most four downloads run at a time, which leaves two
 * connections for the feeds, covers and documents of the same host. */
#define MAX_CONNECTIONS_PER_HOST 6

#define KEEP_ALIVE_SECONDS 30
#define MAX_WORKERS 2

/* Active transfers at a time: a few feeds that arrive fast finish sooner than all of them
 * at once. Transfers that only wait for a server do not count. */
#define MAX_BUSY 32
#define ADMIT_INTERVAL_MS 100

struct _EarHttpThread
{
  /* Owned */
  EarThread *thread;
  GThreadPool *workers;
  GTlsDatabase *tls_database;

  /* Network thread only */
  SoupSession *session;
  GHashTable *transfers; /* started ones */
  GQueue waiting;        /* not started yet */
  GSource *admission;    /* (nullable): set while some wait */
  gboolean stopping;
};

typedef struct
{
  EarHttpThread *self;
  EarHttpTransfer *transfer;
} Submission;

/* Parsing yields to drawing, and to storing, on which the parsed data would only wait:
 * with few processors, a busy parser delays everything. */
static void
take_chunk_cb (gpointer data, gpointer user_data)
{
  ear_worker_lower_priority (EAR_WORKER_PREPARES);
  ear_http_transfer_take_chunk (data);
}

static void
close_session (gpointer data)
{
  EarHttpThread *self = data;

  if (self->session == NULL)
    return;
  if (self->admission != NULL)
    g_source_destroy (self->admission);
  g_clear_pointer (&self->admission, g_source_unref);
  soup_session_abort (self->session);
  g_clear_object (&self->session);
}

/* The ended transfer may be within a call of the session: close the session from the main
 * loop. */
static void
quit_when_done (EarHttpThread *self)
{
  if (!self->stopping || g_hash_table_size (self->transfers) > 0)
    return;
  ear_thread_push (self->thread, close_session, self);
  ear_thread_quit (self->thread);
}

static guint
count_busy (EarHttpThread *self)
{
  const gint64 now = g_get_monotonic_time ();
  GHashTableIter iter;
  gpointer transfer;
  guint n_busy = 0;

  if (g_hash_table_size (self->transfers) < MAX_BUSY)
    return g_hash_table_size (self->transfers);
  g_hash_table_iter_init (&iter, self->transfers);
  while (g_hash_table_iter_next (&iter, &transfer, NULL))
    n_busy += ear_http_transfer_is_busy (transfer, now) ? 1 : 0;

  return n_busy;
}

/* Canceled transfers return at once, without waiting for their turn. */
static void
refuse_cancelled (EarHttpThread *self)
{
  for (GList *l = self->waiting.head, *next; l != NULL; l = next)
    {
      next = l->next;
      if (self->stopping || ear_http_transfer_is_cancelled (l->data))
        {
          ear_http_transfer_refuse (l->data);
          g_queue_delete_link (&self->waiting, l);
        }
    }
}

static void ended_cb (EarHttpTransfer *transfer, gpointer user_data);

static void
admit (EarHttpThread *self)
{
  guint n_busy = count_busy (self);

  while (!g_queue_is_empty (&self->waiting) && n_busy < MAX_BUSY)
    {
      EarHttpTransfer *transfer = g_queue_pop_head (&self->waiting);

      g_hash_table_add (self->transfers, transfer);
      ear_http_transfer_start (transfer, self->session, self->workers, ended_cb, self);
      n_busy++;
    }
}

static void
ended_cb (EarHttpTransfer *transfer, gpointer user_data)
{
  EarHttpThread *self = user_data;

  g_hash_table_remove (self->transfers, transfer);
  admit (self);
  quit_when_done (self);
}

static gboolean
admission_cb (gpointer data)
{
  EarHttpThread *self = data;

  refuse_cancelled (self);
  admit (self);
  if (!g_queue_is_empty (&self->waiting))
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->admission, g_source_unref);

  return G_SOURCE_REMOVE;
}

static void
take_submission (gpointer data)
{
  g_autofree Submission *submission = data;
  EarHttpThread *self = submission->self;

  g_queue_push_tail (&self->waiting, submission->transfer);
  admit (self);
  if (!g_queue_is_empty (&self->waiting) && self->admission == NULL)
    {
      self->admission = g_timeout_source_new (ADMIT_INTERVAL_MS);
      g_source_set_static_name (self->admission, "[earmark] HTTP admission");
      g_source_set_callback (self->admission, admission_cb, self, NULL);
      g_source_attach (self->admission, ear_thread_get_context (self->thread));
    }
}

static void
stop (gpointer data)
{
  EarHttpThread *self = data;
  g_autoptr (GPtrArray) transfers = g_hash_table_get_keys_as_ptr_array (self->transfers);

  self->stopping = TRUE;
  refuse_cancelled (self);
  for (guint i = 0; i < transfers->len; i++)
    ear_http_transfer_stop (transfers->pdata[i]);
  quit_when_done (self);
}

static void
open_session (gpointer data)
{
  EarHttpThread *self = data;

  self->session = soup_session_new_with_options ("max-conns", MAX_CONNECTIONS,
                                                 "max-conns-per-host", MAX_CONNECTIONS_PER_HOST,
                                                 "timeout", 0,
                                                 "idle-timeout", KEEP_ALIVE_SECONDS,
                                                 NULL);
  if (self->tls_database != NULL)
    soup_session_set_tls_database (self->session, self->tls_database);
}

/* @tls_database: (nullable): the certificates to trust; %NULL for the system's */
EarHttpThread *
ear_http_thread_new (GTlsDatabase *tls_database)
{
  EarHttpThread *self = g_new0 (EarHttpThread, 1);

  /* GTask's shared threads inherit the priority of the thread that first uses them:
   * create them here. */
  g_type_ensure (G_TYPE_TASK);
  /* An exclusive pool: shared threads have another priority. */
  self->workers = g_thread_pool_new (take_chunk_cb, NULL, MAX_WORKERS, TRUE, NULL);
  g_set_object (&self->tls_database, tls_database);
  self->transfers = g_hash_table_new (NULL, NULL);
  /* The network thread only unpacks data for the workers, so it has their priority. */
  self->thread = ear_thread_new ("earmark-network", EAR_WORKER_PREPARES);
  ear_thread_push (self->thread, open_session, self);

  return self;
}

/* Starts or queues a transfer, which returns its task when it has ended. */
void
ear_http_thread_submit (EarHttpThread *self, EarHttpTransfer *transfer)
{
  Submission *submission = g_new0 (Submission, 1);

  submission->self = self;
  submission->transfer = transfer;
  ear_thread_push (self->thread, take_submission, submission);
}

/* Ends all transfers with %G_IO_ERROR_CANCELLED, and the thread. Waits for it and for
 * running chunk functions.
 * @self: (transfer full): the network thread */
void
ear_http_thread_free (EarHttpThread *self)
{
  ear_thread_push (self->thread, stop, self);
  ear_thread_join (self->thread);

  g_thread_pool_free (self->workers, FALSE, TRUE);
  g_clear_object (&self->tls_database);
  g_hash_table_unref (self->transfers);
  g_free (self);
}
