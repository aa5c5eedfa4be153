/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-qr-modules.h"

#ifdef HAVE_QRENCODE
#include <qrencode.h>
#endif

#include <string.h>

#define DARK 0x00
#define LIGHT 0xff

/* Returns: whether codes can be made: Earmark may have been built without libqrencode */
gboolean
ear_qr_modules_available (void)
{
#ifdef HAVE_QRENCODE
  return TRUE;
#else
  return FALSE;
#endif
}

/**
 * ear_qr_modules_encode:
 * @text: what the code is to say
 * @side: (out): how many modules there are in a row
 *
 * The lowest level of correction: nothing wears a screen out, and the fewer modules there are, the larger is each.
 *
 * Returns: (transfer full) (nullable): the code with the light zone around it, row by row, a byte a module: 0 where it is dark, 255
 *   where it is light; %NULL if @text is empty, or longer than a code can say (2953 bytes)
 */
GBytes *
ear_qr_modules_encode (const char *text, guint *side)
{
#ifdef HAVE_QRENCODE
  QRcode *code = QRcode_encodeData ((int) strlen (text), (const unsigned char *) text, 0, QR_ECLEVEL_L);
  guint width;
  guint8 *modules;

  if (code == NULL)
    return NULL;

  width = (guint) code->width;
  *side = width + 2 * EAR_QR_QUIET_ZONE;
  modules = g_malloc (*side * *side);
  memset (modules, LIGHT, *side * *side);
  for (guint y = 0; y < width; y++)
    for (guint x = 0; x < width; x++)
      /* The lowest bit says it; the others tell of what kind a module is. */
      if (code->data[y * width + x] & 1)
        modules[(y + EAR_QR_QUIET_ZONE) * *side + x + EAR_QR_QUIET_ZONE] = DARK;
  QRcode_free (code);

  return g_bytes_new_take (modules, *side * *side);
#else
  return NULL;
#endif
}
