/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables.h"

#include "ear-catalogue-schema.h"
#include "ear-columns.h"
#include "ear-episode-search.h"
#include "ear-episode-sql.h"
#include "ear-types.h"

/* --- Events ------------------------------------------------------------------------- */

static void
podcast_event_free (gpointer data)
{
  EarPodcastEvent *self = data;

  g_clear_pointer (&self->inserted, g_array_unref);
  g_clear_pointer (&self->changed, g_array_unref);
  g_clear_pointer (&self->removed, g_array_unref);
  g_clear_pointer (&self->arrived, g_array_unref);
  g_clear_pointer (&self->rewritten, g_array_unref);
  g_clear_pointer (&self->marked, g_array_unref);
  g_clear_pointer (&self->renamed, g_hash_table_unref);
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);
  g_clear_pointer (&self->check, ear_feed_check_free);
  g_free (self);
}

void
ear_podcast_event_append (GArray **ids, gint64 id)
{
  if (*ids == NULL)
    *ids = ear_ids_new ();
  g_array_append_val (*ids, id);
}

/* Sorts ids, and removes duplicates and those of inserted episodes. */
static void
tidy_ids (GArray **ids, gint64 first_inserted)
{
  guint kept = 0;

  if (*ids == NULL)
    return;
  g_array_sort (*ids, ear_ids_compare);
  for (guint i = 0; i < (*ids)->len; i++)
    {
      gint64 id = g_array_index (*ids, gint64, i);

      if (id < first_inserted && (kept == 0 || g_array_index (*ids, gint64, kept - 1) != id))
        g_array_index (*ids, gint64, kept++) = id;
    }
  g_array_set_size (*ids, kept);
  if (kept == 0)
    g_clear_pointer (ids, g_array_unref);
}

static void
done_event_free (gpointer data)
{
  EarDoneEvent *self = data;

  g_clear_object (&self->task);
  g_clear_pointer (&self->marks, ear_marks_unref);
  g_clear_error (&self->error);
  g_free (self);
}

EarCatalogueEvent *
ear_catalogue_event_new (gint64 first_inserted)
{
  EarCatalogueEvent *self = g_new0 (EarCatalogueEvent, 1);

  self->podcasts = g_ptr_array_new_with_free_func (podcast_event_free);
  self->by_podcast = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->acknowledged = ear_ids_new ();
  self->done = g_ptr_array_new_with_free_func (done_event_free);
  self->first_inserted = first_inserted;

  return self;
}

void
ear_catalogue_event_free (EarCatalogueEvent *self)
{
  g_hash_table_unref (self->by_podcast);
  g_ptr_array_unref (self->podcasts);
  g_array_unref (self->acknowledged);
  g_ptr_array_unref (self->done);
  g_clear_pointer (&self->totals, ear_episode_totals_free);
  g_clear_error (&self->error);
  g_free (self);
}

/* Returns: (transfer none): the podcast's event, to be extended */
EarPodcastEvent *
ear_catalogue_event_get (EarCatalogueEvent *self, gint64 podcast)
{
  EarPodcastEvent *event = g_hash_table_lookup (self->by_podcast, &podcast);

  if (event == NULL)
    {
      event = g_new0 (EarPodcastEvent, 1);
      event->podcast = podcast;
      g_ptr_array_add (self->podcasts, event);
      g_hash_table_insert (self->by_podcast, &event->podcast, event);
    }

  return event;
}

/* @id: row id of an episode that is new, or shown again */
void
ear_podcast_event_insert (EarPodcastEvent *self, gint64 id)
{
  ear_podcast_event_append (&self->inserted, id);
  self->counted = TRUE;
}

void
ear_podcast_event_change (EarPodcastEvent *self, gint64 id, EarEpisodeChange what)
{
  ear_podcast_event_append (&self->changed, id);
  self->what |= what;
  if ((what & EAR_CHANGE_LISTENED) != 0)
    self->counted = TRUE;
}

