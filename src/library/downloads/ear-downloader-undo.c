/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloader-private.h"

#include <glib/gi18n-lib.h>

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
    ear_downloader_discard (removal->downloader, removal->records);
  g_clear_pointer (&removal->records, g_ptr_array_unref);
  g_free (removal);
}

/* Frees the disk space after a while even if Undo is still offered: that is why the
 * listener removes files. */
static void
give_room_cb (gpointer user_data)
{
  Removal *removal = user_data;

  removal->source = 0;
  ear_downloader_discard (removal->downloader, removal->records);
}

static void
take_removal_back (gpointer owner, gpointer data)
{
  Removal *removal = data;

  ear_downloader_restore (removal->downloader, removal->records);
  g_clear_pointer (&removal->records, g_ptr_array_unref);
  g_clear_handle_id (&removal->source, g_source_remove);
}

/* @records: (element-type EarDownloadRecord): removed downloads
 * Returns: (transfer full) (nullable): an undo that restores them; %NULL for an empty
 * list */
EarUndo *
ear_downloader_create_undo (EarDownloader *self, GPtrArray *records, const char *message)
{
  Removal *removal;

  if (records->len == 0)
    return NULL;

  removal = g_new0 (Removal, 1);
  removal->downloader = self;
  removal->records = g_ptr_array_ref (records);
  removal->source = g_timeout_add_seconds_once (REMOVED_SECONDS, give_room_cb, removal);

  return ear_undo_new (message, take_removal_back, self, removal, removal_free);
}

static void
offer_back (EarDownloader *self, GPtrArray *records, const char *message)
{
  g_autoptr (EarUndo) undo = ear_downloader_create_undo (self, records, message);

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
  ear_downloader_take_away (self, episode, records);
  offer_back (self, records, done ? _("Download removed") : _("Download canceled"));
}

/* Returns: (transfer full): the message of the notice */
char *
ear_downloader_describe_removed (guint n)
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

  records = ear_downloader_take_all_away (self);
  message = ear_downloader_describe_removed (records->len);
  offer_back (self, records, message);

  return records->len;
}
