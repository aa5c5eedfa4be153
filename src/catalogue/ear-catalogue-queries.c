/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-episode-rows.h"
#include "ear-episode-search.h"
#include "ear-episode-sql.h"
#include "ear-plain-text.h"
#include "ear-moment-hits.h"
#include "ear-snippet-maker.h"

/* Asynchronous queries, answered by a reader or the writer */

/* Limit of notes in the index */
#define SNIPPET_NOTES_LIMIT (512 * 1024)

/* Parameters of a query, a search, or a request for notes; the used members are
 * set, and owned. */
typedef struct
{
  EarEpisodeQuery *query;
  guint limit;
  gint64 episode;
  char *title;
  char *text; /* text to search for */
  EarNotes *notes;
  GArray *ids;
  GPtrArray *bookmarks; /* (nullable) (element-type EarBookmarkText): of the episode */
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_clear_pointer (&question->query, ear_episode_query_free);
  g_clear_pointer (&question->notes, ear_notes_unref);
  g_clear_pointer (&question->ids, g_array_unref);
  g_clear_pointer (&question->bookmarks, g_ptr_array_unref);
  g_free (question->title);
  g_free (question->text);
  g_free (question);
}

typedef struct
{
  char *text;
  char *base;
} NotesText;

static void
notes_text_free (NotesText *notes)
{
  g_free (notes->text);
  g_free (notes->base);
  g_free (notes);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NotesText, notes_text_free)

/* --- Reader thread ------------------------------------------------------------------- */

static void
pass_row (const EarEpisodeRow *row, gpointer user_data)
{
}

/* Reads rows ahead of the main thread, so that they are in the page cache: otherwise,
 * opening a podcast after booting would wait for the disk. */
static void
prefetch (EarDatabase *database, GArray *ids, guint n_ids)
{
  g_autoptr (GError) error = NULL;

  if (!ear_episode_rows_read (database, (const gint64 *) (gpointer) ids->data, n_ids, pass_row, NULL, &error))
    g_debug ("Rows are left on the disk: %s", error->message);
}

static gpointer
read_rows (EarDatabase *database, gpointer data, GError **error)
{
  const Question *question = data;

  prefetch (database, question->ids, question->ids->len);

  return NULL;
}

static gpointer
read_query (EarDatabase *database, gpointer data, GError **error)
{
  const Question *question = data;
  GArray *ids = question->query->search != NULL
                    ? ear_episode_search_run (database, question->query, question->limit, error)
                    : ear_episode_sql_run (database, question->query, question->limit, error);

  if (ids != NULL)
    prefetch (database, ids, MIN (ids->len, EAR_EPISODE_ROWS_PREFETCHED));

  return ids;
}

/* A search counts its result, which may be limited like the list's. */
static gpointer
read_count (EarDatabase *database, gpointer data, GError **error)
{
  const Question *question = data;
  g_autofree guint *count = g_new0 (guint, 1);
  g_autoptr (GArray) ids = NULL;

  if (question->query->search == NULL)
    return ear_episode_sql_count_query (database, question->query, count, error) ? g_steal_pointer (&count) : NULL;
  ids = ear_episode_search_run (database, question->query, 0, error);
  if (ids == NULL)
    return NULL;
  *count = ids->len;

  return g_steal_pointer (&count);
}

static gpointer
read_notes (EarDatabase *database, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (EarStatement) statement =
      ear_database_query (database, error, "SELECT text, coalesce (base, link) FROM notes JOIN episode ON id = episode WHERE episode = ?1",
                          "x", question->episode);
  NotesText *notes;
  gboolean row;

  if (!ear_database_step (database, statement, &row, error))
    return NULL;
  notes = g_new0 (NotesText, 1);
  if (row)
    {
      notes->text = ear_statement_dup_text (statement, 0);
      notes->base = ear_statement_dup_text (statement, 1);
    }

  return notes;
}

/* Makes a snippet of the best match, or of the notes. */
static EarSnippet *
make_snippet (EarDatabase *database, const Question *question, EarSearchWords *words, const char *notes)
{
  g_autofree char *plain = ear_plain_text_from_notes (notes, SNIPPET_NOTES_LIMIT);
  const EarMomentSearch search = { question->episode, words, question->text, question->bookmarks,
                                   ear_search_words_match (words, question->title, plain) };
  EarSnippetKind kind = EAR_SNIPPET_NOTES;
  gint64 time = -1;
  g_autofree char *moment = ear_moment_hits_find (database, &search, &kind, &time);
  /* Notes are HTML. */
  g_autofree char *escaped = moment != NULL ? g_markup_escape_text (moment, -1) : NULL;
  EarSnippet *snippet = ear_snippet_make (words, question->title, escaped != NULL ? escaped : notes);

  snippet->kind = kind;
  snippet->time = time;

  return snippet;
}

