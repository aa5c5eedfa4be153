/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-values.h"

#include "ear-text-line.h"

#include <string.h>

/* What the texts of a feed's elements say, that have a form of their own. */

#define MAX_LINE 1000
#define MAX_WORD 64
#define MAX_GUID 1024

/* @text: a word or a few of a vocabulary
 * Returns: (transfer full): the same in lower case; empty where nothing is to be seen */
char *
ear_feed_dup_word (const char *text)
{
  g_autofree char *line = ear_text_line (text, EAR_TEXT_HTML, MAX_WORD);

  return g_ascii_strdown (line != NULL ? line : "", -1);
}

/* Returns: 1 for "yes" and its like, 0 for "no" and its like, -1 for anything else */
int
ear_feed_read_boolean (const char *text)
{
  static const char *const yes[] = { "yes", "true", "explicit", "adult", "1", "y", "on", NULL };
  static const char *const no[] = { "no", "false", "clean", "nonadult", "0", "n", "off", NULL };
  g_autofree char *word = ear_feed_dup_word (text);

  return g_strv_contains (yes, word) ? 1 : g_strv_contains (no, word) ? 0 : -1;
}

/* @text: what identifies an episode or a podcast
 * Returns: (transfer full) (nullable): the same without blanks around it; %NULL if it is blank */
char *
ear_feed_dup_guid (const char *text)
{
  g_autofree char *guid = g_strstrip (g_strdup (text));

  if (*guid == '\0')
    return NULL;
  if (strlen (guid) > MAX_GUID)
    {
      /* Nobody means this; it only has to be the same at the next refresh. */
      g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, guid, -1);

      return g_strconcat ("sha256:", hash, NULL);
    }

  return g_steal_pointer (&guid);
}

/* @source: "name@example.org (Name)" as RSS has it, "Name <name@example.org>", Atom's elements, or a name
 * Returns: (transfer full) (nullable): the name; the address alone is better than nothing */
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

/* Returns: whether that is the address of a mailbox, and no name */
gboolean
ear_feed_is_mailbox (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return strchr (stripped, '@') != NULL && strpbrk (stripped, " \t\r\n(<") == NULL;
}

/* @text: "3", "S3", "3 of 4"
 * Returns: the number, or 0 for what is none */
int
ear_feed_read_number (const char *text)
{
  const char *digits = text + strcspn (text, "0123456789");

  if (digits > text && digits[-1] == '-')
    return 0;

  return CLAMP (g_ascii_strtoll (digits, NULL, 10), 0, 99999);
}
