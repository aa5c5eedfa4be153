/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-export.h"

#include "ear-strict-json.h"

#include <json-glib/json-glib.h>

/**
 * ear_userdata_export:
 * @value: what other programs are to read, `a{sv}` or several of them (`aa{sv}`); taken if it is floating
 *
 * Returns: (transfer full): that, as a file of JSON
 */
GBytes *
ear_userdata_export (GVariant *value)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  g_autoptr (JsonNode) node = json_gvariant_serialize (owned);
  gsize length;
  char *text = ear_json_print_node (node, &length);

  return g_bytes_new_take (text, length);
}
