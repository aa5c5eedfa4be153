/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

#include <string.h>

#include "ear-feed-fetch.h"

/* Feeds that lead to a new address of their own, and to further pages */

static void
put_moving (Fixture *fixture, const char *path, const char *title, const char *new_address)
{
  g_autofree char *head =
      g_strdup_printf ("<itunes:new-feed-url>%s</itunes:new-feed-url>", new_address);

  put_feed (fixture, path, title, 1, 5, head);
}

static void
put_page (Fixture *fixture, const char *path, const char *title, guint first, guint last,
          const char *next)
{
  g_autofree char *head =
      next != NULL ? g_strdup_printf ("<atom:link rel=\"next\" href=\"%s\"/>", next) : NULL;

  put_feed (fixture, path, title, first, last, head);
}

/* Follows a podcast, which must be found at another path of its host. */
static EarPodcast *
fetch_moved (Fixture *fixture, const char *path, const char *new_path, const char *title,
             guint n_episodes)
{
  EarPodcast *podcast = fetch (fixture, path);

  assert_at (fixture, podcast, 1, new_path);
  assert_fetched (podcast, title, n_episodes);

  return podcast;
}

static void
test_moved (Fixture *fixture, gconstpointer data)
{
  put_moving (fixture, "/old.xml", "Lamps", "@BASE@/new.xml");
  put_lamps (fixture, "/new.xml", 7);
  EarPodcast *podcast = fetch_moved (fixture, "/old.xml", "/new.xml", "Lamps", 7);

  /* From then on the new address is requested, with its own ETag. */
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 1);
  g_autoptr (EarTestRequest) request =
      ear_test_server_dup_last_request (fixture->server, "/new.xml");
  g_assert_cmpuint (request->status, ==, 304);

  /* Recognized by its episodes in spite of a new title, and over an intermediate address */
  put_moving (fixture, "/a.xml", "Lamps", "@BASE@/b.xml");
  put_moving (fixture, "/b.xml", "Lamps", "@BASE@/c.xml");
  put_renamed (fixture, "/c.xml", "The Lamp Show", "Lamps", "");
  fetch_moved (fixture, "/a.xml", "/c.xml", "The Lamp Show", 6);
}

/* A feed's own address is usually the known one; an old http tag never replaces https. */
static void
test_named_itself (void)
{
  static const struct
  {
    const char *named, *asked, *final, *permanent;
    gboolean wanted;
  } table[] = {
    { NULL, "https://a.example/f", "https://a.example/f", NULL, FALSE },
    { "https://a.example/f", "https://a.example/f", "https://b.example/f", NULL, FALSE },
    { "https://b.example/f", "https://a.example/f", "https://b.example/f", NULL, FALSE },
    { "https://b.example/f", "https://a.example/f", "https://c.example/f", "https://b.example/f",
      FALSE },
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
    g_assert_cmpint (ear_feed_move_is_wanted (table[i].named, table[i].asked, table[i].final,
                                              table[i].permanent),
                     ==, table[i].wanted);
}

static void
gather_log_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer log)
{
  g_string_append_printf (log, "%s\n", message);
}

/* Asserts that a podcast has not moved, and has only its own episodes. */
static void
assert_stays (Fixture *fixture, EarPodcast *podcast, const char *path)
{
  assert_at (fixture, podcast, 1, path);
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "Lamps");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), <, 100);
}

