/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ear_test_folder_remove (const char *path);

G_END_DECLS
