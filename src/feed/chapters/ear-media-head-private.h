/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the readers of container formats */

#include "ear-media-head.h"

G_BEGIN_DECLS

/* Limit for all metadata read from a file, mostly pictures */
#define EAR_MEDIA_HEAD_LIMIT (32 * 1024 * 1024)

static inline guint32
ear_media_get_32 (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

static inline guint64
ear_media_get_64 (const guint8 *bytes)
{
  return (guint64) ear_media_get_32 (bytes) << 32 | ear_media_get_32 (bytes + 4);
}

static inline guint32
ear_media_get_32_little (const guint8 *bytes)
{
  return (guint32) bytes[3] << 24 | (guint32) bytes[2] << 16 | (guint32) bytes[1] << 8 | bytes[0];
}

GBytes *ear_media_read        (GInputStream *stream,
                               guint64       offset,
                               gsize         length,
                               GCancellable *cancellable);

guint64 ear_media_find_end    (GInputStream *stream,
                               GCancellable *cancellable);

void    ear_id3_read          (GInputStream *stream,
                               GCancellable *cancellable,
                               EarMediaHead *head);
void    ear_mp4_read          (GInputStream *stream,
                               GCancellable *cancellable,
                               EarMediaHead *head);
void    ear_ogg_comments_read (GInputStream *stream,
                               GCancellable *cancellable,
                               EarMediaHead *head);
void    ear_flac_comments_read (GInputStream *stream,
                                GCancellable *cancellable,
                                EarMediaHead *head);

G_END_DECLS
