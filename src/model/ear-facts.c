/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-facts.h"

G_DEFINE_BOXED_TYPE (EarEpisodeFacts, ear_episode_facts, ear_episode_facts_ref, ear_episode_facts_unref)
G_DEFINE_BOXED_TYPE (EarPodcastFacts, ear_podcast_facts, ear_podcast_facts_ref, ear_podcast_facts_unref)

/* Where a list stands in the facts, and what frees an entry of it. */
typedef struct
{
  gsize offset;
  GDestroyNotify free;
} List;

static const gsize episode_texts[] = {
  G_STRUCT_OFFSET (EarEpisodeFacts, guid), G_STRUCT_OFFSET (EarEpisodeFacts, title),
  G_STRUCT_OFFSET (EarEpisodeFacts, link), G_STRUCT_OFFSET (EarEpisodeFacts, author),
  G_STRUCT_OFFSET (EarEpisodeFacts, image), G_STRUCT_OFFSET (EarEpisodeFacts, notes),
  G_STRUCT_OFFSET (EarEpisodeFacts, notes_base), G_STRUCT_OFFSET (EarEpisodeFacts, subtitle),
  G_STRUCT_OFFSET (EarEpisodeFacts, season_name), G_STRUCT_OFFSET (EarEpisodeFacts, number),
  G_STRUCT_OFFSET (EarEpisodeFacts, chapters_address), G_STRUCT_OFFSET (EarEpisodeFacts, podlove_address),
  G_STRUCT_OFFSET (EarEpisodeFacts, comments_address),
};

static const List episode_lists[] = {
  { G_STRUCT_OFFSET (EarEpisodeFacts, enclosures), (GDestroyNotify) ear_enclosure_free },
  { G_STRUCT_OFFSET (EarEpisodeFacts, alternates), (GDestroyNotify) ear_alternate_free },
  { G_STRUCT_OFFSET (EarEpisodeFacts, chapters), (GDestroyNotify) ear_chapter_free },
  { G_STRUCT_OFFSET (EarEpisodeFacts, transcripts), (GDestroyNotify) ear_transcript_link_free },
  { G_STRUCT_OFFSET (EarEpisodeFacts, soundbites), (GDestroyNotify) ear_soundbite_free },
  { G_STRUCT_OFFSET (EarEpisodeFacts, persons), (GDestroyNotify) ear_person_free },
  { G_STRUCT_OFFSET (EarEpisodeFacts, funding), (GDestroyNotify) ear_funding_free },
};

static const gsize podcast_texts[] = {
  G_STRUCT_OFFSET (EarPodcastFacts, title), G_STRUCT_OFFSET (EarPodcastFacts, link),
  G_STRUCT_OFFSET (EarPodcastFacts, description), G_STRUCT_OFFSET (EarPodcastFacts, image),
  G_STRUCT_OFFSET (EarPodcastFacts, language), G_STRUCT_OFFSET (EarPodcastFacts, author),
  G_STRUCT_OFFSET (EarPodcastFacts, copyright), G_STRUCT_OFFSET (EarPodcastFacts, generator),
  G_STRUCT_OFFSET (EarPodcastFacts, owner_name), G_STRUCT_OFFSET (EarPodcastFacts, owner_email),
  G_STRUCT_OFFSET (EarPodcastFacts, type), G_STRUCT_OFFSET (EarPodcastFacts, new_address),
  G_STRUCT_OFFSET (EarPodcastFacts, self_address), G_STRUCT_OFFSET (EarPodcastFacts, guid),
  G_STRUCT_OFFSET (EarPodcastFacts, medium), G_STRUCT_OFFSET (EarPodcastFacts, license),
  G_STRUCT_OFFSET (EarPodcastFacts, location), G_STRUCT_OFFSET (EarPodcastFacts, update_text),
  G_STRUCT_OFFSET (EarPodcastFacts, next_address), G_STRUCT_OFFSET (EarPodcastFacts, previous_address),
  G_STRUCT_OFFSET (EarPodcastFacts, first_address), G_STRUCT_OFFSET (EarPodcastFacts, last_address),
  G_STRUCT_OFFSET (EarPodcastFacts, current_address),
};

static const List podcast_lists[] = {
  { G_STRUCT_OFFSET (EarPodcastFacts, categories), (GDestroyNotify) g_free },
  { G_STRUCT_OFFSET (EarPodcastFacts, keywords), (GDestroyNotify) g_free },
  { G_STRUCT_OFFSET (EarPodcastFacts, funding), (GDestroyNotify) ear_funding_free },
  { G_STRUCT_OFFSET (EarPodcastFacts, persons), (GDestroyNotify) ear_person_free },
  { G_STRUCT_OFFSET (EarPodcastFacts, podroll), (GDestroyNotify) ear_remote_item_free },
  { G_STRUCT_OFFSET (EarPodcastFacts, live_items), (GDestroyNotify) ear_live_item_free },
  { G_STRUCT_OFFSET (EarPodcastFacts, trailers), (GDestroyNotify) ear_trailer_free },
  { G_STRUCT_OFFSET (EarPodcastFacts, texts), (GDestroyNotify) ear_feed_text_free },
};

static void
make_lists (gpointer facts, const List *lists, gsize n_lists)
{
  for (gsize i = 0; i < n_lists; i++)
    G_STRUCT_MEMBER (GPtrArray *, facts, lists[i].offset) = g_ptr_array_new_with_free_func (lists[i].free);
}

static void
clear (gpointer facts, const gsize *texts, gsize n_texts, const List *lists, gsize n_lists)
{
  for (gsize i = 0; i < n_texts; i++)
    g_free (G_STRUCT_MEMBER (char *, facts, texts[i]));
  for (gsize i = 0; i < n_lists; i++)
    g_ptr_array_unref (G_STRUCT_MEMBER (GPtrArray *, facts, lists[i].offset));
}

static void
episode_facts_clear (gpointer facts)
{
  clear (facts, episode_texts, G_N_ELEMENTS (episode_texts), episode_lists, G_N_ELEMENTS (episode_lists));
}

/**
 * ear_episode_facts_new:
 *
 * Returns: (transfer full): facts that say nothing yet
 */
EarEpisodeFacts *
ear_episode_facts_new (void)
{
  EarEpisodeFacts *self = g_atomic_rc_box_new0 (EarEpisodeFacts);

  self->published = EAR_DATE_UNKNOWN;
  make_lists (self, episode_lists, G_N_ELEMENTS (episode_lists));

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
 * Drops a reference; the last one frees the facts. Any thread may do so.
 */
void
ear_episode_facts_unref (EarEpisodeFacts *self)
{
  g_atomic_rc_box_release_full (self, episode_facts_clear);
}

static void
podcast_facts_clear (gpointer facts)
{
  clear (facts, podcast_texts, G_N_ELEMENTS (podcast_texts), podcast_lists, G_N_ELEMENTS (podcast_lists));
}

/**
 * ear_podcast_facts_new:
 *
 * Returns: (transfer full): facts that say nothing yet
 */
EarPodcastFacts *
ear_podcast_facts_new (void)
{
  EarPodcastFacts *self = g_atomic_rc_box_new0 (EarPodcastFacts);

  self->published = EAR_DATE_UNKNOWN;
  make_lists (self, podcast_lists, G_N_ELEMENTS (podcast_lists));

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
 * Drops a reference; the last one frees the facts. Any thread may do so.
 */
void
ear_podcast_facts_unref (EarPodcastFacts *self)
{
  g_atomic_rc_box_release_full (self, podcast_facts_clear);
}
