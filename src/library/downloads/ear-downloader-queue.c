/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-download-policy.h"

#include <glib/gi18n-lib.h>

/* Runs the queue: in order, few at a time, with retries after temporary errors. */

/* Maximum number of downloads that run at once. More would only share the bandwidth,
 * which the playing stream needs, too. EarHttp has connections left for feeds and covers
 * of the same host. */
#define RUN_LIMIT 4

/* An attempt that has fetched this many bytes resets the count of failed attempts. */
#define PROGRESS_BYTES (256 * 1024)

/* Milliseconds between updates of the progress */
#define TICK_INTERVAL 250

static void run (EarDownloader   *self,
                 EarDownloadItem *item);

static gboolean
tick_cb (gpointer user_data)
{
  EarDownloader *self = user_data;
  gboolean running = FALSE;

  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      running = running || item->progress != NULL;
      ear_download_item_notify_progress (item);
    }
  ear_downloader_count (self);
  if (running)
    return G_SOURCE_CONTINUE;
  self->tick_source = 0;

  return G_SOURCE_REMOVE;
}

/* On a metered network, only downloads requested in this session run, unless the listener
 * allows all. */
static gboolean
is_allowed (EarDownloader *self, const EarDownloadItem *item)
{
  return item->asked || self->on_metered || !g_network_monitor_get_network_metered (self->network);
}

typedef struct
{
  const EarDownloadItem *items[RUN_LIMIT];
  guint n_items;
} Running;

static void
find_running (EarDownloader *self, Running *running)
{
  running->n_items = 0;
  for (guint i = 0; i < self->items->len && running->n_items < RUN_LIMIT; i++)
    {
      const EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->progress != NULL)
        running->items[running->n_items++] = item;
    }
}

static gboolean
has_turn (EarDownloader *self, const Running *running, const EarDownloadItem *asking)
{
  guint n_same_host = 0;

  for (guint i = 0; i < running->n_items; i++)
    n_same_host += g_strcmp0 (running->items[i]->host, asking->host) == 0;

  return n_same_host < self->host_limit && running->n_items < RUN_LIMIT;
}

static void
wake_cb (gpointer user_data)
{
  EarDownloader *self = user_data;

  self->wake_source = 0;
  ear_downloader_pump (self);
}

static void
wake_later (EarDownloader *self, gint64 when)
{
  const gint64 pause = MAX (when - g_get_monotonic_time (), 0) / G_TIME_SPAN_MILLISECOND + 1;

  self->wake_source = g_timeout_add_once (MIN (pause, G_MAXINT), wake_cb, self);
}

/* Starts the downloads that may run now. */
void
ear_downloader_pump (EarDownloader *self)
{
  const gint64 now = g_get_monotonic_time ();
  gint64 next = G_MAXINT64;
  Running running;

  g_clear_handle_id (&self->wake_source, g_source_remove);
  if (self->stopped || !self->loaded || self->moving != NULL)
    return;
  find_running (self, &running);
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->state != EAR_DOWNLOAD_WAITING || item->busy || !item->followed ||
          !is_allowed (self, item))
        continue;
      if (item->not_before > now)
        next = MIN (next, item->not_before);
      else if (has_turn (self, &running, item))
        {
          running.items[running.n_items++] = item;
          run (self, item);
        }
    }
  if (next < G_MAXINT64)
    wake_later (self, next);
  ear_downloader_count (self);
}

/* Delays all downloads: without a network or disk space, none of them would succeed. */
static void
put_off_all (EarDownloader *self, gint64 until)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      item->not_before = MAX (item->not_before, until);
    }
}

/* Shows one notice, not one for each of a hundred episodes. */
static void
tell_no_space (EarDownloader *self)
{
  if (self->told_no_space)
    return;
  self->told_no_space = TRUE;
  ear_notices_add (self->notices, _("Disk space is low. Downloads resume once there is more."),
                   TRUE);
}

/* Returns: whether the disk is at fault, which affects all downloads */
static gboolean
is_about_disk (EarDownloader *self, const GError *error)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    tell_no_space (self);
  else
    return g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_FOLDER) && !self->available;

  return TRUE;
}

/* Handles a failed attempt, which may have made progress. A missing folder overrides the
 * error, as it is its cause. */
static void
take_failure (EarDownloader *self, EarDownloadItem *item, const GError *failure, gint64 retry_after)
{
  g_autoptr (GError) gone =
      ear_downloader_miss_folder (self)
          ? g_error_new_literal (EAR_ERROR, EAR_ERROR_NO_FOLDER, failure->message)
          : NULL;
  const GError *error = gone != NULL ? gone : failure;
  gint64 received, total, pause;

  ear_download_progress_get (item->progress, &received, &total);
  item->tries = received - item->received >= PROGRESS_BYTES ? 1 : item->tries + 1;
  /* After much data, the next refusal may again be answered with a new URL. */
  item->renewed = item->renewed && item->tries > 1;
  item->received = received;
  pause = ear_download_policy_get_pause (error, item->tries, retry_after);
  if (pause < 0)
    {
      ear_download_item_set_state (item, EAR_DOWNLOAD_FAILED, error);
      ear_downloader_mark (self, item);
      return;
    }
  item->not_before =
      g_get_monotonic_time () + (gint64) ((double) pause * self->pause_scale * G_TIME_SPAN_SECOND);
  if (is_about_disk (self, error) || (g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) &&
                                      !g_network_monitor_get_network_available (self->network)))
    put_off_all (self, item->not_before);
  ear_download_item_set_state (item, EAR_DOWNLOAD_WAITING, error);
}

