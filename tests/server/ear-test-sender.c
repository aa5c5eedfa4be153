/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-sender.h"

#include "ear-test-made.h"

#include <string.h>

#define PIECE 16384
#define TICK_MS 50

/* Writes a response directly to a connection taken from SoupServer: paced, cut, with a
 * wrong length, endless, or never. Closes the connection at the end. Each pending
 * operation holds a reference. */
typedef struct
{
  /* Input, owned */
  GIOStream *stream;
  EarTestReply *reply;
  EarTestLog *log;
  EarTestRequest *request;
  GCancellable *stop;
  gulong stop_id;

  /* State */
  GCancellable *cancellable;
  GBytes *piece;       /* being written */
  gsize piece_payload; /* body bytes in @piece */
  GBytes *left;        /* rest of the body */
  guint next_item;
  gboolean last_chunk;
  guint64 sent;
  gint64 start;
  guint8 ignored[512];
} Sender;

/* Recursive: a written piece sends the next one. */
static void send_next_piece (Sender *self);

static void
sender_clear (gpointer data)
{
  Sender *self = data;

  ear_test_log_finish (self->log, self->request);
  g_io_stream_close (self->stream, NULL, NULL);
  g_cancellable_disconnect (self->stop, self->stop_id);
  g_clear_pointer (&self->reply, ear_test_reply_free);
  g_clear_pointer (&self->request, ear_test_request_unref);
  g_clear_pointer (&self->piece, g_bytes_unref);
  g_clear_pointer (&self->left, g_bytes_unref);
  g_clear_object (&self->stream);
  g_clear_object (&self->log);
  g_clear_object (&self->stop);
  g_clear_object (&self->cancellable);
}

static void
sender_unref (Sender *self)
{
  g_rc_box_release_full (self, sender_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sender, sender_unref)

/* Only the watch for the client's end still holds the sender. */
static void
finish (Sender *self)
{
  g_cancellable_cancel (self->cancellable);
}

static void
stopped_cb (GCancellable *stop,
            gpointer      user_data)
{
  g_cancellable_cancel (user_data);
}

static void
client_said_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  g_autoptr (Sender) self = user_data;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (object), result, NULL);

  if (length <= 0)
    {
      finish (self);
      return;
    }

  g_input_stream_read_async (G_INPUT_STREAM (object), self->ignored, sizeof self->ignored, G_PRIORITY_DEFAULT,
                             self->cancellable, client_said_cb, g_rc_box_acquire (self));
}

static void
piece_written_cb (GObject      *object,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  g_autoptr (Sender) self = user_data;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (object), result, NULL, NULL))
    {
      finish (self);
      return;
    }

  if (self->piece_payload > 0)
    ear_test_log_add_bytes (self->log, self->request, self->piece_payload);
  self->sent += self->piece_payload;
  if (self->last_chunk)
    finish (self);
  else
    send_next_piece (self);
}

static void
write_piece (Sender *self,
             GBytes *piece,
             gsize   payload)
{
  gsize size;
  const void *data;

  g_clear_pointer (&self->piece, g_bytes_unref);
  self->piece = piece;
  self->piece_payload = payload;
  data = g_bytes_get_data (piece, &size);
  g_output_stream_write_all_async (g_io_stream_get_output_stream (self->stream), data, size, G_PRIORITY_DEFAULT,
                                   self->cancellable, piece_written_cb, g_rc_box_acquire (self));
}

static void
refill (Sender *self)
{
  GString *feed = g_string_new (NULL);

  if (self->next_item == 0)
    ear_test_made_append_head (feed, "The Endless Podcast", self->reply->origin);
  while (feed->len < PIECE)
    ear_test_made_append_item (feed, self->reply->origin, self->next_item++);

  g_clear_pointer (&self->left, g_bytes_unref);
  self->left = g_string_free_to_bytes (feed);
}

/* Returns the body bytes that should have been sent after @seconds. */
static double
count_due (Sender *self, double seconds)
{
  const EarTestReply *reply = self->reply;
  const double first = (double) reply->rate_end / reply->rate;

  if (reply->rate_end == 0 || seconds < first)
    return reply->rate * seconds;

  return reply->rate_end + reply->later_rate * (seconds - first);
}

/* Returns how many bytes may be sent now; 0 to wait. */
static gsize
allowance (Sender *self)
{
  gint64 limit = self->reply->cut >= 0 ? self->reply->cut : self->reply->stall;
  gsize allowed = MIN (PIECE, g_bytes_get_size (self->left));

  if (limit >= 0)
    allowed = MIN (allowed, (guint64) limit - self->sent);
  if (self->reply->rate > 0)
    {
      double elapsed = (g_get_monotonic_time () - self->start) / (double) G_USEC_PER_SEC;
      double due = count_due (self, elapsed + TICK_MS / 1000.0) - self->sent;

      allowed = MIN ((double) allowed, MAX (due, 0));
    }

  return allowed;
}

static gboolean
tick_cb (gpointer user_data)
{
  Sender *self = user_data;

  if (!g_cancellable_is_cancelled (self->cancellable))
    send_next_piece (self);

  return G_SOURCE_REMOVE;
}

