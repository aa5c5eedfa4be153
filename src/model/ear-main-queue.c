/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-main-queue.h"

/**
 * EarMainQueue:
 *
 * Messages from other threads to the thread that owns the queue, in the order of
 * posting. The owner handles them in its main context, or all at once when it drains the
 * queue before ending.
 */
struct _EarMainQueue
{
  GSource *source;
  GAsyncQueue *messages;
  EarMessageFunc func;
  gpointer user_data;
};

static void
main_queue_clear (gpointer data)
{
  EarMainQueue *self = data;

  g_source_unref (self->source);
  g_async_queue_unref (self->messages);
}

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);

  return callback (user_data);
}

static gboolean
drain_cb (gpointer user_data)
{
  ear_main_queue_drain (user_data);

  return G_SOURCE_CONTINUE;
}

EarMainQueue *
ear_main_queue_new (GMainContext *context, EarMessageFunc func, gpointer user_data)
{
  static GSourceFuncs functions = { .dispatch = dispatch };
  EarMainQueue *self = g_rc_box_new0 (EarMainQueue);

  self->messages = g_async_queue_new ();
  self->func = func;
  self->user_data = user_data;
  self->source = g_source_new (&functions, sizeof (GSource));
  g_source_set_static_name (self->source, "[earmark] main queue");
  g_source_set_callback (self->source, drain_cb, self, NULL);
  g_source_attach (self->source, context);

  return self;
}

/**
 * ear_main_queue_post:
 * @self: a queue
 * @message: (transfer full): a message
 *
 * Any thread may call it.
 */
void
ear_main_queue_post (EarMainQueue *self, gpointer message)
{
  g_async_queue_push (self->messages, message);
  g_source_set_ready_time (self->source, 0);
}

/**
 * ear_main_queue_drain:
 * @self: a queue
 *
 * Handles all waiting messages, on the owner's thread.
 */
void
ear_main_queue_drain (EarMainQueue *self)
{
  gpointer message;

  /* The handler of a message may free the queue. */
  g_rc_box_acquire (self);
  while ((message = g_async_queue_try_pop (self->messages)) != NULL)
    self->func (message, self->user_data);
  g_rc_box_release_full (self, main_queue_clear);
}

/**
 * ear_main_queue_free:
 * @self: (transfer full): a drained queue, to which nothing is posted any more
 */
void
ear_main_queue_free (EarMainQueue *self)
{
  g_source_destroy (self->source);
  g_rc_box_release_full (self, main_queue_clear);
}
