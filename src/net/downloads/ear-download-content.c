/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-content.h"

#include <string.h>

/* Detects web pages, playlists and pictures that servers, or captive portals, send in
 * place of media. */

/* Bytes at the start that are searched for a zero */
#define BEGINNING 512

static char *
dup_plain_type (const char *content_type)
{
  return content_type != NULL
             ? g_strstrip (g_ascii_strdown (content_type, (gssize) strcspn (content_type, ";")))
             : g_strdup ("");
}

static gboolean
is_text_type (const char *type)
{
  return g_str_has_prefix (type, "text/") || g_str_has_suffix (type, "+xml") ||
         g_str_has_suffix (type, "+json") || g_str_equal (type, "application/xml") ||
         g_str_equal (type, "application/json") || g_str_equal (type, "application/javascript");
}

/* All audio formats have a zero near their start; text has none. */
static gboolean
has_zero (const guint8 *data, gsize length)
{
  return memchr (data, '\0', MIN (length, BEGINNING)) != NULL;
}

/* Finds the kind of a response. The bytes decide: some servers label audio as plain text,
 * others label a web page as audio.
 * @address: the URL that answered
 * @content_type: (nullable): the Content-Type header
 * @data: (array length=length): the first bytes of the body
 * Returns: the kind */
EarMediaContent
ear_download_find_content (const char *address,
                           const char *content_type,
                           const guint8 *data,
                           gsize length)
{
  const EarMediaContent content = ear_media_content_sniff (data, length);
  g_autofree char *type = dup_plain_type (content_type);

  if (content != EAR_MEDIA_CONTENT_UNKNOWN || has_zero (data, length))
    return content;
  if (length > 0 && ear_media_content_is_called_playlist (address, content_type))
    return EAR_MEDIA_CONTENT_PLAYLIST;

  return is_text_type (type) || ear_media_content_is_text (data, length)
             ? EAR_MEDIA_CONTENT_PAGE
             : EAR_MEDIA_CONTENT_UNKNOWN;
}
