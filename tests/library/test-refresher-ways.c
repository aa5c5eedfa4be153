/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

#include <string.h>

#include "ear-error.h"
#include "ear-feed-fetch.h"

/* Feeds that lead to a new address of their own, and to further pages */

static char *
make_head (const char *new_address)
{
  return g_strdup_printf ("<itunes:new-feed-url>%s</itunes:new-feed-url>", new_address);
}

static void
put_moving (RefresherFixture *fixture, const char *path, const char *title, guint last, const char *new_address)
{
  g_autofree char *head = make_head (new_address);

  refresher_fixture_put (fixture, path, title, 1, last, head);
}

static void
assert_at (RefresherFixture *fixture, EarPodcast *podcast, const char *path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, address);
}

static void
test_moved (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  put_moving (fixture, "/old.xml", "Lamps", 5, "@BASE@/new.xml");
  refresher_fixture_put (fixture, "/new.xml", "Lamps", 1, 7, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/old.xml");
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/new.xml");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 7);

  /* From then on the new address is requested, with its own ETag. */
  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/new.xml");
  g_assert_cmpuint (request->status, ==, 304);
}

/* A feed's own address is usually the known one; an old http tag never replaces https. */
static void
test_named_itself (void)
{
  static const struct
  {
    const char *named;
    const char *asked;
    const char *final;
    const char *permanent;
    gboolean wanted;
  } table[] = {
    { NULL, "https://a.example/f", "https://a.example/f", NULL, FALSE },
    { "https://a.example/f", "https://a.example/f", "https://b.example/f", NULL, FALSE },
    { "https://b.example/f", "https://a.example/f", "https://b.example/f", NULL, FALSE },
    { "https://b.example/f", "https://a.example/f", "https://c.example/f", "https://b.example/f", FALSE },
    { "https://b.example/f", "https://a.example/f", "https://a.example/f", NULL, TRUE },
    { "https://a.example/g", "https://a.example/f", "https://a.example/f", NULL, TRUE },
    { "http://a.example/g", "https://a.example/f", "https://a.example/f", NULL, TRUE },
    { "http://a.example/f", "https://a.example/f", "https://a.example/f", NULL, FALSE },
    { "http://www.a.example/f/", "https://a.example/f", "https://a.example/f", NULL, FALSE },
    { "http://b.example/f", "https://a.example/f", "https://b.example/f", NULL, FALSE },
    { "https://a.example/f", "http://a.example/f", "http://a.example/f", NULL, TRUE },
    { "http://www.a.example/f", "http://a.example/f", "http://a.example/f", NULL, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    g_assert_cmpint (ear_feed_move_is_wanted (table[i].named, table[i].asked, table[i].final, table[i].permanent), ==, table[i].wanted);
}

/* Recognized by its episodes, in spite of a new title, and over an intermediate
 * address */
static void
test_moved_twice (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;
  g_autofree char *renamed = NULL;

  put_moving (fixture, "/a.xml", "Lamps", 5, "@BASE@/b.xml");
  put_moving (fixture, "/b.xml", "Lamps", 5, "@BASE@/c.xml");
  renamed = g_strdup ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>The Lamp Show</title>"
                      "<item><guid>Lamps-9</guid><title>Nine</title></item><item><guid>Lamps-3</guid><title>Three</title></item></channel></rss>");
  ear_test_server_put (fixture->server, "/c.xml", "application/rss+xml", renamed);
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/c.xml");
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "The Lamp Show");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 6);
}

static void
gather_log_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer log)
{
  g_string_append_printf (log, "%s\n", message);
}

/* Logs are shared, and the new address may be as private as the old one. */
static void
test_not_moved_log (RefresherFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) log = g_string_new (NULL);
  const guint handler = g_log_set_handler ("earmark-library", G_LOG_LEVEL_INFO, gather_log_cb, log);
  EarPodcast *podcast;

  put_moving (fixture, "/start.xml", "Lamps", 5, "@BASE@/missing.xml?auth=hidden");
  podcast = refresher_fixture_follow (fixture, 1, "/start.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_log_remove_handler ("earmark-library", handler);
  g_assert_nonnull (strstr (log->str, "missing.xml"));
  g_assert_null (strstr (log->str, "hidden"));
}

