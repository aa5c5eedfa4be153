/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-property.h"

/* Properties of a class from a table. The setter compares, stores and notifies once; the
 * getter reads the field. Functions in the table have the signature of signal handlers:
 * it depends on the property's type. */

typedef void (*Changed) (gpointer self);

static G_DEFINE_QUARK (ear-property, property)
static G_DEFINE_QUARK (ear-release, release)

static const EarProperty *
find_property (GParamSpec *pspec)
{
  return g_param_spec_get_qdata (pspec, property_quark ());
}

#define DEFINE_GET(name, Value) \
  static Value \
  get_##name (const EarProperty *property, gpointer object) \
  { \
    if (property->get != NULL) \
      return ((Value (*) (gpointer)) property->get) (object); \
\
    return G_STRUCT_MEMBER (Value, object, property->offset); \
  }

DEFINE_GET (pointer, gpointer)
DEFINE_GET (int64, gint64)
DEFINE_GET (int, int)
DEFINE_GET (double, double)

/* Returns: the value of a whole number, a boolean or an enumeration */
static gint64
get_number (const EarProperty *property, gpointer object)
{
  return property->type == G_TYPE_INT64 ? get_int64 (property, object)
                                        : get_int (property, object);
}

/* @value: a whole number, a boolean or an enumeration */
static gint64
value_get_number (const GValue *value)
{
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_INT64);
  g_value_transform (value, &number);

  return g_value_get_int64 (&number);
}

static void
get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  const EarProperty *property = find_property (pspec);
  g_auto (GValue) number = G_VALUE_INIT;

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_DOUBLE:
      g_value_set_double (value, get_double (property, object));
      break;
    case G_TYPE_BOXED:
      g_value_set_boxed (value, get_pointer (property, object));
      break;
    case G_TYPE_STRING:
      g_value_set_string (value, get_pointer (property, object));
      break;
    case G_TYPE_OBJECT:
    case G_TYPE_INTERFACE:
      g_value_set_object (value, get_pointer (property, object));
      break;
    default:
      g_value_init (&number, G_TYPE_INT64);
      g_value_set_int64 (&number, get_number (property, object));
      g_value_transform (&number, value);
    }
}

static void
call_set (GCallback set, gpointer object, const GValue *value)
{
#define CALL(Value, get) ((void (*) (gpointer, Value)) set) (object, get (value))
  if (G_VALUE_HOLDS_STRING (value))
    CALL (const char *, g_value_get_string);
  else if (G_VALUE_HOLDS_OBJECT (value))
    CALL (gpointer, g_value_get_object);
  else if (G_VALUE_HOLDS_BOXED (value))
    CALL (gpointer, g_value_get_boxed);
  else if (G_VALUE_HOLDS_INT64 (value))
    CALL (gint64, g_value_get_int64);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    CALL (double, g_value_get_double);
  else
    CALL (int, (int) value_get_number);
#undef CALL
}

/* Returns: whether the value has changed */
static gboolean
store (const EarProperty *property, gpointer field, const GValue *value)
{
  gint64 number;
  gboolean differs;

  if (G_VALUE_HOLDS_STRING (value))
    return g_set_str (field, g_value_get_string (value));
  if (G_VALUE_HOLDS_OBJECT (value))
    return g_set_object ((GObject **) field, g_value_get_object (value));
  if (G_VALUE_HOLDS_DOUBLE (value))
    {
      differs = *(double *) field != g_value_get_double (value);
      *(double *) field = g_value_get_double (value);

      return differs;
    }
  number = value_get_number (value);
  if (property->type == G_TYPE_INT64)
    {
      differs = *(gint64 *) field != number;
      *(gint64 *) field = number;
    }
  else
    {
      differs = *(int *) field != (int) number;
      *(int *) field = (int) number;
    }

  return differs;
}

/* Returns: whether the value has changed and was notified */
static gboolean
assign (gpointer object, GParamSpec *pspec, const GValue *value)
{
  const EarProperty *property = find_property (pspec);

  if (!store (property, G_STRUCT_MEMBER_P (object, property->offset), value))
    return FALSE;

  if (property->changed != NULL)
    ((Changed) property->changed) (object);
  g_object_notify_by_pspec (object, pspec);

  return TRUE;
}

static void
set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  const EarProperty *property = find_property (pspec);

  if (property->set != NULL)
    call_set (property->set, object, value);
  else
    assign (object, pspec, value);
}

