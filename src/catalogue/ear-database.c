/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-database.h"

#include "ear-durable.h"
#include "ear-tokenizer.h"

#include <glib/gstdio.h>

/* A thin layer over one SQLite connection: prepared statements are cached, and reset by scope. The
 * first error is kept: after it, statements are NULL, find no rows and change nothing, until
 * ear_database_finish() returns the error. A connection may move from one thread to another, but
 * only one at a time may use it. */
struct _EarDatabase
{
  /* Owned */
  sqlite3 *handle;
  GHashTable *statements; /* SQL text, by its address: EarStatement */

  GError *error; /* (nullable): the first one since ear_database_finish() */
  gboolean damaged;
};

/* Wait for another process's lock, in milliseconds */
#define BUSY_TIMEOUT_MS 5000

/* Pages of the log that trigger a checkpoint */
#define LOG_PAGES 4000

/* Settings of a new file: a page holds several notes, with little waste; empty pages can
 * be freed. On other files, these pragmas would write each time. */
static const char new_file_setup[] = "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL;";

/* The log is long, as pages that are written repeatedly go into the file only once.
 * SQLite overwrites the log after a checkpoint, instead of truncating and extending it;
 * the writer empties the log when it is idle. */
static const char writer_setup[] =
  "PRAGMA journal_mode = WAL;"
  "PRAGMA synchronous = NORMAL;"
  "PRAGMA temp_store = MEMORY;"
  "PRAGMA cache_size = -16384;"
  "PRAGMA secure_delete = OFF;"
  "PRAGMA trusted_schema = OFF;"
  "PRAGMA wal_autocheckpoint = " G_STRINGIFY (LOG_PAGES) ";"
  "PRAGMA journal_size_limit = 67108864;";

static const char reader_setup[] =
  "PRAGMA temp_store = MEMORY;"
  "PRAGMA cache_size = -4096;"
  "PRAGMA trusted_schema = OFF;";

/* Keeps an error of SQLite, unless there was one before. */
static void
fail (EarDatabase *self, int code)
{
  const char *message = self->handle != NULL ? sqlite3_errmsg (self->handle)
                                             : sqlite3_errstr (code);
  EarError ours = EAR_ERROR_FAILED;

  switch (code & 0xff)
    {
    case SQLITE_INTERRUPT:
      ear_database_fail (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, message));
      return;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      self->damaged = TRUE;
      ours = EAR_ERROR_DAMAGED;
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
      ours = EAR_ERROR_BUSY;
      break;
    case SQLITE_FULL:
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      ours = EAR_ERROR_NO_SPACE;
      break;
    default:
      break;
    }
  ear_database_fail (self, g_error_new (EAR_ERROR, ours, "%s (SQLite error %d)", message, code));
}

/* Keeps an error, unless there was one before.
 * @error: (transfer full): an error */
void
ear_database_fail (EarDatabase *self, GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
}

gboolean
ear_database_has_failed (EarDatabase *self)
{
  return self->error != NULL;
}

/* Returns: whether everything since the last call has succeeded; if not, @error is set, an open
 * transaction is rolled back, and the next statement runs again */
gboolean
ear_database_finish (EarDatabase *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  if (!sqlite3_get_autocommit (self->handle))
    sqlite3_exec (self->handle, "ROLLBACK", NULL, NULL, NULL);

  return FALSE;
}

/* Ends a run: releases the statement's lock and the bound values.
 * @self: (nullable): a statement */
void
ear_statement_reset (EarStatement *self)
{
  if (self == NULL)
    return;
  sqlite3_reset (self);
  sqlite3_clear_bindings (self);
}

/* Binds a text. SQLite accepts any bytes, but readers of the row need UTF-8: other
 * bytes are replaced.
 * @index: number of the parameter, from 1
 * @text: (nullable): the text; if it is valid UTF-8, it has to live until the run ends */