static gpointer
read_snippet (EarDatabase *database, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (EarSearchWords) words = ear_search_words_new (database, question->text, error);
  g_autoptr (NotesText) notes = words != NULL ? read_notes (database, data, error) : NULL;

  return notes != NULL ? make_snippet (database, question, words, notes->text) : NULL;
}

static gpointer
find_in_notes (EarDatabase *database, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (EarSearchWords) words = ear_search_words_new (database, question->text, error);

  return words != NULL ? ear_search_words_find_in_notes (words, question->notes) : NULL;
}

/* --- Main thread --------------------------------------------------------------------- */

/* Calls @func on a reader; the callback gets its result.
 * @self: (nullable): the catalogue, held until the result is there
 * @reader: (nullable): its reader; %NULL fails
 * @question: (transfer full): data for @func */
void
ear_catalogue_ask (EarCatalogue *self, EarCatalogueReader *reader, EarReadFunc func, gpointer question,
                   GDestroyNotify question_free_func, GDestroyNotify answer_free, gpointer tag, GCancellable *cancellable,
                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, question, question_free_func);
  if (reader != NULL)
    ear_catalogue_reader_ask (reader, task, func, answer_free);
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
}

/* Checks the file after an error, which may be the first sign of damage.
 * Returns: (transfer full): the reader's result */
gpointer
ear_catalogue_take_answer (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GError) local = NULL;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), &local);

  if (local != NULL)
    {
      ear_catalogue_suspect (self, local);
      g_propagate_error (error, g_steal_pointer (&local));
    }

  return answer;
}

static void
ask (EarCatalogue *self, EarCatalogueReader *reader, EarReadFunc func, Question question, GDestroyNotify answer_free,
     gpointer tag, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  ear_catalogue_ask (self, reader, func, g_memdup2 (&question, sizeof question), question_free, answer_free, tag, cancellable,
                     callback, user_data);
}

/**
 * ear_catalogue_query_async:
 * @query: a query
 * @limit: maximum number of episodes, or 0 for all
 * @cancellable: (nullable): cancels earlier queries with the same one, too, as nobody
 *   waits for them
 * @callback: called with the result
 * @user_data: data for @callback
 *
 * Queries episodes, on the reader thread.
 */
