/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>

#include "ear-thread.h"

/* Enough runs to make it likely that the worker drops its task after the callback has
 * run */
#define N_RUNS 500

typedef struct
{
  GThread *thread; /* the thread that all objects belong to */
  guint n_done, n_finalized;
  gboolean is_elsewhere;
  GObject *source; /* the caller's reference, dropped in the callback */
  GError *error;
  gpointer value;
} Fixture;

static void
finalized_cb (gpointer user_data, GObject *where_it_was)
{
  Fixture *fixture = user_data;

  fixture->n_finalized++;
  if (g_thread_self () != fixture->thread)
    fixture->is_elsewhere = TRUE;
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->value = g_task_propagate_pointer (G_TASK (result), &fixture->error);
  fixture->n_done++;
  g_clear_object (&fixture->source);
}

static void
run (Fixture *fixture, GCancellable *cancellable, gpointer data, GTaskThreadFunc func)
{
  GTask *task;

  fixture->source = g_object_new (G_TYPE_SIMPLE_ACTION, "name", "it", NULL);
  g_object_weak_ref (fixture->source, finalized_cb, fixture);
  task = g_task_new (fixture->source, cancellable, answered_cb, fixture);
  g_task_set_task_data (task, data, NULL);
  ear_worker_run (task, func, g_free);
}

static void
wait_for (Fixture *fixture, guint n_done)
{
  while (fixture->n_done < n_done || fixture->n_finalized < n_done)
    g_main_context_iteration (NULL, TRUE);
}

static void
say_done_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Fixture *fixture = task_data;

  g_assert_null (source);
  g_assert_true (g_thread_self () != fixture->thread);
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
  Fixture fixture = { .thread = g_thread_self () };

  for (guint i = 0; i < N_RUNS; i++)
    {
      g_autofree char *value = NULL;

      run (&fixture, NULL, &fixture, say_done_thread);
      wait_for (&fixture, i + 1);
      value = g_steal_pointer (&fixture.value);
      g_assert_no_error (fixture.error);
      g_assert_cmpstr (value, ==, "done");
    }
  g_assert_false (fixture.is_elsewhere);
}

static void
test_error (void)
{
  Fixture fixture = { .thread = g_thread_self () };

  run (&fixture, NULL, NULL, fail_thread);
  wait_for (&fixture, 1);
  g_assert_error (fixture.error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_null (fixture.value);
  g_clear_error (&fixture.error);
}

static void
test_cancelled (void)
{
  Fixture fixture = { .thread = g_thread_self () };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  run (&fixture, cancellable, &fixture, say_done_thread);
  g_cancellable_cancel (cancellable);
  wait_for (&fixture, 1);
  g_assert_error (fixture.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (fixture.value);
  g_clear_error (&fixture.error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/home", test_home);
  g_test_add_func ("/worker/error", test_error);
  g_test_add_func ("/worker/cancelled", test_cancelled);
  return g_test_run ();
}
