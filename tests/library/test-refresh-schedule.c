/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

#include "ear-refresh-schedule.h"
#include "ear-test-network.h"
#include "ear-test-wait.h"

/* Automatic checks: the clock is set by hand, the network and the power profile are
 * simulated, and no test waits for a timer. */

#define HOUR 3600
#define DAY (24 * HOUR)

/* --- A simulated power profile ------------------------------------------------------ */

static gboolean
test_power_initable_init (GInitable *initable, GCancellable *cancellable, GError **error)
{
  return TRUE;
}

static void
test_power_initable_iface_init (GInitableIface *iface)
{
  iface->init = test_power_initable_init;
}

#define TEST_TYPE_POWER (test_power_get_type ())
G_DECLARE_FINAL_TYPE (TestPower, test_power, TEST, POWER, GObject)

struct _TestPower
{
  GObject parent_instance;
  gboolean saving;
};

static void
test_power_iface_init (GPowerProfileMonitorInterface *iface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestPower, test_power, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE, test_power_initable_iface_init)
                               G_IMPLEMENT_INTERFACE (G_TYPE_POWER_PROFILE_MONITOR, test_power_iface_init))

static void
test_power_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, TEST_POWER (object)->saving);
}

static void
test_power_class_init (TestPowerClass *klass)
{
  G_OBJECT_CLASS (klass)->get_property = test_power_get_property;
  g_object_class_override_property (G_OBJECT_CLASS (klass), 1, "power-saver-enabled");
}

static void
test_power_init (TestPower *self)
{
}

typedef struct
{
  EarTestNetwork *network;
  TestPower *power;
  EarRefreshSchedule *schedule;
} Made;

static void
make (RefresherFixture *fixture, Made *made, guint minutes)
{
  made->network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  made->power = g_object_new (TEST_TYPE_POWER, NULL);
  made->schedule = ear_refresh_schedule_new (fixture->refresher, G_NETWORK_MONITOR (made->network),
                                             G_POWER_PROFILE_MONITOR (made->power));
  g_object_set (made->schedule, "interval", minutes, NULL);
}

static void
made_clear (Made *made)
{
  ear_test_finalize (made->schedule);
  g_object_unref (made->network);
  g_object_unref (made->power);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Made, made_clear)

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

static guint
count_requests (RefresherFixture *fixture)
{
  return ear_test_server_count_requests (fixture->server, NULL);
}

/* At the start, an hour later, and not in between */
static void
test_hourly (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };
  gint64 next;

  follow_some (fixture, 3);
  make (fixture, &made, 60);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);

  /* The newest episodes are ten days old, so the next check is later than the setting. */
  next = ear_refresh_schedule_get_next (made.schedule);
  g_assert_cmpint (next, >=, fixture->now + HOUR);
  g_assert_cmpint (next, <=, fixture->now + 4 * HOUR);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);
  fixture->now = next;
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), >=, 1);
  refresher_fixture_wait (fixture);
  fixture->now = next + 2 * HOUR;
  ear_refresh_schedule_run (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), >=, 6);
  /* Automatic checks do not count as progress that the listener waits for. */
  g_assert_cmpuint (ear_refresher_get_total (fixture->refresher), ==, 0);
}

static void
test_never (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };

  follow_some (fixture, 2);
  make (fixture, &made, 0);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 2);
  fixture->now += 30 * DAY;
  g_assert_cmpint (ear_refresh_schedule_get_next (made.schedule), ==, G_MAXINT64);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);

  /* The interval is set while the schedule runs. */
  g_object_set (made.schedule, "interval", 60, NULL);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 2);
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
  g_auto (Made) made = { 0 };

  follow_some (fixture, 3);
  make (fixture, &made, 24 * 60);
  set_interval (fixture, 0, 15, 1);
  set_interval (fixture, 2, 0, 1);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);

  /* The newest episodes are ten days old: the shortest interval is a few hours. */
  fixture->now += 12 * HOUR;
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 1);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/0.xml"), ==, 2);
  fixture->now += 2 * DAY;
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 2);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.xml"), ==, 1);

  /* A start does not check it, either; without its own interval it is due at once. */
  fixture->now += 2 * DAY;
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/1.xml"), ==, 3);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.xml"), ==, 1);
  set_interval (fixture, 2, -1, 2);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 1);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, "/2.xml"), ==, 2);
}

/* The computer was suspended for a week: all feeds are due. */
static void
test_after_sleep (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };

  follow_some (fixture, 50);
  make (fixture, &made, 60);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 50);
  ear_test_server_clear_log (fixture->server);

  fixture->now += 8 * DAY;
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 50);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 50);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);
}

static EarRefreshPause
get_pause (EarRefreshSchedule *schedule)
{
  EarRefreshPause pause;

  g_object_get (schedule, "pause", &pause, NULL);

  return pause;
}

