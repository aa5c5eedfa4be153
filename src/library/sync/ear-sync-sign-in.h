/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sync.h"

G_BEGIN_DECLS

void ear_sync_sign_in_async (EarSync *sync, EarSyncService service, const char *address,
                             const char *user, const char *password, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data);
gboolean ear_sync_sign_in_finish (EarSync *sync, GAsyncResult *result, GError **error);

G_END_DECLS
