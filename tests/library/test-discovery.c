/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-country.h"
#include "ear-directory.h"
#include "ear-discovery.h"
#include "ear-error.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <locale.h>
#include <string.h>

#define TIMEOUT (60 * G_USEC_PER_SEC)

/* A discovery whose directories are replaced by a test server */
typedef struct
{
  EarTestServer *server;
  EarHttp *http;
  GListStore *podcasts;
  EarDiscovery *discovery;
} Fixture;

static char *
dup_url (Fixture *fixture, const char *path)
{
  return ear_test_server_dup_url (fixture->server, 1, path);
}

static void
make_discovery (Fixture *fixture, const char *itunes, const char *fyyd)
{
  g_autoptr (GPtrArray) directories = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *itunes_base = dup_url (fixture, itunes);
  g_autofree char *fyyd_base = dup_url (fixture, fyyd);

  g_clear_object (&fixture->discovery);
  g_ptr_array_add (directories, ear_directory_new (fixture->http, &ear_directory_itunes, itunes_base));
  g_ptr_array_add (directories, ear_directory_new (fixture->http, &ear_directory_fyyd, fyyd_base));
  fixture->discovery = ear_discovery_new (fixture->http, directories, G_LIST_MODEL (fixture->podcasts));
}

/* Trusts the test server's certificate. */
static EarHttp *
create_trusting_http (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "server", "untrusted.pem", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GTlsDatabase) database = NULL;
  EarHttp *http;

  if (!g_tls_backend_supports_tls (g_tls_backend_get_default ()))
    return ear_http_new ("Earmark");
  database = g_tls_file_database_new (path, &error);
  g_assert_no_error (error);

  http = ear_http_new ("Earmark");
  ear_http_trust (http, database);

  return http;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->server = ear_test_server_new ();
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);
  fixture->http = data != NULL ? create_trusting_http () : ear_http_new ("Earmark");
  fixture->podcasts = g_list_store_new (EAR_TYPE_PODCAST);
  make_discovery (fixture, "/itunes", "/fyyd");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  ear_http_stop (fixture->http);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  ear_test_finalize (fixture->discovery);
  ear_test_finalize (fixture->http);
  g_clear_object (&fixture->podcasts);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
}

