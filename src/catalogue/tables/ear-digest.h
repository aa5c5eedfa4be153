/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* FNV-1a with 64 bits: detects changed facts. Quick and small; authors who make two
 * versions of their own feed collide only hide their own edit. */
#define EAR_DIGEST_START ((guint64) 0xcbf29ce484222325)

guint64 ear_digest_bytes (guint64     digest,
                          const void *data,
                          gsize       length);
guint64 ear_digest_text  (guint64     digest,
                          const char *text);
guint64 ear_digest_int   (guint64     digest,
                          gint64      value);

G_END_DECLS
