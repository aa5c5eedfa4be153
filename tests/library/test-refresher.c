/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

#include <glib/gstdio.h>
#include <malloc.h>
#include <string.h>

/* Results of checks: stored data, signals, and feeds that are left alone */

/* A permanent redirect changes the address to check, and not the podcast's identity. */
static void
test_redirects (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = ear_test_server_dup_url (fixture->server, 1, "/~redirect=301,2/a.xml");
  g_autofree char *dead = ear_test_server_dup_url (fixture->server, 2, "/dead.xml");
  const EarFeedCheck moved = { .checked = fixture->now, .feed_address = dead };

  put_lamps (fixture, "/a.xml", 5);
  EarPodcast *podcast = fetch (fixture, "/~redirect=301,2/a.xml");
  assert_fetched (podcast, "Lamps", 5);
  g_assert_cmpint (ear_podcast_get_checked (podcast), ==, fixture->now);
  g_autoptr (EarFeedCheck) check = dup_check (fixture, podcast);
  g_assert_nonnull (check->etag);
  g_assert_cmpint (check->newest, ==, 1704067200 + 5 * 86400 + 43200);
  g_assert_cmpuint (check->failures, ==, 0);
  assert_at (fixture, podcast, 2, "/a.xml");
  g_assert_cmpstr (ear_podcast_get_address (podcast), ==, first);
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 1);
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/a.xml");
  g_assert_cmpuint (request->status, ==, 304);

  /* The new address survives a restart. */
  open_again (fixture);
  assert_at (fixture, ear_catalogue_find_podcast (fixture->catalogue, first), 2, "/a.xml");

  /* A temporary redirect, and one to a web page, change no address. */
  podcast = fetch (fixture, "/~redirect=302,2/a.xml");
  assert_fetched (podcast, "Lamps", 5);
  assert_at (fixture, podcast, 1, "/~redirect=302,2/a.xml");
  podcast = fetch (fixture, "/~redirect=301,2/~html/a.xml");
  assert_failed (podcast, EAR_ERROR_WEB_PAGE);
  assert_at (fixture, podcast, 1, "/~redirect=301,2/~html/a.xml");

  /* A podcast returns to its first address when its new one is dead. */
  podcast = follow (fixture, 1, "/a.xml");
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), NULL, &moved);
  assert_at (fixture, podcast, 2, "/dead.xml");
  for (guint i = 0; i < 4; i++)
    refresh (fixture, podcast);
  assert_fetched (podcast, "Lamps", 5);
  assert_at (fixture, podcast, 1, "/a.xml");
}

#define LAMPS_GUID "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>"
#define KNOTS_GUID "<podcast:guid>9b024349-ccf0-5f69-a609-6b82873eab3c</podcast:guid>"
#define KNOTS_LINK "<link>https://knots.example/</link>"
#define ADA "<itunes:author>Ada</itunes:author>"
#define BO "<itunes:author>Bo</itunes:author>"
#define LAMPS LAMPS_GUID "<link>https://lamps.example/</link>" ADA
#define KNOTS KNOTS_GUID KNOTS_LINK BO

/* For an hour the server mixes up its podcasts. */
static void
test_other_podcast (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *head;
    guint n_episodes;
  } others[] = {
    { KNOTS, 100 },
    { KNOTS, 0 },
    { KNOTS_LINK BO, 3 },
    /* The same publisher */
    { KNOTS_GUID KNOTS_LINK ADA, 100 },
    { NULL, 250 },
  };

  put_feed (fixture, "/a.xml", "Lamps", 1, 5, LAMPS);
  EarPodcast *podcast = fetch (fixture, "/a.xml");
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      put_feed (fixture, "/a.xml", "Knots", 1, others[i].n_episodes, others[i].head);
      refresh (fixture, podcast);
      g_autoptr (EarFeedCheck) check = dup_check (fixture, podcast);
      assert_failed (podcast, EAR_ERROR_OTHER_PODCAST);
      g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "Lamps");
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
      /* The next check is within the hour. */
      g_assert_cmpint (check->not_before, >, fixture->now);
      g_assert_cmpint (check->not_before, <=, fixture->now + 3600);
      put_feed (fixture, "/a.xml", "Lamps", 1, 5, LAMPS);
      refresh (fixture, podcast);
      assert_fetched (podcast, "Lamps", 5);
    }

  /* The listener accepts the other podcast in its place; from now on it is the expected one. */
  put_feed (fixture, "/a.xml", "Knots", 1, 3, KNOTS);
  refresh (fixture, podcast);
  assert_failed (podcast, EAR_ERROR_OTHER_PODCAST);
  ear_refresher_accept (fixture->refresher, podcast);
  wait_until_quiet (fixture);
  assert_fetched (podcast, "Knots", 8);
  put_feed (fixture, "/a.xml", "Lamps", 6, 9, LAMPS);
  refresh (fixture, podcast);
  assert_failed (podcast, EAR_ERROR_OTHER_PODCAST);
}

