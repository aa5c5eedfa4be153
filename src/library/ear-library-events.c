/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the parts of the library have to tell each other, and the listener of what befell his files. */

#include "ear-library-private.h"

#include <glib/gi18n-lib.h>

/* Puts what was in the player the last time back into it, silent, once its row is there. */
static void
restore_last_episode (EarLibrary *self)
{
  EarPodcast *podcast;
  g_autoptr (EarEpisode) episode = NULL;

  if (self->last_guid == NULL || ear_player_get_episode (self->player) != NULL)
    return;
  podcast = ear_catalogue_find_known (self->catalogue, self->last_address);
  if (podcast == NULL)
    return;
  episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, self->last_guid);
  if (episode == NULL)
    return;

  if (self->last_position > 0)
    ear_episode_set_position (episode, self->last_position);
  if (!ear_episode_get_listened (episode))
    {
      ear_play_order_set (self->order, NULL, episode);
      ear_library_open_media (self, episode, ear_episode_get_position (episode));
    }
  g_clear_pointer (&self->last_address, g_free);
  g_clear_pointer (&self->last_guid, g_free);
}

static void
now_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLibrary) self = user_data;
  g_autoptr (GError) error = NULL;

  if (self->state == NULL)
    return;
  if (ear_state_store_load_now_finish (EAR_STATE_STORE (source), result,
                                       &self->last_address, &self->last_guid, &self->last_position, &error))
    restore_last_episode (self);
}

static void
started_cb (EarLibrary *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  g_signal_emit_by_name (self, "started");
  if (self->errand)
    return;

  ear_downloader_start (self->downloader);
  /* In this order: what the files say is merged before anything new is written to them. */
  ear_state_store_load_now_async (self->state, self->cancellable, now_loaded_cb, g_object_ref (self));
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      ear_library_load_podcast (self, podcast);
    }
  ear_library_keep_old_logins (self);
  /* It may be closed again already. */
  if (self->schedule != NULL && self->unattended)
    ear_refresh_schedule_begin (self->schedule);
  else if (self->schedule != NULL)
    ear_refresh_schedule_start (self->schedule);
}

static void
followed_cb (EarLibrary *self, EarPodcast *podcast)
{
  /* An import has counts of its own. */
  const gboolean counted = self->import == NULL || ear_import_get_finished (self->import);

  ear_library_load_podcast (self, podcast);
  ear_downloader_apply (self->downloader, podcast);
  /* One that was looked at before has rows already. */
  if (ear_podcast_get_n_episodes (podcast) > 0)
    ear_library_find_former (self, podcast);
  else
    g_hash_table_add (self->newcomers, g_object_ref (podcast));
  ear_refresher_refresh (self->refresher, podcast, counted ? EAR_REFRESH_ONE : EAR_REFRESH_SCHEDULED);
}

/* Nobody asks for its feed any more. */
static void
forgotten_cb (EarLibrary *self, const char *address)
{
  if (ear_catalogue_find_known (self->catalogue, address) == NULL)
    ear_keyring_forget (self->keyring, address);
  ear_downloader_forget (self->downloader, address);
}

static void
unfollowed_cb (EarLibrary *self, EarPodcast *podcast)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  ear_refresher_cancel (self->refresher, podcast);
  ear_downloader_apply (self->downloader, podcast);
  if (episode != NULL && ear_episode_get_podcast (episode) == podcast)
    {
      ear_history_save_position (self->history);
      ear_player_stop (self->player);
      ear_play_order_set (self->order, NULL, NULL);
    }
}

/* What is being fetched of it comes from where it was. */
static void
readdressed_cb (EarLibrary *self, EarPodcast *podcast)
{
  /* It may be closed already. */
  if (self->schedule == NULL || !ear_podcast_get_refreshing (podcast))
    return;
  ear_refresher_cancel (self->refresher, podcast);
  ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_SCHEDULED);
}

static void
episodes_inserted_cb (EarLibrary *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  self->got_rows = TRUE;
  if (podcast != NULL && !g_hash_table_contains (self->grown, podcast))
    g_hash_table_add (self->grown, g_object_ref (podcast));
  if (podcast != NULL)
    ear_downloader_apply (self->downloader, podcast);
  restore_last_episode (self);
}

/* What the listener did is known under the new names, too. */
static void
episodes_renamed_cb (EarLibrary *self, gint64 podcast_id, GHashTable *names)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL)
    ear_state_store_add_names (self->state, ear_podcast_get_address (podcast), names);
}

static void
refreshed_cb (EarLibrary *self, EarPodcast *podcast)
{
  /* New rows may be old acquaintances: the catalogue was lost, or the feed came back. */
  if (g_hash_table_remove (self->grown, podcast))
    {
      ear_library_load_podcast (self, podcast);
      if (g_hash_table_remove (self->newcomers, podcast))
        ear_library_find_former (self, podcast);
    }
  ear_library_tell_player (self);
  ear_library_tell_arrivals (self, podcast);
}

/* Where there is room for some only, the next ones would be told of again and again. */
static void
refreshing_cb (EarLibrary *self)
{
  if (ear_refresher_get_refreshing (self->refresher))
    return;
  if (self->got_rows && !self->lost_rows)
    self->told_no_room = FALSE;
  self->got_rows = self->lost_rows = FALSE;
}

