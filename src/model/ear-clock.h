/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint64 ear_clock_get_boot_time (void);
char  *ear_clock_format        (gint64 time);

G_END_DECLS
