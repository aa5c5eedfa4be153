/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-merger.h"

#include <glib/gi18n-lib.h>

#include "ear-address.h"
#include "ear-feed-fetch.h"
#include "ear-list-store.h"
#include "ear-property.h"

/* Number of newest episodes to compare; half of them must be the same. */
#define COMPARED 20

/* Number of common episodes that prove two podcasts with the same title to be the same */
#define MIN_COMMON 3

/* Maximum number of episodes searched on the main thread, for a few milliseconds */
#define SEARCH_LIMIT 256

/* Merges podcasts that are followed at two addresses: the old one redirects to the new
 * one, or both feeds have the same guid. One is unfollowed, and the listener's data of it
 * is moved to the other. A merge that was undone is not repeated.
 *
 * Also recognizes a podcast that is followed again at another address, having moved while it
 * was not followed. The listener's data in the file of its first address is copied to the
 * new one. */
struct _EarPodcastMerger
{
  EAR_PART_MEMBERS;

  /* Owned */
  GHashTable *newcomers; /* (element-type EarPodcast): followed, not fetched yet */
  GHashTable *merged;    /* (element-type utf8 EarPodcast): the kept ones, by dropped address */
};

G_DEFINE_FINAL_TYPE (EarPodcastMerger, ear_podcast_merger, EAR_TYPE_PART)

/* Two podcasts to merge */
typedef struct
{
  EarPodcastMerger *merger;
  EarPodcast *kept;
  EarPodcast *dropped;
} Merge;

/* Returns: whether a podcast can be compared: it is followed and was fetched */
static gboolean
is_known (EarPodcast *podcast)
{
  return ear_podcast_get_followed (podcast) && !ear_podcast_get_refreshing (podcast) &&
         ear_podcast_get_checked (podcast) > 0 && ear_podcast_get_n_episodes (podcast) > 0 &&
         ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_SEPARATE) == 0;
}

/* Returns: whether the guids are equal. A private feed may have the guid of the public
 * one, but other episodes. */
static gboolean
has_guid (EarPodcast *podcast, EarPodcast *other)
{
  const char *guid = ear_podcast_get_facts (podcast)->guid;
  const char *other_guid = ear_podcast_get_facts (other)->guid;

  return guid != NULL && other_guid != NULL && g_ascii_strcasecmp (guid, other_guid) == 0 &&
         !ear_podcast_is_private (podcast) && !ear_podcast_is_private (other) &&
         ear_feed_is_title_equal (ear_podcast_get_title (podcast), ear_podcast_get_title (other));
}

/* Returns: (nullable): a podcast with the same address, or else with the same guid */
static EarPodcast *
find_same (EarPodcastMerger *self, EarPodcast *podcast)
{
  EarPodcast *found = NULL;
  EarPodcast *other;

  for (guint i = 0; (other = ear_list_peek (self->podcasts, i)) != NULL; i++)
    {
      if (other == podcast || !is_known (other))
        continue;
      if (g_str_equal (ear_podcast_get_feed_key (other), ear_podcast_get_feed_key (podcast)))
        return other;
      if (found == NULL && has_guid (podcast, other))
        found = other;
    }

  return found;
}

/* Sets the settings that the kept podcast does not have of its own. */
static void
move_settings (EarPodcastMerger *self, EarPodcast *dropped, EarPodcast *kept)
{
  const EarPodcastSettings *from = ear_podcast_get_settings (dropped);
  const EarPodcastSettings *to = ear_podcast_get_settings (kept);
  const char *folder = ear_podcast_get_folder (dropped);

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (from->updated[i] > 0 && to->updated[i] == 0 && i != EAR_PODCAST_SETTING_PLACE)
      ear_subscriptions_set_setting (self->subscriptions, kept, i, from->values[i]);
  if (folder != NULL && ear_podcast_get_folder (kept) == NULL)
    ear_subscriptions_set_folder (self->subscriptions, kept, folder);
}

/* Follows the podcast again, and does not merge it another time. The moved marks stay with the
 * other podcast, which has the same episodes. */
