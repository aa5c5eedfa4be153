/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server-fixture.h"

#include "ear-test-log.h"

#include <string.h>

/* Regular responses. */

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

  /* "encoding" in the XML decides if the text is not UTF-8. */
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
  g_assert_true (ear_test_server_wait_idle (fixture->server, 60000));
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
  ask_header (fixture, &answer, "/~wrongrange=10/text.txt", "Range", "bytes=100-199");
  assert_status (&answer, 206);
  assert_body (&answer, fixture->text + 90, 100);
  g_assert_true (g_str_has_prefix (header_of (&answer, "Content-Range"), "bytes 100-199/"));
  ask_header (fixture, &answer, "/~norange/text.txt", "Range", "bytes=0-9");
  assert_text (fixture, &answer);
  g_assert_cmpstr (header_of (&answer, "Accept-Ranges"), ==, "none");
  ask_header (fixture, &answer, "/~norange=promised/text.txt", "Range", "bytes=5-9");
  assert_text (fixture, &answer);
  g_assert_cmpstr (header_of (&answer, "Accept-Ranges"), ==, "bytes");
  ask_header (fixture, &answer, "/~norange=206/text.txt", "Range", "bytes=5-9");
  assert_status (&answer, 206);
  g_assert_true (g_str_has_prefix (header_of (&answer, "Content-Range"), "bytes 0-"));
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

  return g_test_run ();
}
