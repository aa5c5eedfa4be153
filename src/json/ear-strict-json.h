/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "ear-error.h"

G_BEGIN_DECLS

JsonObject *ear_json_parse      (const char *text,
                                 gsize       length,
                                 GError    **error);
char       *ear_json_print      (JsonObject *root,
                                 gsize      *length);
void        ear_json_append_node (GString  *text,
                                  JsonNode *node,
                                  guint     indent);
gboolean    ear_json_is_bounded (const char *text,
                                 gsize       length);

G_END_DECLS
