/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Passes events from one part of the library to others. */

#include "ear-library-private.h"

#include "ear-transcript-loader.h"

static void
started_cb (EarLibrary *self)
{
  if (self->errand)
    return;

  ear_downloader_start (self->downloader);
  /* In this order: the stored state is merged before anything new is written. */
  ear_playback_controller_restore (self->playback_controller);
  ear_subscriptions_load_states (self->subscriptions);
  /* The library may have been closed already. */
  if (self->schedule != NULL && self->unattended)
    ear_refresh_schedule_begin (self->schedule);
  else if (self->schedule != NULL)
    ear_refresh_schedule_start (self->schedule);
}

static void
followed_cb (EarLibrary *self, EarPodcast *podcast)
{
  EarImport *import = ear_importer_get_import (self->importer);
  /* An import shows its own progress. */
  const gboolean counted = import == NULL || ear_import_get_finished (import);

  ear_downloader_apply (self->downloader, podcast);
  ear_refresher_refresh (self->refresher, podcast,
                         counted ? EAR_REFRESH_ONE : EAR_REFRESH_SCHEDULED);
}

static void
unfollowed_cb (EarLibrary *self, EarPodcast *podcast)
{
  ear_refresher_cancel (self->refresher, podcast);
  ear_downloader_apply (self->downloader, podcast);
  ear_playback_controller_leave (self->playback_controller, podcast);
}

static void
interval_changed_cb (EarLibrary *self)
{
  if (self->schedule != NULL)
    ear_refresh_schedule_plan (self->schedule);
}

/* Removes the login and the downloads of a podcast whose unfollowing cannot be undone any
 * more. */
static void
forgotten_cb (EarLibrary *self, const char *address)
{
  if (ear_catalogue_find_known (self->catalogue, address) == NULL)
    ear_keyring_forget (self->keyring, address);
  ear_downloader_forget (self->downloader, address);
}

static void
episodes_inserted_cb (EarLibrary *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL)
    ear_downloader_apply (self->downloader, podcast);
}

/* Stores the new guids of episodes with the listener's data. */
static void
episodes_renamed_cb (EarLibrary *self, gint64 podcast_id, GHashTable *names)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL)
    ear_userdata_store_add_names (self->state, ear_podcast_get_address (podcast), names);
}

static void
state_changed_cb (EarLibrary *self, const char *address, GHashTable *states)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL)
    ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}

/* Adds new episodes to Up Next if the podcast or the defaults ask for it. */
static void
arrived_cb (EarLibrary *self, EarPodcast *podcast, GPtrArray *episodes)
{
  const int own = ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_QUEUE_NEW];
  gboolean everywhere;

  g_object_get (self->settings, "queue-new", &everywhere, NULL);
  if (own == EAR_QUEUE_NEW_AS_EVERYWHERE ? everywhere : own)
    ear_queue_add_new (self->queue, episodes);
}

/* Loads the transcript of a download for the search index. */
static void
transcript_kept_cb (EarLibrary *self, EarEpisode *episode)
{
  ear_transcript_load_async (self->documents, episode, NULL, NULL, NULL);
}

/* Starts to pass events between the parts. */
void
ear_library_follow_parts (EarLibrary *self)
{
  g_signal_connect_object (self->arrivals, "episodes-arrived", G_CALLBACK (arrived_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "episodes-inserted", G_CALLBACK (episodes_inserted_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "episodes-renamed", G_CALLBACK (episodes_renamed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "podcast-forgotten", G_CALLBACK (forgotten_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->documents, "transcript-kept", G_CALLBACK (transcript_kept_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "podcast-changed", G_CALLBACK (state_changed_cb), self,
                           G_CONNECT_SWAPPED);
  /* Requests made by other handlers of `started` come before those of the library. */
  g_signal_connect_object (self->subscriptions, "started", G_CALLBACK (started_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->subscriptions, "followed", G_CALLBACK (followed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "unfollowed", G_CALLBACK (unfollowed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "returned",
                           G_CALLBACK (ear_playback_controller_return), self->playback_controller,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->subscriptions, "interval-changed",
                           G_CALLBACK (interval_changed_cb), self, G_CONNECT_SWAPPED);
}
