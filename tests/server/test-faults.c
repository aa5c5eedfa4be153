/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server-fixture.h"

#include "ear-test-log.h"

#include <string.h>

/* Misbehavior on request. */

static void
test_slow (Fixture      *fixture,
           gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask_header (fixture, &answer, "/~slow=100000/text.txt", "Accept-Encoding", "identity");
  assert_text (fixture, &answer);
  g_assert_cmpfloat (answer.seconds, >, strlen (fixture->text) / 100000.0 - 0.15);
}

static void
test_cut (Fixture      *fixture,
          gconstpointer data)
{
  g_auto (Answer) answer = { 0 };
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, "/~cut=5000/text.txt");
  g_autoptr (SoupMessage) message = soup_message_new ("GET", url);
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarTestRequest) request = NULL;
  char buffer[8192];
  gsize length;

  soup_message_headers_replace (soup_message_get_request_headers (message), "Accept-Encoding", "identity");
  soup_message_disable_feature (message, SOUP_TYPE_CONTENT_SNIFFER);
  stream = soup_session_send (fixture->session, message, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (soup_message_headers_get_content_length (soup_message_get_response_headers (message)), ==,
                   strlen (fixture->text));
  g_assert_false (g_input_stream_read_all (stream, buffer, sizeof buffer, &length, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_assert_cmpmem (buffer, length, fixture->text, 5000);

  g_assert_true (ear_test_server_wait_idle (fixture->server, 60000));
  request = ear_test_server_dup_last_request (fixture->server, "/~cut=5000/text.txt");
  g_assert_cmpuint (request->bytes_sent, ==, 5000);

  /* A resumed download is cut again, after the next 5000 bytes. */
  ask_header (fixture, &answer, "/~cut=5000/text.txt", "Range", "bytes=5000-");
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_assert_cmpuint (soup_message_get_status (answer.message), ==, 206);

  /* libsoup, as a client, ignores the length if the response says that
   * the connection closes. */
  ask_header (fixture, &answer, "/~header=Connection:close/~cut=5000/text.txt", "Accept-Encoding", "identity");
  assert_status (&answer, 200);
  assert_body (&answer, fixture->text, 5000);

  ask (fixture, &answer, "/~times=1/~cut=10/text.txt");
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  ask (fixture, &answer, "/~times=1/~cut=10/text.txt");
  assert_text (fixture, &answer);
}

static void
test_status (Fixture      *fixture,
             gconstpointer data)
{
  static const guint statuses[] = { 401, 403, 404, 410, 500, 503 };
  g_auto (Answer) answer = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    {
      g_autofree char *path = g_strdup_printf ("/~status=%u/text.txt", statuses[i]);

      ask (fixture, &answer, path);
      assert_status (&answer, statuses[i]);
      g_assert_null (header_of (&answer, "ETag"));
      g_assert_cmpuint (ear_test_server_count_requests (fixture->server, path), ==, 1);
    }
  g_assert_nonnull (header_of (&answer, "Retry-After"));
}

static void
test_credentials (Fixture      *fixture,
                  gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask (fixture, &answer, "/~status=401/text.txt");
  assert_status (&answer, 401);
  g_assert_true (g_str_has_prefix (header_of (&answer, "WWW-Authenticate"), "Basic realm="));
  /* listener:wrong */
  ask_header (fixture, &answer, "/~status=401/text.txt", "Authorization", "Basic bGlzdGVuZXI6d3Jvbmc=");
  assert_status (&answer, 401);
  /* listener:secret */
  ask_header (fixture, &answer, "/~status=401/text.txt", "Authorization", "Basic bGlzdGVuZXI6c2VjcmV0");
  assert_text (fixture, &answer);
}

static void
test_agent (Fixture      *fixture,
            gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask (fixture, &answer, "/~403agent/text.txt");
  assert_text (fixture, &answer);
  ask (fixture, &answer, "/~403agent=tester/text.txt");
  assert_status (&answer, 403);
  soup_session_set_user_agent (fixture->session, "Mozilla/5.0 Earmark/0.1");
  ask (fixture, &answer, "/~403agent/text.txt");
  assert_status (&answer, 403);
}

static void
test_too_many (Fixture      *fixture,
               gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask (fixture, &answer, "/~429=200/text.txt");
  assert_status (&answer, 429);
  g_assert_cmpstr (header_of (&answer, "Retry-After"), ==, "200");
  ask (fixture, &answer, "/~429=200/text.txt");
  assert_status (&answer, 429);
  ask (fixture, &answer, "/~429=1/text.txt");
  assert_status (&answer, 429);
  g_usleep (1050 * 1000);
  ask (fixture, &answer, "/~429=1/text.txt");
  assert_text (fixture, &answer);
}

static void
test_error_then (Fixture      *fixture,
                 gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  for (guint round = 0; round < 2; round++)
    {
      ask (fixture, &answer, "/~500then=2/text.txt");
      assert_status (&answer, 500);
      ask (fixture, &answer, "/~500then=2/text.txt");
      assert_status (&answer, 500);
      ask (fixture, &answer, "/~500then=2/text.txt");
      assert_text (fixture, &answer);
      ask (fixture, &answer, "/~500then=2/text.txt");
      assert_text (fixture, &answer);
      ear_test_server_clear_log (fixture->server);
    }
}

static void
test_endless (Fixture      *fixture,
              gconstpointer data)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, "/~endless/feed.xml");
  g_autoptr (SoupMessage) message = soup_message_new ("GET", url);
  g_autoptr (GInputStream) stream = soup_session_send (fixture->session, message, NULL, NULL);
  g_autofree char *buffer = g_malloc0 (2000001);
  gsize length;

  g_assert_nonnull (stream);
  g_assert_true (g_input_stream_read_all (stream, buffer, 2000000, &length, NULL, NULL));
  g_assert_cmpuint (length, ==, 2000000);
  g_assert_true (g_str_has_prefix (buffer, "<?xml"));
  g_assert_nonnull (strstr (buffer, "made-500<"));
  g_assert_null (strstr (buffer, "</channel>"));
  g_assert_false (ear_test_server_wait_idle (fixture->server, 50));
  g_clear_object (&stream);
  /* The server notices the end of the client. */
  g_assert_true (ear_test_server_wait_idle (fixture->server, 60000));
}

