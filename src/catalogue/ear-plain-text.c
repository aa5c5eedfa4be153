/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-plain-text.h"

#include <string.h>

/* Inline elements: their tags do not separate words. Indexed by length, as most tags are
 * none of them. */
static const char *const inline_elements[][8] = {
  [1] = { "a", "b", "i", "s", "u" },
  [2] = { "em", "tt" },
  [3] = { "bdi", "big", "ins", "kbd", "sub", "sup", "var", "wbr" },
  [4] = { "abbr", "cite", "code", "font", "mark", "span" },
  [5] = { "small" },
  [6] = { "strong" },
};

/* Entities that matter for searches; unknown ones stay as written. */
static const struct
{
  const char *name;
  const char *text;
} entities[] = {
  { "amp", "&" },    { "lt", "<" },     { "gt", ">" },     { "quot", "\"" },  { "apos", "'" },
  { "nbsp", " " },   { "ndash", "–" },  { "mdash", "—" },  { "hellip", "…" }, { "rsquo", "’" },
  { "lsquo", "‘" },  { "rdquo", "”" },  { "ldquo", "“" },  { "auml", "ä" },   { "ouml", "ö" },
  { "uuml", "ü" },   { "Auml", "Ä" },   { "Ouml", "Ö" },   { "Uuml", "Ü" },   { "szlig", "ß" },
  { "eacute", "é" }, { "egrave", "è" }, { "ecirc", "ê" },  { "aacute", "á" }, { "agrave", "à" },
  { "acirc", "â" },  { "iacute", "í" }, { "oacute", "ó" }, { "ocirc", "ô" },  { "uacute", "ú" },
  { "ntilde", "ñ" }, { "ccedil", "ç" }, { "oslash", "ø" }, { "aring", "å" },  { "aelig", "æ" },
  { "shy", "" },
};

/* Bytes that end a run of text that is copied unchanged; a single space within a
 * run does not. */
static const guint8 ends_run[256] = {
  ['\0'] = 1, ['<'] = 1, ['&'] = 1, [' '] = 1, ['\t'] = 1, ['\r'] = 1, ['\n'] = 1,
};

typedef struct
{
  char *to; /* end of the output */
  gboolean space;
  gboolean no_more_tags; /* no tag ends after here: stop looking for one */
  gboolean no_more_hidden; /* the same for ends of hidden elements */
} Output;

/* White space is written once, before the next word. */
static void
put (Output *out, const char *text, gsize length)
{
  if (length == 0)
    return;
  if (out->space)
    *out->to++ = ' ';
  out->space = FALSE;
  memcpy (out->to, text, length);
  out->to += length;
}

static gboolean
tag_is (const char *name, gsize length, const char *element)
{
  return strlen (element) == length && g_ascii_strncasecmp (name, element, length) == 0;
}

static gboolean
is_inline (const char *name, gsize length)
{
  if (length >= G_N_ELEMENTS (inline_elements))
    return FALSE;
  for (gsize i = 0;
       i < G_N_ELEMENTS (inline_elements[length]) && inline_elements[length][i] != NULL; i++)
    if (g_ascii_strncasecmp (name, inline_elements[length][i], length) == 0)
      return TRUE;

  return FALSE;
}

/* Returns the end of an element whose content is not text, such as a style sheet. */
static const char *
skip_element (const char *at, const char *name, gsize length)
{
  const char *end = at;

  while (*end != '\0' &&
         !(end[0] == '<' && end[1] == '/' && g_ascii_strncasecmp (end + 2, name, length) == 0))
    end++;
  while (*end != '\0' && *end != '>')
    end++;

  return *end != '\0' ? end + 1 : end;
}

/* Whether the text between @at and @end, within a tag, is "display: none". */
static gboolean
is_no_display (const char *at, const char *end)
{
  const char *p = at + strlen ("display");

  if (end - at < (gssize) strlen ("display:none") ||
      g_ascii_strncasecmp (at, "display", strlen ("display")) != 0)
    return FALSE;
  p += strspn (p, " ");
  if (*p != ':')
    return FALSE;
  p += 1 + strspn (p + 1, " ");

  return g_ascii_strncasecmp (p, "none", 4) == 0 && p + 4 <= end;
}

static gboolean
is_hidden_attribute (const char *at)
{
  return g_ascii_isspace (at[-1]) && g_ascii_strncasecmp (at, "hidden", 6) == 0 &&
         strchr (" \t\r\n=>/", at[6]) != NULL && g_ascii_strncasecmp (at + 6, "=\"until", 7) != 0;
}

/* Whether the attributes of a tag hide its element. */
static gboolean
hides (const char *attributes, const char *end)
{
  char quote = '\0';

  for (const char *p = attributes; p < end; p++)
    if (*p == quote)
      quote = '\0';
    else if (quote == '\0' && (*p == '"' || *p == '\''))
      quote = *p;
    else if (((*p | 0x20) == 'd' && is_no_display (p, end)) ||
             ((*p | 0x20) == 'h' && quote == '\0' && is_hidden_attribute (p)))
      return TRUE;

  return FALSE;
}

static gboolean
has_content (const char *name, gsize length)
{
  return !tag_is (name, length, "img") && !tag_is (name, length, "br") &&
         !tag_is (name, length, "hr") && !tag_is (name, length, "input");
}

