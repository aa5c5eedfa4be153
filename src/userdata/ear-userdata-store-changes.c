/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-store-private.h"
#include "ear-userdata-worker-private.h"

/* What the listener did, and wants for a podcast, on its way to the files. The main thread copies what
 * the thread of the files needs to know of an episode. */

static void
run_apply (EarUserdataWorker *worker, gpointer *data)
{
  ear_userdata_keeper_apply (worker->keeper, *data);
  ear_userdata_worker_write_later (worker);
}

/**
 * ear_userdata_store_keep:
 * @self: the store
 * @marks: what the listener did with episodes
 *
 * Keeps what the listener did. A stamp of just now counts whatever the files have; an older one only
 * where nothing newer is known. The calling thread only queues.
 */
void
ear_userdata_store_keep (EarUserdataStore *self, EarMarks *marks)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (self->worker != NULL);
  g_return_if_fail (marks != NULL);

  ear_userdata_worker_post (self->worker, run_apply, ear_marks_ref (marks), (GDestroyNotify) ear_marks_unref);
}

/**
 * ear_userdata_store_set_episode:
 * @self: the store
 * @episode: an episode
 * @state: what the listener did with it: the members whose stamp is not 0
 *
 * Keeps what the listener did with one episode.
 */
void
ear_userdata_store_set_episode (EarUserdataStore *self, EarEpisode *episode, const EarEpisodeState *state)
{
  g_autoptr (EarMarks) marks = NULL;

  g_return_if_fail (EAR_IS_EPISODE (episode) && ear_episode_get_guid (episode) != NULL);
  g_return_if_fail (EAR_IS_PODCAST (ear_episode_get_podcast (episode)));
  g_return_if_fail (state != NULL);

  marks = ear_marks_new_for_episode (episode, state);
  ear_userdata_store_keep (self, marks);
}

static void
set_settings (EarUserdataStore *self, EarPodcast *podcast, const EarPodcastSettings *settings, gint64 done)
{
  EarSettingsChange *change = g_new0 (EarSettingsChange, 1);

  change->address = g_strdup (ear_podcast_get_address (podcast));
  change->feed_address = g_strdup (ear_podcast_get_feed_address (podcast));
  change->title = g_strdup (ear_podcast_get_title (podcast));
  change->settings = *settings;
  change->done = done;
  ear_userdata_worker_set_settings (self->worker, change);
}

/**
 * ear_userdata_store_set_settings:
 * @self: the store
 * @podcast: a podcast
 * @settings: what the listener wants for it: those whose stamp is not 0
 *
 * Keeps what the listener wants, as [method@UserdataStore.keep] what was done.
 */
void
ear_userdata_store_set_settings (EarUserdataStore *self, EarPodcast *podcast, const EarPodcastSettings *settings)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (self->worker != NULL);
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (settings != NULL);

  set_settings (self, podcast, settings, g_get_real_time ());
}

/**
 * ear_userdata_store_adopt_settings:
 * @self: the store
 * @podcast: a podcast
 * @settings: what was wanted for it some time ago, with the stamps of when
 *
 * Takes over what was kept elsewhere; only where nothing newer is known.
 */
void
ear_userdata_store_adopt_settings (EarUserdataStore *self, EarPodcast *podcast, const EarPodcastSettings *settings)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (self->worker != NULL);
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (settings != NULL);

  set_settings (self, podcast, settings, 0);
}

/**
 * ear_userdata_store_adopt_episode:
 * @self: the store
 * @podcast: a podcast
 * @guid: an episode of it, which its feed need not have brought yet
 * @title: (nullable): its title
 * @enclosure: (nullable): the address of its sound
 * @state: what was done with it elsewhere, with the stamps of when
 *
 * Takes over what the listener did in another program; only where nothing newer is known.
 */
void
ear_userdata_store_adopt_episode (EarUserdataStore *self, EarPodcast *podcast, const char *guid, const char *title, const char *enclosure,
                                  const EarEpisodeState *state)
{
  const EarMarkedEpisode episode = { .guid = guid, .title = title, .enclosure = enclosure };
  g_autoptr (EarMarks) marks = NULL;

  g_return_if_fail (EAR_IS_PODCAST (podcast) && guid != NULL && state != NULL);

  marks = ear_marks_new (state, 0);
  ear_marks_add_podcast (marks, ear_podcast_get_id (podcast), ear_podcast_get_address (podcast),
                         ear_podcast_get_feed_address (podcast), ear_podcast_get_title (podcast));
  ear_marks_add (marks, 0, ear_podcast_get_id (podcast), episode);
  ear_userdata_store_keep (self, marks);
}

/**
 * ear_userdata_store_add_names:
 * @self: the store
 * @address: the first address of a podcast
 * @names: (element-type utf8 utf8): other names of its episodes, by guid; not changed any
 *   more by anybody
 *
 * Notes down, where something is kept of an episode, that its feed has another name for it
 * now. Who knows it by that one only finds it all the same.
 */
void
ear_userdata_store_add_names (EarUserdataStore *self, const char *address, GHashTable *names)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (self->worker != NULL);
  g_return_if_fail (address != NULL && names != NULL);

  ear_userdata_worker_add_names (self->worker, address, names);
}

static EarUserdataChange *
new_change (EarEpisode *episode, const EarEpisodeState *state, gint64 done)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);
  EarUserdataChange *change = g_new0 (EarUserdataChange, 1);

  change->address = g_strdup (ear_podcast_get_address (podcast));
  change->feed_address = g_strdup (ear_podcast_get_feed_address (podcast));
  change->podcast_title = g_strdup (ear_podcast_get_title (podcast));
  change->guid = g_strdup (ear_episode_get_guid (episode));
  change->alias = g_strdup (ear_episode_get_facts (episode)->guid);
  change->title = g_strdup (ear_episode_get_title (episode));
  change->enclosure = enclosure != NULL ? g_strdup (enclosure->address) : NULL;
  change->state = *state;
  change->done = done;

  return change;
}

/**
 * ear_userdata_store_set_now:
 * @self: the store
 * @episode: what is played
 * @position: where, in microseconds
 *
 * Keeps where playing is, in a small file that is written at once; to be called every few seconds.
 */
void
ear_userdata_store_set_now (EarUserdataStore *self, EarEpisode *episode, gint64 position)
{
  const gint64 done = g_get_real_time ();
  EarEpisodeState state = { .position = position, .position_updated = done };

  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (self->worker != NULL);
  g_return_if_fail (EAR_IS_EPISODE (episode) && ear_episode_get_guid (episode) != NULL);
  g_return_if_fail (EAR_IS_PODCAST (ear_episode_get_podcast (episode)));

  ear_userdata_worker_set_now (self->worker, new_change (episode, &state, done));
}
