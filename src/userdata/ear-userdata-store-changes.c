/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-store-private.h"

/* The listener's marks and settings on their way to the state files */

/**
 * ear_userdata_store_keep:
 * @marks: the listener's marks of episodes
 *
 * Stores marks. A present stamp wins over the files; an older one only if the files have
 * nothing newer. The calling thread only queues.
 */
void
ear_userdata_store_keep (EarUserdataStore *self, EarMarks *marks)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (marks != NULL);

  ear_userdata_store_post (self, (EarUserdataRequest) ear_userdata_keeper_apply, ear_marks_ref (marks),
                           (GDestroyNotify) ear_marks_unref);
}

/**
 * ear_userdata_store_set_episode:
 * @episode: an episode
 * @state: marks; only members with a stamp count
 *
 * Stores marks of one episode.
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
  ear_userdata_store_post (self, (EarUserdataRequest) ear_userdata_keeper_set_settings, change,
                           (GDestroyNotify) ear_settings_change_free);
}

/**
 * ear_userdata_store_set_settings:
 * @podcast: a podcast
 * @settings: settings; only those with a stamp count
 *
 * Stores settings, as [method@UserdataStore.keep] stores marks.
 */
void
ear_userdata_store_set_settings (EarUserdataStore *self, EarPodcast *podcast, const EarPodcastSettings *settings)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (settings != NULL);

  set_settings (self, podcast, settings, g_get_real_time ());
}

/**
 * ear_userdata_store_adopt_settings:
 * @podcast: a podcast
 * @settings: earlier settings, with their stamps
 *
 * Imports settings from elsewhere, unless newer ones are known.
 */
void
ear_userdata_store_adopt_settings (EarUserdataStore *self, EarPodcast *podcast, const EarPodcastSettings *settings)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (settings != NULL);

  set_settings (self, podcast, settings, 0);
}

/**
 * ear_userdata_store_adopt_episode:
 * @podcast: a podcast
 * @guid: an episode of it, which its feed may not have sent yet
 * @title: (nullable): its title
 * @enclosure: (nullable): URL of its media
 * @state: its marks, with their stamps
 *
 * Imports marks from another program, unless newer ones are known.
 */
void
ear_userdata_store_adopt_episode (EarUserdataStore *self, EarPodcast *podcast, const char *guid, const char *title,
                                  const char *enclosure, const EarEpisodeState *state)
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

typedef struct
{
  char *address;
  GHashTable *names;
} Names;

static void
names_free (gpointer data)
{
  Names *names = data;

  g_free (names->address);
  g_hash_table_unref (names->names);
  g_free (names);
}

static void
add_names (EarUserdataKeeper *keeper, gpointer data)
{
  const Names *names = data;

  ear_userdata_keeper_add_names (keeper, names->address, names->names);
}

/**
 * ear_userdata_store_add_names:
 * @address: the first address of a podcast
 * @names: (element-type utf8 utf8): other names of its episodes, by guid; immutable
 *   from now on
 *
 * Stores another name that a feed has now for an episode, if the episode has marks. A
 * machine that has only the new name then finds them.
 */
void
ear_userdata_store_add_names (EarUserdataStore *self, const char *address, GHashTable *names)
{
  Names *data;

  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (address != NULL && names != NULL);

  data = g_new0 (Names, 1);
  data->address = g_strdup (address);
  data->names = g_hash_table_ref (names);
  ear_userdata_store_post (self, add_names, data, names_free);
}

static void
post_position (EarUserdataStore *self, EarEpisode *episode, gint64 position, EarUserdataRequest run)
{
  const EarEpisodeState state = { .position = position, .position_updated = g_get_real_time () };

  ear_userdata_store_post (self, run, ear_marks_new_for_episode (episode, &state), (GDestroyNotify) ear_marks_unref);
}

/**
 * ear_userdata_store_set_now:
 * @episode: the current episode
 * @position: its position, in microseconds
 *
 * Stores the current position in a small file, at once; call it every few seconds.
 */
void
ear_userdata_store_set_now (EarUserdataStore *self, EarEpisode *episode, gint64 position)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode) && ear_episode_get_guid (episode) != NULL);
  g_return_if_fail (EAR_IS_PODCAST (ear_episode_get_podcast (episode)));

  post_position (self, episode, position, (EarUserdataRequest) ear_userdata_keeper_set_now);
}

/**
 * ear_userdata_store_set_current:
 * @episode: the episode in the player, not started yet
 * @position: the position of the player, in microseconds
 *
 * Stores the episode and the position for the player of the next start. The episode's own
 * position does not change.
 */
void
ear_userdata_store_set_current (EarUserdataStore *self, EarEpisode *episode, gint64 position)
{
  const EarEpisodeState state = { .position = position };

  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode) && ear_episode_get_guid (episode) != NULL);
  g_return_if_fail (EAR_IS_PODCAST (ear_episode_get_podcast (episode)));

  ear_userdata_store_post (self, (EarUserdataRequest) ear_userdata_keeper_set_now,
                           ear_marks_new_for_episode (episode, &state),
                           (GDestroyNotify) ear_marks_unref);
}

/**
 * ear_userdata_store_set_place:
 * @episode: the episode of the last [method@UserdataStore.set_now]
 * @position: its position, in microseconds
 *
 * Stores the current position in case the program is killed; call it every
 * second. This does not wait for the disk: after a power cut, the position of the
 * last [method@UserdataStore.set_now] counts.
 */
void
ear_userdata_store_set_place (EarUserdataStore *self, EarEpisode *episode, gint64 position)
{
  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode) && ear_episode_get_guid (episode) != NULL);
  g_return_if_fail (EAR_IS_PODCAST (ear_episode_get_podcast (episode)));

  post_position (self, episode, position, (EarUserdataRequest) ear_userdata_keeper_set_place);
}

typedef struct
{
  EarRecordKind kind;
  EarRecord *record;
} RecordChange;

static void
record_change_free (gpointer data)
{
  RecordChange *change = data;

  ear_record_free (change->record);
  g_free (change);
}

static void
set_record (EarUserdataKeeper *keeper, gpointer data)
{
  const RecordChange *change = data;

  ear_userdata_keeper_set_record (keeper, change->kind, change->record);
}

/**
 * ear_userdata_store_set_record:
 * @record: a record that the listener has just made, changed or removed
 *
 * Stores a record, replacing the one with the same id.
 */
void
ear_userdata_store_set_record (EarUserdataStore *self, EarRecordKind kind, const EarRecord *record)
{
  RecordChange *change;

  g_return_if_fail (EAR_IS_USERDATA_STORE (self));
  g_return_if_fail (kind < EAR_N_RECORD_KINDS && record != NULL);

  change = g_new0 (RecordChange, 1);
  change->kind = kind;
  change->record = ear_record_copy (record);
  self->n_records_set[kind]++;
  ear_userdata_store_post (self, set_record, change, record_change_free);
}
