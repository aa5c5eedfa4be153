/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-export.h"

#include "ear-strict-json.h"

#include <json-glib/json-glib.h>

static void
append (GString *text, GVariant *value, guint indent)
{
  g_autoptr (JsonNode) node = json_gvariant_serialize (value);

  ear_json_append_node (text, node, indent);
}

/* Convert one value at a time: json-glib needs ten times the memory of the text. */
static void
append_all (GString *text, GVariant *values)
{
  GVariantIter iter;
  GVariant *value;

  g_string_append_c (text, '[');
  g_variant_iter_init (&iter, values);
  for (gboolean first = TRUE; (value = g_variant_iter_next_value (&iter)) != NULL; first = FALSE)
    {
      g_string_append (text, first ? "\n  " : ",\n  ");
      append (text, value, 1);
      g_variant_unref (value);
    }
  g_string_append (text, g_variant_n_children (values) > 0 ? "\n]" : "]");
}

/* Any thread may call it.
 * @value: data for other programs, `a{sv}` or several of them (`aa{sv}`); consumed if
 * floating
 * Returns: (transfer full): @value as a JSON file */
GBytes *
ear_userdata_export (GVariant *value)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  GString *text = g_string_new (NULL);

  if (g_variant_is_of_type (owned, G_VARIANT_TYPE ("aa{sv}")))
    append_all (text, owned);
  else
    append (text, owned, 0);
  g_string_append_c (text, '\n');

  return g_string_free_to_bytes (text);
}
