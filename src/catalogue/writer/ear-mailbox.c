/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mailbox.h"

/*
 * Letters from the threads of the store to the thread that owns it, in the order in
 * which they were posted. The owner takes them in its main context, or all at once when
 * it empties the box; after that nothing arrives any more, so that no letter outlives
 * whom it is for.
 */
struct _EarMailbox
{
  /* Owned */
  GSource *source;
  GMutex mutex;
  GQueue letters; /* under the mutex */

  /* Borrowed */
  EarLetterFunc func;
  gpointer user_data;
};

static void
mailbox_clear (gpointer data)
{
  EarMailbox *self = data;

  g_source_unref (self->source);
  g_mutex_clear (&self->mutex);
}

typedef struct
{
  GSource parent;
  EarMailbox *mailbox;
} MailSource;

static gboolean
mail_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_source_set_ready_time (source, -1);
  ear_mailbox_empty (((MailSource *) source)->mailbox);

  return G_SOURCE_CONTINUE;
}

static GSourceFuncs mail_source_funcs = {
  .dispatch = mail_source_dispatch,
};

/**
 * ear_mailbox_new:
 * @context: main context of the owner
 * @func: takes each letter
 * @user_data: data for @func
 *
 * Returns: (transfer full): an empty box
 */
EarMailbox *
ear_mailbox_new (GMainContext *context, EarLetterFunc func, gpointer user_data)
{
  EarMailbox *self = g_rc_box_new0 (EarMailbox);

  g_mutex_init (&self->mutex);
  g_queue_init (&self->letters);
  self->func = func;
  self->user_data = user_data;
  self->source = g_source_new (&mail_source_funcs, sizeof (MailSource));
  ((MailSource *) self->source)->mailbox = self;
  g_source_set_static_name (self->source, "[earmark] mailbox");
  g_source_attach (self->source, context);

  return self;
}

/**
 * ear_mailbox_post:
 * @self: a box
 * @letter: (transfer full): a letter
 *
 * Puts a letter in. Any thread may call it.
 */
void
ear_mailbox_post (EarMailbox *self, gpointer letter)
{
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->letters, letter);
  g_mutex_unlock (&self->mutex);
  g_source_set_ready_time (self->source, 0);
}

/**
 * ear_mailbox_empty:
 * @self: a box
 *
 * Takes all letters that are there, on the owner's thread.
 */
void
ear_mailbox_empty (EarMailbox *self)
{
  gpointer letter;

  /* Whoever takes a letter may free the box. */
  g_rc_box_acquire (self);
  do
    {
      g_mutex_lock (&self->mutex);
      letter = g_queue_pop_head (&self->letters);
      g_mutex_unlock (&self->mutex);
      if (letter != NULL)
        self->func (letter, self->user_data);
    }
  while (letter != NULL);
  g_rc_box_release_full (self, mailbox_clear);
}

/**
 * ear_mailbox_free:
 * @self: (transfer full): a box that was emptied, and that nobody posts to any more
 */
void
ear_mailbox_free (EarMailbox *self)
{
  g_source_destroy (self->source);
  g_rc_box_release_full (self, mailbox_clear);
}
