/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void     ear_autostart_set_async  (gboolean              enabled,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
gboolean ear_autostart_set_finish (GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
