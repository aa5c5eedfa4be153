/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listened.h"

#include "ear-record.h"

#include <string.h>

/* Records of `state/listening.json`, one for each month, podcast and machine, so that two
 * machines never write the same number; readers add them up.
 *   "2026-11/<hash of the podcast's first URL>/<machine>":
 *     { "address": "https://…", "title": "…",
 *       "days": { "26": { "listened": 1800, "saved-speed": 600, "saved-trim": 40 } } }
 * All values are whole seconds. Time saved before days were counted is in one more record
 * per machine, "before//<machine>", whose value is that of a day. */

#define FORMER "before"

/* Longest day, when clocks are set back */
#define DAY_LIMIT (25 * 60 * 60)

/* Maximum saved time per day: the speed limit is four, and trimmed audio contains at
 * least some speech. */
#define SPARED_LIMIT (DAY_LIMIT * 10)

/* A hundred years of listening without a pause */
#define FORMER_LIMIT (100.0 * 366 * DAY_LIMIT)

/* Members of a day: name, maximum and field */
static const struct
{
  const char *name;
  double limit;
  gsize offset;
} members[] = {
  { "listened", DAY_LIMIT, G_STRUCT_OFFSET (EarListened, time) },
  { "saved-speed", SPARED_LIMIT, G_STRUCT_OFFSET (EarListened, by_speed) },
  { "saved-trim", SPARED_LIMIT, G_STRUCT_OFFSET (EarListened, by_trimming) },
};

static gint64 *
get_member (EarListened *self, gsize i)
{
  return &G_STRUCT_MEMBER (gint64, self, members[i].offset);
}

void
ear_listened_add (EarListened *self, const EarListened *other)
{
  self->time += other->time;
  self->by_speed += other->by_speed;
  self->by_trimming += other->by_trimming;
}

/* @podcast: the hash of its first URL */
char *
ear_listened_dup_id (const GDate *day, const char *podcast, const char *machine)
{
  return g_strdup_printf ("%04d-%02d/%s/%s", g_date_get_year (day), g_date_get_month (day), podcast,
                          machine);
}

char *
ear_listened_dup_former_id (const char *machine)
{
  return g_strconcat (FORMER "//", machine, NULL);
}

/* Returns: (transfer full) (nullable): the hash of the podcast's URL */
char *
ear_listened_dup_podcast (const char *id)
{
  const char *begin = strchr (id, '/');
  const char *end = begin != NULL ? strchr (begin + 1, '/') : NULL;

  return end != NULL && end > begin + 1 ? g_strndup (begin + 1, (gsize) (end - begin - 1)) : NULL;
}

/* @limit: maximum of each value; 0: the limits of a day */
static EarListened
read_values (GVariant *values, double limit)
{
  EarListened listened = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const double seconds = ear_record_get_number (values, members[i].name, 0);

      *get_member (&listened, i) =
          (gint64) (CLAMP (seconds, 0, limit > 0 ? limit : members[i].limit) * G_USEC_PER_SEC);
    }

  return listened;
}

/* Returns: a number of @length digits; 0 if there are other characters */
static guint
read_number (const char *text, guint length)
{
  guint number = 0;

  for (guint i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return 0;
      number = number * 10 + (guint) (text[i] - '0');
    }

  return number;
}

static gboolean
read_month (const char *id, GDateYear *year, GDateMonth *month)
{
  if (strlen (id) < 8 || id[4] != '-' || id[7] != '/')
    return FALSE;
  *year = (GDateYear) read_number (id, 4);
  *month = read_number (id + 5, 2);

  return g_date_valid_year (*year) && g_date_valid_month (*month);
}

/* Calls @func for each day of a record. Invalid parts are skipped.
 * @func: (scope call): the function to call */
void
ear_listened_foreach (const char *id, GVariant *value, EarListenedFunc func, gpointer user_data)
{
  g_autoptr (GVariant) days = g_variant_lookup_value (value, "days", G_VARIANT_TYPE_VARDICT);
  GDateYear year;
  GDateMonth month;
  GVariantIter iter;
  const char *name;
  GVariant *child;

  if (g_str_has_prefix (id, FORMER "/"))
    {
      const EarListened listened = read_values (value, FORMER_LIMIT);

      func (0, &listened, user_data);
      return;
    }
  if (days == NULL || !read_month (id, &year, &month))
    return;

  g_variant_iter_init (&iter, days);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &child))
    {
      const GDateDay day = strlen (name) == 2 ? (GDateDay) read_number (name, 2) : 0;

      if (g_variant_is_of_type (child, G_VARIANT_TYPE_VARDICT) &&
          g_date_valid_dmy (day, month, year))
        {
          const EarListened listened = read_values (child, 0);
          GDate date;

          g_date_clear (&date, 1);
          g_date_set_dmy (&date, day, month, year);
          func (g_date_get_julian (&date), &listened, user_data);
        }
    }
}

static GVariant *
add_values (GVariant *values, const EarListened *listened)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (values);
  EarListened sum = *listened;

  if (values != NULL)
    {
      const EarListened known = read_values (values, 0);

      ear_listened_add (&sum, &known);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    if (*get_member (&sum, i) >= G_USEC_PER_SEC)
      g_variant_dict_insert (&dict, members[i].name, "x", *get_member (&sum, i) / G_USEC_PER_SEC);

  return g_variant_dict_end (&dict);
}

/* @value: (nullable): a record of a month, or %NULL for a new one; unknown members are
 *   kept
 * @day: day of the month
 * @listened: the time to add
 * Returns: (transfer floating): the new record */
GVariant *
ear_listened_add_day (GVariant *value, const char *address, const char *title, guint day,
                      const EarListened *listened)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (value);
  g_autoptr (GVariant) known_days =
      g_variant_dict_lookup_value (&dict, "days", G_VARIANT_TYPE_VARDICT);
  g_auto (GVariantDict) days = G_VARIANT_DICT_INIT (known_days);
  g_autofree char *name = g_strdup_printf ("%02u", day);
  g_autoptr (GVariant) known = g_variant_dict_lookup_value (&days, name, G_VARIANT_TYPE_VARDICT);

  g_variant_dict_insert_value (&days, name, add_values (known, listened));
  g_variant_dict_insert (&dict, "address", "s", address);
  g_variant_dict_insert (&dict, "title", "s", title);
  g_variant_dict_insert_value (&dict, "days", g_variant_dict_end (&days));

  return g_variant_dict_end (&dict);
}

/* Returns: (transfer floating): the record of time saved before days were counted */
GVariant *
ear_listened_new_former (gint64 by_trimming)
{
  const EarListened listened = { .by_trimming = by_trimming };

  return add_values (NULL, &listened);
}
