/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-loader.h"

#include "ear-transcript-reader.h"
#include "ear-worker.h"

/* Loads the file of a transcript and joins its cues into sentences. */

typedef struct
{
  /* Owned */
  EarDocuments *documents;
  EarEpisode *episode;

  /* Input of the worker, owned */
  EarTranscript *cues;
  gint64 duration;
} Load;

static void
load_free (gpointer data)
{
  Load *load = data;

  g_object_unref (load->documents);
  g_object_unref (load->episode);
  g_clear_pointer (&load->cues, ear_transcript_unref);
  g_free (load);
}

static void
join_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Load *load = task_data;

  g_task_return_pointer (task, ear_transcript_make_sentences (load->cues, load->duration),
                         (GDestroyNotify) ear_transcript_unref);
}

static void
joined_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Load *load = g_task_get_task_data (task);
  GError *error = NULL;
  EarTranscript *transcript = g_task_propagate_pointer (G_TASK (result), &error);

  if (transcript == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  ear_catalogue_store_transcript (ear_documents_get_catalogue (load->documents), load->episode,
                                  transcript);
  g_task_return_pointer (task, transcript, (GDestroyNotify) ear_transcript_unref);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Load *load = g_task_get_task_data (task);
  GError *error = NULL;
  GTask *joining;

  load->cues = ear_documents_load_finish (load->documents, result, &error);
  if (load->cues == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  joining = g_task_new (NULL, g_task_get_cancellable (task), joined_cb, g_object_ref (task));
  g_task_set_source_tag (joining, join_thread);
  g_task_set_task_data (joining, load, NULL);
  ear_worker_run (joining, join_thread, (GDestroyNotify) ear_transcript_unref);
}

/* Loads the transcript of an episode, from its file or from the web, and adds it to the
 * search index.
 * @episode: an episode
 * @callback: called when the transcript is loaded */
void
ear_transcript_load_async (EarDocuments *documents, EarEpisode *episode, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Load *load = g_new0 (Load, 1);

  g_task_set_source_tag (task, ear_transcript_load_async);
  load->documents = g_object_ref (documents);
  load->episode = g_object_ref (episode);
  load->duration = ear_episode_get_duration (episode);
  g_task_set_task_data (task, load, load_free);
  ear_documents_load_async (documents, episode, EAR_DOCUMENT_TRANSCRIPT, cancellable, loaded_cb,
                            task);
}

/* @error: return location for an `EAR_ERROR`
 * Returns: (transfer full) (nullable): the transcript, in sentences */
EarTranscript *
ear_transcript_load_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_transcript_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
