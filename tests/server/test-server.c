/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-files.h"
#include "ear-test-log.h"
#include "ear-test-made.h"
#include "ear-test-seed.h"
#include "ear-test-server.h"

#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <string.h>

/* The server is asked by an ordinary client, on this thread; it answers on its own. */

#define TEXT "The quick brown fox jumps over the lazy dog. "

typedef struct
{
  EarTestServer *server;
  SoupSession *session;
  char *text;      /* what is at /text.txt */
  char *directory; /* served at / */
} Fixture;

typedef struct
{
  SoupMessage *message;
  GBytes *body; /* nullable */
  GError *error;
  double seconds;
} Answer;

static void
answer_clear (Answer *answer)
{
  g_clear_object (&answer->message);
  g_clear_pointer (&answer->body, g_bytes_unref);
  g_clear_error (&answer->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *feed = NULL;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%04u " TEXT, i);
  fixture->text = g_string_free_and_steal (text);
  fixture->directory = g_dir_make_tmp ("earmark-server-XXXXXX", &error);
  g_assert_no_error (error);
  folder = g_build_filename (fixture->directory, "shows", NULL);
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  feed = g_build_filename (folder, "feed.xml", NULL);
  g_assert_true (g_file_set_contents (feed, "<rss><link>@BASE@/shows/1.mp3</link></rss>", -1, NULL));

  fixture->server = ear_test_server_new ();
  ear_test_server_set_root (fixture->server, fixture->directory);
  ear_test_server_set_addresses (fixture->server, 3);
  ear_test_server_set_warm (fixture->server, TRUE);
  ear_test_server_put (fixture->server, "/text.txt", NULL, fixture->text);
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);

  fixture->session = soup_session_new_with_options ("user-agent", "Tester/1", "timeout", 5, NULL);
  soup_session_set_proxy_resolver (fixture->session, NULL);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "shows", NULL);
  g_autofree char *feed = g_build_filename (folder, "feed.xml", NULL);

  g_clear_object (&fixture->session);
  ear_test_server_stop (fixture->server);
  g_assert_finalize_object (fixture->server);
  g_unlink (feed);
  g_rmdir (folder);
  g_rmdir (fixture->directory);
  g_free (fixture->directory);
  g_free (fixture->text);
}

static void
ask_with (Fixture    *fixture,
          Answer     *answer,
          const char *method,
          const char *url,
          const char *header,
          const char *value)
{
  gint64 start = g_get_monotonic_time ();

  answer_clear (answer);
  answer->message = soup_message_new (method, url);
  g_assert_nonnull (answer->message);
  soup_message_disable_feature (answer->message, SOUP_TYPE_CONTENT_SNIFFER);
  if (header != NULL)
    soup_message_headers_replace (soup_message_get_request_headers (answer->message), header, value);
  answer->body = soup_session_send_and_read (fixture->session, answer->message, NULL, &answer->error);
  answer->seconds = (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
}

static void
ask (Fixture    *fixture,
     Answer     *answer,
     const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, path);

  ask_with (fixture, answer, "GET", url, NULL, NULL);
}

static void
ask_header (Fixture    *fixture,
            Answer     *answer,
            const char *path,
            const char *header,
            const char *value)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, path);

  ask_with (fixture, answer, "GET", url, header, value);
}

static const char *
header_of (Answer     *answer,
           const char *name)
{
  return soup_message_headers_get_one (soup_message_get_response_headers (answer->message), name);
}

#define assert_status(answer, status)                                       \
  G_STMT_START                                                              \
    {                                                                       \
      g_assert_no_error ((answer)->error);                                  \
      g_assert_cmpuint (soup_message_get_status ((answer)->message), ==, status); \
    }                                                                       \
  G_STMT_END

static void
assert_body (Answer     *answer,
             const char *text,
             gsize       length)
{
  g_assert_nonnull (answer->body);
  g_assert_cmpmem (g_bytes_get_data (answer->body, NULL), g_bytes_get_size (answer->body), text, length);
}

static void
assert_text (Fixture *fixture,
             Answer  *answer)
{
  assert_status (answer, 200);
  assert_body (answer, fixture->text, strlen (fixture->text));
}

