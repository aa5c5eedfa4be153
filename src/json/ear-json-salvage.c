/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-strict-json.h"

#include <string.h>

/*
 * Reads as much as possible of a damaged file: one that is cut off, or has wrong
 * bytes in it.
 *
 * Earmark's own files have a line for each member, indented by its depth. After damage,
 * reading continues at the next line whose indentation fits an open container, so that a
 * lost brace costs one entry and not all the entries after it. In files with another
 * layout, reading continues at the next comma or brace of the same depth.
 */

#define DEPTH_LIMIT 64
#define VALUES_LIMIT (2 * 1024 * 1024)
#define TABLE_DEPTH 2

typedef enum
{
  WHOLE,
  REPAIRED, /* damaged bytes of a string were replaced */
  CUT,  /* the text ends within the value */
  HURT, /* a part of the value is damaged */
} State;

typedef struct
{
  const char *start;
  const char *at;
  const char *line; /* beginning of the line of @at */
  const char *end;
  const char *table; /* (nullable): member of the root that has the entries */
  gsize unit;        /* spaces per level of indentation; 0: members have no lines of their own */
  gboolean repair;   /* keep strings with damaged bytes */
  guint n_values;
  guint resume;      /* depth of the container that continues after damage; 0: none */
  gboolean damaged;  /* @resume is set, and reading has not continued yet */
} Reader;

static JsonNode *read_value (Reader *self, guint depth, State *state);

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void
skip_blanks (Reader *self)
{
  for (; self->at < self->end && is_blank (*self->at); self->at++)
    if (*self->at == '\n')
      self->line = self->at + 1;
}

static gsize
count_indent (const char *line, const char *end)
{
  const char *p = line;

  while (p < end && (*p == ' ' || *p == '\t'))
    p++;

  return (gsize) (p - line);
}

/* Returns: the depth of the container that the line ends or has a member of, by its
 * indentation; 0 for other lines */
static guint
get_line_depth (Reader *self, const char *line)
{
  const gsize indent = count_indent (line, self->end);
  const char c = line + indent < self->end ? line[indent] : '\0';

  if (indent % self->unit != 0 || (c != '"' && c != '}' && c != ']'))
    return 0;

  return (guint) MIN (indent / self->unit, DEPTH_LIMIT) + (c != '"');
}

static gboolean
resume_at (Reader *self, const char *at, guint depth)
{
  self->at = at;
  self->resume = depth;

  return TRUE;
}

/* Entries continue their table even if damage has destroyed the table's beginning. */
static gboolean
resume_at_line (Reader *self, const char *line, guint depth)
{
  while (line < self->end)
    {
      const guint found = get_line_depth (self, line);
      const char *next = memchr (line, '\n', (gsize) (self->end - line));

      if (found > 0 && (found <= depth || (depth == 1 && found == TABLE_DEPTH && self->table)))
        {
          self->line = line;
          return resume_at (self, line + count_indent (line, self->end), found);
        }
      line = next != NULL ? next + 1 : self->end;
    }

  return FALSE;
}

/* Checks the neighbors of a quote: one character before the beginning of a string, one
 * after its end. */
static gboolean
is_quote (Reader *self, const char *p, gboolean quoted)
{
  const char before = p > self->start ? p[-1] : '{';
  const char after = p + 1 < self->end ? p[1] : '}';

  return strchr (quoted ? ",:}] \n" : "{[,: \n", quoted ? after : before) != NULL;
}

static gboolean
resume_at_comma (Reader *self, guint depth)
{
  gboolean quoted = FALSE;
  guint nested = 0;

  for (const char *p = self->at; p < self->end; p++)
    {
      if (quoted && *p == '\\')
        p++;
      else if (*p == '"')
        quoted ^= is_quote (self, p, quoted);
      else if (quoted)
        continue;
      else if (*p == '{' || *p == '[')
        nested++;
      else if ((*p == '}' || *p == ']') && nested-- == 0)
        return resume_at (self, p, depth);
      else if (*p == ',' && nested == 0)
        return resume_at (self, p + 1, depth);
    }

  return FALSE;
}

