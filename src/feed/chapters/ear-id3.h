/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapters.h"

G_BEGIN_DECLS

gboolean ear_id3_read_frame (const guint8 *bytes,
                             gsize         length,
                             guint         version,
                             GPtrArray    *chapters);

G_END_DECLS
