/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-address.h"
#include "ear-download-rules.h"
#include "ear-property.h"

#include <glib/gi18n-lib.h>

/* One slow download must not hold up the others of its host. */
#define HOST_LIMIT 3

/* Downloads episodes, stores their files and removes them. Requested downloads survive a
 * crash and resume.
 * Each download has the key of its episode. While it is busy, being fetched or moved, it
 * is not changed: requests are recorded on it and carried out when that has ended. */
G_DEFINE_FINAL_TYPE (EarDownloader, ear_downloader, G_TYPE_OBJECT)

/* @item: (transfer full): a new download */
void
ear_downloader_add_item (EarDownloader *self, EarDownloadItem *item)
{
  g_ptr_array_add (self->items, item);
  g_hash_table_insert (self->by_key, item->key, item);
}

/* Sends the state of a download to the catalogue. */
static void
send_mark (EarDownloader *self, EarDownloadItem *item)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  ear_downloader_append_mark (self, item, marks);
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
}

/* Sets the URL that the feed has now, as signed URLs expire. A download that failed
 * because of an old URL is tried again. */
static void
update_enclosure (EarDownloader *self, EarDownloadItem *item)
{
  EarEnclosure *enclosure =
      item->episode != NULL ? ear_episode_get_enclosure (item->episode) : NULL;

  if (item->busy || enclosure == NULL || !ear_address_is_web (enclosure->address) ||
      g_str_equal (enclosure->address, item->record->enclosure))
    return;
  if (item->state == EAR_DOWNLOAD_FAILED &&
      ear_download_policy_may_have_moved (item->error, item->record->enclosure))
    {
      item->tries = 0;
      item->not_before = 0;
      ear_download_item_set_state (item, EAR_DOWNLOAD_WAITING, NULL);
      send_mark (self, item);
    }
  ear_download_item_set_enclosure (item, enclosure->address);
}

/* Keeps the episode object of an unfinished download, which shows the progress that no
 * row has. It is fetched as long as its podcast is followed. */
void
ear_downloader_hold_episode (EarDownloader *self, EarDownloadItem *item)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, item->record->podcast);

  if (item->record->declined)
    return;
  if (item->episode == NULL && item->state != EAR_DOWNLOAD_DONE && podcast != NULL)
    item->episode =
        ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, item->record->guid);
  update_enclosure (self, item);
  item->followed = podcast != NULL && ear_podcast_get_followed (podcast);
  ear_download_item_set_state (item, item->state, item->error);
}

/* Failed downloads are listed before waiting ones. */
static gint64
get_list_position (EarDownloadItem *item)
{
  const gint64 wanted = item->record->wanted;

  return item->state == EAR_DOWNLOAD_FAILED ? wanted - EAR_DOWNLOAD_FAILED_FIRST : wanted;
}

/* @marks: (element-type EarDownloadMark): receives the mark for the catalogue */
void
ear_downloader_append_mark (EarDownloader *self, EarDownloadItem *item, GPtrArray *marks)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, item->record->podcast);

  if (podcast != NULL)
    g_ptr_array_add (marks, ear_download_mark_new (ear_podcast_get_id (podcast), item->record->guid,
                                                   ear_download_item_get_kind (item),
                                                   get_list_position (item)));
}

/* Removes a download from the list.
 * @item: (transfer full): a download that is not busy */
void
ear_downloader_drop_item (EarDownloader *self, EarDownloadItem *item)
{
  g_hash_table_remove (self->by_key, item->key);
  g_ptr_array_remove (self->items, item);
}

void
ear_downloader_report_failure (EarDownloader *self, const GError *error)
{
  g_message ("A download could not be moved: %s", error->message);
  ear_notices_add (self->notices,
                   _("A downloaded file could not be moved. Is its folder read-only?"), TRUE);
}

