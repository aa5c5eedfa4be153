/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-episode-sql.h"
#include "ear-seasons.h"

/* Queries about all episodes of one podcast, or of the history */

/* --- Reader thread ------------------------------------------------------------------- */

static gpointer
read_series (EarDatabase *database, gpointer data, GError **error)
{
  const gint64 *podcast = data;

  return ear_episode_sql_read_series (database, *podcast, error);
}

static gpointer
read_seasons (EarDatabase *database, gpointer data, GError **error)
{
  const gint64 *podcast = data;

  return ear_seasons_read (database, *podcast, error);
}

static gpointer
read_days (EarDatabase *database, gpointer data, GError **error)
{
  return ear_seasons_read_days (database, error);
}

static gpointer
read_download_groups (EarDatabase *database, gpointer data, GError **error)
{
  return ear_seasons_read_downloads (database, error);
}

/* --- Main thread --------------------------------------------------------------------- */

static void
ask (EarCatalogue *self, EarReadFunc func, gint64 podcast, GDestroyNotify answer_free, gpointer tag, GCancellable *cancellable,
     GAsyncReadyCallback callback, gpointer user_data)
{
  ear_catalogue_ask (self, self->reader, func, g_memdup2 (&podcast, sizeof podcast), g_free, answer_free, tag, cancellable,
                     callback, user_data);
}

/**
 * ear_catalogue_read_series_async:
 * @cancellable: (nullable): cancels the query
 * @callback: called with the result
 * @user_data: data for @callback
 *
 * Requests the listener's progress in a podcast, on the reader thread.
 */
void
ear_catalogue_read_series_async (EarCatalogue *self, EarPodcast *podcast, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  ask (self, read_series, ear_podcast_get_id (podcast), g_free, ear_catalogue_read_series_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_read_series_finish:
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full): the progress, or %NULL
 */
EarSeriesProgress *
ear_catalogue_read_series_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}

/**
 * ear_catalogue_read_seasons_async:
 * @podcast: row id of a podcast
 * @cancellable: (nullable): cancels the query
 * @callback: called with the result
 * @user_data: data for @callback
 *
 * Requests the season of each episode of a podcast, on the reader thread.
 */
void
ear_catalogue_read_seasons_async (EarCatalogue *self, gint64 podcast, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ask (self, read_seasons, podcast, (GDestroyNotify) ear_seasons_free, ear_catalogue_read_seasons_async, cancellable, callback,
       user_data);
}

/**
 * ear_catalogue_read_days_async:
 * @cancellable: (nullable): cancels the query
 * @callback: called with the result, for [method@EarCatalogue.read_seasons_finish]
 * @user_data: data for @callback
 *
 * Requests the day on which each episode of the history was last played, on
 * the reader thread.
 */
void
ear_catalogue_read_days_async (EarCatalogue *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ask (self, read_days, 0, (GDestroyNotify) ear_seasons_free, ear_catalogue_read_days_async, cancellable, callback, user_data);
}

/* Requests which downloads failed, wait or are done, for
 * [method@EarCatalogue.read_seasons_finish]. */
void
ear_catalogue_read_download_groups_async (EarCatalogue *self,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ask (self, read_download_groups, 0, (GDestroyNotify) ear_seasons_free,
       ear_catalogue_read_download_groups_async, cancellable, callback, user_data);
}

/**
 * ear_catalogue_read_seasons_finish:
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full) (nullable): the groups; %NULL without an error if there is
 *   only one season
 */
EarSeasons *
ear_catalogue_read_seasons_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}
