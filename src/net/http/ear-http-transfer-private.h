/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http-route.h"
#include "ear-http-transfer.h"

G_BEGIN_DECLS

/* The largest part of a body that is read at once, in bytes */
#define EAR_HTTP_CHUNK_SIZE (64 * 1024)

/*
 * One request, from the moment it is handed to the network thread until its answer is
 * handed back.
 *
 * There is one owner at any time: the network thread, a worker while it takes a chunk
 * (nothing else of the transfer runs then), and at last the GTask, in the caller's
 * thread. So there are no locks.
 */
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
  gboolean whole; /* the part that was asked for cannot be had */
  gboolean draining;
  gboolean head_came;
  gboolean taking; /* a worker has it, or will */
  gint64 started;  /* monotonic times */
  gint64 progress; /* when something came */
  gint64 asked;    /* when the body was last waited for */
  gint64 waited;   /* for how long since it was last looked at how fast it comes, */
  gint64 waited_for; /* and for how many bytes */
  GError *refusal; /* what the answer means, once its body is out of the way */

  /* In progress, borrowed */
  SoupSession *session;
  GThreadPool *workers;
  EarHttpTransferEnded ended;
  gpointer ended_data;

  /* Output */
  EarHttpResponse *response;
  GError *error;
  gint64 retry_after;
};

/* ear-http-transfer.c: how it ends */
void ear_http_transfer_end          (EarHttpTransfer *self);
void ear_http_transfer_fail         (EarHttpTransfer *self,
                                     GError          *error);
void ear_http_transfer_drop_message (EarHttpTransfer *self);
void ear_http_transfer_wait         (EarHttpTransfer *self,
                                     guint            milliseconds);
void ear_http_transfer_stop_waiting (EarHttpTransfer *self);

/* ear-http-transfer-head.c: from a request to an answer */
void ear_http_transfer_send         (EarHttpTransfer *self);

/* ear-http-transfer-body.c: the answer's body */
void ear_http_transfer_take_body    (EarHttpTransfer *self);

G_END_DECLS