static guint
count (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_discovery_get_results (fixture->discovery));
}

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_for_end (Fixture *fixture)
{
  const gint64 end = g_get_monotonic_time () + TIMEOUT;
  guint tick = g_timeout_add (10, tick_cb, NULL);

  while (ear_discovery_get_searching (fixture->discovery) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  g_assert_false (ear_discovery_get_searching (fixture->discovery));
}

static void
look_for (Fixture *fixture, const char *text)
{
  ear_discovery_set_text (fixture->discovery, text);
  ear_discovery_search_now (fixture->discovery);
  wait_for_end (fixture);
}

static EarDiscoveryResult *
get_result (Fixture *fixture, guint place)
{
  g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (ear_discovery_get_results (fixture->discovery), place);

  return result;
}

static void
assert_titles (Fixture *fixture, const char *expected)
{
  g_autoptr (GString) titles = g_string_new (NULL);

  for (guint i = 0; i < count (fixture); i++)
    g_string_append_printf (titles, "%s%s", i > 0 ? "|" : "", ear_discovery_result_get_title (get_result (fixture, i)));
  g_assert_cmpstr (titles->str, ==, expected);
}

static char *
dup_unanswered (Fixture *fixture)
{
  char *unanswered;

  g_object_get (fixture->discovery, "unanswered", &unanswered, NULL);

  return unanswered;
}

static void
test_input (void)
{
  static const struct
  {
    const char *text;
    EarDiscoveryInput input;
    const char *value;
  } cases[] = {
    { "", EAR_DISCOVERY_NOTHING, NULL },
    { "  \n", EAR_DISCOVERY_NOTHING, NULL },
    { " the  news ", EAR_DISCOVERY_WORDS, "the  news" },
    { "AC/DC", EAR_DISCOVERY_WORDS, "AC/DC" },
    { "S.H.I.E.L.D", EAR_DISCOVERY_WORDS, "S.H.I.E.L.D" },
    { "Dr. Who: the podcast", EAR_DISCOVERY_WORDS, "Dr. Who: the podcast" },
    { "99% Invisible", EAR_DISCOVERY_WORDS, "99% Invisible" },
    { "example.org", EAR_DISCOVERY_ADDRESS, "https://example.org/" },
    { "127.0.0.1:8080/f", EAR_DISCOVERY_ADDRESS, "https://127.0.0.1:8080/f" },
    { "feed://example.org/f", EAR_DISCOVERY_ADDRESS, "https://example.org/f" },
    { "http://localhost:8080/f", EAR_DISCOVERY_ADDRESS, "http://localhost:8080/f" },
    { "https://me:pw@example.org/f?t=1", EAR_DISCOVERY_ADDRESS, "https://me:pw@example.org/f?t=1" },
    { "https://podcasts.apple.com/us/podcast/some-name/id1200361736?i=1000", EAR_DISCOVERY_APPLE, "1200361736" },
    { "podcasts.apple.com/de/podcast/id42", EAR_DISCOVERY_APPLE, "42" },
    { "itms://itunes.apple.com/podcast/x/id7", EAR_DISCOVERY_APPLE, "7" },
    { "https://podcasts.apple.com/us/browse", EAR_DISCOVERY_ADDRESS, "https://podcasts.apple.com/us/browse" },
    { "/home/me/podcasts.opml", EAR_DISCOVERY_FILE, "/home/me/podcasts.opml" },
    { "file:///home/me/my%20podcasts.opml", EAR_DISCOVERY_FILE, "/home/me/my podcasts.opml" },
    { "https://", EAR_DISCOVERY_UNKNOWN, NULL },
    { "ftp://example.org/f", EAR_DISCOVERY_UNKNOWN, NULL },
    { "javascript:alert(1)", EAR_DISCOVERY_UNKNOWN, NULL },
    { "me:secret@", EAR_DISCOVERY_UNKNOWN, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *value = NULL;
      EarDiscoveryInput input = ear_discovery_input_read (cases[i].text, &value);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (input, ==, cases[i].input);
      g_assert_cmpstr (value, ==, cases[i].value);
    }
}

/* A URL without a path equals the same one with a slash. */
static gboolean
is_same (const char *expected, const char *value)
{
  g_autofree char *with_slash = g_strconcat (expected, "/", NULL);

  return g_strcmp0 (expected, value) == 0 || g_strcmp0 (with_slash, value) == 0;
}

static gboolean
is_one_of (JsonNode *expected, const char *value)
{
  JsonArray *any;

  if (JSON_NODE_HOLDS_VALUE (expected))
    return is_same (json_node_get_string (expected), value);
  any = json_object_get_array_member (json_node_get_object (expected), "any");
  for (guint i = 0; i < json_array_get_length (any); i++)
    if (is_same (json_array_get_string_element (any, i), value))
      return TRUE;

  return FALSE;
}

static void
check_case (JsonObject *object)
{
  if (json_object_has_member (object, "input"))
    {
      g_autofree char *value = NULL;
      EarDiscoveryInput input = ear_discovery_input_read (json_object_get_string_member (object, "input"), &value);

      g_test_message ("%s: %s", json_object_get_string_member (object, "input"), value);
      g_assert_cmpint (input, ==, EAR_DISCOVERY_ADDRESS);
      g_assert_true (is_one_of (json_object_get_member (object, "expected"), value));
    }
  else
    {
      JsonArray *same = json_object_get_array_member (object, "same");
      g_autofree char *one = ear_address_key (json_array_get_string_element (same, 0));
      g_autofree char *other = ear_address_key (json_array_get_string_element (same, 1));

      g_test_message ("%s, %s", one, other);
      g_assert_true (g_str_equal (one, other) == json_object_get_boolean_member (object, "expected"));
    }
}

/* URLs that people paste, from a separate collection */
static void
test_corpus (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("EARMARK_SHARED") != NULL ? g_getenv ("EARMARK_SHARED") : "", "corpus", "expected",
                                            "urls.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonArray *cases;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no ../shared/corpus");
      return;
    }
  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  cases = json_node_get_array (json_parser_get_root (parser));
  for (guint i = 0; i < json_array_get_length (cases); i++)
    check_case (json_array_get_object_element (cases, i));
}

