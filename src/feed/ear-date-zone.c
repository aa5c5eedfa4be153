/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-date-zone.h"

#include <string.h>

/* The longest zone name in the IANA database is shorter. */
#define NAME_LIMIT 40

/* Minutes east of Greenwich. A name without a season means winter time. */
static const struct
{
  const char *word;
  int offset;
} zones[] = {
  { "ut", 0 }, { "utc", 0 }, { "gmt", 0 }, { "z", 0 }, { "wet", 0 },
  { "est", -300 }, { "edt", -240 }, { "et", -300 }, { "cst", -360 }, { "cdt", -300 }, { "ct", -360 },
  { "mst", -420 }, { "mdt", -360 }, { "mt", -420 }, { "pst", -480 }, { "pdt", -420 }, { "pt", -480 },
  { "at", -240 }, { "ast", -240 }, { "adt", -180 }, { "nst", -210 }, { "ndt", -150 }, { "akst", -540 }, { "akdt", -480 },
  { "hst", -600 }, { "bst", 60 }, { "west", 60 }, { "cet", 60 }, { "cest", 120 }, { "met", 60 }, { "mest", 120 },
  { "mez", 60 }, { "mesz", 120 }, { "eet", 120 }, { "eest", 180 }, { "sast", 120 }, { "msk", 180 }, { "ist", 330 },
  { "sgt", 480 }, { "hkt", 480 }, { "awst", 480 }, { "jst", 540 }, { "kst", 540 }, { "acst", 570 }, { "aest", 600 },
  { "aedt", 660 }, { "nzst", 720 }, { "nzdt", 780 }, { "acdt", 630 }, { "idt", 180 }, { "hast", -600 }, { "hadt", -540 }, { "brt", -180 }, { "brst", -120 },
  { "wib", 420 }, { "pkt", 300 }, { "trt", 180 }, { "wat", 60 }, { "cat", 120 }, { "eat", 180 },
};

/* Current names for old ones that some IANA databases lack */
static const char *const old_names[][2] = {
  { "US/Eastern", "America/New_York" },
  { "US/Central", "America/Chicago" },
  { "US/Mountain", "America/Denver" },
  { "US/Pacific", "America/Los_Angeles" },
};

/* Keeps the last zone: GLib caches zones only while they are referenced, and reading one
 * takes longer than parsing an episode. A feed has one zone. */
static GPrivate last_zone = G_PRIVATE_INIT ((GDestroyNotify) g_time_zone_unref);

static GTimeZone *
find_zone (const char *name)
{
  GTimeZone *zone;

  for (gsize i = 0; i < G_N_ELEMENTS (old_names); i++)
    if (strcmp (old_names[i][0], name) == 0)
      name = old_names[i][1];
  zone = g_time_zone_new_identifier (name);
  if (zone != NULL)
    g_private_replace (&last_zone, g_time_zone_ref (zone));

  return zone;
}

static gboolean
is_name_character (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-' || c == '+' || c == '/';
}

/* @word: (array length=length): a word in lower case
 * @length: its length in bytes
 * @offset: (out): minutes east of Greenwich */
gboolean
ear_date_find_zone (const char *word, gsize length, int *offset)
{
  for (gsize i = 0; i < G_N_ELEMENTS (zones); i++)
    if (strncmp (zones[i].word, word, length) == 0 && zones[i].word[length] == '\0')
      {
        *offset = zones[i].offset;
        return TRUE;
      }

  return FALSE;
}

/* Cuts the name of a zone out of a date. GLib uses the name as a file name, so it must
 * start with a letter and have no dots: it cannot lead out of the zone database.
 * Returns: (transfer full) (nullable): the zone, or %NULL if the date has no known zone
 *   name */
GTimeZone *
ear_date_take_zone (char *text)
{
  for (char *slash = strchr (text, '/'); slash != NULL; slash = strchr (slash + 1, '/'))
    {
      char *start = slash, *end = slash;
      g_autofree char *name = NULL;
      GTimeZone *zone;

      while (start > text && (g_ascii_isalpha (start[-1]) || start[-1] == '_'))
        start--;
      while (is_name_character (*end))
        end++;
      if (!g_ascii_isalpha (*start) || !g_ascii_isalpha (slash[1]) || end - start > NAME_LIMIT)
        continue;
      name = g_strndup (start, end - start);
      zone = find_zone (name);
      if (zone != NULL)
        {
          memset (start, ' ', end - start);
          return zone;
        }
    }

  return NULL;
}

/* @local: local time in seconds, as if local clocks showed UTC
 * Returns: Unix seconds */
gint64
ear_date_to_universal (gint64 local, GTimeZone *zone)
{
  const int interval = g_time_zone_adjust_time (zone, G_TIME_TYPE_STANDARD, &local);

  return local - g_time_zone_get_offset (zone, interval);
}
