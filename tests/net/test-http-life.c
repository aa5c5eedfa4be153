/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-error.h"
#include "net-fixture.h"

#include <libsoup/soup.h>
#include <string.h>
#include <sys/socket.h>

/* Limits, and the ends of requests: on their own, canceled, with their owner */

/* Microseconds: a request that ends within this time did not run into a default limit.
 * Slow machines may pause for seconds. */
#define UNLIMITED (18 * G_USEC_PER_SEC)

static void
put_bytes (NetFixture *fixture, const char *path, gsize length)
{
  g_autofree guint8 *data = g_malloc (length);
  g_autoptr (GBytes) bytes = NULL;

  for (gsize i = 0; i < length; i++)
    data[i] = (guint8) (i * 2654435761u >> 13);
  bytes = g_bytes_new_take (g_steal_pointer (&data), length);
  ear_test_server_put_bytes (fixture->server, path, "application/octet-stream", bytes);
}

static NetCall *
run (NetFixture *fixture, const char *path, gint64 max_bytes, gboolean stream_damaged)
{
  NetCall *call = net_call_new (fixture, 1, path);

  call->request->max_bytes = max_bytes;
  call->request->stream_damaged = stream_damaged;
  net_call_run (call, fixture->http);

  return call;
}

/* --- Limits ----------------------------------------------------------------------- */

static void
test_endless (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = run (fixture, "/~endless/generated/feed-1.xml", 3000000, TRUE);

  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
  g_assert_cmpuint (call->body->len, >, 2000000);
  g_assert_cmpuint (call->body->len, <=, 3000000);
}

static void
test_bomb (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = run (fixture, "/~bomb=1024/generated/feed-1.xml", 5000000, TRUE);

  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
  g_assert_cmpuint (call->body->len, <=, 5000000);
}

static void
test_announced_too_large (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;
  g_autoptr (NetCall) fits = NULL;

  put_bytes (fixture, "/data", 100000);
  call = run (fixture, "/data", 99999, FALSE);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
  g_assert_cmpuint (call->chunks, ==, 0);
  fits = run (fixture, "/data", 100000, FALSE);
  net_assert_answer (fits, 200);
}

static void
check_cut_off (NetFixture *fixture, const char *path, gsize received)
{
  g_autoptr (NetCall) strict = run (fixture, path, 0, FALSE);
  g_autoptr (NetCall) lenient = run (fixture, path, 0, TRUE);

  g_assert_error (strict->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
  net_assert_answer (lenient, 200);
  g_assert_true (lenient->response->incomplete);
  g_assert_cmpuint (lenient->body->len, ==, received);
  g_assert_cmpint (lenient->response->bytes, ==, received);
}

static void
test_cut_off (NetFixture *fixture, gconstpointer data)
{
  put_bytes (fixture, "/data", 100000);
  check_cut_off (fixture, "/~cut=5000/data", 5000);
  check_cut_off (fixture, "/~cut=5000/~nolength/data", 5000);
  check_cut_off (fixture, "/~wronglength=1000/data", 100000);
}

static void
test_cut_off_compressed (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) strict = run (fixture, "/~cut=5000/~gzip/generated/feed-50.xml", 0, FALSE);
  g_autoptr (NetCall) lenient = run (fixture, "/~cut=5000/~gzip/generated/feed-50.xml", 0, TRUE);

  g_assert_error (strict->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
  net_assert_answer (lenient, 200);
  g_assert_true (lenient->response->incomplete);
  g_assert_cmpuint (lenient->body->len, >, 5000);
}

/* A body labeled as compressed that is not: libsoup passes it on unchanged. */
static void
test_not_compressed (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;

  put_bytes (fixture, "/data", 100000);
  call = run (fixture, "/~header=Content-Encoding:gzip/data", 0, FALSE);
  if (call->error != NULL)
    g_assert_error (call->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
  else
    g_assert_cmpuint (call->body->len, ==, 100000);
}

/* The first half is valid. */
static void
test_damaged_compression (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GConverter) compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1));
  g_autofree guint8 *plain = g_malloc (400000);
  g_autoptr (GBytes) plain_bytes = NULL;
  g_autoptr (GBytes) packed = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (NetCall) strict = NULL;
  g_autoptr (NetCall) lenient = NULL;
  guint8 *damaged;
  gsize length;

  for (gsize i = 0; i < 400000; i++)
    plain[i] = "abcdefghijklmnop"[g_test_rand_int_range (0, 16)];
  plain_bytes = g_bytes_new (plain, 400000);
  packed = g_converter_convert_bytes (compressor, plain_bytes, &error);
  g_assert_no_error (error);
  damaged = g_bytes_unref_to_data (g_steal_pointer (&packed), &length);
  memset (damaged + length / 2, 0xff, 1000);
  packed = g_bytes_new_take (damaged, length);
  ear_test_server_put_bytes (fixture->server, "/data", "audio/mpeg", packed);

  strict = run (fixture, "/~header=Content-Encoding:gzip/data", 0, FALSE);
  g_assert_error (strict->error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
  lenient = run (fixture, "/~header=Content-Encoding:gzip/data", 0, TRUE);
  net_assert_answer (lenient, 200);
  g_assert_true (lenient->response->incomplete);
  g_assert_cmpuint (lenient->body->len, >, 100000);
  g_assert_cmpmem (lenient->body->str, 100000, plain, 100000);
}