/* A podcast that was renamed, or moved to another host with new guids, stays the same. */
static void
test_rebuilt_podcast (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *title, *head, *guids;
    guint n_episodes;
  } rebuilt[] = {
    /* All guids are new, including the podcast's. */
    { "Lamps", KNOTS_GUID "<link>https://host.example/lamps</link>", "Knots", 7 },
    { "The Lamp Show", KNOTS_GUID "<link>http://www.lamps.example</link>", "Knots", 7 },
    { "The Lamp Show", LAMPS_GUID, "Knots", 7 },
    { "The Lamp Show", ADA, "Knots", 7 },
    /* Only its episodes identify the podcast: the newest is one more. */
    { "The Lamp Show", KNOTS, "Lamps", 6 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rebuilt); i++)
    {
      g_autofree char *path = g_strdup_printf ("/%" G_GSIZE_FORMAT ".xml", i);

      put_feed (fixture, path, "Lamps", 1, 5, LAMPS);
      EarPodcast *podcast = fetch (fixture, path);
      put_renamed (fixture, path, rebuilt[i].title, rebuilt[i].guids, rebuilt[i].head);
      refresh (fixture, podcast);
      assert_fetched (podcast, rebuilt[i].title, rebuilt[i].n_episodes);
    }
}

/* 410: the podcast has ended, its episodes stay, and only the listener checks it again. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  put_lamps (fixture, "/a.xml", 5);
  EarPodcast *podcast = fetch (fixture, "/a.xml");
  g_assert_false (ear_podcast_get_ended (podcast));
  put_way (fixture, "/a.xml", "/~status=410/a.xml");
  refresh (fixture, podcast);
  assert_failed (podcast, EAR_ERROR_GONE);
  g_assert_true (ear_podcast_get_ended (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);

  /* A restart changes nothing. */
  open_again (fixture);
  podcast = get_podcast (fixture, 0);
  g_assert_true (ear_podcast_get_ended (podcast));
  fixture->now += 86400;
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_START);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));

  /* The feed is back: a manual check finds it. */
  put_lamps (fixture, "/a.xml", 6);
  g_assert_cmpuint (count_refreshed (fixture, podcast), ==, 1);
  g_assert_false (ear_podcast_get_ended (podcast));
  assert_fetched (podcast, "Lamps", 6);
}

/* Failures are counted across a restart, and a success ends the count. */
static void
test_back_off_survives (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = fetch (fixture, "/missing.xml");

  refresh (fixture, podcast);
  assert_failed (podcast, EAR_ERROR_NOT_FOUND);
  g_autoptr (EarFeedCheck) before = dup_check (fixture, podcast);
  g_assert_cmpuint (before->failures, ==, 2);
  g_assert_cmpint (before->not_before, >=, fixture->now + 1800);

  open_again (fixture);
  podcast = get_podcast (fixture, 0);
  g_autoptr (EarFeedCheck) after = dup_check (fixture, podcast);
  g_assert_cmpuint (after->failures, ==, 2);
  g_assert_cmpint (after->not_before, ==, before->not_before);
  assert_failed (podcast, EAR_ERROR_NOT_FOUND);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_START);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));

  fixture->now = after->not_before;
  put_lamps (fixture, "/missing.xml", 5);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_START);
  wait_until_quiet (fixture);
  assert_fetched (podcast, "Lamps", 5);
  g_autoptr (EarFeedCheck) well = dup_check (fixture, podcast);
  g_assert_cmpuint (well->failures, ==, 0);

  /* A server's Retry-After applies to all podcasts that are checked at once. */
  put_way (fixture, "/missing.xml", "/~429=500/a.xml");
  refresh (fixture, podcast);
  assert_failed (podcast, EAR_ERROR_BUSY);
  g_autoptr (EarFeedCheck) busy = dup_check (fixture, podcast);
  g_assert_cmpint (busy->not_before, ==, fixture->now + 500);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));
}

