/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-refresher.h"

#include "ear-address.h"
#include "ear-feed-fetch.h"
#include "ear-property.h"

/* Seconds without progress until the slow servers are named */
#define WAITING_AFTER 3

/* Minimum time between fetches of a feed for new media addresses, in microseconds */
#define RENEWAL_INTERVAL (10 * G_TIME_SPAN_SECOND)

/* Maximum number of new episodes examined, half of them at each end: feeds have the newest
 * episode first or last. */
#define ARRIVED_LIMIT 200

/* Fetches feeds and stores them in the catalogue. Feeds are processed independently, so
 * that none waits for another. */
struct _EarRefresher
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarHttp *http;
  EarKeyring *keyring;
  GHashTable *running; /* (element-type EarPodcast Refresh) */
  GHashTable *accepted; /* (element-type EarPodcast): another podcast is accepted */
  GHashTable *round;   /* (element-type EarPodcast): counted since the last idle time */
  GHashTable *arrived; /* (element-type EarPodcast GArray): row ids of new episodes */
  GHashTable *renewed; /* (element-type EarPodcast gint64): fetched for media addresses */
  GPtrArray *renewals; /* (element-type GTask): wait for a refresh */
  guint waiting_id;
  GStrv waiting; /* (nullable) */

  /* Borrowed */
  EarClockFunc clock;
  gpointer clock_data;

  guint n_counted; /* running ones that the listener waits for */
  guint done;      /* of @round */
};

G_DEFINE_FINAL_TYPE (EarRefresher, ear_refresher, G_TYPE_OBJECT)

/* A running refresh */
typedef struct
{
  EarRefresher *refresher; /* owned */
  EarPodcast *podcast;     /* owned */
  GCancellable *cancellable; /* owned */
  GError *error;             /* (nullable): owned; set after the fetch */
  gboolean counted;
  gboolean first; /* first of its podcast in @round */
  gboolean again; /* requested again after it was canceled */
  gboolean whole; /* fetch even an unchanged feed */
} Refresh;

static void
refresh_free (Refresh *refresh)
{
  g_clear_object (&refresh->refresher);
  g_clear_object (&refresh->podcast);
  g_clear_object (&refresh->cancellable);
  g_clear_error (&refresh->error);
  g_free (refresh);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Refresh, refresh_free)

static gint64
read_clock (gpointer user_data)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

static GStrv
dup_servers (EarRefresher *self)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char **names = NULL;
  GHashTableIter iter;
  gpointer podcast, value;

  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, &podcast, &value))
    {
      const Refresh *refresh = value;
      char *host =
          refresh->counted ? ear_address_dup_host (ear_podcast_get_feed_address (podcast)) : NULL;

      if (host != NULL)
        g_hash_table_add (hosts, host);
    }
  names = (char **) g_hash_table_get_keys_as_array (hosts, NULL);

  return *names != NULL ? g_strdupv (names) : NULL;
}

static void
waiting_cb (gpointer user_data)
{
  EarRefresher *self = user_data;

  self->waiting_id = 0;
  self->waiting = dup_servers (self);
  g_object_notify (G_OBJECT (self), "waiting");
}

/* Restarts the time after which slow servers are named. */
static void
wait_anew (EarRefresher *self)
{
  g_clear_handle_id (&self->waiting_id, g_source_remove);
  if (self->n_counted > 0)
    self->waiting_id = g_timeout_add_seconds_once (WAITING_AFTER, waiting_cb, self);
  if (self->waiting == NULL)
    return;

  g_clear_pointer (&self->waiting, g_strfreev);
  g_object_notify (G_OBJECT (self), "waiting");
}

static void
update_progress (EarRefresher *self)
{
  wait_anew (self);
  g_object_notify (G_OBJECT (self), "total");
  g_object_notify (G_OBJECT (self), "done");
}

/* Counts a podcast once, even if it is fetched again before the others are done. */
static void
count_start (EarRefresher *self, Refresh *refresh)
{
  refresh->counted = TRUE;
  refresh->first = g_hash_table_add (self->round, g_object_ref (refresh->podcast));
  self->n_counted++;
  update_progress (self);
}

static void
count_end (EarRefresher *self, Refresh *refresh)
{
  self->n_counted--;
  if (refresh->first)
    self->done++;
  if (self->n_counted == 0)
    {
      g_hash_table_remove_all (self->round);
      self->done = 0;
    }
  update_progress (self);
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  const gint64 first = ear_episode_get_facts ((EarEpisode *) a)->published;
  const gint64 second = ear_episode_get_facts ((EarEpisode *) b)->published;

  return (first < second) - (first > second);
}

