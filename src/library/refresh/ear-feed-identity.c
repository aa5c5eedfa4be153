/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-identity.h"

#include "ear-address.h"

/* Number of episodes that identify a podcast */
#define EPISODES_LIMIT 100

struct _EarFeedIdentity
{
  /* Owned */
  char *title; /* (nullable) */
  char *guid;  /* (nullable): `podcast:guid` */
  char *link;  /* (nullable): normalized URL of its website */
  char *author; /* (nullable) */
  GHashTable *guids;
};

static void
identity_clear (gpointer data)
{
  EarFeedIdentity *self = data;

  g_free (self->title);
  g_free (self->guid);
  g_free (self->link);
  g_free (self->author);
  g_hash_table_unref (self->guids);
}

static const char *
get_name (EarEpisodeFacts *episode)
{
  if (episode->guid != NULL)
    return episode->guid;

  return episode->enclosures->len > 0
             ? ((EarEnclosure *) g_ptr_array_index (episode->enclosures, 0))->address
             : NULL;
}

/* @a: (nullable): the title of a podcast
 * @b: (nullable): another title
 * Returns: whether both are set and equal except for case and surrounding spaces */
gboolean
ear_feed_identity_is_title_equal (const char *a, const char *b)
{
  g_autofree char *first = a != NULL ? g_utf8_casefold (a, -1) : NULL;
  g_autofree char *second = b != NULL ? g_utf8_casefold (b, -1) : NULL;

  if (first == NULL || second == NULL)
    return FALSE;
  g_strstrip (first);
  g_strstrip (second);

  return *first != '\0' && g_str_equal (first, second);
}

EarFeedIdentity *
ear_feed_identity_new (void)
{
  EarFeedIdentity *self = g_atomic_rc_box_new0 (EarFeedIdentity);

  self->guids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

EarFeedIdentity *
ear_feed_identity_ref (EarFeedIdentity *self)
{
  return g_atomic_rc_box_acquire (self);
}

/* @self: (transfer full): an identity */
void
ear_feed_identity_unref (EarFeedIdentity *self)
{
  g_atomic_rc_box_release_full (self, identity_clear);
}

void
ear_feed_identity_set_facts (EarFeedIdentity *self, EarPodcastFacts *facts)
{
  g_set_str (&self->title, facts->title);
  g_set_str (&self->guid, facts->guid);
  g_set_str (&self->author, facts->author);
  g_clear_pointer (&self->link, g_free);
  self->link = facts->link != NULL ? ear_address_key (facts->link) : NULL;
}

/* Adds the guid of an episode, or its media URL if it has none, up to a limit. */
void
ear_feed_identity_add (EarFeedIdentity *self, EarEpisodeFacts *episode)
{
  const char *name = get_name (episode);

  if (name != NULL && g_hash_table_size (self->guids) < EPISODES_LIMIT)
    g_hash_table_add (self->guids, g_strdup (name));
}

gboolean
ear_feed_identity_has_facts (EarFeedIdentity *self, EarPodcastFacts *facts)
{
  if (self->guid != NULL && facts->guid != NULL)
    return g_ascii_strcasecmp (self->guid, facts->guid) == 0;

  return ear_feed_identity_is_title_equal (self->title, facts->title);
}

/* Compares a feed with the identity. A renamed podcast keeps its website, its author or
 * its guid; a podcast moved to a new host may have a new guid, but keeps the title or the
 * website.
 * @facts: the facts of a feed, perhaps not all yet
 * Returns: whether it is another podcast, unless an episode proves otherwise */
gboolean
ear_feed_identity_is_other (EarFeedIdentity *self, EarPodcastFacts *facts)
{
  const gboolean has_guids = self->guid != NULL && facts->guid != NULL;
  g_autofree char *link = facts->link != NULL ? ear_address_key (facts->link) : NULL;

  if (self->title == NULL || facts->title == NULL ||
      ear_feed_identity_is_title_equal (self->title, facts->title))
    return FALSE;
  if (link != NULL && g_strcmp0 (self->link, link) == 0)
    return FALSE;
  if (has_guids)
    return g_ascii_strcasecmp (self->guid, facts->guid) != 0;

  return !ear_feed_identity_is_title_equal (self->author, facts->author);
}

/* Returns: (transfer none): the names of its episodes, up to the limit */
GHashTable *
ear_feed_identity_get_episodes (EarFeedIdentity *self)
{
  return self->guids;
}

gboolean
ear_feed_identity_has (EarFeedIdentity *self, EarEpisodeFacts *episode)
{
  const char *name = get_name (episode);

  return name != NULL && g_hash_table_contains (self->guids, name);
}
