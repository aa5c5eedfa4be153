/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void ear_list_store_update (GListStore *store, GPtrArray *items);

G_END_DECLS
