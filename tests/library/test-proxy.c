/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gst/gst.h>

#include "ear-library.h"
#include "ear-player-private.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"

/* No such host exists: its responses can only come from the proxy. */
#define FEED "http://podcasts.invalid/feed.xml"

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
resolver_lookup (GProxyResolver *resolver, const char *uri, GCancellable *cancellable, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (strstr (uri, "://127.0.0.1") != NULL)
    g_strv_builder_add (builder, "direct://");
  else
    g_strv_builder_take (builder, g_strdup_printf ("http://listener:secret@127.0.0.1:%u", proxy_port));

  return g_strv_builder_end (builder);
}

static void
resolver_lookup_async (GProxyResolver *resolver, const char *uri, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);

  g_task_return_pointer (task, resolver_lookup (resolver, uri, cancellable, NULL), (GDestroyNotify) g_strfreev);
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
  "<item><guid>1</guid><title>One</title><enclosure url=\"/tone.wav\" type=\"audio/x-wav\" length=\"1\"/></item></channel></rss>";

static const guint8 cover[] = {
  0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0,
  0x90, 0x77, 0x53, 0xde, 0, 0, 0, 12, 'I', 'D', 'A', 'T', 0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01,
  0x01, 0x00, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82,
};

static GMutex mutex;
static GString *asked; /* URLs requested from the proxy */
static GString *said;  /* the whole log */

/* Ten seconds of silence */
static GBytes *
make_audio (void)
{
  const guint32 rate = 8000, bytes = rate * 10 * 2;
  const guint32 values[] = { GUINT32_TO_LE (36 + bytes), GUINT32_TO_LE (16), GUINT32_TO_LE (rate), GUINT32_TO_LE (rate * 2), GUINT32_TO_LE (bytes) };
  const guint offsets[] = { 4, 16, 24, 28, 40 };
  guint8 *data = g_malloc0 (44 + bytes);

  memcpy (data, "RIFF....WAVEfmt ....\1\0\1\0........\2\0\20\0data....", 44);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    memcpy (data + offsets[i], &values[i], 4);

  return g_bytes_new_take (data, 44 + bytes);
}

static void
reply (GOutputStream *output, const char *type, GBytes *body)
{
  g_autofree char *head = g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
                                           type, g_bytes_get_size (body));

  if (g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL))
    g_output_stream_write_all (output, g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL, NULL, NULL);
}

/* Runs in a thread of its own. A proxy receives the whole URL. */
static gboolean
run_cb (GThreadedSocketService *service, GSocketConnection *connection, GObject *source, gpointer user_data)
{
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (connection));
  g_autofree char *line = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (GBytes) body = NULL;
  const char *type = "text/plain";

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
      body = g_bytes_new_static (cover, sizeof cover);
      type = "image/png";
    }
  else
    {
      body = make_audio ();
      type = "audio/x-wav";
    }
  reply (output, type, body);

  return TRUE;
}

static gboolean
was_asked (const char *address)
{
  g_autofree char *line = g_strconcat (address, "\n", NULL);
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

static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

static void
cover_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (EAR_COVER_CACHE (source), result, &error);

  g_assert_no_error (error);
  g_assert_nonnull (image);
  *(gboolean *) user_data = TRUE;
}

static void
play_first (EarLibrary *library, EarPodcast *podcast)
{
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL, EAR_SORT_NEWEST, NULL);
  g_autoptr (EarEpisodeList) list = ear_episode_list_new_with_query (ear_library_get_catalogue (library), query);
  g_autoptr (EarEpisode) episode = NULL;

  EAR_TEST_WAIT_UNTIL (g_list_model_get_n_items (G_LIST_MODEL (list)) == 1);
  episode = g_list_model_get_item (G_LIST_MODEL (list), 0);
  ear_playback_controller_play (ear_library_get_playback_controller (library), episode, NULL);
  EAR_TEST_WAIT_UNTIL (ear_player_get_state (ear_library_get_player (library)) == EAR_PLAYER_PLAYING);
}

static EarPodcast *
follow (EarLibrary *library, const char *address)
{
  EarPodcast *podcast = ear_subscriptions_follow (ear_library_get_subscriptions (library), address, NULL);

  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast) && ear_podcast_get_checked (podcast) > 0);
  g_assert_no_error (ear_podcast_get_error (podcast));

  return podcast;
}

/* Feed, cover and sound come through the system's proxy, whatever http_proxy says;
 * requests to this computer do not, and the proxy's password is not logged. */
static void
test_all (void)
{
  g_autofree char *folder = g_dir_make_tmp ("earmark-proxy-XXXXXX", NULL);
  g_autoptr (GSocketService) service = g_threaded_socket_service_new (8);
  g_autoptr (EarTestServer) server = ear_test_server_new ();
  g_autoptr (EarLibrary) library = ear_library_new (folder, folder);
  g_autoptr (GBytes) audio = make_audio ();
  g_autofree char *local = NULL;
  EarPodcast *podcast;
  gboolean done = FALSE;

  proxy_port = g_socket_listener_add_any_inet_port (G_SOCKET_LISTENER (service), NULL, NULL);
  g_assert_cmpuint (proxy_port, !=, 0);
  g_signal_connect (service, "run", G_CALLBACK (run_cb), NULL);
  g_socket_service_start (service);

  ear_player_set_sink (ear_library_get_player (library), make_sink_cb, NULL);
  g_assert_true (ear_library_open (library, NULL));
  ear_library_start (library, NULL);
  podcast = follow (library, FEED);
  g_assert_true (was_asked (FEED));
  ear_cover_cache_load_async (ear_library_get_covers (library), ear_podcast_get_facts (podcast)->image, EAR_COVER_LARGE, NULL,
                              cover_loaded_cb, &done);
  EAR_TEST_WAIT_UNTIL (done);
  g_assert_true (was_asked ("http://podcasts.invalid/cover.png"));
  play_first (library, podcast);
  g_assert_true (was_asked ("http://podcasts.invalid/tone.wav"));

  /* Requests to this computer bypass the proxy. */
  g_mutex_lock (&mutex);
  g_string_set_size (asked, 0);
  g_mutex_unlock (&mutex);
  g_assert_true (ear_test_server_start (server, NULL));
  ear_test_server_put (server, "/feed.xml", "application/rss+xml", feed);
  ear_test_server_put_bytes (server, "/tone.wav", "audio/x-wav", audio);
  local = ear_test_server_dup_url (server, 1, "/feed.xml");
  podcast = follow (library, local);
  play_first (library, podcast);
  g_assert_cmpuint (asked->len, ==, 0);

  library_fixture_close (&library);
  g_mutex_lock (&mutex);
  g_assert_null (strstr (said->str, "secret"));
  g_mutex_unlock (&mutex);
  g_socket_service_stop (service);
  ear_test_server_stop (server);
  ear_test_folder_remove (folder);
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
  g_io_extension_point_implement (G_PROXY_RESOLVER_EXTENSION_POINT_NAME, TEST_TYPE_RESOLVER, "test", 1000);
  g_assert_true (TEST_IS_RESOLVER (g_proxy_resolver_get_default ()));

  g_test_add_func ("/proxy/all", test_all);

  return g_test_run ();
}
