/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

void ear_durable_set_error (GError **error, int code, const char *what);
gboolean ear_durable_sync (const char *path, GError **error);
gboolean ear_durable_rename (const char *from, const char *to, GError **error);
gboolean ear_durable_rename_new (const char *from, const char *to);
int ear_durable_try_lock (const char *path, GError **error);
gint64 ear_durable_get_room (const char *path);

G_END_DECLS