void
ear_statement_bind_text (EarStatement *self, int index, const char *text)
{
  if (text == NULL)
    sqlite3_bind_null (self, index);
  else if (g_utf8_validate (text, -1, NULL))
    sqlite3_bind_text (self, index, text, -1, SQLITE_STATIC);
  else
    sqlite3_bind_text (self, index, g_utf8_make_valid (text, -1), -1, g_free);
}

/* Binds row ids as JSON, for json_each().
 * @ids: (nullable) (element-type gint64): the ids */
static void
bind_ids (EarStatement *self, int index, GArray *ids)
{
  GString *list = g_string_new ("[");

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    g_string_append_printf (list, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "",
                            g_array_index (ids, gint64, i));
  g_string_append_c (list, ']');
  sqlite3_bind_text (self, index, g_string_free_and_steal (list), -1, g_free);
}

/* Returns: (transfer none) (nullable): the bytes of the column, until the next step */
const char *
ear_statement_get_text (EarStatement *self, int column)
{
  return (const char *) sqlite3_column_text (self, column);
}

/* Returns: (transfer full) (nullable): the text of the column, valid UTF-8 even from
 * a damaged file */
char *
ear_statement_dup_text (EarStatement *self, int column)
{
  const char *text = ear_statement_get_text (self, column);

  if (text == NULL)
    return NULL;
  if (!g_utf8_validate (text, -1, NULL))
    return g_utf8_make_valid (text, -1);

  return g_strdup (text);
}

/* Reads columns of a row, one after the other.
 * @types: a letter for each, as for ear_database_query()
 * @...: pointers to their values; texts are as from ear_statement_dup_text() */
void
ear_statement_read (EarStatement *self, int column, const char *types, ...)
{
  va_list values;

  va_start (values, types);
  for (; *types != '\0'; types++, column++)
    switch (*types)
      {
      case 'i':
        *va_arg (values, int *) = sqlite3_column_int (self, column);
        break;
      case 'x':
        *va_arg (values, gint64 *) = sqlite3_column_int64 (self, column);
        break;
      case 'd':
        *va_arg (values, gint64 *) = sqlite3_column_type (self, column) != SQLITE_NULL
                                         ? sqlite3_column_int64 (self, column)
                                         : EAR_DATE_UNKNOWN;
        break;
      case 's':
        *va_arg (values, char **) = ear_statement_dup_text (self, column);
        break;
      default:
        g_assert_not_reached ();
      }
  va_end (values);
}

static void
finalize_statement (gpointer statement)
{
  sqlite3_finalize (statement);
}

/* Opens a connection. Only the first statement shows whether the file is a database.
 * @mode: %EAR_DATABASE_READ_WRITE creates a missing file
 * Returns: (transfer full): the connection, or %NULL */
