/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-address.h"
#include "ear-download-rules.h"
#include "ear-records.h"

#include <glib/gi18n-lib.h>

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
  ear_downloader_trash_item (self, item);
  ear_downloader_drop_item (self, item);
  if (decline)
    ear_downloader_decline (self, record);
}

/* Removes the file or cancels the download, and prevents an automatic one. The file can
 * be restored until discard_records().
 * @records: (element-type EarDownloadRecord): receives the removed downloads; pass the
 *   same array to restore or discard, as the progress of a download that is still being
 *   canceled is updated in it */
static void
remove_episode (EarDownloader *self, EarEpisode *episode, GPtrArray *records)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();
  EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

  if (item != NULL && !item->removed && !item->record->declined)
    remove_item (self, item, TRUE, records, marks);
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_run_queue (self);
}

/* A download that is still being canceled is discarded when that has ended. */
static void
discard_record (EarDownloader *self, const EarDownloadRecord *record)
{
  g_autofree char *key = ear_download_record_dup_key (record);
  EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

  if (item != NULL && item->removed)
    item->unwanted = TRUE;
  else
    ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_DISCARD, record, NULL, NULL);
}

static void
discarded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloader) self = user_data;

  ear_downloader_retry_waiting (self);
}

/* Deletes the files of removed downloads, which will not be restored.
 * @records: (element-type EarDownloadRecord): the removed downloads */
static void
discard_records (EarDownloader *self, GPtrArray *records)
{
  if (self->store == NULL)
    return;
  for (guint i = 0; i < records->len; i++)
    discard_record (self, g_ptr_array_index (records, i));
  ear_download_store_flush_async (self->store, discarded_cb, g_object_ref (self));
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
  discard_records (self, records);
  ear_downloader_run_queue (self);
}

/* Removes all finished downloads as remove_episode() does.
 * Returns: (transfer full) (element-type EarDownloadRecord): the removed downloads */
static GPtrArray *
remove_done (EarDownloader *self)
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
      ear_downloader_report_failure (self, error);
    }

  if (item->removed)
    ear_download_item_notify_removal (item);
  else if (item->record->file != NULL)
    ear_downloader_finish_item (self, item);
  ear_downloader_settle_item (self, item);
}

static void
restore_record (EarDownloader *self, const EarDownloadRecord *record, GPtrArray *marks)
{
  g_autofree char *key = ear_download_record_dup_key (record);
  EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

  if (item != NULL && item->record->declined)
    {
      ear_downloader_drop_item (self, item);
      item = NULL;
    }
  if (item != NULL)
    {
      /* The download is still being canceled, or was requested again: then the removed
       * file is not needed. */
      if (!item->removed)
        discard_record (self, record);
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
  ear_downloader_add_item (self, item);
  ear_downloader_append_mark (self, item, marks);
  ear_downloader_hold_episode (self, item);
  item->owner = g_object_ref (G_OBJECT (self));
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_RESTORE, item->record,
                                   restored_cb, item);
}

/* Restores removed downloads. Discarded files are fetched again.
 * @records: (element-type EarDownloadRecord): the removed downloads */
static void
restore_records (EarDownloader *self, GPtrArray *records)
{
  g_autoptr (GPtrArray) marks = NULL;

  if (self->stopped)
    return;
  marks = ear_download_mark_new_array ();
  for (guint i = 0; i < records->len; i++)
    restore_record (self, g_ptr_array_index (records, i), marks);
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_run_queue (self);
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
          ear_downloader_trash_item (self, item);
          ear_downloader_drop_item (self, item);
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
  if (ear_downloader_check_folder (self))
    return NULL;
  removed = ear_download_record_new_array ();
  remove_episode (self, episode, removed);

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
  ear_downloader_add_item (self, moved);
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, record, NULL, NULL);
  /* Only the old record is removed; the file stays. */
  former = ear_download_record_copy (item->record);
  g_clear_pointer (&former->file, g_free);
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_TRASH, former, NULL, NULL);
  item->removed = TRUE;
  ear_downloader_append_mark (self, item, marks);
  ear_downloader_append_mark (self, moved, marks);
  ear_downloader_drop_item (self, item);
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
  discard_records (self, records);
  ear_downloader_run_queue (self);
}

