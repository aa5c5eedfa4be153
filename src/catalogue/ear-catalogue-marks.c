/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: marking many episodes, by the writer. */

/* In the live objects, before it is stored. */
static void
show_marks (EarCatalogue *self, GArray *ids, EarMark mark, gint64 value)
{
  for (guint i = 0; !self->closed && i < ids->len; i++)
    {
      EarEpisode *episode = ear_catalogue_lookup_live (self, g_array_index (ids, gint64, i));

      if (episode == NULL)
        continue;
      ear_catalogue_touch (self, ear_episode_get_podcast (episode));
      ear_episode_set_mark (episode, mark, value);
    }
}

static EarCatalogueOp *
new_op (const EarMarkTarget *target, EarMark mark, gint64 value)
{
  EarCatalogueOp *op = ear_catalogue_op_new (EAR_OP_MARK, 0);

  op->state = ear_episode_state_new_mark (mark, value);
  op->ids = target->ids != NULL ? g_array_ref (target->ids) : NULL;
  op->query = target->ids == NULL ? ear_episode_query_copy (target->query) : NULL;
  op->episode = target->older_than != NULL ? ear_episode_get_id (target->older_than) : 0;

  return op;
}

/**
 * ear_catalogue_mark_async:
 * @self: the catalogue
 * @target: which episodes
 * @mark: which mark, a flag
 * @value: what it is from now on
 * @callback: called when that is stored
 * @user_data: data for @callback
 *
 * Marks episodes. Their objects change at once, unless the catalogue has to find out which they are.
 */
void
ear_catalogue_mark_async (EarCatalogue *self,
                          const EarMarkTarget *target,
                          EarMark mark,
                          gint64 value,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (target != NULL && (target->ids != NULL || target->query != NULL));
  g_return_if_fail (target->older_than == NULL || EAR_IS_EPISODE (target->older_than));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_mark_async);
  if (target->ids != NULL)
    g_task_set_task_data (task, g_array_ref (target->ids), (GDestroyNotify) g_array_unref);
  if (target->ids != NULL && target->older_than == NULL)
    show_marks (self, target->ids, mark, value);
  if (self->closed || self->writer == NULL)
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The catalogue is not open");
      return;
    }
  op = new_op (target, mark, value);
  op->task = g_steal_pointer (&task);
  ear_catalogue_push (self, op);
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
