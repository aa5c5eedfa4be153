/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-directory-service.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-json-bounds.h"

#include <math.h>

/* JSON from a server, checked against limits before it is parsed */

/* An answer of 200 podcasts has 1000 containers. */
static const EarJsonBounds bounds = { .depth = 32, .containers = 20000, .values = 200000 };

/* @length: the length of @text in bytes
 * Returns: (transfer full) (nullable): the root node */
JsonNode *
ear_directory_json_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *cut = ear_json_bounds_cut (&bounds, length > 0 ? text : "", length);
  g_autofree char *valid = NULL;
  JsonNode *root;

  if (cut == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "Nested too deeply, or too many values");
      return NULL;
    }

  valid = g_utf8_make_valid (cut, -1);
  json_parser_set_strict (parser, TRUE);
  if (!json_parser_load_from_data (parser, valid, -1, NULL) || (root = json_parser_get_root (parser)) == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_SERVER, "The directory's answer is no JSON");
      return NULL;
    }

  return json_node_ref (root);
}

/* @node: (nullable): a node
 * Returns: (transfer none) (nullable): the array, if @node is an object that has it */
JsonArray *
ear_directory_json_get_array (JsonNode *node, const char *name)
{
  JsonNode *member;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  member = json_object_get_member (json_node_get_object (node), name);

  return member != NULL && JSON_NODE_HOLDS_ARRAY (member) ? json_node_get_array (member) : NULL;
}

/* @array: an array
 * @limit: the maximum number of elements to read
 * @func: fills an entry from an object
 * Returns: (transfer full) (element-type EarDirectoryEntry): the entries with a URL and a
 *   title */
GPtrArray *
ear_directory_json_read_podcasts (JsonArray *array, guint limit, EarDirectoryReadFunc func)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_directory_entry_unref);

  for (guint i = 0; i < MIN (json_array_get_length (array), limit); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      g_autoptr (EarDirectoryEntry) entry = ear_directory_entry_new ();

      if (!JSON_NODE_HOLDS_OBJECT (node))
        continue;
      func (json_node_get_object (node), entry);
      if (entry->address != NULL && entry->title != NULL)
        g_ptr_array_add (entries, g_steal_pointer (&entry));
    }

  return entries;
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *member = json_object_get_member (object, name);

  return member != NULL && json_node_get_value_type (member) == G_TYPE_STRING ? json_node_get_string (member) : NULL;
}

/* Control and direction characters, which would change the rest of a row, and invisible
 * ones */
static gboolean
is_odd (gunichar c)
{
  return g_unichar_iscntrl (c) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f ||
         c == 0xfeff;
}

/* Returns: (transfer full) (nullable): the text of the member on one line, if any */
char *
ear_directory_json_dup_line (JsonObject *object, const char *name, gsize limit)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const char *text = get_string (object, name);
  gboolean space = FALSE;

  for (gsize n = 0; !ear_is_empty (text) && n < limit; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);

      if (g_unichar_isspace (c))
        space = line->len > 0;
      else if (!is_odd (c))
        {
          if (space)
            g_string_append_c (line, ' ');
          g_string_append_unichar (line, c);
          space = FALSE;
          n++;
        }
    }

  return line->len > 0 ? g_string_free (g_steal_pointer (&line), FALSE) : NULL;
}

/* Returns: (transfer full) (nullable): the member, if it is a web address */
char *
ear_directory_json_dup_address (JsonObject *object, const char *name)
{
  return ear_address_resolve (NULL, get_string (object, name));
}

/* @names: (array zero-terminated=1): names of members, in order of preference
 * Returns: (transfer full) (nullable): the first member that is a web address */
char *
ear_directory_json_dup_first_address (JsonObject *object, const char *const *names)
{
  char *address = NULL;

  for (; *names != NULL && address == NULL; names++)
    address = ear_directory_json_dup_address (object, *names);

  return address;
}

/* Returns: the number, or 0 if it is not positive */
guint
ear_directory_json_get_count (JsonObject *object, const char *name)
{
  JsonNode *member = json_object_get_member (object, name);
  double number = member != NULL && JSON_NODE_HOLDS_VALUE (member) ? json_node_get_double (member) : 0;

  return isfinite (number) && number > 0 && number < 1e6 ? (guint) number : 0;
}
