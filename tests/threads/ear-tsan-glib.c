/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <gio/gio.h>

/* Loaded before all other libraries by `./dev test thread`. ThreadSanitizer only sees
 * code that was compiled for it, and GLib's locks are futexes: it would report every
 * access that they protect as a race. The wrappers here announce these locks to it, and
 * the values that GLib passes from one thread to another. */

/* Python and the shell also load this library, and have no sanitizer. */
extern void __tsan_acquire (void *) __attribute__ ((weak));
extern void __tsan_release (void *) __attribute__ ((weak));

static void
acquire (gpointer what)
{
  if (__tsan_acquire != NULL && what != NULL)
    __tsan_acquire (what);
}

static void
release (gpointer what)
{
  if (__tsan_release != NULL && what != NULL)
    __tsan_release (what);
}

#define NEXT(name) static __typeof__ (&name) next; if (next == NULL) next = dlsym (RTLD_NEXT, #name)

#define LOCK(name, type) \
  void name (type *lock) { NEXT (name); next (lock); acquire (lock); }
#define TRY(name, type) \
  gboolean name (type *lock) { NEXT (name); gboolean got = next (lock); if (got) acquire (lock); return got; }
#define UNLOCK(name, type) \
  void name (type *lock) { NEXT (name); release (lock); next (lock); }

/* Dropping the last reference happens after all other accesses. */
#define UNREF(name, type) \
  void name (type thing) { NEXT (name); release (thing); acquire (thing); next (thing); }

LOCK (g_mutex_lock, GMutex)
TRY (g_mutex_trylock, GMutex)
UNLOCK (g_mutex_unlock, GMutex)
LOCK (g_rec_mutex_lock, GRecMutex)
TRY (g_rec_mutex_trylock, GRecMutex)
UNLOCK (g_rec_mutex_unlock, GRecMutex)
LOCK (g_rw_lock_reader_lock, GRWLock)
UNLOCK (g_rw_lock_reader_unlock, GRWLock)
LOCK (g_rw_lock_writer_lock, GRWLock)
UNLOCK (g_rw_lock_writer_unlock, GRWLock)

UNREF (g_object_unref, gpointer)
UNREF (g_bytes_unref, GBytes *)
UNREF (g_variant_unref, GVariant *)
UNREF (g_hash_table_unref, GHashTable *)
UNREF (g_ptr_array_unref, GPtrArray *)
UNREF (g_array_unref, GArray *)
UNREF (g_main_context_unref, GMainContext *)
UNREF (g_source_unref, GSource *)
UNREF (g_atomic_rc_box_release, gpointer)

void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify clear)
{
  NEXT (g_atomic_rc_box_release_full);
  release (box);
  acquire (box);
  next (box, clear);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  NEXT (g_cond_wait);
  release (mutex);
  next (cond, mutex);
  acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end)
{
  NEXT (g_cond_wait_until);
  gboolean signalled;

  release (mutex);
  signalled = next (cond, mutex, end);
  acquire (mutex);

  return signalled;
}

/* --- Queues and pools --------------------------------------------------------------- */

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  NEXT (g_async_queue_push);
  release (queue);
  next (queue, data);
}

void
g_async_queue_push_front (GAsyncQueue *queue, gpointer data)
{
  NEXT (g_async_queue_push_front);
  release (queue);
  next (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  NEXT (g_async_queue_pop);
  gpointer data = next (queue);

  acquire (queue);

  return data;
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  NEXT (g_thread_pool_push);
  release (data);

  return next (pool, data, error);
}

typedef struct
{
  GFunc function;
  gpointer user_data;
} PoolCall;

static void
pool_cb (gpointer data, gpointer user_data)
{
  PoolCall *call = user_data;

  acquire (data);
  acquire (call);
  call->function (data, call->user_data);
}

/* Never freed: there is no notification when the pool is gone. */
GThreadPool *
g_thread_pool_new (GFunc function, gpointer user_data, gint max_threads, gboolean exclusive, GError **error)
{
  NEXT (g_thread_pool_new);
  PoolCall *call = g_new0 (PoolCall, 1);

  call->function = function;
  call->user_data = user_data;
  release (call);

  return next (pool_cb, call, max_threads, exclusive, error);
}

/* --- Tasks -------------------------------------------------------------------------- */

static void
task_cb (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GTaskThreadFunc function = g_object_get_data (G_OBJECT (task), "ear-tsan");

  acquire (task);
  function (task, source, task_data, cancellable);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc function)
{
  NEXT (g_task_run_in_thread);
  g_object_set_data (G_OBJECT (task), "ear-tsan", function);
  release (task);
  next (task, task_cb);
}

void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify notify)
{
  NEXT (g_task_return_pointer);
  release (task);
  next (task, result, notify);
}

