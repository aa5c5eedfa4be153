/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-strict-json.h"

#include <string.h>

/*
 * Reads as much as possible of a damaged file: one that is cut off, or has wrong bytes in it.
 *
 * Earmark's own files have a line for each member, indented by its depth. Each member that
 * begins at the right indentation is parsed alone, up to the next one, so damage costs the
 * entry that it is in, and no other. Entries behind a damaged line, which may have begun the
 * table, get into the table. Other layouts are brought into this one first, by counting braces,
 * which finds the entries before the damage.
 */

#define UNIT 2       /* spaces per level */
#define ENTRY 2      /* depth of the entries in a table of the root */
#define PART 3       /* depth of the members of an entry */
#define LIMIT 500000 /* members that are parsed */

/* A member in the text */
typedef struct
{
  const char *at;    /* its name; %NULL: there is none */
  const char *value;
  guint depth;
} Member;

/* Returns: the end of the string that begins here: its quote, or the end of its line or of the
 * text if the quote is lost */
static const char *
skip_string (const char *at, const char *end)
{
  for (at++; at < end && *at != '"' && *at != '\n'; at++)
    if (*at == '\\' && at + 1 < end)
      at++;

  return at;
}

/* Returns: (nullable): the value of the member whose name may begin here */
static const char *
skip_name (const char *at, const char *end)
{
  at = skip_string (at, end);

  return end - at > 3 && strncmp (at, "\": ", 3) == 0 ? at + 3 : NULL;
}

/* Finds the next member of one of these depths. Its indentation may follow another member
 * whose line end is lost. */
static Member
find_member (const char *from, const char *end, guint lowest, guint highest)
{
  for (const char *p = from; p < end && (p = memchr (p, '"', (gsize) (end - p))) != NULL; p++)
    {
      gsize indent = 0;
      const char *value;

      while (indent <= UNIT * PART && p > from + indent && *(p - indent - 1) == ' ')
        indent++;
      if (indent % UNIT != 0 || indent < UNIT * lowest || indent > UNIT * highest)
        continue;
      value = skip_name (p, end);
      if (value != NULL)
        return (Member) { p, value, (guint) indent / UNIT };
    }

  return (Member) { .at = NULL };
}

/* Returns: (nullable): the end of a member that ends before @next; %NULL if it is cut */
static const char *
find_end (const Member *member, const char *next)
{
  const char close = *member->value == '{' ? '}' : ']';
  g_autofree char *line = g_strdup_printf ("\n%*s%c", (int) (UNIT * member->depth), "", close);
  const char *end;

  if (*member->value != '{' && *member->value != '[')
    {
      end = memchr (member->value, '\n', (gsize) (next - member->value));
      end = end != NULL ? end : next;
      while (end > member->value && strchr (", \r", end[-1]) != NULL)
        end--;
      /* Without a delimiter, a cut `12` may have been `125`. */
      return *end != '\0' || end[-1] == '"' ? end : NULL;
    }
  if (next - member->value > 1 && member->value[1] == close)
    return member->value + 2;
  end = memmem (member->value, (gsize) (next - member->value), line, strlen (line));

  return end != NULL ? end + strlen (line) : NULL;
}

/* @repair: whether to replace bytes that are not UTF-8
 * Returns: (nullable): an object with the member only, %NULL if that is damaged */
static JsonObject *
parse_member (const Member *member, const char *next, gboolean repair)
{
  const char *end = find_end (member, next);
  g_autofree char *text = NULL;

  if (end == NULL || memchr (member->at, '\0', (gsize) (end - member->at)) != NULL)
    return NULL;
  text = g_strdup_printf ("{%.*s}", (int) (end - member->at), member->at);
  if (repair)
    {
      g_autofree char *broken = g_steal_pointer (&text);

      text = g_utf8_make_valid (broken, -1);
    }

  return ear_json_parse (text, strlen (text), NULL);
}

/* A stamped value replaces older ones, so both of its parts have to be there. */
static gboolean
is_useful (JsonObject *object)
{
  return json_object_get_size (object) > 0 &&
         json_object_has_member (object, "value") == json_object_has_member (object, "updated");
}

/* Members after the end of the root may be left over from an older, longer file: they replace
 * nothing. */
static void
add_members (JsonObject *into, JsonObject *from)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (!json_object_has_member (into, name))
      json_object_set_member (into, name, json_node_copy (node));
}

/* Reads the undamaged members of an entry. */
static void
add_parts (JsonObject *entries, const Member *entry, const char *next)
{
  g_autoptr (JsonObject) parts = json_object_new ();
  g_autofree char *quoted = g_strndup (entry->at, (gsize) (entry->value - 2 - entry->at));
  g_autoptr (JsonNode) name = json_from_string (quoted, NULL);
  Member part = find_member (entry->value, next, PART, PART);

  while (part.at != NULL)
    {
      const Member after = find_member (part.value, next, PART, PART);
      g_autoptr (JsonObject) one = parse_member (&part, after.at != NULL ? after.at : next, TRUE);

      if (one != NULL)
        add_members (parts, one);
      part = after;
    }
  if (is_useful (parts) && name != NULL &&
      !json_object_has_member (entries, json_node_get_string (name)))
    json_object_set_object_member (entries, json_node_get_string (name), g_steal_pointer (&parts));
}

