/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-recurrence.h"

#include <string.h>

#define DAY ((gint64) 86400)
#define MAX_RULE 1000

/* Intervals below an hour or above ten years are clamped: such rules are mistakes. */
#define SHORTEST ((gint64) 3600)
#define LONGEST (3653 * DAY)

#define WEEK (7 * DAY)
#define MONTH (365 * DAY / 12)
#define YEAR (365 * DAY)

static const struct
{
  const char *name;
  gint64 seconds;
} periods[] = { { "HOURLY", 3600 }, { "DAILY", DAY }, { "WEEKLY", WEEK }, { "MONTHLY", MONTH }, { "YEARLY", YEAR } };

typedef struct
{
  gint64 period; /* in seconds; 0: none */
  gint64 interval;
  gint64 count;
  guint n_days;         /* BYDAY entries */
  guint n_counted_days; /* BYDAY entries with a number, such as "1MO" */
  guint n_month_days;   /* BYMONTHDAY entries */
  guint n_months;       /* BYMONTH entries */
} Rule;

static guint
count_entries (const char *list)
{
  guint n = 1;

  for (const char *comma = strchr (list, ','); comma != NULL; comma = strchr (comma + 1, ','))
    n++;

  return n;
}

static void
read_days (Rule *rule, const char *list)
{
  rule->n_days = count_entries (list);
  for (const char *entry = list; entry != NULL; entry = strchr (entry, ','))
    {
      entry += *entry == ',';
      if (g_ascii_isdigit (*entry) || *entry == '-' || *entry == '+')
        rule->n_counted_days++;
    }
}

static void
read_part (Rule *rule, const char *name, const char *value)
{
  if (g_str_equal (name, "FREQ"))
    {
      for (gsize i = 0; i < G_N_ELEMENTS (periods); i++)
        if (g_str_equal (value, periods[i].name))
          rule->period = periods[i].seconds;
    }
  else if (g_str_equal (name, "INTERVAL"))
    rule->interval = CLAMP (g_ascii_strtoll (value, NULL, 10), 1, 10000);
  else if (g_str_equal (name, "COUNT"))
    rule->count = g_ascii_strtoll (value, NULL, 10);
  else if (g_str_equal (name, "BYDAY"))
    read_days (rule, value);
  else if (g_str_equal (name, "BYMONTHDAY"))
    rule->n_month_days = count_entries (value);
  else if (g_str_equal (name, "BYMONTH"))
    rule->n_months = count_entries (value);
}

/* Computes the average number of occurrences per period (RFC 5545), as a fraction. */
static void
count_times (const Rule *rule, gint64 *times, gint64 *periods_for_them)
{
  guint n_weekly = rule->n_days - rule->n_counted_days;

  *times = *periods_for_them = 1;
  if (rule->period == DAY && rule->n_days > 0)
    {
      *times = rule->n_days;
      *periods_for_them = 7;
    }
  else if (rule->period == WEEK)
    {
      *times = MAX (rule->n_days, 1);
    }
  else if (rule->period == MONTH && rule->n_days > 0)
    {
      /* A weekday without a number occurs 52 times in twelve months. */
      *times = rule->n_counted_days * 12 + n_weekly * 52;
      *periods_for_them = 12;
    }
  else if (rule->period == MONTH)
    {
      *times = MAX (rule->n_month_days, 1);
    }
  else if (rule->period == YEAR)
    {
      const gboolean by_day = rule->n_days > 0 && rule->n_months == 0;

      *times = by_day ? rule->n_counted_days + n_weekly * 52 : MAX (rule->n_months, 1) * MAX (rule->n_month_days, 1);
    }
}

/* Computes the interval of a `podcast:updateFrequency` rule.
 * @rule: (nullable): a recurrence rule of RFC 5545, section 3.3.10
 * Returns: the average interval in seconds, or 0 if the rule has none */
gint64
ear_recurrence_parse (const char *rule)
{
  Rule parts = { .interval = 1 };
  g_autofree char *upper = NULL;
  g_auto (GStrv) pairs = NULL;
  gint64 times, periods_for_them;

  if (rule == NULL || strlen (rule) > MAX_RULE)
    return 0;
  upper = g_strstrip (g_ascii_strup (rule, -1));
  pairs = g_strsplit (g_str_has_prefix (upper, "RRULE:") ? upper + strlen ("RRULE:") : upper, ";", -1);
  for (char **pair = pairs; *pair != NULL; pair++)
    {
      char *equals = strchr (*pair, '=');

      if (equals == NULL)
        continue;
      *equals = '\0';
      read_part (&parts, g_strstrip (*pair), g_strstrip (equals + 1));
    }
  /* A single occurrence has no interval. */
  if (parts.period == 0 || parts.count == 1)
    return 0;
  count_times (&parts, &times, &periods_for_them);

  return CLAMP (parts.period * parts.interval * periods_for_them / MAX (times, 1), SHORTEST, LONGEST);
}