/* Asserts the number of checks that the listener waits for, or waited for. */
static void
assert_progress (Fixture *fixture, guint done, guint total)
{
  g_assert_cmpuint (ear_test_get_uint (fixture->refresher, "done"), ==, done);
  g_assert_cmpuint (ear_test_get_uint (fixture->refresher, "total"), ==, total);
}

/* Fifty silent hosts do not delay a host that answers. */
static void
test_dead_hosts (Fixture *fixture, gconstpointer data)
{
  put_lamps (fixture, "/a.xml", 5);
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = g_strdup_printf ("/~mute/%u.xml", i);

      follow (fixture, 1 + i % 50, path);
    }
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  EarPodcast *well = follow (fixture, 55, "/a.xml");
  ear_refresher_refresh (fixture->refresher, well, EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (well));
  g_assert_cmpuint (ear_podcast_get_n_episodes (well), ==, 5);
  assert_progress (fixture, 1, 101);

  /* All of them can be canceled, and show no error. */
  ear_refresher_cancel (fixture->refresher, NULL);
  wait_until_quiet (fixture);
  assert_progress (fixture, 0, 0);
  for (guint i = 0; i < 101; i++)
    g_assert_no_error (ear_podcast_get_error (get_podcast (fixture, i)));
}

/* A check that is canceled and requested again runs, though the first one has not ended
 * yet; canceling the second one, too, leaves none. */
static void
test_again (Fixture *fixture, gconstpointer data)
{
  EarRefresher *refresher = fixture->refresher;
  EarPodcast *podcast = follow (fixture, 1, "/a.xml");

  put_lamps (fixture, "/a.xml", 5);
  ear_refresher_refresh (refresher, podcast, EAR_REFRESH_SCHEDULED);
  ear_refresher_cancel (refresher, podcast);
  ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
  assert_progress (fixture, 0, 1);
  ear_refresher_cancel (refresher, podcast);
  wait_until_quiet (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 0);
  assert_progress (fixture, 0, 0);

  ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
  ear_refresher_cancel (refresher, podcast);
  refresh (fixture, podcast);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  g_assert_false (ear_podcast_get_refreshing (podcast));
  assert_progress (fixture, 0, 0);

  /* The listener sees the progress of a scheduled check that they request as well. */
  ear_test_server_clear_log (fixture->server);
  ear_refresher_refresh (refresher, podcast, EAR_REFRESH_SCHEDULED);
  assert_progress (fixture, 0, 0);
  ear_refresher_refresh (refresher, podcast, EAR_REFRESH_ONE);
  assert_progress (fixture, 0, 1);
  wait_until_quiet (fixture);
  assert_progress (fixture, 0, 0);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 1);
}

/* Two hundred unchanged feeds: one request each, and a single write at the end */
static void
test_unchanged (Fixture *fixture, gconstpointer data)
{
  const guint n = 200;
  guint signals_seen = 0;
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  GStatBuf before, after;

  follow_many (fixture, n, 5);
  refresh_all (fixture);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (ear_podcast_get_n_episodes (get_podcast (fixture, i)), ==, 5);

  g_signal_connect_swapped (fixture->catalogue, "episodes-changed", G_CALLBACK (ear_test_count_cb),
                            &signals_seen);
  ear_test_server_clear_log (fixture->server);
  g_assert_cmpint (g_stat (log, &before), ==, 0);
  fixture->now += 3600;
  gint64 started = g_get_monotonic_time ();
  refresh_all (fixture);
  started = g_get_monotonic_time () - started;
  g_test_message ("%u feeds unchanged in %.0f ms", n, started / 1000.0);
  g_assert_cmpint (g_stat (log, &after), ==, 0);
  /* The write comes a second after the last answer, unless this thread was delayed. */
  if (started < G_USEC_PER_SEC)
    g_assert_cmpint (before.st_size, ==, after.st_size);

  g_autoptr (GPtrArray) requests = ear_test_server_dup_requests (fixture->server);
  g_assert_cmpuint (requests->len, ==, n);
  g_assert_cmpuint (signals_seen, ==, 0);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (((EarTestRequest *) requests->pdata[i])->status, ==, 304);
      g_assert_cmpint (ear_podcast_get_checked (get_podcast (fixture, i)), ==, fixture->now);
    }
}

