/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-error.h"
#include "net-fixture.h"

#include <string.h>

/* Servers that violate HTTP */

typedef struct
{
  const char *name;
  const char *answer;
  const char *then; /* (nullable): repeated until the client disconnects */
  EarError code;
} Rude;

static const Rude rude[] = {
  { "not-http", "SSH-2.0-OpenSSH_9.2\r\n", NULL, EAR_ERROR_SERVER },
  { "zeros", "\x01\x02\x03\x04", "\x05\x06\x07\x08\x05\x06\x07\x08\x05\x06\x07\x08", EAR_ERROR_UNREACHABLE },
  { "endless-header", "HTTP/1.1 200 OK\r\nX-Long: ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", EAR_ERROR_UNREACHABLE },
  { "endless-headers", "HTTP/1.1 200 OK\r\n", "X-Another: one\r\n", EAR_ERROR_UNREACHABLE },
  { "bad-status", "HTTP/1.1 20000 OK\r\n\r\n", NULL, EAR_ERROR_SERVER },
  { "redirect-nowhere", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://\r\n\r\n", NULL, EAR_ERROR_UNSAFE_ADDRESS },
  { "redirect-script", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: javascript:alert(1)\r\n\r\n", NULL, EAR_ERROR_UNSAFE_ADDRESS },
  { "redirect-bytes", "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: http://\xff\xfe\xfd/\r\n\r\n", NULL, EAR_ERROR_UNSAFE_ADDRESS },
  { "short-and-closed", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1000\r\n\r\nhello", NULL, EAR_ERROR_INCOMPLETE },
  { "short-and-old", "HTTP/1.0 200 OK\r\nContent-Length: 1000\r\n\r\nhello", NULL, EAR_ERROR_INCOMPLETE },
  { "nothing-and-closed", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n", NULL, EAR_ERROR_INCOMPLETE },
  { "half-a-head", "HTTP/1.1 200 OK\r\nContent-Ty", NULL, EAR_ERROR_SERVER },
};

/* On a thread of its own */
static gboolean
run_cb (GThreadedSocketService *service, GSocketConnection *connection, GObject *source, gpointer user_data)
{
  const Rude *answer = user_data;
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (connection));
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  g_autofree char *request = g_malloc (4096);

  g_input_stream_read (input, request, 4096, NULL, NULL);
  if (!g_output_stream_write_all (output, answer->answer, strlen (answer->answer), NULL, NULL, NULL))
    return TRUE;
  while (answer->then != NULL && g_output_stream_write_all (output, answer->then, strlen (answer->then), NULL, NULL, NULL))
    ;
  g_socket_shutdown (g_socket_connection_get_socket (connection), FALSE, TRUE, NULL);

  return TRUE;
}

static void
test_rude (gconstpointer data)
{
  const Rude *answer = data;
  g_autoptr (GSocketService) service = g_threaded_socket_service_new (4);
  guint16 port = g_socket_listener_add_any_inet_port (G_SOCKET_LISTENER (service), NULL, NULL);
  g_autofree char *url = g_strdup_printf ("http://127.0.0.1:%u/feed?token=hush", port);
  g_autoptr (NetCall) call = net_call_new_for_url (url);
  EarHttp *http = ear_http_new ("Earmark");
  glong before = net_memory_get_now ();

  g_signal_connect (service, "run", G_CALLBACK (run_cb), (gpointer) answer);
  ear_http_get_timeouts (http)->idle = 10000;
  net_call_run (call, http);
  g_test_message ("%s", call->error != NULL ? call->error->message : "(an answer)");
  g_assert_error (call->error, EAR_ERROR, (int) answer->code);
  g_assert_null (strstr (call->error->message, "hush"));
  g_assert_cmpint (net_memory_get_now () - before, <, 50 * 1024);

  g_object_run_dispose (G_OBJECT (http));
  g_main_context_iteration (NULL, FALSE);
  g_assert_finalize_object (http);
  g_socket_service_stop (service);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
}

int
main (int argc, char **argv)
{
  net_main_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (rude); i++)
    {
      g_autofree char *path = g_strconcat ("/http-hostile/", rude[i].name, NULL);

      g_test_add_data_func (path, &rude[i], test_rude);
    }

  return g_test_run ();
}
