/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Marking many episodes, on the writer thread */

static void
marking_free (gpointer data)
{
  EarMarking *marking = data;

  g_clear_pointer (&marking->ids, g_array_unref);
  g_clear_pointer (&marking->query, ear_episode_query_free);
  g_clear_object (&marking->task);
  g_clear_pointer (&marking->marks, ear_marks_unref);
  g_free (marking);
}

/* --- Writer thread ------------------------------------------------------------------- */

/* Completes the task together with the other events of the transaction. */
static void
notify_of_marks (EarCatalogueTables *tables, EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  EarMarking *marking = op->data;
  g_autoptr (EarMarks) marks = g_steal_pointer (&marking->marks);

  ear_catalogue_event_add_marks (event, g_steal_pointer (&marking->task),
                                 error == NULL ? g_steal_pointer (&marks) : NULL, marking->n_before, error);
}

static const EarCatalogueOpKind marks_kind = {
  .flags = EAR_OP_URGENT,
  .data_free = marking_free,
  .perform = ear_catalogue_tables_mark,
  .tell = notify_of_marks,
};

/* Receiver of the marks */
typedef struct
{
  EarMarksFunc func;
  gpointer user_data;
  GDestroyNotify destroy;
} Review;

static void
review_free (gpointer data)
{
  Review *review = data;

  review->destroy (review->user_data);
  g_free (review);
}

static gboolean
review_marks (EarCatalogueTables *tables, EarCatalogueOp *op, GError **error)
{
  const Review *review = op->data;

  return ear_catalogue_tables_list_marks (tables, review->func, review->user_data, error);
}

static const EarCatalogueOpKind review_kind = {
  .data_free = review_free,
  .perform = review_marks,
};

/* --- Main thread --------------------------------------------------------------------- */

/* Sets the mark in the live objects, before it is stored. */
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

static EarMarking *
marking_new (EarCatalogue *self, const EarMarkTarget *target, EarMark mark, gint64 value, GTask *task)
{
  EarMarking *marking = g_new0 (EarMarking, 1);

  marking->state = ear_episode_state_new_mark (mark, value);
  marking->ids = target->ids != NULL ? g_array_ref (target->ids) : NULL;
  marking->query = target->ids == NULL ? ear_catalogue_complete_query (self, target->query) : NULL;
  marking->older_than = target->older_than != NULL ? ear_episode_get_id (target->older_than) : 0;
  marking->task = g_object_ref (task);

  return marking;
}

/**
 * ear_catalogue_mark_async:
 * @self: the catalogue
 * @target: the episodes
 * @mark: a mark that is a flag
 * @value: its new value
 * @callback: called when the marks are stored
 * @user_data: data for @callback
 *
 * Marks episodes. Their objects change at once, unless the catalogue first has to
 * find the episodes.
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
  ear_catalogue_push (self, ear_catalogue_op_new (&marks_kind, 0, marking_new (self, target, mark, value, task)));
}

/**
 * ear_catalogue_mark_finish:
 * @self: the catalogue
 * @result: the callback's result
 * @error: return location for an `EAR_ERROR` or a `GIOError`
 *
 * Returns: (transfer full): the episodes whose mark has changed, or %NULL
 */
EarMarks *
ear_catalogue_mark_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * ear_catalogue_review_marks:
 * @self: the catalogue
 * @func: called with the marks, on the writer thread
 * @user_data: data for @func
 * @destroy: frees @user_data
 *
 * Passes on all marks, unless the last session ended cleanly: after a kill, the
 * listener's last changes may be in the catalogue only.
 */
void
ear_catalogue_review_marks (EarCatalogue *self, EarMarksFunc func, gpointer user_data, GDestroyNotify destroy)
{
  Review *review;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (func != NULL && destroy != NULL);

  if (self->care.exit == EAR_EXIT_CLEAN || self->closed || self->writer == NULL)
    {
      destroy (user_data);
      return;
    }
  review = g_new0 (Review, 1);
  review->func = func;
  review->user_data = user_data;
  review->destroy = destroy;
  ear_catalogue_push (self, ear_catalogue_op_new (&review_kind, 0, review));
}
