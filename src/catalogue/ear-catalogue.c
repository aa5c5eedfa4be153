/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue.h"

#include "ear-catalogue-private.h"
#include "ear-episode-sql.h"
#include "ear-property.h"

#include <glib/gstdio.h>

/* Time during which unfollowing can be undone without fetching anything again */
#define PURGE_DELAY_MS (60 * 1000)

/* The feeds' data, in catalogue.db.
 * The writer thread has the only connection that writes, the reader thread answers
 * queries with ids, and the main thread reads pages of rows by primary key. See
 * ear-catalogue.h for the signals, and for the threads of each function. */
G_DEFINE_FINAL_TYPE (EarCatalogue, ear_catalogue, G_TYPE_OBJECT)

static void
set_totals (EarCatalogue *self, const EarEpisodeTotals *totals)
{
  const guint n_podcasts = g_list_model_get_n_items (G_LIST_MODEL (self->podcasts));

  /* All followed podcasts: new episodes of one may have been played. */
  for (guint i = 0; i < n_podcasts; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (G_LIST_MODEL (self->podcasts), i);
      const gint64 id = ear_podcast_get_id (podcast);

      ear_podcast_set_n_new (podcast, GPOINTER_TO_UINT (g_hash_table_lookup (totals->news, &id)));
    }
  ear_property_set_number (self, "n-in-progress", (int) totals->n_in_progress);
  ear_property_set_boolean (self, "has-liked", totals->has_liked);
  ear_property_set_boolean (self, "has-heard", totals->has_heard);
  ear_property_set_number (self, "n-new", (int) totals->n_new);
}

static void
apply_podcast_event (EarCatalogue *self, EarPodcastEvent *event)
{
  EarPodcast *podcast = ear_catalogue_lookup_podcast (self, event->podcast);

  if (podcast == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (podcast));
  if (event->facts != NULL)
    ear_podcast_set_facts (podcast, event->facts);
  if (event->check != NULL)
    ear_catalogue_take_check (self, podcast, g_steal_pointer (&event->check));
  if (event->counted)
    {
      ear_podcast_set_n_episodes (podcast, event->n_episodes);
      ear_podcast_set_n_unplayed (podcast, event->n_unplayed);
    }
  g_object_thaw_notify (G_OBJECT (podcast));

  if (event->rewritten != NULL)
    ear_catalogue_reload (self, event->rewritten, FALSE);
  if (event->marked != NULL)
    {
      ear_catalogue_touch (self, podcast);
      ear_catalogue_reload (self, event->marked, TRUE);
    }
}

static void
announce_podcast_event (EarCatalogue *self, EarPodcastEvent *event)
{
  /* Emit no signals for podcasts that are not followed any more. */
  gboolean hidden = ear_catalogue_is_hidden (self, event->podcast);

  if (event->what != EAR_CHANGE_NONE && (!hidden || (event->what & EAR_CHANGE_HIDDEN) != 0))
    g_signal_emit_by_name (self,
                           (event->what & EAR_CHANGE_INSERTED) != 0 ? "episodes-changed::inserted"
                                                                    : "episodes-changed",
                           event->podcast, event->what, event->n_new);
  if (event->arrived != NULL && !hidden)
    g_signal_emit_by_name (self, "episodes-arrived", event->podcast, event->arrived);
  if (event->renamed != NULL)
    g_signal_emit_by_name (self, "episodes-renamed", event->renamed);
}

/* Takes the task from the op: the writer thread may release the op last. */
static void
return_done (EarCatalogue *self, EarCatalogueOp *op)
{
  g_autoptr (GTask) task = g_steal_pointer (&op->task);
  GArray *marked = task != NULL ? g_task_get_task_data (task) : NULL;

  if (task == NULL)
    return;
  if (op->error != NULL && marked != NULL)
    ear_catalogue_reload (self, marked, TRUE);
  if (op->error != NULL)
    g_task_return_error (task, g_steal_pointer (&op->error));
  else
    g_task_return_pointer (task, g_steal_pointer (&op->marks), (GDestroyNotify) ear_marks_unref);
}