/* --- Serving well ------------------------------------------------------------------------------- */

static void
test_plain (Fixture      *fixture,
            gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask (fixture, &answer, "/text.txt");
  assert_text (fixture, &answer);
  g_assert_cmpstr (header_of (&answer, "Content-Type"), ==, "text/plain; charset=utf-8");
  g_assert_nonnull (header_of (&answer, "Last-Modified"));
  g_assert_cmpint (header_of (&answer, "ETag")[0], ==, '"');

  ask (fixture, &answer, "/nothing.txt");
  assert_status (&answer, 404);
  ask (fixture, &answer, "/../../etc/passwd");
  assert_status (&answer, 404);
  ask (fixture, &answer, "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd");
  assert_status (&answer, 404);
  ask (fixture, &answer, "/~nosuch/text.txt");
  assert_status (&answer, 400);
}

static void
test_head (Fixture      *fixture,
           gconstpointer data)
{
  g_auto (Answer) answer = { 0 };
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, "/text.txt");
  g_autofree char *slow = ear_test_server_dup_url (fixture->server, 1, "/~slow=10/text.txt");

  ask_with (fixture, &answer, "HEAD", url, "Accept-Encoding", "identity");
  assert_status (&answer, 200);
  assert_body (&answer, NULL, 0);
  g_assert_cmpint (soup_message_headers_get_content_length (soup_message_get_response_headers (answer.message)), ==,
                   strlen (fixture->text));
  ask_with (fixture, &answer, "HEAD", slow, NULL, NULL);
  assert_status (&answer, 200);
  assert_body (&answer, NULL, 0);
  ask_with (fixture, &answer, "DELETE", url, NULL, NULL);
  assert_status (&answer, 405);
}

static void
test_types (Fixture      *fixture,
            gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *type;
  } cases[] = {
    { "/a.xml", "application/rss+xml; charset=utf-8" },
    { "/a.rss", "application/rss+xml; charset=utf-8" },
    { "/a.atom", "application/atom+xml; charset=utf-8" },
    { "/a.mp3", "audio/mpeg" },
    { "/a.opus", "audio/ogg" },
    { "/a.m4a", "audio/mp4" },
    { "/a.vtt", "text/vtt; charset=utf-8" },
    { "/a.chapters.json", "application/json+chapters" },
    { "/a.json", "application/json" },
    { "/a.jpg", "image/jpeg" },
    { "/a.png", "image/png" },
    { "/a.bin", "application/octet-stream" },
  };
  g_auto (Answer) answer = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ear_test_server_put (fixture->server, cases[i].path, NULL, "something");
      ask (fixture, &answer, cases[i].path);
      assert_status (&answer, 200);
      g_assert_cmpstr (header_of (&answer, "Content-Type"), ==, cases[i].type);
    }

  /* "encoding" in the XML has the last word when the text is not UTF-8. */
  ear_test_server_put (fixture->server, "/latin.xml", NULL, "<?xml version='1.0' encoding='ISO-8859-1'?><rss>\xe9</rss>");
  ask (fixture, &answer, "/latin.xml");
  g_assert_cmpstr (header_of (&answer, "Content-Type"), ==, "application/rss+xml");
}

static void
test_conditional (Fixture      *fixture,
                  gconstpointer data)
{
  g_auto (Answer) answer = { 0 };
  g_autofree char *etag = NULL;
  g_autofree char *date = NULL;
  g_autofree char *list = NULL;

  ask (fixture, &answer, "/text.txt");
  etag = g_strdup (header_of (&answer, "ETag"));
  date = g_strdup (header_of (&answer, "Last-Modified"));
  list = g_strdup_printf ("\"other\", W/%s", etag);

  ask_header (fixture, &answer, "/text.txt", "If-None-Match", etag);
  assert_status (&answer, 304);
  assert_body (&answer, NULL, 0);
  g_assert_cmpstr (header_of (&answer, "ETag"), ==, etag);
  ask_header (fixture, &answer, "/text.txt", "If-None-Match", list);
  assert_status (&answer, 304);
  ask_header (fixture, &answer, "/text.txt", "If-None-Match", "\"other\"");
  assert_text (fixture, &answer);
  ask_header (fixture, &answer, "/text.txt", "If-Modified-Since", date);
  assert_status (&answer, 304);
  ask_header (fixture, &answer, "/text.txt", "If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT");
  assert_text (fixture, &answer);

  ask (fixture, &answer, "/~noetag/text.txt");
  g_assert_null (header_of (&answer, "ETag"));
  ask_header (fixture, &answer, "/~noetag/text.txt", "If-None-Match", etag);
  assert_text (fixture, &answer);
  ask_header (fixture, &answer, "/~noetag/text.txt", "If-Modified-Since", date);
  assert_status (&answer, 304);
  ask_header (fixture, &answer, "/~nodate/text.txt", "If-Modified-Since", date);
  assert_text (fixture, &answer);
  g_assert_null (header_of (&answer, "Last-Modified"));

  ear_test_server_put (fixture->server, "/text.txt", NULL, "new");
  ask_header (fixture, &answer, "/text.txt", "If-None-Match", etag);
  assert_status (&answer, 200);
  assert_body (&answer, "new", 3);
}