/* Finds the point where reading continues.
 * @line: (nullable): the first possible line; %NULL for the line after the damage
 * @depth: depth of the innermost open container */
static void
handle_damage (Reader *self, const char *line, guint depth)
{
  const char *next = memchr (self->at, '\n', (gsize) (self->end - self->at));

  if (line == NULL)
    line = next != NULL ? next + 1 : self->end;
  self->damaged = TRUE;
  if (self->unit > 0 ? resume_at_line (self, line, depth) : resume_at_comma (self, depth))
    return;
  self->at = self->end;
  self->resume = 0;
}

static gboolean
read_hex (const char *text, const char *end, gunichar *c)
{
  *c = 0;
  if (end - text < 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        return FALSE;
      *c = *c * 16 + (gunichar) g_ascii_xdigit_value (text[i]);
    }

  return TRUE;
}

/* @p: (inout): after the backslash; on return after the escape */
static gboolean
append_escape (GString *text, const char **p, const char *end)
{
  static const char *const escapes = "\"\\/bfnrt";
  const char *found = *p < end && **p != '\0' ? strchr (escapes, **p) : NULL;
  gunichar c, low;

  if (found != NULL)
    {
      g_string_append_c (text, "\"\\/\b\f\n\r\t"[found - escapes]);
      (*p)++;
      return TRUE;
    }
  if (*p >= end || **p != 'u' || !read_hex (*p + 1, end, &c))
    return FALSE;
  *p += 5;
  if (c >= 0xd800 && c < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' &&
      read_hex (*p + 2, end, &low) && low >= 0xdc00 && low < 0xe000)
    {
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
      *p += 6;
    }
  if (c == 0 || (c >= 0xd800 && c < 0xe000))
    return FALSE;
  g_string_append_unichar (text, c);

  return TRUE;
}

/* Escapes damaged bytes of a name as URLs do: the names of links are their URLs. */
static void
append_damaged (GString *text, char c, gboolean is_name)
{
  if (is_name)
    g_string_append_printf (text, "%%%02X", (guchar) c);
  else
    g_string_append (text, "\357\277\275");
}

/* Reads the string at the current position. Strings end within their line.
 * Returns: (transfer full) (nullable): the string; %NULL if it has no end, or is damaged
 * and must not be repaired */
static char *
read_string (Reader *self, gboolean is_name, State *state)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *p = self->at + 1;
  gboolean hurt = FALSE;

  while (p < self->end && *p != '"' && *p != '\n')
    {
      const gunichar c = g_utf8_get_char_validated (p, self->end - p);

      if (*p == '\\')
        {
          p++;
          if (append_escape (text, &p, self->end))
            continue;
          append_damaged (text, '\\', is_name);
          hurt = TRUE;
        }
      else if (c == (gunichar) -1 || c == (gunichar) -2 || c < 0x20)
        {
          append_damaged (text, *p++, is_name);
          hurt = TRUE;
        }
      else
        {
          g_string_append_unichar (text, c);
          p = g_utf8_next_char (p);
        }
    }
  if (p >= self->end)
    *state = CUT;
  else if (*p == '\n' || (hurt && !self->repair))
    *state = HURT;
  else
    *state = hurt ? REPAIRED : WHOLE;
  self->at = p < self->end && *p == '"' ? p + 1 : p;

  return *state <= REPAIRED ? g_string_free_and_steal (g_steal_pointer (&text)) : NULL;
}

static JsonNode *
make_scalar (const char *token)
{
  JsonNode *node = json_node_alloc ();
  char *end = NULL;
  double number;

  if (g_str_equal (token, "null"))
    return json_node_init_null (node);
  if (g_str_equal (token, "true") || g_str_equal (token, "false"))
    return json_node_init_boolean (node, *token == 't');
  if (g_ascii_isdigit (*token) || (*token == '-' && g_ascii_isdigit (token[1])))
    {
      const gint64 whole = g_ascii_strtoll (token, &end, 10);

      if (*end == '\0')
        return json_node_init_int (node, whole);
      number = g_ascii_strtod (token, &end);
      if (*end == '\0' && strpbrk (token, "xX") == NULL)
        return json_node_init_double (node, number);
    }
  json_node_unref (node);

  return NULL;
}

