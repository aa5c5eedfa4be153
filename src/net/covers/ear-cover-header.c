/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-header.h"

#include "ear-error.h"

#include <string.h>

#define MAX_PIXELS (G_GINT64_CONSTANT (100) * 1000 * 1000)
#define MAX_COST (G_GINT64_CONSTANT (128) * 1024 * 1024)
#define MAX_SIDE 65535

/* The header must be within this many parts of the file. */
#define MAX_PARTS 4096
#define MAX_GIF_BLOCKS 100000
#define MAX_PNG_CHUNKS 100000

/* Real pictures have about ten scans. Each costs a pass over the whole picture, even if
 * it has few bytes. */
#define MAX_SCANS 64

/* A whole file */
typedef struct
{
  const guint8 *data;
  gsize length;
} Source;

typedef gboolean (*ReadFormat) (const Source *source, EarCoverHeader *header);

/* Returns: (nullable): @length bytes at @offset; %NULL past the end of the file */
static const guint8 *
look_at (const Source *source, gint64 offset, gsize length)
{
  return offset + (gint64) length <= (gint64) source->length ? source->data + offset : NULL;
}

static guint
be16 (const guint8 *p)
{
  return p[0] << 8 | p[1];
}

static guint
le16 (const guint8 *p)
{
  return p[0] | p[1] << 8;
}

static guint
le24 (const guint8 *p)
{
  return p[0] | p[1] << 8 | p[2] << 16;
}

