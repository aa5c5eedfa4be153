/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-backup-rotation.h"

/* Automatic backups kept: one per day for a week, and one per week for a month */
#define N_DAYS 7
#define N_WEEKS 4

/* Backups kept of each other kind; listeners can copy more of them elsewhere */
#define N_OTHERS 5

typedef struct
{
  int period; /* period of the last kept backup */
  guint n;
} Tally;

/* Takes the first backup of a period. Backups are sorted newest first,
 * so this is the period's last one. */
static gboolean
take (Tally *tally, int period, guint limit)
{
  if (tally->n >= limit || (tally->n > 0 && tally->period == period))
    return FALSE;
  tally->period = period;
  tally->n++;

  return TRUE;
}

static int
get_day (EarBackup *backup, GTimeZone *zone, int *week)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc_usec (backup->made);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;

  *week = local != NULL ? g_date_time_get_week_numbering_year (local) * 100 + g_date_time_get_week_of_year (local) : 0;

  return local != NULL ? g_date_time_get_year (local) * 1000 + g_date_time_get_day_of_year (local) : 0;
}

/* Chooses the backups to remove. Of the daily ones, the last backup of each of the last 7
 * days with backups is kept, and of each of the 4 weeks before; of all other kinds the
 * last 5. Daily backups from the future count as another kind: the clock was wrong, and
 * they must not displace present backups.
 * @backups: (element-type EarBackup): all backups, newest first
 * @now: Unix microseconds
 * Returns: (transfer full) (element-type EarBackup): the backups to remove */
GPtrArray *
ear_backup_rotation_choose (GPtrArray *backups, GTimeZone *zone, gint64 now)
{
  GPtrArray *superfluous = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_backup_unref);
  Tally days = { 0 };
  Tally weeks = { 0 };
  guint others[EAR_BACKUP_BEFORE_RESTORING + 1] = { 0 };

  for (guint i = 0; i < backups->len; i++)
    {
      EarBackup *backup = g_ptr_array_index (backups, i);
      const EarBackupReason reason = backup->reason;
      gboolean stays;

      if (reason == EAR_BACKUP_DAILY && backup->made <= now)
        {
          int week;
          const int day = get_day (backup, zone, &week);

          stays = take (&days, day, N_DAYS) || (days.n == N_DAYS && days.period != day && take (&weeks, week, N_WEEKS));
        }
      else
        stays = others[reason]++ < N_OTHERS;
      if (!stays)
        g_ptr_array_add (superfluous, ear_backup_ref (backup));
    }

  return superfluous;
}
