/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

#include "ear-test-wait.h"

#include <glib/gstdio.h>

/* Upper limit for every wait, for slow machines too */
#define TIMEOUT (60 * G_USEC_PER_SEC)

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

/* One address for each host of a test */
#define ADDRESSES 60

static gint64
read_clock (gpointer user_data)
{
  return ((RefresherFixture *) user_data)->now;
}

void
refresher_fixture_open (RefresherFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->catalogue = ear_catalogue_open (fixture->path, &error);
  g_assert_no_error (error);
  fixture->http = ear_http_new ("Earmark/0.1.0 (+https://example.org/earmark)");
  fixture->keyring = ear_keyring_new ();
  ear_http_set_keyring (fixture->http, fixture->keyring);
  fixture->refresher = ear_refresher_new (fixture->catalogue, fixture->http, fixture->keyring,
                                          G_NETWORK_MONITOR (fixture->network), G_POWER_PROFILE_MONITOR (fixture->power));
  ear_refresher_set_clock (fixture->refresher, read_clock, fixture);
}

void
refresher_fixture_close (RefresherFixture *fixture)
{
  ear_refresher_cancel (fixture->refresher, NULL);
  refresher_fixture_wait (fixture);
  ear_test_finalize (g_steal_pointer (&fixture->refresher));
  ear_http_stop (fixture->http);
  g_clear_object (&fixture->http);
  g_clear_object (&fixture->keyring);
  ear_catalogue_close (fixture->catalogue);
  g_clear_object (&fixture->catalogue);
}

void
refresher_fixture_set_up (RefresherFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-refresher-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "catalogue.db", NULL);
  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, ADDRESSES);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  /* The latest episode that refresher_fixture_put() makes is of that day. */
  fixture->now = 1704067200 + 40 * 86400;
  fixture->network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  fixture->power = g_object_new (TEST_TYPE_POWER, NULL);
  refresher_fixture_open (fixture);
}

void
refresher_fixture_tear_down (RefresherFixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  refresher_fixture_close (fixture);
  g_object_unref (fixture->network);
  g_object_unref (fixture->power);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  folder = g_dir_open (fixture->folder, 0, NULL);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

EarPodcast *
refresher_fixture_follow (RefresherFixture *fixture, guint address, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, address, path);

  return ear_catalogue_follow (fixture->catalogue, url, NULL);
}

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

gboolean
refresher_fixture_wait_for (gboolean (*done) (gpointer data), gpointer data)
{
  gint64 end = g_get_monotonic_time () + TIMEOUT;
  guint tick = g_timeout_add (10, tick_cb, NULL);
  gboolean met;

  while (!(met = done (data)) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);

  return met;
}

static gboolean
is_quiet (gpointer data)
{
  return !ear_refresher_get_refreshing (((RefresherFixture *) data)->refresher);
}

void
refresher_fixture_wait (RefresherFixture *fixture)
{
  g_assert_true (refresher_fixture_wait_for (is_quiet, fixture));
}

void
refresher_fixture_refresh (RefresherFixture *fixture, EarPodcast *podcast)
{
  ear_refresher_refresh (fixture->refresher, podcast, EAR_REFRESH_ONE);
  refresher_fixture_wait (fixture);
}

guint
refresher_fixture_get_total (RefresherFixture *fixture)
{
  guint total;

  g_object_get (fixture->refresher, "total", &total, NULL);

  return total;
}

EarFeedCheck *
refresher_fixture_dup_check (RefresherFixture *fixture, EarPodcast *podcast)
{
  return ear_catalogue_dup_check (fixture->catalogue, podcast);
}

void
refresher_fixture_put (RefresherFixture *fixture, const char *path, const char *title, guint first, guint last,
                       const char *head)
{
  g_autoptr (GString) feed = g_string_new (NULL);

  g_string_append_printf (feed,
                          "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
                          " xmlns:atom=\"http://www.w3.org/2005/Atom\" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"><channel><title>%s</title>%s",
                          title, head != NULL ? head : "");
  for (guint i = last; i >= first && i > 0; i--)
    g_string_append_printf (feed,
                            "<item><guid>%s-%u</guid><title>%s, part %u</title><pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                            "<enclosure url=\"/audio/%u/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>\n",
                            title, i, title, i, 1 + i % 28, g_str_hash (title), i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->server, path, "application/rss+xml", feed->str);
}
