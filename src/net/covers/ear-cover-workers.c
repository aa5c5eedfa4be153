/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-workers.h"

#include "ear-worker.h"

struct _EarCoverWorkers
{
  /* Owned */
  GThreadPool *pools[EAR_COVER_N_WORKERS];
  GQueue waiting; /* of Waiting */

  guint places;
};

typedef struct
{
  EarCoverWork work;
  gpointer data;
  GDestroyNotify data_free;
} Job;

typedef struct
{
  EarCoverPlaceFunc func;
  gpointer user_data;
} Waiting;

static void
job_free (Job *job)
{
  if (job->data_free != NULL)
    job->data_free (job->data);
  g_free (job);
}

static void
work_cb (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  Job *job = g_task_get_task_data (task);

  if (!g_task_return_error_if_cancelled (task))
    job->work (task, job->data);
}

/* Pictures are large, and come while feeds are read and stored: those go first. */
static void
decode_cb (gpointer data, gpointer user_data)
{
  ear_worker_lower_priority (EAR_WORKER_PREPARES);
  work_cb (data, user_data);
}

EarCoverWorkers *
ear_cover_workers_new (guint places)
{
  EarCoverWorkers *self = g_new0 (EarCoverWorkers, 1);

  self->pools[EAR_COVER_WORKER_FILES] = g_thread_pool_new (work_cb, NULL, 1, FALSE, NULL);
  /* A thread of its own, as its is another priority. */
  self->pools[EAR_COVER_WORKER_DECODER] = g_thread_pool_new (decode_cb, NULL, 1, TRUE, NULL);
  g_queue_init (&self->waiting);
  self->places = places;

  return self;
}

/**
 * ear_cover_workers_free:
 * @self: (transfer full): workers
 *
 * Waits for the work that is being done.
 */
void
ear_cover_workers_free (EarCoverWorkers *self)
{
  for (guint i = 0; i < EAR_COVER_N_WORKERS; i++)
    g_thread_pool_free (self->pools[i], FALSE, TRUE);
  g_queue_clear_full (&self->waiting, g_free);
  g_free (self);
}

/**
 * ear_cover_workers_run:
 * @work: (scope async): what to do, in its thread
 * @data: (transfer full): what @work needs, not used elsewhere meanwhile
 * @data_free: frees @data, in any thread
 *
 * Has something done, after what was asked for earlier.
 */
void
ear_cover_workers_run (EarCoverWorkers *self,
                       EarCoverWorker worker,
                       EarCoverWork work,
                       gpointer data,
                       GDestroyNotify data_free,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->work = work;
  job->data = data;
  job->data_free = data_free;
  g_task_set_source_tag (task, ear_cover_workers_run);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_thread_pool_push (self->pools[worker], task, NULL);
}

/**
 * ear_cover_workers_take_place:
 * @func: (scope async): called once there is a free place, maybe at once; the place is
 *   to be given back
 */
void
ear_cover_workers_take_place (EarCoverWorkers *self, EarCoverPlaceFunc func, gpointer user_data)
{
  Waiting *waiting;

  if (self->places > 0)
    {
      self->places--;
      func (user_data);
      return;
    }

  waiting = g_new0 (Waiting, 1);
  waiting->func = func;
  waiting->user_data = user_data;
  g_queue_push_tail (&self->waiting, waiting);
}

/* Gives back a place, to the next who waits for one. */
void
ear_cover_workers_release_slot (EarCoverWorkers *self)
{
  g_autofree Waiting *waiting = g_queue_pop_head (&self->waiting);

  if (waiting != NULL)
    waiting->func (waiting->user_data);
  else
    self->places++;
}
