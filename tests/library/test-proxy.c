/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "ear-test-made.h"
#include "playing-fixture.h"

/* The system's proxy settings. For this computer there is no proxy, the default of desktops. */

#define TEST_TYPE_RESOLVER (test_resolver_get_type ())
G_DECLARE_FINAL_TYPE (TestResolver, test_resolver, TEST, RESOLVER, GSimpleProxyResolver)

struct _TestResolver
{
  GSimpleProxyResolver parent_instance;
};

static gboolean
resolver_is_supported (GProxyResolver *resolver)
{
  return TRUE;
}

static void
resolver_iface_init (GProxyResolverInterface *iface)
{
  iface->is_supported = resolver_is_supported;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestResolver, test_resolver, G_TYPE_SIMPLE_PROXY_RESOLVER,
                               G_IMPLEMENT_INTERFACE (G_TYPE_PROXY_RESOLVER, resolver_iface_init))

static void
test_resolver_class_init (TestResolverClass *klass)
{
}

static void
test_resolver_init (TestResolver *self)
{
}

/* No such host exists: its responses can only come from the proxy. */
#define HOST "podcasts.invalid"

static GMutex mutex;
static GString *said; /* the whole log */

static GLogWriterOutput
log_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  g_mutex_lock (&mutex);
  for (gsize i = 0; i < n_fields; i++)
    if (fields[i].length < 0)
      g_string_append_printf (said, "%s\n", (const char *) fields[i].value);
  g_mutex_unlock (&mutex);

  /* Debug messages would clutter the output of the test. */
  if ((level & (G_LOG_LEVEL_DEBUG | G_LOG_LEVEL_INFO)) != 0)
    return G_LOG_WRITER_HANDLED;

  return g_log_writer_default (level, fields, n_fields, user_data);
}

/* Serves a podcast with an episode and a cover. */
static void
put_podcast (EarTestServer *server)
{
  g_autoptr (GBytes) sound = ear_test_made_sound (10);
  g_autoptr (GBytes) picture = ear_test_made_picture (1, 0);

  ear_test_server_put (server, "/feed.xml", "application/rss+xml",
                       RSS ("P", "<image><url>/cover.png</url></image><item><guid>1</guid>"
                                 "<title>One</title><enclosure url=\"/tone.wav\""
                                 " type=\"audio/x-wav\" length=\"1\"/></item>"));
  ear_test_server_put_bytes (server, "/tone.wav", "audio/x-wav", sound);
  ear_test_server_put_bytes (server, "/cover.png", "image/png", picture);
}

/* Follows the podcast at this address, and plays its only episode. */
static EarPodcast *
follow_and_play (Fixture *fixture, const char *address)
{
  EarPodcast *podcast = ear_subscriptions_follow (fixture->parts->subscriptions, address, NULL);

  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture) && ear_podcast_get_checked (podcast) > 0);
  g_assert_no_error (ear_podcast_get_error (podcast));
  g_autoptr (EarEpisode) episode = dup_by_guid (fixture, podcast, "1");
  ear_playback_controller_play (fixture->parts->playback_controller, episode, NULL);
  EAR_TEST_WAIT_UNTIL (is_playing (fixture, episode));

  return podcast;
}

/* Feed, cover and sound come through the system's proxy, whatever http_proxy says;
 * requests to this computer do not, and the proxy's password is not logged. */
static void
test_all (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/feed.xml", "/cover.png", "/tone.wav" };
  char *this_computer[] = { (char *) "127.0.0.0/8", NULL };
  GSimpleProxyResolver *resolver = G_SIMPLE_PROXY_RESOLVER (g_proxy_resolver_get_default ());
  g_autoptr (EarTestServer) proxy = ear_test_server_new ();
  g_autofree char *local = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (ear_test_server_start (proxy, &error));
  g_assert_no_error (error);
  put_podcast (proxy);
  put_podcast (fixture->server);
  g_autofree char *proxy_address = ear_test_server_dup_url (proxy, 1, "");
  g_autofree char *with_login =
      g_strconcat ("http://listener:secret@", proxy_address + strlen ("http://"), NULL);
  g_simple_proxy_resolver_set_default_proxy (resolver, with_login);
  g_simple_proxy_resolver_set_ignore_hosts (resolver, this_computer);

  open_library (fixture, NULL);
  fixture->player = fixture->parts->player;
  play_silently (fixture->player);
  EarPodcast *podcast = follow_and_play (fixture, "http://" HOST "/feed.xml");
  EarCoverCache *covers = fixture->parts->covers;
  ear_cover_cache_load_async (covers, ear_podcast_get_facts (podcast)->image, EAR_COVER_LARGE, NULL,
                              ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (covers, result, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (EarTestRequest) request = ear_test_server_dup_last_request (proxy, paths[i]);

      g_test_message ("%s", paths[i]);
      g_assert_nonnull (request);
      g_assert_cmpstr (ear_test_request_get_header (request, "Host"), ==, HOST);
    }

  /* Requests to this computer bypass the proxy. */
  ear_test_server_clear_log (proxy);
  follow_and_play (fixture, local);
  g_assert_cmpuint (ear_test_server_count_requests (proxy, NULL), ==, 0);

  g_clear_object (&result);
  close_library (fixture);
  g_mutex_lock (&mutex);
  g_assert_null (strstr (said->str, "secret"));
  g_mutex_unlock (&mutex);
  ear_test_server_stop (proxy);
}

int
main (int argc, char *argv[])
{
  /* Set before the first use of the resolver and the log */
  g_setenv ("GIO_USE_PROXY_RESOLVER", "test", TRUE);
  g_setenv ("http_proxy", "http://127.0.0.1:1", TRUE);
  said = g_string_new (NULL);
  g_test_init (&argc, &argv, NULL);
  g_log_set_writer_func (log_cb, NULL, NULL);
  g_io_extension_point_register (G_PROXY_RESOLVER_EXTENSION_POINT_NAME);
  g_io_extension_point_implement (G_PROXY_RESOLVER_EXTENSION_POINT_NAME, TEST_TYPE_RESOLVER, "test",
                                  1000);
  g_assert_true (TEST_IS_RESOLVER (g_proxy_resolver_get_default ()));

  ADD_TEST ("/proxy/all", test_all);

  return g_test_run ();
}
