/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ear_xing_prepend (const char *path,
                           GError    **error);

G_END_DECLS
