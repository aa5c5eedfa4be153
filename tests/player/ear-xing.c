/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-xing.h"

#include <string.h>

/* Writes the table of contents that encoders put before MP3 of variable bit rate, so that
 * players find positions. GStreamer's encoder leaves it to an element that is not
 * installed everywhere. MPEG-1 layer III, mono, 44100 Hz only. */

#define HEADER_SIZE 208 /* a frame of 64 kbit/s */
#define TAG_OFFSET (4 + 17)
#define TOC_SIZE 100

static gsize
frame_size (const guint8 *header)
{
  static const guint16 rates[] = { 0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0 };
  guint rate = rates[header[2] >> 4];

  if (header[0] != 0xff || (header[1] & 0xfe) != 0xfa || (header[2] & 0x0c) != 0 || rate == 0)
    return 0;

  return 144 * rate * 1000 / 44100 + ((header[2] >> 1) & 1);
}

static void
put_number (guint8 *to, guint32 number)
{
  number = GUINT32_TO_BE (number);
  memcpy (to, &number, sizeof number);
}

static void
fill_header (guint8 *header, const GArray *offsets, gsize size)
{
  static const guint8 start[] = { 0xff, 0xfb, 0x50, 0xc0 };

  memcpy (header, start, sizeof start);
  memcpy (header + TAG_OFFSET, "Xing", 4);
  put_number (header + TAG_OFFSET + 4, 7); /* frames, bytes and the table are present */
  put_number (header + TAG_OFFSET + 8, offsets->len);
  put_number (header + TAG_OFFSET + 12, (guint32) (size + HEADER_SIZE));
  for (guint i = 0; i < TOC_SIZE; i++)
    {
      guint64 offset = HEADER_SIZE + g_array_index (offsets, gsize, i * offsets->len / TOC_SIZE);

      header[TAG_OFFSET + 16 + i] = (guint8) (offset * 256 / (size + HEADER_SIZE));
    }
}

/**
 * ear_xing_prepend:
 * @path: an MP3 file without a Xing header
 * @error: return location for an error
 *
 * Puts a Xing header before the sound.
 *
 * Returns: %FALSE on error
 */
gboolean
ear_xing_prepend (const char *path, GError **error)
{
  g_autofree char *contents = NULL;
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GByteArray) whole = g_byte_array_new ();
  guint8 header[HEADER_SIZE] = { 0 };
  gsize size, length;

  if (!g_file_get_contents (path, &contents, &size, error))
    return FALSE;

  for (gsize offset = 0; offset + 4 <= size; offset += length)
    {
      length = frame_size ((const guint8 *) contents + offset);
      if (length == 0)
        {
          g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "no frame at %" G_GSIZE_FORMAT, offset);
          return FALSE;
        }
      g_array_append_val (offsets, offset);
    }

  fill_header (header, offsets, size);
  g_byte_array_append (whole, header, sizeof header);
  g_byte_array_append (whole, (const guint8 *) contents, (guint) size);

  return g_file_set_contents (path, (const char *) whole->data, whole->len, error);
}
