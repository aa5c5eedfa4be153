/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-country.h"
#include "ear-directory.h"
#include "ear-discovery.h"
#include "ear-error.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

/* A discovery whose directories are replaced by a test server */
typedef struct
{
  EarTestServer *server;
  EarHttp *http;
  char *folder;
  EarCatalogue *catalogue;
  EarDiscovery *discovery;
} Fixture;

/* Returns: (transfer none): a URL, which is never freed */
static const char *
get_url (Fixture *fixture, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, path);

  return g_intern_string (url);
}

/* @itunes, @fyyd: paths of the directories */
static void
make_discovery (Fixture *fixture, const char *itunes, const char *fyyd)
{
  g_autoptr (GPtrArray) directories = g_ptr_array_new_with_free_func (g_object_unref);

  g_clear_object (&fixture->discovery);
  g_ptr_array_add (directories, ear_directory_new (fixture->http, &ear_directory_itunes,
                                                   get_url (fixture, itunes)));
  g_ptr_array_add (directories, ear_directory_new (fixture->http, &ear_directory_fyyd,
                                                   get_url (fixture, fyyd)));
  fixture->discovery = ear_discovery_new (
      &(EarServices) { .http = fixture->http,
                       .catalogue = fixture->catalogue,
                       .podcasts = ear_catalogue_get_podcasts (fixture->catalogue) },
      directories);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-discovery-XXXXXX", &error);
  g_assert_no_error (error);
  g_autofree char *path = g_build_filename (fixture->folder, "catalogue.db", NULL);
  fixture->catalogue = ear_catalogue_read (path, g_main_context_default (), &error);
  g_assert_no_error (error);
  ear_catalogue_begin (fixture->catalogue);
  fixture->server = ear_test_server_new ();
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);
  fixture->http = ear_http_new ("Earmark");
  if (g_tls_backend_supports_tls (g_tls_backend_get_default ()))
    {
      const char *certificate = g_test_get_filename (G_TEST_DIST, "server", "untrusted.pem", NULL);
      g_autoptr (GTlsDatabase) database = g_tls_file_database_new (certificate, &error);

      g_assert_no_error (error);
      ear_http_trust (fixture->http, database);
    }
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
  ear_catalogue_close (fixture->catalogue);
  g_clear_object (&fixture->catalogue);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
}

static guint
count (Fixture *fixture)
{
  return g_list_model_get_n_items (ear_discovery_get_results (fixture->discovery));
}

static void
start (Fixture *fixture, const char *text)
{
  ear_discovery_set_text (fixture->discovery, text);
  ear_discovery_search_now (fixture->discovery);
}

static void
look_for (Fixture *fixture, const char *text)
{
  start (fixture, text);
  EAR_TEST_WAIT_UNTIL (!ear_discovery_get_searching (fixture->discovery));
}

static EarDiscoveryResult *
get_result (Fixture *fixture, guint place)
{
  GListModel *results = ear_discovery_get_results (fixture->discovery);
  g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (results, place);

  return result;
}

/* Asserts the results of a search that has ended. */
static void
assert_titles (Fixture *fixture, const char *expected)
{
  g_autoptr (GString) titles = g_string_new (NULL);

  EAR_TEST_WAIT_UNTIL (!ear_discovery_get_searching (fixture->discovery));
  for (guint i = 0; i < count (fixture); i++)
    g_string_append_printf (titles, "%s%s", i > 0 ? "|" : "",
                            ear_discovery_result_get_title (get_result (fixture, i)));
  g_assert_cmpstr (titles->str, ==, expected);
}

static void
assert_unanswered (Fixture *fixture, const char *expected)
{
  g_autofree char *unanswered = NULL;

  g_object_get (fixture->discovery, "unanswered", &unanswered, NULL);
  g_assert_cmpstr (unanswered, ==, expected);
  g_assert_no_error (ear_discovery_get_error (fixture->discovery));
}

static EarPodcast *
get_podcast (Fixture *fixture, guint place)
{
  return ear_discovery_result_get_podcast (get_result (fixture, place));
}

