/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-page-links.h"

#include <string.h>

#define PAGE "https://example.org/shows/one/"

static GPtrArray *
find (const char *html)
{
  g_autoptr (GBytes) bytes = g_bytes_new (html, strlen (html));

  return ear_page_find_feeds (bytes, "text/html", PAGE);
}

/* @expected: the URLs, in order, separated by spaces */
static void
assert_feeds (const char *html, const char *expected)
{
  g_autoptr (GPtrArray) links = find (html);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < links->len; i++)
    g_string_append_printf (found, "%s%s", i > 0 ? " " : "", ((EarPageLink *) g_ptr_array_index (links, i))->address);
  g_test_message ("%s", html);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_announced (void)
{
  assert_feeds ("<link rel=alternate type=application/rss+xml href=feed.xml>", "https://example.org/shows/one/feed.xml");
  assert_feeds ("<LINK REL=\"Alternate\" TYPE=\"APPLICATION/RSS+XML\" HREF=\"/feed.xml\" />", "https://example.org/feed.xml");
  assert_feeds ("<link href='//cdn.example.org/f?a=1&amp;b=2' type='application/atom+xml; charset=utf-8' rel='alternate home'>",
                "https://cdn.example.org/f?a=1&b=2");
  assert_feeds ("<link rel=alternate type=text/xml href=' feed://example.org/f.xml '>", "https://example.org/f.xml");
  assert_feeds ("<link rel=feed href=f>", "https://example.org/shows/one/f");
  /* In the body, within malformed HTML, truncated */
  assert_feeds ("<p><b>x</p><div a=\"<link rel=x\"><link rel=alternate type=application/rss+xml href=a><link rel=alternate ty",
                "https://example.org/shows/one/a");
  assert_feeds ("<base href=\"https://cdn.example.org/x/\"><base href=/y/><link rel=alternate type=application/rss+xml href=a>",
                "https://cdn.example.org/x/a");
}

static void
test_not_announced (void)
{
  assert_feeds ("", "");
  assert_feeds ("<link rel=alternate hreflang=de href=/de>", "");
  assert_feeds ("<link rel=alternate type=text/html href=/m>", "");
  assert_feeds ("<link rel=stylesheet type=application/rss+xml href=/m>", "");
  assert_feeds ("<link rel=alternate type=application/rss+xml>", "");
  assert_feeds ("<link rel=alternate type=application/rss+xml href=\"javascript:alert(1)\">", "");
  assert_feeds ("<link rel=alternate type=application/rss+xml href=\"file:///etc/passwd\">", "");
  assert_feeds ("<script>'<link rel=alternate type=application/rss+xml href=a>'</script>", "");
  assert_feeds ("<!-- <link rel=alternate type=application/rss+xml href=a> -->", "");
}

static void
test_order (void)
{
  g_autoptr (GPtrArray) links =
    find ("<link rel=alternate type=application/rss+xml title='Comments Feed' href=/comments/feed/>"
          "<link rel=alternate type=application/rss+xml title='The  Show &amp; more' href=/feed>"
          "<link rel=alternate type=application/rss+xml href=/feed>");
  EarPageLink *first;

  g_assert_cmpuint (links->len, ==, 2);
  first = g_ptr_array_index (links, 0);
  g_assert_cmpstr (first->address, ==, "https://example.org/feed");
  g_assert_cmpstr (first->title, ==, "The Show & more");
}

static void
test_anchors (void)
{
  assert_feeds ("<a href=/about>About</a><a href='/podcast/feed/'>RSS</a><a href=\"https://feeds.example.com/OB5\">x</a>",
                "https://example.org/podcast/feed/ https://feeds.example.com/OB5");
  /* Announced feeds replace other links. */
  assert_feeds ("<a href=/other.rss>RSS</a><link rel=alternate type=application/rss+xml href=/feed>", "https://example.org/feed");
}

static void
test_many (void)
{
  g_autoptr (GString) html = g_string_new (NULL);
  g_autoptr (GPtrArray) links = NULL;

  for (guint i = 0; i < 50000; i++)
    g_string_append_printf (html, "<link rel=alternate type=application/rss+xml href=/%u>", i);
  links = find (html->str);
  g_assert_cmpuint (links->len, ==, 20);
}

/* Unclosed elements that could hide all text after them: a page of 8 MB, the longest that
 * is read, must not be searched to its end for each of them. */
static void
test_never_closed (void)
{
  g_autoptr (GString) html = g_string_new (NULL);
  g_autoptr (GPtrArray) links = NULL;

  while (html->len < 8 * 1024 * 1024)
    g_string_append (html, "<xmp/><title/>");
  g_string_append (html, "<link rel=alternate type=application/rss+xml href=/feed>");
  links = find (html->str);
  g_assert_cmpuint (links->len, ==, 1);
}

static void
test_encoding (void)
{
  const char html[] = "<link rel=alternate type=application/rss+xml title='Caf\xe9' href=/f>";
  g_autoptr (GBytes) bytes = g_bytes_new_static (html, sizeof html - 1);
  g_autoptr (GPtrArray) links = ear_page_find_feeds (bytes, "text/html; charset=iso-8859-1", PAGE);

  g_assert_cmpuint (links->len, ==, 1);
  g_assert_cmpstr (((EarPageLink *) g_ptr_array_index (links, 0))->title, ==, "Café");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page-links/announced", test_announced);
  g_test_add_func ("/page-links/not-announced", test_not_announced);
  g_test_add_func ("/page-links/order", test_order);
  g_test_add_func ("/page-links/anchors", test_anchors);
  g_test_add_func ("/page-links/many", test_many);
  g_test_add_func ("/page-links/never-closed", test_never_closed);
  g_test_add_func ("/page-links/encoding", test_encoding);

  return g_test_run ();
}
