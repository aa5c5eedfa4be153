/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Private to feed/: time zones by abbreviation and by IANA name. */

gboolean   ear_date_find_zone    (const char *word,
                                  gsize       length,
                                  int        *offset);
GTimeZone *ear_date_take_zone    (char      *text);
gint64     ear_date_to_universal (gint64     local,
                                  GTimeZone *zone);

G_END_DECLS
