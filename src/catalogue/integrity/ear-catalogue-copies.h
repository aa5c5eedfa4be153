/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

gboolean ear_catalogue_copies_make       (EarDatabase            *database,
                                          const char             *path,
                                          GError                **error);
gint64   ear_catalogue_copies_get_newest (const char             *path);
gboolean ear_catalogue_copies_set_aside  (const char             *path,
                                          GError                **error);
void     ear_catalogue_copies_prune_aside (const char            *path);
char    *ear_catalogue_copies_dup_aside  (const char             *path);
gboolean ear_catalogue_copies_install    (const char             *path);

G_END_DECLS
