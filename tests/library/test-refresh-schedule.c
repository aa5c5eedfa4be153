/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-refresh-policy.h"
#include "refresher-fixture.h"

/* When feeds are due: the rules, which need no network and no time; and automatic checks, for
 * which the clock is set by hand, and the network and the power profile are simulated. No test
 * waits for a timer. */

#define NOW G_GINT64_CONSTANT (1800000000)
#define HOUR G_GINT64_CONSTANT (3600)
#define DAY (24 * HOUR)

/* The address of all feeds, from which the delay of one is derived */
#define FEED "https://example.org/feed"

static gboolean
is_due (const EarFeedCheck *check, EarRefreshReason reason, gint64 interval, gint64 now)
{
  const EarRefreshSubject subject = { .check = check, .address = FEED };

  return ear_refresh_policy_is_due (&subject, reason, interval, now);
}

static gint64
get_next (const EarFeedCheck *check, gint64 interval)
{
  const EarRefreshSubject subject = { .check = check, .address = FEED };

  return ear_refresh_policy_get_next (&subject, interval, NOW);
}

/* Records a failure, since which the server wants to be left alone for @retry_after. */
static void
note_failure (EarFeedCheck *check, EarError code, gint64 retry_after, gint64 now)
{
  ear_refresh_policy_note_failure (check, FEED, code, retry_after, now);
}

static void
test_interval (void)
{
  EarFeedCheck check = { .checked = NOW, .newest = NOW - HOUR };
  const EarRefreshSubject complete = { .check = &check, .address = FEED, .complete = TRUE };
  gint64 next = get_next (&check, HOUR);

  g_assert_cmpint (next, >=, NOW + HOUR);
  g_assert_cmpint (next, <=, NOW + HOUR + HOUR / 5);
  g_assert_false (is_due (&check, EAR_REFRESH_SCHEDULED, HOUR, next - 1));
  g_assert_true (is_due (&check, EAR_REFRESH_SCHEDULED, HOUR, next));
  g_assert_cmpint (get_next (&check, 0), ==, G_MAXINT64);

  /* A feed that was never checked is due. */
  check = (EarFeedCheck) { 0 };
  g_assert_cmpint (get_next (&check, HOUR), <=, NOW);

  /* A podcast without automatic checks is only checked at the start if it was never fetched. */
  g_assert_true (is_due (&check, EAR_REFRESH_START, 0, NOW));
  check = (EarFeedCheck){ .checked = NOW - DAY, .newest = NOW - DAY };
  g_assert_true (is_due (&check, EAR_REFRESH_START, HOUR, NOW));
  g_assert_false (is_due (&check, EAR_REFRESH_START, 0, NOW));
  g_assert_true (is_due (&check, EAR_REFRESH_ALL, 0, NOW));
  /* Only an unreachable one is checked again. */
  note_failure (&check, EAR_ERROR_UNREACHABLE, 0, NOW);
  g_assert_cmpint (get_next (&check, 0), ==, check.not_before);
  note_failure (&check, EAR_ERROR_NOT_FOUND, 0, NOW);
  g_assert_cmpint (get_next (&check, 0), ==, G_MAXINT64);

  /* Times recorded by a clock that was ahead do not delay the next check. */
  check = (EarFeedCheck){ .checked = NOW + 365 * DAY, .newest = NOW - 365 * DAY };
  g_assert_cmpint (get_next (&check, HOUR), <=, NOW);
  g_assert_true (is_due (&check, EAR_REFRESH_START, HOUR, NOW));
  g_assert_cmpint (get_next (&check, 0), ==, G_MAXINT64);
  g_assert_false (is_due (&check, EAR_REFRESH_START, 0, NOW));

  check = (EarFeedCheck){ .checked = NOW, .newest = NOW - DAY };
  g_assert_cmpint (ear_refresh_policy_get_next (&complete, HOUR, NOW), >=, NOW + 7 * DAY);
  g_assert_false (ear_refresh_policy_is_due (&complete, EAR_REFRESH_START, HOUR, NOW + DAY));
  g_assert_true (ear_refresh_policy_is_due (&complete, EAR_REFRESH_ONE, HOUR, NOW + 1));
}