static void
moved_cb (EarLibrary *self, EarPodcast *podcast, const char *address)
{
  /* Nobody follows again what was unfollowed in the meantime, or only looked at. */
  if (self->subscriptions != NULL && ear_podcast_get_followed (podcast))
    ear_subscriptions_set_feed_address (self->subscriptions, podcast, address);
}

static void
state_changed_cb (EarLibrary *self, const char *address, GHashTable *states)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL)
    ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
  ear_library_take_former (self, address, states);
}

static void
state_damaged_cb (EarLibrary *self, const char *file, const char *set_aside, gboolean restored)
{
  g_autofree char *name = g_path_get_basename (set_aside);
  g_autofree char *message = NULL;

  if (restored)
    /* Translators: %s is the name of a file. */
    message = g_strdup_printf (_("A file with your listening history was damaged. What the last backup had of it was restored. "
                                 "The damaged file is kept as “%s”."), name);
  else
    /* Translators: %s is the name of a file. */
    message = g_strdup_printf (_("A file with your listening history was damaged. It is kept as “%s”."), name);
  ear_notices_give (self->notices, message, TRUE);
}

static void
state_failed_cb (EarLibrary *self, const GError *error)
{
  ear_notices_give (self->notices, _("Your place could not be saved. Is the disk full?"), TRUE);
}

/* Once, and not for each of a hundred podcasts; nor for longer than it may be so. */
static void
catalogue_failed_cb (EarLibrary *self, const GError *error, gboolean episodes)
{
  if (!episodes || !g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    return;
  self->lost_rows = TRUE;
  if (self->told_no_room)
    return;
  self->told_no_room = TRUE;
  ear_notices_give (self->notices, _("New episodes could not be saved. Is the disk full?"), FALSE);
}

static void
catalogue_damaged_cb (EarLibrary *self, const char *set_aside)
{
  if (ear_catalogue_is_restored (self->catalogue))
    ear_notices_give (self->notices, _("The list of episodes was damaged. An earlier copy has taken its place. Your listening history is safe."), TRUE);
  else
    ear_notices_give (self->notices, _("The list of episodes was damaged and is being fetched again. Your listening history is safe."), TRUE);
}

/* Told once when it begins, and when all is as before. */
static void
indexing_cb (EarLibrary *self, double indexed)
{
  if (indexed <= 0)
    ear_notices_give (self->notices, _("The search index was damaged and is being rebuilt. Searches may take longer for a while."), FALSE);
  else if (indexed >= 1)
    ear_notices_give (self->notices, _("The search index is complete again"), FALSE);
}

/* Its own end has been kept by then. What was heard to its end gives its room back, as the listener prefers. */
static void
ended_cb (EarLibrary *self)
{
  EarEpisode *current = ear_player_get_episode (self->player);
  g_autoptr (EarEpisode) episode = current != NULL ? g_object_ref (current) : NULL;
  gboolean continuous, remove_played;

  g_object_get (self->settings, "continuous", &continuous, "remove-played", &remove_played, NULL);
  if (continuous)
    ear_library_next (self);
  if (remove_played && episode != NULL && ear_episode_get_listened (episode) && !ear_episode_get_liked (episode) &&
      ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE)
    ear_library_remove_download (self, episode);
}

static void
follow_catalogue (EarLibrary *self)
{
  g_signal_connect_swapped (self->catalogue, "damaged", G_CALLBACK (catalogue_damaged_cb), self);
  g_signal_connect_swapped (self->catalogue, "indexing", G_CALLBACK (indexing_cb), self);
  g_signal_connect_swapped (self->catalogue, "failed", G_CALLBACK (catalogue_failed_cb), self);
  g_signal_connect_swapped (self->catalogue, "episodes-inserted", G_CALLBACK (episodes_inserted_cb), self);
  g_signal_connect_swapped (self->catalogue, "episodes-arrived", G_CALLBACK (ear_library_note_arrivals), self);
  g_signal_connect_swapped (self->catalogue, "episodes-renamed", G_CALLBACK (episodes_renamed_cb), self);
  g_signal_connect_swapped (self->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), self);
}

static void
follow_state (EarLibrary *self)
{
  g_signal_connect_swapped (self->state, "podcast-changed", G_CALLBACK (state_changed_cb), self);
  g_signal_connect_swapped (self->state, "damaged", G_CALLBACK (state_damaged_cb), self);
  g_signal_connect_swapped (self->state, "failed", G_CALLBACK (state_failed_cb), self);
  ear_library_follow_settings (self);
}

/**
 * ear_library_follow_parts:
 * @self: a library that is being opened
 *
 * From now on hands on what one of its parts has to tell to the others that it is news to. The
 * catalogue and the state are disconnected from by data when it is disposed of.
 */
void
ear_library_follow_parts (EarLibrary *self)
{
  follow_catalogue (self);
  follow_state (self);
  ear_library_follow_downloader (self);
  g_signal_connect_object (self->player, "ended", G_CALLBACK (ended_cb), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->refresher, "refreshed", G_CALLBACK (refreshed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "notify::refreshing", G_CALLBACK (refreshing_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->refresher, "moved", G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "started", G_CALLBACK (started_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "followed", G_CALLBACK (followed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "unfollowed", G_CALLBACK (unfollowed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "readdressed", G_CALLBACK (readdressed_cb), self, G_CONNECT_SWAPPED);
}
