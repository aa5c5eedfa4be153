/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-file.h"

#include "ear-download-content.h"
#include "ear-download-part.h"
#include "ear-error.h"
#include "ear-http-failure.h"
#include "ear-http-range.h"
#include "ear-thread.h"

#define MEBIBYTE (G_GINT64_CONSTANT (1024) * 1024)
#define DEFAULT_MAX_BYTES (4096 * MEBIBYTE)

/* Free space on the disk is checked once per this many bytes. */
#define ROOM_INTERVAL (16 * MEBIBYTE)

/* Bytes needed to decide whether a response is media */
#define HEAD_SIZE 1024

/* The longest chain of playlists that is followed */
#define MAX_PLAYLISTS 3

/* A resumed download fetches this much of the existing file again and compares it: an
 * episode assembled for each listener, with other advertisements, may have the same
 * entity tag, and a power cut may have lost the last write. It also makes sure that there
 * is a byte to request when none is missing. */
#define OVERLAP (16 * 1024)

/* One download. A worker opens the file, workers of EarHttp fill it, and a worker
 * finishes it. One thread owns it at any time. */
typedef struct
{
  /* Input, owned */
  EarDownloadRequest *request;

  /* In progress, owned */
  EarDownloadPart *part;
  GByteArray *head; /* first bytes of a response of unknown kind, or a whole playlist */
  char *target;     /* (nullable): URL from a playlist, to be fetched next */

  gint64 have;       /* size of the existing file */
  gint64 position;   /* offset of the next byte */
  gint64 total;      /* size of the whole file, -1: unknown */
  gint64 checked;    /* offset of the last check of free space */
  gboolean whole;    /* fetch the whole file, do not resume */
  gboolean begun;    /* writing has begun */
  gboolean differs;  /* the response does not continue the existing file */
  gboolean keepable; /* the existing file can be resumed */
  gboolean playlist; /* the response is a playlist */
  guint n_playlists;

  /* Output */
  EarHttpResponse *response;
  GError *error;
  gint64 retry_after;
} Download;

static void
download_free (Download *self)
{
  ear_download_request_free (self->request);
  g_clear_pointer (&self->part, ear_download_part_close);
  g_byte_array_unref (self->head);
  g_free (self->target);
  g_clear_pointer (&self->response, ear_http_response_unref);
  g_clear_error (&self->error);
  g_free (self);
}

static void
notify_progress (Download *self, gint64 received)
{
  ear_download_progress_set (self->request->progress, received, self->begun ? self->total : 0);
}

static void
set_failure (Download *self, GError **error, EarError code, const char *what)
{
  g_propagate_error (error, ear_http_failure_new (code, self->request->address, what));
}

/* --- In the workers of EarHttp ---------------------------------------------------- */

/* A partial response may lack the entity tag. */
static const char *
get_etag (Download *self, const EarHttpResponse *response)
{
  return response->first_byte > 0 ? self->request->etag : response->etag;
}

static const char *
get_last_modified (Download *self, const EarHttpResponse *response)
{
  return response->first_byte > 0 ? self->request->last_modified : response->last_modified;
}

static gboolean
notify_head (Download *self, const EarHttpResponse *response, GError **error)
{
  const EarDownloadHead head = {
    .etag = self->keepable ? get_etag (self, response) : NULL,
    .last_modified = self->keepable ? get_last_modified (self, response) : NULL,
    .first_byte = response->first_byte,
    .total = self->total,
  };

  return self->request->head_func (&head, self->request->head_data, error);
}

static gboolean
begin (Download *self, const EarHttpResponse *response, GError **error)
{
  self->total = response->total;
  if (self->total >= 0 &&
      !ear_download_part_has_room (self->part, MAX (self->total - self->have, 0), self->request->reserve, error))
    return FALSE;

  if (response->first_byte == 0)
    {
      if (!ear_download_part_empty (self->part, error))
        return FALSE;
      self->have = 0;
      self->keepable = !response->compressed && ear_http_range_find_condition (response->etag, response->last_modified) != NULL;
    }
  self->position = self->checked = response->first_byte;
  self->begun = TRUE;

  return notify_head (self, response, error);
}