EarDatabase *
ear_database_open (const char *path, EarDatabaseMode mode, GError **error)
{
  g_autoptr (EarDatabase) self = g_new0 (EarDatabase, 1);
  GStatBuf info;
  const gboolean writes = mode == EAR_DATABASE_READ_WRITE;
  const gboolean is_made = writes && (g_stat (path, &info) != 0 || info.st_size == 0);
  int code;

  self->statements = g_hash_table_new_full (NULL, NULL, NULL, finalize_statement);

  code = sqlite3_open_v2 (path, &self->handle,
                          SQLITE_OPEN_NOMUTEX |
                              (writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                      : SQLITE_OPEN_READONLY),
                          NULL);
  if (code != SQLITE_OK)
    {
      fail (self, code);
      ear_database_finish (self, error);
      return NULL;
    }
  /* Saves 120 kB for short allocations, which readers hardly use. */
  if (!writes)
    sqlite3_db_config (self->handle, SQLITE_DBCONFIG_LOOKASIDE, NULL, 0, 0);
  sqlite3_extended_result_codes (self->handle, 1);
  sqlite3_busy_timeout (self->handle, BUSY_TIMEOUT_MS);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  if (is_made)
    ear_database_exec (self, new_file_setup);
  ear_database_exec (self, writes ? writer_setup : reader_setup);
  if (!ear_tokenizer_register (self->handle))
    fail (self, sqlite3_extended_errcode (self->handle));

  return ear_database_finish (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Closes a connection. The last one of a file empties the write-ahead log. */
void
ear_database_close (EarDatabase *self)
{
  g_hash_table_unref (self->statements);
  sqlite3_close_v2 (self->handle);
  g_clear_error (&self->error);
  g_free (self);
}

sqlite3 *
ear_database_get_handle (EarDatabase *self)
{
  return self->handle;
}

/* Frees the connection's page cache. The system caches the pages as well. */
void
ear_database_save_memory (EarDatabase *self)
{
  sqlite3_db_release_memory (self->handle);
}

/* Checkpoints the write-ahead log, and truncates it if no reader uses it. Does not
 * wait. */
void
ear_database_empty_log (EarDatabase *self)
{
  sqlite3_busy_timeout (self->handle, 0);
  /* A reader in the way is not an error: a later attempt will succeed. */
  sqlite3_wal_checkpoint_v2 (self->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  sqlite3_busy_timeout (self->handle, BUSY_TIMEOUT_MS);
}

/* Whether SQLite has reported damage. */
gboolean
ear_database_get_damaged (EarDatabase *self)
{
  return self->damaged;
}

/* Runs statements without rows that need no cache. */
void
ear_database_exec (EarDatabase *self, const char *sql)
{
  const int code = self->error == NULL ? sqlite3_exec (self->handle, sql, NULL, NULL, NULL)
                                       : SQLITE_OK;

  if (code != SQLITE_OK)
    fail (self, code);
}

/* Prepares a statement, or finds it in the cache. The statement must not be in use
 * already. Keep it as `g_autoptr (EarStatement)`.
 * @sql: one statement; a literal or an interned string, as its address is the key
 * Returns: (transfer none) (nullable): the statement; %NULL after an error, which functions that
 * bind its parameters accept */
EarStatement *
ear_database_prepare (EarDatabase *self, const char *sql)
{
  EarStatement *statement = g_hash_table_lookup (self->statements, sql);
  int code;

  if (self->error != NULL || statement != NULL)
    return self->error == NULL ? statement : NULL;

  code = sqlite3_prepare_v3 (self->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  if (code != SQLITE_OK)
    {
      fail (self, code);
      return NULL;
    }
  g_hash_table_insert (self->statements, (gpointer) sql, statement);

  return statement;
}

static void
bind_date (EarStatement *statement, int index, gint64 date)
{
  if (date != EAR_DATE_UNKNOWN)
    sqlite3_bind_int64 (statement, index, date);
}

static EarStatement *
prepare_with (EarDatabase *self, const char *sql, const char *types, va_list values)
{
  EarStatement *statement = ear_database_prepare (self, sql);

  for (int i = 1; statement != NULL && *types != '\0'; types++, i++)
    switch (*types)
      {
      case 'i':
        sqlite3_bind_int (statement, i, va_arg (values, int));
        break;
      case 'x':
        sqlite3_bind_int64 (statement, i, va_arg (values, gint64));
        break;
      case 's':
        ear_statement_bind_text (statement, i, va_arg (values, const char *));
        break;
      case 'd':
        bind_date (statement, i, va_arg (values, gint64));
        break;
      case 'a':
        bind_ids (statement, i, va_arg (values, GArray *));
        break;
      default:
        g_assert_not_reached ();
      }

  return statement;
}

/* @sql: as for ear_database_prepare()
 * @types: a letter for each parameter: `i` an `int`, `x` a `gint64`, `d` a date, `s` a text, which
 * may be %NULL, `a` an array of ids for json_each(), likewise
 * @...: their values, of exactly these types
 * Returns: (transfer none) (nullable): the statement with its parameters, for
 * ear_database_step() */
EarStatement *
ear_database_query (EarDatabase *self, const char *sql, const char *types, ...)
{
  EarStatement *statement;
  va_list values;

  va_start (values, types);
  statement = prepare_with (self, sql, types, values);
  va_end (values);

  return statement;
}

/* Runs a statement without rows; see ear_database_query(). */
void
ear_database_execute (EarDatabase *self, const char *sql, const char *types, ...)
{
  g_autoptr (EarStatement) statement = NULL;
  va_list values;

  va_start (values, types);
  statement = prepare_with (self, sql, types, values);
  va_end (values);
  ear_database_step (self, statement);
}

/* @statement: (nullable): a query
 * Returns: (transfer full) (element-type gint64): the first column of all its rows */
GArray *
ear_database_list (EarDatabase *self, EarStatement *statement)
{
  GArray *numbers = ear_ids_new ();

  while (ear_database_step (self, statement))
    {
      const gint64 number = sqlite3_column_int64 (statement, 0);

      g_array_append_val (numbers, number);
    }

  return numbers;
}

/* @statement: (nullable): a statement
 * Returns: whether it is at a row; not after the last one, nor after an error */
gboolean
ear_database_step (EarDatabase *self, EarStatement *statement)
{
  const int code = self->error == NULL && statement != NULL ? sqlite3_step (statement)
                                                            : SQLITE_DONE;

  if (code != SQLITE_ROW && code != SQLITE_DONE)
    fail (self, code);

  return code == SQLITE_ROW;
}

/* Runs a statement; see ear_database_query().
 * Returns: the first value of the first row; 0 without one */
gint64
ear_database_get_int (EarDatabase *self, const char *sql, const char *types, ...)
{
  g_autoptr (EarStatement) statement = NULL;
  va_list values;
  gint64 value;

  va_start (values, types);
  statement = prepare_with (self, sql, types, values);
  va_end (values);
  if (!ear_database_step (self, statement))
    return 0;
  value = sqlite3_column_int64 (statement, 0);
  /* An UPDATE that returns rows ends only with another step after the last row. */
  if (!sqlite3_stmt_readonly (statement))
    ear_database_step (self, statement);

  return value;
}

/* Returns: (transfer full): the version of SQLite, for bug reports */
char *
ear_database_dup_version (void)
{
  return g_strdup (sqlite3_libversion ());
}

/* Checks of a database */

/* Checks all pages of the file, and whether the indexes are as their tables, one table at a time,
 * so that a check can be cancelled soon. Damage is the error %EAR_ERROR_DAMAGED. */
void
ear_database_check (EarDatabase *self)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self,
      "SELECT integrity_check FROM (SELECT 'sqlite_schema' AS name UNION ALL"
      " SELECT name FROM sqlite_schema WHERE type = 'table')"
      " CROSS JOIN pragma_integrity_check (name) WHERE integrity_check <> 'ok'");

  if (ear_database_step (self, statement))
    {
      self->damaged = TRUE;
      ear_database_fail (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_DAMAGED,
                                                    ear_statement_get_text (statement, 0)));
    }
  /* A table that cannot even be opened is damaged, too. */
  else if (g_error_matches (self->error, EAR_ERROR, EAR_ERROR_FAILED))
    self->error->code = EAR_ERROR_DAMAGED;
}

/* Writes a compact copy of the database (`VACUUM INTO`), and renames it once it is on the
 * disk: a file with the final name is always whole.
 * @path: path of the copy; an older one is replaced, unless there is an error */
void
ear_database_copy_to (EarDatabase *self, const char *path)
{
  g_autofree char *partial = g_strconcat (path, ".partial", NULL);
  char *sql = sqlite3_mprintf ("VACUUM INTO %Q", partial);
  GError *error = NULL;

  g_unlink (partial);
  ear_database_exec (self, sql);
  sqlite3_free (sql);
  if (!ear_database_has_failed (self) &&
      !(ear_durable_sync (partial, &error) && ear_durable_rename (partial, path, &error)))
    ear_database_fail (self, error);
  if (ear_database_has_failed (self))
    g_unlink (partial);
}