static void
test_input (void)
{
  static const struct { const char *text; EarDiscoveryInput input; const char *value; } cases[] = {
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
    { "\n itpc://https://example.org/f \t", EAR_DISCOVERY_ADDRESS, "https://example.org/f" },
    { "http://localhost:8080/f", EAR_DISCOVERY_ADDRESS, "http://localhost:8080/f" },
    { "https://me:pw@example.org/f?t=1", EAR_DISCOVERY_ADDRESS, "https://me:pw@example.org/f?t=1" },
    { "https://podcasts.apple.com/us/podcast/some-name/id1200361736?i=1000", EAR_DISCOVERY_APPLE,
      "1200361736" },
    { "podcasts.apple.com/de/podcast/id42", EAR_DISCOVERY_APPLE, "42" },
    { "itms://itunes.apple.com/podcast/x/id7", EAR_DISCOVERY_APPLE, "7" },
    { "https://podcasts.apple.com/us/browse", EAR_DISCOVERY_ADDRESS,
      "https://podcasts.apple.com/us/browse" },
    { "/home/me/podcasts.opml", EAR_DISCOVERY_FILE, "/home/me/podcasts.opml" },
    { "file:///home/me/my%20podcasts.opml", EAR_DISCOVERY_FILE, "/home/me/my podcasts.opml" },
    { "https://", EAR_DISCOVERY_UNKNOWN, NULL },
    { "ftp://example.org/f", EAR_DISCOVERY_UNKNOWN, NULL },
    { "javascript:alert(1)", EAR_DISCOVERY_UNKNOWN, NULL },
    { "me:secret@", EAR_DISCOVERY_UNKNOWN, NULL },
    { "me:secret@\u00a0", EAR_DISCOVERY_UNKNOWN, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *value = NULL;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (ear_discovery_input_read (cases[i].text, &value), ==, cases[i].input);
      g_assert_cmpstr (value, ==, cases[i].value);
    }
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
}

#define FEED(path) "<link rel=alternate type=application/rss+xml href=" path ">"
#define PAGE(feeds) \
  "<!DOCTYPE html><html><head><title>A page</title>" feeds "</head><body>Hello</body></html>"
#define SAVED(head) \
  "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'" \
  " xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>Saved</title>" head \
  "<item><title>Only</title><atom:link rel='self' href='https://example.org/item'/></item>" \
  "</channel></rss>"
#define SELF "<atom:link rel='self' href='https://example.org/feed'/>"
#define LIST \
  "<opml><body><outline text='News'><outline xmlUrl='https://example.org/a' text='A'/></outline>" \
  "<outline url='https://example.org/b'/></body></opml>"
#define LOCAL_LIST \
  "<opml version='2.0'><body><outline text='Local' xmlUrl='file:///etc/passwd'/></body></opml>"

/* Stands for the path of a file in which the document is saved */
#define FILE_PATH "@"

/* Searches and their results, by name. "$" stands for the URL of the server. */
typedef struct
{
  const char *name;
  const char *text;
  const char *titles;
  EarError code;        /* if there are no titles */
  const char *document; /* (nullable): at "$/document" */
  const char *refused;  /* (nullable): URL of the feed that needs a login */
  const char *address;  /* (nullable): URL of the result */
  guint n_outlines;
} Search;

static const Search searches[] = {
  /* Results found by both directories are listed once, and first. */
  { "both", "compiler",
    "The Quiet Compiler|Compilers & Cakes|Ask a Compiler|Compiler Weekly|"
    "The Night Compiler: Stories About Programs That Would Not End, and Those Who Waited for"
    " Them" },
  { "one", "kompiler", "Kompilerfunk" },
  { "endless", "$/~endless/x", "The Endless Podcast" },
  { "apple", "https://podcasts.apple.com/us/podcast/lighthouse-radio/id1006", "Lighthouse Radio" },
  { "apple/missing", "https://podcasts.apple.com/us/podcast/nothing/id999", "",
    EAR_ERROR_NOT_FOUND },
  { "missing", "$/missing", "", EAR_ERROR_NOT_FOUND },
  { "login", "$/~status=401/x", "", EAR_ERROR_UNAUTHORIZED, .refused = "$/~status=401/x" },
  { "gone", "$/~status=410/x", "", EAR_ERROR_GONE },
  { "loop", "$/~loop/x", "", EAR_ERROR_REDIRECTS },
  { "not-xml", "$/fyyd/search/podcast", "", EAR_ERROR_NOT_XML },
  { "unsafe", "ftp://example.org/feed.xml", "", EAR_ERROR_UNSAFE_ADDRESS },
  /* A document that only names the feed's URL leads to the feed, as a page does. */
  { "redirect-document", "$/document", "One", 0,
    "<redirect><newLocation>$/generated/One-1.xml</newLocation></redirect>" },
  { "page", "$/document", "One|Two", 0,
    PAGE (FEED ("/missing") FEED ("/~delay=200/generated/One-1.xml")
            FEED ("/generated/Two-2.xml") FEED ("/document")) },
  { "page/empty", "$/document", "", EAR_ERROR_WEB_PAGE, PAGE ("") },
  { "page/missing", "$/document", "", EAR_ERROR_NOT_FOUND, PAGE (FEED ("/missing")) },
  /* A login belongs to the feed of a page, not to the page. Open feeds come first. */
  { "page/members", "$/document", "", EAR_ERROR_UNAUTHORIZED,
    PAGE (FEED ("/missing") FEED ("/~status=401/members")), .refused = "$/~status=401/members" },
  { "page/open", "$/document", "Open", 0,
    PAGE (FEED ("/~status=401/members") FEED ("/generated/Open-3.xml")) },
  { "list", "$/document", "", 0, LIST, .n_outlines = 2 },
  { "list/file", FILE_PATH, "", 0, LIST, .n_outlines = 2 },
  { "list/missing", "/nowhere/podcasts.opml", "", EAR_ERROR_NOT_FOUND },
  { "list/device", "/dev/zero", "", EAR_ERROR_NOT_XML },
  /* A list without any podcast on the web has nothing to follow. */
  { "list/empty", "$/document", "", 0, "<opml version='2.0'><head/><body/></opml>" },
  { "list/empty-file", FILE_PATH, "", 0, "<opml version='2.0'><head/><body/></opml>" },
  { "list/local", "$/document", "", 0, LOCAL_LIST },
  { "list/local-file", FILE_PATH, "", 0, LOCAL_LIST },
  /* A saved feed names its own URL, or an error reports that it does not. */
  { "saved", FILE_PATH, "Saved", 0, SAVED (SELF), .address = "https://example.org/feed" },
  { "saved/moved", FILE_PATH, "Saved", 0,
    SAVED ("<itunes:new-feed-url>https://example.org/new</itunes:new-feed-url>" SELF),
    .address = "https://example.org/new" },
  { "saved/script", FILE_PATH, "", EAR_ERROR_NO_ADDRESS,
    SAVED ("<atom:link rel='self' href='javascript:alert(1)'/>") },
  { "saved/relative", FILE_PATH, "", EAR_ERROR_NO_ADDRESS,
    SAVED ("<atom:link rel='self' href='/feed'/>") },
  { "saved/no-self", FILE_PATH, "", EAR_ERROR_NO_ADDRESS,
    SAVED ("<atom:link rel='hub' href='https://example.org/hub'/>"
           "<link>https://example.org/</link>") },
};

/* Returns: (nullable) */
static char *
dup_with_urls (Fixture *fixture, const char *text)
{
  if (text == NULL)
    return NULL;
  GString *result = g_string_new (text);
  g_string_replace (result, "$", ear_test_server_get_base_url (fixture->server), 0);

  return g_string_free_and_steal (result);
}

/* Compares the titles, the number of feeds and the refused address of a finished search. */
static void
assert_result (Fixture *fixture, const char *titles, guint n_outlines, const char *refused)
{
  g_autofree char *address = ear_discovery_dup_refused_address (fixture->discovery);
  GPtrArray *outlines = ear_discovery_get_outlines (fixture->discovery);

  assert_titles (fixture, titles);
  g_assert_cmpuint (outlines != NULL ? outlines->len : 0, ==, n_outlines);
  g_assert_cmpuint (ear_test_get_uint (fixture->discovery, "n-listed"), ==, n_outlines);
  g_assert_cmpstr (address, ==, refused);
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  const Search *search = data;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "earmark-test-discovery", NULL);
  g_autofree char *text = dup_with_urls (fixture, search->text);
  g_autofree char *document = dup_with_urls (fixture, search->document);
  g_autofree char *refused = dup_with_urls (fixture, search->refused);
  guint n_told = 0;

  if (document != NULL)
    {
      const gboolean is_page = g_str_has_prefix (document, "<!DOCTYPE html>");

      ear_test_server_put (fixture->server, "/document", is_page ? "text/html" : "text/xml",
                           document);
      g_assert_true (g_file_set_contents_full (path, document, -1, G_FILE_SET_CONTENTS_NONE,
                                               0600, NULL));
    }
  g_signal_connect_swapped (fixture->discovery, "notify::n-listed", G_CALLBACK (ear_test_count_cb),
                            &n_told);
  look_for (fixture, g_str_equal (text, FILE_PATH) ? path : text);
  g_unlink (path);
  assert_result (fixture, search->titles, search->n_outlines, refused);
  g_assert_cmpuint (n_told, ==, search->n_outlines > 0);
  if (search->code != 0)
    g_assert_error (ear_discovery_get_error (fixture->discovery), EAR_ERROR, (int) search->code);
  else if (search->n_outlines > 0 || search->titles[0] != '\0')
    assert_unanswered (fixture, NULL);
  if (search->address != NULL)
    g_assert_cmpstr (ear_discovery_result_get_address (get_result (fixture, 0)), ==,
                     search->address);
  if (search->text[0] == '$')
    g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/itunes"), ==, 0);

  look_for (fixture, "");
  assert_result (fixture, "", 0, NULL);
}

