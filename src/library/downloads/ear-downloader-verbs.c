/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-download-rules.h"

#include "ear-address.h"

/* Adding, removing and restoring downloads */

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
want_again (EarDownloader *self, EarDownloadItem *item, EarEpisode *episode,
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
    ear_downloader_mark (self, item);
  if (fetched)
    return;
  ear_download_item_set_enclosure (item, enclosure->address);
  /* The record may have to outlive the session; a lack of disk space is reported when the
   * download runs. */
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, item->record, NULL, NULL);
}

/* Requests a download, after loading if the records are not loaded yet. */
void
ear_downloader_fetch (EarDownloader *self, EarEpisode *episode)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);
  EarDownloadItem *item;
  g_autofree char *key = NULL;

  if (enclosure == NULL || !ear_address_is_web (enclosure->address) || self->stopped)
    return;
  if (!self->available)
    ear_downloader_tell_missing (self);
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
      ear_downloader_add (self, item);
      item->episode = g_object_ref (episode);
    }
  want_again (self, item, episode, enclosure);
  ear_downloader_mark (self, item);
  ear_downloader_pump (self);
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
    ear_downloader_fetch (self, episode);
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
  ear_downloader_add (self, item);
  ear_downloader_hold_episode (self, item);
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, item->record, NULL, NULL);
  ear_downloader_mark (self, item);
  ear_downloader_pump (self);
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
  ear_downloader_add (self, ear_download_item_new (declined));
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, declined, NULL, NULL);
}

static void
remove_item (EarDownloader *self, EarDownloadItem *item, gboolean decline, GPtrArray *records,
             GPtrArray *marks)
{
  const gboolean moved = item->state == EAR_DOWNLOAD_DONE;
  EarDownloadRecord *record;

  record = ear_download_record_copy (item->record);
  g_ptr_array_add (records, record);
  item->removed = TRUE;
  item->declined = decline;
  ear_downloader_append_mark (self, item, marks);
  if (moved)
    g_signal_emit_by_name (self, "moved", item->key);
  if (item->busy)
    {
      g_clear_pointer (&item->removal, g_ptr_array_unref);
      item->removal = g_ptr_array_ref (records);
      if (item->cancellable != NULL)
        g_cancellable_cancel (item->cancellable);
      return;
    }
  ear_downloader_let_go (self, item);
  ear_downloader_drop (self, item);
  if (decline)
    ear_downloader_decline (self, record);
}

/* Removes the file or cancels the download, and prevents an automatic one. The file can
 * be restored until [method@EarDownloader.discard].
 * @records: (element-type EarDownloadRecord): receives the removed downloads; pass the
 *   same array to restore or discard, as the progress of a download that is still being
 *   canceled is updated in it */
void
ear_downloader_take_away (EarDownloader *self, EarEpisode *episode, GPtrArray *records)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();
  EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

  if (item != NULL && !item->removed && !item->record->declined)
    remove_item (self, item, TRUE, records, marks);
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_pump (self);
}

/* Removes downloads and cancels unfinished ones, without Undo.
 * @episodes: (element-type EarEpisode): episodes that are replaced by others */
void
ear_downloader_make_room (EarDownloader *self, GPtrArray *episodes)
{
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) marks = NULL;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  records = ear_download_record_new_array ();
  marks = ear_download_mark_new_array ();
  for (guint i = 0; i < episodes->len; i++)
    {
      g_autofree char *key = ear_episode_dup_key (g_ptr_array_index (episodes, i));
      EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

      if (item != NULL && !item->removed)
        remove_item (self, item, FALSE, records, marks);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_discard (self, records);
  ear_downloader_pump (self);
}

/* Removes all finished downloads as [method@EarDownloader.take_away] does.
 * Returns: (transfer full) (element-type EarDownloadRecord): the removed downloads */
GPtrArray *
ear_downloader_take_all_away (EarDownloader *self)
{
  GPtrArray *records = ear_download_record_new_array ();
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  for (guint i = self->items->len; i > 0; i--)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i - 1);

      if (item->state == EAR_DOWNLOAD_DONE && !item->removed)
        remove_item (self, item, TRUE, records, marks);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);

  return records;
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarDownloadItem *item = user_data;
  g_autoptr (EarDownloader) self = EAR_DOWNLOADER (g_steal_pointer (&item->owner));
  g_autoptr (GError) error = NULL;
  EarDownloadRecord *record = ear_download_store_change_finish (result, &error);

  if (record != NULL)
    ear_download_item_set_record (item, record);
  else
    {
      /* The file could not be restored and is fetched again. */
      g_clear_pointer (&item->record->file, g_free);
      ear_downloader_notify_failure (self, error);
    }

  if (item->removed)
    ear_download_item_notify_removal (item);
  else if (item->record->file != NULL)
    ear_downloader_take_file (self, item);
  ear_downloader_settle (self, item);
}

