/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

EarDatabase *ear_catalogue_schema_open (const char *path, GError **error);
gboolean ear_catalogue_schema_is_outdated (const char *path);
gboolean ear_catalogue_schema_accept (EarDatabase *database, GError **error);
gboolean ear_catalogue_schema_get_clean (EarDatabase *database);
void ear_catalogue_schema_set_clean (EarDatabase *database, gboolean clean);

/* The row id of a sentence or chapter is its episode's id, shifted by this number of
 * bits, plus its index. */
#define EAR_MOMENT_BITS 18

/* The row id of a mention is its place in the order: mentions of newer episodes,
 * which have a greater sort key, come first, and those of one episode in the
 * order of its notes. New episodes are scanned first, so most rows are added
 * after all others, where SQLite fills its pages. No sort key of this century is
 * above 2^34 (EAR_KEYS_PER_SECOND). */
#define EAR_MENTION_PLACE_BITS 9
#define EAR_MENTION_SQL_FIRST(sort_key) "(17179869184 - " sort_key " << 9)"
#define EAR_MENTION_SQL_END(sort_key) "(17179869184 - " sort_key " + 1 << 9)"
#define EAR_MENTION_SQL_SORT_KEY(id) "(17179869184 - (" id " >> 9))"

G_END_DECLS
