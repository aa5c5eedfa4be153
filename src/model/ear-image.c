/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-image.h"

static void
image_clear (EarImage *self)
{
  g_bytes_unref (self->pixels);
}

/* @stride: bytes from one row to the next
 * @pixels: the rows; the last one may end after its last pixel */
EarImage *
ear_image_new (int width, int height, gsize stride, gboolean has_alpha, GBytes *pixels)
{
  EarImage *self = g_atomic_rc_box_new0 (EarImage);

  self->width = width;
  self->height = height;
  self->stride = stride;
  self->has_alpha = has_alpha;
  self->pixels = g_bytes_ref (pixels);

  return self;
}

EAR_DEFINE_REF_COUNTED (EarImage, ear_image, image_clear)