/* A download that is still being canceled is discarded when that has ended. */
static void
discard (EarDownloader *self, const EarDownloadRecord *record)
{
  g_autofree char *key = ear_download_record_dup_key (record);
  EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

  if (item != NULL && item->removed)
    item->unwanted = TRUE;
  else
    ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_DISCARD, record, NULL, NULL);
}

static void
restore (EarDownloader *self, const EarDownloadRecord *record, GPtrArray *marks)
{
  g_autofree char *key = ear_download_record_dup_key (record);
  EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

  if (item != NULL && item->record->declined)
    {
      ear_downloader_drop (self, item);
      item = NULL;
    }
  if (item != NULL)
    {
      /* The download is still being canceled, or was requested again: then the removed
       * file is not needed. */
      if (!item->removed)
        discard (self, record);
      item->removed = item->unwanted = item->declined = FALSE;
      item->asked = TRUE;
      ear_downloader_hold_episode (self, item);
      ear_downloader_append_mark (self, item, marks);
      return;
    }

  item = ear_download_item_new (ear_download_record_copy (record));
  item->state = EAR_DOWNLOAD_WAITING;
  /* An undo counts as a request by the listener. */
  item->record->automatic = FALSE;
  item->record->done = item->record->file != NULL ? g_get_real_time () : 0;
  item->asked = item->busy = TRUE;
  ear_downloader_add (self, item);
  ear_downloader_append_mark (self, item, marks);
  ear_downloader_hold_episode (self, item);
  item->owner = g_object_ref (G_OBJECT (self));
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_RESTORE, item->record,
                                   restored_cb, item);
}

/* Restores removed downloads. Discarded files are fetched again.
 * @records: (element-type EarDownloadRecord): the removed downloads */
void
ear_downloader_restore (EarDownloader *self, GPtrArray *records)
{
  g_autoptr (GPtrArray) marks = NULL;

  if (self->stopped)
    return;
  marks = ear_download_mark_new_array ();
  for (guint i = 0; i < records->len; i++)
    restore (self, g_ptr_array_index (records, i), marks);
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_pump (self);
}

static void
discarded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;

  ear_downloader_notify_room (self);
}

/* Deletes the files of removed downloads, which will not be restored.
 * @records: (element-type EarDownloadRecord): the removed downloads */
void
ear_downloader_discard (EarDownloader *self, GPtrArray *records)
{
  if (self->store == NULL)
    return;
  for (guint i = 0; i < records->len; i++)
    discard (self, g_ptr_array_index (records, i));
  ear_download_store_flush_async (self->store, discarded_cb, g_object_ref (self));
}

static void
known_free (gpointer data)
{
  EarKnownDownload *known = data;

  g_object_unref (known->episode);
  g_free (known);
}

/* Returns: whether a declined download can be forgotten, as its episode was played or is
 * gone */
static gboolean
is_over (const EarDownloadItem *item, EarEpisode *episode)
{
  return item->record->declined && (episode == NULL || ear_episode_get_listened (episode));
}

/* Returns: (transfer full) (element-type EarKnownDownload): finished, requested and
 * declined downloads of the podcast */
GPtrArray *
ear_downloader_list_known (EarDownloader *self, EarPodcast *podcast)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (known_free);

  for (guint i = self->items->len; i > 0; i--)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i - 1);
      g_autoptr (EarEpisode) episode = NULL;
      EarKnownDownload *known;

      if (item->removed || !g_str_equal (item->record->podcast, ear_podcast_get_address (podcast)))
        continue;
      episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, item->record->guid);
      if (is_over (item, episode))
        {
          ear_downloader_let_go (self, item);
          ear_downloader_drop (self, item);
          continue;
        }
      if (episode == NULL)
        continue;
      known = g_new0 (EarKnownDownload, 1);
      known->episode = g_steal_pointer (&episode);
      known->automatic = item->record->automatic;
      g_ptr_array_add (list, known);
    }

  return list;
}

/* Returns the file of a download. If somebody has deleted the file, the download is
 * removed.
 * Returns: (transfer full) (nullable): its path */