static void
wait_for_tick (Sender *self)
{
  g_autoptr (GSource) source = g_timeout_source_new (TICK_MS);

  g_source_set_callback (source, tick_cb, g_rc_box_acquire (self), (GDestroyNotify) sender_unref);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static void
write_body (Sender *self,
            gsize   size)
{
  g_autoptr (GBytes) body = g_bytes_new_from_bytes (self->left, 0, size);
  g_autoptr (GBytes) left = g_bytes_new_from_bytes (self->left, size, g_bytes_get_size (self->left) - size);
  GByteArray *chunk;
  g_autofree char *head = NULL;

  g_clear_pointer (&self->left, g_bytes_unref);
  self->left = g_steal_pointer (&left);
  if (!self->reply->chunked)
    {
      write_piece (self, g_steal_pointer (&body), size);
      return;
    }

  chunk = g_byte_array_new ();
  head = g_strdup_printf ("%" G_GSIZE_MODIFIER "x\r\n", size);
  g_byte_array_append (chunk, (const guint8 *) head, strlen (head));
  g_byte_array_append (chunk, g_bytes_get_data (body, NULL), size);
  g_byte_array_append (chunk, (const guint8 *) "\r\n", 2);
  write_piece (self, g_byte_array_free_to_bytes (chunk), size);
}

static void
send_next_piece (Sender *self)
{
  EarTestReply *reply = self->reply;
  gsize size;

  if (reply->cut >= 0 && self->sent >= (guint64) reply->cut)
    {
      finish (self);
      return;
    }
  if (reply->stall >= 0 && self->sent >= (guint64) reply->stall)
    return;

  if (reply->endless && g_bytes_get_size (self->left) == 0)
    refill (self);
  if (g_bytes_get_size (self->left) == 0)
    {
      self->last_chunk = TRUE;
      if (reply->chunked)
        write_piece (self, g_bytes_new_static ("0\r\n\r\n", 5), 0);
      else
        finish (self);
      return;
    }

  size = allowance (self);
  if (size == 0)
    wait_for_tick (self);
  else
    write_body (self, size);
}

static void
head_written_cb (GObject      *object,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  g_autoptr (Sender) self = user_data;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (object), result, NULL, NULL) || self->reply->head_only)
    {
      finish (self);
      return;
    }

  self->start = g_get_monotonic_time ();
  send_next_piece (self);
}

static GBytes *
format_head (Sender            *self,
             SoupServerMessage *message)
{
  EarTestReply *reply = self->reply;
  GString *head = g_string_new (NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = soup_date_time_to_string (now, SOUP_DATE_HTTP);
  SoupMessageHeadersIter iter;
  const char *name, *value;

  g_string_append_printf (head, "HTTP/1.1 %u %s\r\nDate: %s\r\n", reply->status, ear_test_reply_get_phrase (reply->status), date);
  soup_message_headers_iter_init (&iter, soup_server_message_get_response_headers (message));
  while (soup_message_headers_iter_next (&iter, &name, &value))
    if (g_ascii_strcasecmp (name, "Content-Length") != 0 && g_ascii_strcasecmp (name, "Date") != 0)
      g_string_append_printf (head, "%s: %s\r\n", name, value);
  if (reply->chunked)
    g_string_append (head, "Transfer-Encoding: chunked\r\n");
  else if (reply->status != SOUP_STATUS_NOT_MODIFIED)
    g_string_append_printf (head, "Content-Length: %" G_GINT64_FORMAT "\r\n",
                            MAX (0, (gint64) g_bytes_get_size (self->left) + reply->length_error));
  /* A wrong length comes without "Connection: close", because clients trust a length less
   * when told to expect the end. */
  if (reply->cut < 0 && reply->stall < 0 && reply->length_error == 0)
    g_string_append (head, "Connection: close\r\n");
  g_string_append (head, "\r\n");

  return g_string_free_to_bytes (head);
}

/**
 * ear_test_sender_send:
 * @stream: a connection on which a request was read
 * @reply: (transfer full): the response
 * @message: the message with the response's headers
 * @log: the log, which counts bytes
 * @request: the request in the log, finished when the last byte is sent or the
 *   client is gone
 * @cancellable: disconnects when canceled
 *
 * Sends a response that breaks HTTP as @reply demands, then closes the connection. Uses
 * the thread's default main context.
 */
void
ear_test_sender_send (GIOStream         *stream,
                      EarTestReply      *reply,
                      SoupServerMessage *message,
                      EarTestLog        *log,
                      EarTestRequest    *request,
                      GCancellable      *cancellable)
{
  g_autoptr (Sender) self = g_rc_box_new0 (Sender);
  g_autoptr (GBytes) head = NULL;

  self->stream = g_object_ref (stream);
  self->reply = reply;
  self->log = g_object_ref (log);
  self->request = ear_test_request_ref (request);
  self->stop = g_object_ref (cancellable);
  self->cancellable = g_cancellable_new ();
  self->left = reply->body != NULL ? g_bytes_ref (reply->body) : g_bytes_new (NULL, 0);
  self->stop_id = g_cancellable_connect (self->stop, G_CALLBACK (stopped_cb),
                                         g_object_ref (self->cancellable), g_object_unref);
  if (reply->drop)
    return;

  g_input_stream_read_async (g_io_stream_get_input_stream (stream), self->ignored, sizeof self->ignored,
                             G_PRIORITY_DEFAULT, self->cancellable, client_said_cb, g_rc_box_acquire (self));
  if (reply->mute)
    return;

  head = format_head (self, message);
  self->piece = g_bytes_ref (head);
  g_output_stream_write_all_async (g_io_stream_get_output_stream (stream), g_bytes_get_data (head, NULL),
                                   g_bytes_get_size (head), G_PRIORITY_DEFAULT, self->cancellable,
                                   head_written_cb, g_rc_box_acquire (self));
}
