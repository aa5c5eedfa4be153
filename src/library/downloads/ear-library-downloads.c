/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: having episodes on this machine, and playing them from there. */

#include "ear-library-private.h"

#include <glib/gi18n-lib.h>

/* For how long what was removed is still there as a file, in seconds; later it is fetched again. */
#define REMOVED_SECONDS 60

/* --- Playing ---------------------------------------------------------------------------- */

static const char *
get_address (EarEpisode *episode)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);

  return enclosure != NULL ? enclosure->address : NULL;
}

/**
 * ear_library_open_media:
 * @self: the library
 * @episode: an episode
 * @position: where it is to begin, in microseconds
 *
 * Puts an episode into the player: from this machine if it is there, else from the web.
 */
void
ear_library_open_media (EarLibrary *self, EarEpisode *episode, gint64 position)
{
  g_autofree char *file = ear_library_dup_download_path (self, episode);

  if (file != NULL)
    ear_player_open_file (self->player, episode, file, position);
  else
    ear_player_open (self->player, episode, get_address (episode), position);
  ear_library_tell_player (self);
}

/* What plays goes on as it is, and is opened from its new place the next time. */
static void
tell_place (EarLibrary *self)
{
  EarEpisode *episode = self->player != NULL ? ear_player_get_episode (self->player) : NULL;
  g_autofree char *file = NULL;

  if (episode == NULL)
    return;
  file = ear_library_dup_download_path (self, episode);
  ear_player_set_place (self->player, file, get_address (episode));
}

static void
moved_cb (EarLibrary *self, const char *key)
{
  EarEpisode *episode = self->player != NULL ? ear_player_get_episode (self->player) : NULL;
  g_autofree char *own = episode != NULL ? ear_episode_dup_key (episode) : NULL;

  if (g_strcmp0 (own, key) == 0)
    tell_place (self);
}

/* --- What is told ----------------------------------------------------------------------- */

static void
damaged_cb (EarLibrary *self, guint n)
{
  g_autofree char *message =
      /* Translators: %u is of how many downloads */
      g_strdup_printf (ngettext ("What was known of %'u download was damaged. Its file is still in the folder of downloads.",
                                 "What was known of %'u downloads was damaged. Their files are still in the folder of downloads.",
                                 n), n);

  ear_notices_give (self->notices, message, TRUE);
}

static void
failed_cb (EarLibrary *self, const GError *error)
{
  g_message ("A download could not be moved: %s", error->message);
  ear_notices_give (self->notices, _("The file of a download could not be moved. May Earmark write to its folder?"), TRUE);
}

/**
 * ear_library_follow_downloader:
 * @self: a library that is being opened
 *
 * From now on hands on what the downloader has to tell.
 */