/* A body longer than its Content-Length ends there. */
static void
test_shorter_length (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;
  g_autoptr (NetCall) next = NULL;

  put_bytes (fixture, "/data", 100000);
  call = run (fixture, "/~wronglength=-1000/data", 0, FALSE);
  net_assert_answer (call, 200);
  g_assert_cmpuint (call->body->len, ==, 99000);
  next = run (fixture, "/data", 0, FALSE);
  net_assert_answer (next, 200);
  g_assert_cmpuint (next->body->len, ==, 100000);
}

/* --- Silence ---------------------------------------------------------------------- */

static void
test_mute (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;

  ear_http_get_timeouts (fixture->http)->idle = 300;
  put_bytes (fixture, "/data", 1000);
  call = run (fixture, "/~mute/data", 0, TRUE);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_TIMED_OUT);
  g_assert_cmpint (call->finished - call->started, >=, 290000);
  g_assert_cmpint (call->finished - call->started, <, UNLIMITED);
}

static void
test_stall (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;

  ear_http_get_timeouts (fixture->http)->idle = 300;
  put_bytes (fixture, "/data", 100000);
  call = run (fixture, "/~stall=5000/data", 0, TRUE);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_TIMED_OUT);
  g_assert_cmpuint (call->body->len, ==, 5000);
}

/* A slow server that keeps sending has no time limit, nor has a chunk function slower
 * than the timeout. */
static void
test_patience (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) slow_server = NULL;
  g_autoptr (NetCall) slow_taker = net_call_new (fixture, 1, "/data");

  ear_http_get_timeouts (fixture->http)->idle = 2000;
  put_bytes (fixture, "/data", 100000);
  slow_server = run (fixture, "/~slow=30000/data", 0, FALSE);
  net_assert_answer (slow_server, 200);
  g_assert_cmpint (slow_server->finished - slow_server->started, >, 2000000);

  slow_taker->slow_chunks = 2300;
  net_call_run (slow_taker, fixture->http);
  net_assert_answer (slow_taker, 200);
}

/* A server that sends byte by byte, though never silent for long, times out. */
static void
test_drip (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;

  ear_http_get_timeouts (fixture->http)->idle = 500;
  put_bytes (fixture, "/data", 100000);
  call = run (fixture, "/~slow=20/data", 0, TRUE);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_TIMED_OUT);
  g_assert_cmpuint (call->body->len, >, 0);
}

/* A listening socket with a full queue: connections are neither accepted nor refused. */
static void
test_connect_timeout (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GSocket) listener =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) bound = NULL;
  g_autoptr (GPtrArray) fillers = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *url = NULL;
  g_autoptr (NetCall) call = NULL;

  g_socket_set_listen_backlog (listener, 0);
  g_assert_true (g_socket_bind (listener, any, FALSE, NULL));
  g_assert_true (g_socket_listen (listener, NULL));
  bound = g_socket_get_local_address (listener, NULL);
  for (guint i = 0; i < 4; i++)
    {
      GSocket *filler = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);

      g_ptr_array_add (fillers, filler);
      g_socket_set_blocking (filler, FALSE);
      g_socket_connect (filler, bound, NULL, NULL);
    }
  net_sleep (100);

  *ear_http_get_timeouts (fixture->http) = (EarHttpTimeouts) { .connect = 400, .idle = 30000 };
  url = g_strdup_printf ("http://127.0.0.1:%u/", g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound)));
  call = net_call_new_for_url (url);
  net_call_run (call, fixture->http);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_TIMED_OUT);
  g_assert_cmpint (call->finished - call->started, >=, 390000);
  g_assert_cmpint (call->finished - call->started, <, UNLIMITED);
}

