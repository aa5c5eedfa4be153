/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-cache-private.h"

#include "ear-address.h"
#include "ear-cover-picture.h"
#include "ear-error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Loads a cover from its file, or from the web into its file. */

#define MAX_BYTES (20 * 1024 * 1024)
#define MAX_FETCHES 4
#define WEEK (G_GINT64_CONSTANT (7) * 24 * 60 * 60)
/* Seconds before a failed cover is retried, doubled with each further failure: a broken
 * cover must not be requested whenever its podcast comes into view, nor at each start. */
#define FIRST_PAUSE G_GINT64_CONSTANT (30)

static gint64
now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

static void
next_once (gpointer data)
{
  EarCoverLoad *load = data;

  load->next (load);
}

static void
work_once (gpointer data)
{
  EarCoverLoad *load = data;

  if (load->error != NULL || !g_cancellable_set_error_if_cancelled (load->cancellable, &load->error))
    load->work (load);
  ear_context_push (NULL, next_once, load, NULL);
}

static void
run (EarCoverLoad *load, EarCoverWorker worker, EarCoverLoadFunc work, EarCoverLoadFunc next)
{
  load->work = work;
  load->next = next;
  ear_thread_push (load->cache->workers[worker], work_once, load);
}

/* --- Reading files ------------------------------------------------------------------ */

/* Returns: whether a retry has to wait. A clock that was set back must not block a cover
 *   for years. */
static gboolean
is_too_early (const EarCoverFacts *facts)
{
  return facts->retry > now () && facts->retry <= now () + WEEK;
}

static void
look (EarCoverLoad *load)
{
  const char *directory = load->cache->directory;

  load->facts = ear_cover_files_load_facts (directory, load->address);
  load->images[load->size] = ear_cover_files_load_image (directory, load->address, load->size);
  if (load->images[load->size] == NULL && is_too_early (load->facts))
    {
      g_autofree char *shown = ear_address_without_secrets (load->address);

      g_set_error (&load->error, EAR_ERROR, EAR_ERROR_FAILED, "%s: failed before, and not asked again as yet", shown);
    }
}

/* Reads a cover from its file, in the requested size. */
void
ear_cover_load_look (EarCoverLoad *load, EarCoverLoadFunc next)
{
  run (load, EAR_COVER_WORKER_FILES, look, next);
}

/* Returns: whether the server has to be asked if the cover has changed */
gboolean
ear_cover_load_is_stale (EarCoverLoad *load)
{
  return ABS (now () - load->facts->fetched) > WEEK && !is_too_early (load->facts);
}

/* --- Fetching ---------------------------------------------------------------------- */

static void
save_facts (EarCoverLoad *load)
{
  g_autoptr (GError) error = NULL;

  /* A cover that cannot be stored is still shown. */
  if (!ear_cover_files_save_facts (load->cache->directory, load->address, load->facts, &error))
    g_debug ("Cover not kept: %s", error->message);
}

static void
save_success (EarCoverLoad *load)
{
  load->facts->fetched = now ();
  load->facts->failures = 0;
  load->facts->retry = 0;
  save_facts (load);
}

static void
save_failure (EarCoverLoad *load)
{
  load->facts->failures++;
  load->facts->retry = now () + MIN (FIRST_PAUSE << MIN (load->facts->failures - 1, 20), WEEK);
  save_facts (load);
}

static void
decode (EarCoverLoad *load)
{
  g_autoptr (GError) save_error = NULL;
  g_autoptr (GdkPixbuf) picture =
      ear_cover_picture_decode (load->scratch, ear_cover_size_get_pixels (EAR_COVER_LARGE), load->cancellable, &load->error);

  g_clear_fd (&load->scratch, NULL);
  if (picture == NULL)
    return;

  ear_cover_files_save_picture (load->cache->directory, load->address, picture, load->images, &save_error);
  if (save_error == NULL)
    save_success (load);
  else
    g_debug ("Cover not kept: %s", save_error->message);
}

/* Aborts the fetch of a file that is not a picture. Called on a worker thread of
 * EarHttp. */
