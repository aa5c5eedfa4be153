/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * EarMediaTag:
 * @version: 3 or 4: @bytes are a frame of an ID3 tag of version 2.3 or 2.4; 0: a
 *   Vorbis comment, `NAME=value`
 * @bytes: untrusted bytes from the media
 *
 * A tag of the media that GStreamer does not parse, such as chapters.
 * Immutable, any thread.
 */
typedef struct
{
  guint version;
  GBytes *bytes;
} EarMediaTag;

G_END_DECLS
