/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-server.h"

#include "ear-test-connections.h"
#include "ear-test-files.h"
#include "ear-test-log.h"
#include "ear-test-reply.h"
#include "ear-test-sender.h"
#include "ear-test-server-resources.h"

#include <libsoup/soup.h>
#include <string.h>

/* HTTP runs in a context of the server's thread, so that a test's main loop may
 * do anything, or nothing. Both sides share the files and the log, which have
 * their own locks. */
struct _EarTestServer
{
  GObject parent_instance;

  /* Settings, constant while the server runs */
  guint addresses;
  guint16 port;
  guint16 tls_port;
  gboolean warm;

  gint holding; /* atomic: hold responses with the wrapper ~hold */

  /* Owned */
  EarTestFiles *files;
  EarTestLog *log;
  char *base_url;
  char *tls_url;
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;

  /* Owned by the server's thread */
  SoupServer *soup;
  GCancellable *cancellable;
  EarTestConnections *connections;
};

G_DEFINE_FINAL_TYPE (EarTestServer, ear_test_server, G_TYPE_OBJECT)

/* Milliseconds between checks whether a held response may be sent */
#define HOLD_TICK 10

/* A response that is not sent at once */
typedef struct
{
  EarTestServer *server; /* borrowed: it outlives its context */
  SoupServerMessage *message;
  EarTestReply *reply; /* nullable once sent */
  EarTestRequest *request;
  GSourceFunc send;
} Pending;

static void
pending_free (gpointer data)
{
  Pending *pending = data;

  g_clear_object (&pending->message);
  g_clear_pointer (&pending->reply, ear_test_reply_free);
  g_clear_pointer (&pending->request, ear_test_request_unref);
  g_free (pending);
}

/* Counts the bytes of a message; freed when the message ends in any way. */
typedef struct
{
  EarTestLog *log;
  EarTestRequest *request;
} Counter;

static void
counter_free (gpointer  data,
              GClosure *closure)
{
  Counter *counter = data;

  ear_test_log_finish (counter->log, counter->request);
  g_object_unref (counter->log);
  ear_test_request_unref (counter->request);
  g_free (counter);
}

typedef struct
{
  EarTestLog *log;
  EarTestConnections *connections;
  char *host;
} Connected;

