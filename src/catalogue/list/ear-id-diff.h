/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

GArray *ear_id_diff_get_kept (GArray *before,
                              GArray *after);

G_END_DECLS