/* Numbers and words are complete only with a delimiter after them: a cut `12` may
 * have been `125`. */
static JsonNode *
read_scalar (Reader *self, State *state)
{
  const char *begin = self->at;
  g_autofree char *token = NULL;
  JsonNode *node;

  while (self->at < self->end &&
         (g_ascii_isalnum (*self->at) || *self->at == '.' || *self->at == '+' || *self->at == '-'))
    self->at++;
  token = g_strndup (begin, (gsize) (self->at - begin));
  node = self->at < self->end ? make_scalar (token) : NULL;
  *state = node != NULL ? WHOLE : self->at >= self->end ? CUT : HURT;
  if (node == NULL || strchr (",}] \t\r\n", *self->at) != NULL)
    return node;
  json_node_unref (node);
  *state = HURT;

  return NULL;
}

static State
worse (State a, State b)
{
  return MAX (a, b);
}

/* Whether a member, or an end, begins a line with the right indentation, or is in the
 * same line as the container's beginning. Indentation remains when a line end is lost.
 * @opened: the line of the container's beginning */
static gboolean
is_placed (Reader *self, guint depth, const char *opened, State state)
{
  const char *blanks = self->at;
  const char *next = self->at + 1;

  if (self->unit == 0)
    return TRUE;
  while (blanks > self->start && (blanks[-1] == ' ' || blanks[-1] == '\t'))
    blanks--;
  if (blanks == self->line)
    return get_line_depth (self, self->line) == depth;
  if (*self->at == '"')
    return (self->line == opened && state != HURT) ||
           (depth > 1 && (gsize) (self->at - blanks) == self->unit * depth);
  while (next < self->end && (*next == ' ' || *next == '\t'))
    next++;

  return self->line == opened && (next >= self->end || *next != '"');
}

/* Skips a misplaced byte. If it begins a line, reading continues by
 * that line's indentation. */
static void
skip_misplaced (Reader *self, guint depth)
{
  if (self->line + count_indent (self->line, self->end) == self->at)
    handle_damage (self, self->line, depth);
  else
    self->at++;
}

/* Moves to the next member of a container, or behind its end, and skips misplaced bytes.
 * @opened: the line of the container's beginning
 * @state: (inout): of the container
 * Returns: %TRUE at a member, %FALSE at the end of the container */
static gboolean
find_next (Reader *self, guint depth, const char *opened, State *state)
{
  while (TRUE)
    {
      if (self->damaged && self->resume != depth)
        return FALSE;
      self->damaged = FALSE;
      skip_blanks (self);
      if (self->at >= self->end)
        {
          *state = worse (*state, CUT);
          handle_damage (self, NULL, depth);
          return FALSE;
        }
      if (*self->at == ',')
        self->at++;
      else if (*self->at != '"' && *self->at != '}' && *self->at != ']')
        return TRUE;
      else if (!is_placed (self, depth, opened, *state))
        {
          *state = HURT;
          skip_misplaced (self, depth);
        }
      else if (*self->at == '"')
        return TRUE;
      else
        {
          self->at++;
          return FALSE;
        }
    }
}

static gboolean
holds_entries (JsonObject *object)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &node))
    if (JSON_NODE_HOLDS_OBJECT (node) && !g_str_equal (name, "value"))
      return TRUE;

  return FALSE;
}

/* Whether to keep the readable part of a damaged value. A stamped value has to be
 * complete, as it would replace older ones. */
static gboolean
is_useful (Reader *self, const char *name, JsonNode *value, State state, guint depth)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (value) ? json_node_get_object (value) : NULL;

  if (state <= REPAIRED)
    return TRUE;
  if (object == NULL)
    return state == CUT && json_array_get_length (json_node_get_array (value)) > 0;
  if (json_object_get_size (object) == 0)
    return FALSE;
  if (depth == 1 && holds_entries (object))
    return TRUE;
  if (g_str_equal (name, "value"))
    return self->repair && state == HURT;

  return json_object_has_member (object, "value") == json_object_has_member (object, "updated");
}