static char *
dup_host (GSocketAddress *address)
{
  return g_inet_address_to_string (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
}

static void
wrote_body_data_cb (SoupServerMessage *message,
                    guint              size,
                    gpointer           user_data)
{
  Counter *counter = user_data;

  ear_test_log_add_bytes (counter->log, counter->request, size);
}

static void
finished_cb (SoupServerMessage *message,
             gpointer           user_data)
{
  Counter *counter = user_data;

  ear_test_log_finish (counter->log, counter->request);
}

static void
send_well (Pending *pending)
{
  SoupServerMessage *message = pending->message;
  EarTestReply *reply = pending->reply;
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  SoupMessageBody *body = soup_server_message_get_response_body (message);

  /* Ranges are handled here; SoupServer would apply them again to a 200. */
  soup_message_headers_remove (soup_server_message_get_request_headers (message), "Range");
  soup_server_message_set_status (message, reply->status, ear_test_reply_get_phrase (reply->status));
  if (reply->chunked && !reply->head_only)
    soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  if (reply->body != NULL && g_bytes_get_size (reply->body) > 0)
    soup_message_body_append_bytes (body, reply->body);
  soup_message_body_complete (body);
}

static void
send_raw (Pending *pending)
{
  g_autoptr (GIOStream) stream = soup_server_message_steal_connection (pending->message);

  ear_test_sender_send (stream, g_steal_pointer (&pending->reply), pending->message, pending->server->log,
                        pending->request, pending->server->cancellable);
}

/* Runs later, because SoupServer still uses the connection in the callback
 * of the request. */
static gboolean
send_raw_cb (gpointer user_data)
{
  send_raw (user_data);

  return G_SOURCE_REMOVE;
}

static gboolean
send_well_cb (gpointer user_data)
{
  Pending *pending = user_data;

  send_well (pending);
  soup_server_message_unpause (pending->message);

  return G_SOURCE_REMOVE;
}

static gboolean
send_cb (gpointer user_data)
{
  Pending *pending = user_data;

  if (pending->reply->hold && g_atomic_int_get (&pending->server->holding))
    return G_SOURCE_CONTINUE;

  return pending->send (pending);
}

static void
send_later (Pending    *pending,
            GSourceFunc send)
{
  g_autoptr (GSource) source = g_timeout_source_new (MAX (pending->reply->delay, pending->reply->hold ? HOLD_TICK : 0));

  soup_server_message_pause (pending->message);
  pending->send = send;
  g_source_set_callback (source, send_cb, pending, pending_free);
  g_source_attach (source, pending->server->context);
}

static void
count_message (Pending *pending)
{
  Counter *counter = g_new0 (Counter, 1);

  counter->log = g_object_ref (pending->server->log);
  counter->request = ear_test_request_ref (pending->request);
  g_signal_connect (pending->message, "wrote-body-data", G_CALLBACK (wrote_body_data_cb), counter);
  g_signal_connect_data (pending->message, "finished", G_CALLBACK (finished_cb), counter, counter_free, 0);
}

static void
send_reply (Pending *pending)
{
  if (ear_test_reply_is_raw (pending->reply))
    {
      send_later (pending, send_raw_cb);
      return;
    }

  count_message (pending);
  if (pending->reply->delay > 0 || pending->reply->hold)
    {
      send_later (pending, send_well_cb);
      return;
    }

  send_well (pending);
  pending_free (pending);
}

static void
copy_header_cb (const char *name,
                const char *value,
                gpointer    user_data)
{
  EarTestRequest *request = user_data;

  g_hash_table_insert (request->headers, g_ascii_strdown (name, -1), g_strdup (value));
}

static EarTestRequest *
log_request (EarTestServer     *self,
             SoupServerMessage *message,
             const char        *host,
             gboolean           tls)
{
  GUri *uri = soup_server_message_get_uri (message);
  const char *query = g_uri_get_query (uri);
  g_autofree char *path = g_strconcat (g_uri_get_path (uri), query != NULL ? "?" : NULL, query, NULL);
  EarTestRequest *request = ear_test_request_new (soup_server_message_get_method (message), path, host, tls);

  soup_message_headers_foreach (soup_server_message_get_request_headers (message), copy_header_cb, request);
  ear_test_log_add (self->log, request);

  return request;
}

static void
request_cb (SoupServer        *soup,
            SoupServerMessage *message,
            const char        *path,
            GHashTable        *query,
            gpointer           user_data)
{
  EarTestServer *self = user_data;
  GSocketAddress *local = soup_server_message_get_local_address (message);
  g_autofree char *host = dup_host (local);
  Pending *pending = g_new0 (Pending, 1);
  EarTestExchange exchange = {
    .message = message,
    .files = self->files,
    .log = self->log,
    .host = host,
    .port = self->port,
    .tls_port = self->tls_port,
    .tls = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (local)) == self->tls_port,
  };

  pending->server = self;
  pending->message = g_object_ref (message);
  pending->request = log_request (self, message, host, exchange.tls);
  pending->reply = ear_test_reply_new (&exchange);
  if (!pending->reply->mute && !pending->reply->drop)
    ear_test_log_set_status (self->log, pending->request, pending->reply->status);
  send_reply (pending);
}

/* Any thread. */
static void
connection_gone_cb (gpointer user_data,
                    GObject *where_it_was)
{
  Connected *connected = user_data;

  ear_test_log_close_connection (connected->log, connected->host);
  ear_test_connections_remove (connected->connections, where_it_was);
  g_object_unref (connected->log);
  ear_test_connections_unref (connected->connections);
  g_free (connected->host);
  g_free (connected);
}