/* Collects new episodes until the fetch ends. */
static void
arrived_cb (EarRefresher *self, gint64 podcast_id, GArray *ids)
{
  EarPodcast *podcast = ear_catalogue_get_podcast (self->catalogue, podcast_id);
  GArray *known;

  if (podcast == NULL)
    return;
  known = g_hash_table_lookup (self->arrived, podcast);
  if (known == NULL)
    {
      known = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (self->arrived, g_object_ref (podcast), known);
    }
  g_array_append_vals (known, ids->data, ids->len);
}

/* Reports the new episodes of a podcast whose fetch has ended. */
static void
report_arrived (EarRefresher *self, EarPodcast *podcast)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) ids = NULL;
  g_autoptr (EarPodcast) owner = NULL;
  guint n_episodes;

  if (!g_hash_table_steal_extended (self->arrived, podcast, (gpointer *) &owner,
                                    (gpointer *) &ids) ||
      !ear_podcast_get_followed (podcast))
    return;

  n_episodes = ids->len;
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
  g_signal_emit_by_name (self, "episodes-arrived", podcast, episodes, n_episodes);
}

static void fetch (Refresh *refresh);
static void continue_renewals (EarRefresher *self, EarPodcast *podcast);

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
  if (refresh->counted)
    count_end (self, refresh);
  if (g_hash_table_size (self->running) == 0)
    g_object_notify (G_OBJECT (self), "refreshing");
  g_signal_emit_by_name (self, "refreshed", refresh->podcast);
  if (self->arrived == NULL)
    return;
  report_arrived (self, refresh->podcast);
  continue_renewals (self, refresh->podcast);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  finish_refresh (user_data);
}

static void
store_outcome (Refresh *refresh, EarFeedOutcome *outcome)
{
  EarRefresher *self = refresh->refresher;
  const char *address = ear_podcast_get_address (refresh->podcast);
  const gint64 now = ear_refresher_get_time (self);
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
  g_autoptr (EarFeedOutcome) outcome = ear_feed_fetch_finish (result);
  EarCatalogue *catalogue = refresh->refresher->catalogue;
  gboolean cancelled = g_error_matches (outcome->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* A refresh that is requested again was canceled because of a new address, so its
   * outcome does not count even if it was complete. */
  if (!cancelled && !refresh->again)
    store_outcome (refresh, outcome);
  refresh->error = g_steal_pointer (&outcome->error);
  if (outcome->facts == NULL && !outcome->stored)
    finish_refresh (g_steal_pointer (&refresh));
  else
    ear_catalogue_flush_async (catalogue, NULL, stored_cb, g_steal_pointer (&refresh));
}

static void
fetch (Refresh *refresh)
{
  EarRefresher *self = refresh->refresher;

  ear_feed_fetch_async (self->catalogue, self->http, self->keyring, refresh->podcast,
                        refresh->whole, g_hash_table_contains (self->accepted, refresh->podcast),
                        refresh->cancellable, fetched_cb, refresh);
}

static void
start_refresh (EarRefresher *self, EarPodcast *podcast, gboolean counted, gboolean whole)
{
  Refresh *refresh = g_new0 (Refresh, 1);

  refresh->refresher = g_object_ref (self);
  refresh->podcast = g_object_ref (podcast);
  refresh->cancellable = g_cancellable_new ();
  refresh->whole = whole;

  g_hash_table_insert (self->running, podcast, refresh);
  ear_podcast_set_refreshing (podcast, TRUE);
  if (g_hash_table_size (self->running) == 1)
    g_object_notify (G_OBJECT (self), "refreshing");
  if (counted)
    count_start (self, refresh);
  fetch (refresh);
}

static void
ear_refresher_dispose (GObject *object)
{
  EarRefresher *self = EAR_REFRESHER (object);

  g_clear_handle_id (&self->waiting_id, g_source_remove);
  g_clear_pointer (&self->running, g_hash_table_unref);
  g_clear_pointer (&self->round, g_hash_table_unref);
  g_clear_pointer (&self->arrived, g_hash_table_unref);
  g_clear_pointer (&self->renewed, g_hash_table_unref);
  g_clear_pointer (&self->renewals, g_ptr_array_unref);
  g_clear_pointer (&self->accepted, g_hash_table_unref);
  g_clear_pointer (&self->waiting, g_strfreev);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->http);
  g_clear_object (&self->keyring);

  G_OBJECT_CLASS (ear_refresher_parent_class)->dispose (object);
}

