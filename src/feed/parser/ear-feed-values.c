/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-values.h"

#include "ear-html-tokenizer.h"
#include "ear-text-line.h"

#include <string.h>

/* Parsers of values with a syntax of their own. */

#define MAX_LINE 1000
#define MAX_WORD 64
#define MAX_GUID 1024

/* Larger sizes and longer numbers are mistakes. */
#define MAX_SIZE ((gint64) 1 << 44)
#define MAX_DIGITS 14

/* The letters that a link counts for in the size of a description */
#define LINK_WORTH 40

#define DIGITS "0123456789"

/* @text: a word or a few words of a vocabulary
 * Returns: (transfer full): the text in lower case; empty if nothing in it is visible */
char *
ear_feed_dup_word (const char *text)
{
  g_autofree char *line = ear_text_line (text, EAR_TEXT_HTML, MAX_WORD);

  return g_ascii_strdown (line != NULL ? line : "", -1);
}

/* Returns: 1 for "yes" and synonyms, 0 for "no" and synonyms, -1 for anything else */
int
ear_feed_read_boolean (const char *text)
{
  static const char *const yes[] = { "yes", "true", "explicit", "adult", "1", "y", "on", NULL };
  static const char *const no[] = { "no", "false", "clean", "nonadult", "0", "n", "off", NULL };
  g_autofree char *word = ear_feed_dup_word (text);

  return g_strv_contains (yes, word) ? 1 : g_strv_contains (no, word) ? 0 : -1;
}

/* @text: the guid of an episode or a podcast
 * Returns: (transfer full) (nullable): the guid without surrounding white space; %NULL if
 *   it is blank */
char *
ear_feed_dup_guid (const char *text)
{
  g_autofree char *guid = g_strstrip (g_strdup (text));

  if (*guid == '\0')
    return NULL;
  if (strlen (guid) > MAX_GUID)
    {
      /* Hash guids longer than the limit: they only need to stay equal between
       * refreshes. */
      g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, guid, -1);

      return g_strconcat ("sha256:", hash, NULL);
    }

  return g_steal_pointer (&guid);
}

/* @source: "name@example.org (Name)" as RSS has it, "Name <name@example.org>", Atom
 *   elements, or a name
 * Returns: (transfer full) (nullable): the name, or else the mail address */
char *
ear_feed_dup_author (const char *source)
{
  const char *element = strstr (source, "<name>");
  g_autofree char *name = element != NULL ? g_strndup (element, strcspn (element + 1, "<") + 1) : NULL;
  g_autofree char *shown = ear_text_line (name != NULL ? name : source, EAR_TEXT_HTML, MAX_LINE);
  g_autofree char *text = shown != NULL ? g_steal_pointer (&shown) : ear_text_line (source, EAR_TEXT_ESCAPED, MAX_LINE);
  char *open = text != NULL ? strchr (text, '(') : NULL;
  char *close = open != NULL ? strrchr (open, ')') : NULL;

  if (open != NULL && close > open + 1 && (memchr (text, '@', open - text) != NULL || (open == text && close[1] == '\0')))
    {
      *close = '\0';
      return g_strstrip (g_strdup (open + 1));
    }

  return g_steal_pointer (&text);
}

/* Returns: whether the text is a mail address without a name */
gboolean
ear_feed_is_mailbox (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return strchr (stripped, '@') != NULL && strpbrk (stripped, " \t\r\n(<") == NULL;
}

/* @text: "3", "S3", "3 of 4"
 * Returns: the number, or 0 if there is none */
int
ear_feed_read_number (const char *text)
{
  const char *digits = text + strcspn (text, "0123456789");

  if (digits > text && digits[-1] == '-')
    return 0;

  return CLAMP (g_ascii_strtoll (digits, NULL, 10), 0, 99999);
}

/* Returns: the length of a separator between groups of digits: a point, comma, apostrophe
 *   or space of any width */
static gsize
get_separator_length (const char *text)
{
  static const char *const separators[] = { ",", ".", "'", " ", "_", "’", "\302\240", "\342\200\257", "\342\200\211" };

  for (gsize i = 0; i < G_N_ELEMENTS (separators); i++)
    if (g_str_has_prefix (text, separators[i]))
      return strlen (separators[i]);

  return 0;
}

/* Parses the size of a file in bytes. Rounded amounts in other units, such as 59.6 MB,
 * are unknown.
 * @text: "62447386", "62,447,386", "62.447.386", "62447386.0", "62447386 bytes"
 * Returns: the size, or 0 if it is unknown */
gint64
ear_feed_read_size (const char *text)
{
  g_autofree char *plain = g_strstrip (g_ascii_strdown (text, -1));
  g_autoptr (GString) digits = g_string_new (NULL);
  const gsize first = strspn (plain, DIGITS);
  const char *separator = plain + first;
  const gsize length = first > 0 && first <= 3 ? get_separator_length (separator) : 0;
  const char *p = separator;
  gsize last = 3;
  gint64 size;

  g_string_append_len (digits, plain, (gssize) first);
  /* Indian groups have two digits: "1,23,45,678". */
  while (length > 0 && strncmp (p, separator, length) == 0)
    {
      const gsize n = strspn (p + length, DIGITS);

      if (n < 2 || n > 3)
        break;
      g_string_append_len (digits, p + length, (gssize) n);
      p += length + n;
      last = n;
    }
  if (*p == '.' && p[1] == '0')
    p += 1 + strspn (p + 1, "0");
  p += strspn (p, " ");
  if (last != 3 || digits->len > MAX_DIGITS || (*p != '\0' && strcmp (p, "byte") != 0 && strcmp (p, "bytes") != 0))
    return 0;
  size = g_ascii_strtoll (digits->str, NULL, 10);

  return size < MAX_SIZE ? size : 0;
}

/* Counts visible characters, without markup that was escaped once too often. */
static gsize
count_visible (const char *text, gsize length)
{
  gsize n = 0;

  for (gsize i = 0; i < length; i++)
    if (text[i] == '&' && length - i > 4 && strncmp (text + i, "&lt;", 4) == 0)
      {
        const char *end = memmem (text + i, MIN (length - i, MAX_LINE), "&gt;", 4);

        i += end != NULL ? (gsize) (end - text) - i + 3 : 3;
      }
    else
      n += !g_ascii_isspace (text[i]);

  return n;
}

/* Measures a description by its visible letters and its links. Markup doubles the result,
 * because it has paragraphs.
 * @text: HTML or plain text */
gsize
ear_feed_measure_notes (const char *text)
{
  EarHtmlTokenizer tokenizer;
  gboolean has_markup = FALSE;
  gsize n = 0;

  ear_html_tokenizer_init (&tokenizer, text);
  while (ear_html_tokenizer_next (&tokenizer))
    if (tokenizer.type == EAR_HTML_TEXT)
      n += count_visible (tokenizer.start, tokenizer.length);
    else
      {
        has_markup = TRUE;
        if (tokenizer.type == EAR_HTML_START && strcmp (tokenizer.name, "a") == 0)
          n += LINK_WORTH;
      }

  return has_markup ? 2 * n : n;
}