/* Returns: whether the response continues the existing file: the overlapping bytes are
 *   equal */
static gboolean
goes_on (Download *self, const guint8 *data, gsize known)
{
  return (self->total < 0 || self->total >= self->have) &&
         ear_download_part_matches (self->part, self->position, data, known);
}

static gboolean
check_room (Download *self, GError **error)
{
  if (self->position - self->checked < ROOM_INTERVAL)
    return TRUE;
  self->checked = self->position;

  return ear_download_part_has_room (self->part, 0, self->request->reserve, error);
}

static gboolean
write_body (Download *self, const guint8 *data, gsize length, GError **error)
{
  const gsize known = (gsize) CLAMP (self->have - self->position, 0, (gint64) length);

  if (!goes_on (self, data, known))
    {
      self->differs = TRUE;
      set_failure (self, error, EAR_ERROR_FAILED, "the rest is that of something else");
      return FALSE;
    }
  if (!ear_download_part_write (self->part, self->position + (gint64) known, data + known,
                                length - known, error))
    return FALSE;

  self->position += (gint64) length;
  notify_progress (self, MAX (self->position, self->have));

  return check_room (self, error);
}

/* Writes the first bytes of a response only if they are media: the page of a captive
 * portal must not replace an existing part. */
static gboolean
take_head (Download *self, const EarHttpResponse *response, GError **error)
{
  gboolean taken = FALSE;

  switch (ear_download_find_content (response->final_address, response->content_type,
                                     self->head->data, self->head->len))
    {
    case EAR_MEDIA_CONTENT_PAGE:
      set_failure (self, error, EAR_ERROR_WEB_PAGE, "a web page, not sound");
      return FALSE;
    case EAR_MEDIA_CONTENT_PICTURE:
    case EAR_MEDIA_CONTENT_DOCUMENT:
      set_failure (self, error, EAR_ERROR_NOT_A_FEED, "a picture or a document, not sound");
      return FALSE;
    case EAR_MEDIA_CONTENT_STREAM:
      set_failure (self, error, EAR_ERROR_STREAM_ONLY, "a playlist of the pieces of a stream");
      return FALSE;
    case EAR_MEDIA_CONTENT_PLAYLIST:
      self->playlist = TRUE;
      return TRUE;
    case EAR_MEDIA_CONTENT_UNKNOWN:
      taken = begin (self, response, error) &&
              write_body (self, self->head->data, self->head->len, error);
      g_byte_array_set_size (self->head, 0);
      return taken;
    default:
      g_assert_not_reached ();
    }
}

static gboolean
take_chunk (EarHttpResponse *response,
            const guint8 *data,
            gsize length,
            gpointer user_data,
            GError **error)
{
  Download *self = user_data;

  /* The rest of a file whose start was media */
  if (!self->begun && response->first_byte > 0 && !begin (self, response, error))
    return FALSE;
  if (self->begun)
    return write_body (self, data, length, error);

  if (self->head->len + length > EAR_PLAYLIST_LIMIT)
    {
      set_failure (self, error, EAR_ERROR_NOT_A_FEED, "a playlist without an end");
      return FALSE;
    }
  g_byte_array_append (self->head, data, (guint) length);

  return self->playlist || self->head->len < HEAD_SIZE || take_head (self, response, error);
}

/* --- In a worker thread ----------------------------------------------------------- */

static void
open_part (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Download *self = task_data;
  g_autoptr (GError) error = NULL;

  self->part = ear_download_part_open (self->request->path, &error);
  if (self->part != NULL)
    {
      self->have = ear_download_part_get_size (self->part);
      notify_progress (self, self->have);
      ear_download_part_has_room (self->part, 0, self->request->reserve, &error);
    }

  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, self, NULL);
}

/* A complete response may be shorter than the rest of the file: a server may send less
 * than the requested range. */
static gboolean
check_length (Download *self, GError **error)
{
  if (!self->begun && self->response->first_byte == 0)
    {
      set_failure (self, error, EAR_ERROR_NO_MEDIA, "there is nothing in it");
      return FALSE;
    }
  if (!self->begun || self->position < self->have || (self->total >= 0 && self->position != self->total))
    {
      self->keepable = self->keepable && (self->total < 0 || self->position < self->total);
      set_failure (self, error, EAR_ERROR_INCOMPLETE, "it is not as long as was said");
      return FALSE;
    }

  return TRUE;
}

