/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http-route.h"
#include "ear-http-transfer.h"

G_BEGIN_DECLS

/* The largest part of a body that is read at once, in bytes */
#define EAR_HTTP_CHUNK_SIZE (64 * 1024)

/* One request, from its submission to the network thread until its response is returned.
 *
 * It has one owner at any time, so there are no locks: the network thread; a worker while
 * it processes a chunk (then nothing else of the transfer runs); at last the GTask, in
 * the caller's thread. */
struct _EarHttpTransfer
{
  /* Input */
  GTask *task;
  EarHttpRequest *request;
  char *user_agent;
  EarHttpTimeouts timeouts;
  EarHttpChunkFunc chunk_func;
  gpointer chunk_data;

  /* In progress, owned */
  EarHttpRoute *route;
  SoupMessage *message;
  GInputStream *body;
  guint8 *buffer;
  gsize filled;
  GCancellable *cancellable;
  GSource *timer;
  GSource *cancel_source;
  GMainContext *context;
  GError *chunk_error;
  gboolean chunk_refused;
  gboolean as_browser;
  gboolean whole; /* the requested range is not available */
  gboolean draining;
  gboolean head_came;
  gboolean taking; /* a worker owns it, or is about to */
  gint64 started;  /* monotonic times */
  gint64 progress; /* last time data arrived */
  gint64 asked;    /* last time a read was started */
  gint64 waited;   /* time spent reading since the last check of speed */
  gint64 waited_for; /* bytes read since then */
  GError *refusal; /* error of the response, returned once its body has been drained */

  /* In progress, borrowed */
  SoupSession *session;
  GThreadPool *workers;
  EarHttpTransferEnded ended;
  gpointer ended_data;

  /* Output */
  EarHttpResponse *response;
  GError *error;
  gint64 retry_after;
  guint refused_status; /* the HTTP status of a refusal; 0 without one */
};

/* ear-http-transfer.c: the end of a transfer */
void ear_http_transfer_end          (EarHttpTransfer *self);
void ear_http_transfer_fail         (EarHttpTransfer *self,
                                     GError          *error);
void ear_http_transfer_drop_message (EarHttpTransfer *self);
void ear_http_transfer_wait         (EarHttpTransfer *self,
                                     guint            milliseconds);
void ear_http_transfer_stop_waiting (EarHttpTransfer *self);

/* ear-http-transfer-head.c: from the request to the head of the response */
void ear_http_transfer_send         (EarHttpTransfer *self);

/* ear-http-transfer-body.c: the body of the response */
void ear_http_transfer_take_body    (EarHttpTransfer *self);

G_END_DECLS
