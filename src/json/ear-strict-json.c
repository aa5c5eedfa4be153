/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-strict-json.h"

#include "ear-json-bounds.h"

#include <math.h>
#include <string.h>

/* Functions that walk a tree recurse once per level, as json-glib does. An episode takes
 * about five containers: the limit allows 100,000 episodes in one podcast. */
static const EarJsonBounds bounds =
    { .depth = 64, .containers = 512 * 1024, .values = 2 * 1024 * 1024 };

/* Longer arrays are not Earmark's, and are not compared item by item. */
#define ARRAY_LIMIT 1000

/* Checks text before parsing it, and before it replaces a good file: ear_json_parse()
 * refuses a whole file for one bad byte.
 * Returns: %TRUE if @text is UTF-8, and its tree does not get too large */
gboolean
ear_json_check (const char *text, gsize length, GError **error)
{
  if (length == 0 || memchr (text, '\0', length) != NULL ||
      !g_utf8_validate_len (text, length, NULL))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "not UTF-8 text");
  else if (!ear_json_bounds_hold (&bounds, text, length))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE,
                         "nested too deeply, or too many values");
  else
    return TRUE;

  return FALSE;
}

/* Parses strict JSON (RFC 8259) whose root is an object. Time and memory are bounded for
 * any input.
 * Returns: (transfer full) (nullable): the object, which may be edited in place */
JsonObject *
ear_json_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = NULL;
  g_autoptr (GError) local = NULL;
  JsonNode *root;

  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    {
      text += 3;
      length -= 3;
    }
  if (!ear_json_check (text, length, &local))
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, local->message);
      return NULL;
    }

  parser = json_parser_new ();
  json_parser_set_strict (parser, TRUE);
  if (!json_parser_load_from_data (parser, text, length, &local))
    {
      g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "no JSON: %s", local->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "JSON, but no object");
      return NULL;
    }

  return json_node_dup_object (root);
}

/* Replaces invalid UTF-8: a file that has it could not be read again. */
static void
print_string (GString *text, const char *string)
{
  const gboolean is_valid = g_utf8_validate (string, -1, NULL);
  g_autofree char *valid = is_valid ? g_strdup (string) : g_utf8_make_valid (string, -1);

  if (!is_valid)
    g_message ("Text that is not UTF-8 is written as: %s", valid);
  g_string_append_c (text, '"');
  for (const char *p = valid; *p != '\0'; p++)
    {
      if (*p == '\n')
        g_string_append (text, "\\n");
      else if (*p == '\t')
        g_string_append (text, "\\t");
      else if (*p == '"' || *p == '\\')
        g_string_append_printf (text, "\\%c", *p);
      else if ((guchar) *p < 0x20)
        g_string_append_printf (text, "\\u%04x", (guchar) *p);
      else
        g_string_append_c (text, *p);
    }
  g_string_append_c (text, '"');
}

/* Prints the fewest digits that read back as the same number:
 * 12.345, not 12.345000000000001. */
static void
print_double (GString *text, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (number))
    {
      g_string_append (text, "null");
      return;
    }
  g_ascii_formatd (digits, sizeof digits, "%.15g", number);
  if (g_ascii_strtod (digits, NULL) != number)
    g_ascii_formatd (digits, sizeof digits, "%.17g", number);
  g_string_append (text, digits);
  if (strpbrk (digits, ".e") == NULL)
    g_string_append (text, ".0");
}

static void
print_value (GString *text, JsonNode *node)
{
  const GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    print_string (text, json_node_get_string (node) != NULL ? json_node_get_string (node) : "");
  else if (type == G_TYPE_BOOLEAN)
    g_string_append (text, json_node_get_boolean (node) ? "true" : "false");
  else if (type == G_TYPE_DOUBLE)
    print_double (text, json_node_get_double (node));
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, json_node_get_int (node));
}

static void
print_line (GString *text, gboolean comma, guint indent)
{
  g_string_append (text, comma ? ",\n" : "\n");
  for (guint i = 0; i < indent; i++)
    g_string_append (text, "  ");
}

/* Prints JSON for people: one member per line, in their present order. json-glib's generator
 * would print every fraction with 17 digits.
 * @indent: levels of indentation of @node */
