/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-address.h"
#include "ear-download-file.h"
#include "ear-download-rules.h"
#include "ear-property.h"
#include "ear-thread.h"

#include <glib/gi18n-lib.h>

/* Maximum number of downloads that run at once. More would only share the bandwidth,
 * which the playing stream needs, too. EarHttp has connections left for feeds and covers
 * of the same host. */
#define RUN_LIMIT 4

/* One slow download must not hold up the others of its host. */
#define HOST_LIMIT 3

/* Milliseconds between updates of the progress */
#define TICK_INTERVAL 250

/* An attempt that has fetched this many bytes resets the count of failed attempts. */
#define PROGRESS_BYTES (256 * 1024)

/* Seconds between checks for a missing folder; polled, as the folder need not be a mount
 * point that the system reports. */
#define FOLDER_INTERVAL 5

/* Downloads episodes, stores their files and removes them. Requested downloads survive a
 * crash and resume. Each download has the key of its episode. */
G_DEFINE_FINAL_TYPE (EarDownloader, ear_downloader, EAR_TYPE_PART)

static void
item_free (gpointer data)
{
  EarDownloadItem *item = data;

  ear_download_record_free (item->record);
  g_free (item->key);
  g_clear_object (&item->episode);
  g_clear_pointer (&item->progress, ear_download_progress_unref);
  g_clear_object (&item->cancellable);
  g_clear_error (&item->error);
  g_clear_error (&item->refusal);
  g_free (item);
}

/* @record: (transfer full): the record of a new download
 * Returns: (transfer none): the download, which is not wanted yet */
EarDownloadItem *
ear_downloader_add_item (EarDownloader *self, EarDownloadRecord *record)
{
  EarDownloadItem *item = g_new0 (EarDownloadItem, 1);

  item->record = record;
  item->key = ear_download_record_dup_key (record);
  item->not_before = EAR_DOWNLOAD_NEVER;
  g_ptr_array_add (self->items, item);
  g_hash_table_insert (self->by_key, item->key, item);

  return item;
}

/* Returns: (transfer none) (nullable): the download at this place of the queue; %NULL behind the
 *   last one */
EarDownloadItem *
ear_downloader_get_item (EarDownloader *self, guint index)
{
  return index < self->items->len ? g_ptr_array_index (self->items, index) : NULL;
}

/* Returns: (transfer none) (nullable): the download of an episode, perhaps a removed one */
EarDownloadItem *
ear_downloader_find_item (EarDownloader *self, EarEpisode *episode)
{
  g_autofree char *key = ear_episode_dup_key (episode);

  return g_hash_table_lookup (self->by_key, key);
}

/* Drops a removed download whose file was deleted, so that the episode gets another one.
 * Returns: whether it was dropped */
gboolean
ear_downloader_drop_item (EarDownloader *self, EarDownloadItem *item)
{
  if (item->state != EAR_DOWNLOAD_NONE || item->not_before != EAR_DOWNLOAD_NEVER)
    return FALSE;

  g_hash_table_remove (self->by_key, item->key);

  return g_ptr_array_remove (self->items, item);
}

/* Returns: (transfer full) (nullable): the episode of a download, if it has a row */
EarEpisode *
ear_downloader_dup_episode (EarDownloader *self, const EarDownloadItem *item)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, item->record->podcast);

  return podcast != NULL
             ? ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, item->record->guid)
             : NULL;
}

gboolean
ear_downloader_is_of (const EarDownloadItem *item, EarPodcast *podcast)
{
  return g_str_equal (item->record->podcast, ear_podcast_get_address (podcast));
}

/* While a part becomes a file, its record is on the disk with the name of that file, which this
 * one lacks: finished_cb() stores what changes meanwhile. Killed in between, Earmark would not
 * know the file any more, and download a second one. */
void
ear_downloader_store_record (EarDownloader *self, EarDownloadItem *item)
{
  item->unstored = item->finishing;
  if (!item->finishing)
    ear_download_store_change_async (self->store, ear_download_folder_keep, item->record, NULL,
                                     NULL);
}

static EarDownloadKind
get_kind (EarDownload state)
{
  if (state == EAR_DOWNLOAD_NONE)
    return EAR_DOWNLOAD_KIND_NONE;

  return state == EAR_DOWNLOAD_DONE ? EAR_DOWNLOAD_KIND_THERE : EAR_DOWNLOAD_KIND_WANTED;
}

/* Has the next ear_downloader_run_queue() send the state and place of a download to the
 * catalogue. Failed downloads are listed before waiting ones. */