/* Waiting for a free connection does not count as silence of the server. */
static void
test_queue_is_no_silence (NetFixture *fixture, gconstpointer data)
{
  NetCall *calls[8];

  *ear_http_get_timeouts (fixture->http) = (EarHttpTimeouts) { .connect = 2500, .idle = 2500 };
  put_bytes (fixture, "/data", 20000);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      calls[i] = net_call_new (fixture, 1, "/~slow=20000/data");
      net_call_start (calls[i], fixture->http);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      net_call_wait (calls[i]);
      net_assert_answer (calls[i], 200);
      net_call_free (calls[i]);
    }
}

/* A redirect is followed, and an error reported, before the page has arrived. */
static void
test_trickling_page (NetFixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/~slow=1/~redirect=302/data", "/~stall=1/~redirect=302/data" };
  g_autoptr (NetCall) missing = NULL;
  g_autoptr (EarTestRequest) trickled = NULL;

  put_bytes (fixture, "/data", 1000);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (NetCall) call = run (fixture, paths[i], 0, FALSE);

      net_assert_answer (call, 200);
      g_assert_cmpint (call->finished - call->started, <, UNLIMITED);
    }
  /* "302 Found", one byte per second */
  trickled = ear_test_server_dup_last_request (fixture->server, paths[0]);
  g_assert_cmpuint (trickled->bytes_sent, <, 10);
  missing = run (fixture, "/~stall=1/~status=404/data", 0, FALSE);
  g_assert_error (missing->error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
  g_assert_cmpint (missing->finished - missing->started, <, UNLIMITED);
}

/* --- Out of reach ----------------------------------------------------------------- */

static void
test_refused (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *url = g_strdup_printf ("http://u:hush@127.0.0.1:%u/feed?token=hush", port);
  g_autoptr (NetCall) call = net_call_new_for_url (url);

  g_socket_listener_close (listener);
  net_call_run (call, fixture->http);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_UNREACHABLE);
  g_assert_null (strstr (call->error->message, "hush"));
}

static void
test_unknown_name (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = net_call_new_for_url ("http://no-such-host.invalid/feed?token=hush");

  net_call_run (call, fixture->http);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_OFFLINE);
  g_assert_null (strstr (call->error->message, "hush"));
}

static void
test_dropped (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;

  put_bytes (fixture, "/data", 1000);
  call = run (fixture, "/~drop/data", 0, TRUE);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_UNREACHABLE);
}

/* A closed keep-alive connection is replaced silently. */
static void
test_stale_connection (NetFixture *fixture, gconstpointer data)
{
  put_bytes (fixture, "/data", 1000);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (NetCall) call = run (fixture, "/data", 0, FALSE);

      net_assert_answer (call, 200);
      ear_test_server_close_connections (fixture->server);
    }
}

/* Delays the network thread between the last byte of a request and the first read of the
 * response. */
static gboolean
let_server_hang_up (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  g_usleep (50000);

  return G_SOURCE_CONTINUE;
}

/* A connection that the server closes during the request is replaced as well, even if
 * this is detected at once and another idle connection exists. */
static void
test_hung_up (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GTypeClass) message_class = g_type_class_ref (SOUP_TYPE_MESSAGE);
  const guint wrote_body = g_signal_lookup ("wrote-body", SOUP_TYPE_MESSAGE);
  const gulong hook = g_signal_add_emission_hook (wrote_body, 0, let_server_hang_up, NULL, NULL);
  g_autoptr (NetCall) first = net_call_new (fixture, 1, "/~delay=200/data");
  g_autoptr (NetCall) second = net_call_new (fixture, 1, "/~delay=200/data");
  g_autoptr (NetCall) dropped = net_call_new (fixture, 1, "/~times=1/~drop/data");

  put_bytes (fixture, "/data", 1000);
  net_call_start (first, fixture->http);
  net_call_start (second, fixture->http);
  net_call_wait (first);
  net_call_wait (second);
  net_call_run (dropped, fixture->http);
  net_assert_answer (first, 200);
  net_assert_answer (second, 200);
  net_assert_answer (dropped, 200);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/~times=1/~drop/data"), ==, 2);
  g_signal_remove_emission_hook (wrote_body, hook);
}

