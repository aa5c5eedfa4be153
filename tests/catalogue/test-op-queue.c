/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-writer.h"

/* The queue of the catalogue's writer, without a writer */

#define LARGE (10 * 1024 * 1024) /* fills one transaction; two exceed the queue */

static EarCatalogueOp *
new_batch (gint64 podcast, gsize size)
{
  EarCatalogueOp *op =
      ear_catalogue_op_new ((EarCatalogueOp) { .flags = EAR_OP_BATCH, .podcast = podcast });

  op->size = size;

  return op;
}

static void
push (EarOpQueue *queue, EarCatalogueOp *op)
{
  g_assert_null (ear_op_queue_push (queue, op));
}

/* Takes one transaction, which must have operations of these podcasts. */
static void
take (EarOpQueue *queue, const char *expected)
{
  GQueue taken = G_QUEUE_INIT;
  g_autoptr (GString) podcasts = g_string_new (NULL);

  ear_op_queue_take (queue, &taken, -1);
  while (!g_queue_is_empty (&taken))
    {
      g_autoptr (EarCatalogueOp) op = g_queue_pop_head (&taken);

      g_string_append_printf (podcasts, "%d", (int) op->podcast);
      ear_op_queue_release (queue, op);
    }
  g_assert_cmpstr (podcasts->str, ==, expected);
}

static void
close_and_free (EarOpQueue *queue)
{
  GQueue taken = G_QUEUE_INIT;

  ear_op_queue_close (queue);
  g_assert_false (ear_op_queue_take (queue, &taken, -1));
  ear_op_queue_free (queue);
}

static gpointer
push_thread (gpointer user_data)
{
  return ear_op_queue_push (user_data, new_batch (2, LARGE));
}

static gpointer
take_thread (gpointer user_data)
{
  GQueue taken = G_QUEUE_INIT;

  return GINT_TO_POINTER (ear_op_queue_take (user_data, &taken, -1));
}

/* Gives the thread time to block; the test also passes if it does not. */
static void
let_it_wait (void)
{
  g_usleep (G_TIME_SPAN_SECOND / 20);
}

static void
test_order (void)
{
  EarOpQueue *queue = ear_op_queue_new ();

  push (queue, new_batch (1, 10));
  push (queue, ear_catalogue_op_new ((EarCatalogueOp) { .podcast = 2 }));
  push (queue, new_batch (3, 10));
  take (queue, "123");
  close_and_free (queue);
}

static void
test_room (void)
{
  EarOpQueue *queue = ear_op_queue_new ();
  GThread *thread;

  push (queue, new_batch (1, LARGE));
  thread = g_thread_new ("push", push_thread, queue);
  take (queue, "1");
  g_assert_null (g_thread_join (thread));
  take (queue, "2");
  close_and_free (queue);
}

static void
test_close (void)
{
  EarOpQueue *queue = ear_op_queue_new ();
  GThread *thread = g_thread_new ("take", take_thread, queue);
  g_autoptr (EarCatalogueOp) refused = NULL;
  EarCatalogueOp *op;

  let_it_wait ();
  ear_op_queue_close (queue);
  g_assert_null (g_thread_join (thread));
  op = ear_catalogue_op_new ((EarCatalogueOp) { .flags = EAR_OP_FLUSH });
  refused = ear_op_queue_push (queue, op);
  g_assert_true (refused == op);
  ear_op_queue_free (queue);
}

static void
test_close_without_room (void)
{
  EarOpQueue *queue = ear_op_queue_new ();
  g_autoptr (EarCatalogueOp) refused = NULL;
  GThread *thread;

  push (queue, new_batch (1, LARGE));
  thread = g_thread_new ("push", push_thread, queue);
  let_it_wait ();
  ear_op_queue_close (queue);
  refused = g_thread_join (thread);
  g_assert_nonnull (refused);
  take (queue, "1");
  ear_op_queue_free (queue);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/op-queue/order", test_order);
  g_test_add_func ("/op-queue/room", test_room);
  g_test_add_func ("/op-queue/close", test_close);
  g_test_add_func ("/op-queue/close-without-room", test_close_without_room);

  return g_test_run ();
}