static void
test_gzip (Fixture      *fixture,
           gconstpointer data)
{
  g_auto (Answer) answer = { 0 };
  g_autoptr (EarTestRequest) request = NULL;
  g_autofree char *etag = NULL;

  ask_header (fixture, &answer, "/text.txt", "Accept-Encoding", "identity");
  assert_text (fixture, &answer);
  g_assert_null (header_of (&answer, "Content-Encoding"));
  etag = g_strdup (header_of (&answer, "ETag"));
  ask_header (fixture, &answer, "/text.txt", "Accept-Encoding", "gzip;q=0, br");
  g_assert_null (header_of (&answer, "Content-Encoding"));

  ask_header (fixture, &answer, "/text.txt", "Accept-Encoding", "br, gzip");
  assert_text (fixture, &answer);
  g_assert_cmpstr (header_of (&answer, "Content-Encoding"), ==, "gzip");
  g_assert_cmpstr (header_of (&answer, "ETag"), !=, etag);
  g_assert_cmpstr (header_of (&answer, "Vary"), ==, "Accept-Encoding");
  g_assert_true (ear_test_server_wait_idle (fixture->server, 2000));
  request = ear_test_server_dup_last_request (fixture->server, "/text.txt");
  g_assert_cmpuint (request->bytes_sent, >, 100);
  g_assert_cmpuint (request->bytes_sent, <, strlen (fixture->text) / 3);
  g_set_str (&etag, header_of (&answer, "ETag"));
  ask_header (fixture, &answer, "/text.txt", "If-None-Match", etag);
  assert_status (&answer, 304);

  ask_header (fixture, &answer, "/~gzip/text.txt", "Accept-Encoding", "identity");
  g_assert_cmpstr (header_of (&answer, "Content-Encoding"), ==, "gzip");
}

static void
assert_range (Fixture    *fixture,
              const char *range,
              gsize       first,
              gsize       length)
{
  g_auto (Answer) answer = { 0 };
  g_autofree char *content_range = g_strdup_printf ("bytes %zu-%zu/%zu", first, first + length - 1, strlen (fixture->text));

  ask_header (fixture, &answer, "/text.txt", "Range", range);
  assert_status (&answer, 206);
  assert_body (&answer, fixture->text + first, length);
  g_assert_cmpstr (header_of (&answer, "Content-Range"), ==, content_range);
}

static void
test_range (Fixture      *fixture,
            gconstpointer data)
{
  gsize size = strlen (fixture->text);
  g_auto (Answer) answer = { 0 };
  g_autofree char *total = g_strdup_printf ("bytes */%zu", size);

  assert_range (fixture, "bytes=0-0", 0, 1);
  assert_range (fixture, "bytes=100-199", 100, 100);
  assert_range (fixture, "bytes=1000-", 1000, size - 1000);
  assert_range (fixture, "bytes=-5", size - 5, 5);
  assert_range (fixture, "bytes=10-99999999", 10, size - 10);

  ask_header (fixture, &answer, "/text.txt", "Range", "bytes=99999999-");
  assert_status (&answer, 416);
  g_assert_cmpstr (header_of (&answer, "Content-Range"), ==, total);
  ask_header (fixture, &answer, "/text.txt", "Range", "bytes=9-3");
  assert_text (fixture, &answer);
  ask_header (fixture, &answer, "/text.txt", "Range", "lines=1-2");
  assert_text (fixture, &answer);
  ask_header (fixture, &answer, "/~norange/text.txt", "Range", "bytes=0-9");
  assert_text (fixture, &answer);
  g_assert_cmpstr (header_of (&answer, "Accept-Ranges"), ==, "none");
}

