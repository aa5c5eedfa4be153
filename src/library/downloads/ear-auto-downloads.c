/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-auto-downloads.h"

#include "ear-download-rules.h"
#include "ear-list-store.h"
#include "ear-property.h"

/* Collects changes that follow one another, such as the batches of a feed, into one
 * check. */
#define REST_MS 250

/* Number of newest episodes searched for wanted ones, as some may have been removed */
#define MOST_LOOKED_AT (4 * EAR_DOWNLOAD_NEWEST_LIMIT)

/* The first removal of old downloads waits for startup to finish, and for further changes
 * of the setting. */
#define FIRST_REMOVAL_SECONDS 30

#define REMOVAL_SECONDS (60 * 60)

/* Keeps the newest unplayed episodes of each podcast downloaded, as many as its settings
 * say; of a series, the next ones. Older automatic downloads are removed to make room for
 * newer episodes; downloads that the listener asked for stay.
 * Removes all downloads after the number of days in the settings, except those of episodes
 * that the listener has liked, queued or put into a list. */
struct _EarAutoDownloads
{
  EAR_PART_MEMBERS;

  /* Owned */
  GHashTable *due; /* (nullable) (element-type EarPodcast): podcasts to check */
  GCancellable *cancellable;
  guint source;
  guint removal_source;
};

G_DEFINE_FINAL_TYPE (EarAutoDownloads, ear_auto_downloads, EAR_TYPE_PART)

static gboolean
keep (EarEpisode *episode, gpointer user_data)
{
  EarAutoDownloads *self = user_data;

  return ear_download_rules_keep (self->lists, episode) ||
         ear_player_get_episode (self->player) == episode;
}

/* Started episodes stay: without their file they could not be played offline. The episode in the
 * player stays, too, even after a few seconds of playback. Played episodes follow the setting
 * "remove-played". */
static gboolean
stays (EarEpisode *episode, gpointer user_data)
{
  return ear_episode_get_listened (episode) ||
         (ear_episode_get_position (episode) > 0 && !ear_episode_get_removed (episode)) ||
         keep (episode, user_data);
}

static gboolean
is_finished (EarEpisode *episode, gpointer user_data)
{
  return ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;
}

/* Returns: the number of newest episodes of the podcast to download */
static guint
count_wanted (EarAutoDownloads *self, EarPodcast *podcast)
{
  return ear_settings_get_for (self->settings, podcast, EAR_PODCAST_SETTING_DOWNLOAD_NEWEST);
}

typedef struct
{
  EarAutoDownloads *self;
  EarPodcast *podcast;
  gint64 next; /* row id of the next episode of a series, or 0 */
} Check;

static void
check_free (Check *check)
{
  g_object_unref (check->self);
  g_object_unref (check->podcast);
  g_free (check);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Check, check_free)

/* Removed episodes are not wanted, nor trailers and bonus episodes of a series. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Check) check = user_data;
  EarAutoDownloads *self = check->self;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func (g_object_unref);
  const gboolean series = ear_podcast_get_series (check->podcast);
  guint start = 0;
  guint n_wanted;

  if (ids == NULL || self->due == NULL || !ear_podcast_get_followed (check->podcast))
    return;

  n_wanted = count_wanted (self, check->podcast);
  for (guint i = 0; i < ids->len && start == 0; i++)
    if (g_array_index (ids, gint64, i) == check->next)
      start = i;
  for (guint i = start; i < ids->len && wanted->len < n_wanted; i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode (self->catalogue, g_array_index (ids, gint64, i));

      if (episode != NULL && !ear_episode_get_removed (episode) &&
          (!series || ear_episode_get_facts (episode)->type == EAR_EPISODE_FULL))
        g_ptr_array_add (wanted, g_steal_pointer (&episode));
    }
  ear_downloader_set_wanted (self->downloader, check->podcast, wanted, stays, self);
}

/* Takes ownership of @check. The next episodes of a series may be anywhere in it, so the
 * query asks for the row ids of all. */
static void
ask (Check *check)
{
  EarAutoDownloads *self = check->self;
  const gboolean series = ear_podcast_get_series (check->podcast);
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (ear_podcast_get_id (check->podcast), EAR_FILTER_UNPLAYED,
                             series ? EAR_SORT_OLDEST : EAR_SORT_NEWEST, NULL);

  ear_catalogue_read_async (self->catalogue, ear_read_query (query, series ? 0 : MOST_LOOKED_AT),
                            self->cancellable, found_cb, check);
}

static void
series_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Check) check = user_data;
  g_autofree EarSeriesProgress *progress =
      ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);

  if (progress == NULL || check->self->due == NULL)
    return;

  check->next = progress->next;
  ask (g_steal_pointer (&check));
}