/* Updates the counting properties. */
static void
update_counts (EarDownloader *self)
{
  guint n_active = 0;
  guint n_paused = 0;
  guint n_done = 0;
  guint n_items = 0;
  gint64 left = 0;
  guint64 size = 0;
  gboolean running = FALSE;

  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      n_items += !item->removed;
      n_active += ear_download_item_is_active (item);
      n_paused += item->state == EAR_DOWNLOAD_PAUSED && !item->removed;
      if (ear_download_item_is_active (item))
        left += ear_download_item_get_left (item);
      running = running || (item->state == EAR_DOWNLOAD_RUNNING && !item->removed);
      if (item->state == EAR_DOWNLOAD_DONE && !item->removed)
        {
          n_done++;
          size += (guint64) MAX (item->record->size, 0);
        }
    }

  g_object_freeze_notify (G_OBJECT (self));
  ear_property_set_number (self, "n-active", (int) n_active);
  ear_property_set_number (self, "n-paused", (int) n_paused);
  ear_property_set_number (self, "n-done", (int) n_done);
  ear_property_set_number (self, "n-items", (int) n_items);
  ear_property_set_int64 (self, "left", left);
  ear_property_set_boolean (self, "running", running);
  if (self->size != size)
    {
      self->size = size;
      g_object_notify (G_OBJECT (self), "size");
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/* On a metered network, only downloads requested in this session run, unless the listener
 * allows all. */
static gboolean
is_allowed (EarDownloader *self, const EarDownloadItem *item)
{
  return item->asked || self->on_metered || !g_network_monitor_get_network_metered (self->network);
}

/* Runs the queue: in order, few at a time, with retries after temporary errors. */

/* Maximum number of downloads that run at once. More would only share the bandwidth,
 * which the playing stream needs, too. EarHttp has connections left for feeds and covers
 * of the same host. */
#define RUN_LIMIT 4

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

void ear_downloader_run_queue (EarDownloader *self);

static void
wake_cb (gpointer user_data)
{
  EarDownloader *self = user_data;

  self->wake_source = 0;
  ear_downloader_run_queue (self);
}

static void
wake_later (EarDownloader *self, gint64 when)
{
  const gint64 pause = MAX (when - g_get_monotonic_time (), 0) / G_TIME_SPAN_MILLISECOND + 1;

  self->wake_source = g_timeout_add_once (MIN (pause, G_MAXINT), wake_cb, self);
}

/* Milliseconds between updates of the progress */
#define TICK_INTERVAL 250

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
  update_counts (self);
  if (running)
    return G_SOURCE_CONTINUE;
  self->tick_source = 0;

  return G_SOURCE_REMOVE;
}

/* Stores the progress of a paused download, which no longer runs. */
static void
store_paused (EarDownloader *self, EarDownloadItem *item)
{
  gint64 total;

  if (item->progress != NULL)
    ear_download_progress_get (item->progress, &item->received, &total);
  ear_download_item_set_state (item, EAR_DOWNLOAD_PAUSED, NULL);
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, item->record, NULL, NULL);
}

/* An attempt that has fetched this many bytes resets the count of failed attempts. */
#define PROGRESS_BYTES (256 * 1024)

/* Delays all downloads: without a network or disk space, none of them would succeed. */
static void
delay_all (EarDownloader *self, gint64 until)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      item->not_before = MAX (item->not_before, until);
    }
}

/* Shows one notice, not one for each of a hundred episodes. */
static void
report_no_space (EarDownloader *self)
{
  if (self->no_space_reported)
    return;
  self->no_space_reported = TRUE;
  ear_notices_add (self->notices, _("Disk space is low. Downloads resume once there is more."),
                   TRUE);
}

/* Returns: whether the disk is at fault, which affects all downloads */
static gboolean
is_about_disk (EarDownloader *self, const GError *error)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    report_no_space (self);
  else
    return g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_FOLDER) && !self->available;

  return TRUE;
}

/* The downloads folder: moving to another one, and waiting for a missing one */

/* Seconds between checks; polled, as the folder need not be a mount point that the system
 * reports. */
#define FOLDER_INTERVAL 5

static void network_changed_cb (EarDownloader *self);

/* Retries all downloads, except those of busy servers, if some waited for disk space or
 * for the folder. */
void
ear_downloader_retry_waiting (EarDownloader *self)
{
  gboolean waited = FALSE;

  for (guint i = 0; self->items != NULL && i < self->items->len && !waited; i++)
    {
      const GError *error = ((EarDownloadItem *) g_ptr_array_index (self->items, i))->error;

      waited = g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE) ||
               g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_FOLDER);
    }
  if (waited)
    network_changed_cb (self);
}

