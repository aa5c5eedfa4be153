/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "ear-test-made.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "playing-fixture.h"

/* No such host exists: its responses can only come from the proxy. */
#define HOST "http://podcasts.invalid"

/* --- The system's proxy settings ---------------------------------------------------- */

static guint16 proxy_port;

#define TEST_TYPE_RESOLVER (test_resolver_get_type ())
G_DECLARE_FINAL_TYPE (TestResolver, test_resolver, TEST, RESOLVER, GObject)

struct _TestResolver
{
  GObject parent_instance;
};

static gboolean
resolver_is_supported (GProxyResolver *resolver)
{
  return TRUE;
}

/* The default of desktops: no proxy for this computer */
static char **
resolver_lookup (GProxyResolver *resolver, const char *uri, GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (strstr (uri, "://127.0.0.1") != NULL)
    g_strv_builder_add (builder, "direct://");
  else
    g_strv_builder_take (builder,
                         g_strdup_printf ("http://listener:secret@127.0.0.1:%u", proxy_port));

  return g_strv_builder_end (builder);
}

static void
resolver_lookup_async (GProxyResolver *resolver, const char *uri, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);

  g_task_return_pointer (task, resolver_lookup (resolver, uri, cancellable, NULL),
                         (GDestroyNotify) g_strfreev);
}

static char **
resolver_lookup_finish (GProxyResolver *resolver, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
resolver_iface_init (GProxyResolverInterface *iface)
{
  iface->is_supported = resolver_is_supported;
  iface->lookup = resolver_lookup;
  iface->lookup_async = resolver_lookup_async;
  iface->lookup_finish = resolver_lookup_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestResolver, test_resolver, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_PROXY_RESOLVER, resolver_iface_init))

static void
test_resolver_class_init (TestResolverClass *klass)
{
}

static void
test_resolver_init (TestResolver *self)
{
}

/* --- The proxy ---------------------------------------------------------------------- */

static const char feed[] =
    "<rss version=\"2.0\"><channel><title>P</title><image><url>/cover.png</url></image>"
    "<item><guid>1</guid><title>One</title><enclosure url=\"/tone.wav\" type=\"audio/x-wav\" "
    "length=\"1\"/></item></channel></rss>";

static GMutex mutex;
static GString *asked; /* URLs requested from the proxy */
static GString *said;  /* the whole log */

/* Runs in a thread of its own. A proxy receives the whole URL. */
static gboolean
run_cb (GThreadedSocketService *service, GSocketConnection *connection, GObject *source,
        gpointer user_data)
{
  g_autoptr (GDataInputStream) input =
      g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (connection));
  g_autofree char *line = NULL;
  g_autofree char *head = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (GBytes) body = NULL;
  const char *type;

  g_data_input_stream_set_newline_type (input, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
  line = g_data_input_stream_read_line (input, NULL, NULL, NULL);
  if (line == NULL)
    return TRUE;
  while (TRUE)
    {
      g_autofree char *header = g_data_input_stream_read_line (input, NULL, NULL, NULL);

      if (header == NULL || *header == '\0')
        break;
    }
  words = g_strsplit (line, " ", 3);
  g_assert_cmpuint (g_strv_length (words), ==, 3);
  g_mutex_lock (&mutex);
  g_string_append_printf (asked, "%s\n", words[1]);
  g_mutex_unlock (&mutex);
  if (g_str_has_suffix (words[1], "/feed.xml"))
    {
      body = g_bytes_new_static (feed, strlen (feed));
      type = "application/rss+xml";
    }
  else if (g_str_has_suffix (words[1], "/cover.png"))
    {
      body = ear_test_made_picture (1, 0);
      type = "image/png";
    }
  else
    {
      body = ear_test_made_sound (10);
      type = "audio/x-wav";
    }
  head = g_strdup_printf (
      "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
      type, g_bytes_get_size (body));
  if (g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL))
    g_output_stream_write_all (output, g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL,
                               NULL, NULL);

  return TRUE;
}

static gboolean
was_asked (const char *path)
{
  g_autofree char *line = g_strconcat (HOST, path, "\n", NULL);
  gboolean was;

  g_mutex_lock (&mutex);
  was = strstr (asked->str, line) != NULL;
  g_mutex_unlock (&mutex);

  return was;
}

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

static void
cover_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image =
      ear_cover_cache_load_finish (EAR_COVER_CACHE (source), result, &error);

  g_assert_no_error (error);
  g_assert_nonnull (image);
  *(gboolean *) user_data = TRUE;
}

/* Follows the podcast at this address, and plays its only episode. */
static EarPodcast *
follow_and_play (Fixture *fixture, const char *address)
{
  EarPodcast *podcast = ear_subscriptions_follow (fixture->parts->subscriptions, address, NULL);
  g_autoptr (EarEpisode) episode = NULL;

  EAR_TEST_WAIT_UNTIL (is_at_rest (fixture) && ear_podcast_get_checked (podcast) > 0);
  g_assert_no_error (ear_podcast_get_error (podcast));
  episode = dup_by_guid (fixture, podcast, "1");
  ear_playback_controller_play (fixture->parts->playback_controller, episode, NULL);
  EAR_TEST_WAIT_UNTIL (is_playing (fixture, episode));

  return podcast;
}

/* Feed, cover and sound come through the system's proxy, whatever http_proxy says;
 * requests to this computer do not, and the proxy's password is not logged. */
static void
test_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketService) service = g_threaded_socket_service_new (8);
  g_autoptr (GBytes) sound = ear_test_made_sound (10);
  g_autofree char *local = ear_test_server_dup_url (fixture->server, 1, "/feed.xml");
  EarPodcast *podcast;
  gboolean done = FALSE;

  proxy_port = g_socket_listener_add_any_inet_port (G_SOCKET_LISTENER (service), NULL, NULL);
  g_assert_cmpuint (proxy_port, !=, 0);
  g_signal_connect (service, "run", G_CALLBACK (run_cb), NULL);
  g_socket_service_start (service);

  open_library (fixture, NULL);
  fixture->player = fixture->parts->player;
  play_silently (fixture->player);
  podcast = follow_and_play (fixture, HOST "/feed.xml");
  ear_cover_cache_load_async (fixture->parts->covers, ear_podcast_get_facts (podcast)->image,
                              EAR_COVER_LARGE, NULL, cover_loaded_cb, &done);
  EAR_TEST_WAIT_UNTIL (done);
  g_assert_true (was_asked ("/feed.xml"));
  g_assert_true (was_asked ("/tone.wav"));
  g_assert_true (was_asked ("/cover.png"));

  /* Requests to this computer bypass the proxy. */
  g_mutex_lock (&mutex);
  g_string_set_size (asked, 0);
  g_mutex_unlock (&mutex);
  put_text (fixture, "/feed.xml", feed);
  ear_test_server_put_bytes (fixture->server, "/tone.wav", "audio/x-wav", sound);
  follow_and_play (fixture, local);
  g_assert_cmpuint (asked->len, ==, 0);

  close_library (fixture);
  g_mutex_lock (&mutex);
  g_assert_null (strstr (said->str, "secret"));
  g_mutex_unlock (&mutex);
  g_socket_service_stop (service);
}

int
main (int argc, char *argv[])
{
  /* Set before the first use of the resolver and the log */
  g_setenv ("GIO_USE_PROXY_RESOLVER", "test", TRUE);
  g_setenv ("http_proxy", "http://127.0.0.1:1", TRUE);
  asked = g_string_new (NULL);
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