/* Removing downloads, with Undo */

/* Seconds that removed files are kept for Undo; later, Undo fetches them again. */
#define REMOVED_SECONDS 60

/* Removed downloads that can be restored */
typedef struct
{
  EarDownloader *downloader; /* borrowed */
  GPtrArray *records;        /* (nullable) */
  guint source;
} Removal;

static void
removal_free (gpointer data)
{
  Removal *removal = data;

  g_clear_handle_id (&removal->source, g_source_remove);
  if (removal->records != NULL)
    discard_records (removal->downloader, removal->records);
  g_clear_pointer (&removal->records, g_ptr_array_unref);
  g_free (removal);
}

/* Frees the disk space after a while even if Undo is still offered: that is why the
 * listener removes files. */
static void
discard_cb (gpointer user_data)
{
  Removal *removal = user_data;

  removal->source = 0;
  discard_records (removal->downloader, removal->records);
}

static void
undo_removal (gpointer owner, gpointer data)
{
  Removal *removal = data;

  restore_records (removal->downloader, removal->records);
  g_clear_pointer (&removal->records, g_ptr_array_unref);
  g_clear_handle_id (&removal->source, g_source_remove);
}

/* @records: (element-type EarDownloadRecord): removed downloads
 * Returns: (transfer full) (nullable): an undo that restores them; %NULL for an empty
 * list */
static EarUndo *
create_undo (EarDownloader *self, GPtrArray *records, const char *message)
{
  Removal *removal;

  if (records->len == 0)
    return NULL;

  removal = g_new0 (Removal, 1);
  removal->downloader = self;
  removal->records = g_ptr_array_ref (records);
  removal->source = g_timeout_add_seconds_once (REMOVED_SECONDS, discard_cb, removal);

  return ear_undo_new (message, undo_removal, self, removal, removal_free);
}

static void
offer_undo (EarDownloader *self, GPtrArray *records, const char *message)
{
  g_autoptr (EarUndo) undo = create_undo (self, records, message);

  if (undo != NULL)
    ear_notices_offer_undo (self->notices, undo);
}

/* Removes the file of an episode, or cancels its download. Can be undone.
 * @episode: an episode that is or is being downloaded */
void
ear_downloader_remove (EarDownloader *self, EarEpisode *episode)
{
  g_autoptr (GPtrArray) records = NULL;
  gboolean done;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  done = ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;
  records = ear_download_record_new_array ();
  remove_episode (self, episode, records);
  offer_undo (self, records, done ? _("Download removed") : _("Download canceled"));
}

/* Returns: (transfer full): the message of the notice */
static char *
describe_removed (guint n)
{
  /* Translators: %u is the number of removed downloads. */
  return g_strdup_printf (ngettext ("%'u download removed", "%'u downloads removed", n), n);
}

/* Removes all finished downloads. Can be undone.
 * Returns: the number of removed downloads */
guint
ear_downloader_remove_all (EarDownloader *self)
{
  g_autoptr (GPtrArray) records = NULL;
  g_autofree char *message = NULL;

  g_return_val_if_fail (EAR_IS_DOWNLOADER (self), 0);

  records = remove_done (self);
  message = describe_removed (records->len);
  offer_undo (self, records, message);

  return records->len;
}

/* Operations on many downloads at once */

/* Maximum number of downloads added at once: selecting all episodes of a large podcast
 * must not fill the disk. */
#define DOWNLOAD_LIMIT 500

/* Episodes per main loop iteration; each reads a row. */
#define EPISODES_PER_STEP 16

typedef void (*ManyFunc) (gpointer many, EarEpisode *episode);