/* Adds a member. Damage may split a table in two; both halves are merged.
 * Entries after the end of the root may be left over from an older, longer file:
 * they replace nothing. */
static void
put_member (JsonObject *object, const char *name, JsonNode *value)
{
  JsonNode *known = json_object_get_member (object, name);
  JsonObjectIter iter;
  const char *inner;
  JsonNode *node;

  if (known == NULL)
    {
      json_object_set_member (object, name, value);
      return;
    }
  if (JSON_NODE_HOLDS_OBJECT (known) && JSON_NODE_HOLDS_OBJECT (value))
    {
      json_object_iter_init_ordered (&iter, json_node_get_object (value));
      while (json_object_iter_next_ordered (&iter, &inner, &node))
        if (!json_object_has_member (json_node_get_object (known), inner))
          json_object_set_member (json_node_get_object (known), inner, json_node_copy (node));
    }
  json_node_unref (value);
}

/* Returns: whether the name is complete */
static gboolean
read_name (Reader *self, char **name, State *state)
{
  *name = read_string (self, TRUE, state);
  if (*state == HURT && self->at < self->end && *self->at == '\n')
    return FALSE;
  skip_blanks (self);
  if (self->at >= self->end)
    *state = CUT;

  return self->at < self->end && *self->at == ':';
}

static State
read_member (Reader *self, JsonObject *object, guint depth)
{
  const char *begin = self->at;
  const char *line = self->line;
  g_autofree char *name = NULL;
  State name_state = HURT;
  State state = WHOLE;
  JsonNode *value;

  if (*begin != '"')
    {
      while (self->at < self->end && strchr ("\"}]\n", *self->at) == NULL)
        self->at++;
      self->at += self->at == begin;
      return HURT;
    }
  if (!read_name (self, &name, &name_state))
    {
      const gboolean is_cut = self->at >= self->end;

      /* The end of this string may be the beginning of the name. */
      if (self->unit == 0)
        self->at = begin;
      if (self->unit > 0 && name != NULL && self->line == line)
        self->at = begin + 1;
      else
        handle_damage (self, NULL, depth);
      return is_cut ? CUT : HURT;
    }
  begin = ++self->at;
  skip_blanks (self);
  if (depth == 1 && name != NULL && g_strcmp0 (name, self->table) == 0 &&
      (self->at >= self->end || *self->at != '{'))
    {
      self->at = begin;
      handle_damage (self, NULL, depth);
      return HURT;
    }
  value = read_value (self, depth, &state);
  /* A damaged name at the root that has entries is the table's name. */
  if (name_state != WHOLE && depth == 1 && self->table != NULL && value != NULL &&
      JSON_NODE_HOLDS_OBJECT (value))
    g_set_str (&name, self->table);
  if (value != NULL && name != NULL && is_useful (self, name, value, state, depth))
    put_member (object, name, value);
  else
    g_clear_pointer (&value, json_node_unref);

  return worse (state, name_state);
}

static State
read_members (Reader *self, JsonObject *object, guint depth)
{
  const char *opened = self->line;
  State state = WHOLE;

  while (find_next (self, depth, opened, &state))
    state = worse (state, read_member (self, object, depth));

  return state;
}

/* Whether a name and a colon follow, which arrays do not have. */
static gboolean
is_member (Reader *self)
{
  Reader ahead = *self;
  g_autofree char *name = NULL;
  State state;

  skip_blanks (&ahead);
  if (ahead.at >= ahead.end || *ahead.at != '"')
    return FALSE;
  name = read_string (&ahead, TRUE, &state);
  skip_blanks (&ahead);

  return state <= REPAIRED && ahead.at < ahead.end && *ahead.at == ':';
}

static State
read_items (Reader *self, JsonArray *array, guint depth)
{
  const char *opened = self->line;
  State state = WHOLE;

  while (find_next (self, depth, opened, &state))
    {
      State item_state = WHOLE;
      JsonNode *item;

      /* The damage extends into the table. */
      if (state == HURT && depth == TABLE_DEPTH && self->table != NULL && is_member (self))
        {
          self->damaged = TRUE;
          self->resume = TABLE_DEPTH;
          return HURT;
        }
      item = read_value (self, depth, &item_state);

      if (item != NULL && item_state <= REPAIRED)
        json_array_add_element (array, item);
      else
        g_clear_pointer (&item, json_node_unref);
      state = worse (state, item_state);
    }

  return state;
}

