/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-comment-chapters.h"
#include "ear-media-head-private.h"

#include <string.h>

/* Vorbis comments (https://xiph.org/vorbis/doc/v-comment.html): in the second packet of
 * an Ogg stream (RFC 3533), or in a block of FLAC (RFC 9639). */

#define PAGE_HEADER 27
#define MAX_PAGES 2000
#define MAX_COMMENTS 20000
#define MAX_BLOCKS 1000
#define FLAC_COMMENTS 4

/* Longer comments are pictures. */
#define MAX_COMMENT 65536

/* Reads a text after its length.
 * Returns: %FALSE if it is longer than the remaining bytes */
static gboolean
next_text (const guint8 **bytes, gsize *length, const char **text, gsize *text_length)
{
  guint32 size;

  if (*length < 4)
    return FALSE;
  size = ear_media_get_32_little (*bytes);
  if (size > *length - 4)
    return FALSE;

  *text = (const char *) *bytes + 4;
  *text_length = size;
  *bytes += 4 + size;
  *length -= 4 + size;

  return TRUE;
}

static void
read_comment (EarCommentChapters *chapters, const char *comment, EarMediaHead *head)
{
  if (ear_comment_chapters_add (chapters, comment) || head->comment != NULL)
    return;
  if (g_ascii_strncasecmp (comment, "COMMENT=", strlen ("COMMENT=")) == 0)
    head->comment = g_utf8_make_valid (comment + strlen ("COMMENT="), -1);
}

static void
read_comments (const guint8 *bytes, gsize length, EarMediaHead *head)
{
  g_autoptr (EarCommentChapters) chapters = ear_comment_chapters_new ();
  const char *text;
  gsize text_length;
  guint32 n_comments;

  /* Skip the name of the encoder. */
  if (!next_text (&bytes, &length, &text, &text_length) || length < 4)
    return;
  n_comments = MIN (ear_media_get_32_little (bytes), MAX_COMMENTS);
  bytes += 4;
  length -= 4;
  for (guint32 i = 0; i < n_comments && next_text (&bytes, &length, &text, &text_length); i++)
    if (text_length <= MAX_COMMENT)
      {
        g_autofree char *comment = g_strndup (text, text_length);

        read_comment (chapters, comment, head);
      }
  g_ptr_array_unref (head->chapters);
  head->chapters = ear_comment_chapters_list (chapters);
}

static void
read_packet (GByteArray *packet, EarMediaHead *head)
{
  static const char *const beginnings[] = { "\003vorbis", "OpusTags" };

  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    {
      const gsize length = strlen (beginnings[i]);

      if (packet->len > length && memcmp (packet->data, beginnings[i], length) == 0)
        read_comments (packet->data + length, packet->len - length, head);
    }
}

/* Adds the segments of the second packet on a page.
 * @n_packets: (inout): the number of packets that have ended */
static void
take_segments (const guint8 *lacing, guint n_segments, const guint8 *body, gsize length, guint *n_packets, GByteArray *packet)
{
  for (guint i = 0; i < n_segments && *n_packets < 2; i++)
    {
      const gsize size = MIN (lacing[i], length);

      if (*n_packets == 1)
        g_byte_array_append (packet, body, (guint) size);
      body += size;
      length -= size;
      *n_packets += lacing[i] < 255;
    }
}

/* Reads the comments of the first stream; pages of other streams may be in between. */
void
ear_ogg_comments_read (GInputStream *stream, GCancellable *cancellable, EarMediaHead *head)
{
  g_autoptr (GByteArray) packet = g_byte_array_new ();
  guint64 offset = 0;
  guint32 serial = 0;
  guint n_packets = 0;

  for (guint n_pages = 0; n_packets < 2 && n_pages < MAX_PAGES && offset < EAR_MEDIA_HEAD_LIMIT; n_pages++)
    {
      g_autoptr (GBytes) page = ear_media_read (stream, offset, PAGE_HEADER + 255 + 255 * 255, cancellable);
      gsize length = 0;
      const guint8 *bytes = page != NULL ? g_bytes_get_data (page, &length) : NULL;
      gsize size = 0;

      if (length < PAGE_HEADER || memcmp (bytes, "OggS", 4) != 0 || length < (gsize) PAGE_HEADER + bytes[26])
        return;
      for (guint i = 0; i < bytes[26]; i++)
        size += bytes[PAGE_HEADER + i];
      if (offset == 0)
        serial = ear_media_get_32 (bytes + 14);
      if (ear_media_get_32 (bytes + 14) == serial)
        take_segments (bytes + PAGE_HEADER, bytes[26], bytes + PAGE_HEADER + bytes[26], length - PAGE_HEADER - bytes[26], &n_packets, packet);
      offset += PAGE_HEADER + bytes[26] + size;
    }
  if (n_packets == 2)
    read_packet (packet, head);
}

void
ear_flac_comments_read (GInputStream *stream, GCancellable *cancellable, EarMediaHead *head)
{
  guint64 offset = 4;

  for (guint i = 0; i < MAX_BLOCKS; i++)
    {
      g_autoptr (GBytes) header = ear_media_read (stream, offset, 4, cancellable);
      const guint8 *bytes = header != NULL ? g_bytes_get_data (header, NULL) : NULL;
      guint32 size;

      if (header == NULL || g_bytes_get_size (header) < 4)
        return;
      size = ear_media_get_32 (bytes) & 0xffffff;
      if ((bytes[0] & 0x7f) == FLAC_COMMENTS)
        {
          g_autoptr (GBytes) block = ear_media_read (stream, offset + 4, size, cancellable);

          if (block != NULL)
            read_comments (g_bytes_get_data (block, NULL), g_bytes_get_size (block), head);
          return;
        }
      if ((bytes[0] & 0x80) != 0)
        return;
      offset += 4 + size;
    }
}
