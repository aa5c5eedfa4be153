/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-digest.h"

#include <string.h>

/* @data: (array length=length): bytes */
guint64
ear_digest_bytes (guint64 digest, const void *data, gsize length)
{
  const guint8 *bytes = data;

  for (gsize i = 0; i < length; i++)
    digest = (digest ^ bytes[i]) * 0x100000001b3;

  return digest;
}

/* @text: (nullable): a text; %NULL differs from an empty one */
guint64
ear_digest_text (guint64 digest, const char *text)
{
  return text != NULL ? ear_digest_bytes (digest, text, strlen (text) + 1) : ear_digest_bytes (digest, "\xff", 1);
}

guint64
ear_digest_int (guint64 digest, gint64 value)
{
  return ear_digest_bytes (digest, &value, sizeof value);
}
