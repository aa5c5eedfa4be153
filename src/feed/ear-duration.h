/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

gint64   ear_duration_parse (const char *text);
gboolean ear_npt_parse      (const char *text,
                             gint64     *microseconds);

G_END_DECLS
