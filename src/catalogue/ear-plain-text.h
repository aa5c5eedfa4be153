/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

char *ear_plain_text_from_notes (const char *notes, gsize limit);

G_END_DECLS