static guint
be32 (const guint8 *p)
{
  return (guint) p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static gint64
area (const EarCoverHeader *header)
{
  return (gint64) header->width * header->height;
}

/* ITU T.81, B.2.2: the size and the sampling of each component. The decoder stores a
 * picture of several scans as coefficients of two bytes: 27 MB for 3000 x 3000 pixels
 * with chroma at a quarter, 54 MB with full chroma. It decodes one picture at a time. */
static gboolean
read_jpeg_frame (const Source *source, gint64 offset, guint *components, gint64 *coefficients, EarCoverHeader *header)
{
  const guint8 *frame = look_at (source, offset, 8 + 3 * 4);
  guint samples = 0, most = 1;

  if (frame == NULL)
    return FALSE;
  header->height = be16 (frame + 3);
  header->width = be16 (frame + 5);
  *components = frame[7];
  if (*components < 1 || *components > 4)
    return FALSE;

  for (guint i = 0; i < *components; i++)
    {
      guint sampling = (frame[9 + 3 * i] >> 4) * (frame[9 + 3 * i] & 15);

      if (sampling == 0 || sampling > 16)
        return FALSE;
      samples += sampling;
      most = MAX (most, sampling);
    }
  *coefficients = area (header) * samples / most * 2;

  return TRUE;
}

static gboolean
is_jpeg_frame (guint marker)
{
  /* SOF0 to SOF15, except DHT, JPG and DAC, whose codes are between them. */
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/* Skips the coded part of a scan, which ends at a marker that is neither a stuffed byte
 * nor a restart.
 * Returns: the end; -1 if the file ends before it */
static gint64
skip_jpeg_scan (const Source *source, gint64 offset)
{
  while (offset + 2 <= (gint64) source->length)
    {
      const guint8 *found = memchr (source->data + offset, 0xff, source->length - 1 - offset);

      if (found == NULL)
        return -1;
      offset = found - source->data;
      if (found[1] != 0 && (found[1] < 0xd0 || found[1] > 0xd7))
        return offset;
      offset += 2;
    }

  return -1;
}

/* Checks the file to its end: gdk-pixbuf would fill the missing part of a truncated
 * picture with uninitialized memory. */
static gboolean
read_jpeg (const Source *source, EarCoverHeader *header)
{
  gint64 offset = 2;
  gint64 coefficients = 0;
  guint components = 0, scans = 0;
  gboolean sequential = FALSE, in_scans = FALSE;

  for (guint i = 0; i < MAX_PARTS && offset >= 0; i++)
    {
      const guint8 *part = look_at (source, offset, 2);
      guint marker = part != NULL && part[0] == 0xff ? part[1] : 0;

      if (marker == 0xd9)
        return scans > 0;
      if (marker == 0xff)
        {
          offset++;
          continue;
        }
      if (is_jpeg_frame (marker))
        {
          sequential = marker == 0xc0 || marker == 0xc1;
          if (components > 0 || !read_jpeg_frame (source, offset + 2, &components, &coefficients, header))
            return FALSE;
        }

      part = look_at (source, offset, 5);
      if (part == NULL || marker == 0)
        return FALSE;
      /* The cost of pixels assumes that large pictures are decoded at an eighth to half
       * of their size. */
      offset += 2 + MAX (be16 (part + 2), 2);
      if (marker == 0xda)
        {
          in_scans |= !sequential || part[4] != components;
          header->cost = area (header) / 4 + (in_scans ? coefficients : 0);
          if (++scans > MAX_SCANS)
            return FALSE;
          offset = components > 0 ? skip_jpeg_scan (source, offset) : -1;
        }
    }

  return FALSE;
}

static gboolean
has_png_end (const Source *source)
{
  gint64 offset = 8;

  for (guint i = 0; i < MAX_PNG_CHUNKS; i++)
    {
      const guint8 *chunk = look_at (source, offset, 8);

      if (chunk == NULL)
        return FALSE;
      if (memcmp (chunk + 4, "IEND", 4) == 0)
        return TRUE;
      offset += 12 + (gint64) be32 (chunk);
    }

  return FALSE;
}

static gboolean
read_png (const Source *source, EarCoverHeader *header)
{
  const guint8 *part = look_at (source, 8, 16);

  if (part == NULL || be32 (part) != 13 || memcmp (part + 4, "IHDR", 4) != 0)
    return FALSE;
  header->width = be32 (part + 8);
  header->height = be32 (part + 12);
  if (header->width > MAX_SIDE || header->height > MAX_SIDE)
    return FALSE;
  header->cost = area (header) * 4;

  return has_png_end (source);
}

/* Skips a chain of blocks of up to 255 bytes.
 * Returns: the end, or -1 */
static gint64
skip_gif_blocks (const Source *source, gint64 offset)
{
  for (guint i = 0; i < MAX_GIF_BLOCKS; i++)
    {
      const guint8 *block = look_at (source, offset, 1);

      if (block == NULL)
        return -1;
      offset += 1 + block[0];
      if (block[0] == 0)
        return offset;
    }

  return -1;
}

static gint64
gif_colours (guint8 flags)
{
  return (flags & 0x80) != 0 ? 3 << ((flags & 7) + 1) : 0;
}

/* Only the first frame of an animation is used, and it must be within the screen:
 * gdk-pixbuf allocates memory for whatever size a frame claims. */
static gboolean
read_gif (const Source *source, EarCoverHeader *header)
{
  const guint8 *part = look_at (source, 0, 13);
  gint64 offset;

  if (part == NULL)
    return FALSE;
  header->width = le16 (part + 6);
  header->height = le16 (part + 8);
  header->cost = area (header) * 9;

  offset = 13 + gif_colours (part[10]);
  for (guint i = 0; i < MAX_PARTS && offset >= 0; i++)
    {
      part = look_at (source, offset, 10);
      if (part == NULL)
        return FALSE;
      if (part[0] == 0x2c)
        {
          guint width = le16 (part + 5), height = le16 (part + 7);

          if (width == 0 || le16 (part + 1) + width > header->width ||
              height == 0 || le16 (part + 3) + height > header->height)
            return FALSE;
          header->length = skip_gif_blocks (source, offset + 11 + gif_colours (part[9]));
          header->tail = ";";
          return header->length > 0;
        }
      if (part[0] != 0x21)
        return FALSE;
      offset = skip_gif_blocks (source, offset + 2);
    }

  return FALSE;
}

static gboolean
read_webp (const Source *source, EarCoverHeader *header)
{
  const guint8 *part = look_at (source, 12, 18);

  if (part == NULL)
    return FALSE;
  if (memcmp (part, "VP8X", 4) == 0)
    {
      header->width = le24 (part + 12) + 1;
      header->height = le24 (part + 15) + 1;
    }
  else if (memcmp (part, "VP8L", 4) == 0 && part[8] == 0x2f)
    {
      header->width = (le16 (part + 9) & 0x3fff) + 1;
      header->height = ((le24 (part + 10) >> 6) & 0x3fff) + 1;
    }
  else if (memcmp (part, "VP8 ", 4) == 0 && memcmp (part + 11, "\x9d\x01\x2a", 3) == 0)
    {
      header->width = le16 (part + 14) & 0x3fff;
      header->height = le16 (part + 16) & 0x3fff;
    }
  else
    {
      return FALSE;
    }
  header->cost = area (header) * 6;

  part = look_at (source, 4, 4);
  return part != NULL && look_at (source, 8 + (gint64) (le24 (part) | (guint) part[3] << 24) - 1, 1) != NULL;
}

static const struct
{
  const char *magic;
  gsize length;
  const char *second; /* (nullable): at byte 8 */
  const char *loader;
  ReadFormat read;
} formats[] = {
  { "\xff\xd8\xff", 3, NULL, "jpeg", read_jpeg },
  { "\x89PNG\r\n\x1a\n", 8, NULL, "png", read_png },
  { "GIF87a", 6, NULL, "gif", read_gif },
  { "GIF89a", 6, NULL, "gif", read_gif },
  { "RIFF", 4, "WEBP", "webp", read_webp },
};

static gssize
find_format (const guint8 *data, gsize length)
{
  if (length < EAR_COVER_MAGIC_LENGTH)
    return -1;
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (memcmp (data, formats[i].magic, formats[i].length) == 0 &&
        (formats[i].second == NULL || memcmp (data + 8, formats[i].second, 4) == 0))
      return i;

  return -1;
}

/* Checks for a supported format: JPEG, PNG, GIF or WebP. SVG is not supported: it is a
 * program that can read other files.
 * @data: (array length=length): the start of a file
 * @length: at least %EAR_COVER_MAGIC_LENGTH
 * Returns: whether the file may be in a supported format */
gboolean
ear_cover_header_is_known (const guint8 *data, gsize length)
{
  return find_format (data, length) >= 0;
}

/* Reads the header of a picture. Rejects pictures of more than 100 megapixels and those
 * that need more than 128 MB to decode.
 * @data: (array length=length): a whole file
 * @header: (out): its header */
gboolean
ear_cover_header_read (const guint8 *data, gsize length, EarCoverHeader *header, GError **error)
{
  const Source source = { data, length };
  gssize format = find_format (data, length);

  memset (header, 0, sizeof *header);
  header->length = (gint64) length;
  if (format < 0 || !formats[format].read (&source, header) || header->width == 0 || header->height == 0)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "no picture that can be read");
      return FALSE;
    }

  header->loader = formats[format].loader;
  if (area (header) > MAX_PIXELS || header->cost > MAX_COST)
    {
      g_set_error (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "a picture of %u x %u pixels", header->width, header->height);
      return FALSE;
    }

  return TRUE;
}
