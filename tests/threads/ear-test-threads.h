/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int ear_test_get_niceness (const char *thread);

G_END_DECLS