static void
test_metered (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };
  EarPodcast *podcast;

  follow_some (fixture, 3);
  make (fixture, &made, 60);
  made.network->metered = TRUE;
  g_object_notify (G_OBJECT (made.network), "network-metered");
  g_assert_cmpint (get_pause (made.schedule), ==, EAR_REFRESH_PAUSE_METERED);

  /* New podcasts are fetched on a metered network, too: the listener is waiting for
   * them. */
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);

  fixture->now += 8 * DAY;
  g_assert_cmpint (ear_refresh_schedule_get_next (made.schedule), ==, G_MAXINT64);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);
  ear_refresh_schedule_start (made.schedule);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));

  /* Manual checks always run. */
  podcast = g_list_model_get_item (ear_catalogue_get_podcasts (fixture->catalogue), 0);
  refresher_fixture_refresh (fixture, podcast);
  g_assert_cmpuint (count_requests (fixture), ==, 4);
  g_object_unref (podcast);

  g_object_set (made.schedule, "on-metered", TRUE, NULL);
  g_assert_cmpint (get_pause (made.schedule), ==, EAR_REFRESH_PAUSE_NONE);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 2);
  refresher_fixture_wait (fixture);
}

static void
test_power_saver (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };

  follow_some (fixture, 3);
  make (fixture, &made, 60);
  made.power->saving = TRUE;
  g_object_notify (G_OBJECT (made.power), "power-saver-enabled");
  g_assert_cmpint (get_pause (made.schedule), ==, EAR_REFRESH_PAUSE_POWER);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (count_requests (fixture), ==, 3);
  fixture->now += 8 * DAY;
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);
  made.power->saving = FALSE;
  g_object_notify (G_OBJECT (made.power), "power-saver-enabled");
  g_assert_cmpint (get_pause (made.schedule), ==, EAR_REFRESH_PAUSE_NONE);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 3);
  refresher_fixture_wait (fixture);
}

/* An unreachable host is checked again soon, then less and less often, and at once when
 * the network comes back. */
static void
test_unreached (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };
  EarPodcast *podcast = refresher_fixture_follow (fixture, 1, "/~drop/a.xml");
  gint64 delay = 0, next;

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  make (fixture, &made, 60);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_UNREACHABLE);
  for (guint i = 0; i < 8; i++)
    {
      next = ear_refresh_schedule_get_next (made.schedule);
      g_assert_cmpint (next - fixture->now, >, delay);
      delay = next - fixture->now;
      g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);
      fixture->now = next;
      g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 1);
      refresher_fixture_wait (fixture);
    }
  g_assert_cmpint (delay, >, 600);

  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);
  g_signal_emit_by_name (made.network, "network-changed", TRUE);
  g_assert_true (ear_refresher_get_refreshing (fixture->refresher));
  refresher_fixture_wait (fixture);
}

/* An error of another domain, with the same code as "unreachable", has nothing to do with
 * the network. */
static void
test_not_unreached (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };
  EarPodcast *podcast = refresher_fixture_follow (fixture, 1, "/a.xml");
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, EAR_ERROR_UNREACHABLE, "Something else");

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  make (fixture, &made, 60);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  ear_podcast_set_error (podcast, error);
  g_signal_emit_by_name (made.network, "network-changed", TRUE);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));
}

/* After the listener stops a refresh, the next one does not start right away. */
static void
test_hold (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };

  follow_some (fixture, 3);
  make (fixture, &made, 60);
  ear_refresh_schedule_start (made.schedule);
  ear_refresh_schedule_stop (made.schedule);
  ear_refresher_cancel (fixture->refresher, NULL);
  refresher_fixture_wait (fixture);
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 0);
  fixture->now += HOUR;
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 3);
  refresher_fixture_wait (fixture);
}

/* A network change does not start it, either. */
static void
test_hold_and_network (RefresherFixture *fixture, gconstpointer data)
{
  g_auto (Made) made = { 0 };
  EarPodcast *podcast = refresher_fixture_follow (fixture, 1, "/~drop/a.xml");

  refresher_fixture_put (fixture, "/a.xml", "Lamps", 1, 5, NULL);
  make (fixture, &made, 60);
  ear_refresh_schedule_start (made.schedule);
  refresher_fixture_wait (fixture);
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, EAR_ERROR_UNREACHABLE);
  ear_refresh_schedule_stop (made.schedule);
  g_signal_emit_by_name (made.network, "network-changed", TRUE);
  g_assert_false (ear_refresher_get_refreshing (fixture->refresher));
  fixture->now += HOUR;
  g_assert_cmpuint (ear_refresh_schedule_run (made.schedule), ==, 1);
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
  ADD_REFRESHER_TEST ("/refresh-schedule/unreached/not", test_not_unreached);
  ADD_REFRESHER_TEST ("/refresh-schedule/hold", test_hold);
  ADD_REFRESHER_TEST ("/refresh-schedule/hold/network", test_hold_and_network);

  return g_test_run ();
}
