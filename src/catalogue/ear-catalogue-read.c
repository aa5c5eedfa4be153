/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-episode-sql.h"
#include "ear-search-words.h"
#include "ear-thread.h"

/* SQLite steps between two checks for cancellation: some tens of microseconds */
#define PROGRESS_STEPS 2000

/* A thread that reads the catalogue, one query after the other, on a connection of its
 * own. Queries and their tasks return to the owner with the result, so that no object of
 * the main thread is ever released here. */
struct _EarCatalogueReader
{
  /* Owned */
  EarThread *thread;
  EarMainQueue *answered;
  EarDatabase *database; /* used on the reader thread only */

  GTask *current; /* (nullable): used on the reader thread only; its data is the EarRead */
  int closing;    /* atomic */
};

static gboolean
is_unwanted (EarCatalogueReader *self, GTask *task)
{
  return g_atomic_int_get (&self->closing) ||
         g_cancellable_is_cancelled (g_task_get_cancellable (task));
}

static int
progress_cb (gpointer data)
{
  EarCatalogueReader *self = data;

  return self->current != NULL && is_unwanted (self, self->current);
}

static void
run_request (gpointer data)
{
  EarRead *read = g_task_get_task_data (data);
  EarCatalogueReader *self = read->reader;

  self->current = data;
  if (is_unwanted (self, data))
    g_set_error_literal (&read->error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                         "The answer is not wanted any more");
  else
    read->result = read->func (self->database, read);
  self->current = NULL;
  if (read->error == NULL && !ear_database_finish (self->database, &read->error))
    g_clear_pointer (&read->result, read->result_free);
  ear_main_queue_post (self->answered, data);
}

static void
return_result (gpointer message, gpointer user_data)
{
  g_autoptr (GTask) task = message;
  EarRead *read = g_task_get_task_data (task);

  if (read->error != NULL)
    g_task_return_error (task, g_steal_pointer (&read->error));
  else
    g_task_return_pointer (task, g_steal_pointer (&read->result), read->result_free);
}

/* @database: (transfer full): a read-only connection */
EarCatalogueReader *
ear_catalogue_reader_new (EarDatabase *database, GMainContext *context,
                          EarWorkerPriority priority)
{
  EarCatalogueReader *self = g_new0 (EarCatalogueReader, 1);

  self->database = database;
  self->answered = ear_main_queue_new (context, return_result, NULL);
  sqlite3_progress_handler (ear_database_get_handle (database), PROGRESS_STEPS, progress_cb, self);
  self->thread = ear_thread_new ("catalogue-read", priority);

  return self;
}

/* Frees the page cache, after all queued queries. */
void
ear_catalogue_reader_save_memory (EarCatalogueReader *self)
{
  ear_thread_push (self->thread, (GSourceOnceFunc) ear_database_save_memory, self->database);
}

/* Interrupts the running query, fails all others, ends the thread, closes the connection and
 * frees the reader.
 * Returns: whether SQLite has reported damage */
gboolean
ear_catalogue_reader_close (EarCatalogueReader *self)
{
  gboolean damaged;

  g_atomic_int_set (&self->closing, TRUE);
  ear_thread_stop (self->thread);
  damaged = ear_database_get_damaged (self->database);
  ear_database_close (self->database);
  ear_main_queue_drain (self->answered);
  ear_main_queue_free (self->answered);
  g_free (self);

  return damaged;
}

/* Main thread: members of the listener's own lists. The catalogue does not store them: a
 * query gets the members of its list, and finds their rows by podcast and guid, whenever
 * the episodes came. */

static void
append_text (GString *json, const char *text)
{
  g_string_append (json, ",\"");
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\' || (guchar) *text < ' ')
      g_string_append_printf (json, "\\u%04x", *text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
}

/* Returns: (transfer full): a GRefString of JSON, for json_each() */
static char *
print_members (GPtrArray *members)
{
  g_autoptr (GString) json = g_string_new ("[");

  for (guint i = 0; i < members->len; i++)
    {
      const EarListMember *member = g_ptr_array_index (members, i);

      g_string_append_printf (json, "%s[%" G_GINT64_FORMAT, i > 0 ? "," : "", member->podcast);
      append_text (json, member->guid);
      if (member->alias != NULL)
        append_text (json, member->alias);
      g_string_append_c (json, ']');
    }
  g_string_append_c (json, ']');

  return g_ref_string_new (json->str);
}

/* Sets the members of one of the listener's own lists.
 * @list: name of the list in queries
 * @members: (nullable) (element-type EarListMember): its members, in order; %NULL if
 * the list was deleted */
void
ear_catalogue_set_list (EarCatalogue *self, const char *list, GPtrArray *members)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  if (members != NULL)
    g_hash_table_replace (self->lists, g_strdup (list), print_members (members));
  else
    g_hash_table_remove (self->lists, list);
  g_signal_emit_by_name (self, "list-changed", list);
}