/* A thousand feeds that were checked in one second are not due in one second again. */
static void
test_jitter (void)
{
  guint per_bucket[12] = { 0 };

  for (guint i = 0; i < 1200; i++)
    {
      g_autofree char *address = g_strdup_printf ("https://example.org/feeds/%u", i);
      EarFeedCheck check = { .checked = NOW, .newest = NOW };
      EarRefreshSubject subject = { .check = &check, .address = address };
      gint64 later = ear_refresh_policy_get_next (&subject, HOUR, NOW) - NOW - HOUR;

      g_assert_cmpint (later, >=, 0);
      per_bucket[MIN (later / 60, 11)]++;
    }
  for (guint i = 0; i < 12; i++)
    {
      g_assert_cmpuint (per_bucket[i], >, 50);
      g_assert_cmpuint (per_bucket[i], <, 170);
    }
}

static void
test_silence (void)
{
  static const struct
  {
    gint64 silent_for, delay;
  } table[] = {
    { DAY, HOUR },          { 50 * DAY, DAY / 2 },    { 100 * DAY, DAY },
    { 300 * DAY, 3 * DAY }, { 5000 * DAY, 7 * DAY },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      EarFeedCheck check = { .checked = NOW, .newest = NOW - table[i].silent_for };
      gint64 delay = get_next (&check, HOUR) - NOW;

      g_assert_cmpint (delay, >=, table[i].delay);
      g_assert_cmpint (delay, <=, table[i].delay + table[i].delay / 5);
      /* Feeds with a long interval are not checked at each start; manual checks always run. */
      g_assert_cmpint (is_due (&check, EAR_REFRESH_START, HOUR, NOW + 60), ==,
                       table[i].delay < 6 * HOUR);
      g_assert_true (is_due (&check, EAR_REFRESH_ALL, HOUR, NOW + 60));
      g_assert_true (is_due (&check, EAR_REFRESH_START, HOUR, NOW + table[i].delay + 1));
    }
}

