/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-image.h"

G_BEGIN_DECLS

EarImage *ear_cover_square_new (EarImage *image,
                                int       side);

G_END_DECLS
