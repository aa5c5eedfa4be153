/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-download-rules.h"
#include "ear-property.h"
#include "ear-records.h"

#include <glib/gi18n-lib.h>

/* Seconds that removed files are kept for Undo; later, Undo fetches them again. */
#define REMOVED_SECONDS 60

/* Maximum number of downloads added at once: selecting all episodes of a large podcast
 * must not fill the disk. */
#define DOWNLOAD_LIMIT 500

/* Maximum number of episodes read for that, which takes a moment */
#define READ_LIMIT (10 * DOWNLOAD_LIMIT)

/* Downloads an episode, or tries a failed download again. A finished one stays as it is.
 * @episode: an episode of a followed podcast */
void
ear_downloader_download (EarDownloader *self, EarEpisode *episode)
{
  ear_downloader_request (self, episode, TRUE);
  ear_downloader_run_queue (self);
}

/* Removing downloads */

/* Returns: whether the episode could be downloaded automatically */
static gboolean
is_wanted_automatically (EarDownloader *self, const EarDownloadItem *item)
{
  g_autoptr (EarEpisode) episode = ear_downloader_dup_episode (self, item);

  return episode != NULL && !ear_episode_get_listened (episode) &&
         ear_settings_get_for (self->settings, ear_episode_get_podcast (episode),
                               EAR_PODCAST_SETTING_DOWNLOAD_NEWEST) > 0;
}

/* Removes a download, and cancels it if it is not finished. The mark in the record makes the
 * next start delete the file if Earmark is killed before.
 * @keys: (nullable) (element-type utf8): receives what Undo restores; %NULL for a removal
 *   without Undo, which does not prevent an automatic download either */
static void
remove_item (EarDownloader *self, EarDownloadItem *item, GPtrArray *keys)
{
  item->record->declined = keys != NULL && is_wanted_automatically (self, item);
  item->not_before = 0;
  if (keys != NULL)
    {
      g_ptr_array_add (keys, g_strdup (item->key));
      item->record->automatic = FALSE;
      item->not_before = g_get_monotonic_time () +
                         (gint64) (self->pause_scale * REMOVED_SECONDS * G_TIME_SPAN_SECOND);
    }
  ear_downloader_enter (self, item, EAR_DOWNLOAD_NONE, NULL);
  if (keys != NULL)
    ear_downloader_store_record (self, item);
}

/* Restores removed downloads: an undo counts as a request by the listener. Files that were
 * deleted are fetched again. */
static void
undo_removal (gpointer owner, gpointer data)
{
  EarDownloader *self = owner;
  GPtrArray *keys = data;

  for (guint i = 0; i < keys->len; i++)
    {
      EarDownloadItem *item = g_hash_table_lookup (self->by_key, keys->pdata[i]);

      if (item != NULL && item->state == EAR_DOWNLOAD_NONE)
        ear_downloader_want (self, item, TRUE);
    }
  ear_downloader_run_queue (self);
}

/* @keys: (element-type utf8): removed downloads */
static void
end_removal (EarDownloader *self, GPtrArray *keys, const char *message)
{
  ear_downloader_run_queue (self);
  if (keys->len > 0)
    ear_notices_offer (self->notices, message, undo_removal, self, g_ptr_array_ref (keys),
                       (GDestroyNotify) g_ptr_array_unref);
}

/* Removes the file of an episode, or cancels its download. Can be undone.
 * @episode: an episode that is or is being downloaded */
void
ear_downloader_remove (EarDownloader *self, EarEpisode *episode)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  EarDownloadItem *item = ear_downloader_find_item (self, episode);
  const gboolean done = ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;

  if (item != NULL && item->state != EAR_DOWNLOAD_NONE)
    remove_item (self, item, keys);
  end_removal (self, keys, done ? _("Download removed") : _("Download canceled"));
}

