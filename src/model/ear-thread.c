/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-thread.h"

/**
 * EarThread:
 *
 * A thread with a queue. The thread runs functions, in the order of the calls, in a main
 * context of its own, which is the thread's default and may have other sources as well.
 */
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

/**
 * ear_thread_new:
 * @name: (not nullable): name for debuggers
 * @priority: priority of the thread
 *
 * Returns: (transfer full): a running thread, to be ended with
 *   ear_thread_stop() or ear_thread_join()
 */
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

/**
 * ear_thread_push:
 * @self: a thread
 * @func: function to run with @data, which it frees; always called
 * @data: (transfer full): data of @func
 *
 * Any thread may call it. Functions run in the order of the calls.
 */
void
ear_thread_push (EarThread *self, GSourceOnceFunc func, gpointer data)
{
  ear_context_push (self->context, func, data, NULL);
}

/**
 * ear_thread_quit:
 * @self: a thread
 *
 * Ends the thread after all queued functions. May be called on the thread itself.
 */
void
ear_thread_quit (EarThread *self)
{
  g_main_loop_quit (self->loop);
}

/**
 * ear_thread_join:
 * @self: (transfer full): a thread that ends after ear_thread_quit()
 *
 * Waits for its end.
 */
void
ear_thread_join (EarThread *self)
{
  g_thread_join (self->thread);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_free (self);
}

static void
quit_once (gpointer data)
{
  ear_thread_quit (data);
}

/**
 * ear_thread_stop:
 * @self: (transfer full): a thread
 *
 * Runs all queued functions, ends the thread, and waits for its end.
 */
void
ear_thread_stop (EarThread *self)
{
  /* Quit from within the thread: g_main_loop_quit() before g_main_loop_run() has
   * no effect. */
  ear_thread_push (self, quit_once, self);
  ear_thread_join (self);
}

typedef struct
{
  GSourceOnceFunc func;
  gpointer data;
  GDestroyNotify destroy;
} Call;

static gboolean
call_cb (gpointer data)
{
  Call *call = data;

  call->func (call->data);

  return G_SOURCE_REMOVE;
}

static void
call_free (gpointer data)
{
  Call *call = data;

  if (call->destroy != NULL)
    call->destroy (call->data);
  g_free (call);
}

/**
 * ear_context_push:
 * @context: a main context
 * @func: function to run in it
 * @data: (transfer full): data of @func
 * @destroy: (nullable): frees @data in the end, even if the context is freed before
 *   @func was called
 *
 * Runs a function in a context, after those pushed before; never
 * directly, unlike g_main_context_invoke().
 */
void
ear_context_push (GMainContext *context, GSourceOnceFunc func, gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Call *call = g_new (Call, 1);

  *call = (Call) { func, data, destroy };
  g_source_set_static_name (source, "[earmark] call");
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, call_cb, call, call_free);
  g_source_attach (source, context);
}
