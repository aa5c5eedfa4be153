/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

GArray *ear_id_diff_get_kept (GArray *before,
                              GArray *after);
GArray *ear_id_diff_get_kept_around (GArray *before,
                                     GArray *after,
                                     gint64  pinned);

G_END_DECLS