/* Directories that answer slowly, or not at all */
static void
test_directories (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) results = NULL;

  /* The model of results stays; an empty one is no error. */
  g_object_get (fixture->discovery, "results", &results, NULL);
  g_assert_true (results == ear_discovery_get_results (fixture->discovery));
  look_for (fixture, "no such podcast");
  assert_titles (fixture, "");
  assert_unanswered (fixture, NULL);
  g_clear_object (&results);

  make_discovery (fixture, "/~status=500/itunes", "/fyyd");
  look_for (fixture, "garden");
  assert_titles (fixture, "Garden Hours");
  assert_unanswered (fixture, "Apple Podcasts");

  /* Results of the quick directory are shown while the slow one has not answered. */
  make_discovery (fixture, "/~mute/itunes", "/fyyd");
  start (fixture, "garden");
  EAR_TEST_WAIT_UNTIL (count (fixture) > 0);
  g_assert_true (ear_discovery_get_searching (fixture->discovery));
  g_assert_cmpstr (ear_discovery_result_get_title (get_result (fixture, 0)), ==, "Garden Hours");

  make_discovery (fixture, "/~drop/itunes", "/~status=500/fyyd");
  look_for (fixture, "garden");
  assert_titles (fixture, "");
  g_assert_nonnull (ear_discovery_get_error (fixture->discovery));
  /* Retry */
  ear_discovery_search_now (fixture->discovery);
  g_assert_true (ear_discovery_get_searching (fixture->discovery));
  g_assert_no_error (ear_discovery_get_error (fixture->discovery));
  EAR_TEST_WAIT_UNTIL (!ear_discovery_get_searching (fixture->discovery));

  /* Closing Add Podcast cancels all requests. */
  start (fixture, get_url (fixture, "/~mute/feed.xml"));
  EAR_TEST_WAIT_UNTIL (ear_test_server_count_requests (fixture->server, "/~mute/feed.xml") > 0);
  ear_test_finalize (g_steal_pointer (&fixture->discovery));
  make_discovery (fixture, "/itunes", "/fyyd");
}

