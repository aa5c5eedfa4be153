/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http.h"
#include "ear-keyring.h"

G_BEGIN_DECLS

void ear_document_fetch_async (EarHttp *http, EarKeyring *keyring, const char *podcast,
                               const char *address, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);
GBytes *ear_document_fetch_finish (GAsyncResult *result, GError **error);

G_END_DECLS
