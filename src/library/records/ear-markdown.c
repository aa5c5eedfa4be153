/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-markdown.h"

#include <string.h>

/* Writes Markdown (CommonMark 0.31) of untrusted texts. */

/* Escapes the characters that have a meaning in Markdown, and replaces line breaks by
 * spaces. */
void
ear_markdown_append_text (GString *markdown, const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\n' || *c == '\r')
      g_string_append_c (markdown, ' ');
    else
      {
        if (strchr ("\\`*_{}[]<>()#+-!|~&", *c) != NULL)
          g_string_append_c (markdown, '\\');
        g_string_append_c (markdown, *c);
      }
}

/* @address: an http or https URL without angle brackets and spaces */
void
ear_markdown_append_link (GString *markdown, const char *words, const char *address)
{
  g_string_append_c (markdown, '[');
  ear_markdown_append_text (markdown, words);
  g_string_append_printf (markdown, "](<%s>)", address);
}
