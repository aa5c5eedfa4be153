/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-job.h"

#include "ear-address.h"
#include "ear-cover-header.h"
#include "ear-cover-picture.h"
#include "ear-error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define MAX_BYTES (20 * 1024 * 1024)
#define WEEK (G_GINT64_CONSTANT (7) * 24 * 60 * 60)
/* Seconds for which what has failed is left alone, doubled with each failure that follows: a cover that is
 * broken is not asked for whenever its podcast comes into view, nor at each start. */
#define FIRST_PAUSE G_GINT64_CONSTANT (30)

/* --- Looking into our own files --------------------------------------------------- */

typedef struct
{
  char *directory;
  char *address;
  EarCoverSize size;
} Look;

static void
look_free (Look *look)
{
  g_free (look->directory);
  g_free (look->address);
  g_free (look);
}

static gint64
now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

/* A clock that was set back must not keep a cover away for years. */
static gboolean
is_too_early (const EarCoverFacts *facts)
{
  return facts->retry > now () && facts->retry <= now () + WEEK;
}

static gboolean
is_stale (const EarCoverFacts *facts)
{
  return ABS (now () - facts->fetched) > WEEK && !is_too_early (facts);
}

/* In the worker for files */
static void
look_work (GTask *task, gpointer data)
{
  Look *look = data;
  g_autoptr (EarCoverFacts) facts = ear_cover_files_load_facts (look->directory, look->address);
  g_autoptr (EarCoverPair) pair = ear_cover_pair_new ();

  pair->images[look->size] = ear_cover_files_load_image (look->directory, look->address, look->size);
  if (pair->images[look->size] == NULL && is_too_early (facts))
    {
      g_autofree char *shown = ear_address_without_secrets (look->address);

      g_task_return_new_error (task, EAR_ERROR, EAR_ERROR_FAILED, "%s: failed before, and not asked again as yet", shown);
      return;
    }

  g_object_set_data (G_OBJECT (task), "stale", GINT_TO_POINTER (is_stale (facts)));
  g_task_return_pointer (task, g_steal_pointer (&pair), (GDestroyNotify) ear_cover_pair_free);
}

/* Looks whether we have a cover in our files. */
void
ear_cover_job_look_async (EarCoverWorkers *workers,
                          const char *directory,
                          const char *address,
                          EarCoverSize size,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Look *look = g_new0 (Look, 1);

  look->directory = g_strdup (directory);
  look->address = g_strdup (address);
  look->size = size;
  ear_cover_workers_run (workers, EAR_COVER_WORKER_FILES, look_work, look, (GDestroyNotify) look_free,
                         cancellable, callback, user_data);
}

/**
 * ear_cover_job_look_finish:
 * @stale: (out): whether to ask the server if the cover is still the same
 *
 * Returns: (transfer full): the picture in the size wanted, or an empty pair when it is
 *   to be fetched, or %NULL
 */
EarCoverPair *
ear_cover_job_look_finish (GAsyncResult *result, gboolean *stale, GError **error)
{
  *stale = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (result), "stale"));

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Fetching ---------------------------------------------------------------------- */

typedef struct
{
  /* Input, owned */
  EarHttp *http;
  char *directory;
  char *address;
  gboolean conditional;

  /* Input, borrowed */
  EarCoverWorkers *workers;

  /* In progress, owned */
  EarCoverFacts *facts;
  int scratch;
  guint8 magic[EAR_COVER_MAGIC_LENGTH];
  gsize magic_length;
  gboolean has_place;
  GError *error;
} Fetch;

static void
fetch_free (Fetch *fetch)
{
  g_clear_object (&fetch->http);
  g_free (fetch->directory);
  g_free (fetch->address);
  g_clear_pointer (&fetch->facts, ear_cover_facts_free);
  g_clear_fd (&fetch->scratch, NULL);
  g_clear_error (&fetch->error);
  g_free (fetch);
}

static void
release_slot (Fetch *fetch)
{
  if (!fetch->has_place)
    return;
  fetch->has_place = FALSE;
  ear_cover_workers_release_slot (fetch->workers);
}

