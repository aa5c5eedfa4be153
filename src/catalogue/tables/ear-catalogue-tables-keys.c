/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

/* How far back room is looked for, doubling the distance each time. */
#define SECONDS_BACK ((gint64) 1 << 24)

/* A zone that was got wrong makes a date later by less than this, and it is soon past. */
#define DAY (24 * 60 * 60)

/* Dates beyond these seconds are mistakes (30,000 years); they must not overflow. */
#define SECOND_LIMIT ((gint64) 1 << 40)

/* Episodes without a date come before all others where nobody knows when they were first seen,
 * those of a later answer of the feed after those of an earlier one. Each answer has room for this
 * many seconds of keys. */
#define UNDATED_START (-((gint64) 1 << 41))
#define UNDATED_SECONDS ((gint64) 1 << 16)
#define UNDATED_ANSWERS 1000000

static gboolean
find_lowest_key (EarCatalogueTables *self, gint64 from, gint64 to, gint64 *key, GError **error)
{
  *key = to;

  return ear_database_get_int (self->database, error, key,
                               "SELECT min (sort_key) FROM episode WHERE sort_key >= ?1 AND sort_key < ?2", "xx", from, to);
}

/* What has no date is as old as it is known, but for what a podcast had before; so is what comes from the
 * future, which would stand above all else for as long. */
static gint64
correct_date (gint64 published, gboolean arrives, gint64 now)
{
  if (now < EAR_CLOCK_FLOOR / G_USEC_PER_SEC)
    return published;

  return (published == EAR_DATE_UNKNOWN && arrives) || published > now + DAY ? now : published;
}

/* Tells whether an episode stays where it is although it has another date. It does where it has lost its
 * date, or has got one from the future: it would come to the top whenever the feed moves that one.
 * @published: the date it has from now on, Unix seconds, or %EAR_DATE_UNKNOWN
 * Returns: %TRUE when it needs no other key */
gboolean
ear_catalogue_tables_keeps_key (gint64 key, gint64 published)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  return published == EAR_DATE_UNKNOWN ||
         (correct_date (published, FALSE, now) != published && key / EAR_KEYS_PER_SECOND <= now);
}

/* Finds a place for an episode, by its date or, where that is none to go by, by the time of now. Feeds
 * tell the newest first, so that of one second the first one seen gets the highest key. Where all is full,
 * it goes to the very end.
 * @published: Unix seconds, or %EAR_DATE_UNKNOWN
 * @n_answers: how many answers of the feed are stored, for episodes without a date
 * @arrives: whether the feed did not have it before, so that without a date it is of now
 * @now: when the answer began, Unix seconds: of one answer all is of one time, lest the clock turn its order around
 * @key: (out): a sort key that no other episode has
 * Returns: %FALSE on an error */
gboolean
ear_catalogue_tables_find_key (EarCatalogueTables *self,
                               gint64 published,
                               gint64 n_answers,
                               gboolean arrives,
                               gint64 now,
                               gint64 *key,
                               GError **error)
{
  const gint64 date = correct_date (published, arrives, now);
  gint64 last = CLAMP (date, -SECOND_LIMIT, SECOND_LIMIT);
  gint64 n_seconds = 1;
  gint64 lowest = 0;

  if (date == EAR_DATE_UNKNOWN)
    {
      last = UNDATED_START + MIN (n_answers + 1, UNDATED_ANSWERS) * UNDATED_SECONDS - 1;
      n_seconds = UNDATED_SECONDS;
    }
  for (; n_seconds <= SECONDS_BACK; n_seconds *= 2)
    {
      const gint64 first = (last + 1 - n_seconds) * EAR_KEYS_PER_SECOND;

      if (!find_lowest_key (self, first, (last + 1) * EAR_KEYS_PER_SECOND, &lowest, error))
        return FALSE;
      if (lowest > first)
        {
          *key = lowest - 1;
          return TRUE;
        }
    }
  if (!find_lowest_key (self, G_MININT64, G_MAXINT64, &lowest, error))
    return FALSE;
  *key = MIN (lowest, UNDATED_START * EAR_KEYS_PER_SECOND) - 1;

  return TRUE;
}
