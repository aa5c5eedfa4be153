/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-marks.h"

#include "ear-types.h"

/* The texts are in blocks, as there may be hundreds of thousands; those of one episode
 * need one block. */
#define BLOCK_SIZE 1024

static void
podcast_free (gpointer data)
{
  EarMarkedPodcast *podcast = data;

  g_array_unref (podcast->episodes);
  g_free (podcast);
}

static void
marks_clear (EarMarks *self)
{
  g_array_unref (self->ids);
  g_ptr_array_unref (self->podcasts);
  g_string_chunk_free (self->texts);
}

/* @state: the marks of each episode
 * @updated: time of the change, Unix microseconds; 0: elsewhere, only the stamps count
 * Returns: (transfer full): marks without episodes yet */
EarMarks *
ear_marks_new (const EarEpisodeState *state, gint64 updated)
{
  EarMarks *self = g_atomic_rc_box_new0 (EarMarks);

  self->state = *state;
  self->updated = updated;
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->podcasts = g_ptr_array_new_with_free_func (podcast_free);
  self->texts = g_string_chunk_new (BLOCK_SIZE);

  return self;
}

EAR_DEFINE_REF_COUNTED (EarMarks, ear_marks, marks_clear)

static const char *
keep (EarMarks *self, const char *text)
{
  return text != NULL ? g_string_chunk_insert (self->texts, text) : NULL;
}

/* Begins a podcast, to which the next added episodes belong.
 * @address: address that it was first followed at */
void
ear_marks_add_podcast (EarMarks *self, gint64 podcast, const char *address,
                       const char *feed_address, const char *title)
{
  EarMarkedPodcast *marked = g_new0 (EarMarkedPodcast, 1);

  marked->podcast = podcast;
  marked->address = keep (self, address);
  marked->feed_address = keep (self, feed_address);
  marked->title = keep (self, title);
  marked->episodes = g_array_new (FALSE, FALSE, sizeof (EarMarkedEpisode));
  g_ptr_array_add (self->podcasts, marked);
}

/* @podcast: row id of the podcast added last
 * @episode: description of the episode; copied */
void
ear_marks_add (EarMarks *self, gint64 id, gint64 podcast, EarMarkedEpisode episode)
{
  EarMarkedPodcast *marked = g_ptr_array_index (self->podcasts, self->podcasts->len - 1);

  g_assert (marked->podcast == podcast);
  episode.guid = keep (self, episode.guid);
  episode.alias = keep (self, episode.alias);
  episode.title = keep (self, episode.title);
  episode.enclosure = keep (self, episode.enclosure);
  g_array_append_val (marked->episodes, episode);
  g_array_append_val (self->ids, id);
}

/* Main thread.
 * @state: marks set by the listener now, or earlier, according to their stamps
 * Returns: (transfer full): the marks of this episode */
EarMarks *
ear_marks_new_for_episode (EarEpisode *episode, const EarEpisodeState *state)
{
  EarMarks *self = ear_marks_new (state, g_get_real_time ());
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);
  const EarMarkedEpisode marked = {
    .guid = ear_episode_get_guid (episode),
    .alias = ear_episode_get_facts (episode)->guid,
    .title = ear_episode_get_title (episode),
    .enclosure = enclosure != NULL ? enclosure->address : NULL,
  };

  ear_marks_add_podcast (self, ear_podcast_get_id (podcast), ear_podcast_get_address (podcast),
                         ear_podcast_get_feed_address (podcast), ear_podcast_get_title (podcast));
  ear_marks_add (self, ear_episode_get_id (episode), ear_podcast_get_id (podcast), marked);

  return self;
}

/* @address: address that the podcast was first followed at
 * Returns: (transfer full): marks from elsewhere of an episode that may have no row */
EarMarks *
ear_marks_new_single (const char *address, EarMarkedEpisode episode, const EarEpisodeState *state)
{
  EarMarks *self = ear_marks_new (state, 0);

  ear_marks_add_podcast (self, 0, address, NULL, NULL);
  ear_marks_add (self, 0, 0, episode);

  return self;
}

/* Returns: (transfer none): the first podcast */
const EarMarkedPodcast *
ear_marks_get_podcast (const EarMarks *self)
{
  return g_ptr_array_index (self->podcasts, 0);
}

/* Returns: (transfer none): the first episode of the first podcast */
const EarMarkedEpisode *
ear_marks_get_episode (const EarMarks *self)
{
  return &g_array_index (ear_marks_get_podcast (self)->episodes, EarMarkedEpisode, 0);
}

void
ear_marks_close (EarMarks *self)
{
  g_array_sort (self->ids, ear_ids_compare);
}