static void
add_records (EarDownloader *self, GPtrArray *records)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  for (guint i = 0; i < records->len; i++)
    {
      EarDownloadItem *item =
          ear_download_item_new (ear_download_record_copy (g_ptr_array_index (records, i)));

      ear_downloader_add_item (self, item);
      if (!item->record->declined)
        ear_downloader_append_mark (self, item, marks);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, TRUE);
  for (guint i = 0; i < self->items->len; i++)
    ear_downloader_hold_episode (self, g_ptr_array_index (self->items, i));
}

static void
report_damage (EarDownloader *self, guint n)
{
  g_autofree char *message =
      /* Translators: %u is the number of downloads. */
      g_strdup_printf (
          ngettext (
              "The record of %'u download was damaged. Its file is still in the downloads folder.",
              "The records of %'u downloads were damaged. Their files are still in the downloads "
              "folder.",
              n),
          n);

  ear_notices_add (self->notices, message, TRUE);
}

static EarDownloadRecord *
new_record (EarEpisode *episode, const EarEnclosure *enclosure)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  EarDownloadRecord *record = ear_download_record_new (
      ear_podcast_get_address (podcast), ear_episode_get_guid (episode), enclosure->address);

  record->podcast_title = g_strdup (ear_podcast_get_name (podcast));
  record->title = g_strdup (ear_episode_get_title (episode));
  record->mime_type = g_strdup (enclosure->mime_type);
  record->published = ear_episode_get_facts (episode)->published;
  record->wanted = g_get_real_time ();

  return record;
}

/* Requests a download again, at its current position and from the URL that the feed has
 * now. */
static void
request_again (EarDownloader *self, EarDownloadItem *item, EarEpisode *episode,
               const EarEnclosure *enclosure)
{
  const gboolean fetched = item->busy || item->state == EAR_DOWNLOAD_DONE;
  const gboolean failed = item->state == EAR_DOWNLOAD_FAILED;

  item->removed = item->unwanted = item->declined = FALSE;
  item->record->automatic = item->record->declined = item->record->paused = FALSE;
  item->asked = TRUE;
  item->followed = ear_podcast_get_followed (ear_episode_get_podcast (episode));
  if (item->state == EAR_DOWNLOAD_NONE)
    g_set_object (&item->episode, episode);
  item->tries = 0;
  item->not_before = 0;
  item->renewed = FALSE;
  if (item->state != EAR_DOWNLOAD_DONE && item->state != EAR_DOWNLOAD_RUNNING)
    ear_download_item_set_state (item, EAR_DOWNLOAD_WAITING, NULL);
  if (failed)
    send_mark (self, item);
  if (fetched)
    return;
  ear_download_item_set_enclosure (item, enclosure->address);
  /* The record may have to outlive the session; a lack of disk space is reported when the
   * download runs. */
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, item->record, NULL, NULL);
}

/* Shows one notice about the missing folder, not one for each of a hundred episodes. */
static void
report_missing_folder (EarDownloader *self)
{
  if (self->missing_reported)
    return;
  self->missing_reported = TRUE;
  ear_notices_add (self->notices,
                   _("The downloads folder was not found. Downloads resume once it is back."),
                   TRUE);
}

/* Requests a download, after loading if the records are not loaded yet. */
static void
request (EarDownloader *self, EarEpisode *episode)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);
  EarDownloadItem *item;
  g_autofree char *key = NULL;

  if (enclosure == NULL || !ear_address_is_web (enclosure->address) || self->stopped)
    return;
  if (!self->available)
    report_missing_folder (self);
  if (!self->loaded)
    {
      g_ptr_array_add (self->early, g_object_ref (episode));
      return;
    }

  key = ear_episode_dup_key (episode);
  item = g_hash_table_lookup (self->by_key, key);
  if (item == NULL)
    {
      item = ear_download_item_new (new_record (episode, enclosure));
      ear_downloader_add_item (self, item);
      item->episode = g_object_ref (episode);
    }
  request_again (self, item, episode, enclosure);
  send_mark (self, item);
  ear_downloader_run_queue (self);
}

