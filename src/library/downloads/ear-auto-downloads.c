/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-auto-downloads.h"

#include "ear-download-rules.h"

/* Collects changes that follow one another, such as the batches of a feed, into one
 * check. */
#define REST_MS 250

/* Number of newest episodes searched for wanted ones, as some may have been removed */
#define MOST_LOOKED_AT (4 * EAR_DOWNLOAD_NEWEST_LIMIT)

/* Keeps the newest unplayed episodes of each podcast downloaded, as many as its settings
 * say; of a series, the next ones. Older automatic downloads are removed to make room for
 * newer episodes; downloads that the listener asked for stay. */
struct _EarAutoDownloads
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarDownloader *downloader;
  EarPlayer *player;
  EarLists *lists;
  EarSettings *settings;
  GHashTable *due;  /* (element-type EarPodcast): podcasts to check */
  GHashTable *seen; /* (element-type EarPodcast): podcasts whose settings are watched */
  GCancellable *cancellable;
  guint source;
};

G_DEFINE_FINAL_TYPE (EarAutoDownloads, ear_auto_downloads, G_TYPE_OBJECT)

static guint
count_wanted (EarAutoDownloads *self, EarPodcast *podcast)
{
  guint inherited;

  g_object_get (self->settings, "download-newest", &inherited, NULL);

  return ear_download_rules_count_newest (podcast, inherited);
}

/* Never removes the episode in the player, even if only seconds of it were played. */
static void
choose (EarAutoDownloads *self, EarPodcast *podcast, GPtrArray *wanted)
{
  g_autoptr (GPtrArray) known = ear_downloader_list_known (self->downloader, podcast);
  g_autoptr (GPtrArray) get = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) drop = g_ptr_array_new_with_free_func (g_object_unref);

  ear_download_rules_choose (self->lists, wanted, known, get, drop);
  g_ptr_array_remove (drop, ear_player_get_episode (self->player));
  if (drop->len > 0)
    ear_downloader_make_room (self->downloader, drop);
  for (guint i = 0; i < get->len; i++)
    ear_downloader_download_unasked (self->downloader, g_ptr_array_index (get, i));
}

/* Cancels the unfinished automatic downloads of a podcast that no longer wants any;
 * finished ones stay. */
static void
cancel_unfinished (EarAutoDownloads *self, EarPodcast *podcast)
{
  g_autoptr (GPtrArray) known = ear_downloader_list_known (self->downloader, podcast);
  g_autoptr (GPtrArray) drop = g_ptr_array_new ();

  for (guint i = 0; i < known->len; i++)
    {
      const EarKnownDownload *download = g_ptr_array_index (known, i);

      if (download->automatic && ear_episode_get_download (download->episode) != EAR_DOWNLOAD_DONE)
        g_ptr_array_add (drop, download->episode);
    }
  if (drop->len > 0)
    ear_downloader_make_room (self->downloader, drop);
}

typedef struct
{
  EarAutoDownloads *self;
  EarPodcast *podcast;
  gint64 next; /* row id of the next episode of a series, or 0 */
} Check;

static void
check_free (Check *look)
{
  g_object_unref (look->self);
  g_object_unref (look->podcast);
  g_free (look);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Check, check_free)

/* Returns: the index of the first wanted episode */
static guint
find_start (GArray *ids, gint64 next)
{
  for (guint i = 0; next != 0 && i < ids->len; i++)
    if (g_array_index (ids, gint64, i) == next)
      return i;

  return 0;
}

/* Removed episodes are not wanted, nor trailers and bonus episodes of a series. */
static gboolean
is_wanted (EarEpisode *episode)
{
  return !ear_episode_get_removed (episode) &&
         (!ear_podcast_get_series (ear_episode_get_podcast (episode)) ||
          ear_episode_get_facts (episode)->type == EAR_EPISODE_FULL);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Check) look = user_data;
  EarAutoDownloads *self = look->self;
  g_autoptr (GArray) ids = ear_catalogue_query_finish (EAR_CATALOGUE (source), result, NULL);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func (g_object_unref);

  if (ids == NULL || self->due == NULL || !ear_podcast_get_followed (look->podcast))
    return;

  for (guint i = find_start (ids, look->next);
       i < ids->len && wanted->len < count_wanted (self, look->podcast); i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode (self->catalogue, g_array_index (ids, gint64, i));

      if (episode != NULL && is_wanted (episode))
        g_ptr_array_add (wanted, g_steal_pointer (&episode));
    }
  choose (self, look->podcast, wanted);
}

