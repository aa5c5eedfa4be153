/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-links.h"

#include "ear-address.h"

#include <string.h>

/* Longer words are not URLs. */
#define MAX_ADDRESS 4096

/* Episodes of unknown duration are assumed to be shorter. */
#define LONGEST ((gint64) 100 * 3600 * G_USEC_PER_SEC)

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || (guint8) c >= 0x80 || c == '_';
}

static gboolean
ends_address (char c)
{
  return c == '\0' || c == ' ' || c == '\n' || c == '\t' || c == '<' || c == '>' || c == '"' || c == '`' || c == '|' ||
         c == '{' || c == '}' || c == '\\' || c == '^';
}

/* Punctuation of the sentence, or a bracket opened before the URL */
static gboolean
is_of_the_sentence (const char *address, gsize length)
{
  char last = address[length - 1];
  int open = 0;
  char opening;

  if (last == ')' || last == ']')
    {
      opening = last == ')' ? '(' : '[';
      for (gsize i = 0; i < length; i++)
        open += address[i] == opening ? 1 : address[i] == last ? -1 : 0;
      return open < 0;
    }

  return last == '.' || last == ',' || last == ';' || last == ':' || last == '!' || last == '?' || last == '\'' ||
         last == '*' || last == '(' || last == '[';
}

/* Returns: the length without trailing punctuation of the sentence
 * @least: the minimum length */
gsize
ear_notes_trim_address (const char *address, gsize length, gsize least)
{
  while (length > least && is_of_the_sentence (address, length))
    length--;

  return length;
}

/* Typographic quotes and brackets in UTF-8 also end a URL. */
static gsize
cut_typography (const char *address, gsize length)
{
  static const char *const marks[] = { "”", "“", "’", "»", "«", "…", "\302\240", "\342\200\213", "）", "，", "。" };

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      const char *found = memmem (address, length, marks[i], strlen (marks[i]));

      if (found != NULL)
        length = found - address;
    }

  return length;
}

/* Returns: whether the host part can be a server. Checked first: the rest may be long,
 *   with a thousand more such strings. */
static gboolean
has_server (const char *address, gsize prefix)
{
  g_autofree char *server = NULL;
  gsize length = prefix;

  while (length < MAX_ADDRESS && !ends_address (address[length]) && address[length] != '/' && (guint8) address[length] < 0x80)
    length++;
  if (address[length] != '/')
    return TRUE;
  server = g_strndup (address, length);

  return ear_address_is_web (server);
}

static gboolean
match_address (const char *text, gsize at, EarNotesMatch *match)
{
  const char *address = text + at;
  gsize prefix = g_ascii_strncasecmp (address, "https://", 8) == 0  ? 8
                 : g_ascii_strncasecmp (address, "http://", 7) == 0 ? 7
                 : g_ascii_strncasecmp (address, "www.", 4) == 0    ? 4
                                                                    : 0;
  g_autofree char *found = NULL;
  gsize length = 0;

  if (prefix == 0 || (at > 0 && g_ascii_isalnum (text[at - 1])) || (prefix > 4 && !has_server (address, prefix)))
    return FALSE;
  while (length < MAX_ADDRESS && !ends_address (address[length]))
    length++;
  length = ear_notes_trim_address (address, cut_typography (address, length), prefix);
  if (length <= prefix || !is_word (address[prefix]))
    return FALSE;
  if (prefix == 4 && memchr (address + 4, '.', length - 4) == NULL)
    return FALSE;
  found = g_strndup (address, length);
  if (prefix == 4)
    {
      g_autofree char *bare = g_steal_pointer (&found);

      found = g_strconcat ("https://", bare, NULL);
    }
  if (!ear_address_is_web (found))
    return FALSE;
  *match = (EarNotesMatch) { at, length, g_steal_pointer (&found), -1 };

  return TRUE;
}

/* "10:30 am", "10:30 Uhr" */
static gboolean
is_time_of_day (const char *after)
{
  static const char *const words[] = { "am", "pm", "a.m", "p.m", "uhr", "gmt", "utc", "est", "edt", "cst", "cdt", "pst",
                                       "pdt", "cet", "cest", "et", "pt", "h" };

  if (*after == ' ')
    after++;
  else if (g_str_has_prefix (after, "\302\240"))
    after += 2;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize length = strlen (words[i]);

      if (g_ascii_strncasecmp (after, words[i], length) == 0 && !is_word (after[length]))
        return TRUE;
    }

  return FALSE;
}

/* Returns: (nullable): the end of a number with @least to @most digits */
static const char *
skip_digits (const char *p, int least, int most)
{
  int digits = 0;

  while (g_ascii_isdigit (p[digits]))
    digits++;

  return digits >= least && digits <= most ? p + digits : NULL;
}

