/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-page.h"

#include <string.h>

/* What a server, or a network that wants somebody to sign in, sends instead of sound. */

/* How much of the beginning is looked at */
#define BEGINNING 512

static const char *const beginnings[] = { "<!doctype html", "<html", "<head", "<!--" };

static gboolean
is_text_type (const char *content_type)
{
  g_autofree char *type = g_ascii_strdown (content_type, strcspn (content_type, ";"));

  g_strstrip (type);

  return g_str_has_prefix (type, "text/") || g_str_has_suffix (type, "+xml") || g_str_has_suffix (type, "+json") ||
         g_str_equal (type, "application/xml") || g_str_equal (type, "application/json") ||
         g_str_equal (type, "application/javascript");
}

/* All that has sound in it has one near its beginning, and no text has. */
static gboolean
has_zero (const guint8 *data, gsize length)
{
  return memchr (data, '\0', MIN (length, BEGINNING)) != NULL;
}

static gboolean
begins_as_page (const guint8 *data, gsize length)
{
  const char *p = (const char *) data;
  const char *end = p + MIN (length, BEGINNING);

  if (end - p >= 3 && memcmp (p, "\xef\xbb\xbf", 3) == 0)
    p += 3;
  while (p < end && g_ascii_isspace (*p))
    p++;
  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if ((gsize) (end - p) >= strlen (beginnings[i]) && g_ascii_strncasecmp (p, beginnings[i], strlen (beginnings[i])) == 0)
      return TRUE;

  return FALSE;
}

/* Servers that know no type for sound call it plain text, and those that know no better call a web page sound:
 * the bytes have the last word.
 * @content_type: (nullable): what the server calls it
 * @data: (array length=length): how it begins
 * Returns: whether it is something to read: a web page, or what programs tell each other */
gboolean
ear_download_is_page (const char *content_type, const guint8 *data, gsize length)
{
  if (begins_as_page (data, length))
    return TRUE;

  return content_type != NULL && is_text_type (content_type) && !has_zero (data, length);
}
