/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A property of a class, usually one of the fields of its structure. */
typedef struct
{
  const char *name; /* its name, maybe with underscores for hyphens */
  GType type; /* `G_TYPE_BOOLEAN`, `G_TYPE_INT`, `G_TYPE_UINT`, `G_TYPE_INT64`,
               * `G_TYPE_DOUBLE`, `G_TYPE_STRING`, an enumeration, a class, an interface or a
               * boxed type; a boxed type without a @set is read-only */
  GParamFlags flags; /* readable, writable */
  glong offset; /* offset of the field in the object, from `G_STRUCT_OFFSET`; strings, objects
                 * and boxed values in fields are owned, and released by
                 * ear_properties_clear() */
  GCallback changed; /* (nullable): `void changed (self)`, called after a change, before the
                      * notification */
  GCallback set; /* (nullable): `void set (self, value)`, which stores the value, and notifies */
  GCallback get; /* (nullable): `value get (self)`, for a property without a field */
  GParamSpec *spec; /* (nullable): replaces name, type and flags, for a property with bounds,
                     * or with another default than 0 or %NULL; needs the field's type if
                     * that is a `gint64`, and the property a boolean */
} EarProperty;

/* A readable property with the name of its field */
#define EAR_READABLE(Class, field, type) \
  { #field, type, G_PARAM_READABLE, G_STRUCT_OFFSET (Class, field) }

/* Adds an array of properties to a class. */
#define ear_class_add_properties(klass, properties) \
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties))

#define ear_class_set_release(klass, release) \
  ear_class_set_release_func (klass, G_CALLBACK (release))

/* Defines the function `Value prefix_get_field (Class *self)`, which returns a field of the
 * class's structure. Pointers stay owned by @self. */
#define EAR_DEFINE_GET(Class, prefix, Value, field) \
  Value \
  prefix##_get_##field (Class *self) \
  { \
    g_return_val_if_fail (G_TYPE_CHECK_INSTANCE_TYPE (self, prefix##_get_type ()), (Value) 0); \
\
    return self->field; \
  }

/* Defines the function `void prefix_set_field (Class *self, Value field)`, which sets the
 * property of the field's name; @kind: number, boolean, int64, double or string */
#define EAR_DEFINE_SET(Class, prefix, Value, field, kind) \
  void \
  prefix##_set_##field (Class *self, Value field) \
  { \
    g_return_if_fail (G_TYPE_CHECK_INSTANCE_TYPE (self, prefix##_get_type ())); \
\
    ear_property_set_##kind (self, #field, field); \
  }

#define EAR_DEFINE_PROPERTY(Class, prefix, Value, field, kind) \
  EAR_DEFINE_GET (Class, prefix, Value, field) \
  EAR_DEFINE_SET (Class, prefix, Value, field, kind)

/* Notifies of a property of an object. */
#define ear_notify(self, name) g_object_notify (G_OBJECT (self), name)

/* Connects a handler that receives @self first, for as long as both objects live. */
#define ear_connect(instance, signal, handler, self) \
  g_signal_connect_object (instance, signal, G_CALLBACK (handler), self, G_CONNECT_SWAPPED)

void ear_signal_new (gpointer klass, const char *name, guint n_params, ...);
void ear_properties_install (GObjectClass *object_class, const EarProperty *properties,
                             guint n_properties);
void ear_properties_clear (gpointer object);
void ear_class_set_release_func (gpointer klass, GCallback release);
void ear_cancellable_clear (GCancellable **cancellable);
gboolean ear_property_set_number (gpointer object, const char *name, int value);
gboolean ear_property_set_boolean (gpointer object, const char *name, gboolean value);
gboolean ear_property_set_int64 (gpointer object, const char *name, gint64 value);
gboolean ear_property_set_double (gpointer object, const char *name, double value);
gboolean ear_property_set_string (gpointer object, const char *name, const char *value);

G_END_DECLS
