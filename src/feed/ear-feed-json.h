/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* JSON of chapters and transcripts */

#include "ear-json-bounds.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonNode   *ear_feed_json_parse    (const EarJsonBounds *bounds,
                                    const char          *text,
                                    GError             **error);
const char *ear_feed_json_get_text (JsonObject          *object,
                                    const char          *name);
gboolean    ear_feed_json_get_time (JsonObject          *object,
                                    const char          *name,
                                    gint64               unit,
                                    gint64              *time);

G_END_DECLS
