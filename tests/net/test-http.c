/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-error.h"
#include "ear-test-threads.h"
#include "net-fixture.h"

#include <string.h>

/* Single requests to servers that behave or misbehave */

static void
put_text (NetFixture *fixture, const char *path, gsize length)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (text->len < length)
    g_string_append_printf (text, "line %" G_GSIZE_FORMAT " of %s\n", text->len, path);
  g_string_truncate (text, length);
  ear_test_server_put (fixture->server, path, "text/plain; charset=utf-8", text->str);
}

static const char *
sent_header (EarTestRequest *request, const char *name)
{
  g_assert_nonnull (request);

  return ear_test_request_get_header (request, name);
}

static NetCall *
run (NetFixture *fixture, const char *path)
{
  NetCall *call = net_call_new (fixture, 1, path);

  net_call_run (call, fixture->http);

  return call;
}

static void
assert_fails (NetFixture *fixture, const char *path, EarError code)
{
  g_autoptr (NetCall) call = run (fixture, path);

  g_assert_error (call->error, EAR_ERROR, (int) code);
}

/* --- Answers --------------------------------------------------------------------- */

static void
test_plain (NetFixture *fixture, gconstpointer data)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, "/text.txt");
  g_autoptr (NetCall) call = net_call_new_for_url (url);
  g_autoptr (EarTestRequest) request = NULL;

  put_text (fixture, "/text.txt", 200000);
  call->request->accept = g_strdup ("text/plain");
  net_call_run (call, fixture->http);
  net_assert_answer (call, 200);
  g_assert_cmpuint (call->body->len, ==, 200000);
  g_assert_cmpint (call->response->bytes, ==, 200000);
  g_assert_true (g_str_has_prefix (call->body->str, "line 0 of /text.txt\n"));
  g_assert_false (call->response->not_modified);
  g_assert_false (call->response->incomplete);
  g_assert_cmpstr (call->response->final_address, ==, url);
  g_assert_null (call->response->permanent_address);
  g_assert_cmpstr (call->response->content_type, ==, "text/plain; charset=utf-8");
  g_assert_nonnull (call->response->etag);
  g_assert_nonnull (call->response->last_modified);

  g_assert_true (call->chunk_thread != g_thread_self ());
#ifdef __linux__
  /* Drawing and storing have priority. */
  g_assert_cmpint (call->chunk_niceness, >, 10);
  g_assert_cmpint (ear_test_get_niceness ("earmark-network"), >, 10);
#endif
  g_assert_cmpstr (call->chunk_type, ==, "text/plain; charset=utf-8");
  g_assert_cmpuint (call->chunk_status, ==, 200);
  g_assert_cmpuint (call->chunks, >, 1);

  request = ear_test_server_dup_last_request (fixture->server, "/text.txt");
  g_assert_cmpstr (sent_header (request, "User-Agent"), ==, "Earmark/0.1.0 (+https://example.org/earmark)");
  g_assert_cmpstr (sent_header (request, "Accept"), ==, "text/plain");
  g_assert_nonnull (strstr (sent_header (request, "Accept-Encoding"), "gzip"));
  g_assert_null (sent_header (request, "Authorization"));
  g_assert_null (sent_header (request, "If-None-Match"));
  g_assert_null (sent_header (request, "Cookie"));
}

static void
test_empty (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;

  put_text (fixture, "/empty.txt", 0);
  call = run (fixture, "/empty.txt");
  net_assert_answer (call, 200);
  g_assert_cmpuint (call->chunks, ==, 0);
  g_assert_cmpint (call->response->bytes, ==, 0);
}

static void
test_compressed (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;
  g_autoptr (NetCall) tiny = NULL;
  g_autoptr (EarTestRequest) request = NULL;

  put_text (fixture, "/text.txt", 500000);
  call = run (fixture, "/~gzip/text.txt");
  net_assert_answer (call, 200);
  g_assert_cmpuint (call->body->len, ==, 500000);
  g_assert_true (g_str_has_prefix (call->body->str, "line 0 of /text.txt\n"));
  request = ear_test_server_dup_last_request (fixture->server, "/~gzip/text.txt");
  g_assert_cmpuint (request->bytes_sent, <, 300000);

  /* Compression makes this body larger. */
  put_text (fixture, "/tiny.txt", 3);
  tiny = run (fixture, "/~gzip/tiny.txt");
  net_assert_answer (tiny, 200);
  g_assert_cmpstr (tiny->body->str, ==, "lin");
  g_assert_false (tiny->response->incomplete);
}