static void
ear_refresher_class_init (EarRefresherClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether feeds are being fetched */
    { "refreshing", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_refresher_get_refreshing) },
    /* Number of podcasts in this round, including finished ones; 0 if none is being
     * fetched. One that is fetched again counts once. Scheduled checks do not count, as
     * nobody waits for them. */
    { "total", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (ear_refresher_get_total) },
    /* Number of finished ones; one that is fetched again stays finished. */
    { "done", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarRefresher, done) },
    /* The servers waited for after some seconds without progress, else NULL */
    { "waiting", G_TYPE_STRV, G_PARAM_READABLE, G_STRUCT_OFFSET (EarRefresher, waiting) },
  };

  object_class->dispose = ear_refresher_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_signal_new ("refreshed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  g_signal_new ("episodes-arrived", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 3, EAR_TYPE_PODCAST, G_TYPE_PTR_ARRAY, G_TYPE_UINT);
  g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, EAR_TYPE_PODCAST, G_TYPE_STRING);
}

static void
ear_refresher_init (EarRefresher *self)
{
  self->running = g_hash_table_new (NULL, NULL);
  self->round = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->arrived =
      g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) g_array_unref);
  self->renewed = g_hash_table_new_full (NULL, NULL, g_object_unref, g_free);
  self->renewals = g_ptr_array_new_with_free_func (g_object_unref);
  self->accepted = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->clock = read_clock;
}

