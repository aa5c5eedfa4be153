/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

gboolean ear_userdata_readdress (const char *directory, GHashTable *addresses, GError **error);

G_END_DECLS
