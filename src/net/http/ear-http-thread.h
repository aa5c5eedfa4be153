/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http-transfer.h"

G_BEGIN_DECLS

/* The network thread: its context, the only SoupSession, and the workers that process
 * bodies. */
typedef struct _EarHttpThread EarHttpThread;

EarHttpThread *ear_http_thread_new    (GTlsDatabase *tls_database);
void           ear_http_thread_submit (EarHttpThread   *self,
                                       EarHttpTransfer *transfer);
void           ear_http_thread_free   (EarHttpThread *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarHttpThread, ear_http_thread_free)

G_END_DECLS