/* Typing sends one request, at a pause; results for earlier words never show. */
static void
test_typing (Fixture *fixture, gconstpointer data)
{
  static const char *const steps[] = { "l", "li", "lig", "light", "lighthouse" };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    ear_discovery_set_text (fixture->discovery, steps[i]);
  assert_titles (fixture, "Lighthouse Radio");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 2);

  start (fixture, "garden");
  g_main_context_iteration (NULL, TRUE);
  ear_discovery_set_text (fixture->discovery, "lighthouse radio");
  assert_titles (fixture, "Lighthouse Radio");

  ear_discovery_set_text (fixture->discovery, "");
  assert_titles (fixture, "");
  g_assert_false (ear_discovery_get_searching (fixture->discovery));
}

static EarPodcast *
add_podcast (Fixture *fixture, const char *path)
{
  return ear_catalogue_follow (fixture->catalogue, get_url (fixture, path), NULL);
}

static void
test_followed (Fixture *fixture, gconstpointer data)
{
  look_for (fixture, "garden");
  g_assert_null (get_podcast (fixture, 0));
  EarPodcast *podcast = add_podcast (fixture, "/generated/Garden%20Hours-64.xml");
  g_assert_true (get_podcast (fixture, 0) == podcast);
  look_for (fixture, "gardens");
  look_for (fixture, "garden hours");
  g_assert_true (get_podcast (fixture, 0) == podcast);
  ear_catalogue_unfollow (fixture->catalogue, podcast);
  g_assert_null (get_podcast (fixture, 0));
  add_podcast (fixture, "/generated/Garden%20Hours-64.xml");
  g_assert_true (get_podcast (fixture, 0) == podcast);
}

