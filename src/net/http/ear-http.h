/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http-request.h"
#include "ear-keyring.h"

G_BEGIN_DECLS

#define EAR_TYPE_HTTP (ear_http_get_type ())
G_DECLARE_FINAL_TYPE (EarHttp, ear_http, EAR, HTTP, GObject)

EarHttp         *ear_http_new           (const char *user_agent);
void             ear_http_trust         (EarHttp      *self,
                                         GTlsDatabase *tls_database);
void             ear_http_set_keyring   (EarHttp      *self,
                                         EarKeyring   *keyring);
EarHttpTimeouts *ear_http_get_timeouts  (EarHttp *self);
const char      *ear_http_get_user_agent (EarHttp *self);
void             ear_http_stream_async  (EarHttp             *self,
                                         EarHttpRequest      *request,
                                         EarHttpChunkFunc     chunk_func,
                                         gpointer             chunk_data,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);
EarHttpResponse *ear_http_stream_finish (EarHttp       *self,
                                         GAsyncResult  *result,
                                         GError       **error);
gint64           ear_http_get_retry_after (EarHttp      *self,
                                           GAsyncResult *result);
guint            ear_http_get_refused_status (EarHttp *self, GAsyncResult *result);
void             ear_http_stop           (EarHttp *self);
char            *ear_http_dup_version    (void);

G_END_DECLS