void
ear_podcast_event_rewrite (EarPodcastEvent *self, gint64 id, EarEpisodeChange what)
{
  ear_podcast_event_append (&self->changed, id);
  ear_podcast_event_append (&self->rewritten, id);
  self->what |= what;
}

void
ear_podcast_event_rename (EarPodcastEvent *self, const char *guid, const char *alias)
{
  if (self->renamed == NULL)
    self->renamed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_replace (self->renamed, g_strdup (guid), g_strdup (alias));
}

/* --- Tables ------------------------------------------------------------------------- */

/* Idle time before notes are scanned, and then upkeep, step by step */
#define TIDY_DELAY (2 * G_TIME_SPAN_SECOND)

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

/* @database: (transfer full): a writable connection, with the newest schema
 * Returns: (transfer full): the tables, for the writer thread, or %NULL */
EarCatalogueTables *
ear_catalogue_tables_new (EarDatabase *database, GError **error)
{
  g_autoptr (EarCatalogueTables) self = g_new0 (EarCatalogueTables, 1);

  self->database = database;
  self->answers = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, answer_free);
  self->text_changes = g_array_new (FALSE, FALSE, sizeof (EarTextChange));
  self->held = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_record_unref);
  self->tidy_delay = TIDY_DELAY;
  self->next_id = ear_database_get_int (database, "SELECT max (id) FROM episode", "") + 1;
  self->unclean = ear_catalogue_schema_get_exit (database) != EAR_EXIT_CLEAN;
  ear_search_score_register (database);

  return ear_database_finish (database, error) ? g_steal_pointer (&self) : NULL;
}

/* Closes the connection.
 * @self: (transfer full): the tables without an open transaction */