char *
ear_downloader_dup_file (EarDownloader *self, EarEpisode *episode)
{
  g_autofree char *key = NULL;
  g_autofree char *file = NULL;
  g_autoptr (GPtrArray) removed = NULL;
  EarDownloadItem *item;

  g_return_val_if_fail (EAR_IS_DOWNLOADER (self), NULL);
  g_return_val_if_fail (EAR_IS_EPISODE (episode), NULL);

  key = ear_episode_dup_key (episode);
  item = g_hash_table_lookup (self->by_key, key);
  if (item == NULL || item->removed || item->state != EAR_DOWNLOAD_DONE)
    return NULL;
  file = ear_download_store_dup_file (self->store, item->record);
  if (file == NULL || g_file_test (file, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&file);
  if (ear_downloader_miss_folder (self))
    return NULL;
  removed = ear_download_record_new_array ();
  ear_downloader_take_away (self, episode, removed);

  return NULL;
}

/* @n_episodes: (out): number of downloaded episodes
 * Returns: their size in bytes */
guint64
ear_downloader_get_room (EarDownloader *self, EarPodcast *podcast, guint *n_episodes)
{
  guint64 size = 0;

  g_return_val_if_fail (EAR_IS_DOWNLOADER (self), 0);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), 0);

  *n_episodes = 0;
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->state != EAR_DOWNLOAD_DONE || item->removed ||
          !g_str_equal (item->record->podcast, ear_podcast_get_address (podcast)))
        continue;
      *n_episodes += 1;
      size += (guint64) MAX (item->record->size, 0);
    }

  return size;
}

/* Returns: (transfer full) (element-type utf8 utf8): a set of the keys of downloaded
 * episodes */
GHashTable *
ear_downloader_dup_keys (EarDownloader *self)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->state == EAR_DOWNLOAD_DONE && !item->removed)
        g_hash_table_add (keys, g_strdup (item->key));
    }

  return keys;
}

/* Returns: (transfer full) (nullable): an episode of the podcast whose server requires a
 * login */
EarEpisode *
ear_downloader_dup_refused (EarDownloader *self, EarPodcast *podcast)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->episode != NULL && ear_episode_get_podcast (item->episode) == podcast &&
          ear_error_wants_login (ear_episode_get_download_error (item->episode)))
        return g_object_ref (item->episode);
    }

  return NULL;
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
  ear_downloader_pump (self);
}

/* Assigns the file of a download to the same episode of another podcast.
 * @from: a downloaded episode
 * @to: an episode without a download
 * Returns: whether @to has the file now */
gboolean
ear_downloader_hand_over (EarDownloader *self, EarEpisode *from, EarEpisode *to)
{
  g_autofree char *key = ear_episode_dup_key (from);
  g_autofree char *new_key = ear_episode_dup_key (to);
  EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);
  g_autoptr (EarDownloadRecord) former = NULL;
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();
  EarDownloadRecord *record;
  EarDownloadItem *moved;

  if (item == NULL || item->busy || item->removed || item->state != EAR_DOWNLOAD_DONE ||
      g_hash_table_contains (self->by_key, new_key))
    return FALSE;
  record = ear_download_record_copy (item->record);
  g_set_str (&record->podcast, ear_podcast_get_address (ear_episode_get_podcast (to)));
  g_set_str (&record->guid, ear_episode_get_guid (to));
  moved = ear_download_item_new (record);
  ear_downloader_add (self, moved);
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, record, NULL, NULL);
  /* Only the old record is removed; the file stays. */
  former = ear_download_record_copy (item->record);
  g_clear_pointer (&former->file, g_free);
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_TRASH, former, NULL, NULL);
  item->removed = TRUE;
  ear_downloader_append_mark (self, item, marks);
  ear_downloader_append_mark (self, moved, marks);
  ear_downloader_drop (self, item);
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  g_signal_emit_by_name (self, "moved", key);
  g_signal_emit_by_name (self, "moved", new_key);

  return TRUE;
}

/* Removes all downloads of a podcast, without Undo.
 * @podcast: URL of an unfollowed podcast whose unfollowing cannot be undone any more */
void
ear_downloader_forget (EarDownloader *self, const char *podcast)
{
  g_autoptr (GPtrArray) records = ear_download_record_new_array ();
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  for (guint i = self->items->len; i > 0; i--)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i - 1);

      if (!item->removed && g_str_equal (item->record->podcast, podcast))
        remove_item (self, item, FALSE, records, marks);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_discard (self, records);
  ear_downloader_pump (self);
}