/* Marks a download as done. */
void
ear_downloader_take_file (EarDownloader *self, EarDownloadItem *item)
{
  self->told_no_space = FALSE;
  ear_download_item_set_state (item, EAR_DOWNLOAD_DONE, NULL);
  ear_downloader_mark (self, item);
  g_signal_emit_by_name (self, "moved", item->key);
  g_clear_object (&item->episode);
}

/* Ends a run.
 * @error: (nullable): the error; %NULL when the file is complete */
static void
end_run (EarDownloader *self, EarDownloadItem *item, const GError *error, gint64 retry_after)
{
  if (item->removed)
    ear_download_item_notify_removal (item);
  else if (error == NULL)
    ear_downloader_take_file (self, item);
  /* Canceled by pausing, by a removal that was undone, or at the end of the session */
  else if (item->record->paused)
    ear_downloader_keep_paused (self, item);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_download_item_set_state (item, EAR_DOWNLOAD_WAITING, NULL);
  else
    take_failure (self, item, error, retry_after);
  g_clear_pointer (&item->progress, ear_download_progress_unref);
  g_clear_object (&item->cancellable);
  ear_downloader_settle (self, item);
}

static void fetch (EarDownloader *self, EarDownloadItem *item);

/* A refused download whose feed is asked for a new URL */
typedef struct
{
  EarDownloadItem *item;
  GError *error;
  gint64 retry_after;
} Refusal;

static void
renewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Refusal *refusal = user_data;
  EarDownloadItem *item = refusal->item;
  g_autoptr (EarDownloader) self = EAR_DOWNLOADER (g_steal_pointer (&item->owner));
  g_autoptr (GError) error = g_steal_pointer (&refusal->error);
  g_autofree char *address = ear_refresher_renew_address_finish (EAR_REFRESHER (source), result);

  if (g_cancellable_is_cancelled (item->cancellable))
    {
      g_clear_error (&error);
      g_cancellable_set_error_if_cancelled (item->cancellable, &error);
    }
  else if (address != NULL)
    {
      ear_download_item_set_enclosure (item, address);
      fetch (self, item);
      return;
    }
  end_run (self, item, error, refusal->retry_after);
}

/* Asks the feed for a new URL, once until data has arrived.
 * Returns: whether the request runs */
static gboolean
renew_address (EarDownloader *self, EarDownloadItem *item, const GError *error, gint64 retry_after)
{
  Refusal *refusal;

  if (item->renewed || item->removed || item->record->paused || item->episode == NULL ||
      self->refresher == NULL ||
      !ear_download_policy_may_have_moved (error, item->record->enclosure))
    return FALSE;

  item->renewed = TRUE;
  item->owner = g_object_ref (G_OBJECT (self));
  refusal = g_new0 (Refusal, 1);
  refusal->item = item;
  refusal->error = g_error_copy (error);
  refusal->retry_after = retry_after;
  ear_refresher_renew_address_async (self->refresher, item->episode, item->record->enclosure,
                                     item->cancellable, renewed_cb, refusal);

  return TRUE;
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarDownloadItem *item = user_data;
  g_autoptr (EarDownloader) self = EAR_DOWNLOADER (g_steal_pointer (&item->owner));
  g_autoptr (GError) error = NULL;
  EarDownloadRecord *record;
  const gboolean done = ear_download_fetch_finish (result, &record, &error);
  const gint64 retry_after = ear_download_fetch_get_retry_after (result);

  /* Keep changes made by the listener during the run. */
  record->wanted = item->record->wanted;
  record->paused = item->record->paused && !done;
  ear_download_item_set_record (item, record);
  if (done || !renew_address (self, item, error, retry_after))
    end_run (self, item, error, retry_after);
}

/* Fetches the media, resuming from the partial file if it still matches. */
static void
fetch (EarDownloader *self, EarDownloadItem *item)
{
  item->owner = g_object_ref (G_OBJECT (self));
  ear_download_fetch_async (self->http, self->keyring, self->store, item->record,
                            MAX ((gint64) self->reserve * 1000 * 1000, 1), item->progress,
                            item->cancellable, fetched_cb, item);
}

static void
run (EarDownloader *self, EarDownloadItem *item)
{
  item->busy = TRUE;
  item->progress = ear_download_progress_new ();
  item->cancellable = g_cancellable_new ();
  ear_download_item_set_state (item, EAR_DOWNLOAD_RUNNING, NULL);
  fetch (self, item);
  if (self->tick_source == 0)
    self->tick_source = g_timeout_add (TICK_INTERVAL, tick_cb, self);
}

static void
trashed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDownloadRecord) record = ear_download_store_change_finish (result, &error);

  if (record == NULL)
    ear_downloader_notify_failure (self, error);
}

/* Moves the files aside; they can be restored. */
void
ear_downloader_let_go (EarDownloader *self, EarDownloadItem *item)
{
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_TRASH, item->record, trashed_cb,
                                   g_object_ref (self));
}

/* Does the work put off while the download was busy. The download may have been removed
 * meanwhile, even by a handler of the signal for finished downloads. */
void
ear_downloader_settle (EarDownloader *self, EarDownloadItem *item)
{
  g_autoptr (EarDownloadRecord) record = NULL;

  item->busy = FALSE;
  if (item->removed)
    {
      ear_downloader_let_go (self, item);
      if (item->unwanted)
        ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_DISCARD, item->record,
                                         NULL, NULL);
      record = item->declined ? ear_download_record_copy (item->record) : NULL;
      ear_downloader_drop (self, item);
      if (record != NULL)
        ear_downloader_decline (self, record);
    }
  ear_downloader_pump (self);
  ear_downloader_end_if_idle (self);
}
