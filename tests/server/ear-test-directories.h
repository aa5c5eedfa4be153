/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GBytes *ear_test_directories_answer (const char  *path,
                                     const char  *query,
                                     const char  *origin,
                                     const char **type);

G_END_DECLS