/* Emitted for each request, and when a connection starts to wait for its first. */
static void
request_started_cb (SoupServer        *soup,
                    SoupServerMessage *message,
                    gpointer           user_data)
{
  EarTestServer *self = user_data;
  GSocket *socket = soup_server_message_get_socket (message);
  Connected *connected;

  if (socket == NULL || !ear_test_connections_add (self->connections, socket))
    return;

  connected = g_new0 (Connected, 1);
  connected->log = g_object_ref (self->log);
  connected->connections = ear_test_connections_ref (self->connections);
  connected->host = dup_host (soup_server_message_get_local_address (message));
  ear_test_log_open_connection (self->log, connected->host);
  g_object_weak_ref (G_OBJECT (socket), connection_gone_cb, connected);
}

/* Creates sockets here, because those of SoupServer queue only ten waiting clients. */
static gboolean
listen_on (EarTestServer          *self,
           guint                   number,
           guint16                *port,
           SoupServerListenOptions options,
           GError                **error)
{
  g_autofree char *host = g_strdup_printf ("127.0.0.%u", number);
  g_autoptr (GSocketAddress) wanted = g_inet_socket_address_new_from_string (host, *port);
  g_autoptr (GSocketAddress) effective = NULL;
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return FALSE;

  g_socket_set_listen_backlog (socket, 512);
  if (!g_socket_bind (socket, wanted, TRUE, error) || !g_socket_listen (socket, error) ||
      !soup_server_listen_socket (self->soup, socket, options, error))
    {
      g_prefix_error (error, "cannot listen on %s port %u: ", host, *port);
      return FALSE;
    }
  effective = g_socket_get_local_address (socket, error);
  if (effective == NULL)
    return FALSE;
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (effective));

  return TRUE;
}

/* Without a TLS backend there is no https address. */
static GTlsCertificate *
load_certificate (void)
{
  g_autoptr (GBytes) pem = g_resource_lookup_data (ear_test_server_get_resource (),
                                                   "/io/github/earmark_app/Earmark/TestServer/untrusted.pem",
                                                   G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  if (!g_tls_backend_supports_tls (g_tls_backend_get_default ()))
    return NULL;

  return g_tls_certificate_new_from_pem (g_bytes_get_data (pem, NULL), g_bytes_get_size (pem), NULL);
}

static gboolean
open_server (EarTestServer *self,
             GError       **error)
{
  g_autoptr (GTlsCertificate) certificate = load_certificate ();

  self->soup = soup_server_new ("server-header", "earmark-test-server ", "raw-paths", TRUE, "tls-certificate", certificate, NULL);
  soup_server_add_handler (self->soup, NULL, request_cb, self, NULL);
  g_signal_connect (self->soup, "request-started", G_CALLBACK (request_started_cb), self);
  self->cancellable = g_cancellable_new ();
  self->connections = ear_test_connections_new ();

  for (guint i = 1; i <= self->addresses; i++)
    if (!listen_on (self, i, &self->port, 0, error))
      return FALSE;
  if (certificate != NULL && !listen_on (self, 1, &self->tls_port, SOUP_SERVER_LISTEN_HTTPS, error))
    return FALSE;

  g_free (self->base_url);
  self->base_url = g_strdup_printf ("http://127.0.0.1:%u", self->port);
  g_clear_pointer (&self->tls_url, g_free);
  if (certificate != NULL)
    self->tls_url = g_strdup_printf ("https://127.0.0.1:%u", self->tls_port);
  if (self->warm)
    ear_test_files_warm (self->files, self->base_url);

  return TRUE;
}

static gboolean
wake_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Runs the context until the connections that were shut down are freed; clients that wait
 * on purpose are left behind. */
static void
drain_connections (EarTestServer *self)
{
  g_autoptr (GSource) wake = g_timeout_source_new (10);
  gint64 end = g_get_monotonic_time () + 200 * 1000;

  g_source_set_callback (wake, wake_cb, NULL, NULL);
  g_source_attach (wake, self->context);
  while (ear_test_connections_count (self->connections) > 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (self->context, TRUE);
  g_source_destroy (wake);
}

static void
close_server (EarTestServer *self)
{
  g_cancellable_cancel (self->cancellable);
  ear_test_connections_shut (self->connections);
  drain_connections (self);
  /* Must come last: libsoup frees a connection whose TLS handshake is on another thread,
   * and crashes when the handshake ends. */
  soup_server_disconnect (self->soup);

  g_clear_object (&self->soup);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->connections, ear_test_connections_unref);
}

static gpointer
run_server (gpointer data)
{
  EarTestServer *self = data;

  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  close_server (self);
  g_main_context_pop_thread_default (self->context);

  return NULL;
}

/* Never runs in the caller's thread, unlike g_main_context_invoke() while
 * the loop starts. */
static void
run_in_thread (EarTestServer *self,
               GSourceFunc    callback)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, callback, self, NULL);
  g_source_attach (source, self->context);
}