static void
test_if_range (Fixture      *fixture,
               gconstpointer data)
{
  g_auto (Answer) answer = { 0 };
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, "/text.txt");
  g_autofree char *etag = NULL;
  g_autofree char *date = NULL;
  const char *conditions[4];

  ask_header (fixture, &answer, "/text.txt", "Range", "bytes=0-9");
  etag = g_strdup (header_of (&answer, "ETag"));
  date = g_strdup (header_of (&answer, "Last-Modified"));
  conditions[0] = etag;
  conditions[1] = date;
  conditions[2] = "\"old\"";
  conditions[3] = "Sat, 01 Jan 2000 00:00:00 GMT";

  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      g_autoptr (SoupMessage) message = soup_message_new ("GET", url);
      SoupMessageHeaders *headers = soup_message_get_request_headers (message);
      g_autoptr (GBytes) body = NULL;

      soup_message_headers_replace (headers, "Range", "bytes=5-9");
      soup_message_headers_replace (headers, "If-Range", conditions[i]);
      body = soup_session_send_and_read (fixture->session, message, NULL, NULL);
      g_assert_nonnull (body);
      g_assert_cmpuint (soup_message_get_status (message), ==, i < 2 ? 206 : 200);
      g_assert_cmpuint (g_bytes_get_size (body), ==, i < 2 ? 5 : strlen (fixture->text));
    }
}

static void
test_base (Fixture      *fixture,
           gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *url = ear_test_server_dup_url (fixture->server, i, "/shows/feed.xml");
      g_autofree char *link = ear_test_server_dup_url (fixture->server, i, "/shows/1.mp3");
      g_autofree char *expected = g_strdup_printf ("<rss><link>%s</link></rss>", link);

      ask_with (fixture, &answer, "GET", url, NULL, NULL);
      assert_status (&answer, 200);
      assert_body (&answer, expected, strlen (expected));
    }

  ask (fixture, &answer, "/~inside=slow=100,status=401/shows/feed.xml");
  g_assert_nonnull (strstr (g_bytes_get_data (answer.body, NULL), "/~slow=100/~status=401/shows/1.mp3"));
}

static gboolean
accept_cb (SoupMessage         *message,
           GTlsCertificate     *certificate,
           GTlsCertificateFlags flags,
           gpointer             user_data)
{
  return TRUE;
}

static void
test_tls (Fixture      *fixture,
          gconstpointer data)
{
  const char *base = ear_test_server_get_tls_url (fixture->server);
  g_autofree char *url = g_strconcat (base, "/text.txt", NULL);
  g_auto (Answer) answer = { 0 };
  g_autoptr (SoupMessage) message = NULL;
  g_autoptr (GBytes) body = NULL;

  if (base == NULL)
    {
      g_test_skip ("GIO has no TLS here");
      return;
    }

  ask_with (fixture, &answer, "GET", url, NULL, NULL);
  g_assert_error (answer.error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);

  message = soup_message_new ("GET", url);
  g_signal_connect (message, "accept-certificate", G_CALLBACK (accept_cb), NULL);
  body = soup_session_send_and_read (fixture->session, message, NULL, NULL);
  g_assert_nonnull (body);
  g_assert_cmpuint (g_bytes_get_size (body), ==, strlen (fixture->text));
}

/* --- Misbehaving -------------------------------------------------------------------------------- */