static gboolean
stands_alone (const char *text, const char *start, const char *end)
{
  char before = start > text ? start[-1] : ' ';

  if (g_ascii_isalnum (before) || strchr (":.,/-+_=@#$", before) != NULL)
    {
      /* "1:05-2:10", "(1:05/2:10" and "at 1:05,2:10" are two times each. */
      if (!((before == '-' || before == '/' || before == ',') && start > text + 1 && g_ascii_isdigit (start[-2])) &&
          !((before == '-' || before == '_') && (start == text + 1 || start[-2] == ' ')))
        return FALSE;
    }
  if (g_ascii_isalnum (*end) || *end == '_' || *end == '%' || *end == '/')
    return FALSE;
  /* "20:00: Title" is a time; "1:05:9" and "at::10:00::b" are not. */
  if (*end == ':' && (g_ascii_isalnum (end[1]) || end[1] == ':'))
    return FALSE;
  if ((*end == '.' || *end == ',') && g_ascii_isdigit (end[1]))
    return *end == ',';

  return TRUE;
}

/* M:SS, MM:SS, MMM:SS, H:MM:SS or HH:MM:SS */
static gboolean
match_time (const char *text, gsize at, gint64 duration, EarNotesMatch *match)
{
  const char *start = text + at;
  const char *colon = skip_digits (start, 1, 3);
  const char *end;
  gint64 seconds;
  int second, third;

  if (colon == NULL || *colon != ':' || (end = skip_digits (colon + 1, 2, 2)) == NULL)
    return FALSE;
  second = g_ascii_strtoll (colon + 1, NULL, 10);
  seconds = g_ascii_strtoll (start, NULL, 10) * 60 + second;
  if (*end == ':' && skip_digits (end + 1, 2, 2) != NULL)
    {
      third = g_ascii_strtoll (end + 1, NULL, 10);
      seconds = seconds * 60 + third;
      end += 3;
      if (third > 59)
        return FALSE;
    }
  if (second > 59 || !stands_alone (text, start, end) || is_time_of_day (end))
    return FALSE;
  if (seconds * G_USEC_PER_SEC >= (duration > 0 ? duration : LONGEST))
    return FALSE;
  *match = (EarNotesMatch) { at, end - start, NULL, seconds * G_USEC_PER_SEC };

  return TRUE;
}

/* Finds the next URL (`https:`, `http:` or `www.`) or time of the episode (`1:05`,
 * `01:02:03`) in a text.
 * @from: where to start, in bytes
 * @duration: the duration of the episode in microseconds; 0 if unknown
 * @match: (out caller-allocates): the match; the caller owns its link
 * Returns: %FALSE if there is none */
gboolean
ear_notes_find_link (const char *text, gsize from, gint64 duration, EarNotesMatch *match)
{
  for (gsize at = from + strcspn (text + from, "hHwW0123456789"); text[at] != '\0';
       at += 1 + strcspn (text + at + 1, "hHwW0123456789"))
    {
      if (!g_ascii_isdigit (text[at]))
        {
          if (match_address (text, at, match))
            return TRUE;
        }
      else
        {
          if (match_time (text, at, duration, match))
            return TRUE;
          at += strspn (text + at, "0123456789:") - 1;
        }
    }

  return FALSE;
}

/* Returns: the length of the bullet at the start of a plain-text list item, or 0 */
gsize
ear_notes_get_bullet_length (const char *text)
{
  static const char *const bullets[] = { "- ", "* ", "• ", "•\t", "· ", "•\302\240" };

  for (gsize i = 0; i < G_N_ELEMENTS (bullets); i++)
    if (g_str_has_prefix (text, bullets[i]))
      return strlen (bullets[i]);

  return 0;
}

/* Other fields of a mailto link make some mail programs attach the listener's files or
 * send copies to others (RFC 6068, section 7). */
static gboolean
is_harmless_field (const char *field)
{
  return g_ascii_strncasecmp (field, "subject=", 8) == 0 || g_ascii_strncasecmp (field, "body=", 5) == 0;
}

static char *
make_mail_link (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "?", 2);
  g_auto (GStrv) fields = g_strsplit (parts[1] != NULL ? parts[1] : "", "&", -1);
  GString *link = g_string_new ("mailto:");
  char separator = '?';

  g_string_append (link, parts[0]);
  for (guint i = 0; fields[i] != NULL; i++)
    if (is_harmless_field (fields[i]))
      {
        g_string_append_printf (link, "%c%s", separator, fields[i]);
        separator = '&';
      }

  return g_string_free_and_steal (link);
}

/* @base: (nullable): the base URL of the notes
 * @reference: (nullable): the target of a link
 * Returns: (transfer full) (nullable): the URL; %NULL if it is neither a web address nor
 *   `mailto:`, or a fragment of the page, which is not shown */
char *
ear_notes_resolve_link (const char *base, const char *reference)
{
  g_autofree char *stripped = reference != NULL ? g_strstrip (g_strdup (reference)) : NULL;

  if (stripped == NULL || *stripped == '#')
    return NULL;
  if (g_ascii_strncasecmp (stripped, "mailto:", 7) != 0)
    return ear_address_resolve (base, stripped);
  if (strcspn (stripped, "@") >= strcspn (stripped, "?") || strlen (stripped) >= 1000)
    return NULL;

  return make_mail_link (stripped + 7);
}