/* Invalid new addresses; each time the podcast stays unchanged. */
static void
test_not_moved (RefresherFixture *fixture, gconstpointer data)
{
  const char *const ways[] = { "@BASE@/missing.xml", "@BASE@/~html/a.xml", "@BASE@/other.xml", "@BASE@/b.xml", "@BASE@/~cut=300/good.xml" };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strdup_printf ("/start-%u.xml", i);
      EarPodcast *podcast;

      put_moving (fixture, path, "Lamps", 5, ways[i]);
      refresher_fixture_put (fixture, "/other.xml", "Knots", 1, 200, NULL);
      refresher_fixture_put (fixture, "/good.xml", "Lamps", 1, 200, NULL);
      /* A circle of two, entered from outside */
      put_moving (fixture, "/b.xml", "Lamps", 5, "@BASE@/c.xml");
      put_moving (fixture, "/c.xml", "Lamps", 5, "@BASE@/b.xml");
      podcast = refresher_fixture_follow (fixture, 1, path);
      refresher_fixture_refresh (fixture, podcast);
      assert_at (fixture, podcast, path);
      g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "Lamps");
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), <, 100);
    }
}

/* Two feeds that name each other stay where they are. */
static void
test_each_other (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  put_moving (fixture, "/a.xml", "Lamps", 5, "@BASE@/b.xml");
  put_moving (fixture, "/b.xml", "Lamps", 5, "@BASE@/a.xml");
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/a.xml");

  /* A feed that names itself has not moved: one request. */
  put_moving (fixture, "/self.xml", "Knots", 5, "@BASE@/self.xml");
  podcast = refresher_fixture_follow (fixture, 1, "/self.xml");
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/self.xml");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/self.xml"), ==, 1);
}

static void
put_redirect (RefresherFixture *fixture, const char *path, const char *new_path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, new_path);
  g_autofree char *document = g_strdup_printf ("<redirect><newLocation>%s</newLocation></redirect>", address);

  ear_test_server_put (fixture->server, path, "text/xml", document);
}

/* A document that only names the feed's address, maybe by way of another such document */
static void
test_redirect_document (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/old.xml", "Lamps", 1, 5, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/old.xml");
  refresher_fixture_refresh (fixture, podcast);
  put_redirect (fixture, "/old.xml", "/between.xml");
  put_redirect (fixture, "/between.xml", "/new.xml");
  refresher_fixture_put (fixture, "/new.xml", "Lamps", 1, 7, NULL);
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/new.xml");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 7);

  /* A podcast without known episodes accepts any feed. */
  podcast = refresher_fixture_follow (fixture, 1, "/between.xml");
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/new.xml");
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "Lamps");
}

/* A redirect document that leads to another podcast, to itself, in a circle or to a
 * missing file leaves the podcast unchanged, and sets an error. */
static void
test_redirect_document_not (RefresherFixture *fixture, gconstpointer data)
{
  const char *const ways[] = { "/other.xml", "/start-1.xml", "/circle.xml", "/missing.xml" };

  refresher_fixture_put (fixture, "/other.xml", "Knots", 1, 200, NULL);
  put_redirect (fixture, "/circle.xml", "/start-2.xml");
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strdup_printf ("/start-%u.xml", i);
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);
      EarPodcast *podcast;

      refresher_fixture_put (fixture, path, "Lamps", 1, 5, NULL);
      podcast = refresher_fixture_follow (fixture, 1, path);
      refresher_fixture_refresh (fixture, podcast);
      put_redirect (fixture, path, ways[i]);
      refresher_fixture_refresh (fixture, podcast);
      g_assert_nonnull (ear_podcast_get_error (podcast));
      g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, address);
      g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "Lamps");
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
    }
}

/* --- Identity ----------------------------------------------------------------------- */

static char *
add_login (const char *address)
{
  return g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@", address + strlen ("http://"), NULL);
}

static gboolean
was_told_login (RefresherFixture *fixture, const char *path)
{
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, path);

  g_assert_nonnull (request);

  return ear_test_request_get_header (request, "Authorization") != NULL;
}

typedef struct
{
  RefresherFixture *fixture;
  EarPodcast *podcast;
  const char *address;
} Typed;

static void
type_address_cb (Typed *typed)
{
  const EarFeedCheck check = { .feed_address = (char *) typed->address };

  g_signal_handlers_disconnect_by_func (typed->fixture->catalogue, type_address_cb, typed);
  ear_catalogue_store_check (typed->fixture->catalogue, ear_podcast_get_id (typed->podcast), NULL, &check);
  ear_refresher_cancel (typed->fixture->refresher, typed->podcast);
  ear_refresher_refresh (typed->fixture->refresher, typed->podcast, EAR_REFRESH_ONE);
}

/* The listener enters an address while Earmark checks whether the podcast has moved to
 * another one: the entered address wins, though the fetch can no longer be canceled. */