/* Brotli without compression (RFC 7932, section 9): a header of three bytes, the text,
 * and an empty last block. */
static GBytes *
make_brotli (const char *text)
{
  const gsize length = strlen (text);
  const guint32 head = GUINT32_TO_LE ((guint32) (length - 1) << 4 | 1u << 20);
  GByteArray *bytes = g_byte_array_new ();

  g_assert_cmpuint (length, <=, 65536);
  g_byte_array_append (bytes, (const guint8 *) &head, 3);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) length);
  g_byte_array_append (bytes, (const guint8 *) "\x03", 1);

  return g_byte_array_free_to_bytes (bytes);
}

static void
test_brotli (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) packed = make_brotli ("so it was written");
  g_autoptr (NetCall) call = NULL;

  /* libsoup requests Brotli over https only, but always accepts it. */
  ear_test_server_put_bytes (fixture->server, "/packed.bin", "application/octet-stream", packed);
  call = run (fixture, "/~header=Content-Encoding:br/packed.bin");
  net_assert_answer (call, 200);
  g_assert_cmpstr (call->body->str, ==, "so it was written");
}

static void
test_not_modified (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) first = NULL;
  g_autoptr (NetCall) second = net_call_new (fixture, 1, "/text.txt");
  g_autoptr (NetCall) third = net_call_new (fixture, 1, "/text.txt");
  g_autoptr (EarTestRequest) request = NULL;

  put_text (fixture, "/text.txt", 5000);
  first = run (fixture, "/text.txt");
  net_assert_answer (first, 200);

  second->request->etag = g_strdup (first->response->etag);
  net_call_run (second, fixture->http);
  net_assert_answer (second, 304);
  g_assert_true (second->response->not_modified);
  g_assert_cmpuint (second->chunks, ==, 0);
  request = ear_test_server_dup_last_request (fixture->server, "/text.txt");
  g_assert_cmpstr (sent_header (request, "If-None-Match"), ==, first->response->etag);

  third->request->last_modified = g_strdup (first->response->last_modified);
  net_call_run (third, fixture->http);
  net_assert_answer (third, 304);
}

/* An unrequested 304 does not mean "unchanged". */
static void
test_unasked_not_modified (NetFixture *fixture, gconstpointer data)
{
  put_text (fixture, "/text.txt", 5000);
  assert_fails (fixture, "/~status=304/text.txt", EAR_ERROR_SERVER);
}

static void
test_hostile_validators (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = net_call_new (fixture, 1, "/text.txt");
  g_autoptr (EarTestRequest) request = NULL;

  put_text (fixture, "/text.txt", 10);
  call->request->etag = g_strdup ("\"x\"\r\nCookie: a=b");
  net_call_run (call, fixture->http);
  net_assert_answer (call, 200);
  request = ear_test_server_dup_last_request (fixture->server, "/text.txt");
  g_assert_null (sent_header (request, "If-None-Match"));
  g_assert_null (sent_header (request, "Cookie"));
}

/* The first bytes are passed on before the body is complete. */
static void
assert_slow (NetCall *call)
{
  net_assert_answer (call, 200);
  g_test_message ("first chunk after %" G_GINT64_FORMAT " ms, all after %" G_GINT64_FORMAT " ms, %u chunks",
                  (call->first_chunk - call->started) / 1000, (call->finished - call->started) / 1000, call->chunks);
  g_assert_cmpint (call->first_chunk - call->started, <, 600000);
  g_assert_cmpint (call->finished - call->first_chunk, >, 1000000);
  g_assert_cmpuint (call->chunks, >=, 5);
}

static void
test_slow (NetFixture *fixture, gconstpointer data)
{
  g_autofree guint8 *zeros = g_malloc0 (40000);
  g_autoptr (GBytes) bytes = g_bytes_new (zeros, 40000);
  g_autoptr (NetCall) call = NULL;

  /* The server does not compress this type. */
  ear_test_server_put_bytes (fixture->server, "/slow", "audio/mpeg", bytes);
  call = run (fixture, "/~slow=20000/slow");
  g_assert_cmpmem (call->body->str, call->body->len, zeros, 40000);
  assert_slow (call);
}

static void
test_slow_compressed (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = run (fixture, "/~slow=5000/~gzip/generated/feed-100.xml");

  g_assert_nonnull (strstr (call->body->str, "</rss>"));
  assert_slow (call);
}

