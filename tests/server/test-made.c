/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server-fixture.h"

#include "ear-test-log.h"
#include "ear-test-seed.h"

#include <string.h>

/* Generated content, and the server itself: its log, connections and port. */

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
  g_assert_true (ear_test_server_wait_idle (fixture->server, 60000));
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

  /* The client uses at most two connections per host, and keeps them: one that it closed
   * might still look open to the server when the next one is opened. */
  ear_test_server_get_connections (fixture->server, "127.0.0.1", &peak);
  g_assert_cmpuint (peak, ==, 2);
  ear_test_server_get_connections (fixture->server, "127.0.0.2", &peak);
  g_assert_cmpuint (peak, ==, 2);
  ear_test_server_get_connections (fixture->server, "127.0.0.3", &peak);
  g_assert_cmpuint (peak, ==, 0);

  soup_session_abort (fixture->session);
  end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
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

#define add(path, test) g_test_add ("/server-made/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("generated", test_generated);
  add ("log", test_log);
  add ("connections", test_connections);
  add ("restart", test_restart);
  add ("port-taken", test_port_taken);
  g_test_add_func ("/server-made/rewrite", test_rewrite);
  g_test_add_func ("/server-made/seed", test_seed);

  return g_test_run ();
}