/* In the worker for files */
static void
save_failure_work (GTask *task, gpointer data)
{
  Fetch *fetch = data;

  fetch->facts->failures++;
  fetch->facts->retry = now () + MIN (FIRST_PAUSE << MIN (fetch->facts->failures - 1, 20), WEEK);
  ear_cover_files_save_facts (fetch->directory, fetch->address, fetch->facts, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
failure_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);

  g_task_return_error (task, g_steal_pointer (&fetch->error));
}

static void
fail (GTask *task_taken, GError *error)
{
  g_autoptr (GTask) task = task_taken;
  Fetch *fetch = g_task_get_task_data (task);

  release_slot (fetch);
  /* Without a network nothing was asked. */
  if (fetch->facts == NULL || g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, error);
      return;
    }

  fetch->error = error;
  ear_cover_workers_run (fetch->workers, EAR_COVER_WORKER_FILES, save_failure_work, fetch, NULL, NULL,
                         failure_saved_cb, g_steal_pointer (&task));
}

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  EarCoverPair *pair = g_task_propagate_pointer (G_TASK (result), &error);

  if (pair == NULL)
    {
      fail (g_steal_pointer (&task), g_steal_pointer (&error));
      return;
    }

  release_slot (fetch);
  g_task_return_pointer (task, pair, (GDestroyNotify) ear_cover_pair_free);
}

/* Covers that cannot be written are shown all the same. */
static void
save_facts (Fetch *fetch)
{
  g_autoptr (GError) error = NULL;

  fetch->facts->fetched = now ();
  fetch->facts->failures = 0;
  fetch->facts->retry = 0;
  if (!ear_cover_files_save_facts (fetch->directory, fetch->address, fetch->facts, &error))
    g_debug ("Cover not kept: %s", error->message);
}

/* In the worker for files */
static void
still_the_same_work (GTask *task, gpointer data)
{
  save_facts (data);
  g_task_return_pointer (task, ear_cover_pair_new (), (GDestroyNotify) ear_cover_pair_free);
}

/* In the decoder */
static void
decode_work (GTask *task, gpointer data)
{
  Fetch *fetch = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) save_error = NULL;
  g_autoptr (GdkPixbuf) picture =
      ear_cover_picture_decode (fetch->scratch, ear_cover_size_get_pixels (EAR_COVER_LARGE),
                                g_task_get_cancellable (task), &error);
  EarCoverPair *pair;

  g_clear_fd (&fetch->scratch, NULL);
  if (picture == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  pair = ear_cover_files_save_picture (fetch->directory, fetch->address, picture, &save_error);
  if (save_error == NULL)
    save_facts (fetch);
  else
    g_debug ("Cover not kept: %s", save_error->message);
  g_task_return_pointer (task, pair, (GDestroyNotify) ear_cover_pair_free);
}

/* In a worker of EarHttp. What is no picture is not worth its bytes. */
static gboolean
check_magic (Fetch *fetch, const guint8 *data, gsize length, GError **error)
{
  gsize n = MIN (length, EAR_COVER_MAGIC_LENGTH - fetch->magic_length);

  memcpy (fetch->magic + fetch->magic_length, data, n);
  fetch->magic_length += n;
  if (n == 0 || fetch->magic_length < EAR_COVER_MAGIC_LENGTH ||
      ear_cover_header_is_known (fetch->magic, EAR_COVER_MAGIC_LENGTH))
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "no picture of a kind that is taken");

  return FALSE;
}

