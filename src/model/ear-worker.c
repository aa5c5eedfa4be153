/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-worker.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

#ifdef __linux__
/* Under load, these threads get a tenth and a seventieth of the share of the
 * threads that draw. */
static const int niceness[] = { [EAR_WORKER_STORES] = 10, [EAR_WORKER_PREPARES] = 19 };
#endif

typedef struct
{
  GTask *task; /* used on the calling thread only */
  GDestroyNotify result_free;
} Work;

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Work *work = user_data;
  g_autoptr (GTask) task = work->task;
  g_autoptr (GError) error = NULL;
  gpointer value = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, value, work->result_free);
}

/**
 * ear_worker_run:
 * @task: (transfer full): the task; @func gets its data, and must return a pointer
 * @func: (scope async): runs on a worker thread, without a source object
 * @result_free: (nullable): frees an unused result of @func
 *
 * Runs a function on a worker thread, as g_task_run_in_thread() does, but never releases
 * @task there: it may hold the last reference to its source object, or to objects in its
 * data, which belong to the calling thread. GTask itself drops its reference on the
 * worker, maybe after the callback has run.
 */
void
ear_worker_run (GTask *task, GTaskThreadFunc func, GDestroyNotify result_free)
{
  Work *work = g_new0 (Work, 1);
  g_autoptr (GTask) apart = NULL;

  work->task = task;
  work->result_free = result_free;
  apart = g_task_new (NULL, g_task_get_cancellable (task), done_cb, work);
  g_task_set_source_tag (apart, ear_worker_run);
  g_task_set_task_data (apart, g_task_get_task_data (task), NULL);
  g_task_run_in_thread (apart, func);
}

/**
 * ear_worker_lower_priority:
 * @priority: priority of the calling thread
 *
 * Lowers the priority of the calling thread below threads that somebody waits for: those
 * that draw, here and in the display server, and, unless it stores itself, the one that
 * stores. On two processors, frames take twice as long if they share them with threads
 * that nobody waits for. The priority cannot be raised again, and new threads inherit it:
 * call it in a thread that does nothing else. On systems other than Linux the priority is
 * that of the whole process, and stays unchanged.
 */
void
ear_worker_lower_priority (EarWorkerPriority priority)
{
#ifdef __linux__
  if (priority != EAR_WORKER_ANSWERS)
    setpriority (PRIO_PROCESS, 0, niceness[priority]);
#endif
}
