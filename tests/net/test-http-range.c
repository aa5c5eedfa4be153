/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-http-range.h"

static void
test_condition (void)
{
  static const char date[] = "Mon, 01 Jun 2026 10:00:00 GMT";
  static const struct
  {
    const char *etag;
    const char *last_modified;
    const char *expected;
  } cases[] = {
    { "\"a\"", NULL, "\"a\"" },
    { "\"a\"", date, "\"a\"" },
    { "\"\"", NULL, "\"\"" },
    { "W/\"a\"", NULL, NULL },
    { "W/\"a\"", date, date },
    { "a", date, date },
    { "\"", date, date },
    { "", NULL, NULL },
    { "\"a\"\r\nCookie: \"b\"", NULL, NULL },
    { NULL, date, date },
    { NULL, "0", NULL },
    { NULL, "yesterday\r\nCookie: a=b", NULL },
    { NULL, "Mon, 01 Jun 2026 10:00:00 GMT\r\nCookie: a=b", NULL },
    { NULL, NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (ear_http_range_find_condition (cases[i].etag, cases[i].last_modified), ==, cases[i].expected);
}

static void
test_read (void)
{
  static const struct
  {
    const char *range;
    gboolean valid;
    gint64 first_byte;
    gint64 total;
  } cases[] = {
    { "bytes 0-9/10", TRUE, 0, 10 },
    { "bytes 500-999/1000", TRUE, 500, 1000 },
    { "bytes 500-999/5000000000", TRUE, 500, 5000000000 },
    { "bytes 500-999/*", TRUE, 500, -1 },
    { "bytes 500-499/1000", FALSE, 0, -1 },
    { "bytes 500-999/999", FALSE, 0, -1 },
    { "bytes 500-999/-1000", FALSE, 0, -1 },
    { "bytes -5-999/1000", FALSE, 0, -1 },
    { "bytes 99999999999999999999-999999999999999999999/9999999999999999999999", FALSE, 0, -1 },
    { "bytes */1000", FALSE, 0, -1 },
    { "lines 0-9/10", FALSE, 0, -1 },
    { "bytes 0-9", FALSE, 0, -1 },
    { "", FALSE, 0, -1 },
    { NULL, FALSE, 0, -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SoupMessageHeaders) headers = soup_message_headers_new (SOUP_MESSAGE_HEADERS_RESPONSE);
      gint64 first_byte = 7, total = 7;

      if (cases[i].range != NULL)
        soup_message_headers_append (headers, "Content-Range", cases[i].range);
      g_test_message ("%s", cases[i].range);
      g_assert_cmpint (ear_http_range_read (headers, &first_byte, &total), ==, cases[i].valid);
      g_assert_cmpint (first_byte, ==, cases[i].first_byte);
      g_assert_cmpint (total, ==, cases[i].total);

      soup_message_headers_replace (headers, "Content-Type", "Multipart/ByteRanges; boundary=x");
      g_assert_false (ear_http_range_read (headers, &first_byte, &total));
    }
}

static void
test_fits (void)
{
  static const struct
  {
    const char *name;
    const char *value;
    gint64 first_byte;
    const char *condition;
    gboolean fits;
  } cases[] = {
    { "X-Nothing", "", 500, "\"a\"", TRUE },
    { "X-Nothing", "", 499, "\"a\"", FALSE },
    { "X-Nothing", "", 501, NULL, FALSE },
    { "X-Nothing", "", 0, NULL, FALSE },
    { "ETag", "\"a\"", 500, "\"a\"", TRUE },
    { "ETag", "\"b\"", 500, "\"a\"", FALSE },
    { "ETag", "W/\"a\"", 500, "\"a\"", FALSE },
    { "ETag", "\"b\"", 500, "Mon, 01 Jun 2026 10:00:00 GMT", TRUE },
    { "Last-Modified", "Mon, 01 Jun 2026 10:00:00 GMT", 500, "Mon, 01 Jun 2026 10:00:00 GMT", TRUE },
    { "Last-Modified", "Mon, 01 Jun 2026 10:00:01 GMT", 500, "Mon, 01 Jun 2026 10:00:00 GMT", FALSE },
    { "Content-Encoding", "gzip", 500, "\"a\"", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SoupMessageHeaders) headers = soup_message_headers_new (SOUP_MESSAGE_HEADERS_RESPONSE);

      soup_message_headers_append (headers, "Content-Range", "bytes 500-999/1000");
      soup_message_headers_append (headers, cases[i].name, cases[i].value);
      g_test_message ("%s: %s", cases[i].name, cases[i].value);
      g_assert_cmpint (ear_http_range_fits (headers, cases[i].first_byte, cases[i].condition), ==, cases[i].fits);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/http-range/condition", test_condition);
  g_test_add_func ("/http-range/read", test_read);
  g_test_add_func ("/http-range/fits", test_fits);

  return g_test_run ();
}