static void
test_typed_meanwhile (RefresherFixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/typed.xml");
  Typed typed = { .fixture = fixture, .address = address };

  refresher_fixture_put (fixture, "/feed.xml", "Lamps", 1, 5, NULL);
  refresher_fixture_put (fixture, "/typed.xml", "Lamps", 1, 8, NULL);
  /* Another title makes the refresher compare episodes. */
  ear_test_server_put (fixture->server, "/moved.xml", "application/rss+xml",
                       "<rss version=\"2.0\"><channel><title>Lights</title>"
                       "<item><guid>Lamps-6</guid><title>Lamps, part 6</title><enclosure url=\"/6.mp3\" type=\"audio/mpeg\"/></item>"
                       "<item><guid>Lamps-5</guid><title>Lamps, part 5</title><enclosure url=\"/5.mp3\" type=\"audio/mpeg\"/></item>"
                       "</channel></rss>");
  ear_test_server_put_way (fixture->server, "/first.xml", "/feed.xml");
  typed.podcast = refresher_fixture_follow (fixture, 1, "/first.xml");
  refresher_fixture_refresh (fixture, typed.podcast);
  ear_test_server_put_way (fixture->server, "/first.xml", "/~redirect=301/moved.xml");
  g_signal_connect_swapped (fixture->catalogue, "episodes-inserted", G_CALLBACK (type_address_cb), &typed);
  refresher_fixture_refresh (fixture, typed.podcast);
  assert_at (fixture, typed.podcast, "/typed.xml");
  g_assert_cmpuint (ear_podcast_get_n_episodes (typed.podcast), ==, 8);
}

/* The login in the followed address is also sent to the feed's new address on that
 * server, and to its pages, but to no other server. */
static void
test_login_in_address (RefresherFixture *fixture, gconstpointer data)
{
  g_autofree char *base = ear_test_server_dup_url (fixture->server, 1, "/first.xml");
  g_autofree char *address = add_login (base);
  g_autofree char *elsewhere = ear_test_server_dup_url (fixture->server, 2, "/~status=401/feed.xml");
  const EarFeedCheck check = { .feed_address = elsewhere };
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/feed.xml", "Lamps", 6, 10, "<atom:link rel=\"next\" href=\"@BASE@/~status=401/2.xml\"/>");
  refresher_fixture_put (fixture, "/2.xml", "Lamps", 1, 5, NULL);
  ear_test_server_put_way (fixture->server, "/first.xml", "/~redirect=301/~status=401/feed.xml");
  podcast = ear_catalogue_follow (fixture->catalogue, address, NULL);
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/~status=401/feed.xml");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 10);

  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  assert_at (fixture, podcast, "/~status=401/feed.xml");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);

  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_UNAUTHORIZED);
  g_assert_false (was_told_login (fixture, "/~status=401/feed.xml"));
}

/* A feed that moves to another server does not make Earmark send the password there. */
static void
test_login_stays (RefresherFixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/~status=401/old.xml");
  g_autofree char *new_address = ear_test_server_dup_url (fixture->server, 2, "/new.xml");
  g_autofree char *page = ear_test_server_dup_url (fixture->server, 2, "/2.xml");
  g_autofree char *head = g_strdup_printf ("<atom:link rel=\"next\" href=\"%s\"/>", page);
  g_autoptr (EarLogin) login = ear_login_new (EAR_TEST_USER, EAR_TEST_PASSWORD);
  EarPodcast *podcast;

  put_moving (fixture, "/old.xml", "Lamps", 5, new_address);
  refresher_fixture_put (fixture, "/new.xml", "Lamps", 3, 7, head);
  refresher_fixture_put (fixture, "/2.xml", "Lamps", 1, 2, NULL);
  podcast = ear_catalogue_follow (fixture->catalogue, address, NULL);
  ear_keyring_keep (fixture->keyring, address, address, login);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, new_address);
  g_assert_true (was_told_login (fixture, "/~status=401/old.xml"));
  g_assert_false (was_told_login (fixture, "/new.xml"));
  g_assert_false (was_told_login (fixture, "/2.xml"));
}

/* The next page of an encrypted feed is on the same host, but not encrypted: the login is
 * not sent in clear text. The server has a port for each, so the keyring needs two logins,
 * where it has one for both at the usual ports. */
