/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-refresher.h"

#include "ear-error.h"
#include "ear-feed-intake.h"

/* A feed larger than this is an attack; the largest real one seen had 4 MB. */
#define FEED_LIMIT (64 * 1024 * 1024)

/* How soon a feed that could not be reached is asked again by itself, and how seldom at last. */
#define FIRST_RETRY 5
#define LAST_RETRY 300

/**
 * EarRefresher:
 *
 * Fetches feeds and lets the catalogue have what they say. Each feed goes its own way
 * from the socket to the rows, so that none waits for another. A feed that could not
 * be reached is tried again by itself, less and less often.
 */
struct _EarRefresher
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarHttp *http;
  GHashTable *running; /* (element-type EarPodcast GCancellable) */
  guint retry_id;
  guint retry_delay; /* seconds */
};

G_DEFINE_FINAL_TYPE (EarRefresher, ear_refresher, G_TYPE_OBJECT)

typedef enum
{
  PROP_REFRESHING = 1,
} EarRefresherProperty;

static GParamSpec *props[PROP_REFRESHING + 1];

enum
{
  SIGNAL_REFRESHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* One refresh on its way. */
typedef struct
{
  EarRefresher *refresher; /* owned */
  EarPodcast *podcast;     /* owned */
  EarFeedIntake *intake;   /* owned */
  EarHttpResponse *response; /* owned, from the second step on */
  GError *error;             /* owned, from the third step on */
} Refresh;

static void
refresh_free (Refresh *refresh)
{
  g_clear_object (&refresh->refresher);
  g_clear_object (&refresh->podcast);
  g_clear_pointer (&refresh->intake, ear_feed_intake_unref);
  g_clear_pointer (&refresh->response, ear_http_response_unref);
  g_clear_error (&refresh->error);
  g_free (refresh);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Refresh, refresh_free)

static gboolean
is_unreached (const GError *error)
{
  return g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_UNREACHABLE) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_TIMED_OUT) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_INCOMPLETE);
}

static gboolean
retry_cb (gpointer user_data)
{
  EarRefresher *self = user_data;

  self->retry_id = 0;
  ear_refresher_retry_unreached (self);

  return G_SOURCE_REMOVE;
}

static void
schedule_retry (EarRefresher *self)
{
  if (self->retry_id != 0)
    return;

  self->retry_id = g_timeout_add_seconds (self->retry_delay, retry_cb, self);
  self->retry_delay = MIN (self->retry_delay * 2, LAST_RETRY);
}

static void
finish_refresh (Refresh *refresh, const GError *error)
{
  EarRefresher *self = refresh->refresher;

  g_hash_table_remove (self->running, refresh->podcast);
  if (g_hash_table_size (self->running) == 0)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REFRESHING]);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_podcast_set_error (refresh->podcast, error);
  ear_podcast_set_refreshing (refresh->podcast, FALSE);

  if (is_unreached (error))
    schedule_retry (self);
  else if (error == NULL)
    self->retry_delay = FIRST_RETRY;
  g_signal_emit (self, signals[SIGNAL_REFRESHED], 0, refresh->podcast);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Refresh) refresh = user_data;

  ear_catalogue_flush_finish (EAR_CATALOGUE (source), result, NULL);
  finish_refresh (refresh, refresh->error);
}

/* A refresh has ended when its rows are there, and not a moment before. One that brought
 * nothing must not make the catalogue write, however. */
static void
intake_finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Refresh) refresh = user_data;
  EarCatalogue *catalogue = refresh->refresher->catalogue;

  g_task_propagate_boolean (G_TASK (result), &refresh->error);
  if (refresh->response->not_modified)
    finish_refresh (refresh, refresh->error);
  else
    ear_catalogue_flush_async (catalogue, NULL, stored_cb, g_steal_pointer (&refresh));
}

static void
finish_intake_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Refresh *refresh = task_data;
  g_autoptr (GError) error = NULL;

  if (ear_feed_intake_finish (refresh->intake, refresh->response, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
streamed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Refresh) refresh = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GTask) task = NULL;

  refresh->response = ear_http_stream_finish (EAR_HTTP (source), result, &error);
  if (refresh->response == NULL)
    {
      finish_refresh (refresh, error);
      return;
    }

  /* The last items are parsed and handed over on a worker too. */
  task = g_task_new (refresh->refresher, NULL, intake_finished_cb, refresh);
  g_task_set_source_tag (task, streamed_cb);
  g_task_set_task_data (task, g_steal_pointer (&refresh), NULL);
  g_task_run_in_thread (task, finish_intake_thread);
}