static gboolean
quit_cb (gpointer user_data)
{
  EarTestServer *self = user_data;

  g_main_loop_quit (self->loop);

  return G_SOURCE_REMOVE;
}

static gboolean
shut_cb (gpointer user_data)
{
  EarTestServer *self = user_data;

  ear_test_connections_shut (self->connections);

  return G_SOURCE_REMOVE;
}

static void
ear_test_server_finalize (GObject *object)
{
  EarTestServer *self = EAR_TEST_SERVER (object);

  ear_test_server_stop (self);
  g_clear_object (&self->files);
  g_clear_object (&self->log);
  g_free (self->base_url);
  g_free (self->tls_url);

  G_OBJECT_CLASS (ear_test_server_parent_class)->finalize (object);
}

static void
ear_test_server_class_init (EarTestServerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_test_server_finalize;
}

static void
ear_test_server_init (EarTestServer *self)
{
  self->addresses = 1;
  self->holding = TRUE;
  self->files = ear_test_files_new ();
  self->log = ear_test_log_new ();
}

/**
 * ear_test_server_new:
 *
 * Returns: (transfer full): a server that is not started
 */
EarTestServer *
ear_test_server_new (void)
{
  return g_object_new (EAR_TYPE_TEST_SERVER, NULL);
}

/**
 * ear_test_server_set_root:
 * @self: a server that is not started
 * @directory: a folder to serve at `/`
 */
void
ear_test_server_set_root (EarTestServer *self,
                          const char    *directory)
{
  ear_test_files_mount (self->files, "", directory);
}

/**
 * ear_test_server_set_demo:
 * @self: a server that is not started
 * @directory: the built demo podcast, to serve at `/demo/`
 */
void
ear_test_server_set_demo (EarTestServer *self,
                          const char    *directory)
{
  ear_test_files_mount (self->files, "/demo", directory);
}

/**
 * ear_test_server_set_seed:
 * @self: a server that is not started
 * @path: an RSS feed to serve at `/seed/feed.xml` with sound and pictures from this
 *   server; at `/seed/local.xml` it also claims this server as its own address
 */
void
ear_test_server_set_seed (EarTestServer *self,
                          const char    *path)
{
  ear_test_files_set_seed (self->files, path);
}

/**
 * ear_test_server_set_audio:
 * @self: a server that is not started
 * @path: the sound of the seed's episodes; by default the demo's, else a beep a second
 */
void
ear_test_server_set_audio (EarTestServer *self,
                           const char    *path)
{
  ear_test_files_set_audio (self->files, path);
}

/**
 * ear_test_server_set_addresses:
 * @self: a server that is not started
 * @addresses: the number of addresses to listen on: 127.0.0.1, 127.0.0.2, ...
 */
void
ear_test_server_set_addresses (EarTestServer *self,
                               guint          addresses)
{
  g_return_if_fail (addresses >= 1 && addresses <= 254);

  self->addresses = addresses;
}

/**
 * ear_test_server_set_port:
 * @self: a server that is not started
 * @port: the port, or 0 for a free one
 */
void
ear_test_server_set_port (EarTestServer *self,
                          guint16        port)
{
  self->port = port;
}

