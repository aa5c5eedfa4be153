/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Longer addresses are no pages to read. */
#define EAR_LINK_ADDRESS_LIMIT 2048

char   *ear_link_address_dup_clean (const char *address);
char   *ear_link_address_dup_key   (const char *address);
char   *ear_link_address_dup_host  (const char *address);
char   *ear_link_address_dup_words (const char *address);
gint64  ear_link_address_make_id   (const char *key);

G_END_DECLS
