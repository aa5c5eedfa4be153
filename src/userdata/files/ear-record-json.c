/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-record-json.h"

#include <json-glib/json-glib.h>
#include <string.h>

/**
 * ear_record_print_json:
 * @value: a record's value, several of them (`aa{sv}`), or whatever else is to be handed on
 *
 * Returns: (transfer full): the same as JSON for other programs and for people, with a line feed at its end
 */
GBytes *
ear_record_print_json (GVariant *value)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = json_gvariant_serialize (value);
  g_autofree char *text = NULL;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);

  return g_bytes_new_take (g_strconcat (text, "\n", NULL), strlen (text) + 1);
}