static void
ear_refresher_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarRefresher *self = EAR_REFRESHER (object);

  switch ((EarRefresherProperty) property_id)
    {
    case PROP_REFRESHING:
      g_value_set_boolean (value, ear_refresher_get_refreshing (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_refresher_dispose (GObject *object)
{
  EarRefresher *self = EAR_REFRESHER (object);

  g_clear_handle_id (&self->retry_id, g_source_remove);

  G_OBJECT_CLASS (ear_refresher_parent_class)->dispose (object);
}

static void
ear_refresher_finalize (GObject *object)
{
  EarRefresher *self = EAR_REFRESHER (object);

  g_clear_pointer (&self->running, g_hash_table_unref);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->http);

  G_OBJECT_CLASS (ear_refresher_parent_class)->finalize (object);
}

static void
ear_refresher_class_init (EarRefresherClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ear_refresher_get_property;
  object_class->dispose = ear_refresher_dispose;
  object_class->finalize = ear_refresher_finalize;

  /**
   * EarRefresher:refreshing:
   *
   * Whether any feed is being fetched.
   */
  props[PROP_REFRESHING] =
    g_param_spec_boolean ("refreshing", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /**
   * EarRefresher::refreshed:
   * @self: the refresher
   * @podcast: a podcast whose refresh has ended, well or not
   */
  signals[SIGNAL_REFRESHED] =
    g_signal_new ("refreshed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
}

static void
ear_refresher_init (EarRefresher *self)
{
  self->running = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  self->retry_delay = FIRST_RETRY;
}

/**
 * ear_refresher_new:
 * @catalogue: where the facts go
 * @http: what fetches
 *
 * Returns: (transfer full): a refresher with nothing to do
 */
EarRefresher *
ear_refresher_new (EarCatalogue *catalogue, EarHttp *http)
{
  EarRefresher *self = g_object_new (EAR_TYPE_REFRESHER, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->http = g_object_ref (http);

  return self;
}

/**
 * ear_refresher_refresh:
 * @self: the refresher
 * @podcast: the podcast to check for new episodes
 *
 * Begins to fetch the feed of a podcast, if that is not going on already. Its
 * [property@EarPodcast:refreshing] and [property@EarPodcast:error] tell the rest.
 */
void
ear_refresher_refresh (EarRefresher *self, EarPodcast *podcast)
{
  g_autoptr (EarFeedCheck) check = NULL;
  g_autoptr (EarHttpRequest) request = NULL;
  GCancellable *cancellable;
  Refresh *refresh;

  g_return_if_fail (EAR_IS_REFRESHER (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  if (g_hash_table_contains (self->running, podcast))
    return;

  cancellable = g_cancellable_new ();
  g_hash_table_insert (self->running, g_object_ref (podcast), cancellable);
  ear_podcast_set_refreshing (podcast, TRUE);
  if (g_hash_table_size (self->running) == 1)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REFRESHING]);

  check = ear_catalogue_dup_check (self->catalogue, podcast);
  request = ear_http_request_new (ear_podcast_get_feed_address (podcast));
  request->accept = g_strdup ("application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1");
  request->max_bytes = FEED_LIMIT;
  request->stream_damaged = TRUE;
  if (check != NULL)
    {
      request->etag = g_strdup (check->etag);
      request->last_modified = g_strdup (check->last_modified);
    }

  refresh = g_new0 (Refresh, 1);
  refresh->refresher = g_object_ref (self);
  refresh->podcast = g_object_ref (podcast);
  refresh->intake = ear_feed_intake_new (self->catalogue, ear_podcast_get_id (podcast));
  ear_http_stream_async (self->http, request, ear_feed_intake_push,
                         ear_feed_intake_ref (refresh->intake), (GDestroyNotify) ear_feed_intake_unref,
                         cancellable, streamed_cb, refresh);
}

/**
 * ear_refresher_retry_unreached:
 * @self: the refresher
 *
 * Checks again those podcasts that could not be reached the last time: the network is
 * back, or some time has passed.
 */
void
ear_refresher_retry_unreached (EarRefresher *self)
{
  GListModel *podcasts;

  g_return_if_fail (EAR_IS_REFRESHER (self));

  g_clear_handle_id (&self->retry_id, g_source_remove);
  podcasts = ear_catalogue_get_podcasts (self->catalogue);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (is_unreached (ear_podcast_get_error (podcast)))
        ear_refresher_refresh (self, podcast);
    }
}

/**
 * ear_refresher_cancel:
 * @self: the refresher
 * @podcast: (nullable): a podcast that is not followed any more, or %NULL for all
 *
 * Gives up refreshes that are going on.
 */
void
ear_refresher_cancel (EarRefresher *self, EarPodcast *podcast)
{
  GHashTableIter iter;
  gpointer key, cancellable;

  g_return_if_fail (EAR_IS_REFRESHER (self));

  g_hash_table_iter_init (&iter, self->running);
  while (g_hash_table_iter_next (&iter, &key, &cancellable))
    if (podcast == NULL || podcast == key)
      g_cancellable_cancel (cancellable);
}

/**
 * ear_refresher_get_refreshing:
 * @self: the refresher
 *
 * Returns: whether any feed is being fetched
 */
gboolean
ear_refresher_get_refreshing (EarRefresher *self)
{
  g_return_val_if_fail (EAR_IS_REFRESHER (self), FALSE);

  return g_hash_table_size (self->running) > 0;
}