/* Each failure in a row doubles the delay, up to a week; a success resets it. */
static void
test_back_off (void)
{
  static const struct
  {
    EarError code;
    gint64 first;
  } table[] = {
    { EAR_ERROR_UNREACHABLE, 10 }, { EAR_ERROR_TIMED_OUT, 10 },  { EAR_ERROR_INCOMPLETE, 10 },
    { EAR_ERROR_BUSY, 60 },        { EAR_ERROR_NOT_FOUND, 900 }, { EAR_ERROR_SERVER, 900 },
    { EAR_ERROR_WEB_PAGE, 900 },   { EAR_ERROR_FAILED, 900 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      EarFeedCheck check = { .checked = NOW - DAY, .etag = (char *) "\"1\"" };
      gint64 delay = table[i].first;

      for (guint n = 1; n < 40; n++, delay = MIN (2 * delay, 7 * DAY))
        {
          note_failure (&check, table[i].code, 0, NOW);
          g_assert_cmpuint (check.failures, ==, n);
          g_assert_cmpint (check.error, ==, table[i].code + 1);
          g_assert_cmpint (check.not_before, >=, NOW + delay);
          g_assert_cmpint (check.not_before, <=, NOW + delay + delay / 5);
          g_assert_cmpint (get_next (&check, HOUR), ==, check.not_before);
          g_assert_false (is_due (&check, EAR_REFRESH_START, HOUR, NOW + 1));
          g_assert_true (is_due (&check, EAR_REFRESH_ONE, HOUR, NOW + 1));
        }
      g_assert_cmpint (check.checked, ==, NOW - DAY);
      ear_refresh_policy_note_success (&check, NOW);
      g_assert_cmpuint (check.failures, ==, 0);
      g_assert_cmpint (check.error, ==, 0);
      g_assert_cmpint (check.not_before, ==, 0);
      g_assert_cmpint (check.checked, ==, NOW);
    }
}

/* Without a network, delays stay below five minutes, and a start checks the feed. */
static void
test_offline (void)
{
  EarFeedCheck check = { 0 };

  for (guint i = 0; i < 100; i++)
    note_failure (&check, EAR_ERROR_OFFLINE, 0, NOW);
  g_assert_cmpint (check.not_before, <=, NOW + 360);
  g_assert_cmpuint (check.failures, <, 10);
  g_assert_true (is_due (&check, EAR_REFRESH_START, HOUR, NOW + 1));
}

/* When a feed is checked again after a failure: as the server asks, but not if the failure has a
 * time in the future, from a clock that was ahead. */
static void
test_failures (void)
{
  static const struct
  {
    EarError code;
    gint64 retry_after, failed_at;
    EarRefreshReason reason;
    gint64 now;
    gboolean due;
  } table[] = {
    /* Retry-After also applies when the listener refreshes all podcasts. */
    { EAR_ERROR_BUSY, 2 * HOUR, 0, EAR_REFRESH_ALL, 2 * HOUR - 1, FALSE },
    { EAR_ERROR_BUSY, 2 * HOUR, 0, EAR_REFRESH_ALL, 2 * HOUR, TRUE },
    { EAR_ERROR_BUSY, 2 * HOUR, 0, EAR_REFRESH_ONE, 0, TRUE },
    { EAR_ERROR_BUSY, 7 * DAY, 0, EAR_REFRESH_SCHEDULED, 0, FALSE },
    /* A short Retry-After does not go below the minimum. */
    { EAR_ERROR_BUSY, 1, 0, EAR_REFRESH_ALL, 59, FALSE },
    { EAR_ERROR_GONE, 0, 0, EAR_REFRESH_ALL, 30 * DAY - 1, FALSE },
    { EAR_ERROR_GONE, 0, 0, EAR_REFRESH_ONE, DAY, TRUE },
    { EAR_ERROR_UNAUTHORIZED, 0, 0, EAR_REFRESH_SCHEDULED, 7 * DAY - 1, FALSE },
    { EAR_ERROR_UNAUTHORIZED, 0, 0, EAR_REFRESH_ALL, DAY, TRUE },
    { EAR_ERROR_GONE, 0, 365 * DAY, EAR_REFRESH_SCHEDULED, 0, TRUE },
    { EAR_ERROR_GONE, 0, 365 * DAY, EAR_REFRESH_START, 0, TRUE },
    { EAR_ERROR_GONE, 0, 365 * DAY, EAR_REFRESH_ALL, 0, TRUE },
    /* A clock that is set back by an hour does not count as wrong. */
    { EAR_ERROR_GONE, 0, HOUR, EAR_REFRESH_SCHEDULED, 0, FALSE },
    /* Some days suffice if no server has asked for a longer delay. */
    { EAR_ERROR_UNREACHABLE, 0, 3 * DAY, EAR_REFRESH_SCHEDULED, 0, TRUE },
    { EAR_ERROR_UNREACHABLE, 0, 3 * DAY, EAR_REFRESH_START, 0, TRUE },
    { EAR_ERROR_CERTIFICATE, 0, 3 * DAY, EAR_REFRESH_SCHEDULED, 0, TRUE },
    { EAR_ERROR_CERTIFICATE, 0, 3 * DAY, EAR_REFRESH_START, 0, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      EarFeedCheck check = { .checked = NOW - DAY };

      g_test_message ("row %" G_GSIZE_FORMAT, i);
      note_failure (&check, table[i].code, table[i].retry_after, NOW + table[i].failed_at);
      g_assert_cmpint (is_due (&check, table[i].reason, HOUR, NOW + table[i].now), ==,
                       table[i].due);
    }
}

/* --- Automatic checks --------------------------------------------------------------- */

/* Starts with an interval of so many minutes between checks. */
static void
start (Fixture *fixture, guint minutes)
{
  g_object_set (fixture->services.settings, "refresh-interval", minutes, NULL);
  ear_refresher_start (fixture->refresher, TRUE);
  wait_until_quiet (fixture);
}

/* Runs the scheduled checks, of which so many are due when the clock is set forward. */
static void
run_after (Fixture *fixture, gint64 seconds, guint n_due)
{
  const guint n_podcasts =
      g_list_model_get_n_items (ear_catalogue_get_podcasts (fixture->catalogue));
  guint n = 0;

  fixture->now += seconds;
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_SCHEDULED);
  for (guint i = 0; i < n_podcasts; i++)
    n += ear_podcast_get_refreshing (get_podcast (fixture, i));
  g_assert_cmpuint (n, ==, n_due);
  wait_until_quiet (fixture);
}

/* At the start, an hour later, and not in between */
static void
test_hourly (Fixture *fixture, gconstpointer data)
{
  follow_many (fixture, 3, 27);
  start (fixture, 60);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 3);

  /* The newest episodes are twelve days old, so the next check is later than the setting. */
  run_after (fixture, 0, 0);
  run_after (fixture, HOUR, 0);
  run_after (fixture, 3 * HOUR, 3);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 6);
  /* The computer was suspended for a week. */
  run_after (fixture, 8 * DAY, 3);
  run_after (fixture, 0, 0);
  /* The interval is changed while the schedule runs: never, and hourly again. */
  g_object_set (fixture->services.settings, "refresh-interval", 0, NULL);
  run_after (fixture, 30 * DAY, 0);
  g_object_set (fixture->services.settings, "refresh-interval", 60, NULL);
  run_after (fixture, 0, 3);
  /* Automatic checks do not count as progress that the listener waits for. */
  g_assert_cmpuint (ear_test_get_uint (fixture->refresher, "total"), ==, 0);
}