gboolean ear_downloader_check_folder (EarDownloader *self);

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;
  g_autoptr (GError) error = NULL;
  guint n_damaged = 0;
  g_autoptr (GPtrArray) records = ear_download_store_load_finish (result, &n_damaged, &error);

  if (self->stopped || self->loaded)
    return;
  if (records == NULL)
    {
      ear_downloader_check_folder (self);
      return;
    }
  add_records (self, records);
  self->loaded = TRUE;
  ear_property_set_boolean (self, "available", TRUE);
  g_signal_emit_by_name (self, "loaded");
  for (guint i = 0; i < self->early->len; i++)
    request (self, g_ptr_array_index (self->early, i));
  g_ptr_array_set_size (self->early, 0);
  if (n_damaged > 0)
    report_damage (self, n_damaged);
  ear_downloader_run_queue (self);
}

static void
load (EarDownloader *self)
{
  if (!self->stopped)
    ear_download_store_load_async (self->store, NULL, loaded_cb, g_object_ref (self));
}

static gboolean
check_folder_cb (gpointer user_data)
{
  EarDownloader *self = user_data;

  self->missing_reported = FALSE;
  if (!self->available && !ear_download_store_is_there (self->store))
    return G_SOURCE_CONTINUE;
  self->folder_source = 0;
  ear_property_set_boolean (self, "available", TRUE);
  if (self->loaded)
    ear_downloader_retry_waiting (self);
  else
    load (self);

  return G_SOURCE_REMOVE;
}

/* Checks for the folder before a missing file counts as removed, so that no download is
 * forgotten while the folder is away.
 * Returns: whether the folder is missing */
gboolean
ear_downloader_check_folder (EarDownloader *self)
{
  if (ear_download_store_is_there (self->store))
    return FALSE;
  if (!self->available)
    return TRUE;

  ear_property_set_boolean (self, "available", FALSE);
  report_missing_folder (self);
  if (self->folder_source == 0)
    self->folder_source = g_timeout_add_seconds (FOLDER_INTERVAL, check_folder_cb, self);

  return TRUE;
}

/* Handles a failed attempt, which may have made progress. A missing folder overrides the
 * error, as it is its cause. */
static void
handle_failure (EarDownloader *self, EarDownloadItem *item, const GError *failure,
                gint64 retry_after)
{
  g_autoptr (GError) gone =
      ear_downloader_check_folder (self)
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
      send_mark (self, item);
      return;
    }
  item->not_before =
      g_get_monotonic_time () + (gint64) ((double) pause * self->pause_scale * G_TIME_SPAN_SECOND);
  if (is_about_disk (self, error) || (g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) &&
                                      !g_network_monitor_get_network_available (self->network)))
    delay_all (self, item->not_before);
  ear_download_item_set_state (item, EAR_DOWNLOAD_WAITING, error);
}

/* Marks a download as done. */
void
ear_downloader_finish_item (EarDownloader *self, EarDownloadItem *item)
{
  self->no_space_reported = FALSE;
  ear_download_item_set_state (item, EAR_DOWNLOAD_DONE, NULL);
  send_mark (self, item);
  g_signal_emit_by_name (self, "moved", item->key);
  g_clear_object (&item->episode);
}

static void
trashed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDownloadRecord) record = ear_download_store_change_finish (result, &error);

  if (record == NULL)
    ear_downloader_report_failure (self, error);
}

/* Moves the files aside; they can be restored. */
void
ear_downloader_trash_item (EarDownloader *self, EarDownloadItem *item)
{
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_TRASH, item->record, trashed_cb,
                                   g_object_ref (self));
}

/* Does the work put off while the download was busy. The download may have been removed
 * meanwhile, even by a handler of the signal for finished downloads. */
void
ear_downloader_settle_item (EarDownloader *self, EarDownloadItem *item)
{
  g_autoptr (EarDownloadRecord) record = NULL;

  item->busy = FALSE;
  if (item->removed)
    {
      ear_downloader_trash_item (self, item);
      if (item->unwanted)
        ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_DISCARD, item->record,
                                         NULL, NULL);
      record = item->declined ? ear_download_record_copy (item->record) : NULL;
      ear_downloader_drop_item (self, item);
      if (record != NULL)
        ear_downloader_decline (self, record);
    }
  ear_downloader_run_queue (self);
  ear_downloader_end_if_idle (self);
}

/* Ends a run.
 * @error: (nullable): the error; %NULL when the file is complete */