/* An operation on many episodes, a few per main loop iteration */
typedef struct
{
  EarDownloader *downloader;
  EarChange *change;  /* (nullable): %NULL when it undoes another one */
  GArray *ids;        /* (element-type gint64) */
  guint next;
  ManyFunc func;
  GDestroyNotify end; /* reports the result */
  GArray *wanted;     /* (element-type gint64): episodes newly requested */
  GPtrArray *removed; /* (element-type EarDownloadRecord) */
  gboolean begun;     /* an episode was requested, perhaps not for the first time */

  /* For the removal of old downloads */
  guint days;
  EarDownloadKeepFunc keep;
  GObject *keep_data; /* (nullable) */
} Many;

static void
many_free (gpointer data)
{
  Many *many = data;

  g_clear_pointer (&many->change, ear_change_end);
  g_object_unref (many->downloader);
  g_array_unref (many->ids);
  g_array_unref (many->wanted);
  g_ptr_array_unref (many->removed);
  g_clear_object (&many->keep_data);
  g_free (many);
}

static gboolean
step_cb (gpointer user_data)
{
  Many *many = user_data;
  EarDownloader *self = many->downloader;

  /* The library has been closed. */
  if (self->catalogue == NULL)
    return G_SOURCE_REMOVE;
  for (guint i = 0; i < EPISODES_PER_STEP && many->next < many->ids->len; i++)
    {
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode (
          self->catalogue, g_array_index (many->ids, gint64, many->next++));

      if (episode != NULL)
        many->func (many, episode);
    }
  if (many->next < many->ids->len)
    return G_SOURCE_CONTINUE;
  many->end (many);

  return G_SOURCE_REMOVE;
}

static Many *
begin_many (EarDownloader *self, GArray *ids, ManyFunc func, GDestroyNotify end)
{
  Many *many = g_new0 (Many, 1);

  many->downloader = g_object_ref (self);
  many->ids = g_array_ref (ids);
  many->func = func;
  many->end = end;
  many->wanted = g_array_new (FALSE, FALSE, sizeof (gint64));
  many->removed = ear_download_record_new_array ();
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, step_cb, many, many_free);

  return many;
}

static void
remove_one (gpointer data, EarEpisode *episode)
{
  Many *many = data;

  remove_episode (many->downloader, episode, many->removed);
}

static void
end_removing (gpointer data)
{
  Many *many = data;
  g_autofree char *message = describe_removed (many->removed->len);
  g_autoptr (EarUndo) undo = create_undo (many->downloader, many->removed, message);

  if (undo != NULL)
    ear_change_offer_back (many->change, undo);
  else
    ear_notices_add (many->downloader->notices, _("No downloads"), FALSE);
}

/* Removes downloads and cancels unfinished ones. Can be undone.
 * @ids: (element-type gint64): row ids of episodes; must not change afterwards */
void
ear_downloader_remove_many (EarDownloader *self, GArray *ids)
{
  g_return_if_fail (EAR_IS_DOWNLOADER (self));
  g_return_if_fail (ids != NULL);

  begin_many (self, ids, remove_one, end_removing)->change =
      ear_notices_begin_change (self->notices);
}

/* Removes a download that is old and not protected. */
static void
remove_one_old (gpointer data, EarEpisode *episode)
{
  Many *many = data;
  g_autofree char *key = ear_episode_dup_key (episode);
  const EarDownloadItem *item = g_hash_table_lookup (many->downloader->by_key, key);

  if (item != NULL && item->state == EAR_DOWNLOAD_DONE && !item->removed &&
      ear_download_policy_is_old (item->record->done > 0 ? item->record->done
                                                         : item->record->wanted,
                                  many->days, g_get_real_time ()) &&
      !many->keep (episode, many->keep_data))
    remove_one (many, episode);
}

static void
end_removing_old (gpointer data)
{
  Many *many = data;
  const guint n = many->removed->len;
  /* Translators: %u is the number of downloads removed because of their age. */
  g_autofree char *message =
      g_strdup_printf (ngettext ("%'u old download removed", "%'u old downloads removed", n), n);
  g_autoptr (EarUndo) undo = create_undo (many->downloader, many->removed, message);

  if (undo != NULL)
    ear_notices_offer_undo (many->downloader->notices, undo);
}