static void
test_slow (Fixture      *fixture,
           gconstpointer data)
{
  g_auto (Answer) answer = { 0 };

  ask_header (fixture, &answer, "/~slow=100000/text.txt", "Accept-Encoding", "identity");
  assert_text (fixture, &answer);
  g_assert_cmpfloat (answer.seconds, >, strlen (fixture->text) / 100000.0 - 0.15);
  g_assert_cmpfloat (answer.seconds, <, strlen (fixture->text) / 100000.0 + 5);
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

  g_assert_true (ear_test_server_wait_idle (fixture->server, 2000));
  request = ear_test_server_dup_last_request (fixture->server, "/~cut=5000/text.txt");
  g_assert_cmpuint (request->bytes_sent, ==, 5000);

  /* From where it stopped: the next 5000 */
  ask_header (fixture, &answer, "/~cut=5000/text.txt", "Range", "bytes=5000-");
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_assert_cmpuint (soup_message_get_status (answer.message), ==, 206);

  /* libsoup does not look at the length when it is told that the connection closes: a trap for its users. */
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

  ask (fixture, &answer, "/~429=2/text.txt");
  assert_status (&answer, 429);
  g_assert_cmpstr (header_of (&answer, "Retry-After"), ==, "2");
  ask (fixture, &answer, "/~429=2/text.txt");
  assert_status (&answer, 429);
  g_usleep (2050 * 1000);
  ask (fixture, &answer, "/~429=2/text.txt");
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
  /* The end of the client is noticed. */
  g_assert_true (ear_test_server_wait_idle (fixture->server, 2000));
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
      g_assert_true (ear_test_server_wait_idle (fixture->server, 2000));
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
  /* The decoder checks sum and size at the end: they are right. */
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

/* --- What is made up ---------------------------------------------------------------------------- */

static void
test_generated (Fixture      *fixture,
                gconstpointer data)
{
  g_auto (Answer) answer = { 0 };
  g_autofree char *text = NULL;
  const guint8 *png;
  gsize size;

  ask (fixture, &answer, "/generated/cats-3.xml");
  assert_status (&answer, 200);
  text = g_strndup (g_bytes_get_data (answer.body, NULL), g_bytes_get_size (answer.body));
  g_assert_nonnull (strstr (text, "<title>cats</title>"));
  g_assert_nonnull (strstr (text, "<guid isPermaLink=\"false\">made-2</guid>"));
  g_assert_null (strstr (text, "made-3<"));
  g_assert_nonnull (strstr (text, "<pubDate>Sun, 01 Mar 2026 06:00:00 GMT</pubDate>"));
  ask (fixture, &answer, "/generated/many-100001.xml");
  assert_status (&answer, 404);

  ask (fixture, &answer, "/generated/audio/7.mp3");
  assert_status (&answer, 200);
  g_assert_cmpstr (header_of (&answer, "Content-Type"), ==, "audio/wav");
  ask (fixture, &answer, "/generated/cover.png");
  assert_status (&answer, 200);
  png = g_bytes_get_data (answer.body, &size);
  g_assert_cmpuint (size, >, 10000);
  g_assert_cmpmem (png + 12, 12, "IHDR\0\0\x0b\xb8\0\0\x0b\xb8", 12);
}

static void
test_rewrite (void)
{
  static const char feed[] =
    "<rss><channel><image><link>https://a.example</link><url>https://a.example/c.jpg?x=1&amp;y</url></image>"
    "<itunes:image href=\"https://a.example/c.jpg\"/><itunes:new-feed-url>https://a.example/f</itunes:new-feed-url>\n"
    "<atom:link href=\"https://a.example/f\" rel=\"self\"/><!-- <enclosure url=\"kept\"/> --><item><url>kept</url>"
    "<description><![CDATA[<enclosure url=\"kept\"> > ]]></description>"
    "<enclosure length=\"5\" type='audio/mpeg' url='https://a.example/1.mp3'/></item>"
    "<item><enclosure\nurl = \"https://a.example/2.mp3\"></enclosure></item></channel></rss> \n";
  static const char rewritten[] =
    "<rss><channel><image><link>https://a.example</link><url>http://h/seed/cover</url></image>"
    "<itunes:image href=\"http://h/seed/cover\"/><itunes:new-feed-url>https://a.example/f</itunes:new-feed-url>\n"
    "<atom:link href=\"https://a.example/f\" rel=\"self\"/><!-- <enclosure url=\"kept\"/> --><item><url>kept</url>"
    "<description><![CDATA[<enclosure url=\"kept\"> > ]]></description>"
    "<enclosure length=\"5\" type='audio/mpeg' url='http://h/seed/audio/0.mp3'/></item>"
    "<item><enclosure\nurl = \"http://h/seed/audio/1.mp3\"></enclosure></item></channel></rss> \n";
  g_autoptr (GBytes) input = g_bytes_new_static (feed, sizeof feed - 1);
  g_autoptr (GBytes) output = ear_test_seed_rewrite (input, "http://h/seed", NULL);
  g_autoptr (GBytes) local = ear_test_seed_rewrite (input, "http://h/seed", "http://h/f");
  g_autofree char *text = g_strndup (g_bytes_get_data (local, NULL), g_bytes_get_size (local));

  g_assert_cmpmem (g_bytes_get_data (output, NULL), g_bytes_get_size (output), rewritten, sizeof rewritten - 1);
  g_assert_nonnull (strstr (text, "<itunes:new-feed-url>http://h/f</itunes:new-feed-url>"));
  g_assert_nonnull (strstr (text, "<atom:link href=\"http://h/f\" rel=\"self\"/>"));
}

static void
test_seed (void)
{
  const char *shared = g_getenv ("EARMARK_SHARED");
  g_autofree char *seed = g_build_filename (shared != NULL ? shared : "", "seeds", "pytorch-developer-podcast.rss.xml", NULL);
  g_autoptr (EarTestServer) server = ear_test_server_new ();
  g_autoptr (SoupSession) session = soup_session_new_with_options ("proxy-resolver", NULL, NULL);
  g_autofree char *url = NULL;
  g_autofree char *audio = NULL;
  g_autoptr (SoupMessage) message = NULL;
  g_autoptr (GBytes) body = NULL;
  g_autofree char *text = NULL;
  guint enclosures = 0;

  if (!g_file_test (seed, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared/seeds is not here");
      return;
    }

  ear_test_server_set_seed (server, seed);
  g_assert_true (ear_test_server_start (server, NULL));
  url = ear_test_server_dup_url (server, 1, "/seed/feed.xml");
  audio = ear_test_server_dup_url (server, 1, "/seed/audio/82.mp3");
  message = soup_message_new ("GET", url);
  body = soup_session_send_and_read (session, message, NULL, NULL);
  text = g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body));
  for (const char *p = text; (p = strstr (p, "url=\"http://127.0.0.1:")) != NULL; p++)
    enclosures++;
  g_assert_cmpuint (enclosures, ==, 83);
  g_assert_nonnull (strstr (text, audio));
  g_assert_null (strstr (text, "cdn.simplecast.com/audio"));
  g_assert_null (strstr (text, "image.simplecastcdn.com"));
}

