/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a JSON text may become at the most. */
typedef struct
{
  guint depth;      /* of objects and arrays in each other */
  guint containers; /* objects and arrays */
  guint values;     /* commas between values, members included */
} EarJsonBounds;

gboolean ear_json_bounds_hold (const EarJsonBounds *self,
                               const char          *text,
                               gsize                length);
char    *ear_json_bounds_cut  (const EarJsonBounds *self,
                               const char          *text,
                               gsize                length);

G_END_DECLS