static void
test_rank (void)
{
  static const char *const better[][3] = {
    /* For these words, the first title is a better match than the second. */
    { "daily news", "The Daily News", "Daily" },
    { "The Daily", "the daily!", "The Daily Show" },
    { "cafe", "Café", "Cafeteria" },
    { "comp", "Compiler Weekly", "Weekly" },
    { "ada compiler", "Ada and the Compiler", "Gardens" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (better); i++)
    {
      g_test_message ("%s", better[i][0]);
      g_assert_cmpfloat (ear_discovery_rank_title (better[i][1], NULL, better[i][0]), >,
                         ear_discovery_rank_title (better[i][2], NULL, better[i][0]));
    }
  g_assert_cmpfloat (ear_discovery_rank_title ("Gardens", "Ada Brook", "ada gardens"), >, 0);
  g_assert_cmpfloat (ear_discovery_rank_title ("x", NULL, "..."), ==, 0);
  g_assert_cmpfloat (2 * ear_discovery_rank_index (1), >, ear_discovery_rank_index (0));
}

/* Both directories are searched; results found by both are listed once, and first. */
static void
test_words (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) results = NULL;

  g_object_get (fixture->discovery, "results", &results, NULL);
  g_assert_true (results == ear_discovery_get_results (fixture->discovery));
  look_for (fixture, "compiler");
  g_assert_no_error (ear_discovery_get_error (fixture->discovery));
  assert_titles (fixture, "The Quiet Compiler|Compilers & Cakes|Ask a Compiler|Compiler Weekly|"
                          "The Night Compiler: Stories About Programs That Would Not End, and Those Who Waited for Them");
  g_assert_null (dup_unanswered (fixture));
  look_for (fixture, "kompiler");
  assert_titles (fixture, "Kompilerfunk");
  look_for (fixture, "no such podcast");
  assert_titles (fixture, "");
  g_assert_no_error (ear_discovery_get_error (fixture->discovery));
}

static void
test_one_silent (Fixture *fixture, gconstpointer data)
{
  g_autofree char *unanswered = NULL;

  make_discovery (fixture, "/~status=500/itunes", "/fyyd");
  look_for (fixture, "garden");
  assert_titles (fixture, "Garden Hours");
  g_assert_no_error (ear_discovery_get_error (fixture->discovery));
  unanswered = dup_unanswered (fixture);
  g_assert_cmpstr (unanswered, ==, "Apple Podcasts");
}

/* Results of the quick directory are shown while the slow one has not answered. */
static void
test_one_slow (Fixture *fixture, gconstpointer data)
{
  make_discovery (fixture, "/~mute/itunes", "/fyyd");
  ear_discovery_set_text (fixture->discovery, "garden");
  ear_discovery_search_now (fixture->discovery);
  while (count (fixture) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (ear_discovery_get_searching (fixture->discovery));
  assert_titles (fixture, "Garden Hours");
}

static void
test_all_silent (Fixture *fixture, gconstpointer data)
{
  make_discovery (fixture, "/~drop/itunes", "/~status=500/fyyd");
  look_for (fixture, "garden");
  assert_titles (fixture, "");
  g_assert_nonnull (ear_discovery_get_error (fixture->discovery));

  /* Retry */
  ear_discovery_search_now (fixture->discovery);
  g_assert_true (ear_discovery_get_searching (fixture->discovery));
  g_assert_no_error (ear_discovery_get_error (fixture->discovery));
  wait_for_end (fixture);
}

/* Typing sends one request, at a pause; results for earlier words never show. */
static void
test_typing (Fixture *fixture, gconstpointer data)
{
  static const char *const steps[] = { "l", "li", "lig", "light", "lighthouse" };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    ear_discovery_set_text (fixture->discovery, steps[i]);
  wait_for_end (fixture);
  assert_titles (fixture, "Lighthouse Radio");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 2);

  ear_discovery_set_text (fixture->discovery, "garden");
  ear_discovery_search_now (fixture->discovery);
  g_main_context_iteration (NULL, TRUE);
  ear_discovery_set_text (fixture->discovery, "lighthouse radio");
  wait_for_end (fixture);
  assert_titles (fixture, "Lighthouse Radio");

  ear_discovery_set_text (fixture->discovery, "");
  assert_titles (fixture, "");
  g_assert_false (ear_discovery_get_searching (fixture->discovery));
}

static void
test_followed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_url (fixture, "/generated/Garden%20Hours-64.xml");
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, address);

  look_for (fixture, "garden");
  g_assert_null (ear_discovery_result_get_podcast (get_result (fixture, 0)));
  g_list_store_append (fixture->podcasts, podcast);
  g_assert_true (ear_discovery_result_get_podcast (get_result (fixture, 0)) == podcast);
  look_for (fixture, "gardens");
  look_for (fixture, "garden hours");
  g_assert_true (ear_discovery_result_get_podcast (get_result (fixture, 0)) == podcast);
  g_list_store_remove_all (fixture->podcasts);
  g_assert_null (ear_discovery_result_get_podcast (get_result (fixture, 0)));
}

