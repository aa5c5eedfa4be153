/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-fetch.h"

#include "ear-download-file.h"
#include "ear-error.h"
#include "ear-thread.h"

/* Runs one download from its record to its file. The record is on the disk before
 * anything is fetched, and the data for resuming before any media is written. */

typedef struct
{
  /* Input, owned */
  EarHttp *http;
  EarDownloadStore *store;
  EarDownloadProgress *progress;
  gint64 reserve;

  /* In progress, owned */
  EarDownloadRecord *record;
  GMainContext *home;
  GMutex mutex;
  EarDownloadRecord *head; /* (nullable): headers of the response, under the mutex */

  /* Output */
  gint64 retry_after;
} Fetch;

static void
fetch_free (gpointer data)
{
  Fetch *fetch = data;

  g_object_unref (fetch->http);
  g_object_unref (fetch->store);
  ear_download_progress_unref (fetch->progress);
  ear_download_record_free (fetch->record);
  g_main_context_unref (fetch->home);
  g_mutex_clear (&fetch->mutex);
  g_clear_pointer (&fetch->head, ear_download_record_free);
  g_free (fetch);
}

static void
finish (GTask *task, GError *error)
{
  g_autoptr (GTask) ended = task;

  g_task_return_error (ended, error);
}

static void
named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  GError *error = NULL;
  EarDownloadRecord *record = ear_download_store_change_finish (result, &error);

  if (record == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  ear_download_record_free (fetch->record);
  fetch->record = record;
  g_task_return_boolean (task, TRUE);
}

static void
update_record (Fetch *fetch, const char *etag, const char *last_modified, const char *mime_type,
               gint64 size)
{
  g_set_str (&fetch->record->etag, etag);
  g_set_str (&fetch->record->last_modified, last_modified);
  if (mime_type != NULL)
    g_set_str (&fetch->record->mime_type, mime_type);
  fetch->record->size = size;
}

/* Stores the headers, which are needed to resume after a crash, on the thread of the
 * records. The download does not wait for the disk: with an outdated ETag, the server
 * merely refuses the range, and the download starts over. */
static void
store_head (gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (EarDownloadRecord) head = NULL;

  g_mutex_lock (&fetch->mutex);
  head = g_steal_pointer (&fetch->head);
  g_mutex_unlock (&fetch->mutex);
  if (head == NULL || g_task_get_completed (task))
    return;

  update_record (fetch, head->etag, head->last_modified, head->mime_type, head->size);
  ear_download_store_change_async (fetch->store, EAR_DOWNLOAD_CHANGE_KEEP, fetch->record, NULL,
                                   NULL);
}

/* On a worker thread */
static gboolean
head_received (const EarDownloadHead *head, gpointer user_data, GError **error)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  EarDownloadRecord *said = ear_download_record_new (NULL, NULL, NULL);

  said->etag = g_strdup (head->etag);
  said->last_modified = g_strdup (head->last_modified);
  said->mime_type = g_strdup (head->content_type);
  said->size = MAX (head->total, 0);
  g_mutex_lock (&fetch->mutex);
  g_clear_pointer (&fetch->head, ear_download_record_free);
  fetch->head = said;
  g_mutex_unlock (&fetch->mutex);
  ear_context_push (fetch->home, store_head, g_object_ref (task), g_object_unref);

  return TRUE;
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) file = ear_download_file_finish (EAR_HTTP (source), result, &error);

  /* The callback that stores the headers may not have run yet. */
  store_head (task);
  fetch->retry_after = ear_download_file_get_retry_after (EAR_HTTP (source), result);
  if (file != NULL)
    {
      update_record (fetch, file->etag, file->last_modified, file->content_type, file->total);
      fetch->record->done = g_get_real_time ();
      ear_download_store_change_async (fetch->store, EAR_DOWNLOAD_CHANGE_FINISH, fetch->record,
                                       named_cb, task);
    }
  else
    {
      finish (task, g_steal_pointer (&error));
    }
}

static void
begin (GTask *task)
{
  Fetch *fetch = g_task_get_task_data (task);
  g_autofree char *part = ear_download_store_dup_part (fetch->store, fetch->record);
  g_autoptr (EarDownloadRequest) request =
      ear_download_request_new (fetch->record->enclosure, part);

  request->podcast = g_strdup (fetch->record->podcast);
  request->etag = g_strdup (fetch->record->etag);
  request->last_modified = g_strdup (fetch->record->last_modified);
  request->reserve = fetch->reserve;
  request->head_func = head_received;
  request->head_data = task;
  request->progress = ear_download_progress_ref (fetch->progress);
  ear_download_file_async (fetch->http, request, g_task_get_cancellable (task), fetched_cb, task);
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  GError *error = NULL;
  g_autoptr (EarDownloadRecord) kept = ear_download_store_change_finish (result, &error);

  if (kept == NULL || g_cancellable_set_error_if_cancelled (g_task_get_cancellable (task), &error))
    {
      finish (task, error);
      return;
    }
  begin (task);
}

/* Fetches the media of an episode, resuming a partial download, and makes a file of it.
 * Only one fetch may run for a record.
 * @record: (transfer none): the download and its progress
 * @reserve: number of bytes to leave free on the disk */
void
ear_download_fetch_async (EarHttp *http,
                          EarDownloadStore *store,
                          const EarDownloadRecord *record,
                          gint64 reserve,
                          EarDownloadProgress *progress,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Fetch *fetch = g_new0 (Fetch, 1);

  g_task_set_source_tag (task, ear_download_fetch_async);
  /* A finished file stays finished, even if the download is canceled at that moment. */
  g_task_set_check_cancellable (task, FALSE);
  fetch->http = g_object_ref (http);
  fetch->store = g_object_ref (store);
  fetch->progress = ear_download_progress_ref (progress);
  fetch->reserve = reserve;
  fetch->record = ear_download_record_copy (record);
  fetch->home = g_main_context_ref (g_task_get_context (task));
  g_mutex_init (&fetch->mutex);
  g_task_set_task_data (task, fetch, fetch_free);

  ear_download_store_change_async (fetch->store, EAR_DOWNLOAD_CHANGE_KEEP, fetch->record, kept_cb,
                                   task);
}

/* @record: (out) (transfer full): the updated record, also on an error */
gboolean
ear_download_fetch_finish (GAsyncResult *result, EarDownloadRecord **record, GError **error)
{
  Fetch *fetch;

  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_fetch_async), FALSE);

  fetch = g_task_get_task_data (G_TASK (result));
  *record = ear_download_record_copy (fetch->record);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Returns: the number of seconds after which a busy server may be asked again; 0 if it
 * did not say */
gint64
ear_download_fetch_get_retry_after (GAsyncResult *result)
{
  return ((Fetch *) g_task_get_task_data (G_TASK (result)))->retry_after;
}
