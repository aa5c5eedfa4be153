/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gpointer ear_list_peek (GListModel *model, guint position);
void ear_list_store_update (GListStore *store, GPtrArray *items);

G_END_DECLS
