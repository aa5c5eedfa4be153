/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-address.h"
#include "ear-test-wait.h"

static void
check_holds (gboolean (*func) (const char *), const char *const *addresses, gsize n_addresses, gboolean holds)
{
  for (gsize i = 0; i < n_addresses; i++)
    {
      g_test_message ("%s", addresses[i]);
      g_assert_cmpint (func (addresses[i]), ==, holds);
    }
}

static void
test_is_web (void)
{
  g_autofree char *endless = g_strnfill (20000, 'a');
  static const char *const good[] = {
    "http://example.org/", "https://example.org/a?b=c#d", "HTTPS://EXAMPLE.ORG", "http://127.0.0.1:8080/feed.xml",
    "https://user:pass@example.org/", "https://[::1]/x",
  };
  const char *const bad[] = {
    "", "example.org", "ftp://example.org/", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x",
    "http://", "https:///path", "//example.org/", "mailto:a@example.org", "http:/example.org",
    "http://exam\x1bple.org/", "http://example.org\x01/",
    "https://example.org/M\xfcnchen", "https://[fe80::1%25\xff]/", "https://%FF.example.org/", NULL,
    ear_test_format ("https://example.org/%s", endless),
  };

  check_holds (ear_address_is_web, good, G_N_ELEMENTS (good), TRUE);
  check_holds (ear_address_is_web, bad, G_N_ELEMENTS (bad), FALSE);
}

static void
test_resolve (void)
{
  static const struct
  {
    const char *base, *reference, *expected;
  } cases[] = {
    { "https://example.org/feeds/a.xml", "b.mp3", "https://example.org/feeds/b.mp3" },
    { "https://example.org/feeds/a.xml", "/b.mp3", "https://example.org/b.mp3" },
    { "https://example.org/feeds/a.xml", "//cdn.example.org/b.mp3", "https://cdn.example.org/b.mp3" },
    { "https://example.org/a", "  http://other.example/x  ", "http://other.example/x" },
    { NULL, "https://example.org/a b", "https://example.org/a%20b" },
    { NULL, "b.mp3", NULL },
    { NULL, "https://exam\357\274\232org/b.mp3", NULL },
    { "https://example.org/", "javascript:alert(1)", NULL },
    { "https://example.org/", "file:///etc/passwd", NULL },
    { "https://example.org/", "", NULL },
    { "file:///home/", "passwd", NULL },
    { NULL, "http://example;org/x", NULL },
    { "https://example.org/a;b/", "c;d", "https://example.org/a;b/c;d" },
  };
  g_autoptr (GString) letters = g_string_new (NULL);
  g_autofree char *plain = g_strnfill (8180, 'x');

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    ear_test_assert_text (ear_address_resolve (cases[i].base, cases[i].reference),
                          cases[i].expected);
  /* Letters that are escaped count as three bytes. */
  for (guint i = 0; i < 3000; i++)
    g_string_append (letters, "é");
  g_assert_null (ear_address_resolve ("https://example.org/", letters->str));
  g_assert_null (ear_address_resolve ("https://example.org/", plain));
}

static void
test_hash (void)
{
  g_autofree char *one = ear_address_hash ("ab", "c");
  g_autofree char *two = ear_address_hash ("a", "bc");
  g_autofree char *alone = ear_address_hash ("ab", NULL);

  g_assert_cmpuint (strlen (one), ==, 32);
  ear_test_assert_text (ear_address_hash ("ab", "c"), one);
  g_assert_cmpstr (one, !=, two);
  g_assert_cmpstr (one, !=, alone);
}

static void
test_has_secret (void)
{
  static const char *const private[] = {
    "https://me:pw@example.org/feed",
    "https://www.patreon.com/rss/name?auth=abc",
    "https://example.org/feed?Token=1",
    "https://show.example.fm/content/eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.rss",
    "https://example.org/rss/8f14e45fceea167a5a36dedd4bea2543/feed",
    "https://example.org/feed?x=aZ81kLm20QpRs77TuVwXyZ0123",
  };
  static const char *const public[] = {
    "https://feeds.simplecast.com/OB5FkIl8",
    "https://feeds.example.org/public/shows/5e1d2b3c-0000-4000-8000-0123456789ab",
    "https://example.org/the-long-name-of-a-podcast-in-2024/feed.xml",
    "https://example.org/feed?format=mp3&page=1",
    "https://example.org/podcasts/1234567890123456789012345678.xml",
    NULL,
  };

  check_holds (ear_address_has_secret, private, G_N_ELEMENTS (private), TRUE);
  check_holds (ear_address_has_secret, public, G_N_ELEMENTS (public), FALSE);
}