static void
end_removal_of_many (EarDownloader *self, GPtrArray *keys)
{
  g_autofree char *message = g_strdup_printf (
      /* Translators: %u is the number of removed downloads. */
      ngettext ("%'u download removed", "%'u downloads removed", keys->len), keys->len);

  end_removal (self, keys, message);
}

/* Removes all finished downloads. Can be undone.
 * Returns: the number of removed downloads */
guint
ear_downloader_remove_all (EarDownloader *self)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state == EAR_DOWNLOAD_DONE)
      remove_item (self, item, keys);
  end_removal_of_many (self, keys);

  return keys->len;
}

/* Removes downloads that are older than @days, if it is not 0. Can be undone.
 * @keep: returns whether a download stays all the same */
void
ear_downloader_remove_old (EarDownloader *self, guint days, EarDownloadKeepFunc keep,
                           gpointer keep_data)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *message = NULL;
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      const EarDownloadRecord *record = item->record;
      g_autoptr (EarEpisode) episode = NULL;

      if (item->state != EAR_DOWNLOAD_DONE ||
          !ear_download_policy_is_old (record->done > 0 ? record->done : record->wanted, days,
                                       g_get_real_time ()))
        continue;
      episode = ear_downloader_dup_episode (self, item);
      if (episode != NULL && !keep (episode, keep_data))
        remove_item (self, item, keys);
    }
  /* Translators: %u is the number of downloads removed because of their age. */
  message = g_strdup_printf (
      ngettext ("%'u old download removed", "%'u old downloads removed", keys->len), keys->len);
  end_removal (self, keys, message);
}

/* Removes all downloads of a podcast, without Undo.
 * @podcast: URL of an unfollowed podcast whose unfollowing cannot be undone any more */
void
ear_downloader_forget (EarDownloader *self, const char *podcast)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (g_str_equal (item->record->podcast, podcast))
      remove_item (self, item, NULL);
  ear_downloader_run_queue (self);
}

/* The downloads of an episode */

/* Sets which episodes of a podcast are downloaded automatically: downloads those that are
 * neither there nor declined, and removes automatic downloads that are not among them.
 * @wanted: (element-type EarEpisode): most wanted first; those that are known are removed
 * @keep: returns whether an automatic download stays all the same */
void
ear_downloader_set_wanted (EarDownloader *self, EarPodcast *podcast, GPtrArray *wanted,
                           EarDownloadKeepFunc keep, gpointer keep_data)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      const gboolean removed = item->state == EAR_DOWNLOAD_NONE;
      g_autoptr (EarEpisode) episode = NULL;

      if ((removed && !item->record->declined) || !ear_downloader_is_of (item, podcast))
        continue;
      episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, item->record->guid);
      /* A declined download is forgotten once its episode was played or is gone. */
      if (removed && item->not_before == EAR_DOWNLOAD_NEVER &&
          (episode == NULL || ear_episode_get_listened (episode)))
        remove_item (self, item, NULL);
      else if (episode != NULL && !g_ptr_array_remove (wanted, episode) && !removed &&
               item->record->automatic && !keep (episode, keep_data))
        remove_item (self, item, NULL);
    }
  for (guint i = 0; i < wanted->len; i++)
    ear_downloader_request (self, wanted->pdata[i], FALSE);
  ear_downloader_run_queue (self);
}

/* Returns the file of a download. If somebody has deleted the file, the download is
 * removed.
 * Returns: (transfer full) (nullable): its path */
