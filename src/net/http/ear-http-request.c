/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-request.h"

#include "ear-http-route.h"

/**
 * ear_http_request_new:
 * @address: an http or https URL, which may contain a user name and a password
 *
 * Returns: (transfer full): a plain request for @address
 */
EarHttpRequest *
ear_http_request_new (const char *address)
{
  EarHttpRequest *self = g_new0 (EarHttpRequest, 1);

  self->address = g_strdup (address);

  return self;
}

/**
 * ear_http_request_take_login:
 * @self: a request
 * @known: a URL that may contain a user name and a password
 *
 * Uses these if they belong to the server of the request and it has no login yet.
 */
void
ear_http_request_take_login (EarHttpRequest *self, const char *known)
{
  if (self->user == NULL)
    ear_http_route_find_login (known, self->address, &self->user, &self->password);
}

EarHttpRequest *
ear_http_request_copy (const EarHttpRequest *self)
{
  EarHttpRequest *copy = g_memdup2 (self, sizeof *self);

  copy->address = g_strdup (self->address);
  copy->etag = g_strdup (self->etag);
  copy->last_modified = g_strdup (self->last_modified);
  copy->user = g_strdup (self->user);
  copy->password = g_strdup (self->password);
  copy->podcast = g_strdup (self->podcast);
  copy->accept = g_strdup (self->accept);
  copy->method = g_strdup (self->method);
  copy->body = self->body != NULL ? g_bytes_ref (self->body) : NULL;
  copy->body_type = g_strdup (self->body_type);

  return copy;
}

void
ear_http_request_free (EarHttpRequest *self)
{
  g_free (self->address);
  g_free (self->etag);
  g_free (self->last_modified);
  g_free (self->user);
  g_free (self->password);
  g_free (self->podcast);
  g_free (self->accept);
  g_free (self->method);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_free (self->body_type);
  g_free (self);
}

static void
response_clear (gpointer data)
{
  EarHttpResponse *self = data;

  g_free (self->final_address);
  g_free (self->permanent_address);
  g_free (self->content_type);
  g_free (self->etag);
  g_free (self->last_modified);
}

EarHttpResponse *
ear_http_response_new (void)
{
  return g_atomic_rc_box_new0 (EarHttpResponse);
}

EarHttpResponse *
ear_http_response_ref (EarHttpResponse *self)
{
  return g_atomic_rc_box_acquire (self);
}

/* Any thread */
void
ear_http_response_unref (EarHttpResponse *self)
{
  g_atomic_rc_box_release_full (self, response_clear);
}

/* An #EarHttpChunkFunc that keeps the body in memory.
 * @bytes: a #GByteArray; the request's `max_bytes` bounds it */
gboolean
ear_http_collect_chunk (EarHttpResponse *response, const guint8 *data, gsize length,
                        gpointer bytes, GError **error)
{
  g_byte_array_append (bytes, data, (guint) length);

  return TRUE;
}
