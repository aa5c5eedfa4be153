/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-address.h"

/* Main thread: podcasts by their addresses. An import looks up thousands of addresses: a
 * hash table maps the key of an address, the same for all spellings, to podcasts. */

static void
note (EarCatalogue *self, gint64 id, const char *address)
{
  g_autofree char *key = ear_address_key (address);
  GArray *ids = g_hash_table_lookup (self->by_address, key);

  if (ids == NULL)
    {
      ids = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (self->by_address, g_steal_pointer (&key), ids);
    }
  for (guint i = 0; i < ids->len; i++)
    if (g_array_index (ids, gint64, i) == id)
      return;
  g_array_append_val (ids, id);
}

/* Adds the podcast's present addresses to the table. */
void
ear_catalogue_note_addresses (EarCatalogue *self, EarPodcast *podcast)
{
  const char *feed_address = ear_podcast_get_feed_address (podcast);

  note (self, ear_podcast_get_id (podcast), ear_podcast_get_address (podcast));
  if (g_strcmp0 (feed_address, ear_podcast_get_address (podcast)) != 0)
    note (self, ear_podcast_get_id (podcast), feed_address);
}

static void
forget (EarCatalogue *self, gint64 id, const char *address)
{
  g_autofree char *key = ear_address_key (address);
  GArray *ids = g_hash_table_lookup (self->by_address, key);

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    if (g_array_index (ids, gint64, i) == id)
      g_array_remove_index (ids, i--);
  if (ids != NULL && ids->len == 0)
    g_hash_table_remove (self->by_address, key);
}

/* Removes the podcast's present addresses from the table. */
void
ear_catalogue_forget_addresses (EarCatalogue *self, EarPodcast *podcast)
{
  forget (self, ear_podcast_get_id (podcast), ear_podcast_get_address (podcast));
  forget (self, ear_podcast_get_id (podcast), ear_podcast_get_feed_address (podcast));
}

static gboolean
has_key (const char *address, const char *key)
{
  g_autofree char *own = ear_address_key (address);

  return g_str_equal (own, key);
}

/* Returns how well an address fits a podcast: 3 its first address, 2 its feed's present
 * address, 1 another spelling of one. */
static int
compare (EarPodcast *podcast, const char *address, const char *key)
{
  const char *feed_address = ear_podcast_get_feed_address (podcast);

  if (g_strcmp0 (ear_podcast_get_address (podcast), address) == 0)
    return 3;
  if (g_strcmp0 (feed_address, address) == 0)
    return 2;

  return has_key (ear_podcast_get_address (podcast), key) || has_key (feed_address, key);
}

/* Returns the best podcast at an address. Former addresses of a feed stay
 * in the table. */
static EarPodcast *
find_best (EarCatalogue *self, const char *address, int least, gboolean hidden)
{
  g_autofree char *key = ear_address_key (address);
  GArray *ids = g_hash_table_lookup (self->by_address, key);
  EarPodcast *best = NULL;

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      const gint64 id = g_array_index (ids, gint64, i);
      EarPodcast *podcast = ear_catalogue_lookup_podcast (self, id);
      const int fits = podcast != NULL ? compare (podcast, address, key) : 0;

      if (fits < least || (ear_catalogue_is_hidden (self, id) && !(hidden && fits == 3)))
        continue;
      least = fits + 1;
      best = podcast;
    }

  return best;
}

/* @exactly: whether the podcast must have been added with that address
 * Returns: (transfer none) (nullable): the podcast, even if it waits to be purged; unless
 * @exactly, also one with another spelling of the address */
EarPodcast *
ear_catalogue_find_any (EarCatalogue *self, const char *address, gboolean exactly)
{
  return find_best (self, address, exactly ? 3 : 1, TRUE);
}

static EarPodcast *
find_followed (EarCatalogue *self, const char *address, int least)
{
  EarPodcast *podcast = find_best (self, address, least, FALSE);

  return podcast != NULL && ear_podcast_get_followed (podcast) ? podcast : NULL;
}

/**
 * ear_catalogue_find_known:
 * @self: the catalogue
 * @address: address of a feed: the podcast's first one, or its present one
 *
 * Returns: (transfer none) (nullable): the podcast, if it is followed or previewed
 */
EarPodcast *
ear_catalogue_find_known (EarCatalogue *self, const char *address)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  return find_best (self, address, 2, FALSE);
}

/**
 * ear_catalogue_find_podcast:
 * @self: the catalogue
 * @address: address of a feed, as for [method@EarCatalogue.find_known], or another
 *   spelling of it
 *
 * Returns: (transfer none) (nullable): the podcast, if it is followed
 */
EarPodcast *
ear_catalogue_find_podcast (EarCatalogue *self, const char *address)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  return find_followed (self, address, 1);
}

/**
 * ear_catalogue_find_exactly:
 * @self: the catalogue
 * @address: address that a podcast was first followed at, to the letter
 *
 * For data stored by that address, not for typed addresses.
 *
 * Returns: (transfer none) (nullable): the podcast, if it is followed
 */
EarPodcast *
ear_catalogue_find_exactly (EarCatalogue *self, const char *address)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  return find_followed (self, address, 3);
}

/* Returns: (transfer container) (element-type EarPodcast): all podcasts that were added
 * with that address, or whose feed has or had it, in any spelling */
GPtrArray *
ear_catalogue_list_at_address (EarCatalogue *self, const char *address)
{
  g_autofree char *key = ear_address_key (address);
  GArray *ids = g_hash_table_lookup (self->by_address, key);
  GPtrArray *podcasts = g_ptr_array_new ();

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      EarPodcast *podcast = ear_catalogue_lookup_podcast (self, g_array_index (ids, gint64, i));

      if (podcast != NULL)
        g_ptr_array_add (podcasts, podcast);
    }

  return podcasts;
}