/**
 * ear_test_server_set_warm:
 * @self: a server that is not started
 * @warm: whether to read and compress all files in advance, for measurements
 */
void
ear_test_server_set_warm (EarTestServer *self,
                          gboolean       warm)
{
  self->warm = warm;
}

/**
 * ear_test_server_set_log_file:
 * @self: a server
 * @path: a file to which a line of JSON is appended for each finished request
 * @error: return location for an error
 *
 * Returns: %FALSE if the file could not be opened
 */
gboolean
ear_test_server_set_log_file (EarTestServer *self,
                              const char    *path,
                              GError       **error)
{
  return ear_test_log_set_file (self->log, path, error);
}

/**
 * ear_test_server_start:
 * @self: a server that is not started
 * @error: return location for an error
 *
 * Serves on a thread of its own. A stopped server starts again on the same port.
 *
 * Returns: %FALSE if it could not listen
 */
gboolean
ear_test_server_start (EarTestServer *self,
                       GError       **error)
{
  gboolean opened;

  g_return_val_if_fail (self->thread == NULL, FALSE);

  self->context = g_main_context_new ();
  g_main_context_push_thread_default (self->context);
  opened = open_server (self, error);
  if (!opened)
    close_server (self);
  g_main_context_pop_thread_default (self->context);
  if (!opened)
    {
      g_clear_pointer (&self->context, g_main_context_unref);
      return FALSE;
    }

  self->loop = g_main_loop_new (self->context, FALSE);
  self->thread = g_thread_new ("test-server", run_server, self);

  return TRUE;
}

/**
 * ear_test_server_stop:
 * @self: a server
 *
 * Disconnects all clients and frees the port. Does nothing if the server is not running.
 */
void
ear_test_server_stop (EarTestServer *self)
{
  if (self->thread == NULL)
    return;

  run_in_thread (self, quit_cb);
  g_thread_join (g_steal_pointer (&self->thread));
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
}

/**
 * ear_test_server_get_base_url:
 * @self: a server that was started
 *
 * Returns: (transfer none): its URL, for example `http://127.0.0.1:8080`
 */
const char *
ear_test_server_get_base_url (EarTestServer *self)
{
  return self->base_url;
}

/**
 * ear_test_server_get_tls_url:
 * @self: a server that was started
 *
 * Returns: (transfer none) (nullable): its https URL, with an untrusted certificate;
 *   %NULL if GIO has no TLS
 */
const char *
ear_test_server_get_tls_url (EarTestServer *self)
{
  return self->tls_url;
}

/**
 * ear_test_server_dup_url:
 * @self: a server that was started
 * @address: number of one of its addresses, from 1
 * @path: a path that starts with "/"
 *
 * Returns: (transfer full): the URL
 */
char *
ear_test_server_dup_url (EarTestServer *self,
                         guint          address,
                         const char    *path)
{
  g_return_val_if_fail (address >= 1 && address <= self->addresses, NULL);

  return g_strdup_printf ("http://127.0.0.%u:%u%s", address, self->port, path);
}

/**
 * ear_test_server_put:
 * @self: a server
 * @path: the path
 * @type: (nullable): the Content-Type; guessed from @path if %NULL
 * @text: the content; `@BASE@` in it stands for the server's address
 *
 * Serves a text from memory, or replaces it, with a new entity tag and date.
 */
void
ear_test_server_put (EarTestServer *self,
                     const char    *path,
                     const char    *type,
                     const char    *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  ear_test_files_put (self->files, path, type, bytes);
}

/**
 * ear_test_server_put_bytes:
 * @self: a server
 * @path: the path
 * @type: (nullable): the Content-Type; guessed from @path if %NULL
 * @bytes: the content
 *
 * Like ear_test_server_put(), for binary content.
 */
void
ear_test_server_put_bytes (EarTestServer *self,
                           const char    *path,
                           const char    *type,
                           GBytes        *bytes)
{
  ear_test_files_put (self->files, path, type, bytes);
}

