/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ear_listened_rule_is_near_end (gint64 position, gint64 duration);
gboolean ear_listened_rule_is_whole (gint64 position, gint64 claimed, gint64 size,
                                     gint64 claimed_size);

G_END_DECLS