static void
test_login_stays_encrypted (RefresherFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "server", "untrusted.pem", NULL);
  g_autoptr (EarLogin) login = ear_login_new (EAR_TEST_USER, EAR_TEST_PASSWORD);
  g_autoptr (GTlsDatabase) database = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *page = ear_test_server_dup_url (fixture->server, 1, "/2.xml");
  g_autofree char *head = g_strdup_printf ("<atom:link rel=\"next\" href=\"%s\"/>", page);
  g_autofree char *address = NULL;
  EarPodcast *podcast;

  if (ear_test_server_get_tls_url (fixture->server) == NULL)
    {
      g_test_skip ("GIO has no TLS here");
      return;
    }
  database = g_tls_file_database_new (path, &error);
  g_assert_no_error (error);
  ear_http_trust (fixture->http, database);
  address = g_strconcat (ear_test_server_get_tls_url (fixture->server), "/~status=401/1.xml", NULL);
  refresher_fixture_put (fixture, "/1.xml", "Lamps", 3, 4, head);
  refresher_fixture_put (fixture, "/2.xml", "Lamps", 1, 2, NULL);
  podcast = ear_catalogue_follow (fixture->catalogue, address, NULL);
  ear_keyring_keep (fixture->keyring, address, address, login);
  ear_keyring_keep (fixture->keyring, address, page, login);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 4);
  g_assert_true (was_told_login (fixture, "/~status=401/1.xml"));
  g_assert_false (was_told_login (fixture, "/2.xml"));
}

/* Page 1 has the newest five of thirty episodes, and so on. */
static void
put_pages (RefresherFixture *fixture, guint n, guint first, const char *last_leads)
{
  for (guint page = 1; page <= n; page++)
    {
      g_autofree char *path = g_strdup_printf ("/page-%u.xml", page);
      g_autofree char *next = page < n ? g_strdup_printf ("@BASE@/page-%u.xml", page + 1) : g_strdup (last_leads);
      g_autofree char *head = next != NULL ? g_strdup_printf ("<atom:link rel=\"next\" href=\"%s\"/>", next) : NULL;

      refresher_fixture_put (fixture, path, "Lamps", first + (n - page) * 5, first + (n - page) * 5 + 4, head);
    }
}

static void
test_pages (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  put_pages (fixture, 6, 1, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/page-1.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 30);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 6);

  /* All pages were fetched once: a refresh only fetches new ones. */
  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);

  /* Three more episodes, all on the first page */
  refresher_fixture_put (fixture, "/page-1.xml", "Lamps", 28, 33, "<atom:link rel=\"next\" href=\"@BASE@/page-2.xml\"/>");
  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 33);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);

  /* Twelve more, all new on the first page: all pages are fetched again. */
  put_pages (fixture, 9, 1, NULL);
  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 45);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 9);
}

/* An archived feed (RFC 5005) links to its pages with another relation. */
static void
test_archive (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/feed.xml", "Lamps", 21, 25, "<atom:link rel=\"prev-archive\" href=\"@BASE@/2.xml\"/>");
  refresher_fixture_put (fixture, "/2.xml", "Lamps", 11, 20, "<atom:link rel=\"prev-archive\" href=\"@BASE@/1.xml\"/>"
                                                              "<atom:link rel=\"current\" href=\"@BASE@/feed.xml\"/>");
  refresher_fixture_put (fixture, "/1.xml", "Lamps", 1, 10, "<atom:link rel=\"next-archive\" href=\"@BASE@/2.xml\"/>");
  podcast = refresher_fixture_follow (fixture, 1, "/feed.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 25);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 3);
}

/* Pages may be on the host of the redirect: many feeds are followed without "www", or at a
 * host that only redirects. */
static void
test_pages_of_redirect (RefresherFixture *fixture, gconstpointer data)
{
  const char *const ways[] = { "/~redirect=301,2/page-1.xml", "/~redirect=302,2/page-1.xml" };

  put_pages (fixture, 3, 1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      EarPodcast *podcast = refresher_fixture_follow (fixture, 1, ways[i]);

      refresher_fixture_refresh (fixture, podcast);
      g_assert_no_error (ear_podcast_get_error (podcast));
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 15);
    }
}

/* A known podcast redirects to another one: the pages of that one are not fetched, at
 * once or later. */
static void
test_pages_of_stranger (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/feed.xml", "Lamps", 1, 5, NULL);
  refresher_fixture_put (fixture, "/knots-1.xml", "Knots", 6, 10, "<atom:link rel=\"next\" href=\"@BASE@/knots-2.xml\"/>");
  refresher_fixture_put (fixture, "/knots-2.xml", "Knots", 1, 5, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/feed.xml");
  refresher_fixture_refresh (fixture, podcast);
  ear_test_server_put_way (fixture->server, "/feed.xml", "/~redirect=301,2/knots-1.xml");
  for (guint i = 0; i < 3; i++)
    {
      refresher_fixture_refresh (fixture, podcast);
      g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_OTHER_PODCAST);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
      g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/knots-1.xml"), ==, i + 1);
      g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/knots-2.xml"), ==, 0);
    }
}

