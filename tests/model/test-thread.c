/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gio/gio.h>

#include "ear-test-wait.h"
#include "ear-thread.h"

/* Threads with a queue, calls in another context, and workers */

#define N_CALLS 1000

typedef struct
{
  EarThread *thread;
  GThread *home;
  GArray *order; /* (element-type guint) */
  guint n_freed;
} Fixture;

typedef struct
{
  Fixture *fixture;
  guint number;
} Call;

static Call *
call_new (Fixture *fixture, guint number)
{
  const Call call = { fixture, number };

  return g_memdup2 (&call, sizeof call);
}

static void
call_free (gpointer data)
{
  ((Call *) data)->fixture->n_freed++;
  g_free (data);
}

static void
note (gpointer data)
{
  g_autofree Call *call = data;

  g_assert_true (g_thread_self () != call->fixture->home);
  g_array_append_val (call->fixture->order, call->number);
}

static void
note_at_home (gpointer data)
{
  Call *call = data;

  g_assert_true (g_thread_self () == call->fixture->home);
  g_array_append_val (call->fixture->order, call->number);
}

static void
assert_in_order (Fixture *fixture, guint n_calls)
{
  g_assert_cmpuint (fixture->order->len, ==, n_calls);
  for (guint i = 0; i < n_calls; i++)
    g_assert_cmpuint (g_array_index (fixture->order, guint, i), ==, i);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = g_thread_self ();
  fixture->order = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_array_unref (fixture->order);
}

/* All queued calls run, in order, though the thread is asked to stop at once. */
static void
test_stop (Fixture *fixture, gconstpointer data)
{
  EarThread *thread = ear_thread_new ("test", EAR_WORKER_ANSWERS);

  for (guint i = 0; i < N_CALLS; i++)
    ear_thread_push (thread, note, call_new (fixture, i));
  ear_thread_stop (thread);
  assert_in_order (fixture, N_CALLS);
}

static void
ask_more_and_quit (gpointer data)
{
  Fixture *fixture = data;

  ear_thread_quit (fixture->thread);
  for (guint i = 0; i < N_CALLS; i++)
    ear_thread_push (fixture->thread, note, call_new (fixture, i));
}

/* A thread that ends by itself runs the calls queued until then. */
static void
test_quit (Fixture *fixture, gconstpointer data)
{
  fixture->thread = ear_thread_new ("test", EAR_WORKER_PREPARES);
  ear_thread_push (fixture->thread, ask_more_and_quit, fixture);
  ear_thread_join (fixture->thread);
  assert_in_order (fixture, N_CALLS);
}

static void
call_home (gpointer data)
{
  for (guint i = 0; i < N_CALLS; i++)
    ear_context_push (g_main_context_default (), note_at_home, call_new (data, i), call_free);
}

/* Calls run in another context in order, never at once. Those that never run are freed. */
static void
test_context (Fixture *fixture, gconstpointer data)
{
  EarThread *thread = ear_thread_new ("test", EAR_WORKER_ANSWERS);
  GMainContext *context = g_main_context_new ();

  ear_context_push (NULL, note_at_home, call_new (fixture, 0), call_free);
  g_assert_cmpuint (fixture->order->len, ==, 0);
  EAR_TEST_WAIT_UNTIL (fixture->n_freed > 0);
  g_array_set_size (fixture->order, 0);

  ear_thread_push (thread, call_home, fixture);
  EAR_TEST_WAIT_UNTIL (fixture->n_freed == N_CALLS + 1);
  ear_thread_stop (thread);
  assert_in_order (fixture, N_CALLS);

  ear_context_push (context, note_at_home, call_new (fixture, 0), call_free);
  g_main_context_unref (context);
  g_assert_cmpuint (fixture->n_freed, ==, N_CALLS + 2);
  assert_in_order (fixture, N_CALLS);
}

