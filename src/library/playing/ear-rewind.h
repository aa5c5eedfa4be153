/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint64 ear_rewind_by_pause (gint64 pause);

G_END_DECLS
