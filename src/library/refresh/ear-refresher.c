/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-refresher.h"

#include "ear-feed-fetch.h"
#include "ear-library-enums.h"
#include "ear-list-store.h"
#include "ear-property.h"

/* Seconds between looks for due podcasts */
#define SCHEDULE_INTERVAL 15

/* Time without scheduled checks after the listener has stopped a refresh */
#define HOLD (30 * 60)

/* Minimum time between fetches of a feed for new media addresses, in seconds */
#define RENEWAL_INTERVAL 10

/* Maximum number of new episodes examined, half of them at each end: feeds have the newest
 * episode first or last. */
#define ARRIVED_LIMIT 200

/* Fetches feeds and stores them in the catalogue: when the listener asks, and when they are
 * due by the interval in the settings. Feeds are processed independently, so that none waits
 * for another. On a metered network or in power-saver mode, only new podcasts that were never
 * fetched are checked automatically, as the listener waits for those. */
struct _EarRefresher
{
  EAR_PART_MEMBERS;

  /* Owned */
  GPowerProfileMonitor *power;
  GHashTable *running;  /* (element-type EarPodcast Refresh) */
  GHashTable *accepted; /* (element-type EarPodcast): another podcast is accepted */
  GHashTable *renewed;  /* (element-type EarPodcast guint): monotonic seconds of renewals */
  guint timer_id;       /* set once the schedule has started */

  /* Borrowed */
  const gint64 *clock; /* (nullable): replaces the system clock */

  EarRefreshPause pause;
  gint64 held_until; /* Unix seconds */
  guint total;
  guint done;
};

G_DEFINE_FINAL_TYPE (EarRefresher, ear_refresher, EAR_TYPE_PART)

/* A running refresh */
typedef struct
{
  EarRefresher *refresher; /* owned */
  EarPodcast *podcast;     /* owned */
  GCancellable *cancellable; /* owned */
  GArray *arrived;           /* owned: row ids of new episodes */
  GError *error;             /* (nullable): owned; set after the fetch */
  gboolean counted; /* the listener waits for it */
  gboolean again; /* requested again after it was canceled */
  gboolean whole; /* fetch even an unchanged feed */
} Refresh;

static void
refresh_free (Refresh *refresh)
{
  g_clear_object (&refresh->refresher);
  g_clear_object (&refresh->podcast);
  g_clear_object (&refresh->cancellable);
  g_clear_pointer (&refresh->arrived, g_array_unref);
  g_clear_error (&refresh->error);
  g_free (refresh);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Refresh, refresh_free)

/* Returns: Unix seconds */
static gint64
get_time (EarRefresher *self)
{
  return self->clock != NULL ? *self->clock : g_get_real_time () / G_USEC_PER_SEC;
}

static void
set_progress (EarRefresher *self, guint done, guint total)
{
  ear_property_set_number (self, "done", done);
  ear_property_set_number (self, "total", total);
}

static void
count_start (EarRefresher *self, Refresh *refresh)
{
  refresh->counted = TRUE;
  set_progress (self, self->done, self->total + 1);
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  return ear_compare (ear_episode_get_facts ((EarEpisode *) b)->published,
                      ear_episode_get_facts ((EarEpisode *) a)->published);
}

/* Collects new episodes until the fetch ends. */
static void
arrived_cb (EarRefresher *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);
  Refresh *refresh = podcast != NULL ? g_hash_table_lookup (self->running, podcast) : NULL;

  if (refresh != NULL)
    g_array_append_vals (refresh->arrived, ids->data, ids->len);
}