void
ear_downloader_append_mark (EarDownloader *self, EarDownloadItem *item)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, item->record->podcast);
  const gint64 first = item->state == EAR_DOWNLOAD_FAILED ? EAR_DOWNLOAD_FAILED_FIRST : 0;

  if (podcast != NULL)
    g_ptr_array_add (self->marks,
                     ear_download_mark_new (ear_podcast_get_id (podcast), item->record->guid,
                                            get_kind (item->state), item->record->wanted - first));
}

/* @whole: whether no other episodes are downloaded or wanted */
static void
send_marks (EarDownloader *self, gboolean whole)
{
  g_autoptr (GPtrArray) marks = NULL;

  if (self->marks->len == 0 && !whole)
    return;
  marks = g_steal_pointer (&self->marks);
  self->marks = ear_download_mark_new_array ();
  ear_catalogue_set_downloads (self->catalogue, marks, whole);
}

/* Changes the state of a download: the only place that does. Handlers of the signals may
 * change it once more. */
void
ear_downloader_enter (EarDownloader *self, EarDownloadItem *item, EarDownload state,
                      const GError *error)
{
  const EarDownload before = item->state;
  g_autoptr (EarEpisode) episode = item->episode != NULL ? g_object_ref (item->episode) : NULL;
  g_autoptr (GError) last = g_steal_pointer (&item->error);

  item->state = state;
  item->record->paused = state == EAR_DOWNLOAD_PAUSED;
  item->record->removed = state == EAR_DOWNLOAD_NONE;
  item->error = error != NULL ? g_error_copy (error) : NULL;
  if (get_kind (before) != get_kind (state) ||
      (before == EAR_DOWNLOAD_FAILED) != (state == EAR_DOWNLOAD_FAILED))
    ear_downloader_append_mark (self, item);
  if (get_kind (state) != EAR_DOWNLOAD_KIND_WANTED)
    g_clear_object (&item->episode);
  if (state == EAR_DOWNLOAD_NONE || state == EAR_DOWNLOAD_PAUSED)
    g_cancellable_cancel (item->cancellable);

  if (episode != NULL)
    ear_episode_set_download (episode, state, error);
  if ((before == EAR_DOWNLOAD_DONE) != (state == EAR_DOWNLOAD_DONE))
    g_signal_emit_by_name (self, "moved", item->key);
}

static void
forget_failures (EarDownloadItem *item)
{
  item->tries = 0;
  item->not_before = 0;
  item->renewed = FALSE;
}

/* Sets the URL that the feed has now, as signed URLs expire. A download that failed
 * because of an old URL is tried again. */
static void
update_enclosure (EarDownloader *self, EarDownloadItem *item)
{
  const char *address =
      item->episode != NULL ? ear_episode_get_address (item->episode, EAR_ADDRESS_MEDIA) : NULL;

  if (item->cancellable != NULL || address == NULL ||
      g_str_equal (address, item->record->enclosure))
    return;
  if (item->state == EAR_DOWNLOAD_FAILED &&
      ear_download_policy_may_have_moved (item->error, item->record->enclosure))
    {
      forget_failures (item);
      ear_downloader_enter (self, item, EAR_DOWNLOAD_WAITING, NULL);
    }
  g_set_str (&item->record->enclosure, address);
}

/* Keeps the episode object of an unfinished download, which shows the progress that no
 * row has. */
static void
hold_episode (EarDownloader *self, EarDownloadItem *item)
{
  EarEnclosure *enclosure;

  if (get_kind (item->state) != EAR_DOWNLOAD_KIND_WANTED)
    return;
  if (item->episode == NULL)
    item->episode = ear_downloader_dup_episode (self, item);
  update_enclosure (self, item);
  /* Records of former versions lack the size that the feed has. */
  enclosure = item->episode != NULL ? ear_episode_get_enclosure (item->episode) : NULL;
  if (item->record->size == 0 && enclosure != NULL)
    item->record->size = enclosure->size;
  if (item->episode != NULL)
    ear_episode_set_download (item->episode, item->state, item->error);
}

/* Wants a download, or wants it again. A removed file that still exists is back at once.
 * @asked: whether the listener asks for it: then it also runs on a metered network */
void
ear_downloader_want (EarDownloader *self, EarDownloadItem *item, gboolean asked)
{
  EarDownloadRecord *record = item->record;

  item->asked = asked;
  record->automatic = !asked;
  record->declined = FALSE;
  forget_failures (item);
  if (record->file == NULL && item->state != EAR_DOWNLOAD_RUNNING)
    {
      ear_downloader_enter (self, item, EAR_DOWNLOAD_WAITING, NULL);
      hold_episode (self, item);
    }
  else if (record->file != NULL && item->state != EAR_DOWNLOAD_DONE)
    {
      record->done = g_get_real_time ();
      ear_downloader_enter (self, item, EAR_DOWNLOAD_DONE, NULL);
    }
  ear_downloader_store_record (self, item);
}