static gboolean
write_chunk (EarHttpResponse *response, const guint8 *data, gsize length, gpointer user_data, GError **error)
{
  Fetch *fetch = user_data;

  if (!check_magic (fetch, data, length, error))
    return FALSE;
  if (fetch->scratch < 0)
    fetch->scratch = ear_cover_files_open_scratch (fetch->directory, error);
  if (fetch->scratch < 0)
    return FALSE;

  while (length > 0)
    {
      gssize n = write (fetch->scratch, data, length);
      int code = errno;

      if (n < 0 && code != EINTR)
        {
          g_set_error_literal (error, EAR_ERROR, code == ENOSPC ? EAR_ERROR_NO_SPACE : EAR_ERROR_DAMAGED,
                               g_strerror (code));
          return FALSE;
        }
      data += MAX (n, 0);
      length -= MAX (n, 0);
    }

  return TRUE;
}

static void
take_facts (Fetch *fetch, EarHttpResponse *response)
{
  if (response->etag != NULL || !response->not_modified)
    g_set_str (&fetch->facts->etag, response->etag);
  if (response->last_modified != NULL || !response->not_modified)
    g_set_str (&fetch->facts->last_modified, response->last_modified);
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, &error);

  if (response == NULL)
    {
      fail (g_steal_pointer (&task), g_steal_pointer (&error));
      return;
    }

  take_facts (fetch, response);
  if (response->not_modified)
    ear_cover_workers_run (fetch->workers, EAR_COVER_WORKER_FILES, still_the_same_work, fetch, NULL, NULL,
                           finished_cb, g_steal_pointer (&task));
  else if (fetch->scratch < 0)
    fail (g_steal_pointer (&task), g_error_new_literal (EAR_ERROR, EAR_ERROR_FAILED, "an empty file"));
  else
    ear_cover_workers_run (fetch->workers, EAR_COVER_WORKER_DECODER, decode_work, fetch, NULL,
                           cancellable, finished_cb, g_steal_pointer (&task));
}

static void
place_taken_cb (gpointer user_data)
{
  GTask *task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (EarHttpRequest) request = ear_http_request_new (fetch->address);

  fetch->has_place = TRUE;
  request->accept = g_strdup ("image/jpeg, image/png, image/*;q=0.5");
  request->max_bytes = MAX_BYTES;
  if (fetch->conditional)
    {
      request->etag = g_strdup (fetch->facts->etag);
      request->last_modified = g_strdup (fetch->facts->last_modified);
    }
  ear_http_stream_async (fetch->http, request, write_chunk, fetch, NULL, g_task_get_cancellable (task),
                         streamed_cb, task);
}

/* In the worker for files */
static void
load_facts_work (GTask *task, gpointer data)
{
  Fetch *fetch = data;

  fetch->facts = ear_cover_files_load_facts (fetch->directory, fetch->address);
  g_task_return_boolean (task, TRUE);
}

static void
facts_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Fetch *fetch = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      fail (g_steal_pointer (&task), g_steal_pointer (&error));
      return;
    }
  ear_cover_workers_take_place (fetch->workers, place_taken_cb, g_steal_pointer (&task));
}

/**
 * ear_cover_job_fetch_async:
 * @workers: who does it; outlives the job
 * @conditional: whether we have the cover, and only want to know if it is still the same
 *
 * Fetches a cover, decodes it and keeps it in both sizes, or else what went wrong.
 */
void
ear_cover_job_fetch_async (EarCoverWorkers *workers,
                           EarHttp *http,
                           const char *directory,
                           const char *address,
                           gboolean conditional,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Fetch *fetch = g_new0 (Fetch, 1);

  fetch->workers = workers;
  fetch->http = g_object_ref (http);
  fetch->directory = g_strdup (directory);
  fetch->address = g_strdup (address);
  fetch->conditional = conditional;
  fetch->scratch = -1;
  g_task_set_source_tag (task, ear_cover_job_fetch_async);
  g_task_set_task_data (task, fetch, (GDestroyNotify) fetch_free);

  ear_cover_workers_run (workers, EAR_COVER_WORKER_FILES, load_facts_work, fetch, NULL, cancellable,
                         facts_loaded_cb, task);
}

/**
 * ear_cover_job_fetch_finish:
 *
 * Returns: (transfer full): both sizes, an empty pair if the cover is still the same,
 *   or %NULL
 */
EarCoverPair *
ear_cover_job_fetch_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