/* Adds the members of its list to a new copy of a query. */
void
ear_catalogue_complete_query (EarCatalogue *self, EarEpisodeQuery *query)
{
  char *members = query->list != NULL ? g_hash_table_lookup (self->lists, query->list) : NULL;

  query->members = members != NULL ? g_ref_string_acquire (members) : NULL;
}

/* Main thread: the listener's bookmarks. The catalogue does not store them: each connection that
 * runs searches has a temporary index of them. */

static gpointer
put_bookmarks (EarDatabase *database, const EarRead *read)
{
  ear_episode_sql_put_bookmarks (database, read->items);

  return NULL;
}

/* Makes searches find episodes by the texts of their bookmarks.
 * @bookmarks: (element-type EarBookmarkText): all bookmarks; immutable from now on */
void
ear_catalogue_set_bookmarks (EarCatalogue *self, GPtrArray *bookmarks)
{
  const EarRead read = { .func = put_bookmarks, .items = g_ptr_array_ref (bookmarks) };

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ear_catalogue_read_async (self, read, NULL, NULL, NULL);
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_put_bookmarks,
                                                    .items = g_ptr_array_ref (bookmarks) });
  g_signal_emit_by_name (self, "episodes-changed", (gint64) 0, EAR_CHANGE_MOMENTS, 0);
}

/* --- Reads --------------------------------------------------------------------------- */

static void
read_free (gpointer data)
{
  EarRead *read = data;

  g_clear_pointer (&read->query, ear_episode_query_free);
  g_clear_pointer (&read->link_query, ear_link_query_free);
  g_clear_pointer (&read->notes, ear_notes_unref);
  g_clear_pointer (&read->ids, g_array_unref);
  g_clear_pointer (&read->items, g_ptr_array_unref);
  g_strfreev (read->keys);
  g_free (read->title);
  g_free (read->text);
  g_free (read);
}

EAR_DEFINE_TEXTS_FREE (EarEpisodeNotes, ear_episode_notes_free, base)

static gpointer
read_query (EarDatabase *database, const EarRead *read)
{
  return ear_episode_sql_run (database, read->query, read->limit);
}

static gpointer
read_notes (EarDatabase *database, const EarRead *read)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      database,
      "SELECT text, coalesce (base, link) FROM notes JOIN episode ON id = episode"
      " WHERE episode = ?1",
      "x", read->episode);
  EarEpisodeNotes *notes = g_new0 (EarEpisodeNotes, 1);

  notes->episode = read->episode;
  if (ear_database_step (database, statement))
    ear_statement_read (statement, 0, "ss", &notes->text, &notes->base);

  return notes;
}

/* Texts with times of the episode ?2 that have all words of the expression ?1. A sentence's time is
 * corrected by the listener's shift; transcripts may have no times. */
static const char *const moments[] = {
  [EAR_SNIPPET_BOOKMARK] =
      "SELECT text, time FROM bookmark_text CROSS JOIN episode ON episode.id = ?2"
      " JOIN podcast ON podcast.id = podcast WHERE bookmark_text MATCH ?1"
      " AND bookmark_text.address = podcast.address"
      " AND bookmark_text.guid IN (episode.guid, feed_guid) ORDER BY bookmark_text.rowid",
  [EAR_SNIPPET_CHAPTER] =
      "SELECT text, start FROM chapter_text WHERE chapter_text MATCH ?1"
      " AND rowid >= ?2 << 18 AND rowid < (?2 + 1) << 18 ORDER BY rowid",
  [EAR_SNIPPET_TRANSCRIPT] =
      "SELECT text, CASE WHEN start < 0 THEN -1 ELSE max (start + shift, -1) END"
      " FROM sentence_text CROSS JOIN episode ON episode.id = ?2 WHERE sentence_text MATCH ?1"
      " AND sentence_text.rowid >= ?2 << 18 AND sentence_text.rowid < (?2 + 1) << 18"
      " ORDER BY sentence_text.rowid",
};

