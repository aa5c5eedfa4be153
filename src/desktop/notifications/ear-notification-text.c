/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notification-text.h"

/* What changes the direction of all that follows: one title must not turn the next one. */
static gboolean
turns_text (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Half a character with an accent, or of an emoji, is none. */
static gboolean
belongs_to_previous (gunichar c)
{
  return g_unichar_ismark (c) || g_unichar_iszerowidth (c) || (c >= 0x1f3fb && c <= 0x1f3ff);
}

/* Makes a line that can be handed to the desktop, whatever a feed has put into a title:
 * without tags, line breaks, control characters and turns of direction, and no longer than
 * a person reads in passing.
 * @text: (nullable): what a feed says
 * @limit: of how many characters, at most
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

  /* Longer than all that may be needed of it, whatever its characters are made of. */
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
      /* Some daemons take the body for markup and others do not, and nobody tells which: what could begin a tag is
       * written so that neither sees one. */
      g_string_append_unichar (line, c == '<' ? 0x2039 : c == '>' ? 0x203a : c);
      n_characters += 1 + (space ? 1 : 0);
      space = FALSE;
    }

  return g_string_free_and_steal (g_steal_pointer (&line));
}
