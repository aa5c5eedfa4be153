/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-thread.h"

#define MAX_CONNECTIONS 32
#define MAX_CONNECTIONS_PER_HOST 2
#define KEEP_ALIVE_SECONDS 30
#define MAX_WORKERS 2

struct _EarHttpThread
{
  /* Owned */
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  GThreadPool *workers;
  GTlsDatabase *tls_database;

  /* In the network thread only */
  SoupSession *session;
  GHashTable *transfers;
  gboolean stopping;
};

typedef struct
{
  EarHttpThread *self;
  EarHttpTransfer *transfer;
} Submission;

static void
take_chunk_cb (gpointer data, gpointer user_data)
{
  ear_http_transfer_take_chunk (data);
}

static void
quit_when_done (EarHttpThread *self)
{
  if (self->stopping && g_hash_table_size (self->transfers) == 0)
    g_main_loop_quit (self->loop);
}

static void
ended_cb (EarHttpTransfer *transfer, gpointer user_data)
{
  EarHttpThread *self = user_data;

  g_hash_table_remove (self->transfers, transfer);
  quit_when_done (self);
}

static gboolean
submitted_cb (gpointer data)
{
  Submission *submission = data;
  EarHttpThread *self = submission->self;

  g_hash_table_add (self->transfers, submission->transfer);
  ear_http_transfer_start (submission->transfer, self->session, self->workers, ended_cb, self);

  return G_SOURCE_REMOVE;
}

static gboolean
stop_cb (gpointer data)
{
  EarHttpThread *self = data;
  g_autoptr (GPtrArray) transfers = g_hash_table_get_keys_as_ptr_array (self->transfers);

  self->stopping = TRUE;
  for (guint i = 0; i < transfers->len; i++)
    ear_http_transfer_stop (transfers->pdata[i]);
  quit_when_done (self);

  return G_SOURCE_REMOVE;
}

/* Not g_main_context_invoke(): before the thread has taken its context, that would
 * run the function in the thread of the caller. */
static void
call_in_thread (EarHttpThread *self, GSourceFunc func, gpointer data, GDestroyNotify data_free)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_static_name (source, "[earmark] HTTP call");
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, data, data_free);
  g_source_attach (source, self->context);
}

static gpointer
run_thread (gpointer data)
{
  EarHttpThread *self = data;

  g_main_context_push_thread_default (self->context);
  self->session = soup_session_new_with_options ("max-conns", MAX_CONNECTIONS,
                                                 "max-conns-per-host", MAX_CONNECTIONS_PER_HOST,
                                                 "timeout", 0,
                                                 "idle-timeout", KEEP_ALIVE_SECONDS,
                                                 NULL);
  if (self->tls_database != NULL)
    soup_session_set_tls_database (self->session, self->tls_database);

  g_main_loop_run (self->loop);

  soup_session_abort (self->session);
  g_clear_object (&self->session);
  /* Streams that are being closed. */
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);

  return NULL;
}

/**
 * ear_http_thread_new:
 * @tls_database: (nullable): the certificates to trust; %NULL for the system's
 *
 * Returns: (transfer full): a network thread that has been started
 */
EarHttpThread *
ear_http_thread_new (GTlsDatabase *tls_database)
{
  EarHttpThread *self = g_new0 (EarHttpThread, 1);

  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->workers = g_thread_pool_new (take_chunk_cb, NULL, MAX_WORKERS, FALSE, NULL);
  g_set_object (&self->tls_database, tls_database);
  self->transfers = g_hash_table_new (NULL, NULL);
  self->thread = g_thread_new ("earmark-network", run_thread, self);

  return self;
}

/**
 * ear_http_thread_submit:
 * @self: the network thread
 * @transfer: (transfer none): a transfer that has not been started
 *
 * Hands over a transfer. It returns its task when it is done.
 */
void
ear_http_thread_submit (EarHttpThread *self, EarHttpTransfer *transfer)
{
  Submission *submission = g_new0 (Submission, 1);

  submission->self = self;
  submission->transfer = transfer;
  call_in_thread (self, submitted_cb, submission, g_free);
}

/**
 * ear_http_thread_free:
 * @self: (transfer full): the network thread
 *
 * Ends all transfers with %G_IO_ERROR_CANCELLED, and the thread. Waits for it, and so
 * for the chunk functions that run.
 */
void
ear_http_thread_free (EarHttpThread *self)
{
  call_in_thread (self, stop_cb, self, NULL);
  g_thread_join (self->thread);

  g_thread_pool_free (self->workers, FALSE, TRUE);
  g_clear_object (&self->tls_database);
  g_hash_table_unref (self->transfers);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_free (self);
}
