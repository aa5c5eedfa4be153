/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Private to feed/: zones by their short names, and as the IANA's database has them. */

gboolean   ear_date_find_zone    (const char *word,
                                  gsize       length,
                                  int        *offset);
GTimeZone *ear_date_take_zone    (char      *text);
gint64     ear_date_to_universal (gint64     local,
                                  GTimeZone *zone);

G_END_DECLS
