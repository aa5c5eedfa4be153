/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-catalogue-schema.h"
#include "ear-episode-record.h"
#include "ear-plain-text.h"

#include <string.h>

/*
 * Making the full text index anew, from the titles and notes, when it was found damaged. It
 * begins empty and grows in steps, newest episodes first: what is searched for most is found
 * first, and others get their turn in between. The table meta says how far it has come, under
 * 'texts', so that the next session goes on with it.
 */

/* What one transaction indexes at most. */
#define STEP_EPISODES 300
#define STEP_BYTES (8 * 1024 * 1024)

typedef struct
{
  gint64 key;
  gint64 podcast;
  char *title;
  char *text;
} Text;

static void
text_free (gpointer data)
{
  Text *text = data;

  g_free (text->title);
  g_free (text->text);
  g_free (text);
}

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
  g_autoptr (EarStatement) statement =
      ear_database_prepare (self->database, "INSERT OR REPLACE INTO meta (key, value) VALUES ('texts', ?1)", error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, key);

  return ear_database_run (self->database, statement, error);
}

/**
 * ear_catalogue_tables_renew_texts:
 * @self: the tables with an open transaction, the only thing in it
 * @error: return location for an `EAR_ERROR`
 *
 * Throws the full text index away and begins an empty one.
 *
 * Returns: %FALSE on an error: then more is damaged than the index
 */
gboolean
ear_catalogue_tables_renew_texts (EarCatalogueTables *self, GError **error)
{
  ear_database_forget_statements (self->database);
  if (!ear_database_exec (self->database, "DROP TABLE " EAR_CATALOGUE_TEXT_INDEX, NULL) &&
      !drop_by_parts (self->database, error))
    return FALSE;

  /* A page that the index has wrongly taken for its own would belong to nobody now, and be
   * used again: better no index than that. */
  if (!ear_database_check_all (self->database, error) ||
      !ear_database_exec (self->database, ear_catalogue_schema_texts, error) || !set_mark (self, G_MAXINT64, error))
    return FALSE;
  self->is_indexing = TRUE;

  return TRUE;
}

/* Those that are not in it yet: new ones are put there when they come. */
static GPtrArray *
load_texts (EarCatalogueTables *self, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "SELECT sort_key, podcast, title, notes.text FROM episode LEFT JOIN notes ON notes.episode = episode.id"
      " WHERE sort_key < (SELECT value FROM meta WHERE key = 'texts')"
      " AND NOT EXISTS (SELECT 1 FROM episode_text_docsize AS size WHERE size.id = episode.sort_key)"
      " ORDER BY sort_key DESC",
      error);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (text_free);
  gsize size = 0;
  gboolean row = FALSE;

  if (statement == NULL)
    return NULL;
  while (texts->len < STEP_EPISODES && size < STEP_BYTES)
    {
      g_autofree char *notes = NULL;
      Text *text;

      if (!ear_database_step (self->database, statement, &row, error))
        return NULL;
      if (!row)
        break;
      notes = ear_statement_dup_text (statement, 3);
      size += notes != NULL ? strlen (notes) : 0;
      text = g_new0 (Text, 1);
      text->key = sqlite3_column_int64 (statement, 0);
      text->podcast = sqlite3_column_int64 (statement, 1);
      text->title = ear_statement_dup_text (statement, 2);
      text->text = ear_plain_text_from_notes (notes, EAR_EPISODE_RECORD_TEXT_LIMIT);
      g_ptr_array_add (texts, text);
    }

  return g_steal_pointer (&texts);
}

static gboolean
tell_progress (EarCatalogueTables *self, gboolean more, GError **error)
{
  gint64 n_indexed = 0;
  gint64 n_episodes = 0;

  if (!ear_database_get_int (self->database, "SELECT count (*) FROM episode_text_docsize", &n_indexed, error) ||
      !ear_database_get_int (self->database, "SELECT sum (n_episodes) FROM podcast_count", &n_episodes, error))
    return FALSE;
  self->event->indexed =
      more && n_episodes > 0 ? CLAMP ((double) n_indexed / (double) n_episodes, 0, 0.999) : 1;

  return TRUE;
}

/**
 * ear_catalogue_tables_index_texts:
 * @self: the tables with an open transaction
 * @more: (out): whether there are more episodes to index, in another transaction
 * @error: return location for an `EAR_ERROR`
 *
 * Puts some episodes into a full text index that is made anew.
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_tables_index_texts (EarCatalogueTables *self, gboolean *more, GError **error)
{
  g_autoptr (GPtrArray) texts = NULL;

  /* What else is in the transaction goes into the index at its end: it is not there yet. */
  *more = TRUE;
  if (self->text_changes->len > 0)
    return TRUE;
  texts = load_texts (self, error);
  if (texts == NULL)
    return FALSE;

  /* The index would write itself out after each that comes before the last one. */
  for (guint i = texts->len; i > 0; i--)
    {
      const Text *text = g_ptr_array_index (texts, i - 1);

      if (!ear_catalogue_tables_put_text (self, text->key, text->podcast, text->title, text->text, error))
        return FALSE;
    }
  *more = texts->len > 0;
  if (*more && !set_mark (self, ((const Text *) g_ptr_array_index (texts, texts->len - 1))->key, error))
    return FALSE;
  if (!*more && !ear_database_exec (self->database, "DELETE FROM meta WHERE key = 'texts'", error))
    return FALSE;
  if (!tell_progress (self, *more, error))
    return FALSE;
  self->is_indexing = *more;

  return TRUE;
}

/**
 * ear_catalogue_tables_is_indexing:
 * @self: the tables
 *
 * Returns: whether the full text index is being made anew
 */
gboolean
ear_catalogue_tables_is_indexing (EarCatalogueTables *self)
{
  return self->is_indexing;
}