/* Updates all live objects, then emits the signals. */
static void
event_posted_cb (gpointer message, gpointer user_data)
{
  g_autoptr (EarCatalogueEvent) event = message;
  g_autoptr (EarCatalogue) self = g_object_ref (user_data);
  gboolean any_titles = FALSE;

  for (guint i = 0; i < event->done->len; i++)
    {
      const EarCatalogueOp *op = g_ptr_array_index (event->done, i);

      if (op->flags & EAR_OP_ACKNOWLEDGED)
        ear_catalogue_acknowledge (self, op->episode);
    }
  for (guint i = 0; i < event->podcasts->len; i++)
    {
      EarPodcastEvent *podcast = g_ptr_array_index (event->podcasts, i);

      apply_podcast_event (self, podcast);
      any_titles |= podcast->facts != NULL;
    }
  /* All at once: during a first fetch, dozens of podcasts get their titles at
   * the same time. */
  if (any_titles)
    ear_catalogue_place_podcasts (self);
  for (guint i = 0; i < event->podcasts->len; i++)
    announce_podcast_event (self, g_ptr_array_index (event->podcasts, i));
  if (event->totals != NULL)
    set_totals (self, event->totals);
  if (event->linked)
    g_signal_emit_by_name (self, "links-changed");
  if (event->replaced)
    g_signal_emit_by_name (self, "damaged", self->health.set_aside);
  if (event->error != NULL)
    {
      ear_catalogue_note_error (self, event->error);
      g_signal_emit_by_name (self, "failed", event->error, event->lost_episodes);
    }
  for (guint i = 0; i < event->done->len; i++)
    return_done (self, g_ptr_array_index (event->done, i));
}

static void
ear_catalogue_finalize (GObject *object)
{
  EarCatalogue *self = EAR_CATALOGUE (object);

  g_clear_pointer (&self->episodes, g_hash_table_unref);
  g_clear_pointer (&self->writer, ear_writer_free);
  g_clear_pointer (&self->main_queue, ear_main_queue_free);
  g_clear_object (&self->podcasts);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_pointer (&self->downloads, g_hash_table_unref);
  g_clear_pointer (&self->lists, g_hash_table_unref);
  g_clear_pointer (&self->health.path, g_free);
  g_clear_pointer (&self->health.set_aside, g_free);
  g_clear_pointer (&self->context, g_main_context_unref);

  G_OBJECT_CLASS (ear_catalogue_parent_class)->finalize (object);
}

static void
ear_catalogue_class_init (EarCatalogueClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Number of episodes that came while their podcast was followed, or were its newest
     * one then, and are neither begun nor played */
    EAR_READABLE (EarCatalogue, n_new, G_TYPE_UINT),
    /* Number of episodes that are begun and not played */
    EAR_READABLE (EarCatalogue, n_in_progress, G_TYPE_UINT),
    EAR_READABLE (EarCatalogue, has_liked, G_TYPE_BOOLEAN),
    EAR_READABLE (EarCatalogue, has_heard, G_TYPE_BOOLEAN),
  };

  ear_class_set_release (klass, ear_catalogue_close);
  object_class->finalize = ear_catalogue_finalize;

  ear_class_add_properties (klass, properties);
  /* The header documents the arguments. */
  g_signal_new ("episodes-changed", EAR_TYPE_CATALOGUE, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0,
                NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_INT64, G_TYPE_UINT, G_TYPE_UINT);
  ear_signal_new (klass, "episodes-arrived", 2, G_TYPE_INT64, G_TYPE_ARRAY);
  ear_signal_new (klass, "episodes-renamed", 1, G_TYPE_POINTER);
  ear_signal_new (klass, "list-changed", 1, G_TYPE_STRING);
  ear_signal_new (klass, "links-changed", 0);
  ear_signal_new (klass, "podcast-forgotten", 1, G_TYPE_STRING);
  ear_signal_new (klass, "damaged", 1, G_TYPE_STRING);
  ear_signal_new (klass, "damage-found", 0);
  ear_signal_new (klass, "failed", 2, G_TYPE_ERROR, G_TYPE_BOOLEAN);
}

static void
ear_catalogue_init (EarCatalogue *self)
{
  self->podcasts = g_list_store_new (EAR_TYPE_PODCAST);
  g_signal_connect_swapped (self->podcasts, "items-changed",
                            G_CALLBACK (ear_catalogue_find_namesakes), self);
  self->by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                       ear_catalogue_free_known);
  self->episodes = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
                                          ear_catalogue_free_live);
  self->lists = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_ref_string_release);
  self->text_func = g_strdup;
  self->purge_delay = PURGE_DELAY_MS;
  self->next_podcast = 1;
}