/* @keyring: (nullable): the logins of servers */
EarRefresher *
ear_refresher_new (EarCatalogue *catalogue, EarHttp *http, EarKeyring *keyring)
{
  EarRefresher *self = g_object_new (EAR_TYPE_REFRESHER, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->http = g_object_ref (http);
  g_set_object (&self->keyring, keyring);
  g_signal_connect_object (catalogue, "episodes-arrived", G_CALLBACK (arrived_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}

/* @clock: (scope forever): replaces the system clock */
void
ear_refresher_set_clock (EarRefresher *self, EarClockFunc clock, gpointer user_data)
{
  g_return_if_fail (EAR_IS_REFRESHER (self));

  self->clock = clock;
  self->clock_data = user_data;
}

/* Returns: Unix seconds, by the refresher's clock */
gint64
ear_refresher_get_time (EarRefresher *self)
{
  return self->clock (self->clock_data);
}

EarCatalogue *
ear_refresher_get_catalogue (EarRefresher *self)
{
  return self->catalogue;
}

/* Starts to fetch the feed of a podcast, unless it is being fetched; a canceled refresh
 * starts again. [property@EarPodcast:refreshing] and [property@EarPodcast:error] show the
 * result.
 * @podcast: the podcast to check for new episodes */
void
ear_refresher_refresh (EarRefresher *self, EarPodcast *podcast, EarRefreshReason reason)
{
  const gboolean counted = reason != EAR_REFRESH_SCHEDULED;
  Refresh *running;

  g_return_if_fail (EAR_IS_REFRESHER (self));

  running = g_hash_table_lookup (self->running, podcast);
  if (running == NULL)
    start_refresh (self, podcast, counted, FALSE);
  /* A canceled refresh starts again after it has ended. */
  else if (g_cancellable_is_cancelled (running->cancellable))
    {
      running->again = TRUE;
      if (counted && !running->counted)
        count_start (self, running);
    }
}

/* Fetches the feed, and accepts the other podcast as its new content.
 * @podcast: a podcast at whose address there is another podcast */
void
ear_refresher_accept (EarRefresher *self, EarPodcast *podcast)
{
  g_return_if_fail (EAR_IS_REFRESHER (self));

  g_hash_table_add (self->accepted, g_object_ref (podcast));
  ear_refresher_refresh (self, podcast, EAR_REFRESH_ONE);
}

/* @interval: seconds between scheduled checks; 0: none
 * Returns: whether a podcast is due for that reason */
gboolean
ear_refresher_is_due (EarRefresher *self, EarPodcast *podcast, EarRefreshReason reason,
                      gint64 interval)
{
  g_autoptr (EarFeedCheck) check = ear_catalogue_dup_check (self->catalogue, podcast);
  const EarRefreshSubject subject = { check, ear_podcast_get_address (podcast),
                                      ear_podcast_get_facts (podcast)->complete };

  return ear_refresh_policy_is_due (&subject, reason, interval, ear_refresher_get_time (self));
}

/* Starts to fetch the feeds of all podcasts that are due for that reason. */
void
ear_refresher_refresh_all (EarRefresher *self, EarRefreshReason reason)
{
  GListModel *podcasts;

  g_return_if_fail (EAR_IS_REFRESHER (self));

  podcasts = ear_catalogue_get_podcasts (self->catalogue);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_refresher_is_due (self, podcast, reason, 0))
        ear_refresher_refresh (self, podcast, reason);
    }
}

/* A request for the current media address of an episode */
typedef struct
{
  EarEpisode *episode; /* owned */
  char *refused;       /* owned */
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
  EarEnclosure *enclosure =
      ear_episode_get_enclosure (episode != NULL ? episode : renewal->episode);

  if (enclosure == NULL || !ear_address_is_web (enclosure->address) ||
      g_str_equal (enclosure->address, renewal->refused))
    return NULL;

  return g_strdup (enclosure->address);
}

static void
record_renewal (EarRefresher *self, EarPodcast *podcast)
{
  const gint64 now = g_get_monotonic_time ();

  g_hash_table_insert (self->renewed, g_object_ref (podcast), g_memdup2 (&now, sizeof now));
}

/* Returns: whether to fetch the feed: many episodes of a podcast may be refused together,
 * and its server may have asked to wait */
static gboolean
may_renew (EarRefresher *self, EarPodcast *podcast)
{
  const gint64 *before = g_hash_table_lookup (self->renewed, podcast);

  return (before == NULL || g_get_monotonic_time () - *before >= RENEWAL_INTERVAL) &&
         ear_refresher_is_due (self, podcast, EAR_REFRESH_ALL, 0);
}

/* Ends the requests for episodes of a podcast, or fetches its feed for them. */
static void
continue_renewals (EarRefresher *self, EarPodcast *podcast)
{
  g_autoptr (GPtrArray) renewals = g_steal_pointer (&self->renewals);

  self->renewals = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < renewals->len; i++)
    {
      GTask *task = renewals->pdata[i];
      Renewal *renewal = g_task_get_task_data (task);
      const gboolean is_asked = ear_episode_get_podcast (renewal->episode) == podcast;
      char *address = is_asked ? find_other_address (self, renewal) : NULL;

      if (is_asked && address == NULL && !g_hash_table_contains (self->running, podcast) &&
          may_renew (self, podcast))
        {
          record_renewal (self, podcast);
          start_refresh (self, podcast, FALSE, TRUE);
        }
      if (address == NULL && (!is_asked || g_hash_table_contains (self->running, podcast)))
        g_ptr_array_add (self->renewals, g_object_ref (task));
      else
        g_task_return_pointer (task, address, g_free);
    }
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
  Renewal *renewal = g_new0 (Renewal, 1);

  g_task_set_source_tag (task, ear_refresher_renew_address_async);
  renewal->episode = g_object_ref (episode);
  renewal->refused = g_strdup (refused);
  g_task_set_task_data (task, renewal, renewal_free);
  if (ear_episode_get_podcast (episode) == NULL)
    {
      g_task_return_pointer (task, NULL, NULL);
      g_object_unref (task);
      return;
    }
  g_ptr_array_add (self->renewals, task);
  continue_renewals (self, ear_episode_get_podcast (episode));
}

/* Returns: (transfer full) (nullable): the new address of the media; %NULL if the feed
 *   has no other one, could not be fetched, or the wait was canceled */
char *
ear_refresher_renew_address_finish (EarRefresher *self, GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* Cancels running refreshes, and starts none for media addresses in their place.
 * @podcast: (nullable): an unfollowed podcast, or %NULL for all */
void
ear_refresher_cancel (EarRefresher *self, EarPodcast *podcast)
{
  GHashTableIter iter;
  gpointer key, value;

  g_return_if_fail (EAR_IS_REFRESHER (self));

  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      Refresh *refresh = value;

      if (podcast != NULL && podcast != key)
        continue;
      refresh->again = FALSE;
      record_renewal (self, key);
      g_cancellable_cancel (refresh->cancellable);
    }
}

gboolean
ear_refresher_get_refreshing (EarRefresher *self)
{
  g_return_val_if_fail (EAR_IS_REFRESHER (self), FALSE);

  return g_hash_table_size (self->running) > 0;
}

guint
ear_refresher_get_total (EarRefresher *self)
{
  g_return_val_if_fail (EAR_IS_REFRESHER (self), 0);

  return g_hash_table_size (self->round);
}
