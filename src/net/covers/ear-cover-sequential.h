/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GBytes *ear_cover_sequential_new (int           fd,
                                  GCancellable *cancellable,
                                  GError      **error);

G_END_DECLS
