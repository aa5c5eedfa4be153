/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

gint64 ear_recurrence_parse (const char *rule);

G_END_DECLS