void
ear_catalogue_query_async (EarCatalogue *self,
                           const EarEpisodeQuery *query,
                           guint limit,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (query != NULL);

  if (self->reader != NULL && cancellable != NULL)
    ear_catalogue_reader_supersede (self->reader, cancellable, read_query);
  ask (self, self->reader, read_query, (Question) { .query = ear_catalogue_complete_query (self, query), .limit = limit },
       (GDestroyNotify) g_array_unref, ear_catalogue_query_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_query_finish:
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (element-type gint64): row ids of episodes in order, or %NULL
 */
GArray *
ear_catalogue_query_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}

/**
 * ear_catalogue_count_async:
 * @query: a query
 * @cancellable: (nullable): cancels the query
 * @callback: called with the number of episodes
 * @user_data: data for @callback
 *
 * Counts episodes, on the reader thread.
 */
void
ear_catalogue_count_async (EarCatalogue *self,
                           const EarEpisodeQuery *query,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (query != NULL);

  ask (self, self->reader, read_count, (Question) { .query = ear_catalogue_complete_query (self, query) }, g_free,
       ear_catalogue_count_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_count_finish:
 * @count: (out): number of episodes
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_count_finish (EarCatalogue *self, GAsyncResult *result, guint *count, GError **error)
{
  g_autofree guint *answer = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  answer = ear_catalogue_take_answer (self, result, error);
  if (answer != NULL)
    *count = *answer;

  return answer != NULL;
}

/**
 * ear_catalogue_load_notes_async:
 * @episode: an episode
 * @cancellable: (nullable): cancels the query
 * @callback: called with the notes
 * @user_data: data for @callback
 *
 * Loads the notes of an episode, on a thread that runs no searches; the facts of an
 * [class@EarEpisode] do not include them.
 */
void
ear_catalogue_load_notes_async (EarCatalogue *self,
                                EarEpisode *episode,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  ask (self, ear_catalogue_ensure_notes_reader (self), read_notes, (Question) { .episode = ear_episode_get_id (episode) },
       (GDestroyNotify) notes_text_free, ear_catalogue_load_notes_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_load_notes_finish:
 * @base: (out) (optional) (nullable): base of relative links in the notes
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (nullable): the notes in the feed, HTML or plain text; %NULL
 *   without an error if there are none
 */
char *
ear_catalogue_load_notes_finish (EarCatalogue *self, GAsyncResult *result, char **base, GError **error)
{
  g_autoptr (NotesText) notes = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  notes = ear_catalogue_take_answer (self, result, error);
  if (base != NULL)
    *base = notes != NULL ? g_steal_pointer (&notes->base) : NULL;

  return notes != NULL ? g_steal_pointer (&notes->text) : NULL;
}

/**
 * ear_catalogue_load_snippet_async:
 * @episode: an episode found by a search
 * @search: the words
 * @cancellable: (nullable): cancels the query
 * @callback: called with the snippet
 * @user_data: data for @callback
 *
 * Finds the words of a search in the title and the notes of an episode, on the reader
 * thread, and cuts out the part of the notes with most of them.
 */
void
ear_catalogue_load_snippet_async (EarCatalogue *self,
                                  EarEpisode *episode,
                                  const char *search,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (search != NULL);

  ask (self, self->reader, read_snippet,
       (Question) { .episode = ear_episode_get_id (episode),
                    .title = g_strdup (ear_episode_get_title (episode)),
                    .text = g_strdup (search),
                    .bookmarks = ear_catalogue_list_bookmarks (self, episode) },
       (GDestroyNotify) ear_snippet_free, ear_catalogue_load_snippet_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_load_snippet_finish:
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full): the snippet, or %NULL
 */
EarSnippet *
ear_catalogue_load_snippet_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_catalogue_find_in_notes_async:
 * @notes: show notes
 * @search: the words of a search
 * @cancellable: (nullable): cancels the query
 * @callback: called with the matches
 * @user_data: data for @callback
 *
 * Finds the words in notes, on the reader thread, as the search itself does.
 */
void
ear_catalogue_find_in_notes_async (EarCatalogue *self, EarNotes *notes, const char *search, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (notes != NULL);
  g_return_if_fail (search != NULL);

  ask (self, self->reader, find_in_notes, (Question) { .notes = ear_notes_ref (notes), .text = g_strdup (search) },
       (GDestroyNotify) g_array_unref, ear_catalogue_find_in_notes_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_find_in_notes_finish:
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (element-type EarNotesMark): the matches, block by
 *   block, or %NULL
 */
GArray *
ear_catalogue_find_in_notes_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Makes the reader thread read rows from the disk.
 * @self: (nullable): the catalogue, held until the rows were read
 * @reader: its reader
 * @ids: (array length=n_ids): row ids of episodes to be loaded next */
void
ear_catalogue_prefetch_async (EarCatalogue *self, EarCatalogueReader *reader, const gint64 *ids, guint n_ids,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GArray *wanted = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n_ids);

  g_array_append_vals (wanted, ids, n_ids);
  ask (self, reader, read_rows, (Question) { .ids = wanted }, NULL, ear_catalogue_prefetch_async, cancellable, callback,
       user_data);
}

/* Makes the reader thread read rows from the disk, unless they are live.
 * @ids: (array length=n_ids): row ids of episodes that may be loaded soon
 * @n_ids: number of @ids, up to a page */
void
ear_catalogue_prefetch_page (EarCatalogue *self, const gint64 *ids, guint n_ids)
{
  /* The page was loaded as a whole, and freed as a whole: checking its ends suffices. */
  if (self->reader != NULL && n_ids > 0 &&
      (ear_catalogue_lookup_live (self, ids[0]) == NULL || ear_catalogue_lookup_live (self, ids[n_ids - 1]) == NULL))
    ear_catalogue_prefetch_async (NULL, self->reader, ids, n_ids, NULL, NULL, NULL);
}

static void
notify_of_flush (EarCatalogueTables *tables, EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  g_ptr_array_add (event->flushed, g_steal_pointer (&op->data));
}

static const EarCatalogueOpKind flush_kind = {
  .flags = EAR_OP_FLUSH,
  .data_free = g_object_unref,
  .tell = notify_of_flush,
};

/**
 * ear_catalogue_flush_async:
 * @cancellable: (nullable): ignored, flushing is short
 * @callback: called when everything is stored
 * @user_data: data for @callback
 *
 * Waits until everything queued before is stored, and its signals were emitted.
 */
void
ear_catalogue_flush_async (EarCatalogue *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_flush_async);
  if (self->closed || self->writer == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  ear_catalogue_push (self, ear_catalogue_op_new (&flush_kind, 0, g_steal_pointer (&task)));
}

/**
 * ear_catalogue_flush_finish:
 * @error: return location for an error
 *
 * Returns: whether everything is stored, or its failure was reported
 */
gboolean
ear_catalogue_flush_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