static void
test_wrong_length (Fixture      *fixture,
                   gconstpointer data)
{
  gsize size = strlen (fixture->text);
  g_auto (Answer) answer = { 0 };

  ask_header (fixture, &answer, "/~wronglength=1000/text.txt", "Accept-Encoding", "identity");
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_assert_cmpint (soup_message_headers_get_content_length (soup_message_get_response_headers (answer.message)), ==,
                   size + 1000);
  ask_header (fixture, &answer, "/~wronglength=-1000/text.txt", "Accept-Encoding", "identity");
  assert_status (&answer, 200);
  assert_body (&answer, fixture->text, size - 1000);
}

static void
test_redirects (Fixture      *fixture,
                gconstpointer data)
{
  static const guint statuses[] = { 301, 302, 303, 307, 308 };
  g_auto (Answer) answer = { 0 };
  g_autoptr (EarTestRequest) request = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    {
      g_autofree char *path = g_strdup_printf ("/~redirect=%u/text.txt?page=2", statuses[i]);
      g_autoptr (EarTestRequest) first = NULL;

      ask (fixture, &answer, path);
      assert_text (fixture, &answer);
      g_assert_true (ear_test_server_wait_idle (fixture->server, 60000));
      first = ear_test_server_dup_last_request (fixture->server, path);
      g_assert_cmpuint (first->status, ==, statuses[i]);
    }
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/text.txt?page=2"), ==, G_N_ELEMENTS (statuses));

  ask (fixture, &answer, "/~redirect=301/~redirect=302,relative/~redirect=307,2/text.txt");
  assert_text (fixture, &answer);
  request = ear_test_server_dup_last_request (fixture->server, "/text.txt");
  g_assert_cmpstr (request->host, ==, "127.0.0.2");

  ask (fixture, &answer, "/~loop/text.txt");
  g_assert_error (answer.error, SOUP_SESSION_ERROR, SOUP_SESSION_ERROR_TOO_MANY_REDIRECTS);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/~loop=2/text.txt"), >, 1);
  ask (fixture, &answer, "/~loop=self/text.txt");
  g_assert_error (answer.error, SOUP_SESSION_ERROR, SOUP_SESSION_ERROR_TOO_MANY_REDIRECTS);

  if (ear_test_server_get_tls_url (fixture->server) != NULL)
    {
      ask (fixture, &answer, "/~redirect=301,tls/text.txt");
      g_assert_error (answer.error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
    }
}

static void
test_bomb (Fixture      *fixture,
           gconstpointer data)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, "/~bomb=64/feed.xml");
  g_autoptr (SoupMessage) message = soup_message_new ("GET", url);
  g_autoptr (GInputStream) stream = soup_session_send (fixture->session, message, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *buffer = g_malloc (1 << 20);
  guint64 total = 0;
  gssize length;

  g_assert_nonnull (stream);
  g_assert_cmpint (soup_message_headers_get_content_length (soup_message_get_response_headers (message)), <, 100000);
  /* The decoder checks sum and size at the end. */
  while ((length = g_input_stream_read (stream, buffer, 1 << 20, NULL, &error)) > 0)
    total += length;
  g_assert_no_error (error);
  g_assert_cmpuint (total, >, 64 << 20);
  g_assert_cmpuint (total, <, (64 << 20) + 100);
}

