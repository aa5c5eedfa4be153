/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

#include <glib/gstdio.h>
#include <malloc.h>

/* Results of checks: stored data, signals, and feeds that are left alone */

static void
assert_error (EarPodcast *podcast, int code)
{
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, code);
}

static void
test_plain (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  g_assert_cmpint (ear_podcast_get_checked (podcast), ==, fixture->now);
  g_autoptr (EarFeedCheck) check = refresher_fixture_dup_check (fixture, podcast);
  g_assert_nonnull (check->etag);
  g_assert_cmpint (check->newest, ==, 1704067200 + 5 * 86400 + 43200);
  g_assert_cmpuint (check->failures, ==, 0);
}

/* A permanent redirect changes the address to check, and not the podcast's identity. */
static void
test_permanent (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;
  g_autofree char *first = NULL;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/~redirect=301,2/a.xml");
  first = g_strdup (ear_podcast_get_address (podcast));
  refresher_fixture_refresh (fixture, podcast);
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 2, "/a.xml");
  g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, there);
  g_assert_cmpstr (ear_podcast_get_address (podcast), ==, first);

  ear_test_server_clear_log (fixture->server);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
  g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (fixture->server, "/a.xml");
  g_assert_cmpuint (request->status, ==, 304);

  /* The new address survives a restart. */
  refresher_fixture_close (fixture);
  refresher_fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, first);
  g_assert_nonnull (podcast);
  g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, there);
}

/* A temporary redirect, one to a web page and one to another podcast do not change the
 * address. */
static void
test_not_permanent (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *temporary, *parked, *other;
  g_autofree char *other_address = NULL;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  refresher_fixture_put (fixture, "/b.xml", "Knots", 1, 5, NULL);
  temporary = refresher_fixture_follow (fixture, 1, "/~redirect=302,2/a.xml");
  refresher_fixture_refresh (fixture, temporary);
  g_assert_cmpuint (ear_podcast_get_n_episodes (temporary), ==, 5);
  g_assert_cmpstr (ear_podcast_get_feed_address (temporary), ==, ear_podcast_get_address (temporary));

  parked = refresher_fixture_follow (fixture, 1, "/~redirect=301,2/~html/a.xml");
  refresher_fixture_refresh (fixture, parked);
  assert_error (parked, EAR_ERROR_WEB_PAGE);
  g_assert_cmpstr (ear_podcast_get_feed_address (parked), ==, ear_podcast_get_address (parked));

  /* At first the address has its own feed, then it redirects to another podcast's. */
  other_address = ear_test_server_dup_url (fixture->server, 1, "/moving.xml");
  refresher_fixture_put (fixture, "/moving.xml", "Lamps", 1, 3, NULL);
  other = ear_catalogue_follow (fixture->catalogue, other_address, NULL);
  refresher_fixture_refresh (fixture, other);
  ear_test_server_put_way (fixture->server, "/moving.xml", "/~redirect=301/b.xml");
  refresher_fixture_refresh (fixture, other);
  g_assert_cmpstr (ear_podcast_get_feed_address (other), ==, other_address);
}

#define LAMPS \
  "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid><link>https://lamps.example/</link><itunes:author>Ada</itunes:author>"
#define KNOTS \
  "<podcast:guid>9b024349-ccf0-5f69-a609-6b82873eab3c</podcast:guid><link>https://knots.example/</link><itunes:author>Bo</itunes:author>"

/* For an hour the server mixes up its podcasts. */
static void
test_other_podcast (RefresherFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *head;
    guint n_episodes;
  } others[] = {
    { KNOTS, 100 },
    { KNOTS, 0 },
    { "<link>https://knots.example/</link><itunes:author>Bo</itunes:author>", 3 },
    /* The same publisher */
    { "<podcast:guid>9b024349-ccf0-5f69-a609-6b82873eab3c</podcast:guid><link>https://knots.example/</link><itunes:author>Ada</itunes:author>", 100 },
    { NULL, 250 },
  };
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, LAMPS);
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      refresher_fixture_put (fixture, "/a.xml", "Knots", 1, others[i].n_episodes, others[i].head);
      refresher_fixture_refresh (fixture, podcast);
      assert_error (podcast, EAR_ERROR_OTHER_PODCAST);
      g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "Lamps");
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);

      /* The next check is within the hour. */
      g_autoptr (EarFeedCheck) check = refresher_fixture_dup_check (fixture, podcast);
      g_assert_cmpint (check->not_before, >, fixture->now);
      g_assert_cmpint (check->not_before, <=, fixture->now + 3600);
      refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, LAMPS);
      refresher_fixture_refresh (fixture, podcast);
      g_assert_no_error (ear_podcast_get_error (podcast));
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
    }
}

