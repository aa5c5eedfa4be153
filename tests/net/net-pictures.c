/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "net-pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jpeglib.h>

GBytes *
net_picture_new (int width, int height, gboolean alpha, const char *format)
{
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, alpha, 8, width, height);
  g_autoptr (GError) error = NULL;
  int channels = alpha ? 4 : 3;
  char *data;
  gsize length;

  for (int y = 0; y < height; y++)
    {
      guint8 *row = gdk_pixbuf_get_pixels (picture) + (gsize) y * gdk_pixbuf_get_rowstride (picture);

      for (int x = 0; x < width; x++)
        {
          row[x * channels] = x < width / 2 ? 220 : 20;
          row[x * channels + 1] = 100 * y / height;
          row[x * channels + 2] = x < width / 2 ? 20 : 220;
          if (alpha)
            row[x * channels + 3] = y < height / 2 ? 255 : 128;
        }
    }
  gdk_pixbuf_save_to_buffer (picture, &data, &length, format, &error, NULL);
  g_assert_no_error (error);

  return g_bytes_new_take (data, length);
}

/* Returns: a progressive JPEG file with full chroma (4:4:4) and noise */
GBytes *
net_picture_new_scans (int width, int height, int noise)
{
  struct jpeg_compress_struct picture;
  struct jpeg_error_mgr errors;
  g_autofree guint8 *row = g_malloc (3 * (gsize) width);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  unsigned char *data = NULL;
  unsigned long length = 0;
  GBytes *bytes;

  picture.err = jpeg_std_error (&errors);
  jpeg_create_compress (&picture);
  jpeg_mem_dest (&picture, &data, &length);
  picture.image_width = width;
  picture.image_height = height;
  picture.input_components = 3;
  picture.in_color_space = JCS_RGB;
  jpeg_set_defaults (&picture);
  jpeg_set_quality (&picture, 92, TRUE);
  picture.comp_info[0].h_samp_factor = picture.comp_info[0].v_samp_factor = 1;
  jpeg_simple_progression (&picture);
  jpeg_start_compress (&picture, TRUE);
  for (int y = 0; y < height; y++)
    {
      for (int x = 0; x < width; x++)
        {
          const int grain = noise > 0 ? g_rand_int_range (rand, -noise, noise + 1) : 0;

          row[3 * x] = CLAMP ((x < width / 2 ? 220 : 20) + grain, 0, 255);
          row[3 * x + 1] = CLAMP (100 * y / height + grain, 0, 255);
          row[3 * x + 2] = CLAMP ((x < width / 2 ? 20 : 220) + grain, 0, 255);
        }
      jpeg_write_scanlines (&picture, &(JSAMPROW) { row }, 1);
    }
  jpeg_finish_compress (&picture);
  jpeg_destroy_compress (&picture);
  bytes = g_bytes_new (data, length);
  free (data);

  return bytes;
}

/* Returns: the picture with its last scan repeated */
GBytes *
net_picture_repeat_scan (GBytes *picture, guint times)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (picture, &length);
  const guint8 *scan = data;
  GByteArray *repeated = g_byte_array_new ();

  for (const guint8 *next = data; (next = memmem (next, length - (next - data), "\xff\xda", 2)) != NULL; next += 2)
    scan = next;
  g_byte_array_append (repeated, data, scan - data);
  for (guint i = 0; i < times; i++)
    g_byte_array_append (repeated, scan, length - 2 - (scan - data));
  g_byte_array_append (repeated, (const guint8 *) "\xff\xd9", 2);

  return g_byte_array_free_to_bytes (repeated);
}

/* Returns: the picture with an Exif orientation: rotated right by 90 degrees */
GBytes *
net_picture_turn (GBytes *picture)
{
  static const guint8 exif[] = {
    0xff, 0xe1, 0x00, 0x22, 'E', 'x', 'i', 'f', 0, 0,
    'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
  };
  gsize length;
  const guint8 *data = g_bytes_get_data (picture, &length);
  GByteArray *turned = g_byte_array_new ();

  g_byte_array_append (turned, data, 2);
  g_byte_array_append (turned, exif, sizeof exif);
  g_byte_array_append (turned, data + 2, length - 2);

  return g_byte_array_free_to_bytes (turned);
}

GBytes *
net_picture_new_turned (int width, int height)
{
  g_autoptr (GBytes) plain = net_picture_new (width, height, FALSE, "jpeg");

  return net_picture_turn (plain);
}

/* One red pixel, then further animation frames */
static const guint8 gif[] = {
  'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, 0xff, 0, 0, 0, 0, 0xff,
  0x21, 0xf9, 4, 0, 10, 0, 0, 0,
  0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0,
  0x21, 0xf9, 4, 0, 10, 0, 0, 0,
  0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0,
  0x3b,
};