static void
test_feed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_url (fixture, "/generated/Some%20Feed-3000.xml");
  g_autofree char *found = NULL;

  look_for (fixture, address);
  assert_titles (fixture, "Some Feed");
  g_object_get (get_result (fixture, 0), "address", &found, NULL);
  g_assert_cmpstr (found, ==, address);
  g_assert_cmpstr (ear_discovery_result_get_author (get_result (fixture, 0)), ==, "A Test Server");
  /* No directory was searched. */
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
}

/* A feed counts as available by https only when it was both requested and answered by
 * https. */
static void
test_secure (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_tls_url (fixture->server);
  g_autofree char *plain = dup_url (fixture, "/generated/Some%20Feed-3.xml");
  g_autofree char *secure = g_strconcat (base, "/generated/Some%20Feed-3.xml", NULL);
  g_autofree char *downgraded = g_strconcat (base, "/~redirect=302,http/generated/Some%20Feed-3.xml", NULL);
  const struct
  {
    const char *text;
    gboolean secure;
  } cases[] = { { plain, FALSE }, { secure, TRUE }, { downgraded, FALSE } };

  if (base == NULL)
    {
      g_test_skip ("GIO has no TLS here");
      return;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      look_for (fixture, cases[i].text);
      assert_titles (fixture, "Some Feed");
      g_assert_true (ear_discovery_result_get_secure (get_result (fixture, 0)) == cases[i].secure);
    }

  look_for (fixture, "garden hours");
  for (guint i = 0; i < count (fixture); i++)
    g_assert_false (ear_discovery_result_get_secure (get_result (fixture, i)));
  g_assert_cmpuint (count (fixture), >, 0);
}

static void
put_page (Fixture *fixture, const char *head)
{
  g_autofree char *html = g_strdup_printf ("<!DOCTYPE html><html><head><title>A page</title>%s</head><body>Hello</body></html>", head);

  ear_test_server_put (fixture->server, "/page", "text/html", html);
}

static void
test_page (Fixture *fixture, gconstpointer data)
{
  g_autofree char *page = dup_url (fixture, "/page");

  put_page (fixture, "<link rel=alternate type=application/rss+xml href=/missing>"
                     "<link rel=alternate type=application/rss+xml title=Two href=/generated/Two-2.xml>"
                     "<link rel=alternate type=application/rss+xml href=/~delay=200/generated/One-1.xml>"
                     "<link rel=alternate type=application/rss+xml href=/page>");
  look_for (fixture, page);
  assert_titles (fixture, "Two|One");
}

/* A document that only names the feed's URL leads to the feed, as a page does. */
static void
test_redirect_document (Fixture *fixture, gconstpointer data)
{
  g_autofree char *there = dup_url (fixture, "/generated/One-1.xml");
  g_autofree char *document = g_strdup_printf ("<redirect><newLocation>%s</newLocation></redirect>", there);
  g_autofree char *moved = dup_url (fixture, "/moved");

  ear_test_server_put (fixture->server, "/moved", "text/xml", document);
  look_for (fixture, moved);
  assert_titles (fixture, "One");
}

/* A URL that redirects to a different one each time stands for one podcast under the
 * first URL; one that leads to a followed podcast stands for that podcast. */
static void
test_moving_redirect (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_url (fixture, "/moving.xml");
  g_autofree char *there = dup_url (fixture, "/generated/One-1.xml");
  g_autofree char *old = dup_url (fixture, "/~redirect=308/generated/One-1.xml");
  g_autoptr (EarPodcast) moving = NULL;
  g_autoptr (EarPodcast) one = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  gboolean followed = FALSE;

  ear_test_server_put_way (fixture->server, "/moving.xml", "/~redirect=301/generated/Some%20Feed-3.xml?t=1764349200");
  look_for (fixture, address);
  assert_titles (fixture, "Some Feed");
  g_object_get (get_result (fixture, 0), "address", &first, NULL);
  g_assert_cmpstr (first, ==, address);
  moving = ear_podcast_new (1, first);
  g_list_store_append (fixture->podcasts, moving);
  ear_test_server_put_way (fixture->server, "/moving.xml", "/~redirect=301/generated/Some%20Feed-3.xml?t=1764349260");
  look_for (fixture, "");
  look_for (fixture, address);
  g_object_get (get_result (fixture, 0), "address", &second, "followed", &followed, NULL);
  g_assert_cmpstr (second, ==, address);
  g_assert_true (followed);

  one = ear_podcast_new (2, there);
  g_list_store_append (fixture->podcasts, one);
  look_for (fixture, old);
  g_object_get (get_result (fixture, 0), "address", &third, "followed", &followed, NULL);
  g_assert_cmpstr (third, ==, there);
  g_assert_true (followed);
}

