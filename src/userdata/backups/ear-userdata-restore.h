/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-json-folder.h"

G_BEGIN_DECLS

GPtrArray *ear_userdata_restore (EarJsonFolder *folder, GHashTable *contents, gboolean exact,
                                 GError **error);

G_END_DECLS
