/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

void     ear_output_watch          (GstElement         *element);
void     ear_output_is_gone_async  (GstMessage         *message,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data);
gboolean ear_output_is_gone_finish (GAsyncResult       *result);

G_END_DECLS
