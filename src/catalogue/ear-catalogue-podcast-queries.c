/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-episode-sql.h"
#include "ear-row-groups.h"

/* Queries about all episodes of one podcast, or of the history */

/* --- Reader thread ------------------------------------------------------------------- */

static gpointer
read_series (EarDatabase *database, gpointer data, GError **error)
{
  const gint64 *podcast = data;

  return ear_episode_sql_read_series (database, *podcast, error);
}

typedef struct
{
  EarRowGrouping grouping;
  gint64 podcast;
} GroupsQuestion;

static gpointer
read_groups (EarDatabase *database, gpointer data, GError **error)
{
  const GroupsQuestion *question = data;

  return ear_row_groups_read (database, question->grouping, question->podcast, error);
}

/* --- Main thread --------------------------------------------------------------------- */

/**
 * ear_catalogue_read_series_async:
 * @cancellable: (nullable): cancels the query
 * @callback: called with the result
 * @user_data: data for @callback
 *
 * Requests the listener's progress in a podcast, on the reader thread.
 */
void
ear_catalogue_read_series_async (EarCatalogue *self, EarPodcast *podcast, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  gint64 id;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  id = ear_podcast_get_id (podcast);
  ear_catalogue_ask (self, self->reader, read_series, g_memdup2 (&id, sizeof id), g_free, g_free,
                     ear_catalogue_read_series_async, cancellable, callback, user_data);
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

/* Requests the group of each row of a list, on the reader thread.
 * @podcast: row id of a podcast, for its seasons */
void
ear_catalogue_read_groups_async (EarCatalogue *self, EarRowGrouping grouping, gint64 podcast,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  const GroupsQuestion question = { grouping, podcast };

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ear_catalogue_ask (self, self->reader, read_groups, g_memdup2 (&question, sizeof question),
                     g_free, (GDestroyNotify) ear_row_groups_free, ear_catalogue_read_groups_async,
                     cancellable, callback, user_data);
}

/* Returns: (transfer full) (nullable): the groups; %NULL without an error where all rows are in one
 *   group that needs no heading */
EarRowGroups *
ear_catalogue_read_groups_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}