/* Removes downloads that are older than @days. Can be undone.
 * @ids: (element-type gint64): row ids of episodes; must not change afterwards
 * @days: number of days that a file is kept
 * @keep: returns whether a download stays all the same; called until all are done */
void
ear_downloader_remove_old (EarDownloader *self, GArray *ids, guint days, EarDownloadKeepFunc keep,
                           gpointer keep_data)
{
  Many *many;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));
  g_return_if_fail (ids != NULL);

  many = begin_many (self, ids, remove_one_old, end_removing_old);
  many->days = days;
  many->keep = keep;
  many->keep_data = g_object_ref (keep_data);
}

/* Undoing a download cannot be undone itself. */
static void
end_quietly (gpointer data)
{
  Many *many = data;

  discard_records (many->downloader, many->removed);
}

static void
undo_downloading (gpointer owner, gpointer ids)
{
  begin_many (owner, ids, remove_one, end_quietly);
}

static void
download_one (gpointer data, EarEpisode *episode)
{
  Many *many = data;
  const gint64 id = ear_episode_get_id (episode);
  const EarDownload before = ear_episode_get_download (episode);

  if (many->wanted->len >= DOWNLOAD_LIMIT || ear_episode_has_download (episode))
    return;
  ear_downloader_download (many->downloader, episode);
  if (ear_episode_get_download (episode) == before)
    return;
  many->begun = TRUE;
  if (before == EAR_DOWNLOAD_NONE)
    g_array_append_val (many->wanted, id);
}

static void
end_downloading (gpointer data)
{
  Many *many = data;
  const guint n = many->wanted->len;
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;

  if (!many->begun)
    ear_notices_add (many->downloader->notices, _("Nothing to download"), FALSE);
  if (n == 0)
    return;
  /* Translators: %u is the number of episodes just added to the downloads. */
  message = g_strdup_printf (
      ngettext ("%'u episode is being downloaded", "%'u episodes are being downloaded", n), n);
  undo = ear_undo_new (message, undo_downloading, many->downloader, g_array_ref (many->wanted),
                       (GDestroyNotify) g_array_unref);
  ear_change_offer_back (many->change, undo);
}

/* Downloads the episodes that are not downloaded yet, 500 at most. Can be undone.
 * @ids: (element-type gint64): row ids of episodes; must not change afterwards */
void
ear_downloader_download_many (EarDownloader *self, GArray *ids)
{
  g_return_if_fail (EAR_IS_DOWNLOADER (self));
  g_return_if_fail (ids != NULL);

  begin_many (self, ids, download_one, end_downloading)->change =
      ear_notices_begin_change (self->notices);
}

/* Pausing and reordering of waiting downloads */

static void
store_record (EarDownloader *self, EarDownloadItem *item)
{
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, item->record, NULL, NULL);
}

static void
pause_item (EarDownloader *self, EarDownloadItem *item)
{
  if (!ear_download_item_is_pending (item) || item->state == EAR_DOWNLOAD_PAUSED)
    return;
  item->record->paused = TRUE;
  ear_download_item_set_state (item, EAR_DOWNLOAD_PAUSED, NULL);
  if (item->cancellable != NULL)
    g_cancellable_cancel (item->cancellable);
  else if (!item->busy)
    store_record (self, item);
}

/* Pauses the download. The fetched part stays.
 * @episode: an episode that is being downloaded or waits */
void
ear_downloader_pause (EarDownloader *self, EarEpisode *episode)
{
  g_autofree char *key = NULL;
  EarDownloadItem *item;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  key = ear_episode_dup_key (episode);
  item = g_hash_table_lookup (self->by_key, key);
  if (item != NULL)
    pause_item (self, item);
  ear_downloader_run_queue (self);
}

/* Pauses all running and waiting downloads. */
void
ear_downloader_pause_all (EarDownloader *self)
{
  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (item->state != EAR_DOWNLOAD_FAILED)
        pause_item (self, item);
    }
  ear_downloader_run_queue (self);
}

