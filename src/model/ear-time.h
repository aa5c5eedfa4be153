/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "ear-types.h"

G_BEGIN_DECLS

gint64 ear_clock_get_boot_time (void);
char *ear_clock_format (gint64 time);

/* Stamp of a value without one, or with one from a wrong clock: older than all others */
#define EAR_STAMP_OLDEST G_GINT64_CONSTANT (1)

gint64 ear_stamp_latest (gint64 now);
gint64 ear_stamp_clamp_future (gint64 stamp, gint64 now);
gint64 ear_stamp_parse (const char *text, gint64 now);
char *ear_stamp_format (gint64 stamp);

G_END_DECLS
