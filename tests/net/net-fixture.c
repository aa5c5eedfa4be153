/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net-fixture.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The limit of all waits, for slow machines */
#define WAIT_LIMIT_MS 60000

void
net_main_init (int *argc, char ***argv)
{
  /* Tests must not use the proxy of the machine. */
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (argc, argv, NULL);
}

void
net_fixture_set_up (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, 3);
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);
  fixture->http = ear_http_new ("Earmark/0.1.0 (+https://example.org/earmark)");
}

void
net_fixture_tear_down (NetFixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->http);
  ear_test_server_stop (fixture->server);
  g_assert_finalize_object (fixture->server);
}

static gboolean
wake_cb (gpointer data)
{
  gboolean *awake = data;

  *awake = TRUE;

  return G_SOURCE_CONTINUE;
}

gboolean
net_wait (gboolean (*done) (gpointer data), gpointer data, guint milliseconds)
{
  gint64 end = g_get_monotonic_time () + milliseconds * G_GINT64_CONSTANT (1000);
  gboolean awake = FALSE;
  guint ticks = g_timeout_add (20, wake_cb, &awake);

  while (!done (data) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (ticks);

  return done (data);
}

static gboolean
is_never (gpointer data)
{
  return FALSE;
}

void
net_sleep (guint milliseconds)
{
  net_wait (is_never, NULL, milliseconds);
}

static glong
read_status (const char *name)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  line = strstr (text, name);
  g_assert_nonnull (line);

  return strtol (line + strlen (name), NULL, 10);
}

glong
net_memory_get_peak (void)
{
  return read_status ("VmHWM:");
}

glong
net_memory_get_now (void)
{
  return read_status ("VmRSS:");
}

gboolean
net_memory_reset (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "we");

  /* Freed memory must not be reused. */
  malloc_trim (0);
  if (file == NULL)
    return FALSE;
  fputs ("5", file);

  return fclose (file) == 0;
}

NetCall *
net_call_new_for_url (const char *url)
{
  NetCall *call = g_new0 (NetCall, 1);

  call->request = ear_http_request_new (url);
  call->body = g_string_new (NULL);

  return call;
}

NetCall *
net_call_new (NetFixture *fixture, guint address, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, address, path);

  return net_call_new_for_url (url);
}

void
net_call_free (NetCall *call)
{
  ear_http_request_free (call->request);
  g_clear_object (&call->cancellable);
  g_string_free (call->body, TRUE);
  g_free (call->chunk_type);
  g_clear_object (&call->result);
  g_clear_pointer (&call->response, ear_http_response_unref);
  g_clear_error (&call->error);
  g_free (call);
}

/* On a worker thread */
static gboolean
take_chunk (EarHttpResponse *response, const guint8 *data, gsize length, gpointer user_data, GError **error)
{
  NetCall *call = user_data;

  if (!g_atomic_int_compare_and_exchange (&call->chunks_running, 0, 1))
    call->chunks_overlapped = TRUE;
  if (call->finished != 0)
    call->chunk_after_finish = TRUE;

  if (call->chunks++ == 0)
    {
      call->first_chunk = g_get_monotonic_time ();
      call->chunk_thread = g_thread_self ();
      call->chunk_niceness = getpriority (PRIO_PROCESS, 0);
      call->chunk_type = g_strdup (response->content_type);
      call->chunk_status = response->status;
    }
  g_string_append_len (call->body, (const char *) data, length);
  if (call->slow_chunks > 0)
    g_usleep (call->slow_chunks * 1000);
  g_atomic_int_set (&call->chunks_running, 0);

  if (call->refuse_after == 0 || call->body->len < call->refuse_after)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "enough");

  return FALSE;
}

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NetCall *call = user_data;

  g_assert_cmpint (g_atomic_int_get (&call->chunks_running), ==, 0);
  g_assert_cmpint (call->finished, ==, 0);
  call->finished = g_get_monotonic_time ();
  call->retry_after = ear_http_get_retry_after (EAR_HTTP (source), result);
  call->response = ear_http_stream_finish (EAR_HTTP (source), result, &call->error);
  g_assert_true ((call->response == NULL) == (call->error != NULL));
}

void
net_call_start (NetCall *call, EarHttp *http)
{
  call->started = g_get_monotonic_time ();
  ear_http_stream_async (http, call->request, take_chunk, call, call->cancellable, finished_cb, call);
}

static gboolean
is_over (gpointer data)
{
  NetCall *call = data;

  return call->finished != 0;
}

void
net_call_wait (NetCall *call)
{
  g_assert_true (net_wait (is_over, call, WAIT_LIMIT_MS));
  g_assert_false (call->chunks_overlapped);
  g_assert_false (call->chunk_after_finish);
}

void
net_call_run (NetCall *call, EarHttp *http)
{
  net_call_start (call, http);
  net_call_wait (call);
}
