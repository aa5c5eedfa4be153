/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-source.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-import-source-copy.h"
#include "ear-import-source-program.h"

#include <gio/gio.h>
#include <sqlite3.h>
#include <string.h>

/* Imports the listener's podcasts and progress from another program. The importer never
 * writes to the program's database, and never locks it: it copies the database with its
 * journals, and reads the copy. All of this runs on a worker thread. */

#define MAGIC "SQLite format 3"

/* Far above any real library: the database is an untrusted file. */
#define DATABASE_LIMIT ((goffset) 4 * 1024 * 1024 * 1024)
#define COUNT_LIMIT (64 * 1024 * 1024)
#define PODCAST_LIMIT 20000
#define EPISODE_LIMIT 1000000
#define TEXT_LIMIT 8192
#define ALL_TEXT_LIMIT (256 * 1024 * 1024)
#define POSITION_LIMIT (7 * 24 * 60 * 60)
/* A database of 1,000 podcasts and 500,000 episodes takes a few seconds; one that computes
 * its columns may take for ever. */
#define TIME_LIMIT (2 * 60 * G_USEC_PER_SEC)

/* SQLite steps between two checks for cancellation and the limits */
#define STEPS_UNASKED 10000

/* A database that is open for reading */
typedef struct
{
  sqlite3 *handle;
  char *folder; /* (nullable): of the copy; removed with the reader */
  goffset size;
  gint64 changed; /* Unix microseconds: when the program last wrote to the database */
  guint n_episodes;
  gsize text_size; /* of all texts read */
  GCancellable *cancellable; /* (nullable) */
  gint64 end;                /* monotonic time at which the reader gives up */
} Reader;

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->handle, sqlite3_close);
  if (self->folder != NULL)
    ear_import_source_remove_copy (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

void
ear_import_source_free (EarImportSource *self)
{
  g_free (self->name);
  g_free (self->path);
  g_free (self);
}

static gboolean
set_damaged (Reader *self, GError **error)
{
  g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "The other program's database cannot be read: %s",
               self->handle != NULL ? sqlite3_errmsg (self->handle) : "no memory");

  return FALSE;
}

static int
must_stop (void *reader)
{
  const Reader *self = reader;

  return g_cancellable_is_cancelled (self->cancellable) || self->text_size > ALL_TEXT_LIMIT ||
         g_get_monotonic_time () > self->end;
}

