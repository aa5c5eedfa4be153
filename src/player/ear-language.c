/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-language.h"

#include <gst/tag/tag.h>

#include <string.h>

/**
 * ear_language_dup_name:
 * @tag: a language as a feed gives it, such as `en-us`
 *
 * GStreamer names the languages of soundtracks: in the listener's language where iso-codes
 * has it, otherwise in English. What other names one has ("Spanish; Castilian") is left out.
 *
 * Returns: (transfer full): its name, or @tag if it is not known
 */
char *
ear_language_dup_name (const char *tag)
{
  g_autofree char *code = g_ascii_strdown (tag, (gssize) strcspn (tag, "-_"));
  /* To GStreamer, nothing is the short name of each language that has none. */
  const char *name = *code != '\0' ? gst_tag_get_language_name (code) : NULL;

  return name != NULL ? g_strchomp (g_strndup (name, strcspn (name, ";,("))) : g_strdup (tag);
}