static void
check_podcast (EarAutoDownloads *self, EarPodcast *podcast)
{
  Check *check;

  if (!ear_podcast_get_followed (podcast))
    return;
  if (count_wanted (self, podcast) == 0)
    {
      /* Unfinished automatic downloads are canceled. */
      g_autoptr (GPtrArray) none = g_ptr_array_new ();

      ear_downloader_set_wanted (self->downloader, podcast, none, is_finished, NULL);
      return;
    }

  check = g_new0 (Check, 1);
  check->self = g_object_ref (self);
  check->podcast = g_object_ref (podcast);
  if (ear_podcast_get_series (podcast))
    ear_catalogue_read_async (self->catalogue, ear_read_series (podcast), self->cancellable,
                              series_read_cb, check);
  else
    ask (check);
}

static void
rested_cb (gpointer user_data)
{
  EarAutoDownloads *self = user_data;
  g_autoptr (GPtrArray) due = g_hash_table_steal_all_keys (self->due);

  self->source = 0;
  for (guint i = 0; i < due->len; i++)
    check_podcast (self, g_ptr_array_index (due, i));
}

static void
check_later (EarAutoDownloads *self, EarPodcast *podcast)
{
  if (self->due == NULL || !ear_downloader_get_loaded (self->downloader))
    return;
  g_hash_table_add (self->due, g_object_ref (podcast));
  if (self->source == 0)
    self->source = g_timeout_add_once (REST_MS, rested_cb, self);
}

static void
podcast_changed_cb (EarAutoDownloads *self, GParamSpec *pspec, EarPodcast *podcast)
{
  static const char *const wanted[] = { "download-newest", "series", "followed", NULL };

  if (g_strv_contains (wanted, pspec->name))
    check_later (self, podcast);
}

/* A podcast that was only moved in the list is watched already. */
static void
podcasts_changed_cb (EarAutoDownloads *self, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      EarPodcast *podcast = ear_list_peek (self->podcasts, i);

      g_signal_handlers_disconnect_by_func (podcast, podcast_changed_cb, self);
      ear_connect (podcast, "notify", podcast_changed_cb, self);
    }
}

/* The records are loaded, or the default has changed. */
static void
check_all (EarAutoDownloads *self)
{
  EarPodcast *podcast;

  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    check_later (self, podcast);
}

/* Episodes were added, or the listener has changed the state of some. */
static void
episodes_changed_cb (EarAutoDownloads *self, gint64 podcast_id)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL && count_wanted (self, podcast) > 0)
    check_later (self, podcast);
}

void
ear_auto_downloads_remove_old (EarAutoDownloads *self)
{
  ear_downloader_remove_old (self->downloader,
                             ear_settings_get_uint (self->settings, "remove-after"), keep, self);
}

static void
remove_old_cb (gpointer user_data)
{
  EarAutoDownloads *self = user_data;

  self->removal_source = g_timeout_add_seconds_once (REMOVAL_SECONDS, remove_old_cb, self);
  ear_auto_downloads_remove_old (self);
}

static void
days_changed_cb (EarAutoDownloads *self)
{
  g_clear_handle_id (&self->removal_source, g_source_remove);
  if (!g_cancellable_is_cancelled (self->cancellable))
    self->removal_source = g_timeout_add_seconds_once (FIRST_REMOVAL_SECONDS, remove_old_cb, self);
}

static void
ear_auto_downloads_release (EarAutoDownloads *self)
{
  ear_auto_downloads_stop (self);
  g_clear_object (&self->cancellable);
}

static void
ear_auto_downloads_class_init (EarAutoDownloadsClass *klass)
{
  ear_class_set_release (klass, ear_auto_downloads_release);
}

static void
ear_auto_downloads_init (EarAutoDownloads *self)
{
  self->due = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->cancellable = g_cancellable_new ();
}

EarAutoDownloads *
ear_auto_downloads_new (const EarServices *services)
{
  EarAutoDownloads *self = ear_part_new (EAR_TYPE_AUTO_DOWNLOADS, services);

  ear_connect (self->settings, "notify::download-newest", check_all, self);
  ear_connect (self->settings, "notify::remove-after", days_changed_cb, self);
  ear_connect (self->downloader, "loaded", check_all, self);
  ear_connect (self->catalogue, "episodes-changed", episodes_changed_cb, self);
  ear_connect (self->podcasts, "items-changed", podcasts_changed_cb, self);
  podcasts_changed_cb (self, 0, 0, g_list_model_get_n_items (self->podcasts));
  days_changed_cb (self);

  return self;
}

/* Starts and removes no further downloads. */
void
ear_auto_downloads_stop (EarAutoDownloads *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->removal_source, g_source_remove);
  g_clear_pointer (&self->due, g_hash_table_unref);
}