/* Resumes all paused downloads. */
void
ear_downloader_resume_all (EarDownloader *self)
{
  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (!ear_download_item_is_pending (item) || item->state != EAR_DOWNLOAD_PAUSED)
        continue;
      item->record->paused = FALSE;
      item->asked = !item->record->automatic;
      item->tries = 0;
      item->not_before = 0;
      ear_download_item_set_state (item, EAR_DOWNLOAD_WAITING, NULL);
      if (!item->busy)
        store_record (self, item);
    }
  ear_downloader_run_queue (self);
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const EarDownloadItem *first = a;
  const EarDownloadItem *second = b;

  return (first->record->wanted > second->record->wanted) -
         (first->record->wanted < second->record->wanted);
}

/* @before: (element-type utf8 gint64): receives the former position, by key */
static void
set_position (EarDownloadItem *item, gint64 position, GHashTable *before)
{
  if (!g_hash_table_contains (before, item->key))
    g_hash_table_insert (before, g_strdup (item->key),
                         g_memdup2 (&item->record->wanted, sizeof item->record->wanted));
  item->record->wanted = position;
}

/* Stores and marks all moved downloads at once. */
static void
store_positions (EarDownloader *self, GHashTable *before)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  g_ptr_array_sort_values (self->items, compare_positions);
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (!g_hash_table_contains (before, item->key))
        continue;
      if (!item->busy)
        store_record (self, item);
      ear_downloader_append_mark (self, item, marks);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_run_queue (self);
}

static void
undo_moving (gpointer owner, gpointer data)
{
  EarDownloader *self = owner;
  g_autoptr (GHashTable) before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (self->stopped)
    return;
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);
      const gint64 *position = g_hash_table_lookup (data, item->key);

      if (position != NULL && ear_download_item_is_pending (item))
        set_position (item, *position, before);
    }
  store_positions (self, before);
}

/* @others: (element-type EarDownloadItem): the downloads that are not moved */
static void
insert_items (GPtrArray *moved, GPtrArray *others, guint index, GHashTable *before)
{
  const EarDownloadItem *above = index > 0 ? g_ptr_array_index (others, index - 1) : NULL;
  const EarDownloadItem *below = index < others->len ? g_ptr_array_index (others, index) : NULL;
  const EarOrder order =
      ear_order_insert (index, moved->len, others->len, above != NULL ? above->record->wanted : 0,
                        below != NULL ? below->record->wanted : 0);

  for (guint i = 0; i < moved->len; i++)
    set_position (g_ptr_array_index (moved, i), ear_order_get_inserted (&order, i), before);
  for (guint i = 0; order.renumber && i < others->len; i++)
    set_position (g_ptr_array_index (others, i), ear_order_get_other (&order, i), before);
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
  g_autofree char *before_key = NULL;
  g_autoptr (EarUndo) undo = NULL;
  guint position = G_MAXUINT;

  g_return_if_fail (EAR_IS_DOWNLOADER (self));

  before_key = before != NULL ? ear_episode_dup_key (before) : NULL;
  for (guint i = 0; i < episodes->len; i++)
    {
      g_autofree char *key = ear_episode_dup_key (g_ptr_array_index (episodes, i));
      EarDownloadItem *item = g_hash_table_lookup (self->by_key, key);

      /* Dropped on one of themselves: nothing moves. */
      if (g_strcmp0 (key, before_key) == 0)
        return;
      if (item != NULL && ear_download_item_is_pending (item) &&
          !g_ptr_array_find (moved, item, NULL))
        g_ptr_array_add (moved, item);
    }
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (!ear_download_item_is_pending (item) || g_ptr_array_find (moved, item, NULL))
        continue;
      if (g_strcmp0 (item->key, before_key) == 0)
        position = others->len;
      g_ptr_array_add (others, item);
    }
  if (moved->len == 0 || others->len == 0)
    return;

  insert_items (moved, others, MIN (position, others->len), former);
  store_positions (self, former);
  undo = ear_undo_new (NULL, undo_moving, self, g_steal_pointer (&former),
                       (GDestroyNotify) g_hash_table_unref);
  ear_notices_offer_undo (self->notices, undo);
}