/* Returns: the number of bytes left to fetch; 0 if the size is unknown */
static gint64
get_left (EarDownloadItem *item)
{
  gint64 received = 0;
  gint64 total = 0;

  if (item->progress != NULL)
    ear_download_progress_get (item->progress, &received, &total);

  return MAX ((total > 0 ? total : item->record->size) - received, 0);
}

/* Returns: whether the podcast of a download is followed; it is not fetched otherwise */
static gboolean
is_followed (EarDownloader *self, const EarDownloadItem *item)
{
  EarPodcast *podcast = ear_catalogue_find_exactly (self->catalogue, item->record->podcast);

  return podcast != NULL && ear_podcast_get_followed (podcast);
}

static void
update_counts (EarDownloader *self)
{
  guint counts[EAR_DOWNLOAD_PAUSED + 1] = { 0 };
  guint n_active = 0;
  gint64 left = 0;
  gint64 size = 0;
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      counts[item->state]++;
      if (item->state == EAR_DOWNLOAD_DONE)
        size += MAX (item->record->size, 0);
      if ((item->state == EAR_DOWNLOAD_WAITING || item->state == EAR_DOWNLOAD_RUNNING) &&
          is_followed (self, item))
        {
          n_active++;
          left += get_left (item);
        }
    }

  g_object_freeze_notify (G_OBJECT (self));
  ear_property_set_number (self, "n-active", n_active);
  ear_property_set_number (self, "n-paused", counts[EAR_DOWNLOAD_PAUSED]);
  ear_property_set_number (self, "n-done", counts[EAR_DOWNLOAD_DONE]);
  ear_property_set_number (self, "n-items", self->items->len - counts[EAR_DOWNLOAD_NONE]);
  ear_property_set_int64 (self, "left", left);
  ear_property_set_int64 (self, "size", size);
  ear_property_set_boolean (self, "running", counts[EAR_DOWNLOAD_RUNNING] > 0);
  g_object_thaw_notify (G_OBJECT (self));
}

static gboolean
tick_cb (gpointer user_data)
{
  EarDownloader *self = user_data;
  gboolean running = FALSE;
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      gint64 received, total;

      running = running || item->cancellable != NULL;
      if (item->state != EAR_DOWNLOAD_RUNNING || item->episode == NULL)
        continue;
      ear_download_progress_get (item->progress, &received, &total);
      /* Only once the server has begun to send */
      if (total != 0)
        ear_episode_set_download_bytes (item->episode, received, MAX (total, -1));
    }
  update_counts (self);
  if (running)
    return G_SOURCE_CONTINUE;
  self->tick_source = 0;

  return G_SOURCE_REMOVE;
}

/* Returns: whether a download with this error waits for space on the disk, or for the folder */
static gboolean
wants_room (const GError *error)
{
  return g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_FOLDER);
}

/* Tries the downloads that wait for room, or those that wait for the network, again; not those
 * of busy servers. */
static void
retry (EarDownloader *self, gboolean room)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state == EAR_DOWNLOAD_WAITING && wants_room (item->error) == room &&
        !g_error_matches (item->error, EAR_ERROR, EAR_ERROR_BUSY))
      item->not_before = 0;
  self->hold_until = 0;
  ear_downloader_run_queue (self);
}

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDownloadRecord) record = ear_download_store_change_finish (result, &error);

  if (record != NULL)
    {
      retry (self, TRUE);
      return;
    }
  g_message ("A download could not be removed: %s", error->message);
  ear_notices_add (self->notices, TRUE,
                   _("A downloaded file could not be moved. Is its folder read-only?"));
}

/* Deletes the files of removed downloads, which Undo fetches again from now on. The record of
 * a declined one stays, and prevents an automatic download.
 * @all: whether to delete also those that Undo could still restore */
static void
delete_removed (EarDownloader *self, gboolean all)
{
  const gint64 now = g_get_monotonic_time ();
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      EarDownloadRecord *record = item->record;

      if (item->state != EAR_DOWNLOAD_NONE || item->cancellable != NULL ||
          item->not_before == EAR_DOWNLOAD_NEVER || (!all && item->not_before > now))
        continue;
      record->removed = FALSE;
      ear_download_store_change_async (self->store, ear_download_folder_remove, record, deleted_cb,
                                       g_object_ref (self));
      g_clear_pointer (&record->file, g_free);
      item->not_before = EAR_DOWNLOAD_NEVER;
    }
}

/* The downloads folder: loading it, and waiting for a missing one */

/* The settings hold a URI, as a path need not be valid UTF-8. */
static char *
dup_setting (EarDownloader *self, const char *name)
{
  g_autofree char *uri = ear_settings_dup_string (self->settings, name);

  return *uri != '\0' ? g_filename_from_uri (uri, NULL, NULL) : NULL;
}