/* A podcast that was moved to another host with new guids, or renamed, stays the same
 * podcast. */
static void
test_rebuilt_podcast (RefresherFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *title;
    const char *head;
    const char *items;
  } rebuilt[] = {
    /* All guids are new, including the podcast's. */
    { "Lamps", "<podcast:guid>9b024349-ccf0-5f69-a609-6b82873eab3c</podcast:guid><link>https://host.example/lamps</link>", "Knots" },
    { "The Lamp Show", "<podcast:guid>9b024349-ccf0-5f69-a609-6b82873eab3c</podcast:guid><link>http://www.lamps.example</link>", "Knots" },
    { "The Lamp Show", "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>", "Knots" },
    { "The Lamp Show", "<itunes:author>Ada</itunes:author>", "Knots" },
    /* Only its episodes identify the podcast: the newest is one more. */
    { "The Lamp Show", KNOTS, "Lamps" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rebuilt); i++)
    {
      g_autofree char *path = g_strdup_printf ("/%" G_GSIZE_FORMAT ".xml", i);
      g_autofree char *feed = NULL;
      EarPodcast *podcast;

      refresher_fixture_put (fixture, path, "Lamps", 1, 5, LAMPS);
      podcast = refresher_fixture_follow (fixture, 1, path);
      refresher_fixture_refresh (fixture, podcast);
      feed = g_strdup_printf ("<rss version=\"2.0\"><channel><title>%s</title>%s<item><guid>%s-6</guid><title>Six</title></item>"
                              "<item><guid>%s-5</guid><title>Five</title></item></channel></rss>",
                              rebuilt[i].title, rebuilt[i].head, rebuilt[i].items, rebuilt[i].items);
      ear_test_server_put (fixture->server, path, "application/rss+xml", feed);
      refresher_fixture_refresh (fixture, podcast);
      g_assert_no_error (ear_podcast_get_error (podcast));
      g_assert_cmpstr (ear_podcast_get_title (podcast), ==, rebuilt[i].title);
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, g_str_equal (rebuilt[i].items, "Lamps") ? 6 : 7);
    }
}

/* The listener accepts the other podcast in its place. */
static void
test_accepted_podcast (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, LAMPS);
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  refresher_fixture_put (fixture, "/a.xml", "Knots", 1, 3, KNOTS);
  refresher_fixture_refresh (fixture, podcast);
  assert_error (podcast, EAR_ERROR_OTHER_PODCAST);
  ear_refresher_accept (fixture->refresher, podcast);
  refresher_fixture_wait (fixture);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, "Knots");
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 8);

  /* From now on the accepted podcast is the expected one. */
  refresher_fixture_put (fixture, "/a.xml", "Lamps", 6, 9, LAMPS);
  refresher_fixture_refresh (fixture, podcast);
  assert_error (podcast, EAR_ERROR_OTHER_PODCAST);
}

/* 410: the podcast has ended, its episodes stay, and only the listener can check it
 * again. */
static void
test_gone (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;
  guint before;
  g_autofree char *address = NULL;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  g_assert_false (ear_podcast_get_ended (podcast));
  address = g_strdup (ear_podcast_get_address (podcast));
  ear_test_server_put_way (fixture->server, "/a.xml", "/~status=410/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  assert_error (podcast, EAR_ERROR_GONE);
  g_assert_true (ear_podcast_get_ended (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);

  /* A restart changes nothing. */
  refresher_fixture_close (fixture);
  refresher_fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_assert_true (ear_podcast_get_ended (podcast));
  before = ear_test_server_count_requests (fixture->server, "/a.xml");
  fixture->now += 86400;
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_START);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));

  /* The feed is back: a manual check finds it. */
  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 6, NULL);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/a.xml"), ==, before + 1);
  g_assert_false (ear_podcast_get_ended (podcast));
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 6);
}

