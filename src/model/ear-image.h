/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A decoded image: 8 bits per channel, RGB or RGBA (not premultiplied), rows of `stride`
 * bytes. net/ decodes covers to it on a worker thread; the user interface wraps the bytes
 * in a texture without copying them. */
struct _EarImage
{
  int width;
  int height;
  gsize stride;
  gboolean has_alpha;
  GBytes *pixels;
};

EarImage *ear_image_new (int width, int height, gsize stride, gboolean has_alpha, GBytes *pixels);
EarImage *ear_image_ref (EarImage *self);
void ear_image_unref (EarImage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarImage, ear_image_unref)

G_END_DECLS