static void
store_setting (EarDownloader *self, const char *name, const char *path)
{
  g_autofree char *uri = path != NULL ? g_filename_to_uri (path, NULL, NULL) : NULL;

  g_object_set (self->settings, name, uri != NULL ? uri : "", NULL);
}

static void
add_records (EarDownloader *self, GPtrArray *records)
{
  EarDownloadItem *item;

  for (guint i = 0; i < records->len; i++)
    {
      const EarDownloadRecord *record = g_ptr_array_index (records, i);
      g_autofree char *key = ear_download_record_dup_key (record);

      item = g_hash_table_lookup (self->by_key, key);
      /* The download was removed while its file was copied to the new folder, or longer ago:
       * then its file there is an older one. */
      if (item != NULL && !ear_downloader_drop_item (self, item))
        {
          g_set_str (&item->record->file, record->file);
          continue;
        }
      item = ear_downloader_add_item (self, ear_download_record_copy (record));
      if (record->removed || (record->declined && record->file == NULL))
        item->state = EAR_DOWNLOAD_NONE;
      else if (record->file != NULL)
        item->state = EAR_DOWNLOAD_DONE;
      else
        item->state = record->paused ? EAR_DOWNLOAD_PAUSED : EAR_DOWNLOAD_WAITING;
      if (item->state != EAR_DOWNLOAD_NONE || record->removed)
        item->not_before = 0;
      if (item->state != EAR_DOWNLOAD_NONE)
        ear_downloader_append_mark (self, item);
    }
  send_marks (self, TRUE);
  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    hold_episode (self, item);
}

/* Shows one notice about the missing folder, not one for each of a hundred episodes. */
static void
report_missing_folder (EarDownloader *self)
{
  if (self->missing_reported)
    return;
  self->missing_reported = TRUE;
  ear_notices_add (self->notices, TRUE,
                   _("The downloads folder was not found. Downloads resume once it is back."));
}

/* Requests a download, or tries a failed one again; ear_downloader_run_queue() starts it. A
 * finished one stays as it is. Requests that come before the records are loaded wait for
 * them. */
void
ear_downloader_request (EarDownloader *self, EarEpisode *episode, gboolean asked)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  const char *address = ear_episode_get_address (episode, EAR_ADDRESS_MEDIA);
  EarDownloadItem *item = ear_downloader_find_item (self, episode);
  const gboolean known =
      item != NULL && (item->state != EAR_DOWNLOAD_NONE || item->record->declined);

  if (address == NULL || self->stopped || !ear_podcast_get_followed (podcast) ||
      (!asked && (!self->loaded || known)))
    return;
  if (!self->available)
    report_missing_folder (self);
  if (!self->loaded)
    {
      g_ptr_array_add (self->early, g_object_ref (episode));
      return;
    }

  if (item == NULL)
    {
      EarDownloadRecord *record = ear_download_record_new (
          ear_podcast_get_address (podcast), ear_episode_get_guid (episode), address);

      record->podcast_title = g_strdup (ear_podcast_get_name (podcast));
      record->title = g_strdup (ear_episode_get_title (episode));
      record->published = ear_episode_get_facts (episode)->published;
      record->size = ear_episode_get_enclosure (episode)->size;
      record->wanted = g_get_real_time ();
      item = ear_downloader_add_item (self, record);
    }
  if (item->record->file == NULL)
    g_set_object (&item->episode, episode);
  ear_downloader_want (self, item, asked);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;
  g_autoptr (GError) error = NULL;
  guint n_damaged = 0;
  g_autoptr (GPtrArray) records = ear_download_store_load_finish (result, &n_damaged, &error);
  g_autofree char *left = NULL;

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
  /* Delete the files in the former folder that are also in the present one. */
  left = dup_setting (self, "downloads-folder-left");
  if (left != NULL && !g_str_equal (left, ear_downloader_get_path (self)))
    ear_download_store_clear (self->store, left);
  store_setting (self, "downloads-folder-left", NULL);
  for (guint i = 0; i < self->early->len; i++)
    ear_downloader_request (self, self->early->pdata[i], TRUE);
  g_ptr_array_set_size (self->early, 0);
  if (n_damaged > 0)
    ear_notices_add (
        self->notices, TRUE,
        /* Translators: %u is the number of downloads. */
        ngettext (
            "The record of %'u download was damaged. Its file is still in the downloads folder.",
            "The records of %'u downloads were damaged. Their files are still in the downloads "
            "folder.",
            n_damaged),
        n_damaged);
  ear_downloader_run_queue (self);
}

/* Loads the records, sends the marks to the catalogue and resumes unfinished downloads. */
void
ear_downloader_start (EarDownloader *self)
{
  if (!self->stopped)
    ear_download_store_load_async (self->store, loaded_cb, g_object_ref (self));
}

