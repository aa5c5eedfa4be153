/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-catalogue-schema.h"

/* Indexes texts after storing them: all texts, if the index was damaged and is rebuilt,
 * or those of many first responses at once, as indexing costs five times as much as
 * storing. Indexing runs in steps, newest episodes first, between which other ops get
 * their turn. The row 'texts' of the table meta has the sort key above which all texts
 * are indexed, so that the next session can continue; rows below it without an entry in
 * the index are not indexed yet, and searches scan them. */

/* Limits of one transaction, if nobody waits: few large ones are quicker than
 * many small ones. */
#define STEP_EPISODES 3000
#define STEP_BYTES (16 * 1024 * 1024)

/* Texts of first responses in one transaction that may wait */
#define MANY_TEXTS 300

/* Drops an index so damaged that SQLite cannot open it, table by table. */
static gboolean
drop_by_parts (EarDatabase *database, GError **error)
{
  static const char *const steps[] = {
    "PRAGMA writable_schema = ON",
    "DELETE FROM sqlite_schema WHERE name = '" EAR_CATALOGUE_TEXT_INDEX "'",
    "DROP TABLE IF EXISTS " EAR_CATALOGUE_TEXT_INDEX "_data",
    "DROP TABLE IF EXISTS " EAR_CATALOGUE_TEXT_INDEX "_idx",
    "DROP TABLE IF EXISTS " EAR_CATALOGUE_TEXT_INDEX "_content",
    "DROP TABLE IF EXISTS " EAR_CATALOGUE_TEXT_INDEX "_docsize",
    "DROP TABLE IF EXISTS " EAR_CATALOGUE_TEXT_INDEX "_config",
  };
  gboolean ok = TRUE;

  sqlite3_db_config (ear_database_get_handle (database), SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
  for (gsize i = 0; ok && i < G_N_ELEMENTS (steps); i++)
    ok = ear_database_exec (database, steps[i], error);
  ear_database_exec (database, "PRAGMA writable_schema = RESET", NULL);
  sqlite3_db_config (ear_database_get_handle (database), SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);

  return ok;
}

static gboolean
set_mark (EarCatalogueTables *self, gint64 key, GError **error)
{
  return ear_database_execute (self->database, error, "INSERT OR REPLACE INTO meta (key, value) VALUES ('texts', ?1)", "x", key);
}

/* Replaces the full text index with an empty one.
 * Returns: %FALSE on an error: then more than the index is damaged */
gboolean
ear_catalogue_tables_renew_texts (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  ear_database_forget_statements (self->database);
  if (!ear_database_exec (self->database, "DROP TABLE " EAR_CATALOGUE_TEXT_INDEX, NULL) &&
      !drop_by_parts (self->database, error))
    return FALSE;

  /* Check for pages that the damaged index shared with other tables: they are free now,
   * and would be overwritten. Better no index than that. */
  if (!ear_database_check_all (self->database, error) ||
      !ear_database_exec (self->database, ear_catalogue_schema_texts, error) ||
      !ear_database_exec (self->database, "INSERT OR REPLACE INTO meta VALUES ('renewing', 1)", error) ||
      !set_mark (self, G_MAXINT64, error))
    return FALSE;
  self->is_indexing = TRUE;
  self->is_renewing = TRUE;

  return TRUE;
}

/* All texts missing in the index are below the mark: this function only raises it. */
static gboolean
raise_mark (EarCatalogueTables *self, gint64 key, GError **error)
{
  gint64 mark = G_MININT64;

  if (!ear_database_get_int (self->database, error, &mark, "SELECT value FROM meta WHERE key = 'texts'", ""))
    return FALSE;

  return key <= mark || set_mark (self, key, error);
}

/* Defers the indexing of changed texts that can wait, if there are many. */
gboolean
ear_catalogue_tables_put_off_texts (EarCatalogueTables *self, GError **error)
{
  guint n_waiting = 0;
  gint64 highest = G_MININT64;

  for (guint i = 0; i < self->text_changes->len; i++)
    n_waiting += g_array_index (self->text_changes, EarTextChange, i).can_wait;
  if (n_waiting == 0 || (n_waiting < MANY_TEXTS && !self->is_indexing))
    return TRUE;
  for (guint i = 0; i < self->text_changes->len; i++)
    {
      EarTextChange *change = &g_array_index (self->text_changes, EarTextChange, i);

      if (!change->can_wait)
        continue;
      /* Remove a stale entry with this key, which would count as indexed. */
      change->record = NULL;
      highest = MAX (highest, change->key);
    }
  self->is_indexing = TRUE;

  return raise_mark (self, highest + 1, error);
}

/* Reads the state of the full text index. */
gboolean
ear_catalogue_tables_load_indexing (EarCatalogueTables *self, GError **error)
{
  gint64 mark = 0;
  gint64 renewing = 0;

  if (!ear_database_get_int (self->database, error, &mark, "SELECT 1 FROM meta WHERE key = 'texts'", "") ||
      !ear_database_get_int (self->database, error, &renewing, "SELECT 1 FROM meta WHERE key = 'renewing'", ""))
    return FALSE;
  self->is_indexing = mark != 0;
  self->is_renewing = renewing != 0;

  return TRUE;
}

/* Returns the sort keys of texts that are not indexed yet, newest first; texts of new
 * rows are indexed with them. */
static GArray *
load_keys (EarCatalogueTables *self, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT sort_key FROM episode INDEXED BY episode_all"
      " WHERE sort_key < (SELECT value FROM meta WHERE key = 'texts')"
      " AND NOT EXISTS (SELECT 1 FROM episode_text_docsize AS size WHERE size.id = episode.sort_key)"
      " ORDER BY sort_key DESC LIMIT ?1", "i", STEP_EPISODES);

  return ear_database_list (self->database, statement, error);
}