static void
set_interval (Fixture *fixture, guint position, int minutes, gint64 stamp)
{
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = minutes;
  settings.updated[EAR_PODCAST_SETTING_REFRESH_INTERVAL] = stamp;
  g_assert_true (
      ear_catalogue_set_settings (fixture->catalogue, get_podcast (fixture, position), &settings));
}

/* One podcast is checked more often than all others, another one only on request. */
static void
test_own_pace (Fixture *fixture, gconstpointer data)
{
  follow_many (fixture, 3, 27);
  set_interval (fixture, 0, 15, 1);
  set_interval (fixture, 2, 0, 1);
  start (fixture, 24 * 60);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 3);

  /* The newest episodes are ten days old: the shortest interval is a few hours. */
  run_after (fixture, 12 * HOUR, 1);
  g_assert_cmpuint (count_requests (fixture, "/0.xml"), ==, 2);
  run_after (fixture, 2 * DAY, 2);
  g_assert_cmpuint (count_requests (fixture, "/2.xml"), ==, 1);

  /* A start does not check it, either; without its own interval it is due at once. */
  fixture->now += 2 * DAY;
  ear_refresher_start (fixture->refresher, TRUE);
  wait_until_quiet (fixture);
  g_assert_cmpuint (count_requests (fixture, "/1.xml"), ==, 3);
  g_assert_cmpuint (count_requests (fixture, "/2.xml"), ==, 1);
  set_interval (fixture, 2, -1, 2);
  run_after (fixture, 0, 1);
  g_assert_cmpuint (count_requests (fixture, "/2.xml"), ==, 2);
}

static void
assert_pause (Fixture *fixture, EarRefreshPause expected)
{
  EarRefreshPause pause;

  g_object_get (fixture->refresher, "pause", &pause, NULL);
  g_assert_cmpint (pause, ==, expected);
}