/* --- Many at a time --------------------------------------------------------------- */

static void
test_connections (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func ((GDestroyNotify) net_call_free);
  guint peak;

  put_bytes (fixture, "/data", 20000);
  for (guint i = 0; i < 30; i++)
    {
      NetCall *call = net_call_new (fixture, 1 + i % 3, i % 5 == 0 ? "/~redirect=302/~delay=30/data"
                                                                  : "/~delay=30/data");

      g_ptr_array_add (calls, call);
      net_call_start (call, fixture->http);
    }
  for (guint i = 0; i < calls->len; i++)
    {
      NetCall *call = calls->pdata[i];

      net_call_wait (call);
      net_assert_answer (call, 200);
      g_assert_cmpuint (call->body->len, ==, 20000);
    }

  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *host = g_strdup_printf ("127.0.0.%u", i);

      ear_test_server_get_connections (fixture->server, host, &peak);
      g_test_message ("%s: %u connections at most", host, peak);
      g_assert_cmpuint (peak, ==, 6);
    }
}

/* One connection serves several requests. */
static void
test_keep_alive (NetFixture *fixture, gconstpointer data)
{
  guint peak;

  put_bytes (fixture, "/data", 1000);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (NetCall) call = run (fixture, "/data", 0, FALSE);

      net_assert_answer (call, 200);
    }
  g_assert_cmpuint (ear_test_server_get_connections (fixture->server, "127.0.0.1", &peak), ==, 1);
  g_assert_cmpuint (peak, ==, 1);
}

static void
test_no_host_waits_for_another (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) slow = net_call_new (fixture, 1, "/~stall=20000/data");
  g_autoptr (NetCall) quick = net_call_new (fixture, 2, "/data");

  put_bytes (fixture, "/data", 40000);
  slow->cancellable = g_cancellable_new ();
  net_call_start (slow, fixture->http);
  net_call_run (quick, fixture->http);
  net_assert_answer (quick, 200);
  g_assert_cmpint (slow->finished, ==, 0);
  g_cancellable_cancel (slow->cancellable);
  net_call_wait (slow);
}