/* Invalid new addresses; each time the podcast stays unchanged. */
static void
test_not_moved (Fixture *fixture, gconstpointer data)
{
  const char *const ways[] = {
    "@BASE@/missing.xml?auth=hidden",
    "@BASE@/~html/a.xml",
    "@BASE@/other.xml",
    "@BASE@/~cut=300/good.xml",
    /* A circle of two, entered from outside */
    "@BASE@/b.xml",
  };
  g_autoptr (GString) log = g_string_new (NULL);
  const guint handler = g_log_set_handler ("earmark-library", G_LOG_LEVEL_INFO, gather_log_cb, log);

  put_feed (fixture, "/other.xml", "Knots", 1, 200, NULL);
  put_lamps (fixture, "/good.xml", 200);
  put_moving (fixture, "/b.xml", "Lamps", "@BASE@/c.xml");
  put_moving (fixture, "/c.xml", "Lamps", "@BASE@/b.xml");
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strdup_printf ("/start-%u.xml", i);

      g_test_message ("%s", ways[i]);
      put_moving (fixture, path, "Lamps", ways[i]);
      EarPodcast *podcast = fetch (fixture, path);
      assert_stays (fixture, podcast, path);
      g_assert_no_error (ear_podcast_get_error (podcast));
    }
  /* Logs are shared, and the new address may be as private as the old one. */
  g_log_remove_handler ("earmark-library", handler);
  g_assert_nonnull (strstr (log->str, "missing.xml"));
  g_assert_null (strstr (log->str, "hidden"));

  /* Two feeds that name each other stay; one that names itself is requested once. */
  fetch_moved (fixture, "/b.xml", "/b.xml", "Lamps", 5);
  put_moving (fixture, "/self.xml", "Knots", "@BASE@/self.xml");
  fetch_moved (fixture, "/self.xml", "/self.xml", "Knots", 5);
  g_assert_cmpuint (count_requests (fixture, "/self.xml"), ==, 1);
}

static void
put_redirect (Fixture *fixture, const char *path, const char *new_path)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, new_path);
  g_autofree char *document =
      g_strdup_printf ("<redirect><newLocation>%s</newLocation></redirect>", address);

  ear_test_server_put (fixture->server, path, "text/xml", document);
}

/* A document that only names the feed's address, maybe by way of another such document */
static void
test_redirect_document (Fixture *fixture, gconstpointer data)
{
  const char *const ways[] = { "/other.xml", "/start-1.xml", "/circle.xml", "/missing.xml" };

  put_lamps (fixture, "/old.xml", 5);
  EarPodcast *podcast = fetch (fixture, "/old.xml");
  put_redirect (fixture, "/old.xml", "/between.xml");
  put_redirect (fixture, "/between.xml", "/new.xml");
  put_lamps (fixture, "/new.xml", 7);
  refresh (fixture, podcast);
  assert_at (fixture, podcast, 1, "/new.xml");
  assert_fetched (podcast, "Lamps", 7);
  /* A podcast without known episodes accepts any feed. */
  fetch_moved (fixture, "/between.xml", "/new.xml", "Lamps", 7);

  /* One that leads to another podcast, to itself, in a circle or nowhere sets an error. */
  put_feed (fixture, "/other.xml", "Knots", 1, 200, NULL);
  put_redirect (fixture, "/circle.xml", "/start-2.xml");
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strdup_printf ("/start-%u.xml", i);

      g_test_message ("%s", ways[i]);
      put_lamps (fixture, path, 5);
      podcast = fetch (fixture, path);
      put_redirect (fixture, path, ways[i]);
      refresh (fixture, podcast);
      g_assert_nonnull (ear_podcast_get_error (podcast));
      assert_stays (fixture, podcast, path);
    }
}

/* --- Identity ----------------------------------------------------------------------- */

static gboolean
was_told_login (Fixture *fixture, const char *path)
{
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, path);

  return ear_test_request_get_header (request, "Authorization") != NULL;
}

static void
type_address_cb (Fixture *fixture)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/typed.xml");
  const EarFeedCheck check = { .feed_address = address };
  EarPodcast *podcast = get_podcast (fixture, 0);

  g_signal_handlers_disconnect_by_func (fixture->catalogue, type_address_cb, fixture);
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  ear_refresher_cancel (fixture->refresher, podcast);
  ear_refresher_refresh (fixture->refresher, podcast, EAR_REFRESH_ONE);
}