/* Returns: (transfer full) (nullable): the first text of that kind */
static char *
find_moment (EarDatabase *database, const EarRead *read, EarSnippetKind kind, gint64 *time)
{
  g_autofree char *match = ear_search_words_dup_match (read->text, " AND ");
  g_autoptr (EarStatement) statement = NULL;

  if (match != NULL)
    statement = ear_database_query (database, moments[kind], "sx", match, read->episode);
  if (!ear_database_step (database, statement))
    return NULL;
  *time = sqlite3_column_int64 (statement, 1);

  return ear_statement_dup_text (statement, 0);
}

/* Makes a snippet of the best explanation of the hit: a bookmark, a chapter, then a link of the
 * notes, or a sentence if the notes do not have the words; else of the notes. */
static gpointer
read_snippet (EarDatabase *database, const EarRead *read)
{
  EarSnippetKind kind = EAR_SNIPPET_BOOKMARK;
  gint64 time = -1;
  g_autofree char *moment = find_moment (database, read, kind, &time);
  EarSnippet *snippet;

  if (moment == NULL)
    {
      kind = EAR_SNIPPET_CHAPTER;
      moment = find_moment (database, read, kind, &time);
    }
  if (moment == NULL)
    {
      g_autoptr (EarEpisodeNotes) notes = read_notes (database, read);
      g_autofree char *text = read->text_func (notes->text);

      snippet = ear_snippet_make (database, read->text, read->title, text);
      kind = snippet->has_all ? EAR_SNIPPET_LINK : EAR_SNIPPET_TRANSCRIPT;
      moment = snippet->has_all ? ear_search_words_find_link (database, read->text, read->episode)
                                : find_moment (database, read, kind, &time);
      if (moment == NULL)
        return snippet;
      ear_snippet_free (snippet);
    }
  snippet = ear_snippet_make (database, read->text, read->title, moment);
  snippet->kind = kind;
  snippet->time = time;

  return snippet;
}

static gpointer
find_in_notes (EarDatabase *database, const EarRead *read)
{
  return ear_search_words_find_in_notes (database, read->text, read->notes);
}

/* Makes a further reader, if the file can be opened once more.
 * @reader: (inout): holds it
 * Returns: (transfer none) (nullable): it, or else the first reader */
EarCatalogueReader *
ear_catalogue_ensure_reader (EarCatalogue *self, EarCatalogueReader **reader,
                             EarWorkerPriority priority)
{
  g_autoptr (EarDatabase) database = NULL;

  if (*reader == NULL && self->reader != NULL)
    database = ear_database_open (self->health.path, EAR_DATABASE_READ_ONLY, NULL);
  if (database != NULL)
    *reader = ear_catalogue_reader_new (g_steal_pointer (&database), self->context, priority);

  return *reader != NULL ? *reader : self->reader;
}

/* Reads on a reader's thread, in the order of the calls; the callback calls
 * ear_catalogue_read_finish().
 * @self: the catalogue, held until the result is there
 * @read: its owned members are transferred */
void
ear_catalogue_read_async (EarCatalogue *self, EarRead read, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  if (read.reader == NULL)
    read.reader = read.is_quick ? ear_catalogue_ensure_reader (self, &self->notes_reader,
                                                               EAR_WORKER_ANSWERS)
                                : self->reader;
  if (read.query != NULL)
    ear_catalogue_complete_query (self, read.query);
  read.text_func = self->text_func;
  g_task_set_source_tag (task, ear_catalogue_read_async);
  g_task_set_task_data (task, g_memdup2 (&read, sizeof read), read_free);
  if (read.reader != NULL)
    ear_thread_push (read.reader->thread, run_request, g_steal_pointer (&task));
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED,
                                     "The catalogue is not open");
}

/* Ends a read, see the function that began it. After an error, which may be the first
 * sign of damage, the file is checked.
 * Returns: (transfer full) (nullable): the result */
