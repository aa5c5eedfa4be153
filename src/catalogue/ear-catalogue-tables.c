/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables.h"

#include "ear-catalogue-schema.h"
#include "ear-columns.h"
#include "ear-episode-search.h"
#include "ear-episode-sql.h"

static void
answer_free (gpointer data)
{
  EarAnswer *answer = data;

  g_hash_table_unref (answer->seen);
  g_clear_pointer (&answer->items, ear_known_episodes_free);
  g_clear_pointer (&answer->known, ear_known_episodes_free);
  g_ptr_array_unref (answer->suspects);
  g_free (answer);
}

static gboolean
load_waiting (EarCatalogueTables *self, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_prepare (self->database, "SELECT DISTINCT podcast FROM waiting_state", error);
  g_autoptr (GArray) podcasts = ear_database_list (self->database, statement, error);

  for (guint i = 0; podcasts != NULL && i < podcasts->len; i++)
    g_hash_table_add (self->waiting,
                      g_memdup2 (&g_array_index (podcasts, gint64, i), sizeof (gint64)));

  return podcasts != NULL;
}

/* @database: (transfer full): a writable connection, with the newest schema
 * Returns: (transfer full): the tables, for the writer thread, or %NULL */
EarCatalogueTables *
ear_catalogue_tables_new (EarDatabase *database, GError **error)
{
  g_autoptr (EarCatalogueTables) self = g_new0 (EarCatalogueTables, 1);
  gint64 last_id = 0;
  gint64 exit = EAR_EXIT_NONE;

  self->database = database;
  self->answers = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, answer_free);
  self->waiting = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->text_changes = g_array_new (FALSE, FALSE, sizeof (EarTextChange));
  self->held = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_record_unref);
  if (!ear_database_get_int (database, error, &last_id, "SELECT max (id) FROM episode", "") ||
      !ear_database_get_int (database, error, &exit, "SELECT value FROM meta WHERE key = 'exit'",
                             "") ||
      !ear_search_score_register (database, error) || !load_waiting (self, error))
    return NULL;
  self->next_id = last_id + 1;
  self->unclean = exit != EAR_EXIT_CLEAN;

  return g_steal_pointer (&self);
}

/* Closes the connection.
 * @self: (transfer full): the tables without an open transaction */
void
ear_catalogue_tables_free (EarCatalogueTables *self)
{
  g_clear_pointer (&self->event, ear_catalogue_event_free);
  g_hash_table_unref (self->answers);
  g_hash_table_unref (self->waiting);
  g_array_unref (self->text_changes);
  g_ptr_array_unref (self->held);
  ear_database_close (self->database);
  g_free (self);
}

EarAnswer *
ear_catalogue_tables_get_response (EarCatalogueTables *self, gint64 podcast)
{
  EarAnswer *answer = g_hash_table_lookup (self->answers, &podcast);

  if (answer == NULL || answer->over)
    {
      answer = g_new0 (EarAnswer, 1);
      answer->podcast = podcast;
      answer->begun = g_get_real_time () / G_USEC_PER_SEC;
      answer->seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      answer->items = ear_known_episodes_new ();
      answer->suspects = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_record_unref);
      g_hash_table_replace (self->answers, &answer->podcast, answer);
    }

  return answer;
}

/* @record: (nullable): the text; %NULL removes the row. Has to live until the commit */
void
ear_catalogue_tables_change_text (EarCatalogueTables *self, gint64 podcast, gint64 key,
                                  EarEpisodeRecord *record)
{
  EarTextChange change = { .key = key, .podcast = podcast, .record = record };

  g_array_append_val (self->text_changes, change);
}

/* Sorts by key. Changes of one text keep their order, as g_array_sort() is stable: an episode
 * may be inserted and changed in one transaction. */
static int
compare_text_changes (gconstpointer a, gconstpointer b)
{
  const EarTextChange *first = a;
  const EarTextChange *second = b;

  return (first->key > second->key) - (first->key < second->key);
}

static gboolean
change_text (EarCatalogueTables *self, const EarTextChange *change, GError **error)
{
  char word[24];

  if (change->record == NULL)
    return ear_database_execute (self->database, error, "DELETE FROM episode_text WHERE rowid = ?1",
                                 "x", change->key);
  g_snprintf (word, sizeof word, "p%" G_GINT64_FORMAT, change->podcast);

  return ear_database_execute (
      self->database, error,
      "INSERT INTO episode_text (rowid, title, notes, podcast) VALUES (?1, ?2, ?3, ?4)", "xsss",
      change->key, change->record->facts->title, change->record->text, word);
}

