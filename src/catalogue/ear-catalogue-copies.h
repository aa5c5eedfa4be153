/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

gboolean ear_catalogue_copies_set_aside (const char *path, GError **error);

G_END_DECLS
