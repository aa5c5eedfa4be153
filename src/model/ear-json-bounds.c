/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-json-bounds.h"

/*
 * JSON from outside is looked at before it becomes a tree: a tree needs far more memory than its
 * text, and json-glib calls itself for every level.
 */

/**
 * ear_json_bounds_hold:
 * @self: how much there may be
 * @text: JSON, or anything else
 * @length: how many bytes
 *
 * Counts what a text would become, without making it. Strict JSON has no comments, so a quotation
 * mark outside of a string always begins one.
 *
 * Returns: whether that is no more than there may be
 */
gboolean
ear_json_bounds_hold (const EarJsonBounds *self, const char *text, gsize length)
{
  guint depth = 0, containers = 0, values = 0;
  gboolean quoted = FALSE;

  for (gsize i = 0; i < length; i++)
    {
      const char c = text[i];

      if (quoted && c == '\\')
        i++;
      else if (c == '"')
        quoted = !quoted;
      else if (quoted)
        continue;
      else if ((c == '{' || c == '[') && (++depth > self->depth || ++containers > self->containers))
        return FALSE;
      else if (c == '}' || c == ']')
        depth -= depth > 0;
      else if (c == ',' && ++values > self->values)
        return FALSE;
    }

  return TRUE;
}
