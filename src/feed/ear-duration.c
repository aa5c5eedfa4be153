/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-duration.h"

#include <string.h>

/* An episode of more than 1000 hours is a mistake. */
#define LONGEST ((gint64) 1000 * 3600 * G_USEC_PER_SEC)

/* The digits of a number, at most twelve, and of the fraction that may follow it. */
static gboolean
read_amount (const char **position, gint64 *microseconds)
{
  gint64 whole = 0;
  gint64 part = 0;
  gint64 unit = G_USEC_PER_SEC;
  int digits = 0;

  for (; g_ascii_isdigit (**position); (*position)++)
    if (++digits <= 12)
      whole = whole * 10 + (**position - '0');
  if (digits == 0 || digits > 12)
    return FALSE;
  if ((**position == '.' || **position == ',') && g_ascii_isdigit ((*position)[1]))
    for ((*position)++; g_ascii_isdigit (**position); (*position)++)
      {
        unit /= 10;
        part += unit * (**position - '0');
      }
  if (whole > LONGEST / G_USEC_PER_SEC)
    return FALSE;
  *microseconds = whole * G_USEC_PER_SEC + part;

  return TRUE;
}

/* "1h 2m 3s", "62 min", and ISO 8601's "PT1H2M3S", after the "PT". */
static gboolean
read_units (const char *position, gint64 *microseconds)
{
  gint64 total = 0;

  while (*position != '\0')
    {
      gint64 amount;

      if (!read_amount (&position, &amount))
        return FALSE;
      while (*position == ' ')
        position++;
      switch (g_ascii_tolower (*position))
        {
        case 'h':
          total += amount * 3600;
          break;
        case 'm':
          total += amount * 60;
          break;
        case 's':
          total += amount;
          break;
        default:
          return FALSE;
        }
      if (total > LONGEST)
        return FALSE;
      while (g_ascii_isalpha (*position))
        position++;
      while (*position == ' ' || *position == ',')
        position++;
    }
  *microseconds = total;

  return TRUE;
}

/**
 * ear_npt_parse:
 * @text: (nullable): a time: `37`, `7:48`, `35:12.250`, `05:12:03.5`, `1h 2m`, `PT1H2M`
 * @microseconds: (out): the time
 *
 * Reads a time as RFC 2326, section 3.6 (normal play time) and as `itunes:duration` have it,
 * and with names of units.
 *
 * Returns: %TRUE if @text is such a time
 */
gboolean
ear_npt_parse (const char *text, gint64 *microseconds)
{
  g_autofree char *stripped = NULL;
  const char *position;
  gint64 total = 0;

  if (text == NULL || strlen (text) > 64)
    return FALSE;
  stripped = g_strstrip (g_strdup (text));
  position = stripped;
  if (g_ascii_strncasecmp (position, "pt", 2) == 0)
    return read_units (position + 2, microseconds) && position[2] != '\0';

  for (int part = 0;; part++)
    {
      gint64 amount;

      if (part == 3 || !read_amount (&position, &amount))
        return FALSE;
      if (total > LONGEST / 60)
        return FALSE;
      total = total * 60 + amount;
      if (*position != ':')
        break;
      position++;
    }
  if (*position != '\0')
    return strchr (stripped, ':') == NULL && read_units (stripped, microseconds);
  if (total > LONGEST)
    return FALSE;
  *microseconds = total;

  return TRUE;
}

/**
 * ear_duration_parse:
 * @text: (nullable): a length as a feed writes it
 *
 * Reads `itunes:duration` in all the forms that feeds use: seconds, `MM:SS` with any number
 * of minutes, `H:MM:SS`, each with or without a fraction.
 *
 * Returns: microseconds, or %EAR_DURATION_UNKNOWN
 */
gint64
ear_duration_parse (const char *text)
{
  gint64 microseconds;

  if (!ear_npt_parse (text, &microseconds) || microseconds < G_USEC_PER_SEC)
    return EAR_DURATION_UNKNOWN;

  return microseconds;
}
