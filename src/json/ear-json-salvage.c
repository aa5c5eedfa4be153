/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-strict-json.h"

#include <string.h>

/*
 * Reads as much as possible of a damaged file: one that is cut off, or has wrong bytes in it.
 *
 * Earmark's own files have a line for each member, indented by its depth. Each member that
 * begins at the right indentation is parsed alone, up to the next one, so damage costs the
 * entry that it is in, and no other. Other layouts are brought into this one first, by counting
 * braces, which finds the entries before the damage.
 */

/* Indentation of the members of the root, and of the entries in a table: an entry may also
 * follow another one whose line end is lost. Then a name, or the end of an object. */
#define ROOT "\n  "
#define ENTRY "(?<! )    "
#define NAME "(\"(?:[^\"\\\\\n\\x00]|\\\\[^\n\\x00])*+\"): "
#define END "\n  }"

#define ENTRY_DEPTH 2
#define LIMIT 500000 /* members that are parsed */

/* Adds the member that begins at @name, unless it is damaged or @into has it: members after
 * the end of the root may be left over from an older, longer file.
 * @indent: spaces before the member
 * @next: the end of the text, or of the line end before the next member */
static void
add_member (JsonObject *into, const char *name, const char *value, int indent, const char *next)
{
  const char close = value < next && *value == '{' ? '}' : ']';
  g_autofree char *line = g_strdup_printf ("\n%*s%c", indent, "", close);
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) one = NULL;
  g_autoptr (GList) names = NULL;
  const char *end = NULL;

  if (value == next)
    return;
  if (*value != '{' && *value != '[')
    {
      /* Without a line end, a cut `12` may have been `125`. */
      end = memchr (value, '\n', (gsize) (next - value));
      while (end != NULL && end > value && strchr (", \r", end[-1]) != NULL)
        end--;
    }
  else if (next - value > 1 && value[1] == close)
    end = value + 2;
  else
    {
      end = memmem (value, (gsize) (next - value), line, strlen (line));
      end = end != NULL ? end + strlen (line) : NULL;
    }
  if (end == NULL || memchr (name, '\0', (gsize) (end - name)) != NULL)
    return;
  text = g_strdup_printf ("{%.*s}", (int) (end - name), name);
  one = ear_json_parse (text, strlen (text), NULL);
  names = one != NULL ? json_object_get_members (one) : NULL;
  if (names != NULL && !json_object_has_member (into, names->data))
    json_object_set_member (into, names->data, json_object_dup_member (one, names->data));
}

/* Decides where a member belongs. While an object of the root is open, no other one begins but
 * the table: the line may be an entry's whose indentation is damaged.
 * @quoted: its name in quotes
 * @open: (inout) (nullable): the object of the root that is open
 * Returns: (nullable): the object to add it to; %NULL if it is an object of the root, whose
 * entries follow as members of their own */
static JsonObject *
place_member (JsonObject *root, const char *table, const char *quoted, gboolean is_entry,
              gboolean opens, JsonObject **open)
{
  g_autofree char *name = g_strndup (quoted + 1, strlen (quoted) - 2);

  if (is_entry)
    return *open != NULL ? *open : ear_json_ensure_object (root, table);
  if (table == NULL || !opens)
    return root;
  if (!g_utf8_validate (name, -1, NULL) || g_str_equal (name, table))
    *open = ear_json_ensure_object (root, table);
  else if (*open == NULL)
    *open = ear_json_ensure_object (root, name);

  return NULL;
}

/* Brings a text of any layout into the one of ear_json_print(), down to the entries. */
static GString *
reindent (const char *text, gsize length)
{
  GString *lines = g_string_new (NULL);
  gboolean quoted = FALSE;
  int depth = 0;

  for (const char *p = text; p < text + length && lines->len <= 4 * length; p++)
    {
      const gboolean opens = !quoted && (*p == '{' || *p == '[');
      const gboolean closes = !quoted && depth > 0 && (*p == '}' || *p == ']');

      if (!quoted && g_ascii_isspace (*p))
        continue;
      if (closes && depth-- <= ENTRY_DEPTH + 1)
        g_string_append_printf (lines, "\n%*s", 2 * depth, "");
      g_string_append_c (lines, *p);
      if (quoted && *p == '\\' && p + 1 < text + length)
        g_string_append_c (lines, *++p);
      else if (*p == '"')
        quoted = !quoted;
      else if (!quoted && *p == ':')
        g_string_append_c (lines, ' ');
      depth += opens;
      if ((opens || (!quoted && *p == ',')) && depth <= ENTRY_DEPTH + 1)
        g_string_append_printf (lines, "\n%*s", 2 * depth, "");
    }

  return lines;
}

/* Reads a file that ear_json_parse() refuses. Returns all complete entries, wherever the
 * damage is. Time and memory are bounded for any input.
 * @table: (nullable): name of the member that has the file's entries by their names
 * Returns: (transfer full): an object, maybe without members */
JsonObject *
ear_json_salvage (const char *text, gsize length, const char *table)
{
  g_autoptr (GRegex) regex =
      g_regex_new (table != NULL ? "(?:" ROOT "|" ENTRY ")" NAME "|" END : ROOT NAME, G_REGEX_RAW,
                   0, NULL);
  const gboolean own_layout =
      memmem (text, length, "\n  \"", 4) != NULL || memmem (text, length, "\n  }", 4) != NULL;
  g_autoptr (GString) lines = own_layout ? NULL : reindent (text, length);
  g_autoptr (GMatchInfo) match = NULL;
  JsonObject *root = json_object_new ();
  JsonObject *open = NULL, *into = NULL;
  int start = 0, name = 0, value = 0;

  if (lines != NULL)
    {
      text = lines->str;
      length = lines->len;
    }
  g_regex_match_full (regex, text, (gssize) length, 0, 0, &match, NULL);
  for (guint n = 0; n < LIMIT && start < (int) length; n++)
    {
      g_autofree char *quoted = g_match_info_fetch (match, 1);
      const int before = start;

      if (!g_match_info_fetch_pos (match, 0, &start, NULL))
        start = (int) length;
      if (into != NULL)
        add_member (into, text + name, text + value, text[before] == '\n' ? 2 : 4,
                    text + MIN (start + 1, (int) length));
      into = NULL;
      if (!ear_is_empty (quoted))
        {
          g_match_info_fetch_pos (match, 1, &name, NULL);
          g_match_info_fetch_pos (match, 0, NULL, &value);
          into = place_member (root, table, quoted, text[start] != '\n',
                               value + 1 < (int) length && text[value] == '{' &&
                                   text[value + 1] != '}',
                               &open);
        }
      else
        open = NULL;
      if (start < (int) length)
        g_match_info_next (match, NULL);
    }

  return root;
}