/* The listener enters an address while Earmark checks whether the podcast has moved to
 * another one: the entered address wins, though the fetch can no longer be canceled. */
static void
test_typed_meanwhile (Fixture *fixture, gconstpointer data)
{
  put_lamps (fixture, "/feed.xml", 5);
  put_lamps (fixture, "/typed.xml", 8);
  /* Another title makes the refresher compare episodes. */
  put_renamed (fixture, "/moved.xml", "Lights", "Lamps", "");
  put_way (fixture, "/first.xml", "/feed.xml");
  EarPodcast *podcast = fetch (fixture, "/first.xml");
  put_way (fixture, "/first.xml", "/~redirect=301/moved.xml");
  g_signal_connect_swapped (fixture->catalogue, "episodes-changed::inserted",
                            G_CALLBACK (type_address_cb), fixture);
  refresh (fixture, podcast);
  assert_at (fixture, podcast, 1, "/typed.xml");
  assert_fetched (podcast, "Lamps", 8);
}

/* The login in the followed address is also sent to the feed's new address on that
 * server, and to its pages, but to no other server. */
static void
test_login_in_address (Fixture *fixture, gconstpointer data)
{
  g_autofree char *base = ear_test_server_dup_url (fixture->server, 1, "/first.xml");
  g_autofree char *address = g_strconcat ("http://" EAR_TEST_USER ":" EAR_TEST_PASSWORD "@",
                                          base + strlen ("http://"), NULL);
  g_autofree char *elsewhere =
      ear_test_server_dup_url (fixture->server, 2, "/~status=401/feed.xml");
  const EarFeedCheck check = { .feed_address = elsewhere };

  put_page (fixture, "/feed.xml", "Lamps", 6, 10, "@BASE@/~status=401/2.xml");
  put_lamps (fixture, "/2.xml", 5);
  put_way (fixture, "/first.xml", "/~redirect=301/~status=401/feed.xml");
  EarPodcast *podcast = ear_catalogue_follow (fixture->catalogue, address, NULL);
  refresh (fixture, podcast);
  assert_at (fixture, podcast, 1, "/~status=401/feed.xml");
  assert_fetched (podcast, "Lamps", 10);
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 1);
  assert_at (fixture, podcast, 1, "/~status=401/feed.xml");

  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  refresh (fixture, podcast);
  assert_failed (podcast, EAR_ERROR_UNAUTHORIZED);
  g_assert_false (was_told_login (fixture, "/~status=401/feed.xml"));
}

/* A feed that moves to another server does not make Earmark send the password there. */
static void
test_login_stays (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, "/~status=401/old.xml");
  g_autofree char *new_address = ear_test_server_dup_url (fixture->server, 2, "/new.xml");
  g_autofree char *page = ear_test_server_dup_url (fixture->server, 2, "/2.xml");
  g_autoptr (EarLogin) login = ear_login_new (EAR_TEST_USER, EAR_TEST_PASSWORD);

  put_moving (fixture, "/old.xml", "Lamps", new_address);
  put_page (fixture, "/new.xml", "Lamps", 3, 7, page);
  put_lamps (fixture, "/2.xml", 2);
  ear_keyring_keep (fixture->services.keyring, address, address, login);
  EarPodcast *podcast = fetch (fixture, "/~status=401/old.xml");
  assert_at (fixture, podcast, 2, "/new.xml");
  assert_fetched (podcast, "Lamps", 7);
  g_assert_true (was_told_login (fixture, "/~status=401/old.xml"));
  g_assert_false (was_told_login (fixture, "/new.xml"));
  g_assert_false (was_told_login (fixture, "/2.xml"));
}

/* The next page of an encrypted feed is on the same host, but not encrypted: the login is
 * not sent in clear text. The server has a port for each, so the keyring needs two logins,
 * where it has one for both at the usual ports. */
