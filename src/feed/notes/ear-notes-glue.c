/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-apart.h"

#include <string.h>

typedef struct
{
  const char *words;
  gboolean is_plain;
} Title;

/* Headings that podcasters write above their lists. No other text is taken for a heading:
 * it has to be certain. */
static const Title titles[] = {
  { "further reading" }, { "further listening" }, { "further viewing" }, { "further watching" }, { "more reading" },
  { "code pointers" }, { "liner notes" }, { "line notes" }, { "outline" }, { "show links" }, { "episode links" }, { "related links" },
  { "useful links" }, { "links mentioned" }, { "mentioned in this episode" }, { "links mentioned in this episode" },
  { "references", TRUE }, { "resources", TRUE }, { "links", TRUE }, { "sources", TRUE },
  { "weiterführende links" }, { "weiterführende literatur" }, { "zum weiterlesen" }, { "quellen", TRUE },
  { "pour aller plus loin" }, { "liens utiles" }, { "liens", TRUE },
  { "para saber más" }, { "lecturas recomendadas" }, { "enlaces", TRUE },
  { "לקריאה נוספת" }, { "קישורים", TRUE },
};

static gboolean
ends_sentence (const char *text, gsize at)
{
  static const char *const marks[] = { "…", "”", "’", "»" };

  if (at == 0 || strchr (".?!:)]\"'\n", text[at - 1]) != NULL)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (at >= strlen (marks[i]) && strncmp (text + at - strlen (marks[i]), marks[i], strlen (marks[i])) == 0)
      return TRUE;

  return FALSE;
}

/* Returns: whether a heading can start there: at the start of a sentence, or where a
 *   space is missing
 * @glued: (out): whether a space is missing */
static gboolean
can_begin (const char *text, gsize at, const Title *title, gboolean *glued)
{
  gsize before = at;

  while (before > 0 && text[before - 1] == ' ')
    before--;
  *glued = at > 0 && before == at && text[at - 1] != '\n';
  if (ends_sentence (text, before))
    return TRUE;

  /* Not in the middle of a name such as "HyperLinks:" */
  return *glued && g_ascii_isupper (text[at]) && strchr (title->words, ' ') != NULL;
}

/* Matches a heading that ends before the punctuation at @end. */
static gboolean
match_title (const char *text, gsize from, gsize end, EarNotesTitle *match)
{
  for (gsize i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      const gsize length = strlen (titles[i].words);
      const gsize start = end - length;
      gboolean glued;

      if (end < from + length || g_ascii_strncasecmp (text + start, titles[i].words, length) != 0 ||
          !can_begin (text, start, &titles[i], &glued))
        continue;
      *match = (EarNotesTitle) { start, length, end + 1, glued, titles[i].is_plain };
      match->is_glued = glued || (text[end + 1] != '\0' && strchr (" \n", text[end + 1]) == NULL);
      return TRUE;
    }

  return FALSE;
}

/* Finds the next heading in a text.
 * @from: where to start, in bytes */
gboolean
ear_notes_find_title (const char *text, gsize from, EarNotesTitle *title)
{
  for (gsize at = from + strcspn (text + from, ".:"); text[at] != '\0'; at += 1 + strcspn (text + at + 1, ".:"))
    if (match_title (text, from, at, title))
      return TRUE;

  return FALSE;
}

/* Longer suffixes precede their prefixes: the first match counts. */
static const char *const endings[] = { "html", "htm", "hpp", "h", "cuh", "cu", "cpp", "cc", "c", "ipynb", "pyi", "py", "md", "rst", "txt",
                                       "yaml", "yml", "json", "toml", "xml", "bzl", "sh", "rs", "go", "jsx", "js", "tsx", "ts", "java", "pdf", "php",
                                       "png", "jpg", "svg", "mp3", "mp4" };

static gboolean
is_all (const char *text, gsize length, const char *set)
{
  return length > 0 && strspn (text, set) >= length;
}

#define DIGITS "0123456789"
#define SMALL "abcdefghijklmnopqrstuvwxyz"

/* Returns: whether the text can be the first word of a sentence, up to the space after
 * it */
static gboolean
is_word (const char *text, gsize length)
{
  for (gsize i = 1; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '\'' && text[i] != '+' && text[i] != '_' && text[i] != '.')
      return FALSE;

  return length > 0 && g_ascii_isupper (*text);
}