/* Reports the new episodes of a podcast whose fetch has ended. */
static void
report_arrived (EarRefresher *self, Refresh *refresh)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  GArray *ids = refresh->arrived;
  guint n_episodes = ids->len;

  if (!ear_podcast_get_followed (refresh->podcast))
    return;

  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (EarEpisode) episode = NULL;

      if (i == ARRIVED_LIMIT / 2 && ids->len > ARRIVED_LIMIT)
        i = ids->len - ARRIVED_LIMIT / 2;
      episode = ear_catalogue_dup_episode (self->catalogue, g_array_index (ids, gint64, i));
      /* The listener may have played it on another machine. */
      if (episode != NULL && !ear_episode_get_listened (episode) &&
          ear_episode_get_position (episode) <= 0)
        g_ptr_array_add (episodes, g_steal_pointer (&episode));
      else
        n_episodes--;
    }
  if (episodes->len == 0)
    return;

  g_ptr_array_sort_values (episodes, compare_newest_first);
  g_signal_emit_by_name (self, "episodes-arrived", refresh->podcast, episodes, n_episodes);
}

static void fetch (Refresh *refresh);

static void
finish_refresh (Refresh *ended)
{
  g_autoptr (Refresh) refresh = ended;
  EarRefresher *self = refresh->refresher;

  if (refresh->again)
    {
      refresh->again = FALSE;
      g_clear_error (&refresh->error);
      g_clear_object (&refresh->cancellable);
      refresh->cancellable = g_cancellable_new ();
      fetch (g_steal_pointer (&refresh));
      return;
    }
  g_hash_table_remove (self->running, refresh->podcast);
  if (!g_error_matches (refresh->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_podcast_set_error (refresh->podcast, refresh->error);
  ear_podcast_set_refreshing (refresh->podcast, FALSE);
  if (refresh->counted && self->done + 1 == self->total)
    set_progress (self, 0, 0);
  else if (refresh->counted)
    set_progress (self, self->done + 1, self->total);
  if (g_hash_table_size (self->running) == 0)
    ear_notify (self, "refreshing");
  g_signal_emit_by_name (self, "refreshed", refresh->podcast, refresh->error);
  report_arrived (self, refresh);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ear_catalogue_write_finish (EAR_CATALOGUE (source), result, NULL);
  finish_refresh (user_data);
}

static void
store_outcome (Refresh *refresh, const EarFeedOutcome *outcome)
{
  EarRefresher *self = refresh->refresher;
  const char *address = ear_podcast_get_address (refresh->podcast);
  const gint64 now = get_time (self);
  EarFeedCheck *check = outcome->check;
  gboolean moved =
      check->feed_address != NULL &&
      g_strcmp0 (check->feed_address, ear_podcast_get_feed_address (refresh->podcast)) != 0;

  if (outcome->error == NULL)
    {
      g_hash_table_remove (self->accepted, refresh->podcast);
      ear_refresh_policy_note_success (check, now);
    }
  else
    ear_refresh_policy_note_failure (check, address,
                                     outcome->error->domain == EAR_ERROR ? outcome->error->code
                                                                         : EAR_ERROR_FAILED,
                                     outcome->retry_after, now);
  ear_catalogue_store_check (self->catalogue, ear_podcast_get_id (refresh->podcast), outcome->facts,
                             check);
  if (moved)
    g_signal_emit_by_name (self, "moved", refresh->podcast, check->feed_address);
}

/* A refresh ends when its rows are in the catalogue. One without changes must not cause a
 * write, however. */
static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Refresh) refresh = user_data;
  const EarFeedOutcome *outcome = ear_feed_fetch_finish (result);
  EarCatalogue *catalogue = refresh->refresher->catalogue;
  gboolean cancelled = g_error_matches (outcome->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* A refresh that is requested again was canceled because of a new address, so its
   * outcome does not count even if it was complete. */
  if (!cancelled && !refresh->again)
    store_outcome (refresh, outcome);
  refresh->error = outcome->error != NULL ? g_error_copy (outcome->error) : NULL;
  if (outcome->facts == NULL && !outcome->stored)
    finish_refresh (g_steal_pointer (&refresh));
  else
    ear_catalogue_flush_async (catalogue, NULL, stored_cb, g_steal_pointer (&refresh));
}

static void
fetch (Refresh *refresh)
{
  EarRefresher *self = refresh->refresher;

  ear_feed_fetch_async (&self->services, refresh->podcast, refresh->whole,
                        g_hash_table_contains (self->accepted, refresh->podcast),
                        refresh->cancellable, fetched_cb, refresh);
}

static void
start_refresh (EarRefresher *self, EarPodcast *podcast, gboolean counted, gboolean whole)
{
  Refresh *refresh = g_new0 (Refresh, 1);

  refresh->refresher = g_object_ref (self);
  refresh->podcast = g_object_ref (podcast);
  refresh->cancellable = g_cancellable_new ();
  refresh->arrived = ear_ids_new ();
  refresh->whole = whole;

  g_hash_table_insert (self->running, podcast, refresh);
  ear_podcast_set_refreshing (podcast, TRUE);
  if (g_hash_table_size (self->running) == 1)
    ear_notify (self, "refreshing");
  if (counted)
    count_start (self, refresh);
  fetch (refresh);
}

static gboolean
is_due (EarRefresher *self, EarPodcast *podcast, EarRefreshReason reason)
{
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (self->catalogue, podcast);
  const EarRefreshSubject subject = { check, ear_podcast_get_address (podcast),
                                      ear_podcast_get_facts (podcast)->complete };
  const gint64 minutes =
      ear_settings_get_for (self->settings, podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL);

  if (reason != EAR_REFRESH_ALL && self->pause != EAR_REFRESH_PAUSE_NONE && check->checked > 0)
    return FALSE;

  return ear_refresh_policy_is_due (&subject, reason, minutes * 60, get_time (self));
}

static gboolean
timer_cb (gpointer user_data)
{
  ear_refresher_refresh_all (user_data, EAR_REFRESH_SCHEDULED);

  return G_SOURCE_CONTINUE;
}

static void
network_changed_cb (EarRefresher *self, gboolean available)
{
  if (available && self->timer_id != 0)
    ear_refresher_refresh_all (self, EAR_REFRESH_ONLINE);
}

static void
conditions_changed_cb (EarRefresher *self)
{
  EarRefreshPause pause = EAR_REFRESH_PAUSE_NONE;

  if (g_power_profile_monitor_get_power_saver_enabled (self->power))
    pause = EAR_REFRESH_PAUSE_POWER;
  else if (!ear_settings_get_boolean (self->settings, "refresh-on-metered") &&
           g_network_monitor_get_network_metered (self->network))
    pause = EAR_REFRESH_PAUSE_METERED;
  ear_property_set_number (self, "pause", pause);
}

static void
ear_refresher_release (EarRefresher *self)
{
  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_pointer (&self->running, g_hash_table_unref);
  g_clear_pointer (&self->renewed, g_hash_table_unref);
  g_clear_pointer (&self->accepted, g_hash_table_unref);
  g_clear_object (&self->power);
}

static void
ear_refresher_class_init (EarRefresherClass *klass)
{
  const EarProperty properties[] = {
    /* Whether feeds are being fetched */
    { "refreshing", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_refresher_get_refreshing) },
    /* Number of fetches since none was running, including finished ones; 0 if none is.
     * Scheduled checks do not count, as nobody waits for them. */
    EAR_READABLE (EarRefresher, total, G_TYPE_UINT),
    /* Number of finished ones */
    EAR_READABLE (EarRefresher, done, G_TYPE_UINT),
    /* Why there are no scheduled checks at the moment */
    EAR_READABLE (EarRefresher, pause, EAR_TYPE_REFRESH_PAUSE),
  };

  ear_class_set_release (klass, ear_refresher_release);
  ear_class_add_properties (klass, properties);

  ear_signal_new (klass, "refreshed", 2, EAR_TYPE_PODCAST, G_TYPE_ERROR);
  ear_signal_new (klass, "episodes-arrived", 3, EAR_TYPE_PODCAST, G_TYPE_PTR_ARRAY, G_TYPE_UINT);
  ear_signal_new (klass, "moved", 2, EAR_TYPE_PODCAST, G_TYPE_STRING);
}