gpointer
ear_catalogue_read_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GError) local = NULL;
  gpointer answer;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  answer = g_task_propagate_pointer (G_TASK (result), &local);
  if (local != NULL)
    {
      ear_catalogue_note_error (self, local);
      g_propagate_error (error, g_steal_pointer (&local));
    }

  return answer;
}

/* The row ids of episodes in order: a GArray of gint64.
 * @limit: maximum number of episodes, or 0 for all */
EarRead
ear_read_query (const EarEpisodeQuery *query, guint limit)
{
  return (EarRead) { .func = read_query,
                     .result_free = (GDestroyNotify) g_array_unref,
                     .query = ear_episode_query_copy (query),
                     .limit = limit };
}

/* The notes of an episode: an EarEpisodeNotes; the facts of an EarEpisode do not include them. */
EarRead
ear_read_notes (EarEpisode *episode)
{
  return (EarRead) { .func = read_notes,
                     .result_free = (GDestroyNotify) ear_episode_notes_free,
                     .is_quick = TRUE,
                     .episode = ear_episode_get_id (episode) };
}

/* The words of a search in the title and the notes of an episode, and the part of the notes
 * with most of them: an EarSnippet. */
EarRead
ear_read_snippet (EarEpisode *episode, const char *search)
{
  return (EarRead) { .func = read_snippet,
                     .result_free = (GDestroyNotify) ear_snippet_free,
                     .episode = ear_episode_get_id (episode),
                     .title = g_strdup (ear_episode_get_title (episode)),
                     .text = g_strdup (search) };
}

/* The words in notes, as the search itself finds them: a GArray of EarNotesMark, block by
 * block. */
EarRead
ear_read_matches (EarNotes *notes, const char *search)
{
  return (EarRead) { .func = find_in_notes,
                     .result_free = (GDestroyNotify) g_array_unref,
                     .notes = ear_notes_ref (notes),
                     .text = g_strdup (search) };
}

/* Waits until everything queued before is stored, or its failure was reported, and its signals
 * were emitted. The callback calls ear_catalogue_write_finish(). */
void
ear_catalogue_flush_async (EarCatalogue *self, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_flush_async);
  if (self->closed || self->writer == NULL)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  ear_writer_push (self->writer, (EarCatalogueOp) { .task = g_steal_pointer (&task) });
}

/* Ends a write.
 * Returns: (transfer full) (nullable): the episodes whose mark has changed; %NULL after an error,
 * or if none was to be marked */
EarMarks *
ear_catalogue_write_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Queries about all episodes of one podcast, or of the history */

static gpointer
read_series (EarDatabase *database, const EarRead *read)
{
  return ear_episode_sql_read_series (database, read->podcast);
}

/* The listener's progress in a podcast: an EarSeriesProgress, to be freed with g_free(). */
EarRead
ear_read_series (EarPodcast *podcast)
{
  return (EarRead) { .func = read_series,
                     .result_free = g_free,
                     .podcast = ear_podcast_get_id (podcast) };
}

static gpointer
read_resumable (EarDatabase *database, const EarRead *read)
{
  static const EarEpisodeFilter filters[] = { EAR_FILTER_HISTORY, EAR_FILTER_QUEUED,
                                              EAR_FILTER_UNPLAYED, EAR_FILTER_ALL };
  GArray *ids = g_array_new (FALSE, TRUE, sizeof (gint64));

  for (gsize i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      g_autoptr (EarEpisodeQuery) query =
          ear_episode_query_new (0, filters[i], EAR_SORT_NEWEST, NULL);
      g_autoptr (GArray) found = ear_episode_sql_run (database, query, i > 0 ? read->limit : 1);

      g_array_append_vals (ids, found->data, found->len);
      if (i == 0)
        g_array_set_size (ids, 1);
    }

  return ids;
}

/* The row ids of episodes to play without a choice, best first: a GArray of gint64. The first
 * one was heard last, or is 0; then come Up Next, the unplayed ones, and all.
 * @limit: maximum number of each kind */
EarRead
ear_read_resumable (guint limit)
{
  return (EarRead) { .func = read_resumable,
                     .result_free = (GDestroyNotify) g_array_unref,
                     .limit = limit };
}
