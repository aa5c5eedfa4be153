/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-log.h"

#include <errno.h>
#include <stdio.h>

typedef struct
{
  guint count;
  gint64 first;
} Visits;

typedef struct
{
  guint open;
  guint peak;
} Connections;

/* All data shared by tests and the server's thread, under one lock. */
struct _EarTestLog
{
  GObject parent_instance;

  GMutex lock;
  GCond idle;

  /* Owned */
  GPtrArray *requests;
  GHashTable *visits;
  GHashTable *connections;
  FILE *file;

  guint in_flight;
};

G_DEFINE_FINAL_TYPE (EarTestLog, ear_test_log, G_TYPE_OBJECT)

static Connections *
connections_of (EarTestLog *self,
                const char *host)
{
  Connections *connections = g_hash_table_lookup (self->connections, host);

  if (connections == NULL)
    {
      connections = g_new0 (Connections, 1);
      g_hash_table_insert (self->connections, g_strdup (host), connections);
    }

  return connections;
}

static void
ear_test_log_finalize (GObject *object)
{
  EarTestLog *self = EAR_TEST_LOG (object);

  g_ptr_array_unref (self->requests);
  g_hash_table_unref (self->visits);
  g_hash_table_unref (self->connections);
  if (self->file != NULL)
    fclose (self->file);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->idle);

  G_OBJECT_CLASS (ear_test_log_parent_class)->finalize (object);
}

static void
ear_test_log_class_init (EarTestLogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_test_log_finalize;
}

static void
ear_test_log_init (EarTestLog *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->idle);
  self->requests = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_test_request_unref);
  self->visits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->connections = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

EarTestLog *
ear_test_log_new (void)
{
  return g_object_new (EAR_TYPE_TEST_LOG, NULL);
}

/**
 * ear_test_log_set_file:
 * @self: a log
 * @path: a file for a line of JSON per finished request
 * @error: return location for an error
 *
 * Returns: %FALSE if the file could not be opened
 */
gboolean
ear_test_log_set_file (EarTestLog *self,
                       const char *path,
                       GError    **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  FILE *file = fopen (path, "ae");

  if (file == NULL)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
      return FALSE;
    }

  if (self->file != NULL)
    fclose (self->file);
  self->file = file;

  return TRUE;
}

/**
 * ear_test_log_add:
 * @self: a log
 * @request: a request whose headers have arrived; in flight until it is finished
 */
void
ear_test_log_add (EarTestLog     *self,
                  EarTestRequest *request)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  request->connections = connections_of (self, request->host)->open;
  g_ptr_array_add (self->requests, ear_test_request_ref (request));
  self->in_flight++;
}

/**
 * ear_test_log_set_status:
 * @self: a log
 * @request: a request in it
 * @status: the status being sent
 */
void
ear_test_log_set_status (EarTestLog     *self,
                         EarTestRequest *request,
                         guint           status)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  request->status = status;
}

/**
 * ear_test_log_add_bytes:
 * @self: a log
 * @request: a request in it
 * @bytes: the number of body bytes sent
 */
void
ear_test_log_add_bytes (EarTestLog     *self,
                        EarTestRequest *request,
                        gsize           bytes)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  request->bytes_sent += bytes;
}

/**
 * ear_test_log_finish:
 * @self: a log
 * @request: a request in it whose response is complete
 */
void
ear_test_log_finish (EarTestLog     *self,
                     EarTestRequest *request)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (request->finished)
    return;

  request->finished = TRUE;
  if (self->file != NULL)
    {
      g_autofree char *line = ear_test_request_to_json (request);

      fprintf (self->file, "%s\n", line);
      fflush (self->file);
    }

  self->in_flight--;
  if (self->in_flight == 0)
    g_cond_broadcast (&self->idle);
}

/**
 * ear_test_log_dup_requests:
 * @self: a log
 *
 * Returns: (transfer full) (element-type EarTestRequest): copies of all requests, in
 *   order of arrival
 */
GPtrArray *
ear_test_log_dup_requests (EarTestLog *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  GPtrArray *copies = g_ptr_array_new_full (self->requests->len, (GDestroyNotify) ear_test_request_unref);

  for (guint i = 0; i < self->requests->len; i++)
    g_ptr_array_add (copies, ear_test_request_copy (self->requests->pdata[i]));

  return copies;
}

/**
 * ear_test_log_wait_idle:
 * @self: a log
 * @milliseconds: the maximum time to wait
 *
 * Returns: whether at some moment no request was in flight
 */
gboolean
ear_test_log_wait_idle (EarTestLog *self,
                        guint       milliseconds)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 end = g_get_monotonic_time () + (gint64) milliseconds * 1000;

  while (self->in_flight > 0)
    if (!g_cond_wait_until (&self->idle, &self->lock, end))
      return FALSE;

  return TRUE;
}

/**
 * ear_test_log_clear:
 * @self: a log
 *
 * Forgets requests, visits and peaks. Requests in flight continue, unlogged.
 */
void
ear_test_log_clear (EarTestLog *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  GHashTableIter iter;
  gpointer value;

  g_ptr_array_set_size (self->requests, 0);
  g_hash_table_remove_all (self->visits);
  g_hash_table_iter_init (&iter, self->connections);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Connections *connections = value;
      connections->peak = connections->open;
    }
}

/**
 * ear_test_log_count_visit:
 * @self: a log
 * @key: an id for the visited path
 * @first: (out) (optional): time of the first visit, in monotonic microseconds
 *
 * Returns: the number of this visit: 1 for the first one since the log was cleared
 */
guint
ear_test_log_count_visit (EarTestLog *self,
                          const char *key,
                          gint64     *first)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Visits *visits = g_hash_table_lookup (self->visits, key);

  if (visits == NULL)
    {
      visits = g_new0 (Visits, 1);
      visits->first = g_get_monotonic_time ();
      g_hash_table_insert (self->visits, g_strdup (key), visits);
    }
  visits->count++;
  if (first != NULL)
    *first = visits->first;

  return visits->count;
}

/**
 * ear_test_log_open_connection:
 * @self: a log
 * @host: the server's address that the client connected to
 */
void
ear_test_log_open_connection (EarTestLog *self,
                              const char *host)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Connections *connections = connections_of (self, host);

  connections->open++;
  connections->peak = MAX (connections->peak, connections->open);
}

/**
 * ear_test_log_close_connection:
 * @self: a log
 * @host: the address passed to ear_test_log_open_connection()
 */
void
ear_test_log_close_connection (EarTestLog *self,
                               const char *host)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  connections_of (self, host)->open--;
}

/**
 * ear_test_log_get_connections:
 * @self: a log
 * @host: an address of this server
 * @peak: (out) (optional): the maximum of open connections since the log was cleared
 *
 * Returns: the number of open connections to @host
 */
guint
ear_test_log_get_connections (EarTestLog *self,
                              const char *host,
                              guint      *peak)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Connections *connections = connections_of (self, host);

  if (peak != NULL)
    *peak = connections->peak;

  return connections->open;
}