static void
test_html (Fixture      *fixture,
           gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask (fixture, &answer, "/~html/shows/feed.xml");
  assert_status (&answer, 200);
  g_assert_cmpstr (header_of (&answer, "Content-Type"), ==, "text/html; charset=utf-8");
  g_assert_true (g_str_has_prefix (g_bytes_get_data (answer.body, NULL), "<!DOCTYPE html>"));
  ask (fixture, &answer, "/~type=text%2Fplain%3Bcharset%3Dutf-7/text.txt");
  assert_text (fixture, &answer);
  g_assert_cmpstr (header_of (&answer, "Content-Type"), ==, "text/plain;charset=utf-7");
  ask (fixture, &answer, "/~type=/text.txt");
  g_assert_null (header_of (&answer, "Content-Type"));
  ask (fixture, &answer, "/~header=Link:%20%3Chttp:%2F%2Fexample.org%2F%3E/text.txt");
  g_assert_cmpstr (header_of (&answer, "Link"), ==, "<http://example.org/>");
}

static void
test_stall (Fixture      *fixture,
            gconstpointer data)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, "/~stall=100/text.txt");
  g_autoptr (SoupMessage) message = soup_message_new ("GET", url);
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Answer) answer = { 0 };
  char buffer[200];
  gsize length;

  soup_session_set_timeout (fixture->session, 1);
  soup_message_headers_replace (soup_message_get_request_headers (message), "Accept-Encoding", "identity");
  stream = soup_session_send (fixture->session, message, NULL, NULL);
  g_assert_nonnull (stream);
  g_assert_false (g_input_stream_read_all (stream, buffer, sizeof buffer, &length, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  g_assert_cmpmem (buffer, length, fixture->text, 100);

  ask (fixture, &answer, "/~mute/text.txt");
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  ask (fixture, &answer, "/~drop/text.txt");
  g_assert_nonnull (answer.error);
}

static void
test_no_length (Fixture      *fixture,
                gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask_header (fixture, &answer, "/~nolength/text.txt", "Range", "bytes=0-9");
  assert_text (fixture, &answer);
  g_assert_cmpint (soup_message_headers_get_encoding (soup_message_get_response_headers (answer.message)), ==,
                   SOUP_ENCODING_CHUNKED);
  ask (fixture, &answer, "/~nolength/~slow=500000/text.txt");
  assert_text (fixture, &answer);
  ask (fixture, &answer, "/~delay=300/text.txt");
  assert_text (fixture, &answer);
  g_assert_cmpfloat (answer.seconds, >=, 0.3);
}

typedef struct
{
  Fixture *fixture;
  gint answered; /* atomic */
} Held;

static gpointer
ask_held (gpointer data)
{
  Held *held = data;
  g_auto (Answer) answer = { 0 };

  ask (held->fixture, &answer, "/~hold/text.txt");
  assert_text (held->fixture, &answer);
  g_atomic_int_set (&held->answered, TRUE);

  return NULL;
}

static void
test_hold (Fixture      *fixture,
           gconstpointer data)
{
  Held held = { .fixture = fixture };
  GThread *thread = g_thread_new ("held", ask_held, &held);

  while (ear_test_server_count_requests (fixture->server, "/~hold/text.txt") == 0)
    g_usleep (1000);
  g_usleep (50 * 1000);
  g_assert_false (g_atomic_int_get (&held.answered));
  ear_test_server_set_holding (fixture->server, FALSE);
  g_thread_join (thread);
  /* The next response is not held. */
  ask_held (&held);
}

#define add(path, test) g_test_add ("/server-faults/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("slow", test_slow);
  add ("cut", test_cut);
  add ("status", test_status);
  add ("credentials", test_credentials);
  add ("agent", test_agent);
  add ("too-many", test_too_many);
  add ("error-then", test_error_then);
  add ("endless", test_endless);
  add ("wrong-length", test_wrong_length);
  add ("redirects", test_redirects);
  add ("bomb", test_bomb);
  add ("html", test_html);
  add ("stall", test_stall);
  add ("no-length", test_no_length);
  add ("hold", test_hold);

  return g_test_run ();
}