/* Completes the response with the facts of the whole file. */
static void
complete_response (Download *self)
{
  g_set_str (&self->response->etag, get_etag (self, self->response));
  g_set_str (&self->response->last_modified, get_last_modified (self, self->response));
  self->response->total = self->position;
}

/* Finds the single file in a playlist. */
static gboolean
find_target (Download *self, GError **error)
{
  g_auto (GStrv) addresses = NULL;

  if (ear_media_content_sniff (self->head->data, self->head->len) == EAR_MEDIA_CONTENT_STREAM)
    {
      set_failure (self, error, EAR_ERROR_STREAM_ONLY, "a playlist of the pieces of a stream");
      return FALSE;
    }
  addresses = ear_playlist_parse ((const char *) self->head->data, self->head->len,
                                  self->response->final_address);
  if (g_strv_length (addresses) == 1 && self->n_playlists < MAX_PLAYLISTS)
    {
      self->target = g_strdup (addresses[0]);
      return TRUE;
    }
  if (addresses[0] == NULL)
    set_failure (self, error, EAR_ERROR_NOT_A_FEED, "a playlist with nothing in it");
  else if (addresses[1] == NULL)
    set_failure (self, error, EAR_ERROR_REDIRECTS, "a playlist of playlists");
  else
    set_failure (self, error, EAR_ERROR_STREAM_ONLY, "a playlist of several files");

  return FALSE;
}

static gboolean
is_worth_keeping (Download *self)
{
  return self->keepable && ear_download_part_get_size (self->part) > 0 &&
         !g_error_matches (self->error, EAR_ERROR, EAR_ERROR_TOO_LARGE);
}

static void
settle (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Download *self = task_data;

  /* The response is shorter than HEAD_SIZE. */
  if (self->error == NULL && !self->begun && !self->playlist && self->head->len > 0)
    take_head (self, self->response, &self->error);
  if (self->error == NULL && self->playlist && find_target (self, &self->error))
    {
      g_task_return_pointer (task, self, NULL);
      return;
    }
  if (self->error == NULL && check_length (self, &self->error) && ear_download_part_sync (self->part, &self->error))
    complete_response (self);
  if (self->error != NULL && !is_worth_keeping (self))
    {
      ear_download_part_remove (self->part);
      notify_progress (self, 0);
    }
  g_clear_pointer (&self->part, ear_download_part_close);

  g_task_return_pointer (task, self, NULL);
}

/* --- In the caller's thread ------------------------------------------------------- */

static void
run (GTask *task, GTaskThreadFunc func, GAsyncReadyCallback callback)
{
  GTask *step = g_task_new (NULL, NULL, callback, task);

  g_task_set_source_tag (step, ear_download_file_async);
  g_task_set_task_data (step, g_task_get_task_data (task), NULL);
  ear_worker_run (step, func, NULL);
}

static void stream (GTask *task);

/* Downloads the file of a playlist. */
static void
follow_target (GTask *task)
{
  Download *self = g_task_get_task_data (task);

  g_free (self->request->address);
  self->request->address = g_steal_pointer (&self->target);
  self->n_playlists++;
  g_clear_pointer (&self->response, ear_http_response_unref);
  stream (task);
}

static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Download *self = g_task_get_task_data (task);

  g_task_propagate_pointer (G_TASK (result), NULL);
  if (self->target != NULL)
    follow_target (g_steal_pointer (&task));
  else if (self->error == NULL)
    g_task_return_pointer (task, g_steal_pointer (&self->response), (GDestroyNotify) ear_http_response_unref);
  else
    g_task_return_error (task, g_steal_pointer (&self->error));
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Download *self = g_task_get_task_data (task);

  self->retry_after = ear_http_get_retry_after (EAR_HTTP (source), result);
  self->response = ear_http_stream_finish (EAR_HTTP (source), result, &self->error);
  if (!self->differs)
    {
      run (task, settle, settled_cb);
      return;
    }

  g_clear_error (&self->error);
  self->whole = TRUE;
  stream (task);
}

