/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include <string.h>

/* Of that name, or else of one with other letters' case */
static const guchar *
find_attribute (const EarFeedAttributes *self, const char *name, gsize *length)
{
  const guchar **found = NULL;

  for (int i = 0; i < self->n; i++)
    {
      const guchar **attribute = self->values + i * 5;
      const char *other = (const char *) attribute[0];

      if (strcmp (other, name) == 0)
        {
          found = attribute;
          break;
        }
      if (found == NULL && g_ascii_strcasecmp (other, name) == 0)
        found = attribute;
    }
  if (found == NULL)
    return NULL;
  *length = found[4] - found[3];

  return found[3];
}

/**
 * ear_feed_attributes_dup:
 *
 * Returns: (transfer full) (nullable): the value, or %NULL when it is missing or empty
 */
char *
ear_feed_attributes_dup (const EarFeedAttributes *self, const char *name)
{
  gsize length;
  const guchar *value = find_attribute (self, name, &length);

  return value != NULL && length > 0 ? g_strndup ((const char *) value, length) : NULL;
}

/**
 * ear_feed_attributes_is:
 *
 * Returns: whether the attribute has that value, whatever the case of its letters
 */
gboolean
ear_feed_attributes_is (const EarFeedAttributes *self, const char *name, const char *value)
{
  gsize length;
  const guchar *found = find_attribute (self, name, &length);

  return found != NULL && length == strlen (value) && g_ascii_strncasecmp ((const char *) found, value, length) == 0;
}
