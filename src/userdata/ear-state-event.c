/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-state-event.h"

EarStateEvent *
ear_state_event_new (EarStateEventType type)
{
  EarStateEvent *self = g_new0 (EarStateEvent, 1);

  self->type = type;

  return self;
}

/* Frees an event. */
void
ear_state_event_free (EarStateEvent *self)
{
  g_free (self->address);
  g_free (self->guid);
  g_clear_pointer (&self->states, g_hash_table_unref);
  g_clear_pointer (&self->subscriptions, g_ptr_array_unref);
  g_free (self->file);
  g_free (self->set_aside);
  g_clear_error (&self->error);
  g_clear_object (&self->task);
  g_free (self);
}
