/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-transfer-private.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-http-failure.h"
#include "ear-http-location.h"
#include "ear-http-range.h"
#include "ear-http-request.h"

/* Limit for reading a page that is discarded */
#define DRAIN_TIMEOUT_MS 1000

/* For hosts that reject unknown user agents */
#define BROWSER_AGENT "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

/* The connect timeout starts here, when the session has a free connection: waiting for
 * other requests to the same host is not the server's fault. */
static void
network_event_cb (EarHttpTransfer *self, GSocketClientEvent event)
{
  if (event == G_SOCKET_CLIENT_RESOLVING)
    ear_http_transfer_wait (self, self->timeouts.connect);
}

static void
starting_cb (EarHttpTransfer *self)
{
  ear_http_transfer_wait (self, self->timeouts.idle);
}

static void
got_headers_cb (EarHttpTransfer *self)
{
  self->head_came = TRUE;
}

/* The server has closed a reused connection. The retry uses a new connection: on another
 * reused one it may start before libsoup reports that the first attempt failed. libsoup
 * would take that for a failure of the retry, and before 3.6.6 finish the message twice,
 * which frees memory of the session. */
static void
restarted_cb (EarHttpTransfer *self)
{
  self->head_came = FALSE;
  soup_message_add_flags (self->message, SOUP_MESSAGE_NEW_CONNECTION);
}

static char *
dup_header (SoupMessage *message, const char *name)
{
  return g_strdup (soup_message_headers_get_one (soup_message_get_response_headers (message), name));
}

/* Returns: (nullable): the condition of a range request; NULL to request the whole file.
 *   Resuming needs proof that the file is unchanged. */
static const char *
find_part_condition (EarHttpTransfer *self)
{
  if (self->whole || self->request->first_byte <= 0)
    return NULL;

  return ear_http_range_find_condition (self->request->etag, self->request->last_modified);
}

static gboolean
is_part_as_asked (EarHttpTransfer *self)
{
  const char *condition = find_part_condition (self);

  return ear_http_range_fits (soup_message_get_response_headers (self->message),
                              condition != NULL ? self->request->first_byte : 0, condition);
}

static void
read_extent (EarHttpTransfer *self, EarHttpResponse *response)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);

  response->total = -1;
  if (response->status == SOUP_STATUS_PARTIAL_CONTENT)
    ear_http_range_read (headers, &response->first_byte, &response->total);
  else if (!response->not_modified && soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH)
    response->total = soup_message_headers_get_content_length (headers);
  if (response->compressed)
    response->total = -1;
}

static EarHttpResponse *
read_head (EarHttpTransfer *self)
{
  EarHttpResponse *response = ear_http_response_new ();

  response->status = soup_message_get_status (self->message);
  response->not_modified = response->status == SOUP_STATUS_NOT_MODIFIED;
  response->final_address = ear_http_route_dup_address (self->route);
  response->permanent_address = ear_http_route_dup_permanent_address (self->route);
  response->content_type = dup_header (self->message, "Content-Type");
  response->etag = dup_header (self->message, "ETag");
  response->last_modified = dup_header (self->message, "Last-Modified");
  response->compressed =
      soup_message_headers_get_one (soup_message_get_response_headers (self->message), "Content-Encoding") != NULL;
  read_extent (self, response);

  return response;
}

static gboolean
is_redirect (guint status)
{
  return status == SOUP_STATUS_MOVED_PERMANENTLY || status == SOUP_STATUS_FOUND || status == SOUP_STATUS_SEE_OTHER ||
         status == SOUP_STATUS_TEMPORARY_REDIRECT || status == SOUP_STATUS_PERMANENT_REDIRECT;
}

/* Redirects to another server do not carry the login. */
static gboolean
told_login (EarHttpTransfer *self)
{
  return soup_message_headers_get_one (soup_message_get_request_headers (self->message), "Authorization") != NULL;
}

static gboolean
is_conditional (const EarHttpRequest *request)
{
  return request->first_byte <= 0 && (request->etag != NULL || request->last_modified != NULL);
}

static gboolean
is_answer (EarHttpTransfer *self, guint status)
{
  if (status == SOUP_STATUS_NOT_MODIFIED)
    return is_conditional (self->request);
  if (status == SOUP_STATUS_PARTIAL_CONTENT)
    return is_part_as_asked (self);

  return SOUP_STATUS_IS_SUCCESSFUL (status);
}

static void
go_on (EarHttpTransfer *self)
{
  ear_http_transfer_drop_message (self);
  if (self->refusal != NULL)
    {
      ear_http_transfer_fail (self, g_steal_pointer (&self->refusal));
      return;
    }

  if (g_cancellable_is_cancelled (self->cancellable))
    {
      g_object_unref (self->cancellable);
      self->cancellable = g_cancellable_new ();
    }
  ear_http_transfer_send (self);
}

static void
drained_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarHttpTransfer *self = user_data;
  gsize length;

  g_input_stream_read_all_finish (G_INPUT_STREAM (source), result, &length, NULL);
  ear_http_transfer_stop_waiting (self);
  if (self->error != NULL)
    ear_http_transfer_end (self);
  else
    go_on (self);
}

/* Reads and discards the body of an error or redirect, so that the connection can be
 * reused. */
static void
drain (EarHttpTransfer *self)
{
  self->draining = TRUE;
  ear_http_transfer_wait (self, MIN (self->timeouts.idle, DRAIN_TIMEOUT_MS));
  g_input_stream_read_all_async (self->body, self->buffer, EAR_HTTP_CHUNK_SIZE, G_PRIORITY_DEFAULT,
                                 self->cancellable, drained_cb, self);
}

