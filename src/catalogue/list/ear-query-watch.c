/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-query-watch.h"

#include "ear-catalogue-private.h"
#include "ear-episode-filter.h"

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
  if (is_about (self, podcast) && (ear_episode_filter_get_interest (*self->query) & ear_catalogue_get_change (catalogue)) != 0)
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
ear_query_watch_new (EarCatalogue *catalogue, EarEpisodeQuery *const *query, EarQueryWatchFunc outdated, GObject *owner)
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
