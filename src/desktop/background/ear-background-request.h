/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void     ear_background_request_async  (GDBusConnection     *session,
                                        const char          *reason,
                                        gboolean             autostart,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
gboolean ear_background_request_finish (GAsyncResult        *result,
                                        gboolean            *background,
                                        gboolean            *autostart,
                                        GError             **error);

G_END_DECLS