static void
end_run (EarDownloader *self, EarDownloadItem *item, const GError *error, gint64 retry_after)
{
  if (item->removed)
    ear_download_item_notify_removal (item);
  else if (error == NULL)
    ear_downloader_finish_item (self, item);
  /* Canceled by pausing, by a removal that was undone, or at the end of the session */
  else if (item->record->paused)
    store_paused (self, item);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_download_item_set_state (item, EAR_DOWNLOAD_WAITING, NULL);
  else
    handle_failure (self, item, error, retry_after);
  g_clear_pointer (&item->progress, ear_download_progress_unref);
  g_clear_object (&item->cancellable);
  ear_downloader_settle_item (self, item);
}

/* A refused download whose feed is asked for a new URL */
typedef struct
{
  EarDownloadItem *item;
  GError *error;
  gint64 retry_after;
} Refusal;

static void fetch (EarDownloader *self, EarDownloadItem *item);

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
  ear_download_fetch_async (self->http, self->store, item->record,
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

/* Starts the downloads that may run now. */
void
ear_downloader_run_queue (EarDownloader *self)
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
  update_counts (self);
}

/* Retries all downloads except those of busy servers once there is a network. */
static void
network_changed_cb (EarDownloader *self)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->state == EAR_DOWNLOAD_WAITING &&
          g_network_monitor_get_network_available (self->network) &&
          !g_error_matches (item->error, EAR_ERROR, EAR_ERROR_BUSY))
        item->not_before = 0;
    }
  ear_downloader_run_queue (self);
}

/* The feed may have new URLs for failed downloads. */
static void
refreshed_cb (EarDownloader *self, EarPodcast *podcast)
{
  gboolean changed = FALSE;

  for (guint i = 0; self->items != NULL && i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->removed || item->state != EAR_DOWNLOAD_FAILED ||
          !g_str_equal (item->record->podcast, ear_podcast_get_address (podcast)))
        continue;
      update_enclosure (self, item);
      changed = changed || item->state != EAR_DOWNLOAD_FAILED;
    }
  if (changed)
    ear_downloader_run_queue (self);
}

static void
ear_downloader_dispose (GObject *object)
{
  EarDownloader *self = EAR_DOWNLOADER (object);

  self->stopped = TRUE;
  g_clear_handle_id (&self->wake_source, g_source_remove);
  g_clear_handle_id (&self->tick_source, g_source_remove);
  g_clear_handle_id (&self->folder_source, g_source_remove);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->http);
  g_clear_object (&self->refresher);
  g_clear_object (&self->store);
  g_clear_object (&self->network);
  g_clear_object (&self->notices);
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->early, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_downloader_parent_class)->dispose (object);
}

static void
ear_downloader_class_init (EarDownloaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "n-active", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloader, n_active) },
    { "n-paused", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloader, n_paused) },
    { "left", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloader, left) },
    { "n-done", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloader, n_done) },
    { "n-items", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloader, n_items) },
    { "size", G_TYPE_UINT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloader, size) },
    { "running", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloader, running) },
    { .spec = g_param_spec_boolean ("available", NULL, NULL, TRUE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarDownloader, available) },
    { .spec = g_param_spec_uint ("newest", NULL, NULL, 0, EAR_DOWNLOAD_NEWEST_LIMIT, 0,
                                 G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarDownloader, newest) },
    { "on-metered", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarDownloader, on_metered),
      .changed = G_CALLBACK (ear_downloader_run_queue) },
    { .spec = g_param_spec_uint ("reserve", NULL, NULL, 0, G_MAXUINT, 250, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarDownloader, reserve),
      .changed = G_CALLBACK (ear_downloader_retry_waiting) },
    { .spec = g_param_spec_double ("pause-scale", NULL, NULL, 0, 1, 1, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarDownloader, pause_scale) },
    { .spec =
          g_param_spec_uint ("host-limit", NULL, NULL, 1, G_MAXUINT, HOST_LIMIT, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarDownloader, host_limit) },
  };

  object_class->dispose = ear_downloader_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ear_downloader_init (EarDownloader *self)
{
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_item_free);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->early = g_ptr_array_new_with_free_func (g_object_unref);
  self->pause_scale = 1;
  self->host_limit = HOST_LIMIT;
  self->reserve = 250;
  self->available = TRUE;
}

