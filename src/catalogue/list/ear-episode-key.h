/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

gboolean ear_episode_key_find (EarDatabase *database,
                               const char  *key,
                               gint64      *id,
                               GError     **error);

G_END_DECLS
