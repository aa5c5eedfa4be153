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
  EarHttpRequest *copy = ear_texts_copy (self, sizeof *self, &self->body_type);

  copy->body = self->body != NULL ? g_bytes_ref (self->body) : NULL;

  return copy;
}

void
ear_http_request_free (EarHttpRequest *self)
{
  g_clear_pointer (&self->body, g_bytes_unref);
  ear_texts_free (self, &self->body_type);
}

static void
response_clear (EarHttpResponse *self)
{
  ear_texts_clear (self, &self->last_modified);
}

EarHttpResponse *
ear_http_response_new (void)
{
  return g_atomic_rc_box_new0 (EarHttpResponse);
}

EAR_DEFINE_REF_COUNTED (EarHttpResponse, ear_http_response, response_clear)

/* An #EarHttpChunkFunc that keeps the body in memory.
 * @bytes: a #GByteArray; the request's `max_bytes` bounds it */
gboolean
ear_http_collect_chunk (EarHttpResponse *response, const guint8 *data, gsize length,
                        gpointer bytes, GError **error)
{
  g_byte_array_append (bytes, data, (guint) length);

  return TRUE;
}