char *
ear_downloader_dup_file (EarDownloader *self, EarEpisode *episode)
{
  EarDownloadItem *item = ear_downloader_find_item (self, episode);
  g_autofree char *file = NULL;

  if (item == NULL || item->state != EAR_DOWNLOAD_DONE)
    return NULL;
  file = ear_download_folder_dup_file (ear_download_store_get_folder (self->store), item->record);
  if (file == NULL || g_file_test (file, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&file);
  if (!ear_downloader_check_folder (self))
    {
      g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

      /* A new request would restore a removed download that has a file. */
      g_clear_pointer (&item->record->file, g_free);
      remove_item (self, item, keys);
      ear_downloader_run_queue (self);
    }

  return NULL;
}

/* @n_episodes: (out): number of downloaded episodes
 * Returns: their size in bytes */
guint64
ear_downloader_get_room (EarDownloader *self, EarPodcast *podcast, guint *n_episodes)
{
  guint64 size = 0;
  EarDownloadItem *item;

  *n_episodes = 0;
  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      if (item->state != EAR_DOWNLOAD_DONE || !ear_downloader_is_of (item, podcast))
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
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state == EAR_DOWNLOAD_DONE)
      g_hash_table_add (keys, g_strdup (item->key));

  return keys;
}

/* Returns: (transfer full) (nullable): an episode of the podcast whose server requires a
 * login */
EarEpisode *
ear_downloader_dup_refused (EarDownloader *self, EarPodcast *podcast)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state == EAR_DOWNLOAD_FAILED && ear_error_wants_login (item->error) &&
        item->episode != NULL &&
        ear_episode_get_podcast (item->episode) == podcast)
      return g_object_ref (item->episode);

  return NULL;
}

/* Moves the downloads of a podcast to the same episodes of another one: the files that are
 * complete, and the requests of the listener. */
void
ear_downloader_move_podcast (EarDownloader *self, EarPodcast *from, EarPodcast *to)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state != EAR_DOWNLOAD_NONE && ear_downloader_is_of (item, from))
      g_ptr_array_add (items, item);
  for (guint i = 0; i < items->len; i++)
    {
      g_autoptr (EarEpisode) episode = NULL;
      EarDownloadItem *other;

      item = g_ptr_array_index (items, i);
      episode = ear_catalogue_dup_episode_by_guid (self->catalogue, to, item->record->guid);
      if (episode == NULL)
        continue;
      other = ear_downloader_find_item (self, episode);
      if (item->state == EAR_DOWNLOAD_DONE &&
          (other == NULL || ear_downloader_drop_item (self, other)))
        {
          EarDownloadRecord *record = ear_download_record_copy (item->record);

          g_set_str (&record->podcast, ear_podcast_get_address (to));
          g_set_str (&record->guid, ear_episode_get_guid (episode));
          other = ear_downloader_add_item (self, record);
          ear_downloader_enter (self, other, EAR_DOWNLOAD_DONE, NULL);
          ear_downloader_store_record (self, other);
          /* Only the old record is removed; the file stays. */
          g_clear_pointer (&item->record->file, g_free);
          remove_item (self, item, NULL);
        }
      else if (!item->record->automatic && item->state != EAR_DOWNLOAD_FAILED &&
               item->state != EAR_DOWNLOAD_PAUSED)
        ear_downloader_request (self, episode, TRUE);
    }
  ear_downloader_run_queue (self);
}

/* @ids: (element-type gint64): row ids of episodes
 * @keys: as for remove_item() */
static void
remove_ids (EarDownloader *self, GArray *ids, GPtrArray *keys)
{
  g_autoptr (GArray) sorted = g_array_copy (ids);
  EarDownloadItem *item;

  g_array_sort (sorted, ear_ids_compare);
  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      g_autoptr (EarEpisode) episode = NULL;
      gint64 id;

      if (item->state == EAR_DOWNLOAD_NONE)
        continue;
      episode = ear_downloader_dup_episode (self, item);
      id = episode != NULL ? ear_episode_get_id (episode) : 0;
      if (g_array_binary_search (sorted, &id, ear_ids_compare, NULL))
        remove_item (self, item, keys);
    }
}

/* Removes downloads and cancels unfinished ones. Can be undone.
 * @ids: (element-type gint64): row ids of episodes */
void
ear_downloader_remove_many (EarDownloader *self, GArray *ids)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  remove_ids (self, ids, keys);
  end_removal_of_many (self, keys);
  if (keys->len == 0)
    ear_notices_add (self->notices, FALSE, _("No downloads"));
}