static gboolean
open_path (Reader *self, const char *path, gboolean is_copy, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", FALSE);
  g_autofree char *uri = g_strdup_printf ("file:%s?%s", escaped, is_copy ? "mode=rw" : "mode=ro&immutable=1");
  const int flags = is_copy ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;

  if (sqlite3_open_v2 (uri, &self->handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    return set_damaged (self, error);
  /* Do not run views, triggers or functions that the file itself defines. */
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_limit (self->handle, SQLITE_LIMIT_LENGTH, 64 * 1024 * 1024);
  self->end = g_get_monotonic_time () + TIME_LIMIT;
  sqlite3_progress_handler (self->handle, STEPS_UNASKED, must_stop, self);
  /* The copy is thrown away after reading, or after a crash. */
  sqlite3_db_config (self->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_exec (self->handle, "PRAGMA synchronous = OFF", NULL, NULL, NULL);

  return TRUE;
}

static gboolean
open_copy (Reader *self, GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = NULL;

  self->cancellable = cancellable;
  self->folder = ear_import_source_copy (file, cancellable, error);
  if (self->folder == NULL)
    return FALSE;
  path = g_build_filename (self->folder, EAR_IMPORT_SOURCE_COPY_NAME, NULL);

  return open_path (self, path, TRUE, error);
}

static gboolean
get_int (Reader *self, const char *sql, gint64 *value)
{
  sqlite3_stmt *statement = NULL;
  gboolean found = sqlite3_prepare_v2 (self->handle, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step (statement) == SQLITE_ROW;

  if (found)
    *value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);

  return found;
}

static gboolean
is_of (Reader *self, const EarImportSourceProgram *program)
{
  g_autofree char *sql =
    g_strdup_printf ("SELECT count (*) FROM sqlite_schema WHERE type = 'table' AND name IN (%s)", program->tables);
  gint64 n = 0;

  return get_int (self, sql, &n) && n == 3;
}

static char *
dup_text (Reader *self, sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  if (text == NULL || *text == '\0' || sqlite3_column_bytes (statement, column) > TEXT_LIMIT)
    return NULL;
  self->text_size += (gsize) sqlite3_column_bytes (statement, column);

  return g_utf8_make_valid (text, -1);
}

/* A text in one line, such as a title */
static char *
dup_line (Reader *self, sqlite3_stmt *statement, int column)
{
  g_autofree char *text = dup_text (self, statement, column);

  if (text == NULL)
    return NULL;
  g_strstrip (g_strdelimit (text, "\n\r\t", ' '));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

static gint64
get_stamp (Reader *self, sqlite3_stmt *statement, int column)
{
  const gint64 seconds = sqlite3_column_int64 (statement, column);

  /* Reject stamps before podcasts existed, and stamps in the future. */
  return seconds > 1000000000 && seconds <= self->changed / G_USEC_PER_SEC ? seconds * G_USEC_PER_SEC : self->changed;
}

static EarListedEpisode *
read_episode (Reader *self, sqlite3_stmt *statement)
{
  EarListedEpisode *episode = g_new0 (EarListedEpisode, 1);
  const double position = sqlite3_column_double (statement, 3);

  episode->guid = dup_text (self, statement, 0);
  episode->enclosure = dup_text (self, statement, 1);
  episode->title = dup_line (self, statement, 2);
  if (sqlite3_column_int (statement, 4) != 0)
    {
      episode->state.listened = TRUE;
      episode->state.listened_updated = get_stamp (self, statement, 7);
      /* The history lists the episode under the day on which it was played. */
      if (episode->state.listened_updated != self->changed)
        episode->state.position_updated = episode->state.listened_updated;
    }
  else if (position > 0 && position < POSITION_LIMIT)
    {
      episode->state.position = (gint64) (position * G_USEC_PER_SEC);
      episode->state.position_updated = get_stamp (self, statement, 6);
    }
  if (sqlite3_column_int (statement, 5) != 0)
    {
      episode->state.liked = TRUE;
      episode->state.liked_updated = self->changed;
    }
  /* A played episode is not in Up Next. */
  if (!episode->state.listened && sqlite3_column_int64 (statement, 8) > 0)
    {
      episode->state.queued = sqlite3_column_int64 (statement, 8);
      episode->state.queued_updated = self->changed;
    }

  return episode;
}

static gboolean
read_episodes (Reader *self, const EarImportSourceProgram *program, sqlite3_value *key, GPtrArray *episodes,
               GError **error)
{
  sqlite3_stmt *statement = NULL;
  int code;

  if (sqlite3_prepare_v2 (self->handle, program->episodes, -1, &statement, NULL) != SQLITE_OK)
    return set_damaged (self, error);
  sqlite3_bind_value (statement, 1, key);
  while ((code = sqlite3_step (statement)) == SQLITE_ROW && self->n_episodes < EPISODE_LIMIT && !must_stop (self))
    {
      g_autoptr (EarListedEpisode) episode = read_episode (self, statement);

      if (episode->guid == NULL && episode->enclosure == NULL)
        continue;
      g_ptr_array_add (episodes, g_steal_pointer (&episode));
      self->n_episodes++;
    }
  sqlite3_finalize (statement);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  return (code != SQLITE_ROW && code != SQLITE_DONE) || must_stop (self) ? set_damaged (self, error) : TRUE;
}

/* Puts the other program's user name and password into the address, as Earmark does. */
static char *
make_address (Reader *self, sqlite3_stmt *statement)
{
  g_autofree char *text = dup_text (self, statement, 1);
  g_autofree char *address = ear_address_clean (text);
  g_autofree char *user = dup_text (self, statement, 4);
  g_autofree char *password = dup_text (self, statement, 5);
  g_autofree char *user_escaped = NULL;
  g_autofree char *password_escaped = NULL;
  const char *rest;

  if (address == NULL || user == NULL || strchr (address, '@') != NULL)
    return g_steal_pointer (&address);

  rest = strstr (address, "://") + strlen ("://");
  user_escaped = g_uri_escape_string (user, NULL, FALSE);
  password_escaped = g_uri_escape_string (password != NULL ? password : "", NULL, FALSE);

  return g_strdup_printf ("%.*s%s:%s@%s", (int) (rest - address), address, user_escaped, password_escaped, rest);
}

static gboolean
read_podcasts (Reader *self, const EarImportSourceProgram *program, GPtrArray *podcasts, GError **error)
{
  sqlite3_stmt *statement = NULL;
  gboolean good = TRUE;
  int code = SQLITE_DONE;

  if (sqlite3_prepare_v2 (self->handle, program->podcasts, -1, &statement, NULL) != SQLITE_OK)
    return set_damaged (self, error);
  while (good && podcasts->len < PODCAST_LIMIT && (code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      g_autoptr (EarListedPodcast) podcast = ear_listed_podcast_new ();

      podcast->address = make_address (self, statement);
      podcast->title = dup_line (self, statement, 2);
      podcast->folder = dup_line (self, statement, 3);
      podcast->unfollowed = sqlite3_column_int (statement, 6) != 0;
      good = read_episodes (self, program, sqlite3_column_value (statement, 0), podcast->episodes, error);
      /* One that was only looked at is none of the listener's. */
      if (podcast->address != NULL ? !podcast->unfollowed || podcast->episodes->len > 0 : podcast->title != NULL)
        g_ptr_array_add (podcasts, g_steal_pointer (&podcast));
    }
  sqlite3_finalize (statement);
  if (good && code != SQLITE_ROW && code != SQLITE_DONE)
    return set_damaged (self, error);

  return good;
}

static gboolean
check_file (Reader *self, GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                  G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED,
                                                  G_FILE_QUERY_INFO_NONE, cancellable, error);
  g_autoptr (GFileInputStream) stream = NULL;
  char head[sizeof MAGIC] = { 0 };

  if (info == NULL)
    return FALSE;
  if (g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR && g_file_info_get_size (info) <= DATABASE_LIMIT)
    stream = g_file_read (file, cancellable, NULL);
  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof MAGIC, NULL, cancellable, NULL) ||
      memcmp (head, MAGIC, sizeof MAGIC) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "No database");
      return FALSE;
    }
  self->size = g_file_info_get_size (info);
  self->changed = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED) * G_USEC_PER_SEC;

  return TRUE;
}

