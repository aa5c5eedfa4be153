/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"
#include "ear-strict-json.h"

G_BEGIN_DECLS

#define EAR_USERDATA_KIND_PODCAST "podcast"
#define EAR_USERDATA_KIND_SUBSCRIPTIONS "subscriptions"
#define EAR_USERDATA_KIND_NOW "now"
#define EAR_USERDATA_KIND_BACKUP "backup"

/* Names of files that are not a podcast's */
#define EAR_SUBSCRIPTION_FILE_NAME "subscriptions.json"
#define EAR_USERDATA_NOW_NAME "now.json"

/* Longer names are not the listener's; they stay in the file, unread. */
#define EAR_USERDATA_NAME_LIMIT 8192
#define EAR_USERDATA_TITLE_LIMIT 2048

char *ear_userdata_shape_dup_name (const char *address);
JsonObject *ear_userdata_shape_new (const char *kind);
gboolean ear_userdata_shape_check (JsonObject *root, const char *kind, GError **error);
JsonObject *ear_userdata_shape_parse (GBytes *content, const char *kind);
JsonObject *ear_userdata_shape_salvage (const char *text, gsize length, const char *kind);
const char *ear_userdata_shape_get_table (const char *kind);
const char *ear_userdata_shape_get_kind (const char *name);

gboolean ear_userdata_merge (JsonObject *into, JsonObject *from, gint64 now);

G_END_DECLS