/**
 * ear_test_server_put_way:
 * @self: a server
 * @path: a path
 * @way: another path to serve there until content is put there, with wrappers,
 *   for example `/~status=410/a.xml`
 *
 * Changes the response of an address that clients already know.
 */
void
ear_test_server_put_way (EarTestServer *self,
                         const char    *path,
                         const char    *way)
{
  ear_test_files_put_way (self->files, path, way);
}

/**
 * ear_test_server_remove:
 * @self: a server
 * @path: a path given to ear_test_server_put()
 */
void
ear_test_server_remove (EarTestServer *self,
                        const char    *path)
{
  ear_test_files_remove (self->files, path);
}

/**
 * ear_test_server_close_connections:
 * @self: a running server
 *
 * Disconnects all clients, and keeps listening.
 */
void
ear_test_server_close_connections (EarTestServer *self)
{
  g_return_if_fail (self->thread != NULL);

  run_in_thread (self, shut_cb);
}

/**
 * ear_test_server_set_holding:
 * @self: a server
 * @holding: whether to hold responses with the wrapper `~hold`, the initial state; %FALSE
 *   sends them, and later ones at once
 */
void
ear_test_server_set_holding (EarTestServer *self,
                             gboolean       holding)
{
  g_atomic_int_set (&self->holding, holding);
}

/**
 * ear_test_server_dup_requests:
 * @self: a server
 *
 * Returns: (transfer full) (element-type EarTestRequest): copies of all
 *   requests, oldest first
 */
GPtrArray *
ear_test_server_dup_requests (EarTestServer *self)
{
  return ear_test_log_dup_requests (self->log);
}

/**
 * ear_test_server_dup_last_request:
 * @self: a server
 * @path: path and query as requested, with wrappers
 *
 * Returns: (transfer full) (nullable): a copy of the last request for @path
 */
EarTestRequest *
ear_test_server_dup_last_request (EarTestServer *self,
                                  const char    *path)
{
  g_autoptr (GPtrArray) requests = ear_test_log_dup_requests (self->log);

  for (guint i = requests->len; i > 0; i--)
    {
      EarTestRequest *request = requests->pdata[i - 1];

      if (g_str_equal (request->path, path))
        return ear_test_request_ref (request);
    }

  return NULL;
}

/**
 * ear_test_server_count_requests:
 * @self: a server
 * @path: (nullable): path and query as requested; %NULL for all
 *
 * Returns: the number of requests since the log was cleared
 */
guint
ear_test_server_count_requests (EarTestServer *self,
                                const char    *path)
{
  g_autoptr (GPtrArray) requests = ear_test_log_dup_requests (self->log);
  guint count = 0;

  for (guint i = 0; i < requests->len; i++)
    {
      EarTestRequest *request = requests->pdata[i];

      if (path == NULL || g_str_equal (request->path, path))
        count++;
    }

  return count;
}

/**
 * ear_test_server_get_connections:
 * @self: a server
 * @host: one of its addresses, for example "127.0.0.1"
 * @peak: (out) (optional): the maximum of open connections since the log was cleared
 *
 * Returns: the number of open connections to @host
 */
guint
ear_test_server_get_connections (EarTestServer *self,
                                 const char    *host,
                                 guint         *peak)
{
  return ear_test_log_get_connections (self->log, host, peak);
}

/**
 * ear_test_server_wait_idle:
 * @self: a server
 * @milliseconds: the maximum time to wait
 *
 * Waits for the log: a client may get the last byte before the log has recorded it.
 *
 * Returns: whether all requests were finished in time
 */
gboolean
ear_test_server_wait_idle (EarTestServer *self,
                           guint          milliseconds)
{
  return ear_test_log_wait_idle (self->log, milliseconds);
}

/**
 * ear_test_server_clear_log:
 * @self: a server
 *
 * Forgets the requests, the peaks, and the visits of each path: wrappers that fail the
 * first times fail again.
 */
void
ear_test_server_clear_log (EarTestServer *self)
{
  ear_test_log_clear (self->log);
}
