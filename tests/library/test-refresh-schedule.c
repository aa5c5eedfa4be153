/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

/* Automatic checks: the clock is set by hand, the network and the power profile are
 * simulated, and no test waits for a timer. */

#define HOUR 3600
#define DAY (24 * HOUR)

static void
follow_some (RefresherFixture *fixture, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%u.xml", i);
      g_autofree char *title = g_strdup_printf ("Podcast %u", i);

      refresher_fixture_put (fixture, path, title, 1, 27, NULL);
      refresher_fixture_follow (fixture, 1 + i % 20, path);
    }
}

/* Starts with an interval of so many minutes between checks. */
static void
start (RefresherFixture *fixture, guint minutes)
{
  g_object_set (fixture->refresher, "interval", minutes, NULL);
  ear_refresher_start (fixture->refresher, TRUE);
}

/* Returns the number of scheduled checks that are due, and starts them. */
static guint
run (RefresherFixture *fixture)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (fixture->catalogue);
  guint n = 0;

  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_SCHEDULED);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      n += ear_podcast_get_refreshing (podcast);
    }

  return n;
}

static guint
count_requests (RefresherFixture *fixture)
{
  return ear_test_server_count_requests (fixture->server, NULL);
}

/* At the start, an hour later, and not in between */
static void
test_hourly (RefresherFixture *fixture, gconstpointer data)
{
  follow_some (fixture, 3);
  start (fixture, 60);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);

  /* The newest episodes are twelve days old, so the next check is later than the setting. */
  g_assert_cmpuint (run (fixture), ==, 0);
  fixture->now += HOUR;
  g_assert_cmpuint (run (fixture), ==, 0);
  fixture->now += 3 * HOUR;
  g_assert_cmpuint (run (fixture), ==, 3);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 6);
  /* Automatic checks do not count as progress that the listener waits for. */
  g_assert_cmpuint (refresher_fixture_get_total (fixture), ==, 0);
}

static void
test_never (RefresherFixture *fixture, gconstpointer data)
{
  follow_some (fixture, 2);
  start (fixture, 0);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 2);
  fixture->now += 30 * DAY;
  g_assert_cmpuint (run (fixture), ==, 0);

  /* The interval is set while the schedule runs. */
  g_object_set (fixture->refresher, "interval", 60, NULL);
  g_assert_cmpuint (run (fixture), ==, 2);
  refresher_fixture_wait (fixture);
}

static void
set_interval (RefresherFixture *fixture, guint position, int minutes, gint64 stamp)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_catalogue_get_podcasts (fixture->catalogue), position);
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = minutes;
  settings.updated[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = stamp;
  g_assert_true (ear_catalogue_set_settings (fixture->catalogue, podcast, &settings));
}

/* One podcast is checked more often than all others, another one only on request. */
static void
test_own_pace (RefresherFixture *fixture, gconstpointer data)
{
  follow_some (fixture, 3);
  set_interval (fixture, 0, 15, 1);
  set_interval (fixture, 2, 0, 1);
  start (fixture, 24 * 60);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);

  /* The newest episodes are ten days old: the shortest interval is a few hours. */
  fixture->now += 12 * HOUR;
  g_assert_cmpuint (run (fixture), ==, 1);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/0.xml"), ==, 2);
  fixture->now += 2 * DAY;
  g_assert_cmpuint (run (fixture), ==, 2);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.xml"), ==, 1);

  /* A start does not check it, either; without its own interval it is due at once. */
  fixture->now += 2 * DAY;
  ear_refresher_start (fixture->refresher, TRUE);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/1.xml"), ==, 3);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.xml"), ==, 1);
  set_interval (fixture, 2, -1, 2);
  g_assert_cmpuint (run (fixture), ==, 1);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.xml"), ==, 2);
}

/* The computer was suspended for a week: all feeds are due. */
static void
test_after_sleep (RefresherFixture *fixture, gconstpointer data)
{
  follow_some (fixture, 50);
  start (fixture, 60);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 50);
  ear_test_server_clear_log (fixture->server);

  fixture->now += 8 * DAY;
  g_assert_cmpuint (run (fixture), ==, 50);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 50);
  g_assert_cmpuint (run (fixture), ==, 0);
}

static EarRefreshPause
get_pause (EarRefresher *refresher)
{
  EarRefreshPause pause;

  g_object_get (refresher, "pause", &pause, NULL);

  return pause;
}

