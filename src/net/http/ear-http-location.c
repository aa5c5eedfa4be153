/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-location.h"

#include "ear-address.h"

#include <string.h>

/* A Location header may contain bytes that are not UTF-8, if the server has a file with a
 * Latin-1 name. libsoup replaces each such byte by U+FFFD before the application sees it,
 * and the server answers a request for that URL with 404. EarHttp therefore repeats the
 * request without libsoup and reads only the head of the response. */

#define HEAD_LIMIT (64 * 1024)

typedef struct
{
  /* Input, owned */
  GString *request;
  GTlsDatabase *tls_database; /* (nullable) */

  /* In progress, owned */
  GSocketConnection *connection;
  GByteArray *head;
  guint8 buffer[4096];
} Read;

static void
read_free (gpointer data)
{
  Read *self = data;

  g_string_free (self->request, TRUE);
  g_clear_object (&self->tls_database);
  if (self->connection != NULL)
    g_io_stream_close_async (G_IO_STREAM (self->connection), G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_clear_object (&self->connection);
  g_byte_array_unref (self->head);
  g_free (self);
}

/* Returns: whether libsoup has replaced bytes in it */
gboolean
ear_http_location_is_lost (const char *location)
{
  return location != NULL && strstr (location, "\xef\xbf\xbd") != NULL;
}

/**
 * ear_http_location_parse:
 * @head: (array length=length): the head of an HTTP response
 * @length: its length
 *
 * Returns: (transfer full) (nullable): the value of its first Location header; bytes that
 *   are not UTF-8 are escaped
 */
char *
ear_http_location_parse (const char *head, gsize length)
{
  g_autofree char *copy = g_strndup (head, length);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);

  for (gsize i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    {
      if (g_ascii_strncasecmp (lines[i], "Location:", strlen ("Location:")) == 0)
        return ear_address_escape_bytes (g_strstrip (lines[i] + strlen ("Location:")));
      /* End of the head */
      if (*g_strchomp (lines[i]) == '\0')
        break;
    }

  return NULL;
}

static gboolean
is_complete (const GByteArray *head)
{
  return memmem (head->data, head->len, "\r\n\r\n", 4) != NULL ||
         memmem (head->data, head->len, "\n\n", 2) != NULL;
}

static void
received_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Read *self = g_task_get_task_data (task);
  GError *error = NULL;
  const gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (length < 0)
    {
      g_task_return_error (task, error);
      return;
    }
  g_byte_array_append (self->head, self->buffer, (guint) length);
  if (length > 0 && !is_complete (self->head) && self->head->len < HEAD_LIMIT)
    g_input_stream_read_async (G_INPUT_STREAM (source), self->buffer, sizeof self->buffer,
                               G_PRIORITY_DEFAULT, g_task_get_cancellable (task), received_cb,
                               g_object_ref (task));
  else
    g_task_return_pointer (
        task, ear_http_location_parse ((const char *) self->head->data, self->head->len), g_free);
}

static void
sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Read *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_input_stream_read_async (g_io_stream_get_input_stream (G_IO_STREAM (self->connection)),
                             self->buffer, sizeof self->buffer, G_PRIORITY_DEFAULT,
                             g_task_get_cancellable (task), received_cb, g_object_ref (task));
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Read *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->connection =
      g_socket_client_connect_to_uri_finish (G_SOCKET_CLIENT (source), result, &error);
  if (self->connection == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_output_stream_write_all_async (g_io_stream_get_output_stream (G_IO_STREAM (self->connection)),
                                   self->request->str, self->request->len, G_PRIORITY_DEFAULT,
                                   g_task_get_cancellable (task), sent_cb, g_object_ref (task));
}

static void
event_cb (GSocketClient *client,
          GSocketClientEvent event,
          GSocketConnectable *connectable,
          GIOStream *connection,
          Read *self)
{
  if (event == G_SOCKET_CLIENT_TLS_HANDSHAKING && self->tls_database != NULL)
    g_tls_connection_set_database (G_TLS_CONNECTION (connection), self->tls_database);
}

static void
append_header (GString *request, SoupMessage *message, const char *name)
{
  const char *value =
      soup_message_headers_get_one (soup_message_get_request_headers (message), name);

  if (value != NULL)
    g_string_append_printf (request, "%s: %s\r\n", name, value);
}

static GString *
make_request (SoupMessage *message)
{
  GUri *uri = soup_message_get_uri (message);
  const gboolean bare = strchr (g_uri_get_host (uri), ':') != NULL; /* an IPv6 address */
  GString *request = g_string_new (NULL);

  g_string_append_printf (request, "GET %s%s%s HTTP/1.1\r\nHost: %s%s%s", g_uri_get_path (uri),
                          g_uri_get_query (uri) != NULL ? "?" : "",
                          g_uri_get_query (uri) != NULL ? g_uri_get_query (uri) : "",
                          bare ? "[" : "", g_uri_get_host (uri), bare ? "]" : "");
  if (g_uri_get_port (uri) != (g_str_equal (g_uri_get_scheme (uri), "https") ? 443 : 80))
    g_string_append_printf (request, ":%d", g_uri_get_port (uri));
  g_string_append (request, "\r\n");
  append_header (request, message, "User-Agent");
  append_header (request, message, "Accept");
  append_header (request, message, "Authorization");
  g_string_append (request, "Connection: close\r\n\r\n");

  return request;
}

/**
 * ear_http_location_read_async:
 * @message: a message whose response was a redirect
 * @tls_database: (nullable): the certificates to trust; %NULL for the system's
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the head has been read
 * @user_data: data for @callback
 *
 * Repeats the request, and reads the head of the response unchanged.
 */
void
ear_http_location_read_async (SoupMessage *message,
                              GTlsDatabase *tls_database,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (message, cancellable, callback, user_data);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  GUri *uri = soup_message_get_uri (message);
  /* Without path and query: GSocketClient rejects bytes that are not UTF-8. */
  g_autofree char *address =
      g_uri_join (G_URI_FLAGS_NONE, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                  g_uri_get_port (uri), "/", NULL, NULL);
  const gboolean secure = g_str_equal (g_uri_get_scheme (uri), "https");
  Read *self = g_new0 (Read, 1);

  g_task_set_source_tag (task, ear_http_location_read_async);
  self->request = make_request (message);
  g_set_object (&self->tls_database, tls_database);
  self->head = g_byte_array_new ();
  g_task_set_task_data (task, self, read_free);
  g_socket_client_set_tls (client, secure);
  g_signal_connect (client, "event", G_CALLBACK (event_cb), self);
  g_socket_client_connect_to_uri_async (client, address, secure ? 443 : 80, cancellable,
                                        connected_cb, g_object_ref (task));
}

/* Returns: (transfer full) (nullable): the target of the redirect, in ASCII; %NULL
 *   without @error set if there is none */
char *
ear_http_location_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_http_location_read_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