static gboolean
put_texts (EarCatalogueTables *self, GError **error)
{
  g_array_sort (self->text_changes, compare_text_changes);
  for (guint i = 0; i < self->text_changes->len; i++)
    if (!change_text (self, &g_array_index (self->text_changes, EarTextChange, i), error))
      return FALSE;
  g_array_set_size (self->text_changes, 0);

  return TRUE;
}

static gboolean
read_counts (EarCatalogueTables *self, GError **error)
{
  for (guint i = 0; i < self->event->podcasts->len; i++)
    {
      EarPodcastEvent *event = g_ptr_array_index (self->event->podcasts, i);
      g_autoptr (EarStatement) statement = NULL;
      gboolean row;

      if (!event->counted)
        continue;
      statement = ear_database_query (
          self->database, error,
          "SELECT n_episodes, n_unplayed FROM podcast_count WHERE podcast = ?1", "x",
          event->podcast);
      if (!ear_database_step (self->database, statement, &row, error))
        return FALSE;
      event->n_episodes = row ? (guint) MAX (sqlite3_column_int (statement, 0), 0) : 0;
      event->n_unplayed = row ? (guint) MAX (sqlite3_column_int (statement, 1), 0) : 0;
    }

  return TRUE;
}

/* Whether a change affects the numbers of episodes in the views over all podcasts. */
static gboolean
changes_totals (const EarCatalogueEvent *event)
{
  for (guint i = 0; i < event->podcasts->len; i++)
    {
      const EarPodcastEvent *podcast = g_ptr_array_index (event->podcasts, i);

      if (podcast->inserted != NULL || podcast->removed != NULL ||
          (podcast->what & (EAR_CHANGE_FRESH | EAR_CHANGE_BEGUN | EAR_CHANGE_LISTENED |
                            EAR_CHANGE_REMOVED | EAR_CHANGE_LIKED)) != 0)
        return TRUE;
    }

  return FALSE;
}

static gboolean
read_totals (EarCatalogueTables *self, GError **error)
{
  if (!changes_totals (self->event))
    return TRUE;
  self->event->totalled = TRUE;

  g_clear_pointer (&self->event->news, g_hash_table_unref);
  self->event->news = ear_episode_sql_count_new (self->database, error);

  return self->event->news != NULL &&
         ear_episode_sql_count (self->database, EAR_FILTER_IN_PROGRESS,
                                &self->event->n_in_progress, error) &&
         ear_episode_sql_has (self->database, EAR_FILTER_LIKED, &self->event->has_liked, error) &&
         ear_episode_sql_has (self->database, EAR_FILTER_HISTORY, &self->event->has_heard, error);
}

/* Opens a transaction. The first one also marks the file as in use. */
gboolean
ear_catalogue_tables_begin (EarCatalogueTables *self, GError **error)
{
  if (!ear_database_exec (self->database, "BEGIN IMMEDIATE", error))
    return FALSE;
  self->event = ear_catalogue_event_new (self->next_id);

  return self->unclean || ear_catalogue_schema_set_exit (self->database, EAR_EXIT_NONE, error);
}

static gboolean
is_over (gpointer podcast, gpointer answer, gpointer user_data)
{
  return ((EarAnswer *) answer)->over;
}

/* Writes the full text index and commits the transaction. After a failure, roll back.
 * Returns: (transfer full): the changes, or %NULL */
EarCatalogueEvent *
ear_catalogue_tables_commit (EarCatalogueTables *self, GError **error)
{
  if (!put_texts (self, error) || !read_counts (self, error) || !read_totals (self, error) ||
      !ear_database_exec (self->database, "COMMIT", error))
    return NULL;

  self->unclean = TRUE;
  g_hash_table_foreach_remove (self->answers, is_over, NULL);
  g_ptr_array_set_size (self->held, 0);
  ear_catalogue_event_close (self->event);

  return g_steal_pointer (&self->event);
}

/* Rolls back the transaction, if one is open. */
void
ear_catalogue_tables_roll_back (EarCatalogueTables *self)
{
  if (!sqlite3_get_autocommit (ear_database_get_handle (self->database)))
    ear_database_exec (self->database, "ROLLBACK", NULL);
  g_array_set_size (self->text_changes, 0);
  g_ptr_array_set_size (self->held, 0);
  for (guint i = 0; self->event != NULL && i < self->event->podcasts->len; i++)
    {
      EarPodcastEvent *event = g_ptr_array_index (self->event->podcasts, i);
      EarAnswer *answer = g_hash_table_lookup (self->answers, &event->podcast);

      /* The rows that the response has seen may be gone. */
      if (answer != NULL)
        {
          g_hash_table_remove_all (answer->seen);
          ear_known_episodes_free (answer->items);
          answer->items = ear_known_episodes_new ();
          g_clear_pointer (&answer->known, ear_known_episodes_free);
          answer->partial = TRUE;
          answer->over = FALSE;
        }
    }
  g_clear_pointer (&self->event, ear_catalogue_event_free);
}