GBytes *
net_picture_new_gif (void)
{
  return g_bytes_new_static (gif, sizeof gif);
}

GBytes *
net_picture_cut (GBytes *picture, gsize length)
{
  return g_bytes_new (g_bytes_get_data (picture, NULL), MIN (length, g_bytes_get_size (picture)));
}

int
net_picture_open (GBytes *picture)
{
  int fd = memfd_create ("picture", MFD_CLOEXEC);
  gsize length;
  const void *data = g_bytes_get_data (picture, &length);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, length), ==, (gssize) length);

  return fd;
}

static GBytes *
text (const char *string)
{
  return g_bytes_new_static (string, strlen (string));
}

static GBytes *
patched (GBytes *picture_taken, gsize offset, const char *bytes, gsize n)
{
  gsize length;
  guint8 *data = g_bytes_unref_to_data (picture_taken, &length);

  memcpy (data + offset, bytes, n);

  return g_bytes_new_take (data, length);
}

/* Returns: a JPEG file with @size in its frame header */
static GBytes *
huge_jpeg (const char *size)
{
  GBytes *picture = net_picture_new (64, 64, FALSE, "jpeg");
  gsize length;
  const guint8 *data = g_bytes_get_data (picture, &length);
  const guint8 *frame = memmem (data, length, "\xff\xc0\x00\x11\x08", 5);

  g_assert_nonnull (frame);

  return patched (picture, frame - data + 5, size, 4);
}

static GBytes *
half (const char *format)
{
  g_autoptr (GBytes) whole = net_picture_new (700, 700, FALSE, format);

  return net_picture_cut (whole, g_bytes_get_size (whole) / 2);
}

/* Returns: a file with a frame of 65535 x 65535 in a screen of one pixel */
static GBytes *
huge_gif_frame (void)
{
  return patched (g_bytes_new (gif, sizeof gif), 32, "\xff\xff\xff\xff", 4);
}

GBytes *
net_picture_hostile (guint index, const char **name)
{
  static const char *const names[] = {
    "empty", "html", "svg", "xml", "text", "short", "png-magic-only", "png-half", "jpeg-half", "png-huge", "png-bomb",
    "png-no-size", "jpeg-huge", "jpeg-no-height", "jpeg-only-magic", "gif-huge-frame", "gif-cut", "gif-huge",
    "webp-garbage", "bmp", "jpeg-garbage",
  };

  *name = index < G_N_ELEMENTS (names) ? names[index] : NULL;
  switch (index)
    {
    case 0:
      return text ("");
    case 1:
      return text ("<!DOCTYPE html><html><body><img src=x.png></body></html>");
    case 2:
      return text ("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>"
                   "<image width='100' height='100' xlink:href='file:///etc/passwd'/></svg>");
    case 3:
      return text ("<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg>&x;</svg>");
    case 4:
      return text ("Sorry, there is no picture here today.");
    case 5:
      return text ("\xff\xd8\xff");
    case 6:
      return text ("\x89PNG\r\n\x1a\n123456789012345678901234567890");
    case 7:
      return half ("png");
    case 8:
      return half ("jpeg");
    case 9:
      return patched (net_picture_new (64, 64, FALSE, "png"), 16, "\x00\x00\xff\xff\x00\x00\xff\xff", 8);
    case 10:
      /* 9000 x 9000: below 100 megapixels, but 324 MB */
      return patched (net_picture_new (64, 64, FALSE, "png"), 16, "\x00\x00\x23\x28\x00\x00\x23\x28", 8);
    case 11:
      return patched (net_picture_new (64, 64, FALSE, "png"), 16, "\0\0\0\0\0\0\0\0", 8);
    case 12:
      return huge_jpeg ("\xff\xff\xff\xff");
    case 13:
      return huge_jpeg ("\x00\x00\x00\x40");
    case 14:
      return text ("\xff\xd8\xff\xe0\xff\xff" "1234567890");
    case 15:
      return huge_gif_frame ();
    case 16:
      return g_bytes_new_static (gif, 40);
    case 17:
      return patched (g_bytes_new (gif, sizeof gif), 6, "\xff\xff\xff\xff", 4);
    case 18:
      return text ("RIFF1234WEBPVP8 12345678901234567890");
    case 19:
      return net_picture_new (64, 64, FALSE, "bmp");
    case 20:
      return text ("\xff\xd8\xff\xc0\x01\x11\x08\x01\x40\x01\x40\x03\x01\x22\x01\x02\x11\x01\x03\x11\x01 not a scan at all");
    default:
      return NULL;
    }
}