static gboolean
check_folder_cb (gpointer user_data)
{
  EarDownloader *self = user_data;

  self->missing_reported = FALSE;
  if (!self->available &&
      !ear_download_folder_is_there (ear_download_store_get_folder (self->store)))
    return G_SOURCE_CONTINUE;
  self->folder_source = 0;
  ear_property_set_boolean (self, "available", TRUE);
  if (self->loaded)
    retry (self, TRUE);
  else
    ear_downloader_start (self);

  return G_SOURCE_REMOVE;
}

/* Checks for the folder before a missing file counts as removed, so that no download is
 * forgotten while the folder is away.
 * Returns: whether the folder is missing */
gboolean
ear_downloader_check_folder (EarDownloader *self)
{
  if (ear_download_folder_is_there (ear_download_store_get_folder (self->store)))
    return FALSE;
  if (!self->available)
    return TRUE;

  ear_property_set_boolean (self, "available", FALSE);
  report_missing_folder (self);
  if (self->folder_source == 0)
    self->folder_source = g_timeout_add_seconds (FOLDER_INTERVAL, check_folder_cb, self);

  return TRUE;
}

/* One run of a download: its record is written, its media fetched into a part, and that
 * becomes a file. The record is on the disk before anything is fetched, and the data for
 * resuming before any media is written. */

/* Handles a failed attempt, which may have made progress. A missing folder overrides the
 * error, as it is its cause. */
static void
handle_failure (EarDownloader *self, EarDownloadItem *item, const GError *failure)
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
  pause = ear_download_policy_get_pause (error, item->tries, item->retry_after);
  if (pause < 0)
    {
      ear_downloader_enter (self, item, EAR_DOWNLOAD_FAILED, error);
      return;
    }

  item->not_before =
      g_get_monotonic_time () + (gint64) ((double) pause * self->pause_scale * G_TIME_SPAN_SECOND);
  /* Without a network or room, none of the others would succeed. */
  if (wants_room (error) || (g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) &&
                             !g_network_monitor_get_network_available (self->network)))
    self->hold_until = MAX (self->hold_until, item->not_before);
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE) && !self->no_space_reported)
    {
      self->no_space_reported = TRUE;
      ear_notices_add (self->notices, TRUE,
                       _("Disk space is low. Downloads resume once there is more."));
    }
  ear_downloader_enter (self, item, EAR_DOWNLOAD_WAITING, error);
}

/* Ends a run. The listener may have paused, removed or requested the download meanwhile.
 * @error: (nullable): the error; %NULL when the file is complete */
static void
end_run (EarDownloader *self, EarDownloadItem *item, const GError *error)
{
  g_autoptr (EarDownloader) held = g_steal_pointer (&item->owner);

  if (error == NULL && item->state != EAR_DOWNLOAD_NONE)
    {
      self->no_space_reported = FALSE;
      ear_downloader_enter (self, item, EAR_DOWNLOAD_DONE, NULL);
    }
  else if (item->state == EAR_DOWNLOAD_RUNNING &&
           g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_downloader_enter (self, item, EAR_DOWNLOAD_WAITING, NULL);
  else if (item->state == EAR_DOWNLOAD_RUNNING)
    handle_failure (self, item, error);
  g_clear_object (&item->cancellable);
  ear_downloader_run_queue (self);
}

static void fetch (EarDownloader *self, EarDownloadItem *item);

static void
renewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarDownloadItem *item = user_data;
  EarDownloader *self = item->owner;
  g_autoptr (GError) error = g_steal_pointer (&item->refusal);
  g_autofree char *address = ear_refresher_renew_address_finish (EAR_REFRESHER (source), result);

  if (address == NULL || g_cancellable_is_cancelled (item->cancellable))
    {
      end_run (self, item, error);
      return;
    }
  g_set_str (&item->record->enclosure, address);
  fetch (self, item);
}

/* Asks the feed for a new URL, once until data has arrived.
 * Returns: whether the request runs */
static gboolean
renew_address (EarDownloader *self, EarDownloadItem *item, const GError *error)
{
  if (item->renewed || item->state != EAR_DOWNLOAD_RUNNING || item->episode == NULL ||
      !ear_download_policy_may_have_moved (error, item->record->enclosure))
    return FALSE;

  item->renewed = TRUE;
  item->refusal = g_error_copy (error);
  ear_refresher_renew_address_async (self->refresher, item->episode, item->record->enclosure,
                                     item->cancellable, renewed_cb, item);

  return TRUE;
}

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarDownloadItem *item = user_data;
  EarDownloader *self = item->owner;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDownloadRecord) record = ear_download_store_change_finish (result, &error);

  item->finishing = FALSE;
  if (record != NULL)
    {
      g_set_str (&item->record->file, record->file);
      item->record->paused = FALSE;
    }
  /* After an error, the record on the disk may name the file, and is left as it is. */
  if (record != NULL || item->unstored)
    ear_downloader_store_record (self, item);
  end_run (self, item, error);
}

