/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http-request.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

typedef struct _EarHttpTransfer EarHttpTransfer;

typedef void (*EarHttpTransferEnded) (EarHttpTransfer *transfer,
                                      gpointer         user_data);

/* In the caller's thread; refuse also in the network thread */
EarHttpTransfer *ear_http_transfer_new             (GTask                *task,
                                                    const EarHttpRequest *request,
                                                    const char           *user_agent,
                                                    EarHttpTimeouts       timeouts,
                                                    EarHttpChunkFunc      chunk_func,
                                                    gpointer              chunk_data);
void             ear_http_transfer_refuse          (EarHttpTransfer *self);
gint64           ear_http_transfer_get_retry_after (EarHttpTransfer *self);
guint            ear_http_transfer_get_refused_status (EarHttpTransfer *self);

/* In the network thread */
void             ear_http_transfer_start           (EarHttpTransfer      *self,
                                                    SoupSession          *session,
                                                    GThreadPool          *workers,
                                                    EarHttpTransferEnded  ended,
                                                    gpointer              ended_data);
void             ear_http_transfer_stop            (EarHttpTransfer *self);
gboolean         ear_http_transfer_is_busy         (EarHttpTransfer *self,
                                                    gint64           now);
gboolean         ear_http_transfer_is_cancelled    (EarHttpTransfer *self);

/* In a worker thread */
void             ear_http_transfer_take_chunk      (EarHttpTransfer *self);

G_END_DECLS
