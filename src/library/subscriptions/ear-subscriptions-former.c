/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Recognizes a podcast that is followed again at another address, having moved while it
 * was not followed. The listener's data in the file of its first address is copied to the
 * new one. */

#include "ear-subscriptions-private.h"

#include "ear-address.h"
#include "ear-feed-identity.h"

/* Number of common episodes that prove two podcasts with the same title to be the same */
#define ENOUGH 3
/* Maximum number of episodes searched on the main thread, for a few milliseconds */
#define LOOKED_FOR_LIMIT 256

static gboolean
has_key (const char *address, const char *key)
{
  g_autofree char *own = address != NULL ? ear_address_key (address) : NULL;

  return g_strcmp0 (own, key) == 0;
}

/* The feed may have moved while nobody fetched it, so an equal title counts, too. */
static gboolean
may_be_predecessor (const EarSubscription *former, EarPodcast *podcast, const char *feed_key)
{
  if (g_str_equal (former->address, ear_podcast_get_address (podcast)))
    return FALSE;

  return has_key (former->feed_address, feed_key) || has_key (former->address, feed_key) ||
         ear_feed_identity_is_title_equal (former->title, ear_podcast_get_title (podcast));
}

/* Returns the first addresses of unfollowed podcasts that may be the same one. */
static char **
dup_predecessor (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autoptr (GStrvBuilder) addresses = g_strv_builder_new ();
  g_autofree char *feed_key = NULL;

  feed_key = ear_address_key (ear_podcast_get_feed_address (podcast));
  for (guint i = 0; i < self->former->len; i++)
    {
      const EarSubscription *former = g_ptr_array_index (self->former, i);
      EarPodcast *followed;

      if (!may_be_predecessor (former, podcast, feed_key))
        continue;
      /* The former podcast may be followed again. */
      followed = ear_catalogue_find_podcast (self->catalogue, former->address);
      if (followed == NULL || followed == podcast)
        g_strv_builder_add (addresses, former->address);
    }

  return g_strv_builder_end (addresses);
}

/* Loads the listener's data of podcasts that may be the same one. */
static void
find_predecessor (EarSubscriptions *self, EarPodcast *podcast)
{
  g_auto (GStrv) addresses = NULL;

  addresses = dup_predecessor (self, podcast);
  for (guint i = 0; addresses[i] != NULL; i++)
    {
      g_hash_table_replace (self->sought, g_strdup (addresses[i]), g_object_ref (podcast));
      ear_userdata_store_load_podcast (self->state, addresses[i]);
    }
}

static gboolean
is_same (EarSubscriptions *self, EarPodcast *podcast, GHashTable *states)
{
  const guint enough = MIN ((g_hash_table_size (states) + 1) / 2, ENOUGH);
  guint n_found = 0;
  GHashTableIter iter;
  gpointer guid;

  g_hash_table_iter_init (&iter, states);
  for (guint i = 0;
       i < LOOKED_FOR_LIMIT && n_found < enough && g_hash_table_iter_next (&iter, &guid, NULL); i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, guid);

      n_found += episode != NULL;
    }

  return n_found >= enough;
}

/* Copies the listener's data of a former podcast to the one that it was loaded for, if
 * they have the same episodes. Newer data is kept.
 * @states: (element-type utf8 EarEpisodeState): the states of episodes by guid */
void
ear_subscriptions_take_predecessor (EarSubscriptions *self, const char *address, GHashTable *states)
{
  g_autofree char *key = NULL;
  g_autoptr (EarPodcast) podcast = NULL;
  GHashTableIter iter;
  gpointer guid, state;

  if (!g_hash_table_steal_extended (self->sought, address, (gpointer *) &key,
                                    (gpointer *) &podcast))
    return;
  if (!ear_podcast_get_followed (podcast) || !is_same (self, podcast, states))
    return;

  g_hash_table_iter_init (&iter, states);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    ear_userdata_store_adopt_episode (self->state, podcast, guid, NULL, NULL, state);
  ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
}

/* Loads the listener's data of a podcast, and looks for a former one as soon as it has
 * rows. */
void
ear_subscriptions_take_up_state (EarSubscriptions *self, EarPodcast *podcast)
{
  ear_subscriptions_load_state (self, podcast);
  /* A podcast that was previewed already has rows. */
  if (ear_podcast_get_n_episodes (podcast) > 0)
    find_predecessor (self, podcast);
  else
    g_hash_table_add (self->newcomers, g_object_ref (podcast));
}

/* @ids: (element-type gint64): the new rows */
void
ear_subscriptions_note_rows (EarSubscriptions *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL && !g_hash_table_contains (self->grown, podcast))
    g_hash_table_add (self->grown, g_object_ref (podcast));
}

/* Loads the listener's data for new rows, which may be known: the catalogue was lost, or
 * the feed came back. */
void
ear_subscriptions_greet_rows (EarSubscriptions *self, EarPodcast *podcast)
{
  if (!g_hash_table_remove (self->grown, podcast))
    return;
  ear_subscriptions_load_state (self, podcast);
  if (g_hash_table_remove (self->newcomers, podcast))
    find_predecessor (self, podcast);
}