/* The facts of a response, on their way to the main thread */
typedef struct
{
  EarDownloadItem *item; /* borrowed: the run ends after this message */
  char *etag;
  char *last_modified;
  gint64 total;
} Head;

/* Stores the headers, which are needed to resume after a crash, on the thread of the
 * records. The download does not wait for the disk: with an outdated ETag, the server
 * merely refuses the range, and the download starts over. */
static void
store_head (gpointer user_data)
{
  g_autofree Head *head = user_data;
  EarDownloadRecord *record = head->item->record;

  g_free (record->etag);
  g_free (record->last_modified);
  record->etag = head->etag;
  record->last_modified = head->last_modified;
  if (head->total > 0)
    record->size = head->total;
  if (head->item->state != EAR_DOWNLOAD_NONE)
    ear_downloader_store_record (head->item->owner, head->item);
}

/* On a worker thread */
static gboolean
head_received (const EarDownloadHead *received, gpointer user_data, GError **error)
{
  Head *head = g_new0 (Head, 1);

  head->item = user_data;
  head->etag = g_strdup (received->etag);
  head->last_modified = g_strdup (received->last_modified);
  head->total = received->total;
  ear_context_push (NULL, store_head, head, NULL);

  return TRUE;
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarDownloadItem *item = user_data;
  EarDownloader *self = item->owner;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) file = ear_download_file_finish (EAR_HTTP (source), result, &error);

  item->retry_after = ear_download_file_get_retry_after (EAR_HTTP (source), result);
  if (file != NULL)
    {
      item->record->size = file->total;
      item->record->done = g_get_real_time ();
      item->finishing = TRUE;
      ear_download_store_change_async (self->store, ear_download_folder_finish, item->record,
                                       finished_cb, item);
    }
  else if (!renew_address (self, item, error))
    end_run (self, item, error);
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarDownloadItem *item = user_data;
  EarDownloader *self = item->owner;
  g_autofree char *part =
      ear_download_folder_dup_part (ear_download_store_get_folder (self->store), item->record);
  g_autoptr (EarDownloadRequest) request = ear_download_request_new (item->record->enclosure, part);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarDownloadRecord) kept = ear_download_store_change_finish (result, &error);

  if (kept == NULL || g_cancellable_set_error_if_cancelled (item->cancellable, &error))
    {
      end_run (self, item, error);
      return;
    }
  request->podcast = g_strdup (item->record->podcast);
  request->etag = g_strdup (item->record->etag);
  request->last_modified = g_strdup (item->record->last_modified);
  request->reserve = (gint64) ear_settings_get_uint (self->settings, "keep-free") * 1000 * 1000;
  request->head_func = head_received;
  request->head_data = item;
  request->progress = ear_download_progress_ref (item->progress);
  ear_download_file_async (self->http, request, item->cancellable, fetched_cb, item);
}

/* Fetches the media, resuming from the partial file if it still matches. */
static void
fetch (EarDownloader *self, EarDownloadItem *item)
{
  ear_download_store_change_async (self->store, ear_download_folder_keep, item->record, kept_cb,
                                   item);
}

static void
run (EarDownloader *self, EarDownloadItem *item)
{
  item->owner = g_object_ref (self);
  item->cancellable = g_cancellable_new ();
  g_clear_pointer (&item->progress, ear_download_progress_unref);
  item->progress = ear_download_progress_new ();
  ear_downloader_enter (self, item, EAR_DOWNLOAD_RUNNING, NULL);
  fetch (self, item);
  if (self->tick_source == 0)
    self->tick_source = g_timeout_add (TICK_INTERVAL, tick_cb, self);
}

/* The queue: in order, few at a time, with retries after temporary errors */

/* Returns: whether the download runs once its time has come. On a metered network, only
 * downloads requested in this session do, unless the listener allows all. */
static gboolean
is_waiting (EarDownloader *self, const EarDownloadItem *item)
{
  return item->state == EAR_DOWNLOAD_WAITING && is_followed (self, item) &&
         (item->asked || ear_settings_get_boolean (self->settings, "refresh-on-metered") ||
          !g_network_monitor_get_network_metered (self->network));
}

/* @hosts: (element-type utf8): the hosts of running downloads */
static gboolean
has_turn (EarDownloader *self, GPtrArray *hosts, const EarDownloadItem *item)
{
  g_autofree char *host = ear_address_dup_host (item->record->enclosure);
  guint n_same_host = 0;

  for (guint i = 0; i < hosts->len; i++)
    n_same_host += g_strcmp0 (hosts->pdata[i], host) == 0;

  return n_same_host < self->host_limit && hosts->len < RUN_LIMIT;
}