void
ear_library_follow_downloader (EarLibrary *self)
{
  g_signal_connect_object (self->downloader, "loaded", G_CALLBACK (tell_place), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->downloader, "moved", G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->downloader, "damaged", G_CALLBACK (damaged_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->downloader, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
}

/* --- Downloading and removing ----------------------------------------------------------- */

/**
 * ear_library_download:
 * @self: the library
 * @episode: an episode of a followed podcast
 *
 * Fetches the media of an episode to this machine, also again what could not be fetched before.
 * What is there already stays as it is.
 */
void
ear_library_download (EarLibrary *self, EarEpisode *episode)
{
  EarPodcast *podcast;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  podcast = ear_episode_get_podcast (episode);
  if (self->downloader != NULL && podcast != NULL && ear_podcast_get_followed (podcast))
    ear_downloader_download (self->downloader, episode);
}

/* What was removed, until nobody wants it back. */
typedef struct
{
  EarDownloader *downloader;
  GPtrArray *records; /* (nullable) */
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
  g_object_unref (removal->downloader);
  g_free (removal);
}

/* Who removes files wants their room, and not only once something else is done. */
static gboolean
give_room_cb (gpointer user_data)
{
  Removal *removal = user_data;

  removal->source = 0;
  ear_downloader_discard (removal->downloader, removal->records);

  return G_SOURCE_REMOVE;
}

static void
take_removal_back (gpointer user_data)
{
  Removal *removal = user_data;

  ear_downloader_bring_back (removal->downloader, removal->records);
  g_clear_pointer (&removal->records, g_ptr_array_unref);
  g_clear_handle_id (&removal->source, g_source_remove);
}

/**
 * ear_library_create_downloads_undo:
 * @self: the library
 * @records: (element-type EarDownloadRecord): what was removed
 * @message: what is told of it
 *
 * Returns: (transfer full) (nullable): what brings it back; %NULL where nothing was removed
 */
EarUndo *
ear_library_create_downloads_undo (EarLibrary *self, GPtrArray *records, const char *message)
{
  Removal *removal;

  if (records->len == 0)
    return NULL;

  removal = g_new0 (Removal, 1);
  removal->downloader = g_object_ref (self->downloader);
  removal->records = g_ptr_array_ref (records);
  removal->source = g_timeout_add_seconds (REMOVED_SECONDS, give_room_cb, removal);

  return ear_undo_new (message, take_removal_back, removal, removal_free);
}

static void
offer_downloads_back (EarLibrary *self, GPtrArray *records, const char *message)
{
  g_autoptr (EarUndo) undo = ear_library_create_downloads_undo (self, records, message);

  if (undo != NULL)
    ear_notices_offer_undo (self->notices, undo);
}

/**
 * ear_library_remove_download:
 * @self: the library
 * @episode: an episode that is downloaded, or wanted
 *
 * Removes the file of an episode, or gives up fetching it. That can be taken back.
 */
void
ear_library_remove_download (EarLibrary *self, EarEpisode *episode)
{
  g_autoptr (GPtrArray) records = NULL;
  gboolean done;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (self->downloader == NULL)
    return;
  done = ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;
  records = ear_download_record_new_array ();
  ear_downloader_remove (self->downloader, episode, records);
  offer_downloads_back (self, records, done ? _("Download removed") : _("Download cancelled"));
}

/**
 * ear_library_describe_removed_downloads:
 * @n: how many downloads were removed
 *
 * Returns: (transfer full): a sentence that says so
 */
char *
ear_library_describe_removed_downloads (guint n)
{
  /* Translators: %u is how many downloads were removed. */
  return g_strdup_printf (ngettext ("%'u download removed", "%'u downloads removed", n), n);
}

/**
 * ear_library_remove_downloads:
 * @self: the library
 *
 * Removes the files of all episodes that are downloaded. That can be taken back.
 *
 * Returns: how many were
 */
guint
ear_library_remove_downloads (EarLibrary *self)
{
  g_autoptr (GPtrArray) records = NULL;
  g_autofree char *message = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), 0);

  if (self->downloader == NULL)
    return 0;
  records = ear_downloader_remove_done (self->downloader);
  message = ear_library_describe_removed_downloads (records->len);
  offer_downloads_back (self, records, message);

  return records->len;
}

/**
 * ear_library_dup_download_path:
 * @self: the library
 * @episode: an episode
 *
 * Returns: (transfer full) (nullable): where its file is, if it is downloaded
 */
char *
ear_library_dup_download_path (EarLibrary *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (EAR_IS_EPISODE (episode), NULL);

  return self->downloader != NULL ? ear_downloader_dup_file (self->downloader, episode) : NULL;
}

/**
 * ear_library_get_downloads_path:
 * @self: an open library
 *
 * Returns: (transfer none): the folder of the files of downloads, which is there with the first of them
 */
const char *
ear_library_get_downloads_path (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);
  g_return_val_if_fail (self->downloader != NULL, NULL);

  return ear_downloader_get_path (self->downloader);
}

/**
 * ear_library_get_n_downloads:
 * @self: the library
 *
 * Returns: how many episodes are being downloaded, or wait for it
 */
guint
ear_library_get_n_downloads (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), 0);

  return self->downloader != NULL ? ear_downloader_get_n_active (self->downloader) : 0;
}

/**
 * ear_library_get_downloading:
 * @self: the library
 *
 * Returns: whether any of them is being fetched now
 */
gboolean
ear_library_get_downloading (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), FALSE);

  return self->downloader != NULL && ear_downloader_get_running (self->downloader);
}