/* Undoing a download cannot be undone itself. */
static void
undo_downloading (gpointer owner, gpointer ids)
{
  remove_ids (owner, ids, NULL);
  ear_downloader_run_queue (owner);
}

/* Downloads those of the first 5,000 episodes that are not downloaded yet, 500 at most. Can
 * be undone.
 * @ids: (element-type gint64): row ids of episodes */
void
ear_downloader_download_many (EarDownloader *self, GArray *ids)
{
  g_autoptr (GArray) wanted = ear_ids_new ();
  g_autofree char *message = NULL;
  gboolean begun = FALSE;

  /* Until the records are loaded, requests only wait in @early. */
  for (guint i = 0; i < MIN (ids->len, READ_LIMIT) &&
                    MAX (wanted->len, self->early->len) < DOWNLOAD_LIMIT;
       i++)
    {
      const gint64 id = g_array_index (ids, gint64, i);
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode (self->catalogue, id);
      const EarDownload before =
          episode != NULL ? ear_episode_get_download (episode) : EAR_DOWNLOAD_NONE;

      if (episode == NULL || ear_episode_has_download (episode))
        continue;
      ear_downloader_request (self, episode, TRUE);
      if (ear_episode_get_download (episode) == before)
        continue;
      begun = TRUE;
      if (before == EAR_DOWNLOAD_NONE)
        g_array_append_val (wanted, id);
    }
  ear_downloader_run_queue (self);
  if (!begun)
    ear_notices_add (self->notices, FALSE, _("Nothing to download"));
  if (wanted->len == 0)
    return;
  /* Translators: %u is the number of episodes just added to the downloads. */
  message = g_strdup_printf (ngettext ("%'u episode is being downloaded",
                                       "%'u episodes are being downloaded", wanted->len),
                             wanted->len);
  ear_notices_offer (self->notices, message, undo_downloading, self, g_steal_pointer (&wanted),
                     (GDestroyNotify) g_array_unref);
}

/* Pausing and reordering of waiting downloads */

/* Returns: whether the listener wants the download and its file is not complete */
static gboolean
is_pending (const EarDownloadItem *item)
{
  return item->state != EAR_DOWNLOAD_NONE && item->state != EAR_DOWNLOAD_DONE;
}

static void
pause_item (EarDownloader *self, EarDownloadItem *item)
{
  if (!is_pending (item) || item->state == EAR_DOWNLOAD_PAUSED)
    return;
  ear_downloader_enter (self, item, EAR_DOWNLOAD_PAUSED, NULL);
  ear_downloader_store_record (self, item);
}

/* Pauses the download. The fetched part stays.
 * @episode: an episode that is being downloaded or waits */
void
ear_downloader_pause (EarDownloader *self, EarEpisode *episode)
{
  EarDownloadItem *item = ear_downloader_find_item (self, episode);

  if (item != NULL)
    pause_item (self, item);
  ear_downloader_run_queue (self);
}

void
ear_downloader_pause_all (EarDownloader *self)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state != EAR_DOWNLOAD_FAILED)
      pause_item (self, item);
  ear_downloader_run_queue (self);
}

void
ear_downloader_resume_all (EarDownloader *self)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (item->state == EAR_DOWNLOAD_PAUSED)
      ear_downloader_want (self, item, !item->record->automatic);
  ear_downloader_run_queue (self);
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const EarDownloadItem *first = a;
  const EarDownloadItem *second = b;

  return ear_compare (first->record->wanted, second->record->wanted);
}

/* @before: (nullable) (element-type utf8 gint64): receives the former position, by key */
static void
set_position (EarDownloader *self, EarDownloadItem *item, gint64 position, GHashTable *before)
{
  if (before != NULL)
    g_hash_table_insert (before, g_strdup (item->key),
                         g_memdup2 (&item->record->wanted, sizeof item->record->wanted));
  item->record->wanted = position;
  ear_downloader_store_record (self, item);
  ear_downloader_append_mark (self, item);
}