/* Stores whether the exit is a clean one: after any other the next start checks the file.
 * @damaged: whether a reader has found damage */
void
ear_catalogue_tables_close (EarCatalogueTables *self, gboolean damaged)
{
  g_autoptr (GError) error = NULL;
  gboolean clean = !damaged && !ear_database_get_damaged (self->database);

  if ((self->unclean || !clean) &&
      !ear_catalogue_schema_set_exit (self->database, clean ? EAR_EXIT_CLEAN : EAR_EXIT_DAMAGED,
                                      &error))
    g_message ("The catalogue's end was not noted down: %s", error->message);
  self->unclean = FALSE;
}

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

/* Upkeep while the writer is idle, a few milliseconds at a time: merges segments of the
 * full text index, frees empty pages, and checkpoints the write-ahead log. */

/* Pages of the full text index merged at a time */
#define MERGE_STEP 64

/* Empty pages freed at a time, once they are 1 / VACUUM_PART of the file */
#define VACUUM_STEP 32
#define VACUUM_PART 64

/* A shorter log takes little space, and is read quickly. */
#define LONG_LOG (4 * 1024 * 1024)

/* A longer log is emptied before any other upkeep. */
#define LOG_OF_BATCHES (96 * 1024 * 1024)

/* Between two steps */
#define PAUSE (50 * G_TIME_SPAN_MILLISECOND)

/* Delay after the log could not be emptied, as during the check after a crash */
#define PATIENCE (10 * G_TIME_SPAN_SECOND)

static gboolean
merge_texts (EarCatalogueTables *self, gboolean *more, GError **error)
{
  sqlite3 *handle = ear_database_get_handle (self->database);
  const int before = sqlite3_total_changes (handle);

  *more = FALSE;
  if (!ear_database_execute (self->database, error,
                             "INSERT INTO episode_text (episode_text, rank) VALUES ('merge', ?1)",
                             "i", MERGE_STEP))
    return FALSE;
  /* The command itself counts as one change. */
  *more = sqlite3_total_changes (handle) - before >= 2;

  return TRUE;
}

/* Frees empty pages, if the file was created with `auto_vacuum`. */
static gboolean
vacuum (EarCatalogueTables *self, gboolean *more, GError **error)
{
  gint64 mode = 0;
  gint64 n_pages = 0;
  gint64 n_free = 0;
  g_autofree char *step = g_strdup_printf ("PRAGMA incremental_vacuum (%d)", VACUUM_STEP);

  *more = FALSE;
  if (!ear_database_get_int (self->database, error, &mode, "PRAGMA auto_vacuum", "") ||
      !ear_database_get_int (self->database, error, &n_pages, "PRAGMA page_count", "") ||
      !ear_database_get_int (self->database, error, &n_free, "PRAGMA freelist_count", ""))
    return FALSE;
  /* Keep some pages for new rows. */
  if (mode == 0 || n_free < VACUUM_STEP || n_free < n_pages / VACUUM_PART)
    return TRUE;
  *more = TRUE;

  return ear_database_exec (self->database, step, error);
}

/* Empties the write-ahead log, as far as no reader uses it, and frees memory. */
static void
settle (EarCatalogueTables *self)
{
  ear_database_empty_log (self->database);
  ear_database_save_memory (self->database);
#ifdef HAVE_MALLOC_TRIM
  /* A refresh leaves many small blocks, which the C library would keep. */
  malloc_trim (0);
#endif
}

/* Runs a step of upkeep, which takes a few milliseconds.
 * Returns: delay before the next step in microseconds, or -1 if none is needed */
gint64
ear_catalogue_tables_tidy (EarCatalogueTables *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogueEvent) event = NULL;
  gboolean more = FALSE;

  if (ear_database_get_log_size (self->database) > LOG_OF_BATCHES)
    ear_database_empty_log (self->database);
  if (ear_catalogue_tables_begin (self, &error) && merge_texts (self, &more, &error) &&
      (more || vacuum (self, &more, &error)))
    event = ear_catalogue_tables_commit (self, &error);
  if (event == NULL)
    {
      g_message ("The catalogue cannot be put in order: %s", error->message);
      ear_catalogue_tables_roll_back (self);
      more = FALSE;
    }
  if (more)
    return PAUSE;
  settle (self);

  return ear_catalogue_tables_has_long_log (self) ? PATIENCE : -1;
}

/* Whether to empty the write-ahead log: after a crash, or after a reader was
 * in the way. */
gboolean
ear_catalogue_tables_has_long_log (EarCatalogueTables *self)
{
  return ear_database_get_log_size (self->database) > LONG_LOG;
}
