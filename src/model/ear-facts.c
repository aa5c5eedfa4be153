/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-facts.h"

G_DEFINE_BOXED_TYPE (EarEpisodeFacts, ear_episode_facts, ear_episode_facts_ref, ear_episode_facts_unref)
G_DEFINE_BOXED_TYPE (EarPodcastFacts, ear_podcast_facts, ear_podcast_facts_ref, ear_podcast_facts_unref)

/* Free functions for the entries of each list, in the order of the structure */
static const GDestroyNotify episode_entry_free[] = {
  (GDestroyNotify) ear_enclosure_free,
  (GDestroyNotify) ear_enclosure_free,
  (GDestroyNotify) ear_alternate_free,
  (GDestroyNotify) ear_chapter_free,
  (GDestroyNotify) ear_transcript_link_free,
  (GDestroyNotify) ear_soundbite_free,
  (GDestroyNotify) ear_person_free,
  (GDestroyNotify) ear_funding_free,
};

static const GDestroyNotify podcast_entry_free[] = {
  (GDestroyNotify) g_free,
  (GDestroyNotify) g_free,
  (GDestroyNotify) ear_funding_free,
  (GDestroyNotify) ear_person_free,
  (GDestroyNotify) ear_remote_item_free,
  (GDestroyNotify) ear_live_item_free,
  (GDestroyNotify) ear_trailer_free,
  (GDestroyNotify) ear_feed_text_free,
};

static void
make_lists (GPtrArray **lists, const GDestroyNotify *entry_free, gsize n_lists)
{
  for (gsize i = 0; i < n_lists; i++)
    lists[i] = g_ptr_array_new_with_free_func (entry_free[i]);
}

/* In the structures, the texts come first, and then the lists. */
static void
clear (gpointer facts, GPtrArray **lists, gsize n_lists)
{
  for (char **text = facts; text < (char **) lists; text++)
    g_free (*text);
  for (gsize i = 0; i < n_lists; i++)
    g_ptr_array_unref (lists[i]);
}

static void
episode_facts_clear (gpointer facts)
{
  clear (facts, &((EarEpisodeFacts *) facts)->enclosures, G_N_ELEMENTS (episode_entry_free));
}

/**
 * ear_episode_facts_new:
 *
 * Returns: (transfer full): empty facts
 */
EarEpisodeFacts *
ear_episode_facts_new (void)
{
  EarEpisodeFacts *self = g_atomic_rc_box_new0 (EarEpisodeFacts);

  self->published = EAR_DATE_UNKNOWN;
  make_lists (&self->enclosures, episode_entry_free, G_N_ELEMENTS (episode_entry_free));

  return self;
}

EarEpisodeFacts *
ear_episode_facts_ref (EarEpisodeFacts *self)
{
  return g_atomic_rc_box_acquire (self);
}

/**
 * ear_episode_facts_unref:
 * @self: (transfer full): the facts
 *
 * Any thread may call it.
 */
void
ear_episode_facts_unref (EarEpisodeFacts *self)
{
  g_atomic_rc_box_release_full (self, episode_facts_clear);
}

static void
podcast_facts_clear (gpointer facts)
{
  clear (facts, &((EarPodcastFacts *) facts)->categories, G_N_ELEMENTS (podcast_entry_free));
}

/**
 * ear_podcast_facts_new:
 *
 * Returns: (transfer full): empty facts
 */
EarPodcastFacts *
ear_podcast_facts_new (void)
{
  EarPodcastFacts *self = g_atomic_rc_box_new0 (EarPodcastFacts);

  self->published = EAR_DATE_UNKNOWN;
  make_lists (&self->categories, podcast_entry_free, G_N_ELEMENTS (podcast_entry_free));

  return self;
}

EarPodcastFacts *
ear_podcast_facts_ref (EarPodcastFacts *self)
{
  return g_atomic_rc_box_acquire (self);
}

/**
 * ear_podcast_facts_unref:
 * @self: (transfer full): the facts
 *
 * Any thread may call it.
 */
void
ear_podcast_facts_unref (EarPodcastFacts *self)
{
  g_atomic_rc_box_release_full (self, podcast_facts_clear);
}
