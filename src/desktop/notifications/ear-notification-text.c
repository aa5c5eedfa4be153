/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notification-text.h"

/* Direction overrides, embeddings and isolates, which would reorder the
 * next title too. */
static gboolean
turns_text (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Combining marks and modifiers of emoji, which must not be cut from
 * the character before. */
static gboolean
belongs_to_previous (gunichar c)
{
  return g_unichar_ismark (c) || g_unichar_iszerowidth (c) || (c >= 0x1f3fb && c <= 0x1f3ff);
}

/* Turns a title from a feed into a line for the desktop: without tags, line breaks,
 * control characters and direction changes, and cut to @limit.
 * @text: (nullable): untrusted text
 * @limit: in characters
 * Returns: (transfer full): the line */
char *
ear_notification_text_clean (const char *text, gsize limit)
{
  g_autofree char *valid = NULL;
  g_autoptr (GString) line = g_string_new (NULL);
  gsize n_characters = 0;
  gboolean space = FALSE;

  if (text == NULL)
    return g_strdup ("");

  /* Bytes that suffice for @limit characters with combining marks. */
  valid = g_utf8_make_valid (text, (gssize) strnlen (text, limit * 32));
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (turns_text (c))
        continue;
      if (g_unichar_isspace (c) || g_unichar_iscntrl (c))
        {
          space = line->len > 0;
          continue;
        }
      if (n_characters + space >= limit && !belongs_to_previous (c))
        {
          g_string_append (line, "…");
          break;
        }
      if (line->len >= limit * 8)
        break;
      if (space)
        g_string_append_c (line, ' ');
      /* Some daemons parse the body as markup and others do not, and nothing shows which.
       * Replace what could begin a tag with a character that both show alike. */
      g_string_append_unichar (line, c == '<' ? 0x2039 : c == '>' ? 0x203a : c);
      n_characters += 1 + (space ? 1 : 0);
      space = FALSE;
    }

  return g_string_free_and_steal (g_steal_pointer (&line));
}