static void
test_page_without (Fixture *fixture, gconstpointer data)
{
  g_autofree char *page = dup_url (fixture, "/page");

  put_page (fixture, "");
  look_for (fixture, page);
  assert_titles (fixture, "");
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_WEB_PAGE);

  put_page (fixture, "<link rel=alternate type=application/rss+xml href=/missing>");
  look_for (fixture, "");
  look_for (fixture, page);
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

static void
assert_refused (Fixture *fixture, const char *path)
{
  g_autofree char *expected = path != NULL ? dup_url (fixture, path) : NULL;
  g_autofree char *refused = ear_discovery_dup_refused_address (fixture->discovery);

  g_assert_cmpstr (refused, ==, expected);
}

/* Signing in applies to the feed found on a page, not to the page; a feed without a login
 * takes precedence. */
static void
test_page_of_members (Fixture *fixture, gconstpointer data)
{
  g_autofree char *page = dup_url (fixture, "/page");

  put_page (fixture, "<link rel=alternate type=application/rss+xml href=/missing>"
                     "<link rel=alternate type=application/rss+xml href=/~status=401/members>");
  look_for (fixture, page);
  assert_titles (fixture, "");
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  assert_refused (fixture, "/~status=401/members");

  look_for (fixture, "");
  assert_refused (fixture, NULL);
  put_page (fixture, "<link rel=alternate type=application/rss+xml href=/~status=401/members>"
                     "<link rel=alternate type=application/rss+xml href=/generated/Open-3.xml>");
  look_for (fixture, page);
  assert_titles (fixture, "Open");
  assert_refused (fixture, NULL);

  put_page (fixture, "<link rel=alternate type=application/rss+xml href=/missing>");
  look_for (fixture, "");
  look_for (fixture, page);
  assert_refused (fixture, NULL);
}

static void
test_bad_addresses (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *path;
    EarError code;
  } cases[] = {
    { "/missing", EAR_ERROR_NOT_FOUND },
    { "/~status=401/x", EAR_ERROR_UNAUTHORIZED },
    { "/~status=410/x", EAR_ERROR_GONE },
    { "/~loop/x", EAR_ERROR_REDIRECTS },
    { "/fyyd/search/podcast", EAR_ERROR_NOT_XML },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *address = dup_url (fixture, cases[i].path);

      g_test_message ("%s", cases[i].path);
      look_for (fixture, address);
      assert_titles (fixture, "");
      g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, (int) cases[i].code);
      assert_refused (fixture, cases[i].code == EAR_ERROR_UNAUTHORIZED ? cases[i].path : NULL);
    }
  look_for (fixture, "ftp://example.org/feed.xml");
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/itunes"), ==, 0);
}

/* Only the beginning of an endless feed is read. */
static void
test_endless (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_url (fixture, "/~endless/x");

  look_for (fixture, address);
  assert_titles (fixture, "The Endless Podcast");
}

static void
test_apple (Fixture *fixture, gconstpointer data)
{
  look_for (fixture, "https://podcasts.apple.com/us/podcast/lighthouse-radio/id1006");
  assert_titles (fixture, "Lighthouse Radio");
  look_for (fixture, "https://podcasts.apple.com/us/podcast/nothing/id999");
  assert_titles (fixture, "");
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_NOT_FOUND);
}

