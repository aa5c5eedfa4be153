/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Pictures that contain their index in black and white stripes, which survive encoding,
 * and the inverse below, so that a broken picture is not mistaken for another one. */
#define EAR_TIME_PICTURE_RATE 25
#define EAR_TIME_PICTURE_WIDTH 192
#define EAR_TIME_PICTURE_HEIGHT 108

void ear_time_picture_write (guint8       *gray,
                             guint         number);
int  ear_time_picture_read  (const guint8 *bgra,
                             int           width,
                             int           height,
                             gsize         stride);

G_END_DECLS
