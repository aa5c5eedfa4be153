/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-image.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

G_BEGIN_DECLS

GdkPixbuf *ear_cover_picture_decode   (int           fd,
                                       int           limit,
                                       GCancellable *cancellable,
                                       GError      **error);
GdkPixbuf *ear_cover_picture_scale    (GdkPixbuf *picture,
                                       int        limit);
GBytes    *ear_cover_picture_encode   (GdkPixbuf *picture,
                                       GError   **error);
EarImage  *ear_cover_picture_to_image (GdkPixbuf *picture);
EarImage  *ear_cover_square_new       (EarImage  *image,
                                       int        side);

G_END_DECLS
