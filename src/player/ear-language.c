/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-language.h"

#include <gst/tag/tag.h>

#include <string.h>

/**
 * ear_language_dup_name:
 * @tag: a language tag from a feed, such as `en-us`
 *
 * Looks up a language in GStreamer's table: in the listener's language if iso-codes has
 * it, otherwise in English. Alternative names ("Spanish; Castilian") are cut off.
 *
 * Returns: (transfer full): the name, or @tag if unknown
 */
char *
ear_language_dup_name (const char *tag)
{
  g_autofree char *code = g_ascii_strdown (tag, (gssize) strcspn (tag, "-_"));
  /* GStreamer would find an entry for "": languages without a short code
   * have that one. */
  const char *name = *code != '\0' ? gst_tag_get_language_name (code) : NULL;

  return name != NULL ? g_strchomp (g_strndup (name, strcspn (name, ";,("))) : g_strdup (tag);
}
