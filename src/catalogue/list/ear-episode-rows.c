/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-rows.h"

/* Reads rows of episodes by their primary key.
 * @ids: (array length=n_ids): row ids of episodes
 * @func: (scope call): called with each existing row, in no order */
gboolean
ear_episode_rows_read (EarDatabase *database,
                       const gint64 *ids,
                       guint n_ids,
                       EarEpisodeRowFunc func,
                       gpointer user_data,
                       GError **error)
{
  g_autofree char *list = ear_database_print_ids (ids, n_ids);
  g_autoptr (EarStatement) statement = ear_database_query (
      database, error,
      "SELECT " EAR_EPISODE_ROW_COLUMNS " FROM episode WHERE id IN (SELECT value FROM json_each (?1))", "s", list);
  gboolean is_row;

  while (ear_database_step (database, statement, &is_row, error) && is_row)
    {
      g_auto (EarEpisodeRow) row = { 0 };

      ear_episode_row_read (&row, statement);
      func (&row, user_data);
    }

  return !is_row;
}
