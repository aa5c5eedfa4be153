/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Longer references are text. */
#define EAR_XML_MAX_REFERENCE 40

/* Elements and attributes with a longer name are dropped. */
#define EAR_XML_MAX_NAME 256

/* Characters of XML markup, as far as the supported formats need them */

static inline gboolean
ear_xml_is_space (char c)
{
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline gboolean
ear_xml_is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == ':' || c == '_' || c == '-' || c == '.';
}

static inline gboolean
ear_xml_is_name_start (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

/* Returns: whether a list contains a name, ignoring case */
static inline gboolean
ear_xml_is_one_of (const char *const *names, const char *name, gsize length)
{
  for (; *names != NULL; names++)
    if (g_ascii_tolower (**names) == g_ascii_tolower (*name) && g_ascii_strncasecmp (*names, name, length) == 0 && (*names)[length] == '\0')
      return TRUE;

  return FALSE;
}

G_END_DECLS
