/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include "ear-download-policy.h"

#include <glib/gi18n-lib.h>

/* Operations on many downloads at once */

/* Maximum number of downloads added at once: selecting all episodes of a large podcast
 * must not fill the disk. */
#define LIMIT 500

/* Episodes per main loop iteration; each reads a row. */
#define STEP 16

typedef void (*EarManyFunc) (gpointer    many,
                             EarEpisode *episode);

/* An operation on many episodes, a few per main loop iteration */
typedef struct
{
  EarDownloader *downloader;
  EarChange *change;  /* (nullable): %NULL when it undoes another one */
  GArray *ids;        /* (element-type gint64) */
  guint next;
  EarManyFunc func;
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
  for (guint i = 0; i < STEP && many->next < many->ids->len; i++)
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
begin (EarDownloader *self, GArray *ids, EarManyFunc func, GDestroyNotify end)
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

  ear_downloader_take_away (many->downloader, episode, many->removed);
}

static void
end_removing (gpointer data)
{
  Many *many = data;
  g_autofree char *message = ear_downloader_describe_removed (many->removed->len);
  g_autoptr (EarUndo) undo = ear_downloader_create_undo (many->downloader, many->removed, message);

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

  begin (self, ids, remove_one, end_removing)->change = ear_notices_begin_change (self->notices);
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
  g_autoptr (EarUndo) undo = ear_downloader_create_undo (many->downloader, many->removed, message);

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

  many = begin (self, ids, remove_one_old, end_removing_old);
  many->days = days;
  many->keep = keep;
  many->keep_data = g_object_ref (keep_data);
}

/* Undoing a download cannot be undone itself. */
static void
end_quietly (gpointer data)
{
  Many *many = data;

  ear_downloader_discard (many->downloader, many->removed);
}

static void
take_downloading_back (gpointer owner, gpointer ids)
{
  begin (owner, ids, remove_one, end_quietly);
}

static void
download_one (gpointer data, EarEpisode *episode)
{
  Many *many = data;
  const gint64 id = ear_episode_get_id (episode);
  const EarDownload before = ear_episode_get_download (episode);

  if (many->wanted->len >= LIMIT || ear_episode_has_download (episode))
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
  undo = ear_undo_new (message, take_downloading_back, many->downloader, g_array_ref (many->wanted),
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

  begin (self, ids, download_one, end_downloading)->change =
      ear_notices_begin_change (self->notices);
}
