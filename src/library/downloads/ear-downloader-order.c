/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"
#include "ear-places.h"

/* Pausing and reordering of waiting downloads */

static void
keep (EarDownloader *self, EarDownloadItem *item)
{
  ear_download_store_change_async (self->store, EAR_DOWNLOAD_CHANGE_KEEP, item->record, NULL, NULL);
}

/* Stores the progress of a paused download, which no longer runs. */
void
ear_downloader_keep_paused (EarDownloader *self, EarDownloadItem *item)
{
  gint64 total;

  if (item->progress != NULL)
    ear_download_progress_get (item->progress, &item->received, &total);
  ear_download_item_set_state (item, EAR_DOWNLOAD_PAUSED, NULL);
  keep (self, item);
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
    keep (self, item);
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
  ear_downloader_pump (self);
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
  ear_downloader_pump (self);
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
        keep (self, item);
    }
  ear_downloader_pump (self);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const EarDownloadItem *first = a;
  const EarDownloadItem *second = b;

  return (first->record->wanted > second->record->wanted) -
         (first->record->wanted < second->record->wanted);
}

/* @before: (element-type utf8 gint64): receives the former position, by key */
static void
set_place (EarDownloadItem *item, gint64 place, GHashTable *before)
{
  if (!g_hash_table_contains (before, item->key))
    g_hash_table_insert (before, g_strdup (item->key),
                         g_memdup2 (&item->record->wanted, sizeof item->record->wanted));
  item->record->wanted = place;
}

/* Stores and marks all moved downloads at once. */
static void
keep_places (EarDownloader *self, GHashTable *before)
{
  g_autoptr (GPtrArray) marks = ear_download_mark_new_array ();

  g_ptr_array_sort_values (self->items, compare_places);
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);

      if (!g_hash_table_contains (before, item->key))
        continue;
      if (!item->busy)
        keep (self, item);
      ear_downloader_append_mark (self, item, marks);
    }
  ear_catalogue_set_downloads (self->catalogue, marks, FALSE);
  ear_downloader_pump (self);
}

static void
take_moving_back (gpointer owner, gpointer data)
{
  EarDownloader *self = owner;
  g_autoptr (GHashTable) before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (self->stopped)
    return;
  for (guint i = 0; i < self->items->len; i++)
    {
      EarDownloadItem *item = g_ptr_array_index (self->items, i);
      const gint64 *place = g_hash_table_lookup (data, item->key);

      if (place != NULL && ear_download_item_is_pending (item))
        set_place (item, *place, before);
    }
  keep_places (self, before);
}

/* @others: (element-type EarDownloadItem): the downloads that are not moved */
static void
place (GPtrArray *moved, GPtrArray *others, guint position, GHashTable *before)
{
  const EarDownloadItem *above = position > 0 ? g_ptr_array_index (others, position - 1) : NULL;
  const EarDownloadItem *below =
      position < others->len ? g_ptr_array_index (others, position) : NULL;
  gint64 first = above != NULL ? above->record->wanted : 0;
  gint64 step = ear_places_find (&first, below != NULL ? below->record->wanted : 0, moved->len);

  /* Without room between the neighbors, all downloads below get new positions. */
  if (step <= 0)
    {
      step = EAR_PLACES_STEP;
      for (guint i = position; i < others->len; i++)
        set_place (g_ptr_array_index (others, i),
                   first + step * ((gint64) moved->len + 1 + i - position), before);
    }
  for (guint i = 0; i < moved->len; i++)
    set_place (g_ptr_array_index (moved, i), first + step * (i + 1), before);
}

/* Moves downloads in the queue, keeping their order. Can be undone.
 * @episodes: (element-type EarEpisode): episodes that are being downloaded or wait
 * @before: (nullable): the episode to put them before, or %NULL for the end */
void
ear_downloader_move (EarDownloader *self, GPtrArray *episodes, EarEpisode *before)
{
  g_autoptr (GPtrArray) moved = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
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

  place (moved, others, MIN (position, others->len), places);
  keep_places (self, places);
  undo = ear_undo_new (NULL, take_moving_back, self, g_steal_pointer (&places),
                       (GDestroyNotify) g_hash_table_unref);
  ear_notices_offer_undo (self->notices, undo);
}
