/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-image.h"

static void
image_clear (gpointer data)
{
  EarImage *self = data;

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

EarImage *
ear_image_ref (EarImage *self)
{
  return g_atomic_rc_box_acquire (self);
}

/* Any thread may call it. */
void
ear_image_unref (EarImage *self)
{
  g_atomic_rc_box_release_full (self, image_clear);
}
