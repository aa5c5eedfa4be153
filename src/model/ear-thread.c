/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-thread.h"

#ifdef __linux__
#include <sys/resource.h>

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

/* Runs a function on a worker thread, as g_task_run_in_thread() does, but never releases
 * @task there: it may hold the last reference to its source object, or to objects in its
 * data, which belong to the calling thread. GTask itself drops its reference on the
 * worker, maybe after the callback has run.
 * @task: (transfer full): the task; @func gets its data, and must return a pointer
 * @func: (scope async): runs on a worker thread, without a source object
 * @result_free: (nullable): frees an unused result of @func */
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

/* Lowers the priority of the calling thread below threads that somebody waits for: those
 * that draw, here and in the display server, and, unless it stores itself, the one that
 * stores. On two processors, frames take twice as long if they share them with threads
 * that nobody waits for. The priority cannot be raised again, and new threads inherit
 * it: call it in a thread that does nothing else. On systems other than Linux the
 * priority is that of the whole process, and stays unchanged. */
void
ear_worker_lower_priority (EarWorkerPriority priority)
{
#ifdef __linux__
  if (priority != EAR_WORKER_ANSWERS)
    setpriority (PRIO_PROCESS, 0, niceness[priority]);
#endif
}

/* Messages from other threads to the thread that owns the queue, in the order of
 * posting. The owner handles them in its main context, or all at once when it drains the
 * queue before ending. */
struct _EarMainQueue
{
  GSource source;

  GAsyncQueue *messages;
  EarMessageFunc func;
  gpointer user_data;
};

static gboolean
dispatch_messages (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);
  ear_main_queue_drain ((EarMainQueue *) source);

  return G_SOURCE_CONTINUE;
}

static void
finalize_queue (GSource *source)
{
  g_async_queue_unref (((EarMainQueue *) source)->messages);
}

EarMainQueue *
ear_main_queue_new (GMainContext *context, EarMessageFunc func, gpointer user_data)
{
  static GSourceFuncs functions = { .dispatch = dispatch_messages, .finalize = finalize_queue };
  EarMainQueue *self = (EarMainQueue *) g_source_new (&functions, sizeof (EarMainQueue));

  self->messages = g_async_queue_new ();
  self->func = func;
  self->user_data = user_data;
  g_source_set_static_name (&self->source, "[earmark] main queue");
  g_source_attach (&self->source, context);

  return self;
}

/* Any thread may call it. */
void
ear_main_queue_post (EarMainQueue *self, gpointer message)
{
  g_async_queue_push (self->messages, message);
  g_source_set_ready_time (&self->source, 0);
}

/* Handles all waiting messages, on the owner's thread. */
void
ear_main_queue_drain (EarMainQueue *self)
{
  gpointer message;

  /* The handler of a message may free the queue. */
  g_source_ref (&self->source);
  while ((message = g_async_queue_try_pop (self->messages)) != NULL)
    self->func (message, self->user_data);
  g_source_unref (&self->source);
}

void
ear_main_queue_free (EarMainQueue *self)
{
  g_source_destroy (&self->source);
  g_source_unref (&self->source);
}

/* A thread with a queue. The thread runs functions, in the order of the calls, in a main
 * context of its own, which is the thread's default and may have other sources as well. */
struct _EarThread
{
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  EarWorkerPriority priority;
};

static gpointer
run_thread (gpointer data)
{
  EarThread *self = data;

  ear_worker_lower_priority (self->priority);
  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  /* Run the functions queued before the end. */
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);

  return NULL;
}

/* Returns: (transfer full): a running thread, to be ended with ear_thread_stop() or
 * ear_thread_join() */
EarThread *
ear_thread_new (const char *name, EarWorkerPriority priority)
{
  EarThread *self = g_new0 (EarThread, 1);

  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->priority = priority;
  self->thread = g_thread_new (name, run_thread, self);

  return self;
}

GMainContext *
ear_thread_get_context (EarThread *self)
{
  return self->context;
}

/* Any thread may call it. Functions run in the order of the calls.
 * @func: function to run with @data, which it frees; always called */
void
ear_thread_push (EarThread *self, GSourceOnceFunc func, gpointer data)
{
  ear_context_push (self->context, func, data, NULL);
}

/* Ends the thread after all queued functions. May be called on the thread itself. */
void
ear_thread_quit (EarThread *self)
{
  g_main_loop_quit (self->loop);
}

/* Waits for its end. */
void
ear_thread_join (EarThread *self)
{
  g_thread_join (self->thread);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_free (self);
}

/* Runs all queued functions, ends the thread, and waits for its end. */
void
ear_thread_stop (EarThread *self)
{
  /* Quit from within the thread: g_main_loop_quit() before g_main_loop_run() has
   * no effect. */
  ear_thread_push (self, (GSourceOnceFunc) ear_thread_quit, self);
  ear_thread_join (self);
}

static gboolean
dispatch_once (GSource *source, GSourceFunc callback, gpointer user_data)
{
  ((GSourceOnceFunc) G_CALLBACK (callback)) (user_data);

  return G_SOURCE_REMOVE;
}

/* Runs a function in a context, after those pushed before; never directly, unlike
 * g_main_context_invoke().
 * @destroy: (nullable): frees @data in the end, even if the context is freed before
 * @func was called */
void
ear_context_push (GMainContext *context, GSourceOnceFunc func, gpointer data,
                  GDestroyNotify destroy)
{
  static GSourceFuncs functions = { .dispatch = dispatch_once };
  g_autoptr (GSource) source = g_source_new (&functions, sizeof (GSource));

  g_source_set_static_name (source, "[earmark] call");
  g_source_set_ready_time (source, 0);
  g_source_set_callback (source, G_SOURCE_FUNC (func), data, destroy);
  g_source_attach (source, context);
}