/* --- The server itself -------------------------------------------------------------------------- */

static void
test_log (Fixture      *fixture,
          gconstpointer data)
{
  g_auto (Answer) answer = { 0 };
  g_autoptr (GPtrArray) requests = NULL;
  EarTestRequest *request;
  g_autofree char *json = NULL;

  ask (fixture, &answer, "/missing.txt");
  ask_header (fixture, &answer, "/text.txt", "Range", "bytes=0-99");
  g_assert_true (ear_test_server_wait_idle (fixture->server, 2000));
  requests = ear_test_server_dup_requests (fixture->server);
  g_assert_cmpuint (requests->len, ==, 2);
  request = requests->pdata[0];
  g_assert_cmpuint (request->status, ==, 404);
  request = requests->pdata[1];
  g_assert_cmpstr (request->method, ==, "GET");
  g_assert_cmpstr (request->path, ==, "/text.txt");
  g_assert_cmpstr (request->host, ==, "127.0.0.1");
  g_assert_cmpstr (ear_test_request_get_header (request, "Range"), ==, "bytes=0-99");
  g_assert_true (g_str_has_prefix (ear_test_request_get_header (request, "user-agent"), "Tester/1"));
  g_assert_null (ear_test_request_get_header (request, "If-None-Match"));
  g_assert_cmpuint (request->status, ==, 206);
  g_assert_cmpuint (request->bytes_sent, ==, 100);
  g_assert_cmpuint (request->connections, ==, 1);
  g_assert_true (request->finished);
  json = ear_test_request_to_json (request);
  g_assert_true (g_str_has_prefix (json, "{\"method\": \"GET\", \"path\": \"/text.txt\", \"host\": \"127.0.0.1\", "
                                         "\"tls\": false, \"status\": 206, \"bytes\": 100, "));

  ear_test_server_clear_log (fixture->server);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 0);
}

