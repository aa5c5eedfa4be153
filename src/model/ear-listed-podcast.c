/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listed-podcast.h"

EAR_DEFINE_TEXTS_FREE (EarListedEpisode, ear_listed_episode_free, title)

EarListedPodcast *
ear_listed_podcast_new (void)
{
  EarListedPodcast *self = g_atomic_rc_box_new0 (EarListedPodcast);

  self->episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_listed_episode_free);

  return self;
}

static void
clear (EarListedPodcast *self)
{
  ear_texts_clear (self, &self->folder);
  g_ptr_array_unref (self->episodes);
}

EAR_DEFINE_REF_COUNTED (EarListedPodcast, ear_listed_podcast, clear)

gboolean
ear_listed_podcast_can_follow (const EarListedPodcast *self)
{
  return self->address != NULL && !self->unfollowed;
}

/* Returns: (transfer full) (element-type EarListedPodcast) */
GPtrArray *
ear_listed_podcasts_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_listed_podcast_unref);
}
