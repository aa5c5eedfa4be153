/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "ear-error.h"

G_BEGIN_DECLS

JsonObject *ear_json_parse      (const char *text,
                                 gsize       length,
                                 GError    **error);
JsonObject *ear_json_salvage    (const char *text,
                                 gsize       length,
                                 const char *table,
                                 gboolean    repair);
char       *ear_json_print      (JsonObject *root,
                                 gsize      *length);
void        ear_json_append_node (GString  *text,
                                  JsonNode *node,
                                  guint     indent);
gboolean    ear_json_check      (const char *text,
                                 gsize       length,
                                 GError    **error);

G_END_DECLS
