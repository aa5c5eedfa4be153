/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-rows.h"

/* "IN (?1, ?2, ...)" of a page's size; a smaller page leaves some of them NULL. */
static const char *
get_sql (void)
{
  static gsize sql = 0;

  if (g_once_init_enter (&sql))
    {
      g_autoptr (GString) text = g_string_new ("SELECT " EAR_EPISODE_ROW_COLUMNS " FROM episode WHERE id IN (?1");

      for (int i = 2; i <= EAR_EPISODE_ROWS_PAGE; i++)
        g_string_append_printf (text, ", ?%d", i);
      g_string_append_c (text, ')');
      g_once_init_leave (&sql, (gsize) ear_mark_sql (g_intern_string (text->str)));
    }

  return (const char *) sql;
}

static gboolean
read_page (EarDatabase *database, const gint64 *ids, guint n_ids, EarEpisodeRowFunc func, gpointer user_data, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (database, get_sql (), error);
  gboolean is_row = FALSE;

  for (guint i = 0; statement != NULL && i < n_ids; i++)
    sqlite3_bind_int64 (statement, (int) i + 1, ids[i]);
  while (ear_database_step (database, statement, &is_row, error))
    {
      g_auto (EarEpisodeRow) row = { 0 };

      if (!is_row)
        return TRUE;
      ear_episode_row_read (&row, statement);
      func (&row, user_data);
    }

  return FALSE;
}

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
  for (guint i = 0; i < n_ids; i += EAR_EPISODE_ROWS_PAGE)
    if (!read_page (database, ids + i, MIN (n_ids - i, EAR_EPISODE_ROWS_PAGE), func, user_data, error))
      return FALSE;

  return TRUE;
}