/* A body may be private: it is sent to no other server, and not in clear text. */
static void
check_body (EarHttpTransfer *self)
{
  g_autofree char *address = ear_http_route_dup_address (self->route);

  if (self->request->method != NULL && !ear_address_trusts (self->request->address, address))
    self->refusal = ear_http_failure_new (EAR_ERROR_REDIRECTS, self->request->address,
                                          "a body is not sent to another server");
}

/* Follows the original Location header, of which libsoup has lost bytes. */
static void
located_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarHttpTransfer *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *location = ear_http_location_read_finish (result, &error);

  ear_http_transfer_stop_waiting (self);
  if (self->error != NULL)
    {
      ear_http_transfer_end (self);
      return;
    }
  if (error != NULL)
    self->refusal = ear_http_failure_new_for_request (error, self->request->address);
  else
    {
      if (ear_http_route_follow (self->route, soup_message_get_status (self->message), location,
                                 &self->refusal))
        check_body (self);
    }
  go_on (self);
}

static void
follow_redirect (EarHttpTransfer *self, guint status)
{
  g_autofree char *location = dup_header (self->message, "Location");

  if (!ear_http_location_is_lost (location))
    {
      if (ear_http_route_follow (self->route, status, location, &self->refusal))
        check_body (self);
      drain (self);
      return;
    }
  ear_http_transfer_wait (self, self->timeouts.connect);
  ear_http_location_read_async (self->message, soup_session_get_tls_database (self->session),
                                self->cancellable, located_cb, self);
}

static void
take_answer (EarHttpTransfer *self)
{
  guint status = soup_message_get_status (self->message);

  if (is_answer (self, status))
    {
      self->response = read_head (self);
      if (self->request->head_only)
        ear_http_transfer_end (self);
      else
        ear_http_transfer_take_body (self);
      return;
    }

  if (status == SOUP_STATUS_FORBIDDEN && !self->as_browser && self->request->method == NULL)
    {
      self->as_browser = TRUE;
    }
  else if (find_part_condition (self) != NULL &&
           (status == SOUP_STATUS_PARTIAL_CONTENT || status == SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE))
    {
      self->whole = TRUE;
    }
  else if (is_redirect (status))
    {
      follow_redirect (self, status);
      return;
    }
  else
    {
      g_autofree char *retry_after = dup_header (self->message, "Retry-After");

      self->retry_after = ear_http_failure_parse_retry_after (retry_after);
      self->refused_status = status;
      self->refusal = ear_http_failure_new_for_status (status, told_login (self), self->request->address);
    }

  drain (self);
}

static void
sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarHttpTransfer *self = user_data;
  g_autoptr (GError) error = NULL;

  self->body = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  self->head_came = FALSE;
  ear_http_transfer_stop_waiting (self);
  if (self->error != NULL)
    ear_http_transfer_end (self);
  else if (self->body == NULL)
    ear_http_transfer_fail (self, ear_http_failure_new_for_request (error, self->request->address));
  else
    take_answer (self);
}

static void
set_header (SoupMessage *message, const char *name, const char *value)
{
  if (!ear_is_empty (value) && strpbrk (value, "\r\n") == NULL)
    soup_message_headers_replace (soup_message_get_request_headers (message), name, value);
}

static void
set_conditions (EarHttpTransfer *self)
{
  const char *condition = find_part_condition (self);

  if (condition != NULL)
    {
      g_autofree char *range = g_strdup_printf ("bytes=%" G_GINT64_FORMAT "-", self->request->first_byte);

      set_header (self->message, "Range", range);
      set_header (self->message, "If-Range", condition);
    }
  else if (is_conditional (self->request))
    {
      set_header (self->message, "If-None-Match", self->request->etag);
      set_header (self->message, "If-Modified-Since", self->request->last_modified);
    }
}

/* Sends the request for the current URL of the route, also after redirects and for
 * retries. */
void
ear_http_transfer_send (EarHttpTransfer *self)
{
  g_autofree char *authorization = ear_http_route_dup_authorization (self->route);

  self->draining = FALSE;
  self->message = soup_message_new_from_uri (self->request->method != NULL ? self->request->method
                                                                           : SOUP_METHOD_GET,
                                             ear_http_route_get_uri (self->route));
  /* HTTP/2 has no benefit: Earmark has few requests per host at a time. libsoup's HTTP/2
   * has the same bug with cancelling, at any time instead of at one point. */
  soup_message_set_force_http1 (self->message, TRUE);
  /* Earmark handles redirects and authentication itself: EarHttpRoute remembers more. */
  soup_message_set_flags (self->message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_DO_NOT_USE_AUTH_CACHE);
  set_header (self->message, "User-Agent", self->as_browser ? BROWSER_AGENT : self->user_agent);
  set_header (self->message, "Accept", self->request->accept);
  set_header (self->message, "Accept-Encoding", self->request->identity ? "identity" : NULL);
  set_header (self->message, "Authorization", authorization);
  if (self->request->body != NULL)
    soup_message_set_request_body_from_bytes (self->message, self->request->body_type,
                                              self->request->body);
  /* Nextcloud's own interfaces refuse requests without it. */
  if (self->request->method != NULL)
    set_header (self->message, "OCS-APIRequest", "true");
  set_conditions (self);

  g_signal_connect_swapped (self->message, "network-event", G_CALLBACK (network_event_cb), self);
  g_signal_connect_swapped (self->message, "starting", G_CALLBACK (starting_cb), self);
  g_signal_connect_swapped (self->message, "got-headers", G_CALLBACK (got_headers_cb), self);
  g_signal_connect_swapped (self->message, "restarted", G_CALLBACK (restarted_cb), self);
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->cancellable, sent_cb, self);
}
