/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-worker.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

#ifdef __linux__
/* Where there is not enough for all: a tenth of what who draws gets, and a seventieth */
static const int niceness[] = { [EAR_WORKER_STORES] = 10, [EAR_WORKER_PREPARES] = 19 };
#endif

typedef struct
{
  GTask *task; /* in the thread that asked only */
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
 * @task: (transfer full): what is to be done; @func gets its data, and must return a pointer
 * @func: (scope async): does it, on a worker thread; without a source object
 * @result_free: (nullable): frees what @func returns, where nobody wants it
 *
 * Runs a function on a worker thread, as g_task_run_in_thread() does, except that nothing of @task
 * is ever let go of there: with it might go the last reference to its source object or to
 * what is in its data, which are at home in the thread that asks. GTask drops its reference on the
 * worker, and that may come after the callback has run.
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
 * @priority: how the calling thread is to run
 *
 * Lets the calling thread make way for all that have something to do for somebody who waits: for
 * who draws, ours and the display server, and, if it does not store itself, for who stores. On two
 * processors a frame takes as long again where these have to share with threads that nobody waits for.
 * It cannot be taken back, and goes over to threads that this one
 * makes: call it in one that does nothing else. Elsewhere than on Linux the priority is that of
 * the whole process, and stays as it is.
 */
void
ear_worker_lower_priority (EarWorkerPriority priority)
{
#ifdef __linux__
  if (priority != EAR_WORKER_ANSWERS)
    setpriority (PRIO_PROCESS, 0, niceness[priority]);
#endif
}
