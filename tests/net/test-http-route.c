/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-error.h"
#include "ear-http-failure.h"
#include "ear-http-route.h"

#include <libsoup/soup.h>

static void
assert_at (EarHttpRoute *route, const char *expected)
{
  g_autofree char *address = ear_http_route_dup_address (route);

  g_assert_cmpstr (address, ==, expected);
}

static void
assert_permanent (EarHttpRoute *route, const char *expected)
{
  g_autofree char *address = ear_http_route_dup_permanent_address (route);

  g_assert_cmpstr (address, ==, expected);
}

static void
assert_credentials (EarHttpRoute *route, const char *expected)
{
  g_autofree char *value = ear_http_route_dup_authorization (route);
  g_autofree char *text = NULL;
  gsize length;

  if (value != NULL)
    {
      g_assert_true (g_str_has_prefix (value, "Basic "));
      text = (char *) g_base64_decode (value + strlen ("Basic "), &length);
    }
  g_assert_cmpstr (text, ==, expected);
}

static void
follow (EarHttpRoute *route, guint status, const char *location)
{
  g_autoptr (GError) error = NULL;

  ear_http_route_follow (route, status, location, &error);
  g_assert_no_error (error);
}

static void
assert_not_followed (EarHttpRoute *route, const char *location, EarError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (ear_http_route_follow (route, 302, location, &error));
  g_assert_error (error, EAR_ERROR, (int) code);
  g_assert_null (strstr (error->message, "token"));
}

static void
test_addresses (void)
{
  static const struct
  {
    const char *address;
    const char *sent;
  } table[] = {
    { "https://example.org", "https://example.org/" },
    { "HTTPS://Example.org/feed.xml#top", "https://Example.org/feed.xml" },
    { "https://a:b@example.org/feed?token=x", "https://example.org/feed?token=x" },
    { "https://example.org/a%20b?q=%2F&r=a+b", "https://example.org/a%20b?q=%2F&r=a+b" },
    { "https://example.org/caf\303\251?\303\251", "https://example.org/caf%C3%A9?%C3%A9" },
    { "http://[::1]:8080/x", "http://[::1]:8080/x" },
    { "https://b\303\274cher.example/", "https://xn--bcher-kva.example/" },
    { "https://example.org/a b", "https://example.org/a%20b" },
    { "https://example.org/a\"<>\\", "https://example.org/a%22%3C%3E%5C" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EarHttpRoute) route = ear_http_route_new (table[i].address, NULL, NULL, &error);

      g_assert_no_error (error);
      assert_at (route, table[i].sent);
      assert_permanent (route, NULL);
    }
}

static void
test_unsafe (void)
{
  static const char *const table[] = {
    "", "file:///etc/passwd", "javascript:alert(1)", "ftp://example.org/", "https://", "/feed", "data:,x", "http://[::1",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ear_http_route_new (table[i], NULL, NULL, &error));
      g_assert_error (error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS);
    }
}

static void
test_redirects (void)
{
  g_autoptr (EarHttpRoute) route = ear_http_route_new ("https://example.org/a/feed?token=1", NULL, NULL, NULL);

  follow (route, 301, "b?token=2");
  assert_at (route, "https://example.org/a/b?token=2");
  assert_permanent (route, "https://example.org/a/b?token=2");
  follow (route, 308, "//other.example/c");
  assert_permanent (route, "https://other.example/c");
  follow (route, 302, "/d");
  assert_at (route, "https://other.example/d");
  follow (route, 301, "/e");
  assert_at (route, "https://other.example/e");
  /* A permanent redirect after a temporary one is not permanent. */
  assert_permanent (route, "https://other.example/c");

  assert_not_followed (route, NULL, EAR_ERROR_SERVER);
  assert_not_followed (route, "", EAR_ERROR_SERVER);
  assert_not_followed (route, "file:///etc/passwd?token", EAR_ERROR_UNSAFE_ADDRESS);
  assert_not_followed (route, "javascript:token", EAR_ERROR_UNSAFE_ADDRESS);
  assert_not_followed (route, "/d", EAR_ERROR_REDIRECTS);
}

static void
test_endless_redirects (void)
{
  g_autoptr (EarHttpRoute) route = ear_http_route_new ("https://example.org/0", NULL, NULL, NULL);

  for (int i = 1; i <= 10; i++)
    {
      g_autofree char *location = g_strdup_printf ("/%d", i);

      follow (route, 302, location);
    }
  assert_not_followed (route, "/11", EAR_ERROR_REDIRECTS);
}

