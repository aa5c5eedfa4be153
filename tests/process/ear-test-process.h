/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void ear_test_limit_files (gsize size);
GStrv ear_test_run_and_kill (guint microseconds, const char *argument, ...)
    G_GNUC_NULL_TERMINATED;

G_END_DECLS
