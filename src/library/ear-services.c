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

G_DEFINE_ABSTRACT_TYPE (EarPart, ear_part, G_TYPE_OBJECT)

static void
ear_part_dispose (GObject *object)
{
  ear_services_clear (&((EarPart *) object)->services);

  G_OBJECT_CLASS (ear_part_parent_class)->dispose (object);
}

static void
ear_part_class_init (EarPartClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_part_dispose;
}

static void
ear_part_init (EarPart *self)
{
}

/* @type: a class of parts
 * Returns: (transfer full): an object that holds a copy of @services */
gpointer
ear_part_new (GType type, const EarServices *services)
{
  EarPart *self = g_object_new (type, NULL);

  ear_services_copy (&self->services, services);

  return self;
}