/* Links between pages that are not followed */
static void
test_page_guards (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;
  g_autofree char *elsewhere = ear_test_server_dup_url (fixture->server, 2, "/page-9.xml");
  guint before;

  /* In a circle */
  put_pages (fixture, 3, 1, "@BASE@/page-2.xml");
  podcast = refresher_fixture_follow (fixture, 1, "/page-1.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 15);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 3);

  /* To itself, at the address of the redirect */
  refresher_fixture_put (fixture, "/found.xml", "Hooks", 1, 5, "<atom:link rel=\"next\" href=\"@BASE@/found.xml\"/>");
  podcast = refresher_fixture_follow (fixture, 1, "/~redirect=302,2/found.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/found.xml"), ==, 1);

  /* To another host */
  g_autofree char *head = g_strdup_printf ("<atom:link rel=\"next\" href=\"%s\"/>", elsewhere);
  refresher_fixture_put (fixture, "/away.xml", "Knots", 1, 5, head);
  refresher_fixture_put (fixture, "/page-9.xml", "Knots", 6, 9, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/away.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/page-9.xml"), ==, 0);

  /* To itself, under another name */
  refresher_fixture_put (fixture, "/on.xml", "Ropes", 1, 1, "<atom:link rel=\"next\" href=\"@BASE@/on.xml?p=1\"/>");
  before = ear_test_server_count_requests (fixture->server, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/on.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), <=, before + 2);
}

/* A page that fails is fetched again at the next check, even though the feed is
 * unchanged; a page that is missing is not. */
static void
test_broken_page (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  put_pages (fixture, 4, 1, NULL);
  ear_test_server_put_way (fixture->server, "/page-3.xml", "/~drop/page-3.xml");
  podcast = refresher_fixture_follow (fixture, 1, "/page-1.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 10);

  put_pages (fixture, 4, 1, NULL);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 20);
  g_autoptr (EarFeedCheck) check = refresher_fixture_dup_check (fixture, podcast);
  g_assert_true (check->archived);
  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
}

static void
test_missing_page (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  put_pages (fixture, 2, 1, "@BASE@/nowhere.xml");
  podcast = refresher_fixture_follow (fixture, 1, "/page-1.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_autoptr (EarFeedCheck) check = refresher_fixture_dup_check (fixture, podcast);
  g_assert_true (check->archived);
  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD_REFRESHER_TEST ("/refresher/moved", test_moved);
  g_test_add_func ("/refresher/moved/named-itself", test_named_itself);
  ADD_REFRESHER_TEST ("/refresher/moved/twice", test_moved_twice);
  ADD_REFRESHER_TEST ("/refresher/moved/not", test_not_moved);
  ADD_REFRESHER_TEST ("/refresher/moved/not/log", test_not_moved_log);
  ADD_REFRESHER_TEST ("/refresher/moved/each-other", test_each_other);
  ADD_REFRESHER_TEST ("/refresher/moved/redirect-document", test_redirect_document);
  ADD_REFRESHER_TEST ("/refresher/moved/redirect-document/not", test_redirect_document_not);
  ADD_REFRESHER_TEST ("/refresher/moved/typed-meanwhile", test_typed_meanwhile);
  ADD_REFRESHER_TEST ("/refresher/login/in-address", test_login_in_address);
  ADD_REFRESHER_TEST ("/refresher/login/stays", test_login_stays);
  ADD_REFRESHER_TEST ("/refresher/login/stays-encrypted", test_login_stays_encrypted);
  ADD_REFRESHER_TEST ("/refresher/pages", test_pages);
  ADD_REFRESHER_TEST ("/refresher/pages/archive", test_archive);
  ADD_REFRESHER_TEST ("/refresher/pages/guards", test_page_guards);
  ADD_REFRESHER_TEST ("/refresher/pages/of-redirect", test_pages_of_redirect);
  ADD_REFRESHER_TEST ("/refresher/pages/of-stranger", test_pages_of_stranger);
  ADD_REFRESHER_TEST ("/refresher/pages/broken", test_broken_page);
  ADD_REFRESHER_TEST ("/refresher/pages/missing", test_missing_page);

  return g_test_run ();
}