/* --- Redirects -------------------------------------------------------------------- */

static void
test_redirects (NetFixture *fixture, gconstpointer data)
{
  g_autofree char *final = ear_test_server_dup_url (fixture->server, 2, "/text.txt");
  g_autofree char *middle = ear_test_server_dup_url (fixture->server, 2, "/~redirect=302/text.txt");
  g_autoptr (NetCall) permanent = NULL;
  g_autoptr (NetCall) broken = NULL;
  g_autoptr (NetCall) temporary = NULL;

  put_text (fixture, "/text.txt", 100);
  permanent = run (fixture, "/~redirect=301,relative/~redirect=308,2/text.txt");
  net_assert_answer (permanent, 200);
  g_assert_cmpstr (permanent->response->final_address, ==, final);
  g_assert_cmpstr (permanent->response->permanent_address, ==, final);

  broken = run (fixture, "/~redirect=301,2/~redirect=302/text.txt");
  net_assert_answer (broken, 200);
  g_assert_cmpstr (broken->response->final_address, ==, final);
  g_assert_cmpstr (broken->response->permanent_address, ==, middle);

  temporary = run (fixture, "/~redirect=302,2/~redirect=301/text.txt");
  net_assert_answer (temporary, 200);
  g_assert_cmpstr (temporary->response->final_address, ==, final);
  g_assert_null (temporary->response->permanent_address);
}

/* A server with a Latin-1 file name redirects to it in Latin-1. */
static void
test_redirect_raw (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) raw = NULL;
  g_autoptr (NetCall) utf8 = NULL;
  g_autoptr (NetCall) nowhere = NULL;

  ear_test_server_put (fixture->server, "/m\xfcnchen/caf\xe9.txt", "text/plain", "the Latin-1 one");
  ear_test_server_put (fixture->server, "/münchen.txt", "text/plain", "the other one");
  raw = run (fixture, "/~redirect=302,raw/m%FCnchen/caf%E9.txt?a=b");
  net_assert_answer (raw, 200);
  g_assert_true (g_str_has_suffix (raw->response->final_address, "/m%FCnchen/caf%E9.txt?a=b"));
  g_assert_cmpstr (raw->body->str, ==, "the Latin-1 one");
  utf8 = run (fixture, "/~redirect=301,raw/m%C3%BCnchen.txt");
  net_assert_answer (utf8, 200);
  g_assert_true (g_str_has_suffix (utf8->response->permanent_address, "/m%C3%BCnchen.txt"));
  nowhere = run (fixture, "/~redirect=302,raw/%FC.txt");
  g_assert_error (nowhere->error, EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

/* Only the final URL is requested. */
static void
test_head_only (NetFixture *fixture, gconstpointer data)
{
  g_autofree char *final = ear_test_server_dup_url (fixture->server, 2, "/text.txt");
  g_autoptr (NetCall) call = net_call_new (fixture, 1, "/~redirect=302,2/text.txt");
  g_autoptr (NetCall) after = NULL;

  put_text (fixture, "/text.txt", 1000000);
  call->request->head_only = TRUE;
  net_call_run (call, fixture->http);
  net_assert_answer (call, 200);
  g_assert_cmpstr (call->response->final_address, ==, final);
  g_assert_cmpuint (call->chunks, ==, 0);
  after = run (fixture, "/text.txt");
  net_assert_answer (after, 200);
}

static void
test_redirect_loops (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) path = g_string_new (NULL);

  put_text (fixture, "/text.txt", 100);
  assert_fails (fixture, "/~loop/text.txt", EAR_ERROR_REDIRECTS);
  assert_fails (fixture, "/~loop=self/text.txt", EAR_ERROR_REDIRECTS);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 3);

  for (guint i = 0; i < 11; i++)
    g_string_append (path, "/~redirect=302,relative");
  g_string_append (path, "/text.txt");
  assert_fails (fixture, path->str, EAR_ERROR_REDIRECTS);
}

static void
test_redirect_out_of_the_web (NetFixture *fixture, gconstpointer data)
{
  put_text (fixture, "/text.txt", 100);
  assert_fails (fixture, "/~header=Location:file%3A%2F%2F%2Fetc%2Fpasswd/~status=302/text.txt",
                EAR_ERROR_UNSAFE_ADDRESS);
  assert_fails (fixture, "/~status=302/text.txt", EAR_ERROR_SERVER);
}