/* @depth: depth of the container
 * Returns: (transfer full) (nullable): the value, or its readable part */
static JsonNode *
read_value (Reader *self, guint depth, State *state)
{
  const char c = self->at < self->end ? *self->at : '\0';
  JsonNode *node = NULL;

  if (self->n_values++ > VALUES_LIMIT)
    self->at = self->end;
  if (self->at < self->end && (c == '{' || c == '[') && depth < DEPTH_LIMIT)
    {
      self->at++;
      if (c == '{' || is_member (self))
        {
          node = json_node_init_object (json_node_alloc (), NULL);
          json_node_take_object (node, json_object_new ());
          *state = read_members (self, json_node_get_object (node), depth + 1);
          if (c == '[')
            *state = HURT;
        }
      else
        {
          node = json_node_init_array (json_node_alloc (), NULL);
          json_node_take_array (node, json_array_new ());
          *state = read_items (self, json_node_get_array (node), depth + 1);
        }
      return node;
    }
  if (self->at < self->end && c == '"')
    {
      g_autofree char *string = read_string (self, FALSE, state);

      if (string != NULL)
        return json_node_init_string (json_node_alloc (), string);
      if (*state == HURT && self->at[-1] == '"')
        return NULL;
    }
  else
    {
      node = read_scalar (self, state);
      if (node != NULL)
        return node;
    }
  handle_damage (self, NULL, depth);

  return NULL;
}

/* Finds the indentation of a level: Earmark's own files use two spaces, others use four
 * or a tab. */
static gsize
find_unit (const char *text, const char *end)
{
  guint n_lines = 0, n_tabs = 0, n_twos = 0;

  for (const char *line = text; line < end;)
    {
      const char *next = memchr (line, '\n', (gsize) (end - line));
      const gsize indent = count_indent (line, end);

      if (indent > 0 && line + indent < end && line[indent] == '"')
        {
          n_lines++;
          n_tabs += *line == '\t';
          n_twos += indent % 4 == 2;
        }
      line = next != NULL ? next + 1 : end;
    }
  if (n_lines == 0)
    return 0;

  return n_tabs > n_lines / 2 ? 1 : n_twos > 0 ? 2 : 4;
}

/* Reads a file that ear_json_parse() refuses. Returns all complete entries, wherever the
 * damage is; a stamped value only with its stamp. Time and memory are bounded for any
 * input.
 * @text: bytes of a file
 * @length: bytes of @text
 * @table: (nullable): name of the member that has the file's entries by their names
 * @repair: whether to keep strings with damaged bytes, which are replaced, and values
 * that have lost a part
 * Returns: (transfer full): an object, maybe without members */
JsonObject *
ear_json_salvage (const char *text, gsize length, const char *table, gboolean repair)
{
  Reader reader = { .start = text, .at = text, .line = text, .end = text + length,
                    .table = table, .repair = repair };
  JsonObject *root = json_object_new ();

  reader.unit = find_unit (text, reader.end);
  skip_blanks (&reader);
  if (reader.at < reader.end && *reader.at == '{')
    reader.at++;
  else
    handle_damage (&reader, NULL, 1);
  while (reader.at < reader.end)
    {
      if (reader.damaged && reader.resume == TABLE_DEPTH)
        {
          JsonNode *node = json_node_init_object (json_node_alloc (), NULL);

          json_node_take_object (node, json_object_new ());
          read_members (&reader, json_node_get_object (node), TABLE_DEPTH);
          put_member (root, table, node);
        }
      else
        read_members (&reader, root, 1);
      /* Damage has ended a root that ends before the text does. */
      skip_blanks (&reader);
      if (reader.at < reader.end && !reader.damaged)
        handle_damage (&reader, NULL, 1);
    }

  return root;
}
