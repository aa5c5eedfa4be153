/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-listed-podcast.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ear_import_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
GPtrArray *ear_import_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS
