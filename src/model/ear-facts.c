/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-facts.h"

/* Frees a structure that begins with texts, @texts_size bytes of pointers. */
static void
free_part (gpointer part, gsize texts_size)
{
  for (gsize i = 0; i < texts_size; i += sizeof (char *))
    g_free (G_STRUCT_MEMBER (char *, part, i));
  g_free (part);
}

/* @texts_size: bytes of the texts; then the values of a new structure that are not 0 */
#define DEFINE_PART(Type, name, texts_size, ...) \
  Type * \
  ear_##name##_new (void) \
  { \
    return g_memdup2 (&(const Type) { __VA_ARGS__ }, sizeof (Type)); \
  } \
\
  void \
  ear_##name##_free (Type *self) \
  { \
    free_part (self, texts_size); \
  }

DEFINE_PART (EarEnclosure, enclosure, G_STRUCT_OFFSET (EarEnclosure, size), .size = 0)
DEFINE_PART (EarTranscriptLink, transcript_link, sizeof (EarTranscriptLink), .address = NULL)
DEFINE_PART (EarPerson, person, sizeof (EarPerson), .name = NULL)
DEFINE_PART (EarFunding, funding, sizeof (EarFunding), .address = NULL)
DEFINE_PART (EarRemoteItem, remote_item, sizeof (EarRemoteItem), .title = NULL)

EarChapter *
ear_chapter_new (void)
{
  return g_new0 (EarChapter, 1);
}

void
ear_chapter_free (EarChapter *self)
{
  g_clear_pointer (&self->picture, g_bytes_unref);
  free_part (self, G_STRUCT_OFFSET (EarChapter, picture));
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
  for (char **text = facts; text < (char **) lists; text++)
    g_free (*text);
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