/* A slow chunk function slows the server down: little data is buffered. */
static void
test_back_pressure (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = net_call_new (fixture, 1, "/~endless/generated/feed-1.xml");
  g_autoptr (EarTestRequest) request = NULL;
  gsize taken, most;
  guint chunks;

  call->cancellable = g_cancellable_new ();
  call->slow_chunks = 100;
  net_call_start (call, fixture->http);
  net_sleep (1500);
  request = ear_test_server_dup_last_request (fixture->server, "/~endless/generated/feed-1.xml");
  chunks = call->chunks;
  taken = call->body->len;
  /* One chunk per 100 ms; more if this thread was delayed. */
  most = 1 + (gsize) (g_get_monotonic_time () - call->started) / 100000;
  g_test_message ("sent %" G_GUINT64_FORMAT ", taken %" G_GSIZE_FORMAT, request->bytes_sent, taken);
  g_assert_cmpuint (chunks, <=, most);
  g_assert_cmpuint (taken, <=, most * 65536);
  /* The rest is in the buffers of two sockets. */
  g_assert_cmpuint (request->bytes_sent, <, taken + 16 * 1024 * 1024);

  g_cancellable_cancel (call->cancellable);
  net_call_wait (call);
  g_assert_error (call->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Chunks of one request are in order and never simultaneous (net_call_wait() checks);
 * those of two requests may be. */
static void
test_order (NetFixture *fixture, gconstpointer data)
{
  NetCall *calls[4];
  g_autofree guint8 *expected = g_malloc (3000000);

  for (gsize i = 0; i < 3000000; i++)
    expected[i] = (guint8) (i * 2654435761u >> 13);
  put_bytes (fixture, "/data", 3000000);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      calls[i] = net_call_new (fixture, 1 + i % 3, "/data");
      net_call_start (calls[i], fixture->http);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      net_call_wait (calls[i]);
      net_assert_answer (calls[i], 200);
      g_assert_cmpmem (calls[i]->body->str, calls[i]->body->len, expected, 3000000);
      net_call_free (calls[i]);
    }
}

static void
test_chunk_refused (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = net_call_new (fixture, 1, "/data");

  put_bytes (fixture, "/data", 3000000);
  call->refuse_after = 100000;
  net_call_run (call, fixture->http);
  g_assert_error (call->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_cmpuint (call->body->len, <, 200000);
}

/* --- Cancelling ------------------------------------------------------------------- */

static void
test_cancelled_before (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = net_call_new (fixture, 1, "/data");

  put_bytes (fixture, "/data", 1000);
  call->cancellable = g_cancellable_new ();
  g_cancellable_cancel (call->cancellable);
  net_call_run (call, fixture->http);
  g_assert_error (call->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gpointer
cancel_later (gpointer data)
{
  NetCall *call = data;

  g_usleep (g_random_int_range (0, 12000));
  g_cancellable_cancel (call->cancellable);

  return NULL;
}

/* Five at a time, so that some wait for a connection */
static void
test_cancel_at_random (NetFixture *fixture, gconstpointer data)
{
  static const char *const paths[] = {
    "/~slow=2000000/data", "/data", "/~gzip/generated/feed-50.xml", "/~redirect=302,2/~redirect=302,3/data", "/~mute/data",
    "/~delay=5/data", "/~403agent/data", "/~stall=1000/data", "/~status=404/data", "/~slow=1/~redirect=302/data",
  };
  guint cancelled = 0, finished = 0;

  put_bytes (fixture, "/data", 300000);
  for (guint i = 0; i < 100; i++)
    {
      NetCall *calls[5];
      GThread *cancellers[5] = { NULL };

      for (guint j = 0; j < G_N_ELEMENTS (calls); j++)
        {
          calls[j] = net_call_new (fixture, 1 + i % 3, paths[(i + j * 7) % G_N_ELEMENTS (paths)]);
          calls[j]->cancellable = g_cancellable_new ();
          calls[j]->slow_chunks = j == 4 ? 2 : 0;
          if (j % 2 == 0)
            cancellers[j] = g_thread_new ("canceller", cancel_later, calls[j]);
          net_call_start (calls[j], fixture->http);
        }
      net_sleep (g_random_int_range (0, 10));
      for (guint j = 0; j < G_N_ELEMENTS (calls); j++)
        {
          if (cancellers[j] != NULL)
            g_thread_join (cancellers[j]);
          g_cancellable_cancel (calls[j]->cancellable);
        }
      for (guint j = 0; j < G_N_ELEMENTS (calls); j++)
        {
          net_call_wait (calls[j]);
          if (g_error_matches (calls[j]->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            cancelled++;
          else
            finished++;
          net_call_free (calls[j]);
        }
    }

  g_test_message ("%u cancelled, %u had ended before", cancelled, finished);
  g_assert_cmpuint (cancelled, >=, 200);
  {
    g_autoptr (NetCall) last = run (fixture, "/data", 0, FALSE);

    net_assert_answer (last, 200);
    g_assert_cmpuint (last->body->len, ==, 300000);
  }
}

/* --- Stopping --------------------------------------------------------------------- */

static void
test_stop (NetFixture *fixture, gconstpointer data)
{
  static const char *const paths[] = {
    "/~slow=20000/data", "/~mute/data", "/~redirect=302,2/~slow=20000/data", "/data",
  };
  NetCall *calls[12];
  NetCall *late;

  put_bytes (fixture, "/data", 3000000);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      calls[i] = net_call_new (fixture, 1 + i % 3, paths[i % G_N_ELEMENTS (paths)]);
      calls[i]->slow_chunks = 100;
      net_call_start (calls[i], fixture->http);
    }
  net_sleep (150);
  ear_http_stop (fixture->http);
  late = net_call_new (fixture, 1, "/data");
  net_call_start (late, fixture->http);
  g_assert_cmpint (late->finished, ==, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      net_call_wait (calls[i]);
      g_assert_error (calls[i]->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      net_call_free (calls[i]);
    }
  net_call_wait (late);
  g_assert_error (late->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  net_call_free (late);
}

/* Fifty times, at any state of the request: submitted, queued, active, finished */
static void
test_dispose (NetFixture *fixture, gconstpointer data)
{
  put_bytes (fixture, "/data", 1000000);
  for (guint i = 0; i < 50; i++)
    {
      EarHttp *http = ear_http_new ("Earmark");
      NetCall *calls[6];

      for (gsize j = 0; j < G_N_ELEMENTS (calls); j++)
        {
          calls[j] = net_call_new (fixture, 1 + j % 3, j % 2 == 0 ? "/~slow=2000000/data" : "/data");
          net_call_start (calls[j], http);
        }
      net_sleep (g_random_int_range (0, 12));
      g_object_run_dispose (G_OBJECT (http));
      g_object_run_dispose (G_OBJECT (http));
      for (gsize j = 0; j < G_N_ELEMENTS (calls); j++)
        {
          net_call_wait (calls[j]);
          net_call_free (calls[j]);
        }
      /* The last source that holds a call is released after the iteration that ran it. */
      g_main_context_iteration (NULL, FALSE);
      g_assert_finalize_object (http);
    }
}

static gboolean
is_gone (gpointer data)
{
  return *(EarHttp **) data == NULL;
}

/* The caller may drop its reference to EarHttp: the last request to end finalizes it. */
static void
test_let_go (NetFixture *fixture, gconstpointer data)
{
  EarHttp *http = ear_http_new ("Earmark");
  g_autoptr (NetCall) call = net_call_new (fixture, 1, "/data");

  put_bytes (fixture, "/data", 100000);
  g_object_add_weak_pointer (G_OBJECT (http), (gpointer *) &http);
  net_call_start (call, http);
  g_object_unref (http);
  net_call_wait (call);
  net_assert_answer (call, 200);
  g_assert_true (net_wait (is_gone, &http, 60000));
}

static void
test_defaults (NetFixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (ear_http_get_timeouts (fixture->http)->connect, ==, 20000);
  g_assert_cmpuint (ear_http_get_timeouts (fixture->http)->idle, ==, 30000);
  g_assert_cmpstr (ear_http_get_user_agent (fixture->http), ==, "Earmark/0.1.0 (+https://example.org/earmark)");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (NetFixture *, gconstpointer);
  } tests[] = {
    { "/http-life/limits/endless", test_endless },
    { "/http-life/limits/bomb", test_bomb },
    { "/http-life/limits/announced", test_announced_too_large },
    { "/http-life/cut-off/plain", test_cut_off },
    { "/http-life/cut-off/compressed", test_cut_off_compressed },
    { "/http-life/cut-off/not-compressed", test_not_compressed },
    { "/http-life/cut-off/damaged-compression", test_damaged_compression },
    { "/http-life/cut-off/shorter-length", test_shorter_length },
    { "/http-life/silence/mute", test_mute },
    { "/http-life/silence/stall", test_stall },
    { "/http-life/silence/patience", test_patience },
    { "/http-life/silence/drip", test_drip },
    { "/http-life/silence/connect", test_connect_timeout },
    { "/http-life/silence/queue", test_queue_is_no_silence },
    { "/http-life/silence/trickling-page", test_trickling_page },
    { "/http-life/reach/refused", test_refused },
    { "/http-life/reach/unknown-name", test_unknown_name },
    { "/http-life/reach/dropped", test_dropped },
    { "/http-life/reach/stale-connection", test_stale_connection },
    { "/http-life/reach/hung-up", test_hung_up },
    { "/http-life/many/connections", test_connections },
    { "/http-life/many/keep-alive", test_keep_alive },
    { "/http-life/many/hosts", test_no_host_waits_for_another },
    { "/http-life/chunks/back-pressure", test_back_pressure },
    { "/http-life/chunks/order", test_order },
    { "/http-life/chunks/refused", test_chunk_refused },
    { "/http-life/cancel/before", test_cancelled_before },
    { "/http-life/cancel/random", test_cancel_at_random },
    { "/http-life/stop/stop", test_stop },
    { "/http-life/stop/dispose", test_dispose },
    { "/http-life/stop/let-go", test_let_go },
    { "/http-life/defaults", test_defaults },
  };

  net_main_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, NetFixture, NULL, net_fixture_set_up, tests[i].test, net_fixture_tear_down);

  return g_test_run ();
}
