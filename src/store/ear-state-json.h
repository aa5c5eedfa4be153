/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "ear-error.h"

G_BEGIN_DECLS

/* What a value without a stamp that can be believed counts as: older than all others. */
#define EAR_STATE_OLDEST G_GINT64_CONSTANT (1)

JsonObject *ear_state_json_parse        (const char *text,
                                         gsize       length,
                                         GError    **error);
char       *ear_state_json_print        (JsonObject *root,
                                         gsize      *length);
gboolean    ear_state_json_is_bounded   (const char *text,
                                         gsize       length);
gint64      ear_state_latest_stamp      (gint64      now);
gint64      ear_state_believe_stamp     (gint64      stamp,
                                         gint64      now);
gint64      ear_state_json_parse_stamp  (const char *text,
                                         gint64      now);
char       *ear_state_json_format_stamp (gint64      stamp);

G_END_DECLS