static void
test_unsafe_address (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = net_call_new_for_url ("file:///etc/passwd");

  net_call_run (call, fixture->http);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS);
}

/* --- Credentials ------------------------------------------------------------------ */

static char *
with_credentials (NetFixture *fixture, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, path);

  return g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@", url + strlen ("http://"), NULL);
}

static void
test_unauthorized (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) wrong = net_call_new (fixture, 1, "/~status=401/text.txt");

  put_text (fixture, "/text.txt", 100);
  assert_fails (fixture, "/~status=401/text.txt", EAR_ERROR_UNAUTHORIZED);

  wrong->request->user = g_strdup (EAR_TEST_USER);
  wrong->request->password = g_strdup ("wrong");
  net_call_run (wrong, fixture->http);
  g_assert_error (wrong->error, EAR_ERROR, EAR_ERROR_WRONG_LOGIN);
  g_assert_null (strstr (wrong->error->message, "wrong"));
}

static void
test_credentials (NetFixture *fixture, gconstpointer data)
{
  g_autofree char *url = with_credentials (fixture, "/~status=401/text.txt");
  g_autofree char *clean = ear_test_server_dup_url (fixture->server, 1, "/~status=401/text.txt");
  g_autoptr (NetCall) of_request = net_call_new (fixture, 1, "/~status=401/text.txt");
  g_autoptr (NetCall) of_address = net_call_new_for_url (url);
  g_autoptr (EarTestRequest) request = NULL;

  put_text (fixture, "/text.txt", 100);
  of_request->request->user = g_strdup (EAR_TEST_USER);
  of_request->request->password = g_strdup (EAR_TEST_PASSWORD);
  net_call_run (of_request, fixture->http);
  net_assert_answer (of_request, 200);

  net_call_run (of_address, fixture->http);
  net_assert_answer (of_address, 200);
  g_assert_cmpstr (of_address->response->final_address, ==, clean);
  request = ear_test_server_dup_last_request (fixture->server, "/~status=401/text.txt");
  g_assert_null (strstr (sent_header (request, "Host"), EAR_TEST_PASSWORD));

  /* The credentials are not reused for requests without any. */
  assert_fails (fixture, "/~status=401/text.txt", EAR_ERROR_UNAUTHORIZED);
}

static void
test_credentials_stay (NetFixture *fixture, gconstpointer data)
{
  g_autofree char *away = with_credentials (fixture, "/~redirect=302,2/text.txt");
  g_autofree char *back = with_credentials (fixture, "/~redirect=302,2/~redirect=302,1/text.txt");
  g_autoptr (NetCall) call = net_call_new_for_url (away);
  g_autoptr (NetCall) returning = net_call_new_for_url (back);
  g_autoptr (GPtrArray) requests = NULL;

  put_text (fixture, "/text.txt", 100);
  net_call_run (call, fixture->http);
  net_assert_answer (call, 200);
  net_call_run (returning, fixture->http);
  net_assert_answer (returning, 200);

  requests = ear_test_server_dup_requests (fixture->server);
  g_assert_cmpuint (requests->len, ==, 5);
  for (guint i = 0; i < requests->len; i++)
    {
      EarTestRequest *request = requests->pdata[i];
      gboolean first_host = g_str_has_prefix (request->host, "127.0.0.1");

      g_assert_true (first_host || g_str_has_prefix (request->host, "127.0.0.2"));
      g_assert_true ((sent_header (request, "Authorization") != NULL) == first_host);
      g_assert_null (sent_header (request, "Referer"));
    }
}

/* --- Statuses --------------------------------------------------------------------- */

static void
test_statuses (NetFixture *fixture, gconstpointer data)
{
  static const struct
  {
    guint status;
    EarError code;
  } table[] = {
    { 400, EAR_ERROR_SERVER }, { 401, EAR_ERROR_UNAUTHORIZED }, { 403, EAR_ERROR_FORBIDDEN },
    { 404, EAR_ERROR_NOT_FOUND }, { 410, EAR_ERROR_GONE }, { 418, EAR_ERROR_SERVER },
    { 429, EAR_ERROR_BUSY }, { 500, EAR_ERROR_SERVER }, { 502, EAR_ERROR_SERVER },
    { 503, EAR_ERROR_BUSY }, { 300, EAR_ERROR_SERVER }, { 306, EAR_ERROR_SERVER },
  };

  put_text (fixture, "/text.txt", 100);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *path = g_strdup_printf ("/~status=%u/text.txt?token=hush", table[i].status);
      g_autofree char *number = g_strdup_printf ("%u", table[i].status);
      g_autoptr (NetCall) call = run (fixture, path);

      g_assert_error (call->error, EAR_ERROR, (int) table[i].code);
      g_assert_nonnull (strstr (call->error->message, number));
      g_assert_null (strstr (call->error->message, "hush"));
      g_assert_cmpuint (call->chunks, ==, 0);
    }
}

