/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-address.h"
#include "ear-download-policy.h"
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
ear_downloader_add (EarDownloader *self, EarDownloadItem *item)
{
  g_ptr_array_add (self->items, item);
  g_hash_table_insert (self->by_key, item->key, item);
}

/* Sets the URL that the feed has now, as signed URLs expire. A download that failed
 * because of an old URL is tried again. */
static void
take_enclosure (EarDownloader *self, EarDownloadItem *item)
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
      ear_downloader_mark (self, item);
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
  take_enclosure (self, item);
  item->followed = podcast != NULL && ear_podcast_get_followed (podcast);
  ear_download_item_set_state (item, item->state, item->error);
}

/* Failed downloads are listed before waiting ones. */
static gint64
get_place (EarDownloadItem *item)
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
    g_ptr_array_add (marks,
                     ear_download_mark_new (ear_podcast_get_id (podcast), item->record->guid,
                                            ear_download_item_get_kind (item), get_place (item)));
}

/* Sends the state of a download to the catalogue. */
void
ear_downloader_mark (EarDownloader *self, EarDownloadItem *item)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  ear_downloader_append_mark (self, item, marks);
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
}

/* Removes a download from the list.
 * @item: (transfer full): a download that is not busy */
void
ear_downloader_drop (EarDownloader *self, EarDownloadItem *item)
{
  g_hash_table_remove (self->by_key, item->key);
  g_ptr_array_remove (self->items, item);
}

void
ear_downloader_notify_failure (EarDownloader *self, const GError *error)
{
  g_message ("A download could not be moved: %s", error->message);
  ear_notices_add (self->notices,
                   _("A downloaded file could not be moved. Is its folder read-only?"), TRUE);
}

/* Updates the counting properties. */
void
ear_downloader_count (EarDownloader *self)
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
  ear_downloader_pump (self);
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
      take_enclosure (self, item);
      changed = changed || item->state != EAR_DOWNLOAD_FAILED;
    }
  if (changed)
    ear_downloader_pump (self);
}

/* Retries all downloads, except those of busy servers, if some waited for disk space or
 * for the folder. */
void
ear_downloader_notify_room (EarDownloader *self)
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
ear_downloader_dispose (GObject *object)
{
  EarDownloader *self = EAR_DOWNLOADER (object);

  self->stopped = TRUE;
  g_clear_handle_id (&self->wake_source, g_source_remove);
  g_clear_handle_id (&self->tick_source, g_source_remove);
  g_clear_handle_id (&self->look_source, g_source_remove);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->http);
  g_clear_object (&self->keyring);
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
      .changed = G_CALLBACK (ear_downloader_pump) },
    { .spec = g_param_spec_uint ("reserve", NULL, NULL, 0, G_MAXUINT, 250, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarDownloader, reserve),
      .changed = G_CALLBACK (ear_downloader_notify_room) },
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

/* @refresher: (nullable): fetches feeds for new addresses of media
 * @path: the folder of downloads; it may be missing
 * @chosen: whether the listener has chosen it: then the downloader waits for it */
EarDownloader *
ear_downloader_new (EarCatalogue *catalogue,
                    EarHttp *http,
                    EarKeyring *keyring,
                    EarRefresher *refresher,
                    GNetworkMonitor *network,
                    EarNotices *notices,
                    const char *path,
                    gboolean chosen)
{
  EarDownloader *self = g_object_new (EAR_TYPE_DOWNLOADER, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->http = g_object_ref (http);
  self->keyring = g_object_ref (keyring);
  g_set_object (&self->refresher, refresher);
  if (refresher != NULL)
    g_signal_connect_object (refresher, "refreshed", G_CALLBACK (refreshed_cb), self,
                             G_CONNECT_SWAPPED);
  self->network = g_object_ref (network);
  self->notices = g_object_ref (notices);
  self->store = ear_download_store_new (path, chosen);
  g_signal_connect_object (network, "network-changed", G_CALLBACK (network_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (network, "notify::network-metered", G_CALLBACK (ear_downloader_pump),
                           self, G_CONNECT_SWAPPED);

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

static void
take_records (EarDownloader *self, GPtrArray *records)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  for (guint i = 0; i < records->len; i++)
    {
      EarDownloadItem *item =
          ear_download_item_new (ear_download_record_copy (g_ptr_array_index (records, i)));

      ear_downloader_add (self, item);
      if (!item->record->declined)
        ear_downloader_append_mark (self, item, marks);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, TRUE);
  for (guint i = 0; i < self->items->len; i++)
    ear_downloader_hold_episode (self, g_ptr_array_index (self->items, i));
}

static void
tell_damage (EarDownloader *self, guint n)
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
      ear_downloader_miss_folder (self);
      return;
    }
  take_records (self, records);
  self->loaded = TRUE;
  ear_property_set_boolean (self, "available", TRUE);
  g_signal_emit_by_name (self, "loaded");
  for (guint i = 0; i < self->early->len; i++)
    ear_downloader_fetch (self, g_ptr_array_index (self->early, i));
  g_ptr_array_set_size (self->early, 0);
  if (n_damaged > 0)
    tell_damage (self, n_damaged);
  ear_downloader_pump (self);
}

void
ear_downloader_load (EarDownloader *self)
{
  if (!self->stopped)
    ear_download_store_load_async (self->store, NULL, loaded_cb, g_object_ref (self));
}

/* Loads the records, sends the marks to the catalogue and resumes unfinished
 * downloads. */
void
ear_downloader_start (EarDownloader *self)
{
  ear_downloader_load (self);
}

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_task_return_boolean (task, TRUE);
}

/* Completes a stop once no download is busy. */
void
ear_downloader_end_if_idle (EarDownloader *self)
{
  ear_downloader_copy_if_idle (self);
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
