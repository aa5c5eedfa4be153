/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limits of the tree of a JSON text */
typedef struct
{
  guint depth;      /* nesting of objects and arrays */
  guint containers; /* objects and arrays */
  guint values;     /* commas between values, members included */
} EarJsonBounds;

gboolean ear_json_bounds_hold (const EarJsonBounds *self, const char *text, gsize length);
char *ear_json_bounds_cut (const EarJsonBounds *self, const char *text, gsize length);

G_END_DECLS