static void
wake_cb (gpointer user_data)
{
  EarDownloader *self = user_data;

  self->wake_source = 0;
  delete_removed (self, FALSE);
  ear_downloader_run_queue (self);
}

/* Starts the downloads that may run now, and plans the next look. */
static void
start_downloads (EarDownloader *self)
{
  const gint64 now = g_get_monotonic_time ();
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
  gint64 next = EAR_DOWNLOAD_NEVER;
  EarDownloadItem *item;

  g_clear_handle_id (&self->wake_source, g_source_remove);
  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->cancellable != NULL)
      g_ptr_array_add (hosts, ear_address_dup_host (item->record->enclosure));
  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      const gint64 due = MAX (item->not_before, self->hold_until);

      if (item->cancellable != NULL)
        continue;
      if (item->state == EAR_DOWNLOAD_NONE)
        next = MIN (next, item->not_before);
      else if (is_waiting (self, item) && due > now)
        next = MIN (next, due);
      else if (is_waiting (self, item) && has_turn (self, hosts, item))
        {
          g_ptr_array_add (hosts, ear_address_dup_host (item->record->enclosure));
          run (self, item);
        }
    }
  if (next == EAR_DOWNLOAD_NEVER)
    return;
  g_clear_handle_id (&self->wake_source, g_source_remove);
  self->wake_source = g_timeout_add_once (
      (guint) MIN (MAX (next - now, 0) / G_TIME_SPAN_MILLISECOND + 1, G_MAXINT), wake_cb, self);
}

/* Moving the downloads to another folder. All files are copied first, then the settings are
 * changed, then the files in the former folder are deleted. The folder in the settings is
 * therefore always complete. After an interruption, the next start deletes the rest. */

/* Files may have other names in the new folder, and it may hold downloads from an earlier
 * time. */
static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;
  g_autofree char *former = g_strdup (ear_downloader_get_path (self));
  g_autoptr (GError) error = NULL;

  if (!ear_download_store_move_finish (self->store, result, &error))
    {
      g_message ("Downloads could not be moved: %s", error->message);
      if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
        ear_notices_add (self->notices, TRUE,
                         _("Downloads were not moved: the new folder is full or read-only."));
      else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        ear_notices_add (self->notices, TRUE,
                         _("Downloads could not be moved to the new folder."));
      ear_property_set_boolean (self, "moving", FALSE);
      ear_downloader_run_queue (self);
      return;
    }

  ear_property_set_boolean (self, "chosen",
                            !g_str_equal (ear_downloader_get_path (self), self->default_path));
  store_setting (self, "downloads-folder-left", former);
  store_setting (self, "downloads-folder", self->chosen ? ear_downloader_get_path (self) : NULL);
  ear_settings_apply (self->settings);
  ear_property_set_boolean (self, "moving", FALSE);
  self->loaded = FALSE;
  for (guint i = self->items->len; i > 0; i--)
    {
      const EarDownloadItem *item = g_ptr_array_index (self->items, i - 1);

      if (item->state == EAR_DOWNLOAD_NONE)
        continue;
      /* Records do not say that a download also runs on a metered network. */
      if (item->asked && item->episode != NULL && item->state != EAR_DOWNLOAD_PAUSED)
        g_ptr_array_add (self->early, g_object_ref (item->episode));
      g_hash_table_remove (self->by_key, item->key);
      g_ptr_array_remove_index (self->items, i - 1);
    }
  ear_property_set_boolean (self, "available", TRUE);
  ear_downloader_start (self);
}

/* Once no download runs, starts the copy to another folder, and completes a stop. */
static void
end_if_idle (EarDownloader *self)
{
  g_autofree char *target = NULL;
  EarDownloadItem *item;

  if (self->target == NULL && self->stopped_cb == NULL)
    return;
  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->cancellable != NULL)
      return;

  delete_removed (self, TRUE);
  target = g_steal_pointer (&self->target);
  if (target != NULL)
    ear_download_store_move_async (self->store, target, !g_str_equal (target, self->default_path),
                                   self->cancellable, copied_cb, g_object_ref (self));
  if (self->stopped_cb != NULL)
    ear_download_store_flush_async (self->store, g_steal_pointer (&self->stopped_cb),
                                    self->stopped_data);
}

/* Shows the changes, and starts the downloads that may run. */
void
ear_downloader_run_queue (EarDownloader *self)
{
  send_marks (self, FALSE);
  if (self->loaded && !self->stopped)
    {
      if (!self->moving)
        start_downloads (self);
      update_counts (self);
    }
  end_if_idle (self);
}

static void
network_changed_cb (EarDownloader *self)
{
  if (g_network_monitor_get_network_available (self->network))
    retry (self, FALSE);
}

