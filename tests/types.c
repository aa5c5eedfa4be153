/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#ifdef TYPES_OF_UI
#include <adwaita.h>
#include "types-ui-list.h"
#else
#include <gst/gst.h>
#include "types-list.h"
#endif

/* Rules for all classes: a new class is tested without further code. */

static gboolean
can_make (GType type)
{
  return g_type_is_a (type, G_TYPE_OBJECT) && !G_TYPE_IS_ABSTRACT (type)
#ifdef TYPES_OF_UI
         && !g_type_is_a (type, G_TYPE_APPLICATION)
#endif
    ;
}

static GObject *
make (GType type)
{
  GObject *object = g_object_new (type, NULL);

#ifdef TYPES_OF_UI
  /* GTK holds the only reference to a window until it is destroyed. */
  if (GTK_IS_WINDOW (object))
    return g_object_ref (object);
#endif

  return g_object_is_floating (object) ? g_object_ref_sink (object) : object;
}

static void
drop (GObject *object)
{
#ifdef TYPES_OF_UI
  if (GTK_IS_WINDOW (object))
    gtk_window_destroy (GTK_WINDOW (object));
#endif
  g_assert_finalize_object (object);
}

static void
test_finalize (gconstpointer data)
{
  drop (make (GPOINTER_TO_SIZE (data)));
}

/* Every property of a new object can be read, without a warning, for each type. */
static void
test_read (gconstpointer data)
{
  GType type = GPOINTER_TO_SIZE (data);
  GObject *object = make (type);
  guint n_props;
  g_autofree GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_props);

  for (guint i = 0; i < n_props; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if (!g_type_is_a (pspecs[i]->owner_type, type) || (pspecs[i]->flags & G_PARAM_READABLE) == 0)
        continue;
      g_test_message ("%s:%s", g_type_name (type), pspecs[i]->name);
      g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspecs[i]));
      g_object_get_property (object, pspecs[i]->name, &value);
    }
  drop (object);
}

/* Our own properties that can be read and set freely, with values that can be compared */
static gboolean
is_plain (GType type, GParamSpec *pspec)
{
  GType value_type = G_PARAM_SPEC_VALUE_TYPE (pspec);

  return g_type_is_a (pspec->owner_type, type) && (pspec->flags & G_PARAM_READABLE) != 0 &&
         (value_type == G_TYPE_BOOLEAN || value_type == G_TYPE_INT || value_type == G_TYPE_UINT ||
          value_type == G_TYPE_INT64 || value_type == G_TYPE_DOUBLE || value_type == G_TYPE_STRING ||
          G_TYPE_IS_ENUM (value_type));
}

static void
test_defaults (gconstpointer data)
{
  GType type = GPOINTER_TO_SIZE (data);
  GObject *object = make (type);
  guint n_props;
  g_autofree GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_props);

  for (guint i = 0; i < n_props; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if (!is_plain (type, pspecs[i]))
        continue;
      g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspecs[i]));
      g_object_get_property (object, pspecs[i]->name, &value);
      if (!g_param_value_defaults (pspecs[i], &value))
        {
          g_autofree char *contents = g_strdup_value_contents (&value);

          g_test_message ("%s:%s is %s, which is not its default", g_type_name (type), pspecs[i]->name, contents);
          g_test_fail ();
        }
    }
  drop (object);
}

static void
count_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
set_other (GValue *value, GParamSpec *pspec)
{
  GType type = G_VALUE_TYPE (value);

  if (type == G_TYPE_BOOLEAN)
    g_value_set_boolean (value, !g_value_get_boolean (value));
  else if (type == G_TYPE_INT)
    g_value_set_int (value, g_value_get_int (value) < G_PARAM_SPEC_INT (pspec)->maximum ? g_value_get_int (value) + 1 : G_PARAM_SPEC_INT (pspec)->minimum);
  else if (type == G_TYPE_UINT)
    g_value_set_uint (value, g_value_get_uint (value) < G_PARAM_SPEC_UINT (pspec)->maximum ? g_value_get_uint (value) + 1 : G_PARAM_SPEC_UINT (pspec)->minimum);
  else if (type == G_TYPE_INT64)
    g_value_set_int64 (value, g_value_get_int64 (value) + 1);
  else if (type == G_TYPE_DOUBLE)
    g_value_set_double (value, (G_PARAM_SPEC_DOUBLE (pspec)->minimum + g_value_get_double (value)) / 2);
  else if (type == G_TYPE_STRING)
    g_value_set_string (value, "another");
  else
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (type);
      int now = g_value_get_enum (value);

      g_value_set_enum (value, klass->values[klass->values[0].value == now && klass->n_values > 1 ? 1 : 0].value);
    }
}

/* A change notifies once, and setting the same value again does not notify. Nor does a value
 * that an object without content refuses. */
static void
test_notify (gconstpointer data)
{
  GType type = GPOINTER_TO_SIZE (data);
  GObject *object = make (type);
  guint n_props;
  g_autofree GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_props);

  for (guint i = 0; i < n_props; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_auto (GValue) after = G_VALUE_INIT;
      guint expected;
      g_autofree char *signal_name = g_strconcat ("notify::", pspecs[i]->name, NULL);
      guint count = 0;
      gulong handler;

      if (!is_plain (type, pspecs[i]) || (pspecs[i]->flags & G_PARAM_WRITABLE) == 0 ||
          (pspecs[i]->flags & G_PARAM_CONSTRUCT_ONLY) != 0)
        continue;
      g_test_message ("%s:%s", g_type_name (type), pspecs[i]->name);
      g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspecs[i]));
      g_object_get_property (object, pspecs[i]->name, &value);
      handler = g_signal_connect (object, signal_name, G_CALLBACK (count_cb), &count);

      g_object_set_property (object, pspecs[i]->name, &value);
      g_assert_cmpuint (count, ==, 0);
      set_other (&value, pspecs[i]);
      g_object_set_property (object, pspecs[i]->name, &value);
      g_value_init (&after, G_VALUE_TYPE (&value));
      g_object_get_property (object, pspecs[i]->name, &after);
      expected = g_param_values_cmp (pspecs[i], &value, &after) == 0 ? 1 : 0;
      g_assert_cmpuint (count, ==, expected);
      g_object_set_property (object, pspecs[i]->name, &value);
      g_assert_cmpuint (count, ==, expected);
      g_signal_handler_disconnect (object, handler);
    }
  drop (object);
}

int
main (int argc, char *argv[])
{
#ifdef TYPES_OF_UI
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#else
  g_test_init (&argc, &argv, NULL);
  /* Classes that the player derives from GStreamer's are only registered after this. */
  gst_init (NULL, NULL);
#endif

  for (gsize i = 0; i < G_N_ELEMENTS (all_types); i++)
    {
      GType type = all_types[i]();
      g_autofree char *finalize = g_strdup_printf ("/types/%s/finalize", g_type_name (type));
      g_autofree char *read = g_strdup_printf ("/types/%s/read", g_type_name (type));
      g_autofree char *defaults = g_strdup_printf ("/types/%s/defaults", g_type_name (type));
      g_autofree char *notify = g_strdup_printf ("/types/%s/notify", g_type_name (type));

      if (!can_make (type))
        continue;
      g_test_add_data_func (finalize, GSIZE_TO_POINTER (type), test_finalize);
      g_test_add_data_func (read, GSIZE_TO_POINTER (type), test_read);
      g_test_add_data_func (defaults, GSIZE_TO_POINTER (type), test_defaults);
      g_test_add_data_func (notify, GSIZE_TO_POINTER (type), test_notify);
    }

  return g_test_run ();
}