/* Bytes in use; those in the allocator's per-thread caches would count, so the test has none. */
static gsize
get_used (void)
{
  return mallinfo2 ().uordblks + mallinfo2 ().hblkhd;
}

static void
test_memory (Fixture *fixture, gconstpointer data)
{
  const guint n = 20, rounds = 100;
  gsize before = G_MAXSIZE, after = G_MAXSIZE;

  follow_many (fixture, n, 5);
  for (guint round = 0; round < rounds; round++)
    {
      /* In each third round half of the feeds have changed, without new episodes. */
      for (guint i = 0; round % 3 == 0 && i < n / 2; i++)
        {
          g_autofree char *path = g_strdup_printf ("/%u.xml", i);
          g_autofree char *title = g_strdup_printf ("Podcast %u", i);
          g_autofree char *head = g_strdup_printf ("<generator>%03u</generator>", round);

          put_feed (fixture, path, title, 1, 5, head);
        }
      fixture->now += 3600;
      ear_test_server_clear_log (fixture->server);
      refresh_all (fixture);
      ear_test_server_wait_idle (fixture->server, 10000);
      ear_test_server_clear_log (fixture->server);
      /* The minimum of some rounds: a connection that is being closed is no leak. */
      if (round >= 5 && round < 15)
        before = MIN (before, get_used ());
      else if (round >= rounds - 10)
        after = MIN (after, get_used ());
    }
  g_test_message ("%" G_GSIZE_FORMAT " bytes in use at first, %" G_GSIZE_FORMAT " after %u rounds",
                  before, after, rounds);
  /* A leak of a hundred bytes per check would be 160 kB by now. A decompressor has 43 kB,
   * and one or two of them may stay with an idle connection. */
  g_assert_cmpuint (after, <, before + 110 * 1024);
}

/* --- New media URLs ----------------------------------------------------------------- */

static void
put_signed_feed (Fixture *fixture, const char *token)
{
  g_autofree char *feed =
      g_strdup_printf ("<rss version=\"2.0\"><channel><title>Lamps</title><item><guid>lamp-1</guid>"
                       "<title>Lamp 1</title><enclosure url=\"/1.mp3?token=%s\" type=\"audio/mpeg\""
                       " length=\"1000\"/></item></channel></rss>",
                       token);

  put_text (fixture, "/a.xml", feed);
}

static const char *
get_token (const char *address)
{
  return g_intern_string (strrchr (address, '=') + 1);
}

/* Follows the podcast. Its episode has the token "one". */
static EarEpisode *
dup_signed_episode (Fixture *fixture)
{
  put_signed_feed (fixture, "one");
  EarPodcast *podcast = fetch (fixture, "/a.xml");
  EarEpisode *episode =
      ear_catalogue_dup_episode_by_guid (fixture->catalogue, podcast, "lamp-1");
  g_assert_cmpstr (get_token (ear_episode_get_enclosure (episode)->address), ==, "one");

  return episode;
}

static void
renewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree char *address = ear_refresher_renew_address_finish (EAR_REFRESHER (source), result);

  *(const char **) user_data = address != NULL ? get_token (address) : "none";
}

/* Asks for another address than that with the token @refused. @token becomes its, or "none". */
static void
begin_renewal (Fixture *fixture, EarEpisode *episode, const char *refused,
               GCancellable *cancellable, const char **token)
{
  g_autofree char *path = g_strconcat ("/1.mp3?token=", refused, NULL);
  g_autofree char *address = ear_test_server_dup_url (fixture->server, 1, path);

  ear_refresher_renew_address_async (fixture->refresher, episode, address, cancellable, renewed_cb,
                                     token);
}

static const char *
renew (Fixture *fixture, EarEpisode *episode, const char *refused, GCancellable *cancellable)
{
  const char *token = NULL;

  begin_renewal (fixture, episode, refused, cancellable, &token);
  EAR_TEST_WAIT_UNTIL (token != NULL);

  return token;
}

