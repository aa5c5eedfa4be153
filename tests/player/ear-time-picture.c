/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-time-picture.h"

#define STRIPES 12
#define BLACK 40
#define WHITE 215

/* @gray: (out): EAR_TIME_PICTURE_WIDTH * EAR_TIME_PICTURE_HEIGHT bytes
 * @number: index of the picture in the recording */
void
ear_time_picture_write (guint8 *gray, guint number)
{
  for (int y = 0; y < EAR_TIME_PICTURE_HEIGHT; y++)
    for (int x = 0; x < EAR_TIME_PICTURE_WIDTH; x++)
      {
        gboolean white = (number >> (x * STRIPES / EAR_TIME_PICTURE_WIDTH)) & 1;

        if (y >= EAR_TIME_PICTURE_HEIGHT / 2)
          white = !white;
        gray[y * EAR_TIME_PICTURE_WIDTH + x] = white ? WHITE : BLACK;
      }
}

/* @bgra: four bytes a pixel
 * Returns: the picture's index, or -1 if it is unreadable */
int
ear_time_picture_read (const guint8 *bgra, int width, int height, gsize stride)
{
  int number = 0;

  for (int i = 0; i < STRIPES; i++)
    {
      int x = (2 * i + 1) * width / (2 * STRIPES);
      guint8 above = bgra[(gsize) height / 4 * stride + (gsize) x * 4 + 1];
      guint8 below = bgra[(gsize) height * 3 / 4 * stride + (gsize) x * 4 + 1];

      if (ABS (above - below) < (WHITE - BLACK) / 2)
        return -1;
      if (above > below)
        number |= 1 << i;
    }

  return number;
}
