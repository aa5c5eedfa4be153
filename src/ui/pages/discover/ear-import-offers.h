/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void ear_import_offers_fill (GtkWidget    *place,
                             const char   *action,
                             const char   *style_class,
                             GCancellable *cancellable);

G_END_DECLS