/* @path: the URL of the first result */
static void
assert_address (Fixture *fixture, const char *path, gboolean followed)
{
  g_autofree char *address = NULL;

  g_object_get (get_result (fixture, 0), "address", &address, NULL);
  g_assert_cmpstr (address, ==, get_url (fixture, path));
  g_assert_cmpint (ear_test_get_boolean (get_result (fixture, 0), "followed"), ==, followed);
}

/* A feed counts as secure only when it was both requested and answered by https. */
static void
test_secure (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_tls_url (fixture->server);
  const struct { const char *base, *path; gboolean secure; } cases[] = {
    { ear_test_server_get_base_url (fixture->server), "/generated/Some%20Feed-3.xml", FALSE },
    { base, "/generated/Some%20Feed-3.xml", TRUE },
    { base, "/~redirect=302,http/generated/Some%20Feed-3.xml", FALSE },
  };

  if (base == NULL)
    {
      g_test_skip ("GIO has no TLS here");
      return;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *url = g_strconcat (cases[i].base, cases[i].path, NULL);

      g_test_message ("%s", url);
      look_for (fixture, url);
      assert_titles (fixture, "Some Feed");
      g_assert_true (ear_discovery_result_get_secure (get_result (fixture, 0)) ==
                     cases[i].secure);
    }

  look_for (fixture, "garden hours");
  for (guint i = 0; i < count (fixture); i++)
    g_assert_false (ear_discovery_result_get_secure (get_result (fixture, i)));
  g_assert_cmpuint (count (fixture), >, 0);
}

/* A feed, for which no directory is searched; and a URL that redirects to a different one each
 * time, which stands for one podcast under the first URL; one that leads to a followed podcast
 * stands for that podcast. */
static void
test_feed (Fixture *fixture, gconstpointer data)
{
  look_for (fixture, get_url (fixture, "/generated/Some%20Feed-3000.xml"));
  assert_titles (fixture, "Some Feed");
  assert_address (fixture, "/generated/Some%20Feed-3000.xml", FALSE);
  g_assert_cmpstr (ear_discovery_result_get_author (get_result (fixture, 0)), ==, "A Test Server");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);

  ear_test_server_put_way (fixture->server, "/moving.xml",
                           "/~redirect=301/generated/Some%20Feed-3.xml?t=1764349200");
  look_for (fixture, get_url (fixture, "/moving.xml"));
  assert_titles (fixture, "Some Feed");
  assert_address (fixture, "/moving.xml", FALSE);
  add_podcast (fixture, "/moving.xml");
  ear_test_server_put_way (fixture->server, "/moving.xml",
                           "/~redirect=301/generated/Some%20Feed-3.xml?t=1764349260");
  look_for (fixture, "");
  look_for (fixture, get_url (fixture, "/moving.xml"));
  assert_address (fixture, "/moving.xml", TRUE);

  add_podcast (fixture, "/generated/One-1.xml");
  look_for (fixture, get_url (fixture, "/~redirect=308/generated/One-1.xml"));
  assert_address (fixture, "/generated/One-1.xml", TRUE);
}

