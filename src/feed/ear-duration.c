/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-duration.h"

#include <string.h>

/* Durations above 1000 hours are mistakes. */
#define LONGEST ((gint64) 1000 * 3600 * G_USEC_PER_SEC)

/* Reads up to twelve digits and an optional fraction. */
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

typedef struct
{
  const char *name; /* prefix of the unit's name, in lower case */
  int seconds;
} Unit;

/* The first match counts. */
static const Unit units[] = {
  { "st", 3600 }, /* German "Stunde", before "s" */
  { "h", 3600 },  { "tim", 3600 }, { "u", 3600 },  { "ore", 3600 }, { "m", 60 },     { "s", 1 },   { "d", 86400 },
  { "ч", 3600 },  { "м", 60 },     { "с", 1 },     { "時", 3600 },  { "时", 3600 },  { "小", 3600 }, { "分", 60 },
  { "秒", 1 },    { "시", 3600 },  { "분", 60 },   { "초", 1 },     { "\'\'", 1 },   { "\'", 60 },  { "’’", 1 },
  { "’", 60 },    { "′", 60 },     { "\"", 1 },    { "”", 1 },      { "″", 1 },
};

/* Returns: the seconds in a unit, with the position moved past its name; 0 if there is no
 *   unit */
static int
read_unit (const char **position)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_prefix (*position, units[i].name))
      {
        *position += strlen (units[i].name);
        while (g_ascii_isalpha (**position) || (guint8) **position >= 0x80)
          (*position)++;
        return units[i].seconds;
      }

  return 0;
}

/* Skips separators and "and" between two amounts. */
static void
skip_conjunction (const char **position)
{
  static const char *const words[] = { "and ", "und ", "et " };

  *position += strspn (*position, " ,.&");
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (*position, words[i]))
      *position += strlen (words[i]);
  *position += strspn (*position, " ");
}

/* Reads one or more amounts: "1h 2m 3s", "62 min", "1h30", "62'30\"" */
static gboolean
read_units (const char *position, gint64 *microseconds)
{
  gint64 total = 0;
  int unit = 0;

  position += strspn (position, " ");
  do
    {
      const int before = unit;
      gint64 amount;

      if (!read_amount (&position, &amount))
        return FALSE;
      position += strspn (position, " ");
      unit = read_unit (&position);
      /* A last number without a unit counts the next smaller unit. */
      if (unit == 0 && *position == '\0' && before > 1)
        unit = before / 60;
      if (unit == 0)
        return FALSE;
      total += amount * unit;
      if (total > LONGEST)
        return FALSE;
      skip_conjunction (&position);
    }
  while (*position != '\0');
  *microseconds = total;

  return TRUE;
}

/* Applies a suffix to two or three numbers: "45:00 min", "1:30 h", or "12:45:00 AM", the
 * form in which spreadsheets store 45 minutes */
static gboolean
apply_suffix (const char *suffix, int n_numbers, gint64 *total)
{
  int unit;

  if (*suffix == '\0')
    return TRUE;
  if (strcmp (suffix, "am") == 0 && n_numbers == 3)
    {
      *total %= (gint64) 12 * 3600 * G_USEC_PER_SEC;
      return TRUE;
    }
  unit = read_unit (&suffix);
  if (unit == 3600 && n_numbers == 2)
    *total *= 60;

  return unit > 0 && suffix[strspn (suffix, ".")] == '\0';
}

static gboolean
read_clock (const char *position, gint64 *microseconds)
{
  gint64 total = 0;
  int n_numbers = 0;
  gint64 amount;

  do
    {
      position += n_numbers > 0;
      position += strspn (position, " ");
      if (n_numbers == 3 || !read_amount (&position, &amount) || total > LONGEST / 60)
        return FALSE;
      total = total * 60 + amount;
      n_numbers++;
      position += strspn (position, " ");
    }
  while (*position == ':');
  if (!apply_suffix (position, n_numbers, &total) || total > LONGEST)
    return FALSE;
  *microseconds = total;

  return TRUE;
}

/* Seconds with a thousands separator: "3,723" */
static gboolean
has_thousands (const char *text)
{
  const char *comma = strchr (text, ',');

  return comma != NULL && comma > text && strspn (comma + 1, "0123456789") == 3 && comma[4] == '\0' &&
         strspn (text, "0123456789") == (gsize) (comma - text);
}

/* Returns: (transfer full): the text in lower case, in its common form */
static char *
normalize (const char *text)
{
  g_autoptr (GString) plain = g_string_new_take (g_strstrip (g_ascii_strdown (text, -1)));
  guint dots = 0;

  g_string_replace (plain, "：", ":", 0);
  if (*plain->str == '~')
    g_string_erase (plain, 0, 1);
  for (const char *c = plain->str; *c != '\0'; c++)
    dots += *c == '.';
  if (dots == 2 && strspn (plain->str, "0123456789.") == plain->len)
    g_string_replace (plain, ".", ":", 0);
  if (has_thousands (plain->str))
    g_string_replace (plain, ",", "", 0);
  /* ISO 8601: "P1DT2H" becomes "1d 2h" */
  if (*plain->str == 'p' && (plain->str[1] == 't' || g_ascii_isdigit (plain->str[1])))
    g_strdelimit (plain->str, "pt", ' ');

  return g_string_free (g_steal_pointer (&plain), FALSE);
}

/* Reads a time in the forms of RFC 2326, section 3.6 (normal play time) and
 * `itunes:duration`, or with unit names.
 * @text: (nullable): a time: `37`, `7:48`, `35:12.250`, `05:12:03.5`, `1h 2m`, `PT1H2M`
 * @microseconds: (out): the time
 * Returns: %TRUE if @text is such a time */
gboolean
ear_npt_parse (const char *text, gint64 *microseconds)
{
  g_autofree char *plain = NULL;

  if (text == NULL || strlen (text) > 64)
    return FALSE;
  plain = normalize (text);
  if (strchr (plain, ':') != NULL || strspn (plain, "0123456789.,") == strlen (plain))
    return read_clock (plain, microseconds);

  return read_units (plain, microseconds);
}

/* Reads `itunes:duration` in all forms that feeds use: seconds, `MM:SS` with any number
 * of minutes, `H:MM:SS`, each with an optional fraction, and amounts with units.
 * @text: (nullable): a duration as a feed writes it
 * Returns: microseconds, or %EAR_DURATION_UNKNOWN */
gint64
ear_duration_parse (const char *text)
{
  gint64 microseconds;

  if (!ear_npt_parse (text, &microseconds) || microseconds < G_USEC_PER_SEC)
    return EAR_DURATION_UNKNOWN;

  return microseconds;
}
