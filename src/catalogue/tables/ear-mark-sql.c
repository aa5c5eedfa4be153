/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mark-sql.h"

G_STATIC_ASSERT (EAR_MARK_SQL_N_COLUMNS == 2 * EAR_N_MARKS);

/* Any thread.
 * @format: a statement with `%1$s` for the column of the mark, followed by "_updated" for
 * that of its stamp
 * Returns: (transfer none): the statement, for [func@Ear.database_prepare] */
const char *
ear_mark_sql_of (EarMark mark, const char *format)
{
  g_autoptr (GString) sql = g_string_new (format);

  g_string_replace (sql, "%1$s", ear_mark_get_name (mark), 0);

  return g_intern_string (sql->str);
}

/* @index: number of the first parameter of `EAR_MARK_SQL_VALUES` */
void
ear_mark_sql_bind (const EarEpisodeState *state, EarStatement *statement, int index)
{
  for (int i = 0; i < EAR_N_MARKS; i++)
    {
      sqlite3_bind_int64 (statement, index + i, state->values[i]);
      sqlite3_bind_int64 (statement, index + EAR_N_MARKS + i, state->updated[i]);
    }
}

/* @state: (out caller-allocates): the state of an episode
 * @column: number of the first column of `EAR_MARK_SQL_ALL` */
void
ear_mark_sql_read (EarEpisodeState *state, EarStatement *statement, int column)
{
  for (int i = 0; i < EAR_N_MARKS; i++)
    {
      const gint64 value = sqlite3_column_int64 (statement, column + i);

      state->values[i] = ear_mark_get_kind (i) == EAR_MARK_FLAG ? value != 0 : value;
      state->updated[i] = sqlite3_column_int64 (statement, column + EAR_N_MARKS + i);
    }
}