void
ear_catalogue_tables_free (EarCatalogueTables *self)
{
  g_clear_pointer (&self->event, ear_catalogue_event_free);
  g_hash_table_unref (self->answers);
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

static void
put_texts (EarCatalogueTables *self)
{
  g_array_sort (self->text_changes, compare_text_changes);
  for (guint i = 0; i < self->text_changes->len; i++)
    {
      const EarTextChange *change = &g_array_index (self->text_changes, EarTextChange, i);
      char word[24];

      g_snprintf (word, sizeof word, "p%" G_GINT64_FORMAT, change->podcast);
      if (change->record == NULL)
        ear_database_execute (self->database, "DELETE FROM episode_text WHERE rowid = ?1", "x",
                              change->key);
      else
        ear_database_execute (
            self->database,
            "INSERT INTO episode_text (rowid, title, notes, podcast) VALUES (?1, ?2, ?3, ?4)",
            "xsss", change->key, change->record->facts->title, change->record->text, word);
    }
  g_array_set_size (self->text_changes, 0);
}

static void
read_counts (EarCatalogueTables *self)
{
  for (guint i = 0; i < self->event->podcasts->len; i++)
    {
      EarPodcastEvent *event = g_ptr_array_index (self->event->podcasts, i);
      g_autoptr (EarStatement) statement = NULL;

      if (!event->counted)
        continue;
      statement = ear_database_query (
          self->database,
          "SELECT count (*), sum (listened = 0) FROM episode INDEXED BY episode_of"
          " WHERE podcast = ?1",
          "x", event->podcast);
      ear_database_step (self->database, statement);
      event->n_episodes = (guint) sqlite3_column_int (statement, 0);
      event->n_unplayed = (guint) sqlite3_column_int (statement, 1);
    }
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

/* Opens a transaction. The first one also marks the file as in use. */
void
ear_catalogue_tables_begin (EarCatalogueTables *self)
{
  ear_database_exec (self->database, "BEGIN IMMEDIATE");
  self->event = ear_catalogue_event_new (self->next_id);
  if (!self->unclean)
    ear_catalogue_schema_set_exit (self->database, EAR_EXIT_NONE);
}

static gboolean
is_over (gpointer podcast, gpointer answer, gpointer user_data)
{
  return ((EarAnswer *) answer)->over;
}

/* Writes the full text index and commits the transaction. After a failure, call
 * ear_catalogue_tables_roll_back().
 * Returns: (transfer full): the changes, or %NULL */
EarCatalogueEvent *
ear_catalogue_tables_commit (EarCatalogueTables *self, GError **error)
{
  put_texts (self);
  read_counts (self);
  if (changes_totals (self->event))
    self->event->totals = ear_episode_totals_read (self->database);
  ear_database_exec (self->database, "COMMIT");
  if (!ear_database_finish (self->database, error))
    return NULL;

  self->unclean = TRUE;
  g_hash_table_foreach_remove (self->answers, is_over, NULL);
  g_ptr_array_set_size (self->held, 0);
  for (guint i = 0; i < self->event->podcasts->len; i++)
    {
      EarPodcastEvent *event = g_ptr_array_index (self->event->podcasts, i);

      tidy_ids (&event->changed, self->event->first_inserted);
      tidy_ids (&event->rewritten, self->event->first_inserted);
    }

  return g_steal_pointer (&self->event);
}

/* Forgets the changes of a transaction that has failed. */
void
ear_catalogue_tables_roll_back (EarCatalogueTables *self)
{
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

  if (self->unclean || !clean)
    ear_catalogue_schema_set_exit (self->database, clean ? EAR_EXIT_CLEAN : EAR_EXIT_DAMAGED);
  if (!ear_database_finish (self->database, &error))
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

/* Between two steps */
#define PAUSE (50 * G_TIME_SPAN_MILLISECOND)

/* Returns: whether there is more to merge */
static gboolean
merge_texts (EarCatalogueTables *self)
{
  sqlite3 *handle = ear_database_get_handle (self->database);
  const int before = sqlite3_total_changes (handle);

  ear_database_execute (self->database,
                        "INSERT INTO episode_text (episode_text, rank) VALUES ('merge', ?1)", "i",
                        MERGE_STEP);

  /* The command itself counts as one change. */
  return sqlite3_total_changes (handle) - before >= 2;
}

/* Frees empty pages, if the file was created with `auto_vacuum`.
 * Returns: whether there may be more */
static gboolean
vacuum (EarCatalogueTables *self)
{
  const gint64 n_pages = ear_database_get_int (self->database, "PRAGMA page_count", "");
  const gint64 n_free = ear_database_get_int (self->database, "PRAGMA freelist_count", "");

  /* Keep some pages for new rows. */
  if (n_free < VACUUM_STEP || n_free < n_pages / VACUUM_PART ||
      ear_database_get_int (self->database, "PRAGMA auto_vacuum", "") == 0)
    return FALSE;
  ear_database_exec (self->database,
                     "PRAGMA incremental_vacuum (" G_STRINGIFY (VACUUM_STEP) ")");

  return TRUE;
}

/* Runs a step of upkeep, which takes a few milliseconds.
 * Returns: delay before the next step in microseconds, or -1 if none is needed */
gint64
ear_catalogue_tables_tidy (EarCatalogueTables *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCatalogueEvent) event = NULL;
  gboolean more;

  ear_catalogue_tables_begin (self);
  more = merge_texts (self) || vacuum (self);
  event = ear_catalogue_tables_commit (self, &error);
  if (event != NULL && more)
    return PAUSE;
  if (event == NULL)
    {
      g_message ("The catalogue cannot be put in order: %s", error->message);
      ear_catalogue_tables_roll_back (self);
    }
  ear_database_empty_log (self->database);
  ear_database_save_memory (self->database);
#ifdef HAVE_MALLOC_TRIM
  /* A refresh leaves many small blocks, which the C library would keep. */
  malloc_trim (0);
#endif

  return -1;
}