static void
test_retry_after (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/~429=500/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  assert_error (podcast, EAR_ERROR_BUSY);
  g_autoptr (EarFeedCheck) check = refresher_fixture_dup_check (fixture, podcast);
  g_assert_cmpint (check->not_before, ==, fixture->now + 500);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));
}

/* Failures are counted across a restart, and a success ends the count. */
static void
test_back_off_survives (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;
  g_autofree char *address = NULL;

  podcast = refresher_fixture_follow (fixture, 1, "/missing.xml");
  address = g_strdup (ear_podcast_get_address (podcast));
  refresher_fixture_refresh (fixture, podcast);
  refresher_fixture_refresh (fixture, podcast);
  assert_error (podcast, EAR_ERROR_NOT_FOUND);
  g_autoptr (EarFeedCheck) before = refresher_fixture_dup_check (fixture, podcast);
  g_assert_cmpuint (before->failures, ==, 2);
  g_assert_cmpint (before->not_before, >=, fixture->now + 1800);

  refresher_fixture_close (fixture);
  refresher_fixture_open (fixture);
  podcast = ear_catalogue_find_podcast (fixture->catalogue, address);
  g_autoptr (EarFeedCheck) after = refresher_fixture_dup_check (fixture, podcast);
  g_assert_cmpuint (after->failures, ==, 2);
  g_assert_cmpint (after->not_before, ==, before->not_before);
  assert_error (podcast, EAR_ERROR_NOT_FOUND);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_START);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));

  fixture->now = after->not_before;
  refresher_fixture_put (fixture, "/missing.xml", "Lamps", 1, 5, NULL);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_START);
  refresher_fixture_wait (fixture);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_autoptr (EarFeedCheck) well = refresher_fixture_dup_check (fixture, podcast);
  g_assert_cmpuint (well->failures, ==, 0);
}

/* A podcast returns to its first address when its new one is dead. */
static void
test_return (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  refresher_fixture_put (fixture, "/b.xml", "Lamps", 1, 5, NULL);
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  EarFeedCheck moved = { .checked = fixture->now };
  g_autofree char *there = ear_test_server_dup_url (fixture->server, 2, "/dead.xml");
  moved.feed_address = there;
  ear_catalogue_store_check (fixture->catalogue, ear_podcast_get_id (podcast), NULL, &moved);
  g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, there);
  for (guint i = 0; i < 4; i++)
    refresher_fixture_refresh (fixture, podcast);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, ear_podcast_get_address (podcast));
}

static gboolean
is_refreshed (gpointer data)
{
  return !ear_podcast_get_refreshing (data);
}

static guint
get_done (RefresherFixture *fixture)
{
  guint done;

  g_object_get (fixture->refresher, "done", &done, NULL);

  return done;
}

/* Fifty silent hosts do not delay a host that answers. */
static void
test_dead_hosts (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *well;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = g_strdup_printf ("/~mute/%u.xml", i);

      refresher_fixture_follow (fixture, 1 + i % 50, path);
    }
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  well = refresher_fixture_follow (fixture, 55, "/a.xml");
  ear_refresher_refresh (fixture->refresher, well, EAR_REFRESH_ONE);
  g_assert_true (refresher_fixture_wait_for (is_refreshed, well));
  g_assert_cmpuint (ear_podcast_get_n_episodes (well), ==, 5);
  g_assert_cmpuint (refresher_fixture_get_total (fixture), ==, 101);
  g_assert_cmpuint (get_done (fixture), ==, 1);

  /* All of them can be canceled, and show no error. */
  ear_refresher_cancel (fixture->refresher, NULL);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (refresher_fixture_get_total (fixture), ==, 0);
  g_assert_cmpuint (get_done (fixture), ==, 0);
  for (guint i = 0; i < 101; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_catalogue_get_podcasts (fixture->catalogue), i);

      g_assert_no_error (ear_podcast_get_error (podcast));
    }
}

/* A check that is canceled and requested again runs, though the first one has not ended
 * yet; canceling the second one, too, leaves none. */