static void
print_node (GString *text, JsonNode *node, guint indent)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;
  guint n = 0;

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      g_string_append_c (text, '{');
      json_object_iter_init_ordered (&iter, json_node_get_object (node));
      for (; json_object_iter_next_ordered (&iter, &name, &member); n++)
        {
          print_line (text, n > 0, indent + 1);
          print_string (text, name);
          g_string_append (text, ": ");
          print_node (text, member, indent + 1);
        }
      if (n > 0)
        print_line (text, FALSE, indent);
      g_string_append_c (text, '}');
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      g_string_append_c (text, '[');
      for (; n < json_array_get_length (array); n++)
        {
          print_line (text, n > 0, indent + 1);
          print_node (text, json_array_get_element (array, n), indent + 1);
        }
      if (n > 0)
        print_line (text, FALSE, indent);
      g_string_append_c (text, ']');
    }
  else if (JSON_NODE_HOLDS_VALUE (node))
    print_value (text, node);
  else
    g_string_append (text, "null");
}

/* Returns: (transfer full): the text, with a line end */
GString *
ear_json_print_node (JsonNode *node)
{
  GString *text = g_string_new (NULL);

  print_node (text, node, 0);
  g_string_append_c (text, '\n');

  return text;
}

/* @length: (out): bytes of the text
 * Returns: (transfer full): the text, with a line end */
char *
ear_json_print (JsonObject *root, gsize *length)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), root);
  GString *text = ear_json_print_node (node);

  *length = text->len;

  return g_string_free_and_steal (text);
}

/* @node: (nullable): a member
 * Returns: its number; `NAN`, for which no comparison holds, if it is none */
double
ear_json_get_number (JsonNode *node)
{
  const GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;

  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (node) : NAN;
}

/* Returns: (transfer none) (nullable): the member, %NULL unless it is an object */
JsonObject *
ear_json_get_object (JsonObject *parent, const char *name)
{
  JsonNode *node = json_object_get_member (parent, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* Returns: (transfer none): the member, created or replaced unless it is an object */
JsonObject *
ear_json_ensure_object (JsonObject *parent, const char *name)
{
  JsonObject *object = ear_json_get_object (parent, name);

  if (object == NULL)
    {
      object = json_object_new ();
      json_object_set_object_member (parent, name, object);
    }

  return object;
}

/* Returns: (transfer none) (nullable): the member, %NULL unless it is an array within
 * the length limit */
JsonArray *
ear_json_get_array (JsonObject *parent, const char *name)
{
  JsonNode *node = json_object_get_member (parent, name);

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node) ||
      json_array_get_length (json_node_get_array (node)) > ARRAY_LIMIT)
    return NULL;

  return json_node_get_array (node);
}

gboolean
ear_json_array_contains (JsonArray *array, JsonNode *wanted)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (json_node_equal (json_array_get_element (array, i), wanted))
      return TRUE;

  return FALSE;
}

/* Appends a string to an array that lacks it.
 * Returns: %TRUE if it was added */
gboolean
ear_json_add_to_array (JsonObject *parent, const char *name, const char *string)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), string);
  JsonArray *array = ear_json_get_array (parent, name);

  if (array == NULL)
    {
      array = json_array_new ();
      json_object_set_array_member (parent, name, array);
    }
  if (ear_json_array_contains (array, node))
    return FALSE;

  json_array_add_element (array, g_steal_pointer (&node));

  return TRUE;
}

/* Returns: (transfer none) (nullable): the member, %NULL unless it is
 * a non-empty string */
const char *
ear_json_get_string (JsonObject *object, const char *name, gsize limit)
{
  JsonNode *node = json_object_get_member (object, name);
  const char *string;

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  string = json_node_get_string (node);

  return !ear_is_empty (string) && strlen (string) <= limit ? string : NULL;
}

/* @value: (nullable): its value; %NULL changes nothing
 * Returns: %TRUE if that changed something */
gboolean
ear_json_set_string (JsonObject *object, const char *name, const char *value)
{
  if (value == NULL || g_strcmp0 (ear_json_get_string (object, name, G_MAXSIZE), value) == 0)
    return FALSE;

  json_object_set_string_member (object, name, value);

  return TRUE;
}
