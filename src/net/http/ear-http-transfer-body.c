/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-transfer-private.h"

#include "ear-error.h"
#include "ear-http-failure.h"
#include "ear-thread.h"

#define DEFAULT_MAX_BYTES (G_GINT64_CONSTANT (512) * 1024 * 1024)

/* A server that sends fewer bytes per second than this, for twice the idle timeout,
 * counts as silent: byte by byte, a body would never end. */
#define LEAST_SPEED 64

/* The limit includes the bytes that the caller already has. */
static gint64
get_max_bytes (EarHttpTransfer *self)
{
  return (self->request->max_bytes > 0 ? self->request->max_bytes : DEFAULT_MAX_BYTES) - self->response->first_byte;
}

static void
fail_too_large (EarHttpTransfer *self)
{
  ear_http_transfer_fail (self, ear_http_failure_new (EAR_ERROR_TOO_LARGE, self->request->address,
                                                      "more than is taken"));
}

static void
end_cut_off (EarHttpTransfer *self, const GError *cause)
{
  g_autoptr (GError) error = ear_http_failure_new_for_body (cause, self->request->address);

  if (self->request->stream_damaged && g_error_matches (error, EAR_ERROR, EAR_ERROR_INCOMPLETE))
    {
      self->response->incomplete = TRUE;
      ear_http_transfer_end (self);
      return;
    }

  ear_http_transfer_fail (self, g_steal_pointer (&error));
}

/* libsoup accepts a body shorter than its Content-Length if the connection is closed; the
 * end of a compressed body is recognized. */
static gboolean
is_too_short (EarHttpTransfer *self)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);

  return self->response->status != SOUP_STATUS_NOT_MODIFIED &&
         soup_message_headers_get_one (headers, "Content-Encoding") == NULL &&
         soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH &&
         self->response->bytes < soup_message_headers_get_content_length (headers);
}

/* @error: (transfer full) (nullable) */
static void
end_body (EarHttpTransfer *self, GError *error)
{
  g_autoptr (GError) cut_off = error;

  if (cut_off == NULL && is_too_short (self))
    cut_off = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, "the body is shorter than was said");

  if (cut_off != NULL)
    end_cut_off (self, cut_off);
  else
    ear_http_transfer_end (self);
}

/* Counts only the time that Earmark waits for the server, not the opposite. */
static gboolean
is_dripping (EarHttpTransfer *self)
{
  const gint64 period = self->timeouts.idle * (2 * G_TIME_SPAN_MILLISECOND);
  gboolean dripping;

  self->waited += self->progress - self->asked;
  self->waited_for += self->filled;
  if (self->waited < period)
    return FALSE;

  dripping = self->waited_for < LEAST_SPEED * self->waited / G_USEC_PER_SEC;
  self->waited = self->waited_for = 0;

  return dripping;
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarHttpTransfer *self = user_data;
  g_autoptr (GError) cut_off = NULL;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &cut_off);

  ear_http_transfer_stop_waiting (self);
  self->progress = g_get_monotonic_time ();
  if (self->error != NULL)
    {
      ear_http_transfer_end (self);
      return;
    }
  if (length <= 0)
    {
      end_body (self, g_steal_pointer (&cut_off));
      return;
    }

  self->filled = length;
  self->response->bytes += self->filled;
  if (self->response->bytes > get_max_bytes (self))
    fail_too_large (self);
  else if (is_dripping (self))
    ear_http_transfer_fail (self, ear_http_failure_new (EAR_ERROR_TIMED_OUT, self->request->address, "the server is all but silent"));
  else
    {
      self->taking = TRUE;
      g_thread_pool_push (self->workers, self, NULL);
    }
}

static void
read_chunk (EarHttpTransfer *self)
{
  self->asked = g_get_monotonic_time ();
  ear_http_transfer_wait (self, self->timeouts.idle);
  g_input_stream_read_async (self->body, self->buffer, EAR_HTTP_CHUNK_SIZE, G_PRIORITY_DEFAULT, self->cancellable,
                             read_cb, self);
}

static void
fail_refused (EarHttpTransfer *self)
{
  GError *error = g_steal_pointer (&self->chunk_error);

  if (error == NULL)
    error = ear_http_failure_new (EAR_ERROR_FAILED, self->request->address, "the answer is not wanted");
  ear_http_transfer_fail (self, error);
}

static void
resume (gpointer data)
{
  EarHttpTransfer *self = data;

  self->taking = FALSE;
  self->progress = g_get_monotonic_time ();
  if (self->error != NULL)
    ear_http_transfer_end (self);
  else if (self->chunk_refused)
    fail_refused (self);
  else
    read_chunk (self);
}

/* Reads the body in parts and ends the transfer after it. */
void
ear_http_transfer_take_body (EarHttpTransfer *self)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);

  /* Content-Length is a lower bound, compressed or not. */
  if (soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH &&
      soup_message_headers_get_content_length (headers) > get_max_bytes (self))
    {
      fail_too_large (self);
      return;
    }

  read_chunk (self);
}

/* --- In a worker thread ---------------------------------------------------------- */

/* Passes the part to the caller's function, then returns the transfer to the network
 * thread. */
void
ear_http_transfer_take_chunk (EarHttpTransfer *self)
{
  self->chunk_refused = !self->chunk_func (self->response, self->buffer, self->filled, self->chunk_data,
                                           &self->chunk_error);
  ear_context_push (self->context, resume, self, NULL);
}
