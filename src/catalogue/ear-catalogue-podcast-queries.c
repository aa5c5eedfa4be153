/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-episode-sql.h"
#include "ear-seasons.h"

/* What is asked about all episodes of one podcast, or all that were heard. */

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
 * @cancellable: (nullable): to end it
 * @callback: called with the answer
 * @user_data: data for @callback
 *
 * Asks how far the listener is in a podcast, on the reader thread.
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
 * Returns: (transfer full): how far he is, or %NULL
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
 * @cancellable: (nullable): to end it
 * @callback: called with the answer
 * @user_data: data for @callback
 *
 * Asks which season each episode of a podcast is of, on the reader thread.
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
 * @cancellable: (nullable): to end it
 * @callback: called with the answer, for [method@EarCatalogue.read_seasons_finish]
 * @user_data: data for @callback
 *
 * Asks on which day each episode of the history was heard last, on the reader thread.
 */
void
ear_catalogue_read_days_async (EarCatalogue *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ask (self, read_days, 0, (GDestroyNotify) ear_seasons_free, ear_catalogue_read_days_async, cancellable, callback, user_data);
}

/* Asks which downloads failed, wait or are done, for [method@EarCatalogue.read_seasons_finish]. */
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
 * Returns: (transfer full) (nullable): the seasons, or days; %NULL without an error where there are not several seasons
 */
EarSeasons *
ear_catalogue_read_seasons_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}
