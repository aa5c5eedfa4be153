/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A request: filled by the caller, who keeps it; a copy is taken. */
typedef struct
{
  char *address;
  char *etag;          /* (nullable): sent as If-None-Match; with a first byte, as If-Range */
  char *last_modified; /* (nullable): sent as If-Modified-Since; with a first byte, as If-Range if the tag cannot be */
  char *user;          /* (nullable): HTTP Basic, only ever sent to the host of `address` */
  char *password;      /* (nullable) */
  char *accept;        /* (nullable) */
  gint64 max_bytes;    /* of the decoded body and what is before its first byte, 0: the default of 512 MB */
  gint64 first_byte;   /* where to begin; the answer begins there, or at 0 if what is there is not known to be the same */
  gboolean identity;   /* not to be compressed */
  gboolean head_only;  /* to end once the head of the answer is there, which tells where redirects lead */
  gboolean stream_damaged; /* a body that is cut off is an answer with `incomplete`, not an error */
} EarHttpRequest;

/**
 * EarHttpTimeouts:
 * @connect: how long a connection may take, its name look-up and TLS included; waiting for a free
 *   connection does not count
 * @idle: how long a server may take to answer, and then to send the next byte. One that sends less than
 *   64 bytes a second for twice as long is not waited for either
 *
 * How patient a request is, in milliseconds.
 */
typedef struct
{
  guint connect;
  guint idle;
} EarHttpTimeouts;

/* An answer; given to the chunk function before its first byte, and by finish. Its
 * addresses come without the name and password that those asked for may have had. */
typedef struct
{
  guint status;            /* HTTP status: 200, 206 or 304 */
  gboolean not_modified;   /* 304 */
  gboolean incomplete;     /* the body was cut off */
  gboolean compressed;     /* its length does not tell whether it was cut off */
  gint64 first_byte;       /* of the whole, with which the body begins: the one that was asked for, or 0 */
  gint64 total;            /* bytes of the whole, -1: not known */
  char *final_address;     /* after redirects */
  char *permanent_address; /* (nullable): where unbroken 301 and 308 lead, when anywhere else */
  char *content_type;      /* (nullable): as sent, with its charset */
  char *etag;              /* (nullable) */
  char *last_modified;     /* (nullable) */
  gint64 bytes;            /* of the decoded body so far */
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
 * @response: the head of the answer, complete but for `bytes` and `incomplete`
 * @data: (array length=length): decoded bytes of the body, in order
 * @length: how many
 * @user_data: data of the caller
 * @error: return location
 *
 * Takes a part of a body. Called on a worker thread, one call at a time for one
 * request; the next part is only read from the network once it has returned, so a
 * slow taker slows the server down instead of filling the memory.
 *
 * Returns: %FALSE with @error set to give up the transfer
 */
typedef gboolean (*EarHttpChunkFunc) (EarHttpResponse *response,
                                      const guint8    *data,
                                      gsize            length,
                                      gpointer         user_data,
                                      GError         **error);

G_END_DECLS