static void
sent_cb (GObject      *session,
         GAsyncResult *result,
         gpointer      user_data)
{
  guint *left = user_data;
  g_autoptr (GBytes) body = soup_session_send_and_read_finish (SOUP_SESSION (session), result, NULL);

  g_assert_nonnull (body);
  (*left)--;
}

static void
test_connections (Fixture      *fixture,
                  gconstpointer data)
{
  guint left = 12;
  guint peak;
  gint64 end;

  g_object_set (fixture->session, "timeout", 10, NULL);
  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *url = ear_test_server_dup_url (fixture->server, 1 + i / 6, "/~delay=50/text.txt");
      g_autoptr (SoupMessage) message = soup_message_new ("GET", url);

      soup_message_headers_replace (soup_message_get_request_headers (message), "Accept-Encoding", "identity");
      soup_session_send_and_read_async (fixture->session, message, G_PRIORITY_DEFAULT, NULL, sent_cb, &left);
    }
  while (left > 0)
    g_main_context_iteration (NULL, TRUE);

  /* The client's own limit is two a host, and it keeps them: one that it closed might
   * still look open from here when the next one comes. */
  ear_test_server_get_connections (fixture->server, "127.0.0.1", &peak);
  g_assert_cmpuint (peak, ==, 2);
  ear_test_server_get_connections (fixture->server, "127.0.0.2", &peak);
  g_assert_cmpuint (peak, ==, 2);
  ear_test_server_get_connections (fixture->server, "127.0.0.3", &peak);
  g_assert_cmpuint (peak, ==, 0);

  soup_session_abort (fixture->session);
  end = g_get_monotonic_time () + 2 * G_USEC_PER_SEC;
  while (ear_test_server_get_connections (fixture->server, "127.0.0.1", NULL) > 0 && g_get_monotonic_time () < end)
    g_usleep (1000);
  g_assert_cmpuint (ear_test_server_get_connections (fixture->server, "127.0.0.1", NULL), ==, 0);
}

static void
test_restart (Fixture      *fixture,
              gconstpointer data)
{
  g_autofree char *base = g_strdup (ear_test_server_get_base_url (fixture->server));
  g_auto (Answer) answer = { 0 };
  g_autoptr (GError) error = NULL;

  ask (fixture, &answer, "/text.txt");
  assert_text (fixture, &answer);
  ear_test_server_stop (fixture->server);
  ask (fixture, &answer, "/text.txt");
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (ear_test_server_get_base_url (fixture->server), ==, base);
  ask (fixture, &answer, "/text.txt");
  assert_text (fixture, &answer);

  ear_test_server_close_connections (fixture->server);
  g_usleep (50 * 1000);
  ask (fixture, &answer, "/text.txt");
  assert_text (fixture, &answer);
}

static void
test_port_taken (Fixture      *fixture,
                 gconstpointer data)
{
  g_autoptr (EarTestServer) other = ear_test_server_new ();
  g_autoptr (GUri) base = g_uri_parse (ear_test_server_get_base_url (fixture->server), G_URI_FLAGS_NONE, NULL);
  g_autoptr (GError) error = NULL;

  ear_test_server_set_port (other, g_uri_get_port (base));
  g_assert_false (ear_test_server_start (other, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE);
}

#define add(path, test) g_test_add ("/server/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("plain", test_plain);
  add ("head", test_head);
  add ("types", test_types);
  add ("conditional", test_conditional);
  add ("gzip", test_gzip);
  add ("range", test_range);
  add ("if-range", test_if_range);
  add ("base", test_base);
  add ("tls", test_tls);
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
  add ("generated", test_generated);
  add ("log", test_log);
  add ("connections", test_connections);
  add ("restart", test_restart);
  add ("port-taken", test_port_taken);
  g_test_add_func ("/server/rewrite", test_rewrite);
  g_test_add_func ("/server/seed", test_seed);

  return g_test_run ();
}