static void
take_message (gpointer message, gpointer user_data)
{
  Fixture *fixture = user_data;

  note_at_home (message);
  call_free (message);
  g_assert_true (fixture->order->len == fixture->n_freed);
}

static gpointer
post_messages (gpointer data)
{
  gpointer *both = data;

  for (guint i = 0; i < N_CALLS; i++)
    ear_main_queue_post (both[1], call_new (both[0], i));

  return NULL;
}

/* Messages are handled as they arrive, or all queued ones by draining the queue. */
static void
test_main_queue (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EarMainQueue) queue = ear_main_queue_new (NULL, take_message, fixture);
  gpointer both[] = { fixture, queue };
  const gboolean drains = data != NULL;
  GThread *thread = g_thread_new ("poster", post_messages, both);

  while (!drains && fixture->n_freed < N_CALLS)
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
  ear_main_queue_drain (queue);
  assert_in_order (fixture, N_CALLS);
}

/* --- A worker, for one long job ------------------------------------------------------- */

/* Enough for a worker to drop its task after the callback has run */
#define N_RUNS 500

typedef struct
{
  GThread *thread; /* the thread that all objects belong to */
  guint n_done, n_finalized;
  GObject *source; /* the caller's reference, dropped in the callback */
  GError *error;
  gpointer value;
} Answers;

static void
finalized_cb (gpointer user_data, GObject *where_it_was)
{
  Answers *answers = user_data;

  g_assert_true (g_thread_self () == answers->thread);
  answers->n_finalized++;
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answers *answers = user_data;

  answers->value = g_task_propagate_pointer (G_TASK (result), &answers->error);
  answers->n_done++;
  g_clear_object (&answers->source);
}

static void
run (Answers *answers, GCancellable *cancellable, gpointer data, GTaskThreadFunc func)
{
  answers->source = g_object_new (G_TYPE_SIMPLE_ACTION, "name", "it", NULL);
  g_object_weak_ref (answers->source, finalized_cb, answers);
  GTask *task = g_task_new (answers->source, cancellable, answered_cb, answers);
  g_task_set_task_data (task, data, NULL);
  ear_worker_run (task, func, g_free);
}

static void
wait_for (Answers *answers, guint n_done)
{
  EAR_TEST_WAIT_UNTIL (answers->n_done == n_done && answers->n_finalized == n_done);
}

static void
say_done_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Answers *answers = task_data;

  g_assert_null (source);
  g_assert_true (g_thread_self () != answers->thread);
  g_task_return_pointer (task, g_strdup ("done"), g_free);
}

static void
fail_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "No space");
}

static void
test_home (void)
{
  Answers answers = { .thread = g_thread_self () };

  for (guint i = 0; i < N_RUNS; i++)
    {
      run (&answers, NULL, &answers, say_done_thread);
      wait_for (&answers, i + 1);
      g_assert_no_error (answers.error);
      ear_test_assert_text (g_steal_pointer (&answers.value), "done");
    }
}

static void
test_error (void)
{
  Answers answers = { .thread = g_thread_self () };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  run (&answers, NULL, NULL, fail_thread);
  wait_for (&answers, 1);
  g_assert_error (answers.error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_null (answers.value);
  g_clear_error (&answers.error);

  run (&answers, cancellable, &answers, say_done_thread);
  g_cancellable_cancel (cancellable);
  wait_for (&answers, 2);
  g_assert_error (answers.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (answers.value);
  g_clear_error (&answers.error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, data, test) g_test_add ("/model/thread/" name, Fixture, data, set_up, test, tear_down)
  ADD ("stop", NULL, test_stop);
  ADD ("quit", NULL, test_quit);
  ADD ("context", NULL, test_context);
  ADD ("main-queue", NULL, test_main_queue);
  ADD ("main-queue/drained", "drains", test_main_queue);
#undef ADD
  g_test_add_func ("/worker/home", test_home);
  g_test_add_func ("/worker/error", test_error);

  return g_test_run ();
}
