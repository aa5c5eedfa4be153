/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sync-client.h"

G_BEGIN_DECLS

void ear_sync_try_account_async (gpointer owner, EarHttp *http, EarSyncService service,
                                 const char *typed, const char *user, const char *password,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data);
EarSyncAccount *ear_sync_try_account_finish (GAsyncResult *result, GError **error);

G_END_DECLS
