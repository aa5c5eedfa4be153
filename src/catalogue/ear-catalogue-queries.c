/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: what is asked and answered later, by the reader or the writer. */

/* An error may be the first that is seen of a damaged file. */
static gpointer
take_answer (EarCatalogue *self, GAsyncResult *result, GError **error)
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

/**
 * ear_catalogue_query_async:
 * @self: the catalogue
 * @query: which episodes, in which order
 * @limit: how many at most, or 0 for all
 * @cancellable: (nullable): an earlier query with the same one is ended, as nobody waits for it
 * @callback: called with the answer
 * @user_data: data for @callback
 *
 * Asks for episodes, on the reader thread.
 */
void
ear_catalogue_query_async (EarCatalogue *self,
                           const EarEpisodeQuery *query,
                           guint limit,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (query != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_query_async);
  if (self->reader != NULL)
    ear_catalogue_reader_query (self->reader, query, limit, task);
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
}

/**
 * ear_catalogue_query_finish:
 * @self: the catalogue
 * @result: what the callback got
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (element-type gint64): row ids of episodes in order, or %NULL
 */
GArray *
ear_catalogue_query_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return take_answer (self, result, error);
}

/**
 * ear_catalogue_load_notes_async:
 * @self: the catalogue
 * @episode: an episode
 * @cancellable: (nullable): to end it
 * @callback: called with the notes
 * @user_data: data for @callback
 *
 * Loads the notes of an episode, on a thread that no search holds up; the facts of an
 * [class@EarEpisode] do without them.
 */
void
ear_catalogue_load_notes_async (EarCatalogue *self,
                                EarEpisode *episode,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_load_notes_async);
  if (self->reader != NULL)
    ear_catalogue_reader_load_notes (ear_catalogue_need_notes_reader (self), ear_episode_get_id (episode), task);
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
}

/**
 * ear_catalogue_load_notes_finish:
 * @self: the catalogue
 * @result: what the callback got
 * @base: (out) (optional) (nullable): what relative links in the notes are relative to
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (nullable): the notes as the feed has them, HTML or plain
 *   text; %NULL without an error when there are none
 */
char *
ear_catalogue_load_notes_finish (EarCatalogue *self, GAsyncResult *result, char **base, GError **error)
{
  g_autoptr (EarNotesText) notes = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  notes = take_answer (self, result, error);
  if (base != NULL)
    *base = notes != NULL ? g_steal_pointer (&notes->base) : NULL;

  return notes != NULL ? g_steal_pointer (&notes->text) : NULL;
}

/**
 * ear_catalogue_load_snippet_async:
 * @self: the catalogue
 * @episode: an episode that a search has found
 * @search: the words
 * @cancellable: (nullable): to end it
 * @callback: called with the snippet
 * @user_data: data for @callback
 *
 * Looks for the words of a search in the title and the notes of an episode, on the reader
 * thread, and cuts out the place of the notes where most of them are.
 */
void
ear_catalogue_load_snippet_async (EarCatalogue *self,
                                  EarEpisode *episode,
                                  const char *search,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (search != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_load_snippet_async);
  if (self->reader != NULL)
    ear_catalogue_reader_load_snippet (self->reader, ear_episode_get_id (episode), ear_episode_get_title (episode),
                                       search, task);
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
}

/**
 * ear_catalogue_load_snippet_finish:
 * @self: the catalogue
 * @result: what the callback got
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full): where the words are, or %NULL
 */
EarSnippet *
ear_catalogue_load_snippet_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_catalogue_find_in_notes_async:
 * @self: the catalogue
 * @notes: show notes
 * @search: the words of a search
 * @cancellable: (nullable): to end it
 * @callback: called when it is known
 * @user_data: data for @callback
 *
 * Looks for the words in notes, on the reader thread, as the search itself does.
 */
void
ear_catalogue_find_in_notes_async (EarCatalogue *self, EarNotes *notes, const char *search, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (notes != NULL);
  g_return_if_fail (search != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_find_in_notes_async);
  if (self->reader != NULL)
    ear_catalogue_reader_find_in_notes (self->reader, notes, search, task);
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
}

/**
 * ear_catalogue_find_in_notes_finish:
 * @self: the catalogue
 * @result: what the callback got
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (element-type EarNotesMark): where the words are, block by block, or %NULL
 */
GArray *
ear_catalogue_find_in_notes_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_catalogue_find_key_async:
 * @self: the catalogue
 * @key: what another program says is the key of an episode: see [method@Episode.dup_key]
 * @cancellable: (nullable): to end it
 * @callback: called with the episode
 * @user_data: data for @callback
 *
 * Looks for the episode of a followed podcast that has a key, on the reader thread.
 */
void
ear_catalogue_find_key_async (EarCatalogue *self,
                              const char *key,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (key != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_find_key_async);
  if (!ear_episode_is_key (key))
    g_task_return_pointer (task, g_new0 (gint64, 1), g_free);
  else if (self->reader != NULL)
    ear_catalogue_reader_find_key (self->reader, key, task);
  else
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
}

/**
 * ear_catalogue_find_key_finish:
 * @self: the catalogue
 * @result: what the callback got
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (nullable): the episode; %NULL without an error when there is none
 */
EarEpisode *
ear_catalogue_find_key_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autofree gint64 *id = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  id = take_answer (self, result, error);

  return id != NULL && *id != 0 ? ear_catalogue_dup_episode (self, *id) : NULL;
}

/**
 * ear_catalogue_flush_async:
 * @self: the catalogue
 * @cancellable: (nullable): not looked at, flushing is short
 * @callback: called when all is stored
 * @user_data: data for @callback
 *
 * Waits until everything that was queued before is stored, and its signals were emitted.
 */
void
ear_catalogue_flush_async (EarCatalogue *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_flush_async);
  if (self->closed || self->writer == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  op = ear_catalogue_op_new (EAR_OP_FLUSH, 0);
  op->task = g_steal_pointer (&task);
  ear_catalogue_push (self, op);
}

/**
 * ear_catalogue_flush_finish:
 * @self: the catalogue
 * @result: what the callback got
 * @error: return location for an error
 *
 * Returns: whether all is stored, or was told to have failed
 */
gboolean
ear_catalogue_flush_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