static void
undo_moving (gpointer owner, gpointer data)
{
  EarDownloader *self = owner;
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    {
      const gint64 *position = g_hash_table_lookup (data, item->key);

      if (position != NULL && is_pending (item))
        set_position (self, item, *position, NULL);
    }
  g_ptr_array_sort_values (self->items, compare_positions);
  ear_downloader_run_queue (self);
}

/* @items: (element-type EarDownloadItem): some downloads, in order */
static gint64
get_position (GPtrArray *items, guint index)
{
  return index < items->len ? ((EarDownloadItem *) items->pdata[index])->record->wanted : 0;
}

/* Moves downloads in the queue, keeping their order. Can be undone.
 * @episodes: (element-type EarEpisode): episodes that are being downloaded or wait
 * @before: (nullable): the episode to put them before, or %NULL for the end */
void
ear_downloader_move (EarDownloader *self, GPtrArray *episodes, EarEpisode *before)
{
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  g_autoptr (GHashTable) former = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  EarDownloadItem *next = before != NULL ? ear_downloader_find_item (self, before) : NULL;
  EarDownloadItem *item;
  guint position;
  EarOrder order;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    if (is_pending (item))
      g_ptr_array_add (others, item);
  for (guint i = 0; i < episodes->len; i++)
    {
      item = ear_downloader_find_item (self, episodes->pdata[i]);
      if (g_ptr_array_remove (others, item))
        g_ptr_array_add (moved, item);
    }
  /* Dropped on one of themselves: nothing moves. */
  if (moved->len == 0 || others->len == 0 || g_ptr_array_find (moved, next, NULL))
    return;

  if (!g_ptr_array_find (others, next, &position))
    position = others->len;
  order = ear_order_insert (position, moved->len, others->len, get_position (others, position - 1),
                            get_position (others, position));
  for (guint i = 0; i < moved->len; i++)
    set_position (self, moved->pdata[i], ear_order_get_inserted (&order, i), former);
  for (guint i = 0; order.renumber && i < others->len; i++)
    set_position (self, others->pdata[i], ear_order_get_other (&order, i), former);
  g_ptr_array_sort_values (self->items, compare_positions);
  ear_downloader_run_queue (self);
  ear_notices_offer (self->notices, NULL, undo_moving, self, g_steal_pointer (&former),
                     (GDestroyNotify) g_hash_table_unref);
}

/* Stopping, and choosing another folder */

static void
cancel_all (EarDownloader *self)
{
  EarDownloadItem *item;

  for (guint i = 0; (item = ear_downloader_get_item (self, i)) != NULL; i++)
    g_cancellable_cancel (item->cancellable);
  ear_downloader_run_queue (self);
}

/* Cancels running downloads, which the next session resumes, and a move to another
 * folder.
 * @callback: called without a source once all records are on the disk */
void
ear_downloader_stop_async (EarDownloader *self, GAsyncReadyCallback callback, gpointer user_data)
{
  self->stopped = TRUE;
  g_cancellable_cancel (self->cancellable);
  self->stopped_cb = callback;
  self->stopped_data = user_data;
  g_clear_handle_id (&self->wake_source, g_source_remove);
  cancel_all (self);
}

/* Moves all downloads to another folder; running ones pause until that is done. On failure
 * a notice says why, and the downloads stay where they were.
 * @path: (nullable): a folder, or %NULL for the default one */
void
ear_downloader_choose_folder (EarDownloader *self, const char *path)
{
  if (path == NULL)
    path = self->default_path;
  /* Choosing the same folder again creates it if it is missing. */
  if (self->moving || self->stopped ||
      (g_str_equal (path, ear_downloader_get_path (self)) && self->available))
    return;
  self->target = g_strdup (path);
  /* No file is deleted by its former name in the new folder. */
  g_clear_handle_id (&self->wake_source, g_source_remove);
  ear_property_set_boolean (self, "moving", TRUE);
  cancel_all (self);
}