/* @path: the folder of downloads; it may be missing
 * @chosen: whether the listener has chosen it: then the downloader waits for it */
EarDownloader *
ear_downloader_new (const EarServices *services, const char *path, gboolean chosen)
{
  EarDownloader *self = g_object_new (EAR_TYPE_DOWNLOADER, NULL);

  self->catalogue = g_object_ref (services->catalogue);
  self->http = g_object_ref (services->http);
  self->refresher = g_object_ref (services->refresher);
  g_signal_connect_object (self->refresher, "refreshed", G_CALLBACK (refreshed_cb), self,
                           G_CONNECT_SWAPPED);
  self->network = g_object_ref (services->network);
  self->notices = g_object_ref (services->notices);
  self->store = ear_download_store_new (path, chosen);
  g_signal_connect_object (self->network, "network-changed", G_CALLBACK (network_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->network, "notify::network-metered",
                           G_CALLBACK (ear_downloader_run_queue), self, G_CONNECT_SWAPPED);

  return self;
}

const char *
ear_downloader_get_path (EarDownloader *self)
{
  g_return_val_if_fail (EAR_IS_DOWNLOADER (self), NULL);

  return ear_download_store_get_path (self->store);
}

EAR_DEFINE_GET (EarDownloader, ear_downloader, guint, n_active)
EAR_DEFINE_GET (EarDownloader, ear_downloader, guint, n_paused)
EAR_DEFINE_GET (EarDownloader, ear_downloader, gboolean, running)
EAR_DEFINE_GET (EarDownloader, ear_downloader, gboolean, available)

/* Returns: whether the records are loaded */
EAR_DEFINE_GET (EarDownloader, ear_downloader, gboolean, loaded)

/* Loads the records, sends the marks to the catalogue and resumes unfinished
 * downloads. */
void
ear_downloader_start (EarDownloader *self)
{
  load (self);
}

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_task_return_boolean (task, TRUE);
}

typedef struct
{
  char *path;
  gboolean chosen;
} Move;

/* Loads the records of the new folder: files may have other names there, and it may hold
 * downloads from an earlier time. */
static void
reload (EarDownloader *self)
{
  self->loaded = FALSE;
  g_hash_table_remove_all (self->by_key);
  g_ptr_array_set_size (self->items, 0);
  ear_property_set_boolean (self, "available", TRUE);
  load (self);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarDownloader *self = g_task_get_source_object (task);
  GError *error = NULL;
  const gboolean moved = ear_download_store_move_finish (self->store, result, &error);

  g_clear_object (&self->moving);
  if (moved && !self->stopped)
    reload (self);
  else
    ear_downloader_run_queue (self);
  if (moved)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Starts the copy of a requested move if no download is busy. */
static void
copy_if_idle (EarDownloader *self)
{
  Move *move;

  if (self->moving == NULL || g_task_get_task_data (self->moving) == NULL)
    return;
  for (guint i = 0; i < self->items->len; i++)
    if (((EarDownloadItem *) g_ptr_array_index (self->items, i))->busy)
      return;

  move = g_task_get_task_data (self->moving);
  ear_download_store_move_async (self->store, move->path, move->chosen,
                                 g_task_get_cancellable (self->moving), copied_cb,
                                 g_object_ref (self->moving));
  /* Clears the data, so that the copy starts only once. */
  g_task_set_task_data (self->moving, NULL, NULL);
}

/* Completes a stop once no download is busy. */
void
ear_downloader_end_if_idle (EarDownloader *self)
{
  copy_if_idle (self);
  if (self->stopping == NULL)
    return;
  for (guint i = 0; i < self->items->len; i++)
    if (((EarDownloadItem *) g_ptr_array_index (self->items, i))->busy)
      return;
  ear_download_store_flush_async (self->store, flushed_cb, g_steal_pointer (&self->stopping));
}

/* Cancels running downloads, which the next session resumes. */
void
ear_downloader_stop_async (EarDownloader *self, GAsyncReadyCallback callback, gpointer user_data)
{
  self->stopped = TRUE;
  self->stopping = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->stopping, ear_downloader_stop_async);
  g_clear_handle_id (&self->wake_source, g_source_remove);
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->cancellable != NULL)
        g_cancellable_cancel (item->cancellable);
    }
  ear_downloader_end_if_idle (self);
}