static gboolean
index_text (EarCatalogueTables *self, gint64 key, gsize *size, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT podcast, title, notes.text FROM episode INDEXED BY episode_all LEFT JOIN notes ON notes.episode = episode.id"
      " WHERE sort_key = ?1", "x", key);
  g_autofree char *title = NULL;
  g_autofree char *notes = NULL;
  gboolean row = FALSE;

  if (!ear_database_step (self->database, statement, &row, error) || !row)
    return !row;
  title = ear_statement_dup_text (statement, 1);
  notes = ear_statement_dup_text (statement, 2);
  *size += (gsize) sqlite3_column_bytes (statement, 2);

  return ear_catalogue_tables_put_text (self, key, sqlite3_column_int64 (statement, 0), title, notes, error);
}

static gboolean
notify_progress (EarCatalogueTables *self, gboolean more, GError **error)
{
  gint64 n_indexed = 0;
  gint64 n_episodes = 0;

  if (!self->is_renewing)
    return TRUE;
  if (!ear_database_get_int (self->database, error, &n_indexed, "SELECT count (*) FROM episode_text_docsize", "") ||
      !ear_database_get_int (self->database, error, &n_episodes, "SELECT sum (n_episodes) FROM podcast_count", ""))
    return FALSE;
  self->event->indexed =
      more && n_episodes > 0 ? CLAMP ((double) n_indexed / (double) n_episodes, 0, 0.999) : 1;

  return TRUE;
}

/* Indexes by ascending key: otherwise the index would write its data after
 * each smaller one. If it stops early, the remaining texts are found again by
 * their missing entries. */
static gboolean
index_texts (EarCatalogueTables *self, EarStopFunc is_to_stop, gpointer user_data, gboolean *more, GError **error)
{
  g_autoptr (GArray) keys = load_keys (self, error);
  guint n_left;
  gsize size = 0;

  if (keys == NULL)
    return FALSE;
  for (n_left = keys->len; n_left > 0 && size < STEP_BYTES && !is_to_stop (user_data); n_left--)
    if (!index_text (self, g_array_index (keys, gint64, n_left - 1), &size, error))
      return FALSE;
  *more = keys->len > 0;
  if (*more)
    return set_mark (self, n_left > 0 ? g_array_index (keys, gint64, 0) + 1 : g_array_index (keys, gint64, keys->len - 1), error);

  return ear_database_exec (self->database, "DELETE FROM meta WHERE key IN ('texts', 'renewing')", error);
}

/* Indexes some episodes, if the full text index lacks any.
 * @is_to_stop: called after each text: whether others wait
 * @more: (out): whether more episodes have to be indexed
 * Returns: (transfer full): the changes, or the error */
EarCatalogueEvent *
ear_catalogue_tables_index_texts (EarCatalogueTables *self, EarStopFunc is_to_stop, gpointer user_data, gboolean *more)
{
  g_autoptr (GError) error = NULL;
  EarCatalogueEvent *event = NULL;

  *more = FALSE;
  ear_database_let_log_grow (self->database);
  if (ear_catalogue_tables_begin (self, &error) && index_texts (self, is_to_stop, user_data, more, &error) &&
      notify_progress (self, *more, &error))
    event = ear_catalogue_tables_commit (self, &error);
  if (event == NULL)
    {
      ear_catalogue_tables_roll_back (self);
      event = ear_catalogue_event_new (G_MAXINT64);
      event->stopped_indexing = TRUE;
      event->error = g_steal_pointer (&error);
      *more = FALSE;
      return event;
    }
  self->is_indexing = *more;
  self->is_renewing = self->is_renewing && *more;

  return event;
}

gboolean
ear_catalogue_tables_is_indexing (EarCatalogueTables *self)
{
  return self->is_indexing;
}