static void
test_credentials (void)
{
  static const struct
  {
    const char *address;
    const char *target;
    gboolean sent;
  } table[] = {
    { "https://user:p%40ss@example.org/feed", "https://example.org/other", TRUE },
    { "https://user:p%40ss@example.org/feed", "https://EXAMPLE.org:443/other", TRUE },
    { "https://user:p%40ss@example.org/feed", "https://other.example/", FALSE },
    { "https://user:p%40ss@example.org/feed", "https://example.org.evil.example/", FALSE },
    { "https://user:p%40ss@example.org/feed", "https://sub.example.org/", FALSE },
    { "https://user:p%40ss@example.org/feed", "http://example.org/feed", FALSE },
    { "https://user:p%40ss@example.org/feed", "https://example.org:8443/feed", FALSE },
    { "https://user:p%40ss@example.org/feed", "https://mallory:x@other.example/", FALSE },
    { "http://user:p%40ss@example.org/feed", "https://example.org/feed", TRUE },
    { "http://user:p%40ss@example.org:8080/feed", "https://example.org/feed", FALSE },
    { "http://user:p%40ss@example.org/feed", "http://example.org/other", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (EarHttpRoute) route = ear_http_route_new (table[i].address, NULL, NULL, NULL);

      assert_credentials (route, "user:p@ss");
      follow (route, 302, table[i].target);
      assert_credentials (route, table[i].sent ? "user:p@ss" : NULL);
    }
}

static void
test_credentials_of_request (void)
{
  g_autoptr (EarHttpRoute) given = ear_http_route_new ("https://a:b@example.org/", "user", NULL, NULL);
  g_autoptr (EarHttpRoute) none = ear_http_route_new ("https://example.org/", NULL, NULL, NULL);

  assert_credentials (given, "user:");
  assert_credentials (none, NULL);
  /* Credentials from a redirect are ignored. */
  follow (none, 302, "https://mallory:x@example.org/2");
  assert_credentials (none, NULL);
  assert_at (none, "https://example.org/2");
}

static void
test_failures (void)
{
  static const struct
  {
    GQuark (*domain) (void);
    int code;
    EarError request;
  } table[] = {
    { g_resolver_error_quark, G_RESOLVER_ERROR_NOT_FOUND, EAR_ERROR_OFFLINE },
    { g_resolver_error_quark, G_RESOLVER_ERROR_TEMPORARY_FAILURE, EAR_ERROR_OFFLINE },
    { g_io_error_quark, G_IO_ERROR_NETWORK_UNREACHABLE, EAR_ERROR_OFFLINE },
    { g_io_error_quark, G_IO_ERROR_CONNECTION_REFUSED, EAR_ERROR_UNREACHABLE },
    { g_io_error_quark, G_IO_ERROR_HOST_UNREACHABLE, EAR_ERROR_UNREACHABLE },
    { g_io_error_quark, G_IO_ERROR_TIMED_OUT, EAR_ERROR_TIMED_OUT },
    { g_tls_error_quark, G_TLS_ERROR_BAD_CERTIFICATE, EAR_ERROR_CERTIFICATE },
    { g_tls_error_quark, G_TLS_ERROR_HANDSHAKE, EAR_ERROR_CERTIFICATE },
    { soup_session_error_quark, SOUP_SESSION_ERROR_PARSING, EAR_ERROR_SERVER },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GError) cause = g_error_new_literal (table[i].domain (), table[i].code, "so");
      g_autoptr (GError) error = ear_http_failure_new_for_request (cause, "https://u:secret@example.org/a?token=1");

      g_assert_error (error, EAR_ERROR, (int) table[i].request);
      g_assert_cmpstr (error->message, ==, "https://example.org/a: so");
    }
}

static void
test_blame (void)
{
  g_autoptr (GError) unreachable = g_error_new_literal (EAR_ERROR, EAR_ERROR_UNREACHABLE, "x");
  g_autoptr (GError) not_found = g_error_new_literal (EAR_ERROR, EAR_ERROR_NOT_FOUND, "x");

  g_assert_true (ear_http_failure_may_be_network (unreachable, "https://192.168.7.7/"));
  g_assert_true (ear_http_failure_may_be_network (unreachable, "https://example.org/"));
  g_assert_false (ear_http_failure_may_be_network (not_found, "https://example.org/"));
  g_assert_false (ear_http_failure_may_be_network (unreachable, "http://127.0.0.2:8080/"));
  g_assert_false (ear_http_failure_may_be_network (unreachable, "http://[::1]/"));
  g_assert_false (ear_http_failure_may_be_network (unreachable, "http://localhost/"));
}

static void
test_retry_after (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GDateTime) later = g_date_time_add_seconds (now, 100);
  g_autofree char *date = g_date_time_format (later, "%a, %d %b %Y %H:%M:%S GMT");
  gint64 seconds = ear_http_failure_parse_retry_after (date);

  g_assert_cmpint (seconds, >=, 90);
  g_assert_cmpint (seconds, <=, 100);
  g_assert_cmpint (ear_http_failure_parse_retry_after ("Wed, 21 Oct 2015 07:28:00 GMT"), ==, 0);
  g_assert_cmpint (ear_http_failure_parse_retry_after ("Thu, 31 Dec 2099 23:59:59 GMT"), ==, 7 * 24 * 60 * 60);
  g_assert_cmpint (ear_http_failure_parse_retry_after ("120"), ==, 120);
  g_assert_cmpint (ear_http_failure_parse_retry_after ("99999999999999999999"), ==, 7 * 24 * 60 * 60);
  g_assert_cmpint (ear_http_failure_parse_retry_after ("9999999999999999999"), ==, 7 * 24 * 60 * 60);
  g_assert_cmpint (ear_http_failure_parse_retry_after ("-5"), ==, 0);
  g_assert_cmpint (ear_http_failure_parse_retry_after ("soon"), ==, 0);
  g_assert_cmpint (ear_http_failure_parse_retry_after (""), ==, 0);
  g_assert_cmpint (ear_http_failure_parse_retry_after (NULL), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http-route/addresses", test_addresses);
  g_test_add_func ("/http-route/unsafe", test_unsafe);
  g_test_add_func ("/http-route/redirects", test_redirects);
  g_test_add_func ("/http-route/endless-redirects", test_endless_redirects);
  g_test_add_func ("/http-route/credentials", test_credentials);
  g_test_add_func ("/http-route/credentials-of-request", test_credentials_of_request);
  g_test_add_func ("/http-failure/codes", test_failures);
  g_test_add_func ("/http-failure/network-to-blame", test_blame);
  g_test_add_func ("/http-failure/retry-after", test_retry_after);

  return g_test_run ();
}
