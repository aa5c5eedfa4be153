/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-services.h"

/* All members are objects. */
#define N_SERVICES (sizeof (EarServices) / sizeof (GObject *))

/* Takes a reference to each part that exists. */
void
ear_services_copy (EarServices *self, const EarServices *from)
{
  GObject **objects = (GObject **) self;
  GObject *const *others = (GObject *const *) from;

  for (gsize i = 0; i < N_SERVICES; i++)
    g_set_object (&objects[i], others[i]);
}

/* Releases the parts: those that were created last, and may use the others, come first. */
void
ear_services_clear (EarServices *self)
{
  GObject **objects = (GObject **) self;

  for (gsize i = N_SERVICES; i-- > 0;)
    g_clear_object (&objects[i]);
}
