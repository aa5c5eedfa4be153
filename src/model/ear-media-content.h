/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Longer files are no playlists. */
#define EAR_PLAYLIST_LIMIT (256 * 1024)

/* The type of a file, by its bytes. */
typedef enum
{
  EAR_MEDIA_CONTENT_UNKNOWN, /* audio or video, or none of the others */
  EAR_MEDIA_CONTENT_PICTURE, /* an image */
  EAR_MEDIA_CONTENT_DOCUMENT, /* another file that is certainly no media, such as a PDF */
  EAR_MEDIA_CONTENT_PAGE, /* a web page */
  EAR_MEDIA_CONTENT_PLAYLIST, /* a list of addresses (M3U, PLS, XSPF, ASX) */
  EAR_MEDIA_CONTENT_STREAM, /* a playlist of a stream's segments (HLS, DASH) */
} EarMediaContent;

EarMediaContent ear_media_content_sniff (const guint8 *data, gsize length);
gboolean ear_media_content_is_text (const guint8 *data, gsize length);
gboolean ear_media_content_is_called_playlist (const char *address, const char *content_type);
char *ear_media_content_read_type (const char *path);
GStrv ear_playlist_parse (const char *text, gsize length, const char *base);

G_END_DECLS
