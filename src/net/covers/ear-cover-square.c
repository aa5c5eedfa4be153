/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-square.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include "ear-cover-picture.h"

/**
 * ear_cover_square_new:
 * @image: a picture
 * @side: length of a side in pixels
 *
 * Makes of a picture what is drawn of it: its middle, as large as it is on the screen. To make it
 * smaller each time that it is drawn costs more than all else in a row.
 *
 * Returns: (transfer full): the square; @image itself where it is too small to be made smaller
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