static void
test_metered (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast;

  follow_some (fixture, 3);
  fixture->network->metered = TRUE;
  g_object_notify (G_OBJECT (fixture->network), "network-metered");
  g_assert_cmpint (get_pause (fixture->refresher), ==, EAR_REFRESH_PAUSE_METERED);

  /* New podcasts are fetched on a metered network, too: the listener is waiting for
   * them. */
  start (fixture, 60);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);

  fixture->now += 8 * DAY;
  g_assert_cmpuint (run (fixture), ==, 0);
  ear_refresher_start (fixture->refresher, TRUE);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));

  /* Manual checks always run. */
  podcast = g_list_model_get_item (ear_catalogue_get_podcasts (fixture->catalogue), 0);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (count_requests (fixture), ==, 4);
  g_object_unref (podcast);

  g_object_set (fixture->refresher, "on-metered", TRUE, NULL);
  g_assert_cmpint (get_pause (fixture->refresher), ==, EAR_REFRESH_PAUSE_NONE);
  g_assert_cmpuint (run (fixture), ==, 2);
  refresher_fixture_wait (fixture);
}

static void
test_power_saver (RefresherFixture *fixture, gconstpointer data)
{
  follow_some (fixture, 3);
  fixture->power->saving = TRUE;
  g_object_notify (G_OBJECT (fixture->power), "power-saver-enabled");
  g_assert_cmpint (get_pause (fixture->refresher), ==, EAR_REFRESH_PAUSE_POWER);
  start (fixture, 60);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
  fixture->now += 8 * DAY;
  g_assert_cmpuint (run (fixture), ==, 0);
  fixture->power->saving = FALSE;
  g_object_notify (G_OBJECT (fixture->power), "power-saver-enabled");
  g_assert_cmpint (get_pause (fixture->refresher), ==, EAR_REFRESH_PAUSE_NONE);
  g_assert_cmpuint (run (fixture), ==, 3);
  refresher_fixture_wait (fixture);
}

/* An unreachable host is checked again soon, then less and less often, and at once when
 * the network comes back. */
static void
test_unreached (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = refresher_fixture_follow (fixture, 1, "/~drop/a.xml");

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  start (fixture, 60);
  refresher_fixture_wait (fixture);
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_UNREACHABLE);
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (EarFeedCheck) check = refresher_fixture_dup_check (fixture, podcast);

      g_assert_cmpint (check->not_before, >, fixture->now);
      g_assert_cmpuint (run (fixture), ==, 0);
      fixture->now = check->not_before;
      g_assert_cmpuint (run (fixture), ==, 1);
      refresher_fixture_wait (fixture);
    }

  g_assert_cmpuint (run (fixture), ==, 0);
  g_signal_emit_by_name (fixture->network, "network-changed", TRUE);
  g_assert_true (ear_refresher_get_refreshing (fixture->refresher));
  refresher_fixture_wait (fixture);
}

/* After the listener stops a refresh, the next one does not start right away. */
static void
test_hold (RefresherFixture *fixture, gconstpointer data)
{
  follow_some (fixture, 3);
  start (fixture, 60);
  ear_refresher_stop (fixture->refresher);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (run (fixture), ==, 0);
  fixture->now += HOUR;
  g_assert_cmpuint (run (fixture), ==, 3);
  refresher_fixture_wait (fixture);
}

/* A clock that is set back does not prolong the pause. */
static void
test_hold_and_clock (RefresherFixture *fixture, gconstpointer data)
{
  follow_some (fixture, 3);
  g_object_set (fixture->refresher, "interval", 60, NULL);
  fixture->now += 10 * DAY;
  ear_refresher_stop (fixture->refresher);
  g_assert_cmpuint (run (fixture), ==, 0);
  fixture->now -= 10 * DAY;
  g_assert_cmpuint (run (fixture), ==, 3);
  refresher_fixture_wait (fixture);
}

/* A network change does not start it, either. */
static void
test_hold_and_network (RefresherFixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = refresher_fixture_follow (fixture, 1, "/~drop/a.xml");

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  start (fixture, 60);
  refresher_fixture_wait (fixture);
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_UNREACHABLE);
  ear_refresher_stop (fixture->refresher);
  g_signal_emit_by_name (fixture->network, "network-changed", TRUE);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));
  fixture->now += HOUR;
  g_assert_cmpuint (run (fixture), ==, 1);
  refresher_fixture_wait (fixture);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD_REFRESHER_TEST ("/refresh-schedule/hourly", test_hourly);
  ADD_REFRESHER_TEST ("/refresh-schedule/never", test_never);
  ADD_REFRESHER_TEST ("/refresh-schedule/own-pace", test_own_pace);
  ADD_REFRESHER_TEST ("/refresh-schedule/after-sleep", test_after_sleep);
  ADD_REFRESHER_TEST ("/refresh-schedule/metered", test_metered);
  ADD_REFRESHER_TEST ("/refresh-schedule/power-saver", test_power_saver);
  ADD_REFRESHER_TEST ("/refresh-schedule/unreached", test_unreached);
  ADD_REFRESHER_TEST ("/refresh-schedule/hold", test_hold);
  ADD_REFRESHER_TEST ("/refresh-schedule/hold/clock", test_hold_and_clock);
  ADD_REFRESHER_TEST ("/refresh-schedule/hold/network", test_hold_and_network);

  return g_test_run ();
}