static const char opml[] =
  "<opml><body><outline text='News'><outline xmlUrl='https://example.org/a' text='A'/></outline>"
  "<outline url='https://example.org/b'/></body></opml>";

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_url (fixture, "/list.opml");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "earmark-test-list.opml", NULL);
  g_autoptr (GError) error = NULL;

  ear_test_server_put (fixture->server, "/list.opml", "text/xml", opml);
  look_for (fixture, address);
  g_assert_cmpuint (ear_discovery_get_outlines (fixture->discovery)->len, ==, 2);
  g_assert_no_error (ear_discovery_get_error (fixture->discovery));
  look_for (fixture, "garden");
  g_assert_null (ear_discovery_get_outlines (fixture->discovery));

  g_file_set_contents (path, opml, -1, &error);
  g_assert_no_error (error);
  look_for (fixture, path);
  g_assert_cmpuint (ear_discovery_get_outlines (fixture->discovery)->len, ==, 2);
  g_unlink (path);
  look_for (fixture, "/nowhere/podcasts.opml");
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_NOT_FOUND);
  look_for (fixture, "/dev/zero");
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_NOT_XML);
}

/* A list without any podcast on the web has nothing to follow. */
static void
test_empty_list (Fixture *fixture, gconstpointer data)
{
  static const char *const lists[] = {
    "<opml version='2.0'><head/><body/></opml>",
    "<opml version='2.0'><body><outline text='Local' xmlUrl='file:///etc/passwd'/></body></opml>",
  };
  g_autofree char *address = dup_url (fixture, "/empty.opml");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "earmark-test-empty.opml", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      const char *places[] = { path, address };

      g_assert_true (g_file_set_contents (path, lists[i], -1, NULL));
      ear_test_server_put (fixture->server, "/empty.opml", "text/xml", lists[i]);
      for (gsize n = 0; n < G_N_ELEMENTS (places); n++)
        {
          look_for (fixture, "");
          look_for (fixture, places[n]);
          assert_titles (fixture, "");
          g_assert_null (ear_discovery_get_outlines (fixture->discovery));
        }
    }
  g_unlink (path);
}

/* A saved feed names its own URL, or an error reports that it does not. */
static void
test_saved (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *head;
    const char *address; /* NULL: the feed names none */
  } cases[] = {
    { "<atom:link rel='self' href='https://example.org/feed'/>", "https://example.org/feed" },
    { "<itunes:new-feed-url>https://example.org/new</itunes:new-feed-url><atom:link rel='self' href='https://example.org/feed'/>",
      "https://example.org/new" },
    { "<atom:link rel='self' href='javascript:alert(1)'/>", NULL },
    { "<atom:link rel='self' href='/feed'/>", NULL },
    { "<atom:link rel='hub' href='https://example.org/hub'/><link>https://example.org/</link>", NULL },
  };
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "earmark-test-saved.xml", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *feed =
        g_strdup_printf ("<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'>"
                         "<channel><title>Saved</title>%s<item><title>Only</title>"
                         "<atom:link rel='self' href='https://example.org/item'/></item></channel></rss>",
                         cases[i].head);

      g_test_message ("%s", cases[i].head);
      g_assert_true (g_file_set_contents (path, feed, -1, NULL));
      look_for (fixture, "");
      look_for (fixture, path);
      assert_titles (fixture, cases[i].address != NULL ? "Saved" : "");
      if (cases[i].address != NULL)
        g_assert_cmpstr (ear_discovery_result_get_address (get_result (fixture, 0)), ==, cases[i].address);
      else
        g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_NO_ADDRESS);
      g_assert_null (ear_discovery_get_outlines (fixture->discovery));
    }
  g_unlink (path);
}

static EarRemoteItem *
new_item (Fixture *fixture, const char *path)
{
  EarRemoteItem *item = ear_remote_item_new ();

  item->feed_address = dup_url (fixture, path);

  return item;
}

/* Similar podcasts come by recommendation, author and category, in this order, and never
 * include the podcast itself. */
static void
test_like (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_url (fixture, "/generated/Lighthouse%20Radio-120.xml");
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, address);
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  EarDiscoveryReason reason;

  facts->title = g_strdup ("Lighthouse Radio");
  facts->author = g_strdup ("ada brook");
  g_ptr_array_add (facts->categories, g_strdup ("Technology"));
  g_ptr_array_add (facts->podroll, new_item (fixture, "/generated/Friends-3.xml"));
  g_ptr_array_add (facts->podroll, new_item (fixture, "/missing"));
  ear_podcast_set_facts (podcast, facts);

  ear_discovery_set_like (fixture->discovery, podcast);
  wait_for_end (fixture);
  assert_titles (fixture, "Friends|The Quiet Compiler|Ask a Compiler|Compiler Weekly");
  g_object_get (get_result (fixture, 0), "reason", &reason, NULL);
  g_assert_cmpint (reason, ==, EAR_DISCOVERY_RECOMMENDED);
  g_object_get (get_result (fixture, 3), "reason", &reason, NULL);
  g_assert_cmpint (reason, ==, EAR_DISCOVERY_SAME_CATEGORY);
  ear_discovery_set_like (fixture->discovery, NULL);
}