static void
test_again (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = refresher_fixture_follow (fixture, 1, "/a.xml");

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  ear_refresher_refresh (fixture->refresher, podcast, EAR_REFRESH_SCHEDULED);
  ear_refresher_cancel (fixture->refresher, podcast);
  ear_refresher_refresh (fixture->refresher, podcast, EAR_REFRESH_ONE);
  g_assert_cmpuint (refresher_fixture_get_total (fixture), ==, 1);
  ear_refresher_cancel (fixture->refresher, podcast);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 0);
  g_assert_cmpuint (refresher_fixture_get_total (fixture), ==, 0);

  ear_refresher_refresh (fixture->refresher, podcast, EAR_REFRESH_ONE);
  ear_refresher_cancel (fixture->refresher, podcast);
  ear_refresher_refresh (fixture->refresher, podcast, EAR_REFRESH_ONE);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
  g_assert_false (ear_podcast_get_refreshing (podcast));
  g_assert_cmpuint (refresher_fixture_get_total (fixture), ==, 0);
}

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
follow_many (RefresherFixture *fixture, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%u.xml", i);
      g_autofree char *title = g_strdup_printf ("Podcast %u", i);

      refresher_fixture_put (fixture, path, title, 1, 5, NULL);
      refresher_fixture_follow (fixture, 1 + i % 20, path);
    }
}

/* Two hundred unchanged feeds: one request each, and a single write at the end */
static void
test_unchanged (RefresherFixture *fixture, gconstpointer data)
{
  const guint n = 200;
  guint signals_seen = 0;
  g_autoptr (GPtrArray) requests = NULL;
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  GStatBuf before, after;
  gint64 started;

  follow_many (fixture, n);
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  refresher_fixture_wait (fixture);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_catalogue_get_podcasts (fixture->catalogue), i);

      g_assert_no_error (ear_podcast_get_error (podcast));
      g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, 5);
    }

  g_signal_connect_swapped (fixture->catalogue, "episodes-inserted", G_CALLBACK (count_cb), &signals_seen);
  g_signal_connect_swapped (fixture->catalogue, "episodes-changed", G_CALLBACK (count_cb), &signals_seen);
  ear_test_server_clear_log (fixture->server);
  g_assert_cmpint (g_stat (log, &before), ==, 0);
  fixture->now += 3600;
  started = g_get_monotonic_time ();
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  refresher_fixture_wait (fixture);
  started = g_get_monotonic_time () - started;
  g_test_message ("%u feeds unchanged in %.0f ms", n, started / 1000.0);
  g_assert_cmpint (g_stat (log, &after), ==, 0);
  /* The write comes a second after the last answer, unless this thread was delayed for
   * longer. */
  if (started < G_USEC_PER_SEC)
    g_assert_cmpint (before.st_size, ==, after.st_size);

  requests = ear_test_server_dup_requests (fixture->server);
  g_assert_cmpuint (requests->len, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (((EarTestRequest *) g_ptr_array_index (requests, i))->status, ==, 304);
  g_assert_cmpuint (signals_seen, ==, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_catalogue_get_podcasts (fixture->catalogue), i);

      g_assert_cmpint (ear_podcast_get_checked (podcast), ==, fixture->now);
    }
}

/* Bytes in use. Blocks in the allocator's per-thread caches would count as such, so the
 * test disables those. */
static gsize
get_used (void)
{
  return mallinfo2 ().uordblks + mallinfo2 ().hblkhd;
}

static void
test_memory (RefresherFixture *fixture, gconstpointer data)
{
  const guint n = 20, rounds = 100;
  gsize before = G_MAXSIZE, after = G_MAXSIZE;

  follow_many (fixture, n);
  for (guint round = 0; round < rounds; round++)
    {
      /* In each third round half of the feeds have changed, without new episodes. */
      for (guint i = 0; round % 3 == 0 && i < n / 2; i++)
        {
          g_autofree char *path = g_strdup_printf ("/%u.xml", i);
          g_autofree char *title = g_strdup_printf ("Podcast %u", i);
          g_autofree char *head = g_strdup_printf ("<generator>%03u</generator>", round);

          refresher_fixture_put (fixture, path, title, 1, 5, head);
        }
      fixture->now += 3600;
      ear_test_server_clear_log (fixture->server);
      ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
      refresher_fixture_wait (fixture);
      ear_test_server_wait_idle (fixture->server, 10000);
      ear_test_server_clear_log (fixture->server);
      /* The minimum of some rounds: a connection that is being closed is no leak. */
      if (round >= 5 && round < 15)
        before = MIN (before, get_used ());
      else if (round >= rounds - 10)
        after = MIN (after, get_used ());
    }
  g_test_message ("%" G_GSIZE_FORMAT " bytes in use at first, %" G_GSIZE_FORMAT " after %u rounds", before, after, rounds);
  /* A leak of a hundred bytes per check would be 160 kB by now. A decompressor has 43 kB,
   * and one or two of them may stay with an idle connection. */
  g_assert_cmpuint (after, <, before + 110 * 1024);
}

