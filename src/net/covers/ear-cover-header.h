/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The header of a picture, read before any library parses the file. `loader` is
 * gdk-pixbuf's name of the format. `cost` is the maximum memory for decoding in bytes.
 * `length` is the number of bytes of the file that are used, and `tail` replaces the
 * rest, or is %NULL. */
typedef struct
{
  const char *loader;
  guint width;
  guint height;
  gint64 cost;
  gint64 length;
  const char *tail;
} EarCoverHeader;

/* Bytes needed to recognize a format */
#define EAR_COVER_MAGIC_LENGTH 12

gboolean ear_cover_header_is_known (const guint8 *data,
                                    gsize         length);
gboolean ear_cover_header_read     (const guint8   *data,
                                    gsize           length,
                                    EarCoverHeader *header,
                                    GError        **error);

G_END_DECLS
