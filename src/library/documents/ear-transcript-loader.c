/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-loader.h"

#include "ear-error.h"
#include "ear-transcript-link.h"
#include "ear-transcript-reader.h"
#include "ear-worker.h"

/* From the file that an episode names to what is said in it. */

typedef struct
{
  /* Owned */
  EarDocuments *documents;
  EarEpisode *episode;
  char *address;

  /* What the worker needs, owned */
  char *mime_type; /* (nullable) */
  GBytes *bytes;
  gint64 duration;
} Load;

static void
load_free (gpointer data)
{
  Load *load = data;

  g_object_unref (load->documents);
  g_object_unref (load->episode);
  g_free (load->address);
  g_free (load->mime_type);
  g_clear_pointer (&load->bytes, g_bytes_unref);
  g_free (load);
}

static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Load *load = task_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarTranscript) cues = ear_transcript_read (load->bytes, load->mime_type, &error);

  if (cues != NULL)
    g_task_return_pointer (task, ear_transcript_make_sentences (cues, load->duration), (GDestroyNotify) ear_transcript_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* What is no transcript is not to be found in our files the next time. */
static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Load *load = g_task_get_task_data (task);
  GError *error = NULL;
  EarTranscript *transcript = g_task_propagate_pointer (G_TASK (result), &error);

  if (transcript != NULL)
    {
      ear_catalogue_store_transcript (ear_documents_get_catalogue (load->documents), load->episode, transcript);
      g_task_return_pointer (task, transcript, (GDestroyNotify) ear_transcript_unref);
      return;
    }
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_documents_discard (load->documents, load->episode, load->address);
  g_task_return_error (task, error);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Load *load = g_task_get_task_data (task);
  GError *error = NULL;
  GTask *reading;

  load->bytes = ear_documents_load_finish (load->documents, result, &error);
  if (load->bytes == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  reading = g_task_new (NULL, g_task_get_cancellable (task), read_cb, g_object_ref (task));
  g_task_set_source_tag (reading, read_thread);
  g_task_set_task_data (reading, load, NULL);
  ear_worker_run (reading, read_thread, (GDestroyNotify) ear_transcript_unref);
}

/**
 * ear_transcript_load_async:
 * @episode: an episode
 * @callback: called when it is there
 *
 * Reads the transcript of an episode, from our files or from the web. From then on searches find what is said in it.
 */
void
ear_transcript_load_async (EarDocuments *documents, EarEpisode *episode,
                           GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const EarTranscriptLink *link = ear_transcript_find_link (episode);
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Load *load;

  g_task_set_source_tag (task, ear_transcript_load_async);
  if (link == NULL)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_FOUND, "The feed names no transcript");
      g_object_unref (task);
      return;
    }
  load = g_new0 (Load, 1);
  load->documents = g_object_ref (documents);
  load->episode = g_object_ref (episode);
  load->address = g_strdup (link->address);
  load->mime_type = g_strdup (link->mime_type);
  load->duration = ear_episode_get_duration (episode);
  g_task_set_task_data (task, load, load_free);
  ear_documents_load_async (documents, episode, link->address, cancellable, loaded_cb, task);
}

/**
 * ear_transcript_load_finish:
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: (transfer full) (nullable): what is said in it, in sentences
 */
EarTranscript *
ear_transcript_load_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_transcript_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