/* --- New media URLs ----------------------------------------------------------------- */

static void
put_signed_feed (RefresherFixture *fixture, const char *token)
{
  g_autofree char *feed = g_strdup_printf (
      "<rss version=\"2.0\"><channel><title>Lamps</title><item><guid>lamp-1</guid><title>Lamp "
      "1</title>"
      "<pubDate>Mon, 01 Jan 2024 12:00:00 +0000</pubDate>"
      "<enclosure url=\"/1.mp3?token=%s\" type=\"audio/mpeg\" "
      "length=\"1000\"/></item></channel></rss>",
      token);

  ear_test_server_put (fixture->server, "/a.xml", "application/rss+xml", feed);
}

/* @address: (out): the media address of the returned episode */
static EarEpisode *
dup_signed_episode (RefresherFixture *fixture, char **address)
{
  EarPodcast *podcast;
  EarEpisode *episode;

  put_signed_feed (fixture, "one");
  podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  refresher_fixture_refresh (fixture, podcast);
  episode = ear_catalogue_dup_episode_by_guid (fixture->catalogue, podcast, "lamp-1");
  *address = g_strdup (ear_episode_get_enclosure (episode)->address);

  return episode;
}

static void
renewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **address = user_data;

  *address = ear_refresher_renew_address_finish (EAR_REFRESHER (source), result);
  if (*address == NULL)
    *address = g_strdup ("none");
}

static gboolean
is_answered (gpointer data)
{
  return *(char **) data != NULL;
}

static char *
renew (RefresherFixture *fixture,
       EarEpisode *episode,
       const char *refused,
       GCancellable *cancellable)
{
  char *address = NULL;

  ear_refresher_renew_address_async (fixture->refresher, episode, refused, cancellable, renewed_cb,
                                     &address);
  g_assert_true (refresher_fixture_wait_for (is_answered, &address));

  return address;
}

/* A signed URL has expired: the feed is fetched for a new one, once for all refused
 * episodes. */
static void
test_renew_address (RefresherFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *known = NULL;
  g_autofree char *same = NULL;
  g_autofree char *given_up = NULL;

  episode = dup_signed_episode (fixture, &first);
  g_assert_true (g_str_has_suffix (first, "/1.mp3?token=one"));

  put_signed_feed (fixture, "two");
  ear_test_server_clear_log (fixture->server);
  second = renew (fixture, episode, first, NULL);
  g_assert_true (g_str_has_suffix (second, "/1.mp3?token=two"));
  g_assert_cmpstr (ear_episode_get_enclosure (episode)->address, ==, second);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
  /* Some servers answer 304 though the tokens in the feed have changed. */
  {
    g_autoptr (EarTestRequest) request =
        ear_test_server_dup_last_request (fixture->server, "/a.xml");

    g_assert_null (ear_test_request_get_header (request, "If-None-Match"));
    g_assert_null (ear_test_request_get_header (request, "If-Modified-Since"));
  }

  /* The known URL is already newer, or the feed was just fetched, or the caller
   * canceled. */
  known = renew (fixture, episode, first, NULL);
  g_assert_cmpstr (known, ==, second);
  same = renew (fixture, episode, second, NULL);
  g_assert_cmpstr (same, ==, "none");
  g_cancellable_cancel (cancelled);
  given_up = renew (fixture, episode, second, cancelled);
  g_assert_cmpstr (given_up, ==, "none");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
}

/* A running refresh is reused; a canceled request gets no address at its end. */
static void
test_renew_while_refreshing (RefresherFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *given_up = NULL;

  episode = dup_signed_episode (fixture, &first);

  put_signed_feed (fixture, "two");
  ear_refresher_refresh (fixture->refresher, ear_episode_get_podcast (episode), EAR_REFRESH_ONE);
  ear_refresher_renew_address_async (fixture->refresher, episode, first, cancellable, renewed_cb,
                                     &given_up);
  g_cancellable_cancel (cancellable);
  second = renew (fixture, episode, first, NULL);
  g_assert_true (refresher_fixture_wait_for (is_answered, &given_up));
  g_assert_cmpstr (given_up, ==, "none");
  g_assert_true (g_str_has_suffix (second, "/1.mp3?token=two"));
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/a.xml"), ==, 2);
}