/* Returns the position after a hidden element and its content; %NULL if it has no end. */
static const char *
skip_hidden (Output *out, const char *at, const char *name, gsize length)
{
  guint depth = 1;

  for (const char *p = strchr (at, '<'); p != NULL; p = strchr (p + 1, '<'))
    {
      const gboolean is_end = p[1] == '/';
      const char *other = p + 1 + is_end;

      if (g_ascii_strncasecmp (other, name, length) != 0 || g_ascii_isalnum (other[length]) ||
          other[length] == '-')
        continue;
      depth = is_end ? depth - 1 : depth + 1;
      p = strchr (other, '>');
      if (p == NULL)
        break;
      if (depth == 0)
        return p + 1;
    }
  out->no_more_hidden = TRUE;

  return NULL;
}

/* @at: at "<". Returns the position after the tag, or %NULL if it is no tag or
 * has no end. */
static const char *
skip_tag (Output *out, const char *at)
{
  const char *name = at[1] == '/' ? at + 2 : at + 1;
  const char *end;
  gsize length = 0;

  if (strncmp (at, "<!--", 4) == 0)
    {
      end = strstr (at + 4, "-->");
      return end != NULL ? end + 3 : at + strlen (at);
    }
  if (!g_ascii_isalpha (*name) && *name != '!' && *name != '?')
    return NULL;
  while (g_ascii_isalnum (name[length]))
    length++;
  end = strchr (name, '>');
  if (end == NULL)
    {
      out->no_more_tags = TRUE;
      return NULL;
    }
  if (at[1] != '/' && (tag_is (name, length, "script") || tag_is (name, length, "style")))
    return skip_element (end + 1, name, length);
  if (!is_inline (name, length))
    out->space = TRUE;
  if (at[1] != '/' && end > name + length && !out->no_more_hidden && hides (name + length, end) &&
      has_content (name, length))
    {
      const char *after = skip_hidden (out, end + 1, name, length);

      return after != NULL ? after : end + 1;
    }

  return end + 1;
}

static const char *
put_character (Output *out, const char *number, const char *end)
{
  gboolean hexadecimal = *number == 'x' || *number == 'X';
  char *stop = NULL;
  guint64 value = g_ascii_strtoull (hexadecimal ? number + 1 : number, &stop,
                                    hexadecimal ? 16 : 10);
  char text[6];

  if (stop != end || value == 0 || value > 0x10ffff || !g_unichar_validate ((gunichar) value))
    return NULL;
  if (g_unichar_isspace ((gunichar) value) || value < 0x20)
    out->space = TRUE;
  else
    put (out, text, (gsize) g_unichar_to_utf8 ((gunichar) value, text));

  return end + 1;
}

/* @at: at "&". Returns the position after the reference, or %NULL if it is unknown. A
 * reference is never shorter than its text. */
static const char *
put_entity (Output *out, const char *at)
{
  const char *name = at + 1;
  gsize length = 0;

  while (length < 10 && (g_ascii_isalnum (name[length]) || (length == 0 && name[length] == '#')))
    length++;
  if (length == 0 || name[length] != ';')
    return NULL;
  if (*name == '#')
    return put_character (out, name + 1, name + length);

  for (gsize i = 0; i < G_N_ELEMENTS (entities); i++)
    if (strlen (entities[i].name) == length && strncmp (entities[i].name, name, length) == 0)
      {
        if (*entities[i].text == ' ')
          out->space = TRUE;
        else
          put (out, entities[i].text, strlen (entities[i].text));
        return name + length + 1;
      }

  return NULL;
}

/* Returns the end of the run of text that begins at @at. */
static const char *
find_run_end (const char *at)
{
  if (ends_run[(guchar) *at])
    return at;
  while (!ends_run[(guchar) *at] || (*at == ' ' && !ends_run[(guchar) at[1]]))
    at++;

  return at;
}

/* Extracts the words of show notes for the index, without tags, comments, style sheets
 * and character references. The result need not be pretty, but the function has to be
 * quick and bounded; feed/ parses the same notes for display.
 * @notes: (nullable): untrusted show notes, HTML or plain text
 * @limit: maximum length of the text in bytes
 * Returns: (transfer full): the text, valid if @notes is */
char *
ear_plain_text_from_notes (const char *notes, gsize limit)
{
  const char *at = notes != NULL ? notes : "";
  const gsize length = strlen (at);
  const char *end = at + length;
  char *text = g_malloc (length + 2);
  Output out = { .to = text };

  while (at < end && (gsize) (out.to - text) < limit)
    {
      const char *after = NULL;
      const char *start = at;

      at = find_run_end (start);
      put (&out, start, (gsize) (at - start));
      if (*at == '<' && !out.no_more_tags)
        after = skip_tag (&out, at);
      else if (*at == '&')
        after = put_entity (&out, at);

      if (after != NULL)
        at = after;
      else if (*at == '<' || *at == '&')
        put (&out, at++, 1);
      else if (*at != '\0')
        {
          out.space = out.to > text;
          at++;
        }
    }
  if ((gsize) (out.to - text) > limit)
    for (out.to = text + limit; out.to > text && (*out.to & 0xc0) == 0x80;)
      out.to--;
  *out.to = '\0';

  return g_realloc (text, (gsize) (out.to - text) + 1);
}