void
g_task_return_boolean (GTask *task, gboolean result)
{
  NEXT (g_task_return_boolean);
  release (task);
  next (task, result);
}

void
g_task_return_int (GTask *task, gssize result)
{
  NEXT (g_task_return_int);
  release (task);
  next (task, result);
}

void
g_task_return_error (GTask *task, GError *error)
{
  NEXT (g_task_return_error);
  release (task);
  next (task, error);
}

gpointer
g_task_propagate_pointer (GTask *task, GError **error)
{
  NEXT (g_task_propagate_pointer);
  acquire (task);

  return next (task, error);
}

gboolean
g_task_propagate_boolean (GTask *task, GError **error)
{
  NEXT (g_task_propagate_boolean);
  acquire (task);

  return next (task, error);
}

gssize
g_task_propagate_int (GTask *task, GError **error)
{
  NEXT (g_task_propagate_int);
  acquire (task);

  return next (task, error);
}

/* --- Main contexts ------------------------------------------------------------------ */

typedef struct
{
  GSourceFunc function;
  gpointer user_data;
  GDestroyNotify notify;
  GSource *source; /* (nullable) (not owned): orders later sources after it */
} Call;

static Call *
call_new (GSource *source, GSourceFunc function, gpointer user_data, GDestroyNotify notify)
{
  Call *call = g_new0 (Call, 1);

  call->source = source;
  call->function = function;
  call->user_data = user_data;
  call->notify = notify;
  release (call);

  return call;
}

guint
g_source_attach (GSource *source, GMainContext *context)
{
  NEXT (g_source_attach);
  release (source);

  return next (source, context);
}

static gboolean
call_cb (gpointer data)
{
  Call *call = data;

  acquire (call);
  acquire (call->source);

  return call->function (call->user_data);
}

static void
call_free (gpointer data)
{
  Call *call = data;

  acquire (call);
  if (call->notify != NULL)
    call->notify (call->user_data);
  g_free (call);
}

/* Only idle and timeout sources are known to call a GSourceFunc; other sources call
 * functions of other types. */
void
g_source_set_callback (GSource *source, GSourceFunc function, gpointer user_data, GDestroyNotify notify)
{
  NEXT (g_source_set_callback);

  if (source->source_funcs == &g_idle_funcs || source->source_funcs == &g_timeout_funcs)
    next (source, call_cb, call_new (source, function, user_data, notify), call_free);
  else
    next (source, function, user_data, notify);
}

guint
g_idle_add_full (gint priority, GSourceFunc function, gpointer user_data, GDestroyNotify notify)
{
  NEXT (g_idle_add_full);

  return next (priority, call_cb, call_new (NULL, function, user_data, notify), call_free);
}

void
g_main_context_invoke_full (GMainContext *context, gint priority, GSourceFunc function, gpointer user_data, GDestroyNotify notify)
{
  NEXT (g_main_context_invoke_full);
  next (context, priority, call_cb, call_new (NULL, function, user_data, notify), call_free);
}

void
g_main_context_invoke (GMainContext *context, GSourceFunc function, gpointer user_data)
{
  g_main_context_invoke_full (context, G_PRIORITY_DEFAULT, function, user_data, NULL);
}
