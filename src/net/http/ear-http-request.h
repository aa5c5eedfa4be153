/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A request, owned by the caller; functions copy it. */
typedef struct
{
  char *address;
  char *etag;          /* (nullable): If-None-Match, or If-Range with a first byte */
  char *last_modified; /* (nullable): If-Modified-Since, or If-Range for a weak etag */
  char *user;          /* (nullable): HTTP Basic, only sent to the host of `address` */
  char *password;      /* (nullable) */
  char *podcast;       /* (nullable): the URL under which it was first followed; its logins in
                          the keyring are used */
  char *accept;        /* (nullable) */
  char *method;        /* (nullable): GET without one */
  char *body_type;     /* (nullable): content type of the body */
  GBytes *body;        /* (nullable): sent with @method */
  gint64 max_bytes;    /* decoded body and bytes before it; 0: the default of 512 MB */
  gint64 first_byte;   /* requested start; the response has this one or 0 */
  gboolean identity;   /* request an uncompressed body */
  gboolean head_only;  /* end after the head, to learn where redirects lead */
  gboolean stream_damaged; /* a truncated body is no error: sets `incomplete` */
} EarHttpRequest;

/**
 * EarHttpTimeouts:
 * @connect: limit for connecting, including DNS and TLS; waiting for a free connection
 *   does not count
 * @idle: limit for the response, and then for each next byte. A server that sends less
 *   than 64 bytes a second for twice as long also times out
 *
 * Timeouts of a request, in milliseconds.
 */
typedef struct
{
  guint connect;
  guint idle;
} EarHttpTimeouts;

/* A response; passed to the chunk function before its first byte, and returned by finish.
 * Its URLs do not contain the user name and password of the requested ones. */
typedef struct
{
  char *final_address;     /* after redirects */
  char *permanent_address; /* (nullable): target of leading 301 and 308 redirects */
  char *content_type;      /* (nullable): as sent, with its charset */
  char *etag;              /* (nullable) */
  char *last_modified;     /* (nullable) */
  guint status;            /* HTTP status: 200, 206 or 304 */
  gboolean not_modified;   /* 304 */
  gboolean incomplete;     /* the body was truncated */
  gboolean compressed;     /* its length does not show whether it was truncated */
  gint64 first_byte;       /* offset of the body in the whole: the requested one, or 0 */
  gint64 total;            /* size of the whole, -1: unknown */
  gint64 bytes;            /* size of the decoded body so far */
} EarHttpResponse;

EarHttpRequest  *ear_http_request_new   (const char *address);
EarHttpRequest  *ear_http_request_copy  (const EarHttpRequest *self);
void             ear_http_request_take_login (EarHttpRequest *self,
                                              const char     *known);
void             ear_http_request_free  (EarHttpRequest *self);
EarHttpResponse *ear_http_response_new  (void);
EarHttpResponse *ear_http_response_ref   (EarHttpResponse *self);
void             ear_http_response_unref (EarHttpResponse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarHttpRequest, ear_http_request_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarHttpResponse, ear_http_response_unref)

/**
 * EarHttpChunkFunc:
 * @response: the head of the response, complete except for `bytes` and `incomplete`
 * @data: (array length=length): decoded bytes of the body, in order
 * @length: the number of bytes
 * @user_data: data of the caller
 * @error: return location
 *
 * Receives a part of a body. Called on a worker thread, one call at a time for each
 * request. The next part is read from the network only after it has returned: a slow
 * function slows the server down instead of filling the memory.
 *
 * Returns: %FALSE with @error set to cancel the transfer
 */
typedef gboolean (*EarHttpChunkFunc) (EarHttpResponse *response,
                                      const guint8    *data,
                                      gsize            length,
                                      gpointer         user_data,
                                      GError         **error);
gboolean ear_http_collect_chunk (EarHttpResponse *response, const guint8 *data, gsize length,
                                 gpointer bytes, GError **error);

G_END_DECLS