static EarDatabase *
open_reading (const char *path, GError **error)
{
  g_autoptr (EarDatabase) database = ear_database_open (path, EAR_DATABASE_READ_ONLY, error);

  if (database == NULL)
    return NULL;
  ear_episode_sql_register (database);

  return ear_database_finish (database, error) ? g_steal_pointer (&database) : NULL;
}

/* Sets how notes are read. Call it between ear_catalogue_read() and ear_catalogue_begin().
 * @text: makes the text of notes that is searched, on any thread; before, notes are searched as
 *   they are
 * @links: (nullable): lists the links of notes, on the writer thread; without it, neither links
 *   nor chapters are scanned */
void
ear_catalogue_set_notes_funcs (EarCatalogue *self, EarTextFunc text, EarLinksFunc links)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (self->main_queue == NULL);

  self->text_func = text;
  self->writer->links_func = links;
}

/* Reads the file, and starts a reader once nothing can fail any more: on damage, nothing of
 * @self is in use yet. */
static gboolean
read_file (EarCatalogue *self, const char *path, GError **error)
{
  g_autoptr (EarDatabase) writing = ear_catalogue_schema_open (path, error);
  g_autoptr (EarDatabase) reading = NULL;
  g_autoptr (EarDatabase) pages = NULL;
  g_autoptr (EarWriter) writer = NULL;
  g_autoptr (EarEpisodeTotals) totals = NULL;

  if (writing == NULL)
    return FALSE;
  /* The copy has replaced a newer file: the episodes of each feed's next response are not
   * announced. */
  if (self->health.is_restored)
    ear_database_exec (writing, "UPDATE podcast_check SET settled = 2 WHERE settled = 1");
  writer = ear_writer_new (g_steal_pointer (&writing), error);
  if (writer == NULL)
    return FALSE;
  self->health.was_unclean = writer->unclean;
  reading = open_reading (path, error);
  pages = ear_database_open (path, EAR_DATABASE_READ_ONLY, error);
  if (reading == NULL || pages == NULL || !ear_catalogue_load_podcasts (self, pages, error))
    return FALSE;

  /* Count before the first frame, so that the sidebar has its numbers at once. Errors are
   * ignored here: a check of the file finds the damage. */
  totals = ear_episode_totals_read (pages);
  if (ear_database_finish (pages, NULL))
    set_totals (self, totals);
  self->pages = g_steal_pointer (&pages);
  self->writer = g_steal_pointer (&writer);
  self->reader = ear_catalogue_reader_new (g_steal_pointer (&reading), self->context,
                                           EAR_WORKER_ANSWERS);

  return TRUE;
}

/* Tries the file, its copy, and a new file, until one can be used. In place of one with
 * an earlier schema, a new one is fetched. */
static gboolean
open_good (EarCatalogue *self, GError **error)
{
  gboolean is_outdated = ear_catalogue_schema_is_outdated (self->health.path);

  if (is_outdated && !ear_catalogue_set_aside (self->health.path, TRUE, error))
    return FALSE;
  while (TRUE)
    {
      g_autoptr (GError) local = NULL;
      GStatBuf info;
      /* SQLite accepts an empty file as a new database, but a lost catalogue has to be
       * restored. */
      const gboolean is_lost = g_stat (self->health.path, &info) != 0 || info.st_size == 0;
      const gboolean is_new = is_outdated || (is_lost && !ear_catalogue_replace_file (self));

      if (read_file (self, self->health.path, &local))
        return TRUE;
      if (is_new || (!g_error_matches (local, EAR_ERROR, EAR_ERROR_DAMAGED) &&
                     !g_error_matches (local, EAR_ERROR, EAR_ERROR_FAILED)))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      g_message ("The catalogue is damaged: %s", local->message);
      /* The file that the copy has replaced stays aside. */
      if (self->health.is_restored && g_unlink (self->health.path) == 0)
        continue;
      if (!ear_catalogue_set_aside (self->health.path, FALSE, error))
        return FALSE;
    }
}

