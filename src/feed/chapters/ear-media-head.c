/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-media-head-private.h"

#include <string.h>

void
ear_media_head_free (EarMediaHead *self)
{
  g_ptr_array_unref (self->chapters);
  g_free (self->comment);
  g_free (self);
}

/* Returns: the size of the stream, or 0 if it is unknown */
guint64
ear_media_find_end (GInputStream *stream, GCancellable *cancellable)
{
  if (!g_seekable_seek (G_SEEKABLE (stream), 0, G_SEEK_END, cancellable, NULL))
    return 0;

  return (guint64) MAX (g_seekable_tell (G_SEEKABLE (stream)), 0);
}

/* Returns: (transfer full) (nullable): @length bytes, or fewer at the end of the file;
 *   %NULL if there are none */
GBytes *
ear_media_read (GInputStream *stream, guint64 offset, gsize length, GCancellable *cancellable)
{
  const guint64 end = ear_media_find_end (stream, cancellable);
  g_autofree guint8 *bytes = NULL;
  gsize size = 0;

  if (offset >= end || !g_seekable_seek (G_SEEKABLE (stream), (goffset) offset, G_SEEK_SET, cancellable, NULL))
    return NULL;
  length = (gsize) MIN (length, end - offset);
  bytes = g_try_malloc (length);
  if (bytes == NULL || (!g_input_stream_read_all (stream, bytes, length, &size, cancellable, NULL) && size == 0) || size == 0)
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&bytes), size);
}

/**
 * ear_media_head_read:
 * @stream: a media file, a #GSeekable; reads some megabytes of it at most
 *
 * Reads chapters from MP3 (ID3), MP4, Ogg and FLAC. Blocks: call it on a worker thread.
 *
 * Returns: (transfer full): the metadata, maybe empty
 */
EarMediaHead *
ear_media_head_read (GInputStream *stream, GCancellable *cancellable)
{
  g_autoptr (GBytes) beginning = ear_media_read (stream, 0, 12, cancellable);
  const guint8 *bytes = beginning != NULL ? g_bytes_get_data (beginning, NULL) : NULL;
  EarMediaHead *head = g_new0 (EarMediaHead, 1);

  head->chapters = ear_chapters_new ();
  if (beginning == NULL || g_bytes_get_size (beginning) < 12)
    return head;
  if (memcmp (bytes, "ID3", 3) == 0)
    ear_id3_read (stream, cancellable, head);
  else if (memcmp (bytes, "OggS", 4) == 0)
    ear_ogg_comments_read (stream, cancellable, head);
  else if (memcmp (bytes, "fLaC", 4) == 0)
    ear_flac_comments_read (stream, cancellable, head);
  else if (memcmp (bytes + 4, "ftyp", 4) == 0)
    ear_mp4_read (stream, cancellable, head);
  ear_chapters_sort (head->chapters);

  return head;
}