static gboolean
check_magic (EarCoverLoad *load, const guint8 *data, gsize length, GError **error)
{
  gsize n = MIN (length, EAR_COVER_MAGIC_LENGTH - load->magic_length);

  memcpy (load->magic + load->magic_length, data, n);
  load->magic_length += n;
  if (n == 0 || load->magic_length < EAR_COVER_MAGIC_LENGTH || ear_cover_header_is_known (load->magic, EAR_COVER_MAGIC_LENGTH))
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "no picture of a kind that is taken");

  return FALSE;
}

static gboolean
write_chunk (EarHttpResponse *response, const guint8 *data, gsize length, gpointer user_data, GError **error)
{
  EarCoverLoad *load = user_data;

  if (!check_magic (load, data, length, error))
    return FALSE;
  if (load->scratch < 0)
    load->scratch = ear_cover_files_open_scratch (load->cache->directory, error);
  if (load->scratch < 0)
    return FALSE;

  while (length > 0)
    {
      gssize n = write (load->scratch, data, length);
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
take_facts (EarCoverLoad *load, EarHttpResponse *response)
{
  if (response->etag != NULL || !response->not_modified)
    g_set_str (&load->facts->etag, response->etag);
  if (response->last_modified != NULL || !response->not_modified)
    g_set_str (&load->facts->last_modified, response->last_modified);
}

static void send_next (EarCoverCache *cache);

static void
end (EarCoverLoad *load)
{
  /* Offline or canceled: no server has failed. */
  if (load->error == NULL || g_error_matches (load->error, EAR_ERROR, EAR_ERROR_OFFLINE) ||
      g_error_matches (load->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    load->fetched (load);
  else
    run (load, EAR_COVER_WORKER_FILES, save_failure, load->fetched);
}

static void
finish (EarCoverLoad *load)
{
  load->cache->n_fetched--;
  send_next (load->cache);
  end (load);
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarCoverLoad *load = user_data;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, &load->error);

  if (response == NULL)
    {
      finish (load);
      return;
    }

  take_facts (load, response);
  if (response->not_modified)
    {
      run (load, EAR_COVER_WORKER_FILES, save_success, finish);
    }
  else if (load->scratch < 0)
    {
      g_set_error_literal (&load->error, EAR_ERROR, EAR_ERROR_FAILED, "an empty file");
      finish (load);
    }
  else
    {
      run (load, EAR_COVER_WORKER_DECODER, decode, finish);
    }
}

static void
send_next (EarCoverCache *cache)
{
  g_autoptr (EarHttpRequest) request = NULL;
  EarCoverLoad *load;

  if (cache->n_fetched == MAX_FETCHES || g_queue_is_empty (&cache->waiting))
    return;

  load = g_queue_pop_head (&cache->waiting);
  cache->n_fetched++;
  request = ear_http_request_new (load->address);
  request->accept = g_strdup ("image/jpeg, image/png, image/*;q=0.5");
  request->max_bytes = MAX_BYTES;
  if (load->checking)
    {
      request->etag = g_strdup (load->facts->etag);
      request->last_modified = g_strdup (load->facts->last_modified);
    }
  ear_http_stream_async (cache->http, request, write_chunk, load, load->cancellable, streamed_cb, load);
}

/* Fetches and decodes a cover, and stores both sizes, or the failure.
 * @load: a load without a picture
 * @fetched: called with both sizes, with none if a revalidated cover is unchanged, or
 *   with an error */
void
ear_cover_load_fetch (EarCoverLoad *load, EarCoverLoadFunc fetched)
{
  load->fetched = fetched;
  g_queue_push_tail (&load->cache->waiting, load);
  send_next (load->cache);
}

static void
decode_given (EarCoverLoad *load)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (load->given, &length);

  if (write_chunk (NULL, data, length, load, &load->error))
    decode (load);
  g_clear_fd (&load->scratch, NULL);
}

/* Decodes a picture supplied by a caller, and stores both sizes, or the failure, like a
 * fetched one.
 * @load: a load without a picture
 * @taken: called with both sizes, or an error */
void
ear_cover_load_take (EarCoverLoad *load, GBytes *bytes, EarCoverLoadFunc taken)
{
  load->fetched = taken;
  load->given = g_bytes_ref (bytes);
  run (load, EAR_COVER_WORKER_DECODER, decode_given, end);
}
