/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "ear-error.h"

G_BEGIN_DECLS

JsonObject *ear_json_parse (const char *text, gsize length, GError **error);
JsonObject *ear_json_salvage (const char *text, gsize length, const char *table);
char *ear_json_print (JsonObject *root, gsize *length);
GString *ear_json_print_node (JsonNode *node);
gboolean ear_json_check (const char *text, gsize length, GError **error);

double ear_json_get_number (JsonNode *node);
JsonObject *ear_json_get_object (JsonObject *parent, const char *name);
JsonObject *ear_json_ensure_object (JsonObject *parent, const char *name);
JsonArray *ear_json_get_array (JsonObject *parent, const char *name);
gboolean ear_json_array_contains (JsonArray *array, JsonNode *wanted);
gboolean ear_json_add_to_array (JsonObject *parent, const char *name, const char *string);
const char *ear_json_get_string (JsonObject *object, const char *name, gsize limit);
gboolean ear_json_set_string (JsonObject *object, const char *name, const char *value);

G_END_DECLS