static void
stream (GTask *task)
{
  Download *self = g_task_get_task_data (task);
  g_autoptr (EarHttpRequest) request = ear_http_request_new (self->request->address);

  self->begun = self->differs = self->playlist = FALSE;
  g_byte_array_set_size (self->head, 0);
  request->podcast = g_strdup (self->request->podcast);
  request->identity = TRUE;
  request->max_bytes = self->request->max_bytes > 0 ? self->request->max_bytes : DEFAULT_MAX_BYTES;
  if (self->keepable && !self->whole && self->have > OVERLAP)
    {
      request->first_byte = self->have - OVERLAP;
      request->etag = g_strdup (self->request->etag);
      request->last_modified = g_strdup (self->request->last_modified);
    }

  ear_http_stream_async (g_task_get_source_object (task), request, take_chunk, self,
                         g_task_get_cancellable (task), streamed_cb, task);
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Download *self = g_task_get_task_data (task);

  g_task_propagate_pointer (G_TASK (result), &self->error);
  if (self->error == NULL)
    stream (g_steal_pointer (&task));
  else if (self->part != NULL)
    run (g_steal_pointer (&task), settle, settled_cb);
  else
    g_task_return_error (task, g_steal_pointer (&self->error));
}

/**
 * ear_download_file_async:
 * @http: fetches
 * @request: (transfer none): the URL and the file; it is copied
 * @cancellable: (nullable): may be cancelled by any thread at any time
 * @callback: (scope async) (nullable): called when the download has ended
 * @user_data: data for @callback
 *
 * Downloads a URL into a file. An existing file is resumed if the server confirms that
 * its content is unchanged; otherwise the download starts again. If the download is
 * canceled, cut off or out of space, the file stays if it can be resumed, and is deleted
 * otherwise. Only one download may use a file at a time; a canceled one has not ended
 * before its callback.
 *
 * A playlist of a single file is followed. Web pages, pictures and streams are rejected
 * by their bytes, and so are files that would fill the disk. The calling thread never
 * waits for the disk.
 */
void
ear_download_file_async (EarHttp *http,
                         const EarDownloadRequest *request,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Download *self;

  g_return_if_fail (EAR_IS_HTTP (http));
  g_return_if_fail (request != NULL && request->address != NULL && request->path != NULL);

  self = g_new0 (Download, 1);
  self->request = ear_download_request_copy (request);
  self->head = g_byte_array_new ();
  self->total = -1;
  self->keepable = ear_http_range_find_condition (request->etag, request->last_modified) != NULL;

  task = g_task_new (http, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_download_file_async);
  g_task_set_task_data (task, self, (GDestroyNotify) download_free);
  run (g_steal_pointer (&task), open_part, opened_cb);
}

/**
 * ear_download_file_finish:
 * @http: fetches
 * @result: the result passed to the callback
 * @error: return location: %G_IO_ERROR_CANCELLED, the error of the head function, or an
 *   #EarError: %EAR_ERROR_WEB_PAGE, %EAR_ERROR_NOT_A_FEED and %EAR_ERROR_NO_MEDIA for
 *   responses other than audio, %EAR_ERROR_STREAM_ONLY for streams without a file,
 *   %EAR_ERROR_NO_SPACE for a full or read-only disk, %EAR_ERROR_INCOMPLETE for a file
 *   that can be resumed, %EAR_ERROR_TOO_LARGE, and those of ear_http_stream_finish()
 *
 * Returns: (transfer full): the facts of the whole file: its `etag`, `last_modified`, and
 *   its size as `total`; or %NULL
 */
EarHttpResponse *
ear_download_file_finish (EarHttp *http, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, http), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_file_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_download_file_get_retry_after:
 * @http: fetches
 * @result: the result passed to the callback
 *
 * Returns: the seconds after which a busy server wants to be asked again; 0 if unknown
 */
gint64
ear_download_file_get_retry_after (EarHttp *http, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, http), 0);
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_download_file_async), 0);

  return ((Download *) g_task_get_task_data (G_TASK (result)))->retry_after;
}