static void
test_forbidden_agent (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) call = NULL;
  g_autoptr (GPtrArray) requests = NULL;

  put_text (fixture, "/text.txt", 100);
  call = run (fixture, "/~403agent/text.txt");
  net_assert_answer (call, 200);
  requests = ear_test_server_dup_requests (fixture->server);
  g_assert_cmpuint (requests->len, ==, 2);
  g_assert_true (g_str_has_prefix (sent_header (requests->pdata[0], "User-Agent"), "Earmark/"));
  g_assert_true (g_str_has_prefix (sent_header (requests->pdata[1], "User-Agent"), "Mozilla/"));

  /* Retried once only */
  ear_test_server_clear_log (fixture->server);
  assert_fails (fixture, "/~status=403/text.txt", EAR_ERROR_FORBIDDEN);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 2);
}

static gint64
retry_after (NetFixture *fixture, const char *path)
{
  g_autoptr (NetCall) call = run (fixture, path);

  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_BUSY);

  return call->retry_after;
}

static void
test_retry_after (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) fine = NULL;

  put_text (fixture, "/text.txt", 100);
  g_assert_cmpint (retry_after (fixture, "/~429=77/text.txt"), ==, 77);
  g_assert_cmpint (retry_after (fixture, "/~status=503/text.txt"), ==, 60);
  fine = run (fixture, "/text.txt");
  g_assert_cmpint (fine->retry_after, ==, 0);
}

static void
test_recovers (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) third = NULL;

  put_text (fixture, "/text.txt", 100);
  assert_fails (fixture, "/~500then=2/text.txt", EAR_ERROR_SERVER);
  assert_fails (fixture, "/~500then=2/text.txt", EAR_ERROR_SERVER);
  third = run (fixture, "/~500then=2/text.txt");
  net_assert_answer (third, 200);
}

/* --- Certificates ----------------------------------------------------------------- */

/* If the client disconnects during a handshake, libsoup's server sometimes disconnects a
 * connection that it has freed. That is a bug of the server side only. */
static gboolean
is_ours (const char *message)
{
  return strstr (message, "soup_server_connection_disconnect") == NULL;
}

static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  return is_ours (message);
}

static void
log_ours (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if (is_ours (message))
    g_log_default_handler (domain, level, message, user_data);
}

static void
test_certificate (NetFixture *fixture, gconstpointer data)
{
  g_autofree char *url = NULL;
  g_autoptr (NetCall) call = NULL;
  guint handler;

  if (ear_test_server_get_tls_url (fixture->server) == NULL)
    {
      g_test_skip ("GIO has no TLS here");
      return;
    }

  g_test_log_set_fatal_handler (is_fatal, NULL);
  handler = g_log_set_handler ("libsoup", G_LOG_LEVEL_CRITICAL | G_LOG_FLAG_FATAL, log_ours, NULL);
  put_text (fixture, "/text.txt", 100);
  url = g_strconcat (ear_test_server_get_tls_url (fixture->server), "/text.txt?token=hush", NULL);
  call = net_call_new_for_url (url);
  net_call_run (call, fixture->http);
  g_assert_error (call->error, EAR_ERROR, EAR_ERROR_CERTIFICATE);
  g_assert_null (strstr (call->error->message, "hush"));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 0);
  ear_test_server_stop (fixture->server);
  g_log_remove_handler ("libsoup", handler);
}