/* A metered network pauses automatic checks. */
static void
test_paused (Fixture *fixture, gconstpointer data)
{
  follow_many (fixture, 3, 27);
  ear_test_network_set_metered (fixture->network, TRUE);
  assert_pause (fixture, EAR_REFRESH_PAUSE_METERED);

  /* New podcasts are fetched all the same: the listener is waiting for them. */
  start (fixture, 60);
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 3);

  run_after (fixture, 8 * DAY, 0);
  ear_refresher_start (fixture->refresher, TRUE);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));

  /* Manual checks always run. */
  refresh (fixture, get_podcast (fixture, 0));
  g_assert_cmpuint (count_requests (fixture, NULL), ==, 4);

  g_object_set (fixture->services.settings, "refresh-on-metered", TRUE, NULL);
  assert_pause (fixture, EAR_REFRESH_PAUSE_NONE);
  run_after (fixture, 0, 2);

  /* The power saver pauses automatic checks, too. */
  fixture->power->saving = TRUE;
  g_object_notify (G_OBJECT (fixture->power), "power-saver-enabled");
  assert_pause (fixture, EAR_REFRESH_PAUSE_POWER);
  run_after (fixture, 8 * DAY, 0);
  fixture->power->saving = FALSE;
  g_object_notify (G_OBJECT (fixture->power), "power-saver-enabled");
  assert_pause (fixture, EAR_REFRESH_PAUSE_NONE);
  run_after (fixture, 0, 3);
}

/* An unreachable host is checked less and less often, and at once when the network comes back. */
static void
test_unreached (Fixture *fixture, gconstpointer data)
{
  EarPodcast *podcast = follow (fixture, 1, "/~drop/a.xml");

  put_lamps (fixture, "/a.xml", 5);
  start (fixture, 60);
  assert_failed (podcast, EAR_ERROR_UNREACHABLE);
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (EarFeedCheck) failed = dup_check (fixture, podcast);

      g_assert_cmpint (failed->not_before, >, fixture->now);
      run_after (fixture, 0, 0);
      run_after (fixture, failed->not_before - fixture->now, 1);
    }

  run_after (fixture, 0, 0);
  g_signal_emit_by_name (fixture->network, "network-changed", TRUE);
  g_assert_true (ear_refresher_get_refreshing (fixture->refresher));
  wait_until_quiet (fixture);

  /* After the listener stops a refresh, a network change does not start it, either. */
  ear_refresher_stop (fixture->refresher);
  g_signal_emit_by_name (fixture->network, "network-changed", TRUE);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));
  g_autoptr (EarFeedCheck) check = dup_check (fixture, podcast);
  run_after (fixture, MAX (check->not_before - fixture->now, HOUR), 1);
}

/* After the listener stops a refresh, the next one does not start right away. */
static void
test_hold (Fixture *fixture, gconstpointer data)
{
  follow_many (fixture, 3, 27);
  g_object_set (fixture->services.settings, "refresh-interval", 60, NULL);
  ear_refresher_start (fixture->refresher, TRUE);
  ear_refresher_stop (fixture->refresher);
  wait_until_quiet (fixture);
  run_after (fixture, 0, 0);
  run_after (fixture, HOUR, 3);

  /* A clock that is set back does not prolong the pause. */
  fixture->now += 10 * DAY;
  ear_refresher_stop (fixture->refresher);
  run_after (fixture, 0, 0);
  run_after (fixture, -9 * DAY, 3);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/refresh-schedule/policy/interval", test_interval);
  g_test_add_func ("/refresh-schedule/policy/jitter", test_jitter);
  g_test_add_func ("/refresh-schedule/policy/silence", test_silence);
  g_test_add_func ("/refresh-schedule/policy/back-off", test_back_off);
  g_test_add_func ("/refresh-schedule/policy/offline", test_offline);
  g_test_add_func ("/refresh-schedule/policy/failures", test_failures);
  ADD_TEST ("/refresh-schedule/hourly", test_hourly);
  ADD_TEST ("/refresh-schedule/own-pace", test_own_pace);
  ADD_TEST ("/refresh-schedule/paused", test_paused);
  ADD_TEST ("/refresh-schedule/unreached", test_unreached);
  ADD_TEST ("/refresh-schedule/hold", test_hold);

  return g_test_run ();
}