/* Adds a source if a program has podcasts in this database. A large database with a
 * journal is not copied only to count its podcasts. */
static void
look_at (const EarImportSourceProgram *program, const char *folder, const char *name, GPtrArray *sources)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_auto (Reader) reader = { 0 };
  EarImportSource *found;
  gint64 n = 0;

  for (guint i = 0; i < sources->len; i++)
    if (g_str_equal (((EarImportSource *) g_ptr_array_index (sources, i))->path, path))
      return;
  if (!check_file (&reader, file, NULL, NULL) ||
      !(ear_import_source_has_journal (file) && reader.size <= COUNT_LIMIT ? open_copy (&reader, file, NULL, NULL) : open_path (&reader, path, FALSE, NULL)) ||
      !is_of (&reader, program) || !get_int (&reader, program->count, &n) || n <= 0)
    return;

  found = g_new0 (EarImportSource, 1);
  found->name = g_strdup (program->name);
  found->path = g_steal_pointer (&path);
  found->n_podcasts = (guint) MIN (n, PODCAST_LIMIT);
  g_ptr_array_add (sources, found);
}

static void
find_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  char **folders = task_data;
  GPtrArray *sources = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_import_source_free);

  ear_import_source_remove_left_over ();
  for (const EarImportSourceProgram *program = ear_import_source_programs; program->name != NULL; program++)
    {
      for (const char *const *path = program->home_paths; *path != NULL; path++)
        look_at (program, folders[0], *path, sources);
      for (const char *const *path = program->host_paths; *path != NULL; path++)
        look_at (program, folders[1], *path, sources);
    }
  g_task_return_pointer (task, sources, (GDestroyNotify) g_ptr_array_unref);
}

/**
 * ear_import_source_find_async:
 * @home: the home folder
 * @data_home: the listener's data folder
 * @callback: called at the end of the search
 *
 * Looks for other programs' databases at their default paths.
 */
void
ear_import_source_find_async (const char *home, const char *data_home, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  const char *folders[] = { home, data_home, NULL };

  g_task_set_source_tag (task, ear_import_source_find_async);
  g_task_set_task_data (task, g_strdupv ((char **) folders), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, find_thread);
}

/**
 * ear_import_source_find_finish:
 *
 * Returns: (transfer full) (element-type EarImportSource): the sources, maybe none
 */
GPtrArray *
ear_import_source_find_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_import_source_read:
 * @error: return location: %G_IO_ERROR_NOT_SUPPORTED if the file is no database,
 *   or an `EAR_ERROR`
 *
 * Reads the podcasts of another program, on a worker thread. Stamps are the other program's
 * own, or else the time of its last write, so that later changes in Earmark win.
 *
 * Returns: (transfer full) (element-type EarListedPodcast): the podcasts, or %NULL
 */
GPtrArray *
ear_import_source_read (GFile *file, GCancellable *cancellable, GError **error)
{
  g_auto (Reader) reader = { 0 };
  g_autoptr (GPtrArray) podcasts = ear_listed_podcasts_new ();

  if (!check_file (&reader, file, cancellable, error) || !open_copy (&reader, file, cancellable, error))
    return NULL;
  for (const EarImportSourceProgram *program = ear_import_source_programs; program->name != NULL; program++)
    if (is_of (&reader, program))
      {
        /* On a full disk there are no indexes, and reading takes longer. */
        if (program->indexes != NULL)
          sqlite3_exec (reader.handle, program->indexes, NULL, NULL, NULL);
        return read_podcasts (&reader, program, podcasts, error) ? g_steal_pointer (&podcasts) : NULL;
      }
  if (sqlite3_errcode (reader.handle) != SQLITE_OK)
    set_damaged (&reader, error);
  else
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_XML, "A database of no program that is known");

  return NULL;
}