#define SECONDS(n) (n * G_TIME_SPAN_SECOND + G_TIME_SPAN_SECOND / 2)

/* As a media fragment, which servers never see. The route of a page is kept. */
static void
test_at_time (void)
{
  static const struct
  {
    const char *address;
    gint64 time;
    const char *expected;
  } cases[] = {
    { "https://example.org/a", SECONDS (123), "https://example.org/a#t=123" },
    { "https://example.org/a.mp3?x=1&t=podcast", SECONDS (3723), "https://example.org/a.mp3?x=1&t=podcast#t=3723" },
    { "https://example.org/a#notes", SECONDS (5), "https://example.org/a#t=5" },
    { "https://example.org/a#t=7", SECONDS (5), "https://example.org/a#t=5" },
    { "https://example.org/a#t=7", SECONDS (0), "https://example.org/a#t=7" },
    { "https://example.org/a", SECONDS (0), "https://example.org/a" },
    { "https://example.org/a", SECONDS (-1), "https://example.org/a" },
    { "https://example.org/#/episode/7", SECONDS (5), "https://example.org/#/episode/7" },
    { "https://example.org/#!episode-7", SECONDS (5), "https://example.org/#!episode-7" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    ear_test_assert_text (ear_address_at_time (cases[i].address, cases[i].time), cases[i].expected);
}

/* The result is an http or https URL, too. */
static char *
request (const char *written)
{
  g_autoptr (GUri) uri = ear_address_parse_for_request (written);

  return uri != NULL ? g_uri_to_string (uri) : NULL;
}

/* The results of a function for some addresses */
typedef struct
{
  const char *path;
  char *(*func) (const char *);
  const char *cases[24][2];
} Results;

static const Results results[] = {
  { "/address/request", request, {
    { "http://a.example/100%.mp3", "http://a.example/100%25.mp3" },
    { "http://a.example/%", "http://a.example/%25" },
    { "http://a.example/%4", "http://a.example/%254" },
    { "http://a.example/%zz%4A", "http://a.example/%25zzJ" },
    { "http://a.example?50%", "http://a.example/?50%25" },
    { "HTTPS://A.example:443/x y#z", "https://A.example/x%20y" },
    { "http://näme:p@a.example/é", "http://a.example/%C3%A9" },
    { "http://a.example/a[1]|b?c[]=d|", "http://a.example/a[1]|b?c[]=d|" },
    { "http://a.example/20240101 - x7-q : Tea (%23Part 1).mp3", "http://a.example/20240101%20-%20x7-q%20:%20Tea%20(%23Part%201).mp3" },
    { "http://a.example/Don't wait.mp3", "http://a.example/Don't%20wait.mp3" },
    { "http://a.example/play/https%3A%2F%2Fb.example%2Fx.mp3", "http://a.example/play/https%3A%2F%2Fb.example%2Fx.mp3" },
    { "http://a.example/plus+plus.mp3?q=a+b%2Bc", "http://a.example/plus+plus.mp3?q=a+b%2Bc" },
    { "http://a.example/a{1}^`\"<>?b={1}|^`\"<>", "http://a.example/a%7B1%7D%5E%60%22%3C%3E?b={1}|^`%22%3C%3E" },
    { "http://a.example/m%FCnchen.mp3", "http://a.example/m%FCnchen.mp3" },
    { "http://a.example/a?b?c", "http://a.example/a?b?c" },
    { "file:///etc/hostname", NULL },
  } },
  { "/address/clean", ear_address_clean, {
    { "https://example.org/feed", "https://example.org/feed" },
    { "  example.org/feed \n", "https://example.org/feed" },
    { "feed:https://example.org/feed", "https://example.org/feed" },
    { "feed://example.org/feed", "https://example.org/feed" },
    { "pcast://example.org/feed", "https://example.org/feed" },
    { "ITPC://example.org/feed", "https://example.org/feed" },
    { "podcast:http://example.org/feed", "http://example.org/feed" },
    { "words to look for", NULL },
    { "word", NULL },
    { "ftp://example.org/feed", NULL },
    { "file:///etc/passwd", NULL },
    { "feed:file:///etc/passwd", NULL },
    { "javascript:alert(document.title)", NULL },
    { "", NULL },
    { "\xff\xfe.example", NULL },
    /* Links of other programs, which contain the address */
    { "https://antennapod.org/deeplink/subscribe?url=https%3A%2F%2Fexample.org%2Ff&title=x", "https://example.org/f" },
    { "https://www.subscribeonandroid.com/example.org/f.xml?a=b", "https://example.org/f.xml?a=b" },
    { "antennapod-subscribe://example.org/f", "https://example.org/f" },
    { "gpodder:https://example.org/f", "https://example.org/f" },
    { "https://antennapod.org/deeplink/subscribe?url=javascript:alert(1)", NULL },
    { "https://antennapod.org/blog", "https://antennapod.org/blog" },
  } },
  { "/address/secrets", ear_address_without_secrets, {
    { "https://me:word@example.org:8443/private/feed?token=abc#x", "https://example.org:8443/private/feed" },
    { "https://example.org/rss/ab12CDef34GHij56KLmn78OP/lamps.xml", "https://example.org/rss/…/lamps.xml" },
  } },
  /* Keys become names in files, where an invalid byte would damage everything else. Keys in
   * existing files stay valid. */
  { "/address/key-text", ear_address_key, {
    { "https://example.org/M%FCnchen", "example.org/M%FCnchen" },
    { "https://example.org/M%fcnchen", "example.org/M%FCnchen" },
    { "https://example.org/M\xfcnchen", "example.org/M%FCnchen" },
    { "https://example.org/%C3%BC%FC", "example.org/ü%FC" },
    { "https://example.org/%C3/%BC", "example.org/%C3/%BC" },
    { "https://example.org/%E2%82", "example.org/%E2%82" },
    { "https://example.org/%ED%A0%80", "example.org/%ED%A0%80" },
    { "https://example.org/%F4%90%80%80", "example.org/%F4%90%80%80" },
    { "https://example.org/%C0%AF%FF%FE", "example.org/%C0%AF%FF%FE" },
    { "https://example.org/%FC//%FC/", "example.org/%FC/%FC" },
    { "https://example.org/a%00%FC", "example.org/a%00%FC" },
    { "https://example.org/a%2F%FC%C3%BC", "example.org/a%2F%FC%C3%BC" },
    { "https://%FC:%FC@example.org/?%FC", "%FC:%FC@example.org?%FC" },
    { "https://[fe80::1%25\xff]/", "fe80::1%%FF" },
    { "\xff", "%FF" },
    { "ü", "ü" },
    { "https://example.org/a%20b%7Ec/%C3%BC%E2%82%AC", "example.org/a b~c/ü€" },
    { "https://example.org/a%01b%7F", "example.org/a\001b\177" },
  } },
};

static void
test_results (gconstpointer data)
{
  const Results *test = data;

  for (gsize i = 0; test->cases[i][0] != NULL; i++)
    {
      g_autofree char *result = test->func (test->cases[i][0]);

      g_assert_cmpstr (result, ==, test->cases[i][1]);
      g_assert_true (result == NULL || g_utf8_validate (result, -1, NULL));
    }
}

static gboolean
have_same_key (const char *one, const char *other)
{
  g_autofree char *key = ear_address_key (one);
  g_autofree char *other_key = ear_address_key (other);

  return g_str_equal (key, other_key);
}

typedef struct
{
  const char *one, *other;
  gboolean holds;
} Pair;

/* Whether a function holds for two addresses */
typedef struct
{
  const char *path;
  gboolean (*func) (const char *, const char *);
  Pair cases[24];
} Pairs;

static const Pairs pairs[] = {
  { "/address/key", have_same_key, {
    { "https://example.org/feed", "http://www.example.org/feed/", TRUE },
    { "https://EXAMPLE.org:443/feed", "https://example.org/feed", TRUE },
    { "https://example.org//a///b", "https://example.org/a/b", TRUE },
    { "https://example.org/?", "https://example.org", TRUE },
    { "https://example.org/a%20b", "https://example.org/a b", TRUE },
    { "https://example.org/a%7Eb", "https://example.org/a~b", TRUE },
    { "https://example.org/a%2541", "https://example.org/aA", FALSE },
    { "https://example.org/a%2Fb", "https://example.org/a/b", FALSE },
    { "https://example.org/a%3Fid=1", "https://example.org/a?id=1", FALSE },
    { "https://example.org/a%23b", "https://example.org/a#b", FALSE },
    { "https://example.org/a%23b", "https://example.org/a%23b/", TRUE },
    { "https://example.org/a?id=1", "https://example.org/a?id=2", FALSE },
    { "https://example.org/a", "https://example.org/A", FALSE },
    { "https://example.org:8080/", "https://example.org/", FALSE },
    { "https://me:pw@example.org/", "https://example.org/", FALSE },
    { "https://feeds.example.org/", "https://example.org/", FALSE },
    { "https://example.org/M%FCnchen", "https://example.org/m%fcnchen", FALSE },
    { "https://example.org/M%fcnchen", "http://example.org/M%FCnchen/", TRUE },
    { "https://example.org/M%FCnchen", "https://example.org/M%25FCnchen", FALSE },
    { "https://example.org/M%C3%BCnchen", "https://example.org/München", TRUE },
    { "https://example.org/a%20b/%FC", "https://example.org/a b/%FC", TRUE },
  } },
  { "/address/secure-twin", ear_address_is_secure_twin, {
    { "https://example.org/feed", "http://example.org/feed", TRUE },
    { "https://www.example.org/feed/", "http://Example.org:80/feed", TRUE },
    { "http://example.org/feed", "https://example.org/feed", FALSE },
    { "https://example.org/feed", "https://example.org/feed/", FALSE },
    { "http://example.org/feed", "http://example.org/feed", FALSE },
    { "https://example.org/feed", "http://example.org/other", FALSE },
    { "https://me:pw@example.org/feed", "http://example.org/feed", FALSE },
  } },
  { "/address/trusts", ear_address_trusts, {
    { "https://u:p@example.org/a?b", "https://EXAMPLE.org/c", TRUE },
    { "https://example.org", "https://example.org:443/", TRUE },
    { "http://example.org/", "https://example.org/", TRUE },
    { "https://example.org/", "http://example.org/", FALSE },
    { "http://example.org:8080/", "https://example.org/", FALSE },
    { "http://example.org/", "https://example.org:8443/", FALSE },
    { "https://example.org:8443/", "https://example.org/", FALSE },
    { "https://example.org/", "https://www.example.org/", FALSE },
    { "https://example.org/", "https://example.org.evil.example/", FALSE },
    { "https://example.org/", "https://example.org@evil.example/", FALSE },
    { "https://example.org/", "file:///etc/passwd", FALSE },
    { "https://example.org/", "", FALSE },
    { "nonsense", "nonsense", FALSE },
  } },
};

static void
test_pairs (gconstpointer data)
{
  const Pairs *test = data;

  for (const Pair *pair = test->cases; pair->one != NULL; pair++)
    {
      g_test_message ("%s %s", pair->one, pair->other);
      g_assert_cmpint (test->func (pair->one, pair->other), ==, pair->holds);
    }
}

static void
test_nothing (void)
{
  g_assert_null (request (NULL));
  g_assert_null (ear_address_clean (NULL));
  ear_test_assert_text (ear_address_without_secrets (NULL), "(no address)");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_test_add_data_func (results[i].path, &results[i], test_results);
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_test_add_data_func (pairs[i].path, &pairs[i], test_pairs);
  g_test_add_func ("/address/nothing", test_nothing);
  g_test_add_func ("/address/is-web", test_is_web);
  g_test_add_func ("/address/resolve", test_resolve);
  g_test_add_func ("/address/hash", test_hash);
  g_test_add_func ("/address/has-secret", test_has_secret);
  g_test_add_func ("/address/at-time", test_at_time);

  return g_test_run ();
}
