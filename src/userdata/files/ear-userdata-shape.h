/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-entry-table.h"

G_BEGIN_DECLS

char *ear_userdata_shape_dup_name (const char *address);
JsonObject *ear_userdata_shape_new (const char *kind);
gboolean ear_userdata_shape_check (JsonObject *root, const char *kind, GError **error);
JsonObject *ear_userdata_shape_parse (GBytes *content, const char *kind);
JsonObject *ear_userdata_shape_salvage (const char *text, gsize length, const char *kind);
const char *ear_userdata_shape_get_table (const char *kind);
const char *ear_userdata_shape_get_kind (const char *name);

gboolean ear_userdata_merge (JsonObject *into, JsonObject *from, gint64 now);

G_END_DECLS