static void
test_login_stays_encrypted (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_tls_url (fixture->server);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "server", "untrusted.pem", NULL);
  g_autoptr (EarLogin) login = ear_login_new (EAR_TEST_USER, EAR_TEST_PASSWORD);
  g_autoptr (GError) error = NULL;
  g_autofree char *page = ear_test_server_dup_url (fixture->server, 1, "/2.xml");
  g_autofree char *address = g_strconcat (base, "/~status=401/1.xml", NULL);

  if (base == NULL)
    {
      g_test_skip ("GIO has no TLS here");
      return;
    }
  g_autoptr (GTlsDatabase) database = g_tls_file_database_new (path, &error);
  g_assert_no_error (error);
  ear_http_trust (fixture->services.http, database);
  put_page (fixture, "/1.xml", "Lamps", 3, 4, page);
  put_lamps (fixture, "/2.xml", 2);
  EarPodcast *podcast = ear_catalogue_follow (fixture->catalogue, address, NULL);
  ear_keyring_keep (fixture->services.keyring, address, address, login);
  ear_keyring_keep (fixture->services.keyring, address, page, login);
  refresh (fixture, podcast);
  assert_fetched (podcast, "Lamps", 4);
  g_assert_true (was_told_login (fixture, "/~status=401/1.xml"));
  g_assert_false (was_told_login (fixture, "/2.xml"));
}

/* Page 1 has the newest five episodes, and so on. @last_leads: (nullable) */
static void
put_pages (Fixture *fixture, guint n, const char *last_leads)
{
  for (guint page = 1; page <= n; page++)
    {
      const guint first = 1 + (n - page) * 5;
      g_autofree char *path = g_strdup_printf ("/page-%u.xml", page);
      g_autofree char *next = g_strdup_printf ("@BASE@/page-%u.xml", page + 1);

      put_page (fixture, path, "Lamps", first, first + 4, page < n ? next : last_leads);
    }
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  put_pages (fixture, 6, NULL);
  EarPodcast *podcast = fetch_moved (fixture, "/page-1.xml", "/page-1.xml", "Lamps", 30);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 6);

  /* All pages were fetched once: a refresh only fetches new ones. */
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 1);

  /* Three more episodes, all on the first page */
  put_page (fixture, "/page-1.xml", "Lamps", 28, 33, "@BASE@/page-2.xml");
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 1);
  assert_fetched (podcast, "Lamps", 33);

  /* Twelve more, all new on the first page: all pages are fetched again. */
  put_pages (fixture, 9, NULL);
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 9);
  assert_fetched (podcast, "Lamps", 45);

  /* An archived feed (RFC 5005) links to its pages with another relation. */
  put_feed (fixture, "/feed.xml", "Knots", 21, 25,
            "<atom:link rel=\"prev-archive\" href=\"@BASE@/2.xml\"/>");
  put_feed (fixture, "/2.xml", "Knots", 11, 20,
            "<atom:link rel=\"prev-archive\" href=\"@BASE@/1.xml\"/>"
            "<atom:link rel=\"current\" href=\"@BASE@/feed.xml\"/>");
  put_feed (fixture, "/1.xml", "Knots", 1, 10,
            "<atom:link rel=\"next-archive\" href=\"@BASE@/2.xml\"/>");
  ear_test_server_clear_log (fixture->server);
  assert_fetched (fetch (fixture, "/feed.xml"), "Knots", 25);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 3);
}