static void
undo_merge (gpointer owner, gpointer podcast)
{
  EarPodcastMerger *self = owner;
  EarPodcast *dropped = ear_subscriptions_follow_again (self->subscriptions, podcast);

  if (dropped != NULL)
    ear_subscriptions_set_setting (self->subscriptions, dropped, EAR_PODCAST_SETTING_SEPARATE,
                                   TRUE);
}

static gboolean
is_played (EarPodcastMerger *self, EarPodcast *podcast)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  return episode != NULL && ear_episode_get_podcast (episode) == podcast;
}

/* Returns: whether to keep the first podcast: the one in the player, else the one with
 * more episodes, else the older one */
static gboolean
is_first_kept (EarPodcastMerger *self, EarPodcast *first, EarPodcast *second)
{
  const guint n_first = ear_podcast_get_n_episodes (first);
  const guint n_second = ear_podcast_get_n_episodes (second);

  if (is_played (self, first) || is_played (self, second))
    return is_played (self, first);
  if (n_first != n_second)
    return n_first > n_second;

  return ear_podcast_get_id (first) < ear_podcast_get_id (second);
}

/* The marks follow in state_loaded_cb(), when the state file of the dropped podcast is read. */
static void
merge_podcasts (EarPodcastMerger *self, EarPodcast *dropped, EarPodcast *kept)
{
  const char *from = ear_podcast_get_address (dropped);
  const char *to = ear_podcast_get_address (kept);
  g_autofree char *message = NULL;

  ear_downloader_move_podcast (self->downloader, dropped, kept);
  move_settings (self, dropped, kept);
  ear_bookmarks_readdress (self->bookmarks, from, to);
  ear_lists_readdress (self->lists, from, to);
  ear_chapter_control_copy_skipped (self->chapter_control, from, to);
  ear_subscriptions_drop (self->subscriptions, dropped);
  g_hash_table_insert (self->merged, g_strdup (from), g_object_ref (kept));
  ear_userdata_store_load_podcast (self->state, from);

  /* Translators: %s is the title of a podcast that was followed at two addresses */
  message = g_strdup_printf (_("Merged two addresses of “%s”"), ear_podcast_get_name (kept));
  ear_notices_offer (self->notices, message, undo_merge, self, g_object_ref (dropped),
                     g_object_unref);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Merge *merge = user_data;
  g_autoptr (EarPodcastMerger) self = merge->merger;
  g_autoptr (EarPodcast) kept = merge->kept;
  g_autoptr (EarPodcast) dropped = merge->dropped;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (self->catalogue, result, NULL);
  guint n_same = 0;

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode (self->catalogue, g_array_index (ids, gint64, i));
      g_autoptr (EarEpisode) twin =
          episode != NULL ? ear_catalogue_dup_episode_by_guid (self->catalogue, kept,
                                                               ear_episode_get_guid (episode))
                          : NULL;

      n_same += twin != NULL;
    }
  if (n_same > 0 && n_same * 2 >= ids->len && is_known (kept) && is_known (dropped) &&
      !is_played (self, dropped))
    merge_podcasts (self, dropped, kept);
}

static gboolean
is_feed (const char *address, EarPodcast *podcast)
{
  g_autofree char *key = address != NULL ? ear_address_key (address) : NULL;

  return g_strcmp0 (key, ear_podcast_get_feed_key (podcast)) == 0;
}

/* Returns: whether an unfollowed podcast may be the same one. The feed may have moved while
 * nobody fetched it, so an equal title counts, too. */
static gboolean
may_be_predecessor (EarPodcastMerger *self, const EarSubscription *former, EarPodcast *podcast)
{
  EarPodcast *there = ear_catalogue_find_podcast (self->catalogue, former->address);

  /* The former podcast may be followed again. */
  if ((there != NULL && there != podcast) ||
      g_str_equal (former->address, ear_podcast_get_address (podcast)))
    return FALSE;

  return is_feed (former->feed_address, podcast) || is_feed (former->address, podcast) ||
         ear_feed_is_title_equal (former->title, ear_podcast_get_title (podcast));
}

/* Loads the listener's data of unfollowed podcasts that may be the same one. */
static void
load_predecessors (EarPodcastMerger *self, EarPodcast *podcast)
{
  GPtrArray *formers = ear_subscriptions_get_former (self->subscriptions);

  for (guint i = 0; i < formers->len; i++)
    {
      const EarSubscription *former = g_ptr_array_index (formers, i);

      if (may_be_predecessor (self, former, podcast))
        ear_userdata_store_load_podcast (self->state, former->address);
    }
}

