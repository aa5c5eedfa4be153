/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-count.h"

#include "ear-catalogue-private.h"
#include "ear-episode-sql.h"
#include "ear-property.h"

/* Filters the catalogue's changes for those that affect a query. */
struct _EarQueryWatch
{
  EarCatalogue *catalogue;       /* owned */
  EarEpisodeQuery *const *query; /* borrowed; (nullable): the owner's present query */
  EarQueryWatchFunc outdated;
  GObject *owner;                /* borrowed */
};

/* The handler may release the owner. */
static void
tell (EarQueryWatch *self)
{
  g_autoptr (GObject) owner = g_object_ref (self->owner);

  self->outdated (owner);
}

static gboolean
is_about (EarQueryWatch *self, gint64 podcast)
{
  const EarEpisodeQuery *query = *self->query;

  return query != NULL && (query->podcast == 0 || query->podcast == podcast);
}

static void
episodes_moved_cb (EarCatalogue *catalogue, gint64 podcast, GArray *ids, EarQueryWatch *self)
{
  if (is_about (self, podcast))
    tell (self);
}

static void
episodes_changed_cb (EarCatalogue *catalogue, gint64 podcast, GArray *ids, EarQueryWatch *self)
{
  if (is_about (self, podcast) &&
      (ear_episode_filter_get_interest (*self->query) & ear_catalogue_get_change (catalogue)) != 0)
    tell (self);
}

static void
list_changed_cb (EarCatalogue *catalogue, const char *list, EarQueryWatch *self)
{
  if (*self->query != NULL && g_strcmp0 ((*self->query)->list, list) == 0)
    tell (self);
}

static void
bookmarks_changed_cb (EarCatalogue *catalogue, EarQueryWatch *self)
{
  if (*self->query != NULL && (*self->query)->search != NULL)
    tell (self);
}

/* @catalogue: catalogue of the query
 * @query: pointer to @owner's query, which it may replace
 * @outdated: called with @owner when the query has to be repeated
 * Returns: (transfer full): a watch; @owner frees it */
EarQueryWatch *
ear_query_watch_new (EarCatalogue *catalogue, EarEpisodeQuery *const *query,
                     EarQueryWatchFunc outdated, GObject *owner)
{
  EarQueryWatch *self = g_new0 (EarQueryWatch, 1);

  self->catalogue = g_object_ref (catalogue);
  self->query = query;
  self->outdated = outdated;
  self->owner = owner;
  g_signal_connect (catalogue, "episodes-inserted", G_CALLBACK (episodes_moved_cb), self);
  g_signal_connect (catalogue, "episodes-removed", G_CALLBACK (episodes_moved_cb), self);
  g_signal_connect (catalogue, "episodes-changed", G_CALLBACK (episodes_changed_cb), self);
  g_signal_connect (catalogue, "list-changed", G_CALLBACK (list_changed_cb), self);
  g_signal_connect (catalogue, "bookmarks-changed", G_CALLBACK (bookmarks_changed_cb), self);

  return self;
}

void
ear_query_watch_free (EarQueryWatch *self)
{
  g_signal_handlers_disconnect_by_data (self->catalogue, self);
  g_object_unref (self->catalogue);
  g_free (self);
}

/* Lists come before counts: a count waits for a quiet moment, and takes at most 1 /
 * REST_FACTOR of the reader's time during a refresh. */
#define QUIET_MS 100
#define REST_FACTOR 8
#define REST_MAX_MS 2000

/* The number of episodes that a query finds, for widgets without rows. */
struct _EarEpisodeCount
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarEpisodeQuery *query;
  EarQueryWatch *watch;      /* (nullable) */
  GCancellable *cancellable; /* (nullable): of the running query */
  GSource *source;           /* (nullable): starts the next query */

  guint count;
  guint rest;      /* milliseconds */
  gint64 sent;     /* monotonic time */
  gboolean asking;
  gboolean dirty;  /* changed since the query was sent */
};

G_DEFINE_FINAL_TYPE (EarEpisodeCount, ear_episode_count, G_TYPE_OBJECT)

static void ask_later (EarEpisodeCount *self);

static void
stop (EarEpisodeCount *self)
{
  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->asking = FALSE;
}

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeCount) self = user_data;
  g_autoptr (GError) error = NULL;
  guint count = 0;
  const gboolean ok = ear_catalogue_count_finish (EAR_CATALOGUE (source), result, &count, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  self->asking = FALSE;
  self->rest = (guint) MIN (
      REST_FACTOR * (g_get_monotonic_time () - self->sent) / G_TIME_SPAN_MILLISECOND, REST_MAX_MS);
  if (ok)
    ear_property_set_number (self, "count", (int) MIN (count, G_MAXINT));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
    g_message ("A list of episodes cannot be counted: %s", error->message);
  if (self->dirty)
    ask_later (self);
}

static gboolean
ask_cb (gpointer user_data)
{
  EarEpisodeCount *self = user_data;

  g_clear_pointer (&self->source, g_source_unref);
  self->asking = TRUE;
  self->dirty = FALSE;
  self->sent = g_get_monotonic_time ();
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  ear_catalogue_count_async (self->catalogue, self->query, self->cancellable, counted_cb,
                             g_object_ref (self));

  return G_SOURCE_REMOVE;
}

static void
ask_later (EarEpisodeCount *self)
{
  self->dirty = TRUE;
  if (self->query == NULL || self->asking || self->source != NULL)
    return;

  self->source = g_timeout_source_new (MAX (QUIET_MS, self->rest));
  g_source_set_static_name (self->source, "[earmark] episodes are counted");
  g_source_set_callback (self->source, ask_cb, self, NULL);
  g_source_attach (self->source, g_main_context_get_thread_default ());
}

static void
ear_episode_count_dispose (GObject *object)
{
  EarEpisodeCount *self = EAR_EPISODE_COUNT (object);

  stop (self);
  g_clear_pointer (&self->watch, ear_query_watch_free);
  g_clear_pointer (&self->query, ear_episode_query_free);
  g_clear_object (&self->catalogue);

  G_OBJECT_CLASS (ear_episode_count_parent_class)->dispose (object);
}

static void
ear_episode_count_class_init (EarEpisodeCountClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "count", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeCount, count) },
  };

  object_class->dispose = ear_episode_count_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_episode_count_init (EarEpisodeCount *self)
{
}

/* The count is 0 until a query is set. */
EarEpisodeCount *
ear_episode_count_new (EarCatalogue *catalogue)
{
  EarEpisodeCount *self = g_object_new (EAR_TYPE_EPISODE_COUNT, NULL);

  if (!g_set_object (&self->catalogue, catalogue))
    return self;
  self->watch = ear_query_watch_new (catalogue, &self->query, (EarQueryWatchFunc) ask_later,
                                     G_OBJECT (self));

  return self;
}

/* Sets the query; the count stays until the result is known. */
void
ear_episode_count_set_query (EarEpisodeCount *self, const EarEpisodeQuery *query)
{
  g_return_if_fail (EAR_IS_EPISODE_COUNT (self));
  g_return_if_fail (query != NULL);

  if (self->query != NULL && ear_episode_query_equal (self->query, query))
    return;
  stop (self);
  g_clear_pointer (&self->query, ear_episode_query_free);
  self->query = ear_episode_query_copy (query);
  self->rest = 0;
  ask_later (self);
}

EAR_DEFINE_GET (EarEpisodeCount, ear_episode_count, guint, count)