static void
reserve_changed_cb (EarDownloader *self)
{
  retry (self, TRUE);
}

/* Takes new URLs from the feed of a podcast, for its downloads. */
static void
take_addresses (EarDownloader *self, EarPodcast *podcast)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (ear_downloader_is_of (item, podcast))
      hold_episode (self, item);
  ear_downloader_run_queue (self);
}

static void
inserted_cb (EarDownloader *self, gint64 podcast_id)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL)
    ear_downloader_apply (self, podcast);
}

static void
ear_downloader_release (EarDownloader *self)
{
  self->stopped = TRUE;
  g_clear_handle_id (&self->wake_source, g_source_remove);
  g_clear_handle_id (&self->tick_source, g_source_remove);
  g_clear_handle_id (&self->folder_source, g_source_remove);
  g_clear_pointer (&self->store, ear_download_store_free);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->default_path, g_free);
  g_clear_pointer (&self->target, g_free);
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->marks, g_ptr_array_unref);
  g_clear_pointer (&self->early, g_ptr_array_unref);
}

static void
ear_downloader_class_init (EarDownloaderClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarDownloader, n_active, G_TYPE_UINT),
    EAR_READABLE (EarDownloader, n_paused, G_TYPE_UINT),
    EAR_READABLE (EarDownloader, left, G_TYPE_INT64),
    EAR_READABLE (EarDownloader, n_done, G_TYPE_UINT),
    EAR_READABLE (EarDownloader, n_items, G_TYPE_UINT),
    EAR_READABLE (EarDownloader, size, G_TYPE_INT64),
    EAR_READABLE (EarDownloader, running, G_TYPE_BOOLEAN),
    { .spec = g_param_spec_boolean ("available", NULL, NULL, TRUE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarDownloader, available) },
    EAR_READABLE (EarDownloader, chosen, G_TYPE_BOOLEAN),
    EAR_READABLE (EarDownloader, moving, G_TYPE_BOOLEAN),
  };

  ear_class_set_release (klass, ear_downloader_release);
  ear_class_add_properties (klass, properties);

  ear_signal_new (klass, "loaded", 0);
  ear_signal_new (klass, "moved", 1, G_TYPE_STRING);
}

static void
ear_downloader_init (EarDownloader *self)
{
  self->items = g_ptr_array_new_with_free_func (item_free);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->marks = ear_download_mark_new_array ();
  self->early = g_ptr_array_new_with_free_func (g_object_unref);
  self->cancellable = g_cancellable_new ();
  self->pause_scale = 1;
  self->host_limit = HOST_LIMIT;
  self->available = TRUE;
}

/* @default_path: the folder of downloads if the listener has not chosen one */
EarDownloader *
ear_downloader_new (const EarServices *services, const char *default_path)
{
  EarDownloader *self = ear_part_new (EAR_TYPE_DOWNLOADER, services);
  g_autofree char *chosen = NULL;

  self->default_path = g_strdup (default_path);
  chosen = dup_setting (self, "downloads-folder");
  self->chosen = chosen != NULL;
  self->store = ear_download_store_new (self->chosen ? chosen : default_path, self->chosen);
  ear_connect (self->settings, "notify::keep-free", reserve_changed_cb, self);
  ear_connect (self->settings, "notify::refresh-on-metered", ear_downloader_run_queue, self);
  ear_connect (self->catalogue, "episodes-changed::inserted", inserted_cb, self);
  ear_connect (self->refresher, "refreshed", take_addresses, self);
  ear_connect (self->network, "network-changed", network_changed_cb, self);
  ear_connect (self->network, "notify::network-metered", ear_downloader_run_queue, self);

  return self;
}

/* Returns: (transfer none): the folder of downloads */
const char *
ear_downloader_get_path (EarDownloader *self)
{
  return ear_download_store_get_folder (self->store)->path;
}

EAR_DEFINE_GET (EarDownloader, ear_downloader, guint, n_active)
EAR_DEFINE_GET (EarDownloader, ear_downloader, gboolean, running)
EAR_DEFINE_GET (EarDownloader, ear_downloader, gboolean, moving)

/* Returns: whether the records are loaded */
EAR_DEFINE_GET (EarDownloader, ear_downloader, gboolean, loaded)

/* Sends the marks of a podcast's downloads to the catalogue, as its rows may be new, takes new
 * URLs from its feed, and fetches its downloads while it is followed.
 * @podcast: a podcast that has new rows, or was followed or unfollowed */
void
ear_downloader_apply (EarDownloader *self, EarPodcast *podcast)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state != EAR_DOWNLOAD_NONE && ear_downloader_is_of (item, podcast))
      ear_downloader_append_mark (self, item);
  take_addresses (self, podcast);
}