static void
test_chart (Fixture *fixture, gconstpointer data)
{
  ear_discovery_set_chart (fixture->discovery, "");
  g_assert_cmpint (ear_discovery_get_input (fixture->discovery), ==, EAR_DISCOVERY_CHART);
  wait_for_end (fixture);
  g_assert_cmpuint (count (fixture), ==, 13);
  g_assert_cmpstr (ear_discovery_result_get_title (get_result (fixture, 0)), ==, "The Quiet Compiler");

  ear_discovery_set_chart (fixture->discovery, "Comedy");
  /* The first chart stays until the second one is loaded. */
  g_assert_cmpuint (count (fixture), ==, 13);
  wait_for_end (fixture);
  assert_titles (fixture, "Cold Porridge");

  make_discovery (fixture, "/~status=500/itunes", "/fyyd");
  ear_discovery_set_chart (fixture->discovery, "");
  wait_for_end (fixture);
  g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, EAR_ERROR_SERVER);
}

/* The country is the listener's choice, else that of the date format, else that of the
 * language, else the United States. */
static void
test_country (Fixture *fixture, gconstpointer data)
{
  const struct { const char *chosen, *time, *messages, *country; } cases[] = {
    { "fr", "de_DE.UTF-8", "en_US.UTF-8", "fr" },
    { "", "de_DE.UTF-8", "en_US.UTF-8", "de" },
    { "", "C", "he_IL.UTF-8", "il" },
    { NULL, "C.UTF-8", "C.UTF-8", "us" },
    { "Mars", "C", "C", "us" },
    { "x/", "C", "C", "us" },
  };
  g_auto (GStrv) codes = ear_country_list ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (setlocale (LC_TIME, cases[i].time) != NULL && setlocale (LC_MESSAGES, cases[i].messages) != NULL)
      g_assert_cmpstr (ear_country_find (cases[i].chosen), ==, cases[i].country);
  setlocale (LC_ALL, "C.UTF-8");

  g_assert_cmpstr (ear_country_get_name ("de"), ==, "Germany");
  for (guint i = 1; codes[i] != NULL; i++)
    g_assert_cmpint (g_utf8_collate (ear_country_get_name (codes[i - 1]), ear_country_get_name (codes[i])), <, 0);
}

/* Closing Add Podcast cancels all requests. */
static void
test_let_go (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_url (fixture, "/~mute/feed.xml");
  guint tick = g_timeout_add (10, tick_cb, NULL);

  ear_discovery_set_text (fixture->discovery, address);
  ear_discovery_search_now (fixture->discovery);
  while (ear_test_server_count_requests (fixture->server, "/~mute/feed.xml") == 0)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  ear_test_finalize (g_steal_pointer (&fixture->discovery));
  make_discovery (fixture, "/itunes", "/fyyd");
}

#define ADD(name, function) g_test_add ("/discovery/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/discovery/input", test_input);
  g_test_add_func ("/discovery/corpus", test_corpus);
  g_test_add_func ("/discovery/rank", test_rank);
  ADD ("words", test_words);
  ADD ("one-silent", test_one_silent);
  ADD ("one-slow", test_one_slow);
  ADD ("all-silent", test_all_silent);
  ADD ("typing", test_typing);
  ADD ("followed", test_followed);
  ADD ("feed", test_feed);
  g_test_add ("/discovery/secure", Fixture, "trusting", set_up, test_secure, tear_down);
  ADD ("page", test_page);
  ADD ("redirect-document", test_redirect_document);
  ADD ("moving-redirect", test_moving_redirect);
  ADD ("page-without", test_page_without);
  ADD ("page-of-members", test_page_of_members);
  ADD ("bad-addresses", test_bad_addresses);
  ADD ("endless", test_endless);
  ADD ("apple", test_apple);
  ADD ("saved", test_saved);
  ADD ("list", test_list);
  ADD ("empty-list", test_empty_list);
  ADD ("like", test_like);
  ADD ("chart", test_chart);
  ADD ("country", test_country);
  ADD ("let-go", test_let_go);

  return g_test_run ();
}
