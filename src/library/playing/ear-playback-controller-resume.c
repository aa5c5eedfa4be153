/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller-private.h"

/* Playback without a chosen episode, for example by a media key */

/* Queries in order, and whether only a started episode matches */
static const struct
{
  EarEpisodeFilter filter;
  gboolean begun;
} sources[] = {
  { EAR_FILTER_HISTORY, TRUE },
  { EAR_FILTER_QUEUED, FALSE },
  { EAR_FILTER_UNPLAYED, FALSE },
  { EAR_FILTER_ALL, FALSE },
};

/* Maximum number of episodes checked for media */
#define MAX_CHECKED 50

static void find_episode (GTask *task, guint index);

static EarEpisode *
dup_playable (EarPlaybackController *self, GArray *ids, gboolean begun)
{
  /* The last heard episode matches only if it was not finished. */
  const guint n = begun ? MIN (ids->len, 1) : ids->len;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode (self->catalogue, g_array_index (ids, gint64, i));

      if (episode == NULL || ear_episode_get_enclosure (episode) == NULL)
        continue;
      if (!begun || (ear_episode_get_position (episode) > 0 && !ear_episode_get_listened (episode)))
        return g_steal_pointer (&episode);
    }

  return NULL;
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarPlaybackController *self = g_task_get_source_object (task);
  const guint index = GPOINTER_TO_UINT (g_task_get_task_data (task));
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  g_autoptr (EarEpisode) episode = NULL;

  if (ids == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  /* The listener may have started another episode. */
  if (self->stopped || ear_player_get_episode (self->player) != NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  episode = dup_playable (self, ids, sources[index].begun);
  if (episode == NULL)
    {
      find_episode (g_steal_pointer (&task), index + 1);
      return;
    }
  ear_playback_controller_play (self, episode, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
find_episode (GTask *task, guint index)
{
  EarPlaybackController *self = g_task_get_source_object (task);
  g_autoptr (EarEpisodeQuery) query = NULL;

  if (index == G_N_ELEMENTS (sources))
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NO_MEDIA,
                                       "There is no episode to play");
      g_object_unref (task);
      return;
    }
  g_task_set_task_data (task, GUINT_TO_POINTER (index), NULL);
  query = ear_episode_query_new (0, sources[index].filter, EAR_SORT_NEWEST, NULL);
  ear_catalogue_query_async (self->catalogue, query, MAX_CHECKED, NULL, found_cb, task);
}

/* Plays without a chosen episode: the one in the player; else the last heard one from its
 * position; if that is finished, the first one of Up Next, or else the newest unplayed
 * one.
 * @callback: called when an episode plays, or none can */
void
ear_playback_controller_resume_async (EarPlaybackController *self, GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_playback_controller_resume_async);
  if (ear_player_get_episode (self->player) != NULL)
    {
      ear_playback_controller_resume_current (self);
      g_task_return_boolean (task, TRUE);
    }
  else if (self->stopped)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The library is closed");
  else
    find_episode (g_steal_pointer (&task), 0);
}

gboolean
ear_playback_controller_resume_finish (EarPlaybackController *self, GAsyncResult *result,
                                       GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
series_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarPlaybackController *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autofree EarSeriesProgress *progress =
      ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  g_autoptr (EarEpisode) episode = NULL;

  if (progress == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  episode =
      progress->next != 0 ? ear_catalogue_dup_episode (self->catalogue, progress->next) : NULL;
  if (episode == NULL)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NO_MEDIA,
                                       "All of the series was heard");
      return;
    }
  ear_playback_controller_play (self, episode, NULL);
  g_task_return_boolean (task, TRUE);
}

/* Continues a podcast: with the last heard episode or, if that is finished, with the next
 * unplayed one after it.
 * @podcast: a series or another podcast
 * @callback: called when an episode plays, or none can */
void
ear_playback_controller_continue_async (EarPlaybackController *self, EarPodcast *podcast,
                                        GAsyncReadyCallback callback, gpointer user_data)
{
  EarEpisode *current;
  GTask *task;

  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_playback_controller_continue_async);
  current = ear_player_get_episode (self->player);
  /* The position of the current episode may not be written yet. */
  if (current != NULL && ear_episode_get_podcast (current) == podcast &&
      !ear_episode_get_listened (current))
    {
      ear_playback_controller_play (self, current, NULL);
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  ear_catalogue_read_series_async (self->catalogue, podcast, NULL, series_read_cb, task);
}

gboolean
ear_playback_controller_continue_finish (EarPlaybackController *self, GAsyncResult *result,
                                         GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Returns: whether [method@EarPlaybackController.resume_async] may find an episode */
gboolean
ear_playback_controller_can_resume (EarPlaybackController *self)
{
  GListModel *podcasts;

  g_return_val_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self), FALSE);

  podcasts = ear_catalogue_get_podcasts (self->catalogue);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_n_episodes (podcast) > 0)
        return TRUE;
    }

  return FALSE;
}
