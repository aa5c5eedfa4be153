/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-picture.h"

#include "ear-cover-header.h"
#include "ear-error.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif
#include <string.h>

#define PART_SIZE (64 * 1024)
#define LARGE_BUFFER (1024 * 1024)

typedef struct
{
  int width;
  int height;
} Size;

/* Returns: the largest size that fits into a square, with the same aspect ratio; never
 *   larger than the original */
static Size
fit (int width, int height, int limit)
{
  double scale = MIN (1.0, (double) limit / MAX (width, height));

  return (Size) { MAX (1, (int) (width * scale + 0.5)), MAX (1, (int) (height * scale + 0.5)) };
}

static void
size_prepared_cb (GdkPixbufLoader *loader, int width, int height, gpointer user_data)
{
  Size size = fit (width, height, GPOINTER_TO_INT (user_data));

  gdk_pixbuf_loader_set_size (loader, size.width, size.height);
}

static gboolean
feed_loader (GdkPixbufLoader *loader, const guint8 *data, gsize length, GCancellable *cancellable, GError **error)
{
  for (gsize offset = 0; offset < length; offset += PART_SIZE)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !gdk_pixbuf_loader_write (loader, data + offset, MIN (PART_SIZE, length - offset), error))
      return FALSE;

  return TRUE;
}

/* Maps all errors of gdk-pixbuf to one code. */
static void
translate_error (GError **error)
{
  g_autofree char *message = NULL;

  if (error == NULL || *error == NULL || (*error)->domain != GDK_PIXBUF_ERROR)
    return;
  message = g_strdup ((*error)->message);
  g_clear_error (error);
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, message);
}

/* After a large allocation, malloc raises its threshold for returning memory and would
 * keep tens of megabytes for the next cover. A fixed threshold makes it return such
 * buffers at once. */
static void
keep_no_large_buffers (const EarCoverHeader *header)
{
#ifdef HAVE_MALLOC_TRIM
  if (header->cost > LARGE_BUFFER)
    mallopt (M_MMAP_THRESHOLD, LARGE_BUFFER);
#endif
}

static GdkPixbuf *
load (const EarCoverHeader *header, const guint8 *data, int limit, GCancellable *cancellable, GError **error)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type (header->loader, error);
  GdkPixbuf *picture;
  gboolean fed;

  if (loader == NULL)
    return NULL;
  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_prepared_cb), GINT_TO_POINTER (limit));

  /* The loader must be closed in every case. */
  fed = feed_loader (loader, data, header->length, cancellable, error) &&
        (header->tail == NULL || feed_loader (loader, (const guint8 *) header->tail, strlen (header->tail), NULL, error));
  if (!gdk_pixbuf_loader_close (loader, fed ? error : NULL) || !fed)
    return NULL;

  picture = gdk_pixbuf_loader_get_pixbuf (loader);
  if (picture == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "no picture in it");
      return NULL;
    }

  return g_object_ref (picture);
}

/* Decodes a picture in small parts, upright, with its aspect ratio, and scaled down
 * during decoding if the format allows it.
 * @limit: the maximum width and height of the result in pixels
 * Returns: (transfer full): a picture, or %NULL */
GdkPixbuf *
ear_cover_picture_decode (int fd, int limit, GCancellable *cancellable, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new_from_fd (fd, FALSE, error);
  const guint8 *data;
  EarCoverHeader header;
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autoptr (GdkPixbuf) upright = NULL;

  if (file == NULL)
    return NULL;
  data = (const guint8 *) g_mapped_file_get_contents (file);
  if (!ear_cover_header_read (data, g_mapped_file_get_length (file), &header, error))
    return NULL;

  keep_no_large_buffers (&header);
  picture = load (&header, data, limit, cancellable, error);
  if (picture == NULL)
    {
      translate_error (error);
      return NULL;
    }

  upright = gdk_pixbuf_apply_embedded_orientation (picture);

  return ear_cover_picture_scale (upright, limit);
}

/* @limit: the maximum width and height of the result in pixels
 * Returns: (transfer full): @picture, or a smaller one */
GdkPixbuf *
ear_cover_picture_scale (GdkPixbuf *picture, int limit)
{
  int width = gdk_pixbuf_get_width (picture);
  int height = gdk_pixbuf_get_height (picture);
  Size size = fit (width, height, limit);

  if (size.width == width && size.height == height)
    return g_object_ref (picture);

  return gdk_pixbuf_scale_simple (picture, size.width, size.height, GDK_INTERP_BILINEAR);
}

/* Returns: (transfer full): a JPEG file, or a PNG file if @picture has transparent
 * parts */
GBytes *
ear_cover_picture_encode (GdkPixbuf *picture, GError **error)
{
  char *data;
  gsize length;
  gboolean saved;

  if (gdk_pixbuf_get_has_alpha (picture))
    saved = gdk_pixbuf_save_to_buffer (picture, &data, &length, "png", error, "compression", "3", NULL);
  else
    saved = gdk_pixbuf_save_to_buffer (picture, &data, &length, "jpeg", error, "quality", "90", NULL);

  return saved ? g_bytes_new_take (data, length) : NULL;
}

/* Returns: (transfer full): the picture as an EarImage that shares the pixels */
EarImage *
ear_cover_picture_to_image (GdkPixbuf *picture)
{
  g_autoptr (GBytes) pixels =
      g_bytes_new_with_free_func (gdk_pixbuf_read_pixels (picture), gdk_pixbuf_get_byte_length (picture),
                                  g_object_unref, g_object_ref (picture));

  return ear_image_new (gdk_pixbuf_get_width (picture), gdk_pixbuf_get_height (picture),
                        gdk_pixbuf_get_rowstride (picture), gdk_pixbuf_get_has_alpha (picture), pixels);
}

/**
 * ear_cover_square_new:
 * @image: a picture
 * @side: length of a side in pixels
 *
 * Crops and scales a picture to the square that is drawn. Scaling it at each draw would
 * cost more than the rest of a row.
 *
 * Returns: (transfer full): the square; @image itself if it is not larger
 */
EarImage *
ear_cover_square_new (EarImage *image, int side)
{
  const int shorter = MIN (image->width, image->height);
  const double scale = (double) side / shorter;
  g_autoptr (GdkPixbuf) whole = NULL;
  g_autoptr (GdkPixbuf) square = NULL;

  g_return_val_if_fail (side > 0, NULL);

  if (shorter <= side)
    return ear_image_ref (image);

  whole = gdk_pixbuf_new_from_bytes (image->pixels, GDK_COLORSPACE_RGB, image->has_alpha, 8, image->width, image->height, (int) image->stride);
  square = gdk_pixbuf_new (GDK_COLORSPACE_RGB, image->has_alpha, 8, side, side);
  gdk_pixbuf_scale (whole, square, 0, 0, side, side, (side - image->width * scale) / 2, (side - image->height * scale) / 2, scale, scale,
                    GDK_INTERP_BILINEAR);

  return ear_cover_picture_to_image (square);
}
