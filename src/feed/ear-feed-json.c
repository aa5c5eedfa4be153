/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-json.h"

#include "ear-duration.h"
#include "ear-error.h"
#include "ear-types.h"

#include <string.h>

/* Returns: the length of a non-number such as NaN, which some programs write although
 *   JSON has no such value; 0 if there is none */
static gsize
get_odd_number_length (const char *text)
{
  static const char *const names[] = { "NaN", "-NaN", "Infinity", "-Infinity" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (text, names[i]))
      return strlen (names[i]);

  return 0;
}

/* Replaces non-numbers by null and removes trailing commas. */
static char *
repair (const char *text)
{
  GString *plain = g_string_new (NULL);
  gboolean quoted = FALSE;

  while (*text != '\0')
    {
      const gsize odd = !quoted && strchr ("NI-", *text) != NULL ? get_odd_number_length (text) : 0;
      const gboolean is_last = !quoted && *text == ',' && strchr ("]}", text[1 + strspn (text + 1, " \t\r\n")]) != NULL;

      if (quoted && *text == '\\' && text[1] != '\0')
        g_string_append_c (plain, *text++);
      else if (*text == '"')
        quoted = !quoted;
      if (odd > 0)
        g_string_append (plain, "null");
      else if (!is_last)
        g_string_append_c (plain, *text);
      text += MAX (odd, 1);
    }

  return g_string_free (plain, FALSE);
}

/**
 * ear_feed_json_parse:
 * @bounds: limits on the size of the document
 * @text: valid UTF-8
 * @error: return location for an `EAR_ERROR`
 *
 * Parses JSON and tolerates the faults of programs that assemble it as text. A list that
 * is too long is cut.
 *
 * Returns: (transfer full) (nullable): the root node; %NULL on error, or, without an
 *   error, for an empty document
 */
JsonNode *
ear_feed_json_parse (const EarJsonBounds *bounds, const char *text, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *cut = ear_json_bounds_cut (bounds, text, strlen (text));
  g_autofree char *repaired = NULL;

  if (cut == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "Nested too deeply, or too many values");
      return NULL;
    }
  if (!json_parser_load_from_data (parser, cut, -1, NULL))
    {
      repaired = repair (cut);
      if (!json_parser_load_from_data (parser, repaired, -1, NULL))
        {
          g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "No JSON");
          return NULL;
        }
    }

  return json_parser_steal_root (parser);
}

/* Returns: (nullable): the value of a string member */
const char *
ear_feed_json_get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

/**
 * ear_feed_json_get_time:
 * @unit: the unit of a number, in microseconds
 * @time: (out): microseconds
 *
 * Reads a member that is a number, or a string in seconds or clock notation.
 *
 * Returns: whether the member is a valid time
 */
gboolean
ear_feed_json_get_time (JsonObject *object, const char *name, gint64 unit, gint64 *time)
{
  JsonNode *node = json_object_get_member (object, name);
  const GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;
  double microseconds;

  if (type == G_TYPE_STRING)
    return ear_npt_parse (json_node_get_string (node), time);
  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return FALSE;

  microseconds = json_node_get_double (node) * (double) unit;
  /* The negated comparison also rejects NaN. */
  if (!(microseconds >= 0 && microseconds <= (double) EAR_POSITION_LIMIT))
    return FALSE;
  *time = (gint64) (microseconds + 0.5);

  return TRUE;
}
