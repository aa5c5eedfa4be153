/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-merger.h"

#include <glib/gi18n-lib.h>

#include "ear-address.h"
#include "ear-feed-intake.h"

/* Number of newest episodes to compare; half of them must be the same. */
#define COMPARED 20

/* Merges podcasts that are followed at two addresses: the old one redirects to the new
 * one, or both feeds have the same guid. One is unfollowed, and the listener's data of it
 * is moved to the other. A merge that was undone is not repeated. */
struct _EarPodcastMerger
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarSubscriptions *subscriptions;
  EarDownloader *downloader;
  EarBookmarks *bookmarks;
  EarLists *lists;
  EarPlayer *player;
  EarNotices *notices;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (EarPodcastMerger, ear_podcast_merger, G_TYPE_OBJECT)

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
         ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_SEPARATE] == 0;
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
         ear_feed_is_title_equal (ear_podcast_get_title (podcast),
                                           ear_podcast_get_title (other));
}

/* Returns: (nullable): a podcast with the same address, or else with the same guid */
static EarPodcast *
find_same (EarPodcastMerger *self, EarPodcast *podcast)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);
  EarPodcast *found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) other = g_list_model_get_item (podcasts, i);

      if (other == podcast || !is_known (other))
        continue;
      /* The returned podcast is owned by the catalogue. */
      if (g_str_equal (ear_podcast_get_feed_key (other), ear_podcast_get_feed_key (podcast)))
        return other;
      if (found == NULL && has_guid (podcast, other))
        found = other;
    }

  return found;
}

/* Moves files to the kept podcast, and downloads the episodes for it that the dropped one
 * waits for. */
static void
move_downloads (EarPodcastMerger *self, EarPodcast *dropped, EarPodcast *kept)
{
  g_autoptr (GPtrArray) known = ear_downloader_list_known (self->downloader, dropped);

  for (guint i = 0; i < known->len; i++)
    {
      const EarKnownDownload *download = g_ptr_array_index (known, i);
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (
          self->catalogue, kept, ear_episode_get_guid (download->episode));

      if (episode != NULL &&
          !ear_downloader_hand_over (self->downloader, download->episode, episode) &&
          ear_episode_has_download (download->episode) && !download->automatic)
        ear_downloader_download (self->downloader, episode);
    }
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
  EarPodcast *dropped = ear_subscriptions_follow_again (
      self->subscriptions, ear_podcast_get_address (podcast), ear_podcast_get_title (podcast));

  if (dropped == NULL)
    return;
  ear_subscriptions_set_setting (self->subscriptions, dropped, EAR_PODCAST_SETTING_SEPARATE, TRUE);
  g_signal_emit_by_name (self->subscriptions, "returned", dropped);
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

/* The marks follow when the state file of the dropped podcast is read: EarSubscriptions
 * copies them, as it does for a podcast that is followed again at another address. */
static void
merge_podcasts (EarPodcastMerger *self, EarPodcast *dropped, EarPodcast *kept)
{
  const char *from = ear_podcast_get_address (dropped);
  const char *to = ear_podcast_get_address (kept);
  g_autofree char *message = NULL;

  move_downloads (self, dropped, kept);
  move_settings (self, dropped, kept);
  ear_bookmarks_readdress (self->bookmarks, from, to);
  ear_lists_readdress (self->lists, from, to);
  ear_subscriptions_drop (self->subscriptions, dropped);
  ear_subscriptions_adopt_state (self->subscriptions, kept, from);

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

static void
refreshed_cb (EarPodcastMerger *self, EarPodcast *podcast)
{
  g_autoptr (EarEpisodeQuery) query = NULL;
  EarPodcast *other;
  Merge *merge;

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
  ear_catalogue_read_async (self->catalogue, ear_read_query (query, COMPARED), self->cancellable,
                            found_cb, merge);
}

static void
ear_podcast_merger_dispose (GObject *object)
{
  EarPodcastMerger *self = EAR_PODCAST_MERGER (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->subscriptions);
  g_clear_object (&self->downloader);
  g_clear_object (&self->bookmarks);
  g_clear_object (&self->lists);
  g_clear_object (&self->player);
  g_clear_object (&self->notices);

  G_OBJECT_CLASS (ear_podcast_merger_parent_class)->dispose (object);
}

static void
ear_podcast_merger_class_init (EarPodcastMergerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_podcast_merger_dispose;
}

static void
ear_podcast_merger_init (EarPodcastMerger *self)
{
  self->cancellable = g_cancellable_new ();
}

EarPodcastMerger *
ear_podcast_merger_new (const EarServices *services)
{
  EarPodcastMerger *self = g_object_new (EAR_TYPE_PODCAST_MERGER, NULL);

  self->catalogue = g_object_ref (services->catalogue);
  self->subscriptions = g_object_ref (services->subscriptions);
  self->downloader = g_object_ref (services->downloader);
  self->bookmarks = g_object_ref (services->bookmarks);
  self->lists = g_object_ref (services->lists);
  self->player = g_object_ref (services->player);
  self->notices = g_object_ref (services->notices);
  g_signal_connect_object (services->refresher, "refreshed", G_CALLBACK (refreshed_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}
