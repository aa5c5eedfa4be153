/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-facts.h"

G_DEFINE_BOXED_TYPE (EarEpisodeFacts, ear_episode_facts, ear_episode_facts_ref, ear_episode_facts_unref)
G_DEFINE_BOXED_TYPE (EarPodcastFacts, ear_podcast_facts, ear_podcast_facts_ref, ear_podcast_facts_unref)

static void
episode_facts_clear (gpointer data)
{
  EarEpisodeFacts *self = data;

  g_free (self->guid);
  g_free (self->title);
  g_free (self->link);
  g_free (self->author);
  g_free (self->image);
  g_free (self->notes);
  g_free (self->notes_base);
  g_free (self->subtitle);
  g_free (self->season_name);
  g_free (self->number);
  g_free (self->chapters_address);
  g_free (self->podlove_address);
  g_free (self->comments_address);
  g_ptr_array_unref (self->enclosures);
  g_ptr_array_unref (self->alternates);
  g_ptr_array_unref (self->chapters);
  g_ptr_array_unref (self->transcripts);
  g_ptr_array_unref (self->soundbites);
  g_ptr_array_unref (self->persons);
  g_ptr_array_unref (self->funding);
}

static void
podcast_facts_clear (gpointer data)
{
  EarPodcastFacts *self = data;

  g_free (self->title);
  g_free (self->link);
  g_free (self->description);
  g_free (self->image);
  g_free (self->language);
  g_free (self->author);
  g_free (self->copyright);
  g_free (self->generator);
  g_free (self->owner_name);
  g_free (self->owner_email);
  g_free (self->type);
  g_free (self->new_address);
  g_free (self->self_address);
  g_free (self->guid);
  g_free (self->medium);
  g_free (self->license);
  g_free (self->location);
  g_free (self->update_text);
  g_free (self->next_address);
  g_free (self->previous_address);
  g_free (self->first_address);
  g_free (self->last_address);
  g_free (self->current_address);
  g_ptr_array_unref (self->categories);
  g_ptr_array_unref (self->keywords);
  g_ptr_array_unref (self->funding);
  g_ptr_array_unref (self->persons);
  g_ptr_array_unref (self->podroll);
  g_ptr_array_unref (self->live_items);
  g_ptr_array_unref (self->trailers);
  g_ptr_array_unref (self->texts);
}

/**
 * ear_episode_facts_new:
 *
 * Makes facts that say nothing yet.
 *
 * Returns: (transfer full): the facts
 */
EarEpisodeFacts *
ear_episode_facts_new (void)
{
  EarEpisodeFacts *self = g_atomic_rc_box_new0 (EarEpisodeFacts);

  self->published = EAR_DATE_UNKNOWN;
  self->enclosures = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_enclosure_free);
  self->alternates = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_alternate_free);
  self->chapters = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_chapter_free);
  self->transcripts = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_transcript_link_free);
  self->soundbites = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_soundbite_free);
  self->persons = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_person_free);
  self->funding = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_funding_free);

  return self;
}

/**
 * ear_episode_facts_ref:
 * @self: the facts
 *
 * Returns: (transfer full): the same facts, with one more reference
 */
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

/**
 * ear_podcast_facts_new:
 *
 * Makes facts that say nothing yet.
 *
 * Returns: (transfer full): the facts
 */
EarPodcastFacts *
ear_podcast_facts_new (void)
{
  EarPodcastFacts *self = g_atomic_rc_box_new0 (EarPodcastFacts);

  self->published = EAR_DATE_UNKNOWN;
  self->categories = g_ptr_array_new_with_free_func (g_free);
  self->keywords = g_ptr_array_new_with_free_func (g_free);
  self->funding = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_funding_free);
  self->persons = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_person_free);
  self->podroll = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_remote_item_free);
  self->live_items = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_live_item_free);
  self->trailers = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_trailer_free);
  self->texts = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_feed_text_free);

  return self;
}

/**
 * ear_podcast_facts_ref:
 * @self: the facts
 *
 * Returns: (transfer full): the same facts, with one more reference
 */
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
