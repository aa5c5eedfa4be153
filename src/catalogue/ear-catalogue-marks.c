/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: marking many episodes, by the writer. */

static void
push_mark (EarCatalogue *self, EarCatalogueOp *op, gpointer tag, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, tag);
  if (op->ids != NULL)
    g_task_set_task_data (task, g_array_ref (op->ids), (GDestroyNotify) g_array_unref);
  if (self->closed || self->writer == NULL)
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
      ear_catalogue_op_free (op);
      return;
    }
  op->task = g_steal_pointer (&task);
  ear_catalogue_push (self, op);
}

static void
set_listened (EarCatalogueOp *op, gboolean listened)
{
  op->state.listened = !!listened;
  op->state.listened_updated = g_get_real_time ();
}

/* In the live objects, before it is stored. */
static void
show_marks (EarCatalogue *self, EarCatalogueOp *op)
{
  const EarMark mark = ear_episode_state_find_mark (&op->state);

  for (guint i = 0; !self->closed && i < op->ids->len; i++)
    {
      EarEpisode *episode = ear_catalogue_lookup_live (self, g_array_index (op->ids, gint64, i));

      if (episode == NULL)
        continue;
      ear_catalogue_touch (self, ear_episode_get_podcast (episode));
      ear_episode_set_mark (episode, mark, op->state.values[mark]);
    }
}

/**
 * ear_catalogue_mark_async:
 * @self: the catalogue
 * @ids: (element-type gint64): row ids of episodes; not changed any more by anybody
 * @older_than: (nullable): only those older than this one, itself left out
 * @listened: whether they are listened from now on
 * @callback: called when that is stored
 * @user_data: data for @callback
 *
 * Marks episodes as listened, or not, all in one transaction. Their objects change at once,
 * unless the catalogue has to find out which of them are older.
 */
void
ear_catalogue_mark_async (EarCatalogue *self,
                          GArray *ids,
                          EarEpisode *older_than,
                          gboolean listened,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (ids != NULL);
  g_return_if_fail (older_than == NULL || EAR_IS_EPISODE (older_than));

  op = ear_catalogue_op_new (EAR_OP_MARK, 0);
  set_listened (op, listened);
  op->ids = g_array_ref (ids);
  op->episode = older_than != NULL ? ear_episode_get_id (older_than) : 0;
  if (older_than == NULL)
    show_marks (self, op);
  push_mark (self, op, ear_catalogue_mark_async, callback, user_data);
}

/**
 * ear_catalogue_like_async:
 * @self: the catalogue
 * @ids: (element-type gint64): row ids of episodes; not changed any more by anybody
 * @liked: whether they are liked from now on
 * @callback: called when that is stored
 * @user_data: data for @callback
 *
 * Likes episodes, or not, as [method@EarCatalogue.mark_async] marks them; it is finished by
 * [method@EarCatalogue.mark_finish], too.
 */
void
ear_catalogue_like_async (EarCatalogue *self, GArray *ids, gboolean liked, GAsyncReadyCallback callback, gpointer user_data)
{
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (ids != NULL);

  op = ear_catalogue_op_new (EAR_OP_MARK, 0);
  op->state.liked = !!liked;
  op->state.liked_updated = g_get_real_time ();
  op->ids = g_array_ref (ids);
  show_marks (self, op);
  push_mark (self, op, ear_catalogue_like_async, callback, user_data);
}

/**
 * ear_catalogue_mark_query_async:
 * @self: the catalogue
 * @query: which episodes
 * @older_than: (nullable): only those older than this one, itself left out
 * @listened: whether they are listened from now on
 * @callback: called when that is stored
 * @user_data: data for @callback
 *
 * Marks all episodes that a query finds as listened, or not, in one transaction.
 */
void
ear_catalogue_mark_query_async (EarCatalogue *self,
                                const EarEpisodeQuery *query,
                                EarEpisode *older_than,
                                gboolean listened,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (query != NULL);
  g_return_if_fail (older_than == NULL || EAR_IS_EPISODE (older_than));

  op = ear_catalogue_op_new (EAR_OP_MARK, 0);
  op->query = ear_episode_query_copy (query);
  op->episode = older_than != NULL ? ear_episode_get_id (older_than) : 0;
  set_listened (op, listened);
  push_mark (self, op, ear_catalogue_mark_query_async, callback, user_data);
}

/**
 * ear_catalogue_mark_finish:
 * @self: the catalogue
 * @result: what the callback got
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full): those episodes that were marked otherwise before, or %NULL
 */
EarMarks *
ear_catalogue_mark_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