/* Similar podcasts come by recommendation, author and category, in this order, and never
 * include the podcast itself. */
static void
test_like (Fixture *fixture, gconstpointer data)
{
  static const char *const friends[] = { "/generated/Friends-3.xml", "/missing" };
  const char *address = get_url (fixture, "/generated/Lighthouse%20Radio-120.xml");
  g_autoptr (EarPodcast) podcast = ear_podcast_new (1, address);
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  EarDiscoveryReason reason;

  facts->title = g_strdup ("Lighthouse Radio");
  facts->author = g_strdup ("ada brook");
  g_ptr_array_add (facts->categories, g_strdup ("Technology"));
  for (gsize i = 0; i < G_N_ELEMENTS (friends); i++)
    {
      EarRemoteItem *item = ear_remote_item_new ();

      item->feed_address = g_strdup (get_url (fixture, friends[i]));
      g_ptr_array_add (facts->podroll, item);
    }
  ear_podcast_set_facts (podcast, facts);

  ear_discovery_set_like (fixture->discovery, podcast);
  assert_titles (fixture, "Friends|The Quiet Compiler|Ask a Compiler|Compiler Weekly");
  g_object_get (get_result (fixture, 0), "reason", &reason, NULL);
  g_assert_cmpint (reason, ==, EAR_DISCOVERY_RECOMMENDED);
  g_object_get (get_result (fixture, 3), "reason", &reason, NULL);
  g_assert_cmpint (reason, ==, EAR_DISCOVERY_SAME_CATEGORY);
}

static void
test_chart (Fixture *fixture, gconstpointer data)
{
  ear_discovery_set_chart (fixture->discovery, "");
  g_assert_cmpint (ear_discovery_get_input (fixture->discovery), ==, EAR_DISCOVERY_CHART);
  EAR_TEST_WAIT_UNTIL (!ear_discovery_get_searching (fixture->discovery));
  g_assert_cmpuint (count (fixture), ==, 13);
  g_assert_cmpstr (ear_discovery_result_get_title (get_result (fixture, 0)), ==,
                   "The Quiet Compiler");

  ear_discovery_set_chart (fixture->discovery, "Comedy");
  /* The first chart stays until the second one is loaded. */
  g_assert_cmpuint (count (fixture), ==, 13);
  assert_titles (fixture, "Cold Porridge");

  make_discovery (fixture, "/~status=500/itunes", "/fyyd");
  ear_discovery_set_chart (fixture->discovery, "");
  EAR_TEST_WAIT_UNTIL (!ear_discovery_get_searching (fixture->discovery));
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
    if (setlocale (LC_TIME, cases[i].time) != NULL &&
        setlocale (LC_MESSAGES, cases[i].messages) != NULL)
      g_assert_cmpstr (ear_country_find (cases[i].chosen), ==, cases[i].country);
  setlocale (LC_ALL, "C.UTF-8");

  g_assert_cmpstr (ear_country_get_name ("de"), ==, "Germany");
  for (guint i = 1; codes[i] != NULL; i++)
    {
      const char *name = ear_country_get_name (codes[i]);

      g_assert_cmpint (g_utf8_collate (ear_country_get_name (codes[i - 1]), name), <, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/discovery/" name, Fixture, NULL, set_up, func, tear_down)
  g_test_add_func ("/discovery/input", test_input);
  g_test_add_func ("/discovery/rank", test_rank);
  for (gsize i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      g_autofree char *path = g_strconcat ("/discovery/search/", searches[i].name, NULL);

      g_test_add (path, Fixture, &searches[i], set_up, test_search, tear_down);
    }
  ADD ("directories", test_directories);
  ADD ("typing", test_typing);
  ADD ("followed", test_followed);
  ADD ("feed", test_feed);
  ADD ("secure", test_secure);
  ADD ("like", test_like);
  ADD ("chart", test_chart);
  ADD ("country", test_country);

  return g_test_run ();
}
