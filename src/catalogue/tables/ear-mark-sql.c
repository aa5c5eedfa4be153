/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mark-sql.h"

/* What SQL says of the marks, made from their table: each has a column for its value and one for its stamp, in the
 * tables episode and waiting_state. */

static char *
dup_all (void)
{
  GString *text = g_string_new (ear_mark_get_name (0));

  for (guint i = 1; i < EAR_N_MARKS; i++)
    g_string_append_printf (text, ", %s", ear_mark_get_name (i));
  for (guint i = 0; i < EAR_N_MARKS; i++)
    g_string_append_printf (text, ", %s_updated", ear_mark_get_name (i));

  return g_string_free_and_steal (text);
}

static char *
dup_values (void)
{
  GString *text = g_string_new ("?");

  for (guint i = 1; i < EAR_MARK_SQL_N_COLUMNS; i++)
    g_string_append (text, ", ?");

  return g_string_free_and_steal (text);
}

static char *
dup_touched (void)
{
  GString *text = g_string_new ("(");

  for (guint i = 0; i < EAR_N_MARKS; i++)
    g_string_append_printf (text, "%s%s_updated <> 0", i > 0 ? " OR " : "", ear_mark_get_name (i));
  g_string_append_c (text, ')');

  return g_string_free_and_steal (text);
}

static const char *
expand (const char *sql, const char *one)
{
  g_autoptr (GString) text = g_string_new (sql);
  g_autofree char *all = dup_all ();
  g_autofree char *values = dup_values ();
  g_autofree char *touched = dup_touched ();

  g_string_replace (text, EAR_MARK_SQL_ALL, all, 0);
  g_string_replace (text, EAR_MARK_SQL_VALUES, values, 0);
  g_string_replace (text, EAR_MARK_SQL_TOUCHED, touched, 0);
  g_string_replace (text, EAR_MARK_SQL_ONE, one, 0);

  return g_intern_string (text->str);
}

/* Each literal is put together once, as statements are asked for once an episode. */
static const char *
find (const char *sql, guint place, const char *one)
{
  static GMutex mutex;
  static GHashTable *known[EAR_N_MARKS + 1]; /* by the address of the literal */
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  const char *text;

  if (known[place] == NULL)
    known[place] = g_hash_table_new (NULL, NULL);
  text = g_hash_table_lookup (known[place], sql);
  if (text == NULL)
    {
      text = expand (sql, one);
      g_hash_table_insert (known[place], (gpointer) sql, (gpointer) text);
    }

  return text;
}

/**
 * ear_mark_sql:
 * @sql: a literal with some of `EAR_MARK_SQL_`
 *
 * Any thread.
 *
 * Returns: (transfer none): the statement, for [func@Ear.database_prepare]
 */
const char *
ear_mark_sql (const char *sql)
{
  return find (sql, EAR_N_MARKS, "");
}

/**
 * ear_mark_sql_of:
 * @sql: a literal with `EAR_MARK_SQL_ONE`, "_updated" after it for the stamp
 *
 * Any thread.
 */
const char *
ear_mark_sql_of (EarMark mark, const char *sql)
{
  return find (sql, mark, ear_mark_get_name (mark));
}

/**
 * ear_mark_sql_dup_migration:
 * @version: a version of the schema, above 1
 *
 * Few episodes have a mark that the first version did not know: the list of those that do is an index.
 *
 * Returns: (transfer full) (nullable): what gives the tables the marks that came with that version
 */
char *
ear_mark_sql_dup_migration (int version)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      const char *name = ear_mark_get_name (i);

      if (ear_mark_get_version (i) != version)
        continue;
      for (guint table = 0; table < 2; table++)
        g_string_append_printf (sql,
                                "ALTER TABLE %1$s ADD COLUMN %2$s INTEGER NOT NULL DEFAULT 0;"
                                "ALTER TABLE %1$s ADD COLUMN %2$s_updated INTEGER NOT NULL DEFAULT 0;",
                                table == 0 ? "episode" : "waiting_state", name);
      g_string_append_printf (sql, "CREATE INDEX episode_%1$s ON episode (sort_key, podcast, %1$s) WHERE %1$s = 1;", name);
    }

  return sql->len > 0 ? g_string_free_and_steal (g_steal_pointer (&sql)) : NULL;
}

/**
 * ear_mark_sql_bind:
 * @index: its first parameter of `EAR_MARK_SQL_VALUES`
 */
void
ear_mark_sql_bind (const EarEpisodeState *state, EarStatement *statement, int index)
{
  for (int i = 0; i < EAR_N_MARKS; i++)
    {
      sqlite3_bind_int64 (statement, index + i, state->values[i]);
      sqlite3_bind_int64 (statement, index + EAR_N_MARKS + i, state->updated[i]);
    }
}

/**
 * ear_mark_sql_read:
 * @state: (out caller-allocates): what the listener did with an episode
 * @column: where its `EAR_MARK_SQL_ALL` begins
 */
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
