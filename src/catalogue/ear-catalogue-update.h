/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Any thread, before the catalogue is opened */
gboolean ear_catalogue_needs_update (const char *path);
gboolean ear_catalogue_update (const char *path, GError **error);
gboolean ear_catalogue_readdress (const char *path, GHashTable *addresses, GError **error);

G_END_DECLS