static void
test_trusted_certificate (NetFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "server", "untrusted.pem", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (EarHttp) http = NULL;
  g_autofree char *url = NULL;
  g_autoptr (NetCall) call = NULL;
  g_autoptr (NetCall) downgraded = NULL;
  g_autoptr (NetCall) raw = NULL;
  g_autofree char *down = NULL;
  g_autofree char *latin = NULL;

  if (ear_test_server_get_tls_url (fixture->server) == NULL)
    {
      g_test_skip ("GIO has no TLS here");
      return;
    }

  database = g_tls_file_database_new (path, &error);
  g_assert_no_error (error);
  http = ear_http_new (NULL);
  ear_http_trust (http, database);

  put_text (fixture, "/text.txt", 300000);
  url = g_strconcat (ear_test_server_get_tls_url (fixture->server), "/text.txt", NULL);
  call = net_call_new_for_url (url);
  net_call_run (call, http);
  net_assert_answer (call, 200);
  g_assert_cmpuint (call->body->len, ==, 300000);
  g_autoptr (EarTestRequest) encrypted = ear_test_server_dup_last_request (fixture->server, "/text.txt");
  g_assert_nonnull (strstr (sent_header (encrypted, "Accept-Encoding"), "br"));

  /* From https to http: allowed, but the credentials are not sent in clear text. */
  down = g_strconcat (ear_test_server_get_tls_url (fixture->server), "/~redirect=301,http/text.txt", NULL);
  downgraded = net_call_new_for_url (down);
  downgraded->request->user = g_strdup (EAR_TEST_USER);
  downgraded->request->password = g_strdup (EAR_TEST_PASSWORD);
  net_call_run (downgraded, http);
  net_assert_answer (downgraded, 200);
  {
    g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/text.txt");
    g_autoptr (EarTestRequest) first =
        ear_test_server_dup_last_request (fixture->server, "/~redirect=301,http/text.txt");

    g_assert_false (request->tls);
    g_assert_null (sent_header (request, "Authorization"));
    g_assert_nonnull (sent_header (first, "Authorization"));
  }

  put_text (fixture, "/m\xfcnchen.txt", 100);
  latin = g_strconcat (ear_test_server_get_tls_url (fixture->server),
                       "/~redirect=302,raw/m%FCnchen.txt", NULL);
  raw = net_call_new_for_url (latin);
  net_call_run (raw, http);
  net_assert_answer (raw, 200);
}

/* --- fetch() ------------------------------------------------------------------------ */

static NetCall *
fetch (NetFixture *fixture, const char *path, gint64 max_bytes)
{
  NetCall *call = net_call_new (fixture, 1, path);

  call->request->max_bytes = max_bytes;
  net_call_run (call, fixture->http);

  return call;
}

static void
test_fetch (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (NetCall) good = NULL;
  g_autoptr (NetCall) large = NULL;
  g_autoptr (NetCall) busy = NULL;

  put_text (fixture, "/text.txt", 150000);
  good = fetch (fixture, "/text.txt", 0);
  g_assert_no_error (good->error);
  g_assert_cmpuint (good->body->len, ==, 150000);
  g_assert_cmpuint (good->response->status, ==, 200);

  large = fetch (fixture, "/text.txt", 149999);
  g_assert_error (large->error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
  g_assert_null (large->response);

  busy = fetch (fixture, "/~status=429/text.txt", 0);
  g_assert_error (busy->error, EAR_ERROR, EAR_ERROR_BUSY);
  g_assert_cmpint (busy->retry_after, ==, 60);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (NetFixture *, gconstpointer);
  } tests[] = {
    { "/http/plain", test_plain },
    { "/http/empty", test_empty },
    { "/http/compressed", test_compressed },
    { "/http/brotli", test_brotli },
    { "/http/not-modified", test_not_modified },
    { "/http/not-modified/unasked", test_unasked_not_modified },
    { "/http/not-modified/hostile-validators", test_hostile_validators },
    { "/http/slow", test_slow },
    { "/http/slow/compressed", test_slow_compressed },
    { "/http/redirects", test_redirects },
    { "/http/redirects/raw", test_redirect_raw },
    { "/http/redirects/head-only", test_head_only },
    { "/http/redirects/loops", test_redirect_loops },
    { "/http/redirects/out-of-the-web", test_redirect_out_of_the_web },
    { "/http/unsafe-address", test_unsafe_address },
    { "/http/credentials/wanted", test_unauthorized },
    { "/http/credentials/sent", test_credentials },
    { "/http/credentials/stay", test_credentials_stay },
    { "/http/statuses", test_statuses },
    { "/http/forbidden-agent", test_forbidden_agent },
    { "/http/retry-after", test_retry_after },
    { "/http/recovers", test_recovers },
    { "/http/certificate/untrusted", test_certificate },
    { "/http/certificate/trusted", test_trusted_certificate },
    { "/http/fetch", test_fetch },
  };

  net_main_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, NetFixture, NULL, net_fixture_set_up, tests[i].test, net_fixture_tear_down);

  return g_test_run ();
}
