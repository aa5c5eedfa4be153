/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-facts.h"

/* @first: the first text
 * @last: the last one */
void
ear_texts_clear (gpointer first, char **last)
{
  for (char **text = first; text <= last; text++)
    g_free (*text);
}

void
ear_texts_free (gpointer self, char **last)
{
  ear_texts_clear (self, last);
  g_free (self);
}

/* @size: bytes of the structure; its other members are copied as they are */
gpointer
ear_texts_copy (gconstpointer self, gsize size, char *const *last)
{
  const gsize n_texts = (gsize) (last + 1 - (char *const *) self);
  char **copy = g_memdup2 (self, size);

  for (gsize i = 0; i < n_texts; i++)
    copy[i] = g_strdup (copy[i]);

  return copy;
}

#define DEFINE_PART(Type, name, last) \
  Type * \
  ear_##name##_new (void) \
  { \
    return g_new0 (Type, 1); \
  } \
\
  EAR_DEFINE_TEXTS_FREE (Type, ear_##name##_free, last)

DEFINE_PART (EarEnclosure, enclosure, mime_type)
DEFINE_PART (EarTranscriptLink, transcript_link, language)
DEFINE_PART (EarPerson, person, link)
DEFINE_PART (EarFunding, funding, text)
DEFINE_PART (EarRemoteItem, remote_item, title)

EarChapter *
ear_chapter_new (void)
{
  return g_new0 (EarChapter, 1);
}

void
ear_chapter_free (EarChapter *self)
{
  g_clear_pointer (&self->picture, g_bytes_unref);
  ear_texts_free (self, &self->image);
}

/* @end: microseconds, untrusted: an end that is not after the start, or is too late for
 * any recording, is dropped */
void
ear_chapter_set_end (EarChapter *self, gint64 end)
{
  self->end = end > self->start && end <= EAR_POSITION_LIMIT ? end : 0;
}

/* Free functions for the entries of each list, in the order of the structure */
static const GDestroyNotify episode_entry_free[] = {
  (GDestroyNotify) ear_enclosure_free,
  (GDestroyNotify) ear_enclosure_free,
  (GDestroyNotify) ear_chapter_free,
  (GDestroyNotify) ear_transcript_link_free,
  (GDestroyNotify) ear_person_free,
  (GDestroyNotify) ear_funding_free,
};

static const GDestroyNotify podcast_entry_free[] = {
  (GDestroyNotify) g_free,
  (GDestroyNotify) g_free,
  (GDestroyNotify) ear_funding_free,
  (GDestroyNotify) ear_person_free,
  (GDestroyNotify) ear_remote_item_free,
};

/* In the structures, the texts come first, and then the lists. */
static void
clear (gpointer facts, GPtrArray **lists, gsize n_lists)
{
  ear_texts_clear (facts, (char **) lists - 1);
  for (gsize i = 0; i < n_lists; i++)
    g_ptr_array_unref (lists[i]);
}

/* Defines the boxed type and its functions.
 * @first: the first list */
#define DEFINE_FACTS(Type, name, first, entry_free) \
  G_DEFINE_BOXED_TYPE (Type, ear_##name, ear_##name##_ref, ear_##name##_unref) \
\
  static void \
  name##_clear (Type *self) \
  { \
    clear (self, &self->first, G_N_ELEMENTS (entry_free)); \
  } \
\
  Type * \
  ear_##name##_new (void) \
  { \
    Type *self = g_atomic_rc_box_new0 (Type); \
\
    self->published = EAR_DATE_UNKNOWN; \
    for (gsize i = 0; i < G_N_ELEMENTS (entry_free); i++) \
      (&self->first)[i] = g_ptr_array_new_with_free_func (entry_free[i]); \
\
    return self; \
  } \
\
  EAR_DEFINE_REF_COUNTED (Type, ear_##name, name##_clear)

DEFINE_FACTS (EarEpisodeFacts, episode_facts, enclosures, episode_entry_free)
DEFINE_FACTS (EarPodcastFacts, podcast_facts, categories, podcast_entry_free)