static void
ear_refresher_init (EarRefresher *self)
{
  self->running = g_hash_table_new (NULL, NULL);
  self->renewed = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->accepted = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

/* @power: reports power-saver mode */
EarRefresher *
ear_refresher_new (const EarServices *services, GPowerProfileMonitor *power)
{
  EarRefresher *self = ear_part_new (EAR_TYPE_REFRESHER, services);

  self->power = g_object_ref (power);
  ear_connect (self->catalogue, "episodes-arrived", arrived_cb, self);
  ear_connect (self->network, "network-changed", network_changed_cb, self);
  ear_connect (self->network, "notify::network-metered", conditions_changed_cb, self);
  ear_connect (self->settings, "notify::refresh-on-metered", conditions_changed_cb, self);
  ear_connect (power, "notify::power-saver-enabled", conditions_changed_cb, self);
  conditions_changed_cb (self);

  return self;
}

/* @clock: Unix seconds, in place of the system clock; outlives @self */
void
ear_refresher_set_clock (EarRefresher *self, const gint64 *clock)
{
  self->clock = clock;
}

/* Starts to fetch the feed of a podcast, unless it is being fetched; a canceled refresh
 * starts again. [property@EarPodcast:refreshing] and [property@EarPodcast:error] show the
 * result.
 * @podcast: the podcast to check for new episodes */
void
ear_refresher_refresh (EarRefresher *self, EarPodcast *podcast, EarRefreshReason reason)
{
  const gboolean counted = reason >= EAR_REFRESH_START;
  Refresh *running = g_hash_table_lookup (self->running, podcast);

  if (running == NULL)
    {
      start_refresh (self, podcast, counted, FALSE);
      return;
    }
  /* A canceled refresh starts again after it has ended. */
  running->again = g_cancellable_is_cancelled (running->cancellable);
  if (counted && !running->counted)
    count_start (self, running);
}

/* Fetches the feed, and accepts the other podcast as its new content.
 * @podcast: a podcast at whose address there is another podcast */
void
ear_refresher_accept (EarRefresher *self, EarPodcast *podcast)
{
  g_hash_table_add (self->accepted, g_object_ref (podcast));
  ear_refresher_refresh (self, podcast, EAR_REFRESH_ONE);
}

/* Starts to fetch the feeds of all podcasts that are due for that reason. */
void
ear_refresher_refresh_all (EarRefresher *self, EarRefreshReason reason)
{
  const gint64 now = get_time (self);
  EarPodcast *podcast;

  /* A clock that was set back does not prolong the pause. */
  if (reason != EAR_REFRESH_ALL && now < self->held_until && self->held_until <= now + HOLD)
    return;
  for (guint i = 0; (podcast = ear_list_peek (self->podcasts, i)) != NULL; i++)
    if (is_due (self, podcast, reason))
      ear_refresher_refresh (self, podcast, reason);
}

/* Starts scheduled checks.
 * @check_now: whether to check all due podcasts at once, as the listener is present */
void
ear_refresher_start (EarRefresher *self, gboolean check_now)
{
  if (check_now)
    ear_refresher_refresh_all (self, EAR_REFRESH_START);
  if (self->timer_id == 0)
    self->timer_id = g_timeout_add_seconds (SCHEDULE_INTERVAL, timer_cb, self);
}

/* Stops all running checks. Stored episodes are kept; the next scheduled check is half an
 * hour later. */
void
ear_refresher_stop (EarRefresher *self)
{
  self->held_until = get_time (self) + HOLD;
  ear_refresher_cancel (self, NULL);
}

/* A request for the current media address of an episode */
typedef struct
{
  EarEpisode *episode; /* owned */
  char *refused;       /* owned */
  gboolean again;      /* the fetch it waits for had begun before, for another reason */
} Renewal;

static void
renewal_free (gpointer data)
{
  Renewal *renewal = data;

  g_object_unref (renewal->episode);
  g_free (renewal->refused);
  g_free (renewal);
}

/* Returns: (transfer full) (nullable): the address in the catalogue, unless it is the
 * refused one */
static char *
find_other_address (EarRefresher *self, const Renewal *renewal)
{
  g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (
      self->catalogue, ear_episode_get_podcast (renewal->episode),
      ear_episode_get_guid (renewal->episode));
  const char *address = ear_episode_get_address (episode != NULL ? episode : renewal->episode,
                                                 EAR_ADDRESS_MEDIA);

  return g_strcmp0 (address, renewal->refused) != 0 ? g_strdup (address) : NULL;
}

static guint
get_monotonic_seconds (void)
{
  return g_get_monotonic_time () / G_USEC_PER_SEC;
}

/* Starts to fetch a feed for new media addresses, unless it is being fetched, was fetched a
 * moment ago, as many episodes of a podcast may be refused together, or its server has asked
 * to wait.
 * Returns: whether it is being fetched */
static gboolean
fetch_for_addresses (EarRefresher *self, EarPodcast *podcast)
{
  const guint now = get_monotonic_seconds ();
  gpointer before;

  if (g_hash_table_contains (self->running, podcast))
    return TRUE;
  if ((g_hash_table_lookup_extended (self->renewed, podcast, NULL, &before) &&
       now - GPOINTER_TO_UINT (before) < RENEWAL_INTERVAL) ||
      !is_due (self, podcast, EAR_REFRESH_ALL))
    return FALSE;
  g_hash_table_insert (self->renewed, g_object_ref (podcast), GUINT_TO_POINTER (now));
  start_refresh (self, podcast, FALSE, TRUE);

  return TRUE;
}

/* The feed was fetched, for this request or another reason. In the latter case the server may
 * have said that it has not changed, so it is fetched once more. */
static void
renewed_cb (EarRefresher *self, EarPodcast *podcast, const GError *error, GTask *task)
{
  Renewal *renewal = g_task_get_task_data (task);
  const gboolean again =
      renewal->again && !g_cancellable_is_cancelled (g_task_get_cancellable (task));
  char *address;

  if (ear_episode_get_podcast (renewal->episode) != podcast)
    return;
  renewal->again = FALSE;
  address = find_other_address (self, renewal);
  if (address == NULL && again && fetch_for_addresses (self, podcast))
    return;
  g_signal_handlers_disconnect_by_func (self, renewed_cb, task);
  g_task_return_pointer (task, address, g_free);
  g_object_unref (task);
}

/* Looks for a new media address of an episode, as signed ones expire. The feed is fetched
 * even if it has not changed, but at most every ten seconds. Main thread only.
 * @episode: an episode whose media was refused
 * @refused: the address that was refused */
void
ear_refresher_renew_address_async (EarRefresher *self, EarEpisode *episode, const char *refused,
                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  Renewal *renewal = g_new0 (Renewal, 1);
  char *address;

  g_task_set_source_tag (task, ear_refresher_renew_address_async);
  renewal->episode = g_object_ref (episode);
  renewal->refused = g_strdup (refused);
  renewal->again = g_hash_table_contains (self->running, podcast);
  g_task_set_task_data (task, renewal, renewal_free);
  address = find_other_address (self, renewal);
  if (address == NULL && fetch_for_addresses (self, podcast))
    {
      g_signal_connect_object (self, "refreshed", G_CALLBACK (renewed_cb), task,
                               G_CONNECT_DEFAULT);
      return;
    }
  g_task_return_pointer (task, address, g_free);
  g_object_unref (task);
}

/* Returns: (transfer full) (nullable): the new address of the media; %NULL if the feed
 *   has no other one, could not be fetched, or the wait was canceled */
char *
ear_refresher_renew_address_finish (EarRefresher *self, GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* Cancels running refreshes. Requests for media addresses do not start them again.
 * @podcast: (nullable): an unfollowed podcast, or %NULL for all */
void
ear_refresher_cancel (EarRefresher *self, EarPodcast *podcast)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      Refresh *refresh = value;

      if (podcast != NULL && podcast != key)
        continue;
      g_hash_table_insert (self->renewed, g_object_ref (key),
                           GUINT_TO_POINTER (get_monotonic_seconds ()));
      refresh->again = FALSE;
      g_cancellable_cancel (refresh->cancellable);
    }
}

gboolean
ear_refresher_get_refreshing (EarRefresher *self)
{
  return g_hash_table_size (self->running) > 0;
}
