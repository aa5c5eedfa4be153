/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-rows.h"

/**
 * ear_episode_rows_read:
 * @ids: (array length=n_ids): row ids of episodes
 * @func: (scope call): called with each row that there is, in no order
 *
 * Reads rows of episodes by their primary key.
 */
gboolean
ear_episode_rows_read (EarDatabase *database,
                       const gint64 *ids,
                       guint n_ids,
                       EarEpisodeRowFunc func,
                       gpointer user_data,
                       GError **error)
{
  g_autoptr (GString) list = g_string_new ("[");
  g_autoptr (EarStatement) statement = NULL;
  gboolean is_row;

  for (guint i = 0; i < n_ids; i++)
    g_string_append_printf (list, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", ids[i]);
  g_string_append_c (list, ']');
  statement = ear_database_query (database, error,
                                  "SELECT " EAR_EPISODE_ROW_COLUMNS " FROM episode "
                                  "WHERE id IN (SELECT value FROM json_each (?1))",
                                  "s", list->str);
  while (ear_database_step (database, statement, &is_row, error) && is_row)
    {
      g_auto (EarEpisodeRow) row = { 0 };

      ear_episode_row_read (&row, statement);
      func (&row, user_data);
    }

  return !is_row;
}