void
ear_downloader_stop_finish (EarDownloader *self, GAsyncResult *result)
{
  g_return_if_fail (g_async_result_is_tagged (result, ear_downloader_stop_async));

  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* Downloads an episode, or tries a failed download again. A finished one stays as it is.
 * @episode: an episode of a followed podcast */
void
ear_downloader_download (EarDownloader *self, EarEpisode *episode)
{
  EarPodcast *podcast;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  podcast = ear_episode_get_podcast (episode);
  if (podcast != NULL && ear_podcast_get_followed (podcast))
    request (self, episode);
}

/* Downloads an episode automatically: not over a metered network, and not after the
 * listener has removed it.
 * @episode: an episode of a followed podcast */
void
ear_downloader_download_unasked (EarDownloader *self, EarEpisode *episode)
{
  EarEnclosure *enclosure;
  EarDownloadItem *item;
  g_autofree char *key = NULL;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  enclosure = ear_episode_get_enclosure (episode);
  key = ear_episode_dup_key (episode);
  if (enclosure == NULL || !ear_address_is_web (enclosure->address) || self->stopped ||
      !self->loaded || g_hash_table_contains (self->by_key, key))
    return;

  item = ear_download_item_new (new_record (episode, enclosure));
  item->record->automatic = TRUE;
  ear_downloader_add_item (self, item);
  ear_downloader_hold_episode (self, item);
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, item->record, NULL, NULL);
  send_mark (self, item);
  ear_downloader_run_queue (self);
}

/* Keeps a record that prevents the automatic download of an episode, as long as one could
 * happen. */
void
ear_downloader_decline (EarDownloader *self, const EarDownloadRecord *record)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, record->podcast);
  g_autoptr (EarEpisode) episode = NULL;
  EarDownloadRecord *declined;

  if (podcast == NULL || ear_download_rules_count_newest (podcast, self->newest) == 0)
    return;
  episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, record->guid);
  if (episode == NULL || ear_episode_get_listened (episode))
    return;

  declined = ear_download_record_new (record->podcast, record->guid, record->enclosure);
  declined->wanted = record->wanted;
  declined->declined = TRUE;
  ear_downloader_add_item (self, ear_download_item_new (declined));
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, declined, NULL, NULL);
}

/* Sends the marks of a podcast's downloads to the catalogue, as its rows may be new, and
 * fetches its downloads while it is followed.
 * @podcast: a podcast that has new rows, or was followed or unfollowed */
void
ear_downloader_apply (EarDownloader *self, EarPodcast *podcast)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->removed || !g_str_equal (item->record->podcast, ear_podcast_get_address (podcast)))
        continue;
      ear_downloader_append_mark (self, item, marks);
      ear_downloader_hold_episode (self, item);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_run_queue (self);
}

static void
move_free (gpointer data)
{
  Move *move = data;

  g_free (move->path);
  g_free (move);
}

/* Moves the downloads folder; running downloads pause until that is done. The files in
 * the old folder stay until [method@EarDownloader.clear_folder].
 * @path: another folder
 * @chosen: whether the listener has chosen it
 * @callback: called when all downloads are there */
void
ear_downloader_move_folder_async (EarDownloader *self, const char *path, gboolean chosen,
                                  GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task;
  Move *move;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_downloader_move_folder_async);
  g_task_set_check_cancellable (task, FALSE);
  if (self->moving != NULL || self->stopped)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_BUSY,
                                       "it is being moved already");
      g_object_unref (task);
      return;
    }

  move = g_new0 (Move, 1);
  move->path = g_strdup (path);
  move->chosen = chosen;
  g_task_set_task_data (task, move, move_free);
  self->moving = task;
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->cancellable != NULL)
        g_cancellable_cancel (item->cancellable);
    }
  copy_if_idle (self);
}

gboolean
ear_downloader_move_folder_finish (EarDownloader *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_downloader_move_folder_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Removes the files of another folder that are also in the current one.
 * @path: a former downloads folder */
void
ear_downloader_clear_folder (EarDownloader *self, const char *path)
{
  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  ear_download_store_clear (self->store, path);
}