/* A signed URL has expired: the feed is fetched for a new one, once for all episodes. */
static void
test_renew_address (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (EarEpisode) episode = dup_signed_episode (fixture);

  put_signed_feed (fixture, "two");
  ear_test_server_clear_log (fixture->server);
  g_assert_cmpstr (renew (fixture, episode, "one", NULL), ==, "two");
  g_assert_cmpstr (get_token (ear_episode_get_enclosure (episode)->address), ==, "two");
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 1);
  /* Some servers answer 304 though the tokens in the feed have changed. */
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/a.xml");
  g_assert_null (ear_test_request_get_header (request, "If-None-Match"));
  g_assert_null (ear_test_request_get_header (request, "If-Modified-Since"));

  /* The known URL is newer, the feed was just fetched, or the caller has canceled. */
  g_assert_cmpstr (renew (fixture, episode, "one", NULL), ==, "two");
  g_assert_cmpstr (renew (fixture, episode, "two", NULL), ==, "none");
  g_cancellable_cancel (cancelled);
  g_assert_cmpstr (renew (fixture, episode, "two", cancelled), ==, "none");
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 1);
}

/* Starts a refresh, which the server holds up once it has its request. */
static void
start_held (Fixture *fixture, EarEpisode *episode, const char *way)
{
  put_way (fixture, "/a.xml", way);
  ear_test_server_set_holding (fixture->server, TRUE);
  ear_test_server_clear_log (fixture->server);
  ear_refresher_refresh (fixture->refresher, ear_episode_get_podcast (episode), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (count_requests (fixture, "/a.xml") == 1);
}

static void
test_renew_while_refreshing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (EarEpisode) episode = dup_signed_episode (fixture);
  const char *token = NULL, *same = NULL, *given_up = NULL;

  /* A running refresh finds an unchanged feed: it is fetched again, once for all requests. */
  start_held (fixture, episode, "/~hold/~status=304/a.xml");
  begin_renewal (fixture, episode, "one", NULL, &same);
  put_signed_feed (fixture, "two");
  ear_test_server_set_holding (fixture->server, FALSE);
  g_assert_cmpstr (renew (fixture, episode, "one", NULL), ==, "two");
  EAR_TEST_WAIT_UNTIL (same != NULL);
  g_assert_cmpstr (same, ==, "two");
  g_assert_cmpuint (count_requests (fixture, "/a.xml"), ==, 2);

  /* A running refresh is reused; a canceled request gets no address at its end. */
  put_signed_feed (fixture, "three");
  ear_refresher_refresh (fixture->refresher, ear_episode_get_podcast (episode), EAR_REFRESH_ONE);
  begin_renewal (fixture, episode, "two", cancellable, &given_up);
  g_cancellable_cancel (cancellable);
  g_assert_cmpstr (renew (fixture, episode, "two", NULL), ==, "three");
  EAR_TEST_WAIT_UNTIL (given_up != NULL);
  g_assert_cmpstr (given_up, ==, "none");
  g_assert_cmpuint (count_requests (fixture, "/a.xml"), ==, 3);

  /* A refresh that was stopped is not started again for a media address. */
  start_held (fixture, episode, "/~hold/a.xml");
  begin_renewal (fixture, episode, "three", NULL, &token);
  ear_refresher_stop (fixture->refresher);
  EAR_TEST_WAIT_UNTIL (token != NULL);
  g_assert_cmpstr (token, ==, "none");
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 1);
  ear_test_server_set_holding (fixture->server, FALSE);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD_TEST ("/refresher/redirects", test_redirects);
  ADD_TEST ("/refresher/gone", test_gone);
  ADD_TEST ("/refresher/other-podcast", test_other_podcast);
  ADD_TEST ("/refresher/rebuilt-podcast", test_rebuilt_podcast);
  ADD_TEST ("/refresher/back-off-survives", test_back_off_survives);
  ADD_TEST ("/refresher/dead-hosts", test_dead_hosts);
  ADD_TEST ("/refresher/again", test_again);
  ADD_TEST ("/refresher/unchanged", test_unchanged);
  ADD_TEST ("/refresher/memory", test_memory);
  ADD_TEST ("/refresher/renew-address", test_renew_address);
  ADD_TEST ("/refresher/renew-while-refreshing", test_renew_while_refreshing);

  return g_test_run ();
}