/* "README.mdAlex", "autograd.htmlderivatives.yaml"
 * Returns: the length of the file name suffix at the start of the text, or 0 */
static gsize
match_ending (const char *text, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      const gsize ending = strlen (endings[i]);
      const char *rest = text + ending;

      if (ending > length || strncmp (text, endings[i], ending) != 0)
        continue;
      if (ending == length)
        return 0;
      if (is_word (rest, strcspn (rest, "/ ")))
        return ending;
      /* Lower-case text after it only counts if it is a file name, too. */
      if (ending > 1 && g_ascii_islower (*rest) && memchr (rest, '/', length - ending) == NULL &&
          (memchr (rest, '.', length - ending) != NULL || memchr (rest, '_', length - ending) != NULL))
        return ending;
    }

  return 0;
}

static gsize
find_ending (const char *path, gsize length)
{
  for (gsize i = 1; i + 1 < length; i++)
    {
      const gsize ending = path[i] == '.' ? match_ending (path + i + 1, length - i - 1) : 0;

      if (ending > 0)
        return i + 1 + ending;
    }

  return length;
}

/* Returns: whether the text before a capital letter looks like the last part of a URL:
 *   "131", "L97-L178", "the-guide", "documentation", "(notes)" */
static gboolean
is_whole (const char *part, gsize length)
{
  gsize last = length;

  if (is_all (part, length, DIGITS) || part[length - 1] == ')' || (part[0] == 'L' && g_ascii_isdigit (part[length - 1]) && is_all (part, length, DIGITS "L-")))
    return TRUE;
  while (last > 0 && g_ascii_islower (part[last - 1]))
    last--;

  return last == 0 ? length >= 4 : length - last >= 2 && (part[last - 1] == '-' || part[last - 1] == '_');
}

/* Cuts "https://example.org/ATenThe manual" before "The", which ends no name. */
static gboolean
is_article (const char *text, gsize length)
{
  return length == 3 && strncmp (text, "The", 3) == 0;
}

static gsize
find_capital (const char *part, gsize length)
{
  for (gsize i = length - 1; i > 0 && part[i] != '.'; i--)
    if (is_word (part + i, length - i) && !g_ascii_isupper (part[i - 1]) && (is_whole (part, i) || is_article (part + i, length - i)))
      return i;

  return length;
}

/* Cuts "https://example.org/2019/05/a-long-title/Writing" after the folder. */
static gboolean
is_folder (const char *path, gsize length)
{
  const char *before = memrchr (path, '/', length - 1);
  const gsize size = before != NULL ? path + length - 1 - (before + 1) : 0;
  guint n_folders = 0;

  for (gsize i = 0; i < length; i++)
    n_folders += path[i] == '/';
  if (before == NULL || memmem (path, length, "/wiki/", 6) != NULL || memmem (path, length, "/blob/", 6) != NULL ||
      memmem (path, length, "/tree/", 6) != NULL || !is_all (before + 1, size, SMALL DIGITS "-_."))
    return FALSE;

  return n_folders >= 3 || memchr (before + 1, '-', size) != NULL || memchr (before + 1, '_', size) != NULL;
}

/* Guesses the end of a URL to which the next text is glued. Only for text in which spaces
 * are known to be missing; it looks for patterns unlikely in a URL.
 * @address: the URL, with its scheme
 * @length: the number of bytes up to the next space
 * Returns: how many of these are the URL */
gsize
ear_notes_find_glue (const char *address, gsize length)
{
  const char *host = memmem (address, length, "://", 3);
  const char *path = host != NULL ? memchr (host + 3, '/', address + length - (host + 3)) : NULL;
  const char *part = path;
  const char *bracket;
  gsize size;
  gsize found;

  if (path == NULL)
    return length;
  bracket = memrchr (path, '(', address + length - path);
  if (bracket != NULL && memchr (bracket, ')', address + length - bracket) == NULL)
    length = bracket - address;
  found = find_ending (path, address + length - path);
  if (path + found < address + length)
    return path + found - address;
  for (const char *p = path; p < address + length; p++)
    if (strchr ("/?#=", *p) != NULL)
      part = p + 1;
  size = address + length - part;
  if (size == 0)
    return length;
  if (part[-1] == '/' && part - path > 1 && is_word (part, size) && memchr (part, '.', size) == NULL && is_folder (path, part - path))
    return part - address;

  return part - address + find_capital (part, size);
}
