/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-entities.h"

#include "ear-entity-table.h"

#include <string.h>

/* The table of HTML's named characters is generated at build time, sorted by name. */

/* The characters of windows-1252 in place of Latin-1's control characters */
static const guint16 windows_1252[32] = {
  0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd,
  0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
};

/* Returns: the row of a name, or -1 */
static int
find_name (const char *name, gsize length)
{
  int low = 0;
  int high = G_N_ELEMENTS (entity_offsets);

  while (low < high)
    {
      int middle = (low + high) / 2;
      const char *found = entity_names + entity_offsets[middle];
      int order = strncmp (found, name, length);

      if (order == 0 && found[length] != '\0')
        order = 1;
      if (order == 0)
        return middle;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }

  return -1;
}

/* Browsers also read numeric references to C1 control characters this way.
 * @byte: a byte outside ASCII
 * Returns: its character in windows-1252, or U+FFFD */
gunichar
ear_entity_windows_1252 (guint8 byte)
{
  return byte >= 0x80 && byte < 0xa0 ? windows_1252[byte - 0x80] : byte;
}

/* Reads the number after "&#": decimal digits, or "x" and hexadecimal digits. */
static gunichar
read_number (const char *digits, gsize length)
{
  gboolean hex = length > 1 && (digits[0] == 'x' || digits[0] == 'X');
  guint32 value = 0;

  if (length == 0)
    return 0;
  for (gsize i = hex ? 1 : 0; i < length; i++)
    {
      int digit = hex ? g_ascii_xdigit_value (digits[i]) : g_ascii_digit_value (digits[i]);

      if (digit < 0)
        return 0;
      value = MIN (value * (hex ? 16 : 10) + digit, 0x110000);
    }
  if (value >= 0x80 && value < 0xa0)
    return ear_entity_windows_1252 (value);
  if (value == '\t' || value == '\n' || value == '\r')
    return value;
  if (value < 0x20 || value == 0x7f || value == 0xfeff)
    return EAR_ENTITY_NOTHING;
  if (value >= 0x110000 || (value & 0xfffe) == 0xfffe || (value >= 0xd800 && value < 0xe000))
    return 0xfffd;

  return value;
}

/* @body: (array length=length): the text between `&` and `;`
 * @length: its length in bytes
 * @second: (out): the second character of the few names that stand for two, or 0
 * Returns: the character, %EAR_ENTITY_NOTHING if no text may contain it, or 0 if there is
 *   no such entity */
gunichar
ear_entity_lookup (const char *body, gsize length, gunichar *second)
{
  int row;

  *second = 0;
  if (length > 1 && body[0] == '#')
    return read_number (body + 1, length - 1);
  row = length > 0 ? find_name (body, length) : -1;
  if (row < 0)
    return 0;
  *second = entity_characters[row][1];

  return entity_characters[row][0] & ~ENTITY_LEGACY;
}

/* @text: (array length=length): text after a `&`
 * @length: its length in bytes */
gsize
ear_entity_span (const char *text, gsize length)
{
  gsize i = 0;

  while (i < length && i < EAR_ENTITY_LONGEST &&
         (g_ascii_isalnum (text[i]) || (text[i] == '#' && i == 0) || text[i] == '_' || text[i] == '.' || text[i] == '-'))
    i++;

  return i;
}

/* Returns: whether a reference may lack its semicolon: numbers may, and the names of the
 *   first HTML, but not in a URL (`&copy=`) or a longer word */
static gboolean
may_end_here (const char *body, gsize length, char next)
{
  int row;

  if (length < 2 || g_ascii_isalnum (next) || next == '=' || next == '_' || next == '-')
    return FALSE;
  if (body[0] == '#')
    return g_ascii_isdigit (body[1]) || length > 2;
  row = find_name (body, length);

  return row >= 0 && (entity_characters[row][0] & ENTITY_LEGACY) != 0;
}

/* @text: (array length=length): HTML after a `&`
 * @length: its length in bytes
 * @characters: (out) (array fixed-size=2): the characters of the reference; nearly always
 *   the second is 0; the first is %EAR_ENTITY_NOTHING if no text may contain it
 * Returns: the length of the reference in bytes, or 0 if it is not one */
gsize
ear_entity_read (const char *text, gsize length, gunichar characters[2])
{
  gsize span = ear_entity_span (text, length);
  gboolean ended = span < length && text[span] == ';';

  if (span == 0 || (!ended && !may_end_here (text, span, span < length ? text[span] : '\0')))
    return 0;
  characters[0] = ear_entity_lookup (text, span, &characters[1]);

  return characters[0] != 0 ? span + ended : 0;
}

/* @text: (array length=length): text that may contain character references
 * @length: its length in bytes */
void
ear_entity_append_text (GString *to, const char *text, gsize length)
{
  const char *end = text + length;

  while (text < end)
    {
      const char *ampersand = memchr (text, '&', end - text);
      gunichar characters[2];
      gsize taken;

      g_string_append_len (to, text, (ampersand != NULL ? ampersand : end) - text);
      if (ampersand == NULL)
        return;
      text = ampersand + 1;
      taken = ear_entity_read (text, end - text, characters);
      if (taken == 0)
        g_string_append_c (to, '&');
      else if (characters[0] != EAR_ENTITY_NOTHING)
        g_string_append_unichar (to, characters[0]);
      if (taken > 0 && characters[1] != 0)
        g_string_append_unichar (to, characters[1]);
      text += taken;
    }
}