/* Whether an undamaged line ends an object of the root. */
static gboolean
has_end_line (const char *at, const char *next)
{
  return memmem (at, (gsize) (next - at), "\n  },\n", 6) != NULL ||
         memmem (at, (gsize) (next - at), "\n  }\n", 5) != NULL;
}

/* Begins an object of the root, whose entries follow as members of their own. While another one
 * is open, or without a line end before it, only the table begins: the line may be an entry's
 * whose indentation is damaged.
 * @text: the whole text
 * @open: (nullable): the object that is open
 * Returns: (transfer none) (nullable): the object for the entries; %NULL if it is not known */
static JsonObject *
open_object (JsonObject *root, const char *text, const Member *member, const char *table,
             JsonObject *open)
{
  const gboolean own_line = member->at - text > UNIT && member->at[-UNIT - 1] == '\n';
  const gsize length = (gsize) (member->value - member->at) - strlen ("\"\": ");
  g_autofree char *name = g_strndup (member->at + 1, length);

  if (!g_utf8_validate (name, (gssize) length, NULL))
    return table != NULL ? open : ear_json_ensure_object (root, "");
  if (table != NULL && (open != NULL || !own_line) && !g_str_equal (name, table))
    return open;

  return ear_json_ensure_object (root, name);
}

/* Brings a text of any layout into the one of ear_json_print(), down to the members of
 * entries. A quote whose other one is lost from the line does not begin a string, so that the
 * braces behind it count. */
static GString *
reindent (const char *text, gsize length)
{
  const char *end = text + length;
  GString *lines = g_string_new (NULL);
  gboolean quoted = FALSE;
  guint depth = 0;

  for (const char *p = text; p < end && lines->len <= 4 * length; p++)
    {
      const gboolean opens = !quoted && (*p == '{' || *p == '[');
      const gboolean closes = !quoted && depth > 0 && (*p == '}' || *p == ']');

      if (!quoted && strchr (" \t\r\n", *p) != NULL)
        continue;
      if (closes && depth-- <= PART)
        g_string_append_printf (lines, "\n%*s", (int) (UNIT * depth), "");
      g_string_append_c (lines, *p);
      if (*p == '\\' && p + 1 < end)
        g_string_append_c (lines, *++p);
      else if (*p == '"')
        {
          const char *close = !quoted ? skip_string (p, end) : NULL;

          quoted = close != NULL && close < end && *close == '"';
        }
      else if (!quoted && *p == ':')
        g_string_append_c (lines, ' ');
      depth += opens;
      if ((opens || (!quoted && *p == ',')) && depth <= PART)
        g_string_append_printf (lines, "\n%*s", (int) (UNIT * depth), "");
    }

  return lines;
}

/* Removes values without a stamp, and stamps without a value. */
static void
remove_useless (JsonObject *root)
{
  g_autoptr (GList) names = json_object_get_members (root);

  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonObject *object = ear_json_get_object (root, l->data);

      if (object != NULL && !is_useful (object))
        json_object_remove_member (root, l->data);
    }
}

/* Reads a file that ear_json_parse() refuses. Returns all complete entries, wherever the
 * damage is; a stamped value only with its stamp. Time and memory are bounded for any
 * input.
 * @table: (nullable): name of the member that has the file's entries by their names
 * @repair: whether to keep the readable parts of damaged entries
 * Returns: (transfer full): an object, maybe without members */
JsonObject *
ear_json_salvage (const char *text, gsize length, const char *table, gboolean repair)
{
  const gboolean own_layout =
      memmem (text, length, "\n  \"", 4) != NULL || memmem (text, length, "\n  }", 4) != NULL;
  g_autoptr (GString) lines =
      own_layout ? g_string_new_len (text, (gssize) length) : reindent (text, length);
  const char *end = lines->str + lines->len;
  JsonObject *root = json_object_new ();
  JsonObject *entries = NULL;
  Member member = find_member (lines->str, end, 1, ENTRY);

  for (guint n = 0; member.at != NULL && n < LIMIT; n++)
    {
      const Member after = find_member (member.value, end, 1, ENTRY);
      const char *next = after.at != NULL ? after.at : end;
      const gboolean opens = member.depth == 1 && *member.value == '{' && member.value[1] != '}';
      g_autoptr (JsonObject) one = NULL;

      if (!opens)
        one = parse_member (&member, next, FALSE);
      if (!opens && one == NULL && repair)
        one = parse_member (&member, next, TRUE);
      if (member.depth == ENTRY && entries == NULL)
        entries = ear_json_ensure_object (root, table != NULL ? table : "");
      if (one != NULL)
        add_members (member.depth == ENTRY ? entries : root, one);
      else if (member.depth == ENTRY && repair)
        add_parts (entries, &member, next);
      else if (opens)
        entries = open_object (root, lines->str, &member, table, entries);
      if (table != NULL && has_end_line (member.at, next))
        entries = NULL;
      member = after;
    }
  if (table == NULL)
    remove_useless (root);

  return root;
}
