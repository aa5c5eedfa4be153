/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The row id of a mention is its place in the order: mentions of newer episodes,
 * which have a greater sort key, come first, and those of one episode in the
 * order of its notes. New episodes are scanned first, so most rows are added
 * after all others, where SQLite fills its pages. No sort key of this century is
 * above 2^34 (EAR_KEYS_PER_SECOND). */
#define EAR_MENTION_PLACE_BITS 9
#define EAR_MENTION_SQL_FIRST(sort_key) "(17179869184 - " sort_key " << 9)"
#define EAR_MENTION_SQL_END(sort_key) "(17179869184 - " sort_key " + 1 << 9)"
#define EAR_MENTION_SQL_SORT_KEY(id) "(17179869184 - (" id " >> 9))"

/* Length of the part of an address in the table `site`: up to the first slash after the
 * host. The mention has the rest. */
#define EAR_MENTION_SQL_SITE_LENGTH(address) \
  "(instr (" address ", '://') + 2 + coalesce (nullif (instr (substr (" address ", instr (" address ", '://') + 3), '/'), 0)," \
  " length (" address ")))"

G_END_DECLS