/* A podcast that was previewed already has rows; another one is compared with former ones
 * once it was fetched. */
static void
followed_cb (EarPodcastMerger *self, EarPodcast *podcast)
{
  if (ear_podcast_get_n_episodes (podcast) > 0)
    load_predecessors (self, podcast);
  else
    g_hash_table_add (self->newcomers, g_object_ref (podcast));
}

static gboolean
is_same (EarPodcastMerger *self, EarPodcast *podcast, GHashTable *states)
{
  const guint enough = MIN ((g_hash_table_size (states) + 1) / 2, MIN_COMMON);
  guint n_found = 0;
  GHashTableIter iter;
  gpointer guid;

  g_hash_table_iter_init (&iter, states);
  for (guint i = 0;
       i < SEARCH_LIMIT && n_found < enough && g_hash_table_iter_next (&iter, &guid, NULL); i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, guid);

      n_found += episode != NULL;
    }

  return n_found >= enough;
}

/* Copies the listener's data of an unfollowed podcast to the same one at another address.
 * Newer data is kept.
 * @states: (element-type utf8 EarEpisodeState): the states of episodes by guid */
static void
state_loaded_cb (EarPodcastMerger *self, const char *address, GHashTable *states)
{
  const EarSubscription *former = ear_subscriptions_find_former (self->subscriptions, address);
  EarPodcast *podcast;

  if (former == NULL)
    return;
  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    {
      GHashTableIter iter;
      gpointer guid, state;

      if (g_hash_table_lookup (self->merged, former->address) != podcast &&
          !(may_be_predecessor (self, former, podcast) && is_same (self, podcast, states)))
        continue;
      g_hash_table_iter_init (&iter, states);
      while (g_hash_table_iter_next (&iter, &guid, &state))
        ear_userdata_store_adopt_episode (self->state, podcast, guid, NULL, NULL, state);
      ear_catalogue_apply_state (self->catalogue, ear_podcast_get_id (podcast), states);
    }
}

static void
refreshed_cb (EarPodcastMerger *self, EarPodcast *podcast)
{
  g_autoptr (EarEpisodeQuery) query = NULL;
  EarPodcast *other;
  Merge *merge;

  if (ear_podcast_get_n_episodes (podcast) > 0 && g_hash_table_remove (self->newcomers, podcast))
    load_predecessors (self, podcast);
  if (ear_podcast_get_error (podcast) != NULL || !is_known (podcast))
    return;
  other = find_same (self, podcast);
  if (other == NULL)
    return;
  merge = g_new0 (Merge, 1);
  merge->merger = g_object_ref (self);
  merge->kept = g_object_ref (is_first_kept (self, podcast, other) ? podcast : other);
  merge->dropped = g_object_ref (merge->kept == podcast ? other : podcast);
  query = ear_episode_query_new (ear_podcast_get_id (merge->dropped), EAR_FILTER_ALL,
                                 EAR_SORT_NEWEST, NULL);
  ear_catalogue_read_async (self->catalogue, ear_read_query (query, COMPARED), NULL, found_cb,
                            merge);
}

static void
ear_podcast_merger_release (EarPodcastMerger *self)
{
  g_clear_pointer (&self->newcomers, g_hash_table_unref);
  g_clear_pointer (&self->merged, g_hash_table_unref);
}

static void
ear_podcast_merger_class_init (EarPodcastMergerClass *klass)
{
  ear_class_set_release (klass, ear_podcast_merger_release);
}

static void
ear_podcast_merger_init (EarPodcastMerger *self)
{
  self->newcomers = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->merged = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

EarPodcastMerger *
ear_podcast_merger_new (const EarServices *services)
{
  EarPodcastMerger *self = ear_part_new (EAR_TYPE_PODCAST_MERGER, services);

  ear_connect (services->refresher, "refreshed", refreshed_cb, self);
  ear_connect (self->subscriptions, "followed", followed_cb, self);
  g_signal_connect_object (self->state, "podcast-changed", G_CALLBACK (state_loaded_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);

  return self;
}
