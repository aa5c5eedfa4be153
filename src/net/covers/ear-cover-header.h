/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What the first bytes of a picture tell, before any library is trusted with it.
 * `loader` is gdk-pixbuf's name of the format; `cost` is the memory in bytes that
 * decoding it takes at most; `length` is how many bytes of the file are of use, and
 * `tail` what is to follow them instead of the rest, or %NULL.
 */
typedef struct
{
  const char *loader;
  guint width;
  guint height;
  gint64 cost;
  gint64 length;
  const char *tail;
} EarCoverHeader;

/* As many bytes as are enough to know a format by. */
#define EAR_COVER_MAGIC_LENGTH 12

gboolean ear_cover_header_is_known (const guint8 *data,
                                    gsize         length);
gboolean ear_cover_header_read     (const guint8   *data,
                                    gsize           length,
                                    EarCoverHeader *header,
                                    GError        **error);

G_END_DECLS
