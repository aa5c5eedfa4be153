/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * EarProperty:
 * @name: its name
 * @type: `G_TYPE_BOOLEAN`, `G_TYPE_INT`, `G_TYPE_UINT`, `G_TYPE_INT64`, `G_TYPE_UINT64`,
 *   `G_TYPE_DOUBLE`, `G_TYPE_STRING`, an enumeration, a class, an interface or a boxed
 *   type; a boxed type without a @set, and a `guint64`, are read-only
 * @flags: readable, writable
 * @offset: offset of the field in the object, from `G_STRUCT_OFFSET`
 * @changed: (nullable): `void changed (self)`, called after a change,
 *   before the notification
 * @set: (nullable): `void set (self, value)`, which stores the value, and notifies
 * @get: (nullable): `value get (self)`, for a property without a field; not
 *   for a `guint64`
 * @spec: (nullable): replaces name, type and flags, for a property with bounds, or with
 *   another default than 0 or %NULL; needs the field's type if that is a `gint64`, and
 *   the property a boolean
 *
 * A property of a class, usually one of the fields of its structure.
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
 * @prefix: prefix of its functions
 * @Value: the type of a field of its structure
 * @field: the field
 *
 * Defines the function `Value prefix_get_field (Class *self)`, which returns the field.
 * Pointers stay owned by @self.
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
