/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Flags for parsing an address: all parts unchanged, except the scheme */
#define EAR_ADDRESS_FLAGS (G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_SCHEME_NORMALIZE)

/* Flags for an address in a request: the same as SOUP_HTTP_URI_FLAGS */
#define EAR_ADDRESS_REQUEST_FLAGS \
  (G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_ENCODED_PATH | G_URI_FLAGS_ENCODED_QUERY | \
   G_URI_FLAGS_ENCODED_FRAGMENT | G_URI_FLAGS_SCHEME_NORMALIZE)

const char *ear_address_skip_www (const char *host);
gboolean ear_address_is_web (const char *address);
gboolean ear_address_trusts (const char *known, const char *other);
char *ear_address_resolve (const char *base, const char *reference);
GUri *ear_address_parse_for_request (const char *address);
char *ear_address_escape_bytes (const char *text);
char *ear_address_clean (const char *typed);
char *ear_address_dup_host (const char *address);
char *ear_address_key (const char *address);
gboolean ear_address_is_secure_twin (const char *address, const char *other);
gboolean ear_address_has_secret (const char *address);
char *ear_address_without_secrets (const char *address);
char *ear_address_without_login (const char *address);
char *ear_address_with_time (const char *address, gint64 time);
char *ear_address_at_time (const char *address, gint64 time);
char *ear_address_hash (const char *first, const char *second);
gboolean ear_address_is_hash (const char *text);

G_END_DECLS
