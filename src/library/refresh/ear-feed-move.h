/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-feed-load.h"

G_BEGIN_DECLS

gboolean         ear_feed_move_is_wanted (const char *new_address,
                                          const char *asked,
                                          const char *final,
                                          const char *permanent);
void             ear_feed_move_async  (EarHttp             *http,
                                       EarCatalogue        *catalogue,
                                       gint64               podcast,
                                       const char          *from,
                                       EarFeedIntake       *said_by,
                                       EarFeedIdentity     *identity,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
EarHttpResponse *ear_feed_move_finish (GAsyncResult   *result,
                                       char          **address,
                                       EarFeedIntake **intake,
                                       GError        **error);

G_END_DECLS
