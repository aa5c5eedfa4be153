/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-event.h"

EarUserdataEvent *
ear_userdata_event_new (EarUserdataEventType type)
{
  EarUserdataEvent *self = g_new0 (EarUserdataEvent, 1);

  self->type = type;

  return self;
}

/* Frees an event. */
void
ear_userdata_event_free (EarUserdataEvent *self)
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