/* Links between pages that are not followed */
static void
test_page_guards (Fixture *fixture, gconstpointer data)
{
  g_autofree char *elsewhere = ear_test_server_dup_url (fixture->server, 2, "/page-9.xml");

  /* In a circle */
  put_pages (fixture, 3, "@BASE@/page-2.xml");
  assert_fetched (fetch (fixture, "/page-1.xml"), "Lamps", 15);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 3);

  /* Pages may be on the host of the redirect, which may only add "www". */
  assert_fetched (fetch (fixture, "/~redirect=301,2/page-1.xml"), "Lamps", 15);
  assert_fetched (fetch (fixture, "/~redirect=302,2/page-1.xml"), "Lamps", 15);

  /* To itself, at the address of the redirect */
  put_page (fixture, "/found.xml", "Hooks", 1, 5, "@BASE@/found.xml");
  assert_fetched (fetch (fixture, "/~redirect=302,2/found.xml"), "Hooks", 5);
  g_assert_cmpuint (count_requests (fixture, "/found.xml"), ==, 1);

  /* To another host */
  put_page (fixture, "/away.xml", "Knots", 1, 5, elsewhere);
  put_feed (fixture, "/page-9.xml", "Knots", 6, 9, NULL);
  assert_fetched (fetch (fixture, "/away.xml"), "Knots", 5);
  g_assert_cmpuint (count_requests (fixture, "/page-9.xml"), ==, 0);

  /* To itself, under another name */
  put_page (fixture, "/on.xml", "Ropes", 1, 1, "@BASE@/on.xml?p=1");
  ear_test_server_clear_log (fixture->server);
  fetch (fixture, "/on.xml");
  g_assert_cmpuint (count_requests (fixture, NULL), <=, 2);

  /* A known podcast redirects to another one, whose pages are not fetched, at once or later. */
  put_lamps (fixture, "/feed.xml", 5);
  put_page (fixture, "/knots-1.xml", "Knots", 6, 10, "@BASE@/knots-2.xml");
  put_feed (fixture, "/knots-2.xml", "Knots", 1, 5, NULL);
  EarPodcast *podcast = fetch (fixture, "/feed.xml");
  put_way (fixture, "/feed.xml", "/~redirect=301,2/knots-1.xml");
  for (guint i = 0; i < 3; i++)
    {
      refresh (fixture, podcast);
      assert_failed (podcast, EAR_ERROR_OTHER_PODCAST);
      assert_at (fixture, podcast, 1, "/feed.xml");
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
      g_assert_cmpuint (count_requests (fixture, "/knots-1.xml"), ==, i + 1);
      g_assert_cmpuint (count_requests (fixture, "/knots-2.xml"), ==, 0);
    }
}

/* The next check of an unchanged feed fetches a failed page again, but not a missing one. */
static void
test_failed_page (Fixture *fixture, gconstpointer is_missing)
{
  put_pages (fixture, 4, NULL);
  if (is_missing != NULL)
    ear_test_server_remove (fixture->server, "/page-3.xml");
  else
    put_way (fixture, "/page-3.xml", "/~drop/page-3.xml");
  EarPodcast *podcast = fetch (fixture, "/page-1.xml");
  assert_fetched (podcast, "Lamps", 10);
  put_pages (fixture, 4, NULL);
  refresh (fixture, podcast);
  assert_fetched (podcast, "Lamps", is_missing != NULL ? 10 : 20);
  g_autoptr (EarFeedCheck) check = dup_check (fixture, podcast);
  g_assert_true (check->archived);
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD_TEST ("/refresher/moved", test_moved);
  g_test_add_func ("/refresher/moved/named-itself", test_named_itself);
  ADD_TEST ("/refresher/moved/not", test_not_moved);
  ADD_TEST ("/refresher/moved/redirect-document", test_redirect_document);
  ADD_TEST ("/refresher/moved/typed-meanwhile", test_typed_meanwhile);
  ADD_TEST ("/refresher/login/in-address", test_login_in_address);
  ADD_TEST ("/refresher/login/stays", test_login_stays);
  ADD_TEST ("/refresher/login/stays-encrypted", test_login_stays_encrypted);
  ADD_TEST ("/refresher/pages", test_pages);
  ADD_TEST ("/refresher/pages/guards", test_page_guards);
  ADD_TEST ("/refresher/pages/broken", test_failed_page);
  g_test_add ("/refresher/pages/missing", Fixture, "missing", set_up, test_failed_page, tear_down);

  return g_test_run ();
}
