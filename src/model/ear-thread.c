/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-thread.h"

/**
 * EarThread:
 *
 * A thread with a queue: it does what it is asked for, one thing after the other, in a main
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
  /* What was asked for before the end is still done. */
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);

  return NULL;
}

/**
 * ear_thread_new:
 * @name: (not nullable): what debuggers call it
 * @priority: how much way it makes for others
 *
 * Returns: (transfer full): a thread that runs, to be ended with ear_thread_stop() or ear_thread_join()
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
 * @func: what it is to do, with @data, which it frees; it is always called
 * @data: (transfer full): data of @func
 *
 * Any thread may call it. What is asked for first is done first.
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
 * Lets the thread end as soon as it has done what it was asked for. The thread itself may call it.
 */
void
ear_thread_quit (EarThread *self)
{
  g_main_loop_quit (self->loop);
}

/**
 * ear_thread_join:
 * @self: (transfer full): a thread that quits sooner or later
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
 * Waits until it has done what it was asked for, and ends it.
 */
void
ear_thread_stop (EarThread *self)
{
  /* From within: a loop that was asked to quit before it ran would run for ever. */
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
 * @func: what is to be done in it
 * @data: (transfer full): data of @func
 * @destroy: (nullable): frees @data in the end, also if the context goes before @func was called
 *
 * Has something done in the thread of a context, after what was pushed there before; never at
 * once, as g_main_context_invoke() does.
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
