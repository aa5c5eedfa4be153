/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "refresher-fixture.h"

#include "ear-error.h"
#include "ear-test-folder.h"

G_DEFINE_FINAL_TYPE_WITH_CODE (TestPower, test_power, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_INITABLE, NULL)
                                   G_IMPLEMENT_INTERFACE (G_TYPE_POWER_PROFILE_MONITOR, NULL))

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

static void
open_refresher (Fixture *fixture)
{
  EarServices *services = &fixture->services;
  g_autoptr (GError) error = NULL;

  fixture->catalogue = ear_catalogue_read (fixture->path, g_main_context_default (), &error);
  g_assert_no_error (error);
  ear_catalogue_begin (fixture->catalogue);
  services->catalogue = fixture->catalogue;
  services->podcasts = g_object_ref (ear_catalogue_get_podcasts (fixture->catalogue));
  services->http = ear_http_new ("Earmark/0.1.0 (+https://example.org/earmark)");
  services->keyring = ear_keyring_new ();
  ear_http_set_keyring (services->http, services->keyring);
  services->network = g_object_ref (G_NETWORK_MONITOR (fixture->network));
  services->settings = ear_settings_new ();
  fixture->refresher = ear_refresher_new (services, G_POWER_PROFILE_MONITOR (fixture->power));
  ear_refresher_set_clock (fixture->refresher, &fixture->now);
}

static void
close_refresher (Fixture *fixture)
{
  ear_refresher_cancel (fixture->refresher, NULL);
  wait_until_quiet (fixture);
  ear_test_finalize (g_steal_pointer (&fixture->refresher));
  ear_http_stop (fixture->services.http);
  ear_catalogue_close (fixture->catalogue);
  ear_services_clear (&fixture->services);
}

void
open_again (Fixture *fixture)
{
  close_refresher (fixture);
  open_refresher (fixture);
}

void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-refresher-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "catalogue.db", NULL);
  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, ADDRESSES);
  g_assert_true (ear_test_server_start (fixture->server, &error));
  g_assert_no_error (error);
  /* The latest episode that put_feed() makes is of that day. */
  fixture->now = 1704067200 + 40 * 86400;
  fixture->network = g_object_new (EAR_TEST_TYPE_NETWORK, NULL);
  fixture->power = g_object_new (TEST_TYPE_POWER, NULL);
  open_refresher (fixture);
}

void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_refresher (fixture);
  g_object_unref (fixture->network);
  g_object_unref (fixture->power);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

void
put_text (Fixture *fixture, const char *path, const char *text)
{
  ear_test_server_put (fixture->server, path, "application/rss+xml", text);
}

/* Serves a feed of the episodes `first` to `last`; `head` is added to its channel. */
void
put_feed (Fixture *fixture, const char *path, const char *title, guint first, guint last,
          const char *head)
{
  g_autoptr (GString) feed = g_string_new (NULL);

  g_string_append_printf (feed,
                          "<?xml version=\"1.0\"?><rss version=\"2.0\""
                          " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""
                          " xmlns:atom=\"http://www.w3.org/2005/Atom\""
                          " xmlns:podcast=\"https://podcastindex.org/namespace/1.0\">"
                          "<channel><title>%s</title>%s",
                          title, head != NULL ? head : "");
  for (guint i = last; i >= first && i > 0; i--)
    g_string_append_printf (
        feed,
        "<item><guid>%s-%u</guid><title>%s, part %u</title>"
        "<pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
        "<enclosure url=\"/audio/%u/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>\n",
        title, i, title, i, 1 + i % 28, g_str_hash (title), i);
  g_string_append (feed, "</channel></rss>");
  put_text (fixture, path, feed->str);
}

/* Serves a feed of two episodes without dates, whose guids are those of another title. */
void
put_renamed (Fixture *fixture, const char *path, const char *title, const char *guids,
             const char *head)
{
  g_autofree char *feed =
      g_strdup_printf ("<rss version=\"2.0\"><channel><title>%s</title>%s"
                       "<item><guid>%s-6</guid><title>Six</title></item>"
                       "<item><guid>%s-5</guid><title>Five</title></item></channel></rss>",
                       title, head, guids, guids);

  put_text (fixture, path, feed);
}

/* Serves the podcast "Lamps" with so many episodes. */
void
put_lamps (Fixture *fixture, const char *path, guint n)
{
  put_feed (fixture, path, "Lamps", 1, n, NULL);
}

void
put_way (Fixture *fixture, const char *path, const char *way)
{
  ear_test_server_put_way (fixture->server, path, way);
}

/* Follows podcasts with the episodes up to `last`, on twenty hosts. */
void
follow_many (Fixture *fixture, guint n, guint last)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%u.xml", i);
      g_autofree char *title = g_strdup_printf ("Podcast %u", i);

      put_feed (fixture, path, title, 1, last, NULL);
      follow (fixture, 1 + i % 20, path);
    }
}

EarPodcast *
get_podcast (Fixture *fixture, guint position)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (fixture->catalogue);
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, position);

  return podcast;
}

EarPodcast *
follow (Fixture *fixture, guint address, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, address, path);

  return ear_catalogue_follow (fixture->catalogue, url, NULL);
}

/* Follows a podcast, and refreshes it once. */
EarPodcast *
fetch (Fixture *fixture, const char *path)
{
  EarPodcast *podcast = follow (fixture, 1, path);

  refresh (fixture, podcast);

  return podcast;
}

void
wait_until_quiet (Fixture *fixture)
{
  EAR_TEST_WAIT_UNTIL (!ear_refresher_get_refreshing (fixture->refresher));
}

void
refresh (Fixture *fixture, EarPodcast *podcast)
{
  ear_refresher_refresh (fixture->refresher, podcast, EAR_REFRESH_ONE);
  wait_until_quiet (fixture);
}

void
refresh_all (Fixture *fixture)
{
  ear_refresher_refresh_all (fixture->refresher, EAR_REFRESH_ALL);
  wait_until_quiet (fixture);
}

guint
count_requests (Fixture *fixture, const char *path)
{
  return ear_test_server_count_requests (fixture->server, path);
}

/* Returns the number of requests that a refresh of the podcast makes. */
guint
count_refreshed (Fixture *fixture, EarPodcast *podcast)
{
  ear_test_server_clear_log (fixture->server);
  refresh (fixture, podcast);

  return count_requests (fixture, NULL);
}

EarFeedCheck *
dup_check (Fixture *fixture, EarPodcast *podcast)
{
  return ear_catalogue_dup_check (fixture->catalogue, podcast);
}

void
assert_fetched (EarPodcast *podcast, const char *title, guint n_episodes)
{
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_assert_cmpstr (ear_podcast_get_title (podcast), ==, title);
  g_assert_cmpuint (ear_podcast_get_n_episodes (podcast), ==, n_episodes);
}

void
assert_failed (EarPodcast *podcast, int code)
{
  g_assert_error (ear_podcast_get_error (podcast), EAR_ERROR, code);
}

/* Asserts the URL at which the feed will be checked. */
void
assert_at (Fixture *fixture, EarPodcast *podcast, guint address, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, address, path);

  g_assert_cmpstr (ear_podcast_get_feed_address (podcast), ==, url);
}
