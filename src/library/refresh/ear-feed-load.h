/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-feed-intake.h"

G_BEGIN_DECLS

EarHttpRequest  *ear_feed_request_new (const char *address,
                                       const char *user,
                                       const char *password);
void             ear_feed_load_async  (EarHttp             *http,
                                       EarHttpRequest      *request,
                                       EarFeedIntake       *intake,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
EarHttpResponse *ear_feed_load_finish (GAsyncResult  *result,
                                       gint64        *retry_after,
                                       GError       **error);

G_END_DECLS
