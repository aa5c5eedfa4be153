/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-catalogue-schema.h"

/*
 * Putting into the full text index what is stored already: all, where it was found damaged and is
 * made anew, or what many first answers have brought at once, which costs five times as much as
 * storing it. It goes in steps, newest episodes first, and others get their turn in between. The
 * table meta says under 'texts' above which sort key all are in it, so that the next session goes on
 * with it; those that are not in it yet have no size there, and searches look through them.
 */

/* What one transaction indexes at most, if nobody waits for it: few large ones are quicker than many small ones. */
#define STEP_EPISODES 3000
#define STEP_BYTES (16 * 1024 * 1024)

/* So many texts of first answers in one transaction can wait. */
#define MANY_TEXTS 300

/* One that is damaged so that SQLite does not even open it goes table by table. */
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

/* Throws the full text index away and begins an empty one.
 * Returns: %FALSE on an error: then more is damaged than the index */
gboolean
ear_catalogue_tables_renew_texts (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  ear_database_forget_statements (self->database);
  if (!ear_database_exec (self->database, "DROP TABLE " EAR_CATALOGUE_TEXT_INDEX, NULL) &&
      !drop_by_parts (self->database, error))
    return FALSE;

  /* A page that the index has wrongly taken for its own would belong to nobody now, and be
   * used again: better no index than that. */
  if (!ear_database_check_all (self->database, error) ||
      !ear_database_exec (self->database, ear_catalogue_schema_texts, error) ||
      !ear_database_exec (self->database, "INSERT OR REPLACE INTO meta VALUES ('renewing', 1)", error) ||
      !set_mark (self, G_MAXINT64, error))
    return FALSE;
  self->is_indexing = TRUE;
  self->is_renewing = TRUE;

  return TRUE;
}

/* All that is not in the index is below the mark: it only rises here. */
static gboolean
raise_mark (EarCatalogueTables *self, gint64 key, GError **error)
{
  gint64 mark = G_MININT64;

  if (!ear_database_get_int (self->database, error, &mark, "SELECT value FROM meta WHERE key = 'texts'", ""))
    return FALSE;

  return key <= mark || set_mark (self, key, error);
}

/* Leaves those of the changed texts that can wait for later, if there are many. */
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
      /* What the index may wrongly have there would pass for it. */
      change->record = NULL;
      highest = MAX (highest, change->key);
    }
  self->is_indexing = TRUE;

  return raise_mark (self, highest + 1, error);
}

/* Reads how well the full text index is. */
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

/* Sort keys of those that are not in it yet, newest first: new ones are put there when they come. */
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

/* By ascending key: the index would write itself out after each that comes before the last one. What is
 * left when somebody is waiting is found again by having no size. */
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

/* Puts some episodes into a full text index that has not got all of them.
 * @is_to_stop: asked after each text whether others wait for their turn
 * @more: (out): whether there are more episodes to index
 * Returns: (transfer full): what was done, or the error */
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
