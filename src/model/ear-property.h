/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * EarProperty:
 * @name: what it is called
 * @type: `G_TYPE_BOOLEAN`, `G_TYPE_INT`, `G_TYPE_UINT`, `G_TYPE_INT64`, `G_TYPE_UINT64`, `G_TYPE_DOUBLE`, `G_TYPE_STRING`,
 *   an enumeration, a class, an interface or a boxed type; that, without a @set, and a `guint64` can be read only
 * @flags: who may set it
 * @offset: where an object has its value, from `G_STRUCT_OFFSET`
 * @changed: (nullable): `void changed (self)`, what another value entails, before it is notified of
 * @set: (nullable): `void set (self, value)`, which does all of it: stores the value, and notifies
 * @get: (nullable): `value get (self)`, where no field has it; not of a `guint64`
 * @spec: (nullable): in place of name, type and flags, where it has bounds, or begins with another value than 0 or %NULL; with
 *   the type of the field where that is a `gint64`, and the property a truth value
 *
 * A property of a class, most often one of the fields of its structure.
 */
typedef struct
{
  const char *name;
  GType type;
  GParamFlags flags;
  glong offset;
  GCallback changed;
  GCallback set;
  GCallback get;
  GParamSpec *spec;
} EarProperty;

/**
 * EAR_DEFINE_GET:
 * @Class: a class
 * @prefix: what its functions are called by
 * @Value: the type of a field of its structure
 * @field: the field
 *
 * Defines the function `Value prefix_get_field (Class *self)`, which tells what the field has. What that points to is lent.
 */
#define EAR_DEFINE_GET(Class, prefix, Value, field) \
  Value \
  prefix##_get_##field (Class *self) \
  { \
    g_return_val_if_fail (G_TYPE_CHECK_INSTANCE_TYPE (self, prefix##_get_type ()), (Value) 0); \
\
    return self->field; \
  }

void     ear_properties_install   (GObjectClass      *object_class,
                                   const EarProperty *properties,
                                   guint              n_properties);
gboolean ear_property_set_number  (gpointer           object,
                                   const char        *name,
                                   int                value);
gboolean ear_property_set_boolean (gpointer           object,
                                   const char        *name,
                                   gboolean           value);
gboolean ear_property_set_int64   (gpointer           object,
                                   const char        *name,
                                   gint64             value);
gboolean ear_property_set_double  (gpointer           object,
                                   const char        *name,
                                   double             value);
gboolean ear_property_set_string  (gpointer           object,
                                   const char        *name,
                                   const char        *value);

G_END_DECLS