/* Takes ownership of @look. The next episodes of a series may be anywhere in it, so the
 * query asks for the row ids of all. */
static void
ask (Check *look)
{
  EarAutoDownloads *self = look->self;
  const gboolean series = ear_podcast_get_series (look->podcast);
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (ear_podcast_get_id (look->podcast), EAR_FILTER_UNPLAYED,
                             series ? EAR_SORT_OLDEST : EAR_SORT_NEWEST, NULL);

  ear_catalogue_query_async (self->catalogue, query, series ? 0 : MOST_LOOKED_AT, self->cancellable,
                             found_cb, look);
}

static void
series_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Check) look = user_data;
  g_autofree EarSeriesProgress *progress =
      ear_catalogue_read_series_finish (EAR_CATALOGUE (source), result, NULL);

  if (progress == NULL || look->self->due == NULL)
    return;

  look->next = progress->next;
  ask (g_steal_pointer (&look));
}

static void
check_podcast (EarAutoDownloads *self, EarPodcast *podcast)
{
  Check *look;

  if (!ear_podcast_get_followed (podcast))
    return;
  if (count_wanted (self, podcast) == 0)
    {
      cancel_unfinished (self, podcast);
      return;
    }

  look = g_new0 (Check, 1);
  look->self = g_object_ref (self);
  look->podcast = g_object_ref (podcast);
  if (ear_podcast_get_series (podcast))
    ear_catalogue_read_series_async (self->catalogue, podcast, self->cancellable, series_read_cb,
                                     look);
  else
    ask (look);
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

static void
follow_podcasts (EarAutoDownloads *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (g_hash_table_contains (self->seen, podcast))
        continue;
      g_hash_table_add (self->seen, g_object_ref (podcast));
      g_signal_connect_object (podcast, "notify", G_CALLBACK (podcast_changed_cb), self,
                               G_CONNECT_SWAPPED);
    }
}

static void
check_all (EarAutoDownloads *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (count_wanted (self, podcast) > 0)
        check_later (self, podcast);
    }
}

/* Only podcasts without a number of their own follow the default. */
static void
default_changed_cb (EarAutoDownloads *self)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (self->catalogue);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_DOWNLOAD_NEWEST] ==
          EAR_DOWNLOAD_NEWEST_INHERIT)
        check_later (self, podcast);
    }
}

/* Episodes were added, or the listener has changed the state of some. */
static void
episodes_changed_cb (EarAutoDownloads *self, gint64 podcast_id)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);

  if (podcast != NULL && count_wanted (self, podcast) > 0)
    check_later (self, podcast);
}

static void
ear_auto_downloads_dispose (GObject *object)
{
  EarAutoDownloads *self = EAR_AUTO_DOWNLOADS (object);

  ear_auto_downloads_stop (self);
  g_clear_pointer (&self->seen, g_hash_table_unref);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->downloader);
  g_clear_object (&self->player);
  g_clear_object (&self->lists);
  g_clear_object (&self->settings);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (ear_auto_downloads_parent_class)->dispose (object);
}

static void
ear_auto_downloads_class_init (EarAutoDownloadsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_auto_downloads_dispose;
}

static void
ear_auto_downloads_init (EarAutoDownloads *self)
{
  self->due = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->seen = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->cancellable = g_cancellable_new ();
}

EarAutoDownloads *
ear_auto_downloads_new (const EarServices *services)
{
  EarAutoDownloads *self = g_object_new (EAR_TYPE_AUTO_DOWNLOADS, NULL);

  self->catalogue = g_object_ref (services->catalogue);
  self->downloader = g_object_ref (services->downloader);
  self->player = g_object_ref (services->player);
  self->lists = g_object_ref (services->lists);
  self->settings = g_object_ref (services->settings);
  g_signal_connect_object (self->settings, "notify::download-newest",
                           G_CALLBACK (default_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->downloader, "loaded", G_CALLBACK (check_all), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "episodes-inserted", G_CALLBACK (episodes_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->catalogue, "episodes-changed", G_CALLBACK (episodes_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_catalogue_get_podcasts (self->catalogue), "items-changed",
                           G_CALLBACK (follow_podcasts), self, G_CONNECT_SWAPPED);
  follow_podcasts (self);

  return self;
}

/* Starts no further downloads. */
void
ear_auto_downloads_stop (EarAutoDownloads *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->due, g_hash_table_unref);
}
