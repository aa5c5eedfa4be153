/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-qr-code.h"

#ifdef HAVE_QRENCODE
#include <qrencode.h>
#endif

#include <string.h>

#define DARK 0x00
#define LIGHT 0xff

/* Pixels of a module: enough for sharp edges wherever the picture is scaled */
#define MODULE_SIZE 8

/**
 * ear_qr_code_encode:
 * @scale: pixels of a module
 * @side: (out): width and height of the code, in pixels
 *
 * The code has the lowest level of error correction, as a screen has no scratches, and
 * fewer modules are larger ones.
 *
 * Returns: (transfer full) (nullable): the code with its quiet zone, a byte a pixel: 0 or
 * 255; %NULL if @text is empty, or has no room in a code (more than 2953 bytes)
 */
GBytes *
ear_qr_code_encode (const char *text, guint scale, guint *side)
{
#ifdef HAVE_QRENCODE
  const int length = (int) strlen (text);
  QRcode *code = QRcode_encodeData (length, (const unsigned char *) text, 0, QR_ECLEVEL_L);
  guint width;
  guint8 *pixels;

  if (code == NULL)
    return NULL;

  width = (guint) code->width;
  *side = (width + 2 * EAR_QR_CODE_QUIET_ZONE) * scale;
  pixels = g_malloc (*side * *side);
  memset (pixels, LIGHT, *side * *side);
  for (guint y = 0; y < width * scale; y++)
    for (guint x = 0; x < width * scale; x++)
      /* The lowest bit is set for dark modules. */
      if (code->data[y / scale * width + x / scale] & 1)
        pixels[(y + EAR_QR_CODE_QUIET_ZONE * scale) * *side + x + EAR_QR_CODE_QUIET_ZONE * scale] =
            DARK;
  QRcode_free (code);

  return g_bytes_new_take (pixels, *side * *side);
#else
  return NULL;
#endif
}

/* Returns: (transfer full) (nullable): a QR code for the camera of another
 * device, dark on light */
GdkTexture *
ear_qr_code_create_texture (const char *text)
{
  guint side;
  g_autoptr (GBytes) pixels = ear_qr_code_encode (text, MODULE_SIZE, &side);

  return pixels != NULL
             ? gdk_memory_texture_new ((int) side, (int) side, GDK_MEMORY_G8, pixels, side)
             : NULL;
}
