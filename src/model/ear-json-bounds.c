/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-json-bounds.h"

#include <string.h>

/* Checks untrusted JSON before parsing it: a tree needs far more memory than its text,
 * and json-glib recurses once per level. */

/* Counts the values of a text without parsing it. Strict JSON has no comments, so a
 * quotation mark outside of a string always begins one.
 * @cut: (nullable): gets the text up to the last point where an array can end, and the
 * closing brackets for that point; %NULL to cut nothing
 * Returns: whether the text is within the bounds */
static gboolean
count (const EarJsonBounds *self, const char *text, gsize length, GString *cut)
{
  guint depth = 0, containers = 0, values = 0;
  gboolean quoted = FALSE;
  g_autofree char *open = g_malloc (self->depth + 1);
  g_autofree char *closing = g_malloc0 (self->depth + 1);
  gsize end = 0;

  for (gsize i = 0; i < length; i++)
    {
      const char c = text[i];

      if (quoted && c == '\\')
        i++;
      else if (c == '"')
        quoted = !quoted;
      else if (quoted)
        continue;
      else if (c == '{' || c == '[')
        {
          if (depth == self->depth)
            return FALSE;
          open[depth++] = c == '{' ? '}' : ']';
          containers++;
        }
      else if (c == '}' || c == ']')
        depth -= depth > 0;
      else if (c == ',')
        {
          values++;
          if (cut != NULL && depth > 0 && open[depth - 1] == ']')
            {
              end = i;
              memcpy (closing, open, depth);
              closing[depth] = '\0';
            }
        }
      if (containers <= self->containers && values <= self->values)
        continue;
      if (end > 0)
        {
          g_string_append_len (cut, text, (gssize) end);
          g_string_append (cut, g_strreverse (closing));
        }
      return FALSE;
    }

  return TRUE;
}

/* Returns: whether the text's tree would be within the bounds */
gboolean
ear_json_bounds_hold (const EarJsonBounds *self, const char *text, gsize length)
{
  return count (self, text, length, NULL);
}

/* Cuts a list that is too long after the last entry that fits.
 * Returns: (transfer full) (nullable): JSON within the bounds; %NULL if it is nested too
 * deeply or has no list to cut */
char *
ear_json_bounds_cut (const EarJsonBounds *self, const char *text, gsize length)
{
  g_autoptr (GString) cut = g_string_new (NULL);

  if (count (self, text, length, cut))
    return g_strndup (text, length);

  return cut->len > 0 ? g_string_free_and_steal (g_steal_pointer (&cut)) : NULL;
}