/* Opens the file and loads the podcasts, on any thread, before the catalogue is shared.
 * A damaged file is set aside, see EarCatalogue::damaged.
 * @path: path of catalogue.db; its folder is created if missing
 * Returns: (transfer full): a catalogue for ear_catalogue_begin() on its owner's
 * thread, or %NULL if the file cannot be read or written (%EAR_ERROR_NO_SPACE), is in
 * use by another process (%EAR_ERROR_BUSY), or is of a later version of Earmark
 * (%EAR_ERROR_NEWER) */
EarCatalogue *
ear_catalogue_read (const char *path, GMainContext *context, GError **error)
{
  g_autoptr (EarCatalogue) self = g_object_new (EAR_TYPE_CATALOGUE, NULL);
  g_autofree char *folder = NULL;

  folder = g_path_get_dirname (path);
  g_mkdir_with_parents (folder, 0700);
  self->context = g_main_context_ref (context);
  self->health.path = g_strdup (path);

  return open_good (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Starts the writer thread. Call it once, on the owner's thread, before any
 * other function. */
void
ear_catalogue_begin (EarCatalogue *self)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (self->main_queue == NULL);

  self->main_queue = ear_main_queue_new (self->context, event_posted_cb, self);
  ear_writer_start (self->writer, self->main_queue);
  if (self->health.is_replaced)
    {
      EarCatalogueEvent *event = ear_catalogue_event_new ();

      event->replaced = TRUE;
      ear_main_queue_post (self->main_queue, event);
    }
}

/* Opens the file read-only, on the thread whose default main context the catalogue will
 * live in: nothing is written, created, counted or repaired. Until it is closed, it
 * shows the state at the time of opening.
 * Returns: (transfer full): a catalogue for queries, or %NULL without a readable file of
 * this version */
EarCatalogue *
ear_catalogue_peek (const char *path, GError **error)
{
  g_autoptr (EarCatalogue) self = g_object_new (EAR_TYPE_CATALOGUE, NULL);
  g_autoptr (EarDatabase) searches = NULL;

  self->context = g_main_context_ref_thread_default ();
  self->health.path = g_strdup (path);
  searches = open_reading (path, error);
  if (searches == NULL || !ear_catalogue_schema_accept (searches, error))
    return NULL;
  self->pages = ear_database_open (path, EAR_DATABASE_READ_ONLY, error);
  if (self->pages == NULL || !ear_catalogue_load_podcasts (self, self->pages, error))
    return NULL;
  self->reader = ear_catalogue_reader_new (g_steal_pointer (&searches), self->context,
                                           EAR_WORKER_ANSWERS);

  return g_steal_pointer (&self);
}

/* Stores everything queued, stores that the exit is a clean one, and ends the threads.
 * Afterwards nothing is stored or loaded any more. Takes the time of a few batches.
 * Closing twice does nothing. */
void
ear_catalogue_close (EarCatalogue *self)
{
  gboolean damaged = FALSE;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  if (self->closed)
    return;
  self->closed = TRUE;
  /* Without the first reader, no further ones are made. */
  if (self->reader != NULL)
    damaged = ear_catalogue_reader_close (g_steal_pointer (&self->reader));
  if (self->notes_reader != NULL)
    damaged |= ear_catalogue_reader_close (g_steal_pointer (&self->notes_reader));
  if (self->health.reader != NULL)
    damaged |= ear_catalogue_reader_close (g_steal_pointer (&self->health.reader));
  if (self->pages != NULL)
    damaged = damaged || ear_database_get_damaged (self->pages);
  g_clear_pointer (&self->pages, ear_database_close);
  if (self->writer != NULL)
    ear_writer_close (self->writer, damaged);
  if (self->main_queue != NULL)
    ear_main_queue_drain (self->main_queue);
  if (self->health.is_damaged)
    ear_catalogue_set_aside (self->health.path, FALSE, NULL);
}

/* Frees the page caches of all readers: some 20 pages each after a start, of 16 kB. The
 * writer does so whenever everything is stored. */
void
ear_catalogue_save_memory (EarCatalogue *self)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  if (self->closed)
    return;
  if (self->pages != NULL)
    ear_database_save_memory (self->pages);
  if (self->reader != NULL)
    ear_catalogue_reader_save_memory (self->reader);
  if (self->notes_reader != NULL)
    ear_catalogue_reader_save_memory (self->notes_reader);
}

EAR_DEFINE_GET (EarCatalogue, ear_catalogue, guint, n_new)
EAR_DEFINE_GET (EarCatalogue, ear_catalogue, guint, n_in_progress)