static gboolean
is_requested (gpointer data)
{
  RefresherFixture *fixture = data;

  return ear_test_server_count_requests (fixture->server, "/a.xml") == 1;
}

/* A running refresh finds an unchanged feed: the feed is fetched again, once for all waiting
 * requests, and whole. */
static void
test_renew_while_unchanged (RefresherFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *same = NULL;

  episode = dup_signed_episode (fixture, &first);

  ear_test_server_put_way (fixture->server, "/a.xml", "/~hold/~status=304/a.xml");
  ear_test_server_set_holding (fixture->server, TRUE);
  ear_test_server_clear_log (fixture->server);
  ear_refresher_refresh (fixture->refresher, ear_episode_get_podcast (episode), EAR_REFRESH_ONE);
  g_assert_true (refresher_fixture_wait_for (is_requested, fixture));
  ear_refresher_renew_address_async (fixture->refresher, episode, first, NULL, renewed_cb, &same);
  put_signed_feed (fixture, "two");
  ear_test_server_set_holding (fixture->server, FALSE);
  second = renew (fixture, episode, first, NULL);
  g_assert_true (g_str_has_suffix (second, "/1.mp3?token=two"));
  g_assert_true (refresher_fixture_wait_for (is_answered, &same));
  g_assert_cmpstr (same, ==, second);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/a.xml"), ==, 2);
}

/* A refresh that was stopped is not started again for a media address. */
static void
test_renew_while_stopped (RefresherFixture *fixture, gconstpointer data)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *first = NULL;
  g_autofree char *address = NULL;

  episode = dup_signed_episode (fixture, &first);
  ear_test_server_put_way (fixture->server, "/a.xml", "/~hold/a.xml");
  ear_test_server_set_holding (fixture->server, TRUE);
  ear_test_server_clear_log (fixture->server);
  ear_refresher_refresh (fixture->refresher, ear_episode_get_podcast (episode), EAR_REFRESH_ONE);
  g_assert_true (refresher_fixture_wait_for (is_requested, fixture));
  ear_refresher_renew_address_async (fixture->refresher, episode, first, NULL, renewed_cb,
                                     &address);
  ear_refresher_stop (fixture->refresher);
  g_assert_true (refresher_fixture_wait_for (is_answered, &address));
  g_assert_cmpstr (address, ==, "none");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
  ear_test_server_set_holding (fixture->server, FALSE);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD_REFRESHER_TEST ("/refresher/plain", test_plain);
  ADD_REFRESHER_TEST ("/refresher/permanent", test_permanent);
  ADD_REFRESHER_TEST ("/refresher/not-permanent", test_not_permanent);
  ADD_REFRESHER_TEST ("/refresher/gone", test_gone);
  ADD_REFRESHER_TEST ("/refresher/other-podcast", test_other_podcast);
  ADD_REFRESHER_TEST ("/refresher/rebuilt-podcast", test_rebuilt_podcast);
  ADD_REFRESHER_TEST ("/refresher/accepted-podcast", test_accepted_podcast);
  ADD_REFRESHER_TEST ("/refresher/retry-after", test_retry_after);
  ADD_REFRESHER_TEST ("/refresher/back-off-survives", test_back_off_survives);
  ADD_REFRESHER_TEST ("/refresher/return", test_return);
  ADD_REFRESHER_TEST ("/refresher/dead-hosts", test_dead_hosts);
  ADD_REFRESHER_TEST ("/refresher/again", test_again);
  ADD_REFRESHER_TEST ("/refresher/unchanged", test_unchanged);
  ADD_REFRESHER_TEST ("/refresher/memory", test_memory);
  ADD_REFRESHER_TEST ("/refresher/renew-address", test_renew_address);
  ADD_REFRESHER_TEST ("/refresher/renew-while-unchanged", test_renew_while_unchanged);
  ADD_REFRESHER_TEST ("/refresher/renew-while-stopped", test_renew_while_stopped);
  ADD_REFRESHER_TEST ("/refresher/renew-while-refreshing", test_renew_while_refreshing);

  return g_test_run ();
}