static GParamSpec *
create_spec (const EarProperty *property)
{
  /* The name is not static: GObject puts hyphens for underscores. */
  const GParamFlags flags = property->flags;

  if (property->spec != NULL)
    return property->spec;

  switch (G_TYPE_FUNDAMENTAL (property->type))
    {
    case G_TYPE_BOOLEAN:
      return g_param_spec_boolean (property->name, NULL, NULL, FALSE, flags);
    case G_TYPE_INT:
      return g_param_spec_int (property->name, NULL, NULL, G_MININT, G_MAXINT, 0, flags);
    case G_TYPE_UINT:
      return g_param_spec_uint (property->name, NULL, NULL, 0, G_MAXUINT, 0, flags);
    case G_TYPE_ENUM:
      return g_param_spec_enum (property->name, NULL, NULL, property->type, 0, flags);
    case G_TYPE_INT64:
      return g_param_spec_int64 (property->name, NULL, NULL, G_MININT64, G_MAXINT64, 0, flags);
    case G_TYPE_BOXED:
      return g_param_spec_boxed (property->name, NULL, NULL, property->type, flags);
    case G_TYPE_DOUBLE:
      return g_param_spec_double (property->name, NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
    case G_TYPE_STRING:
      return g_param_spec_string (property->name, NULL, NULL, NULL, flags);
    default:
      return g_param_spec_object (property->name, NULL, NULL, property->type, flags);
    }
}

/* Releases the strings, objects and boxed values that the fields in the tables of the object's
 * own class hold, for its dispose or finalize function. */
void
ear_properties_clear (gpointer object)
{
  const GPtrArray *fields = g_type_get_qdata (G_OBJECT_TYPE (object), property_quark ());

  for (guint i = 0; i < fields->len; i++)
    {
      const EarProperty *property = g_ptr_array_index (fields, i);
      gpointer *field = G_STRUCT_MEMBER_P (object, property->offset);

      if (G_IS_PARAM_SPEC_STRING (property->spec))
        g_clear_pointer (field, g_free);
      else if (G_IS_PARAM_SPEC_OBJECT (property->spec))
        g_clear_object (field);
      else if (G_IS_PARAM_SPEC_BOXED (property->spec) && *field != NULL)
        g_boxed_free (property->spec->value_type, g_steal_pointer (field));
    }
}

static void
finalize (GObject *object)
{
  ear_properties_clear (object);

  G_OBJECT_CLASS (g_type_class_peek_parent (G_OBJECT_GET_CLASS (object)))->finalize (object);
}

/* Adds properties to a class, from one table or several. A final class without a finalize() of
 * its own then gets one that releases their fields.
 * @properties: (array length=n_properties): the table, which is copied */
void
ear_properties_install (GObjectClass *object_class, const EarProperty *properties,
                        guint n_properties)
{
  const GType type = G_OBJECT_CLASS_TYPE (object_class);
  GObjectClass *parent_class = g_type_class_peek_parent (object_class);
  /* Never freed, like the class. */
  EarProperty *own = g_memdup2 (properties, n_properties * sizeof *properties);
  GPtrArray *fields = g_type_get_qdata (type, property_quark ());

  if (fields == NULL)
    {
      fields = g_ptr_array_new ();
      g_type_set_qdata (type, property_quark (), fields);
    }
  if (G_TYPE_IS_FINAL (type) && object_class->finalize == parent_class->finalize)
    object_class->finalize = finalize;
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  for (guint i = 0; i < n_properties; i++)
    {
      GParamSpec *pspec = own[i].spec = create_spec (&own[i]);

      pspec->flags |= G_PARAM_EXPLICIT_NOTIFY;
      g_param_spec_set_qdata (pspec, property_quark (), &own[i]);
      g_object_class_install_property (object_class, i + 1, pspec);
      if (own[i].offset != 0)
        g_ptr_array_add (fields, &own[i]);
    }
}

static void
dispose (GObject *object)
{
  ((Changed) g_type_get_qdata (G_OBJECT_TYPE (object), release_quark ())) (object);

  G_OBJECT_CLASS (g_type_class_peek_parent (G_OBJECT_GET_CLASS (object)))->dispose (object);
}

/* Sets the function of a final class that releases what an object owns, when it is disposed.
 * @release: `void release (self)`, which may be called again */
void
ear_class_set_release_func (gpointer klass, GCallback release)
{
  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), release_quark (), release);
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

/* Cancels and drops a cancellable.
 * @cancellable: (inout) (nullable) */
void
ear_cancellable_clear (GCancellable **cancellable)
{
  g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

/* Sets a property of the object's own class, even a read-only one; returns whether the value
 * has changed. */
#define DEFINE_SET(name, Value, TYPE, set) \
  gboolean \
  ear_property_set_##name (gpointer object, const char *property, Value value) \
  { \
    g_auto (GValue) boxed = G_VALUE_INIT; \
\
    g_value_init (&boxed, TYPE); \
    set (&boxed, value); \
\
    return assign (object, \
                   g_object_class_find_property (G_OBJECT_GET_CLASS (object), property), &boxed); \
  }

DEFINE_SET (number, int, G_TYPE_INT, g_value_set_int)
DEFINE_SET (boolean, gboolean, G_TYPE_BOOLEAN, g_value_set_boolean)
DEFINE_SET (int64, gint64, G_TYPE_INT64, g_value_set_int64)
DEFINE_SET (double, double, G_TYPE_DOUBLE, g_value_set_double)
DEFINE_SET (string, const char *, G_TYPE_STRING, g_value_set_static_string)

/* Adds a signal to a class, without a return value and a default handler.
 * @n_params: number of parameters, whose types follow */
void
ear_signal_new (gpointer klass, const char *name, guint n_params, ...)
{
  va_list types;

  va_start (types, n_params);
  g_signal_new_valist (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL,
                       G_TYPE_NONE, n_params, types);
  va_end (types);
}
