/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-tokenizer.h"

#include "ear-text-find.h"

#include <string.h>

/*
 * The tokenizer of the full text indexes. The tokenizer cuts texts into words as SQLite's
 * `unicode61` does, with `_` as a letter, so that identifiers are one word. The parts of
 * an identifier are tokens as well: in `__torch_function__` also `torch`, `function` and
 * `torch_function`, in `AOTAutograd` also `autograd`. They have the position of the whole
 * word, so that phrases still match. Words of a query have no parts.
 *
 * Chinese, Japanese, Korean and other scripts are written without spaces between words,
 * or with endings attached: each of their characters is a token, and a word of a query is
 * a phrase of these.
 *
 * ear_text_fold() makes tokens comparable; `unicode61` does not fold letters such as
 * "ł" and ligatures.
 */

/* Names that people search for do not have more parts. */
#define PARTS_LIMIT 16

/* A single letter is no part. */
#define SHORTEST 2

typedef int (*TakeToken) (void *data, int flags, const char *token, int length, int start, int end);

struct Fts5Tokenizer
{
  fts5_tokenizer functions;
  Fts5Tokenizer *words;
  GRegex *part;
  Fts5Tokenizer *parts; /* a second instance, because the first one is in use within a text */
};

/* A text being tokenized */
typedef struct
{
  Fts5Tokenizer *tokenizer;
  const char *text;
  gboolean is_query;
  TakeToken take;
  void *data;

  /* The parts of a word */
  int starts[PARTS_LIMIT];
  int ends[PARTS_LIMIT];
  int n_parts;
  int part; /* offset of the piece being tokenized */
  int flags; /* of the piece's tokens */
} Run;

/* The parts of a name: they end at an underscore, and where one begins with a capital letter, after
 * a lower-case letter or before a word, as in `HTTPServer`, but not in `DVDs`. */
#define PART "[^_]+?(?=_|\\z|(?<=\\p{Ll})\\p{Lu}|\\p{Lu}\\p{Ll}{2})"

/* Returns: the character at @at, 0 at the end and for invalid UTF-8 */
static gunichar
get_char (const char *text, int at, int end)
{
  const gunichar c = at < end ? g_utf8_get_char_validated (text + at, end - at) : 0;

  return c >= (gunichar) -2 ? 0 : c;
}

/* Whether a word has no parts: most are lower case, or begin with a capital letter. */
static gboolean
is_plain (const char *text, int start, int end)
{
  for (int at = start; at < end; at++)
    {
      const gboolean is_upper = (guchar) text[at] < 0x80
                                    ? g_ascii_isupper (text[at])
                                    : g_unichar_isupper (get_char (text, at, end));

      if (text[at] == '_' || (is_upper && at > start))
        return FALSE;
    }

  return TRUE;
}

static gboolean
is_known (const Run *run, int start, int end)
{
  for (int i = 0; i < run->n_parts; i++)
    if (run->ends[i] - run->starts[i] == end - start &&
        g_ascii_strncasecmp (run->text + run->starts[i], run->text + start,
                             (gsize) (end - start)) == 0)
      return TRUE;

  return FALSE;
}

static void
add_part (Run *run, int start, int end)
{
  if (end - start < SHORTEST || run->n_parts == PARTS_LIMIT || is_known (run, start, end))
    return;
  run->starts[run->n_parts] = start;
  run->ends[run->n_parts] = end;
  run->n_parts++;
}

/* Lists the parts of a word, by their beginnings. The name without its outer underscores
 * is one of them. */
static void
find_parts (Run *run, int start, int end)
{
  g_autoptr (GMatchInfo) match = NULL;
  int first = start;
  int last = end;

  run->n_parts = 0;
  /* GRegex reads on behind text that is not valid, as in a damaged file. */
  if (!g_utf8_validate (run->text + start, end - start, NULL))
    return;
  while (first < end && run->text[first] == '_')
    first++;
  while (last > first && run->text[last - 1] == '_')
    last--;
  if (last - first < end - start)
    add_part (run, first, last);
  g_regex_match_full (run->tokenizer->part, run->text + start, end - start, 0, 0, &match, NULL);
  while (g_match_info_fetch_pos (match, 0, &first, &last))
    {
      if (last - first < end - start)
        add_part (run, start + first, start + last);
      g_match_info_next (match, NULL);
    }
}

/* Characters of scripts without spaces between words; continues_sign() has the marks of
 * kana and the vowels of Hangul. */
static gboolean
is_sign (gunichar c)
{
  return (c >= 0x0e00 && c <= 0x0eff) || (c >= 0x1000 && c <= 0x109f) ||
         (c >= 0x1100 && c <= 0x11ff) || (c >= 0x1780 && c <= 0x17ff) ||
         (c >= 0x2e80 && c <= 0x2fdf) || (c >= 0x3005 && c <= 0x9fff) ||
         (c >= 0xa960 && c <= 0xa97f) || (c >= 0xac00 && c <= 0xd7ff) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff66 && c <= 0xffdc) ||
         (c >= 0x20000 && c <= 0x323af);
}

/* Voicing marks, and the vowels and finals of a decomposed Hangul syllable */
static gboolean
continues_sign (gunichar c)
{
  return c == 0x3099 || c == 0x309a || c == 0xff9e || c == 0xff9f || (c >= 0x1160 && c <= 0x11ff);
}

static int
find_sign_end (const char *text, int at, int end)
{
  do
    at += g_unichar_to_utf8 (get_char (text, at, end), NULL);
  while (continues_sign (get_char (text, at, end)));

  return at;
}

/* Passes on a folded token; marks alone fold to nothing. */
static int
give_token (Run *run, int flags, const char *token, int length, int start, int end)
{
  g_autofree char *folded = NULL;

  for (int i = 0; folded == NULL && i < length; i++)
    if ((guchar) token[i] >= 0x80)
      folded = ear_text_fold (token, length);
  if (folded == NULL)
    return run->take (run->data, flags, token, length, start, end);
  if (*folded == '\0')
    return SQLITE_OK;

  return run->take (run->data, flags, folded, (int) strlen (folded), start, end);
}

static int
take_part (void *data, int flags, const char *token, int length, int start, int end)
{
  Run *run = data;

  return give_token (run, run->flags, token, length, run->part + start, run->part + end);
}

/* Tokenizes a piece of a word; its tokens get @flags. */
static int
tokenize_piece (Run *run, int flags, int start, int end)
{
  run->part = start;
  run->flags = flags;

  return run->tokenizer->functions.xTokenize (run->tokenizer->parts, run, FTS5_TOKENIZE_DOCUMENT,
                                              run->text + start, end - start, take_part);
}

static int
give_parts (Run *run, int start, int end)
{
  int code = SQLITE_OK;

  if (run->is_query || is_plain (run->text, start, end))
    return SQLITE_OK;
  find_parts (run, start, end);
  for (int i = 0; i < run->n_parts && code == SQLITE_OK; i++)
    code = tokenize_piece (run, FTS5_TOKEN_COLOCATED, run->starts[i], run->ends[i]);

  return code;
}

/* Splits a word with signs: each sign is a token, and so is a piece between them, as the
 * name in "PyTorch入門". */
static int
take_signs (Run *run, int start, int end)
{
  int code = SQLITE_OK;
  int next;

  for (int at = start; at < end && code == SQLITE_OK; at = next)
    {
      const gboolean sign = is_sign (get_char (run->text, at, end));

      if (sign)
        {
          next = find_sign_end (run->text, at, end);
          code = give_token (run, 0, run->text + at, next - at, at, next);
          continue;
        }
      for (next = at; next < end && !is_sign (get_char (run->text, next, end));)
        next += g_unichar_to_utf8 (get_char (run->text, next, end), NULL);
      code = tokenize_piece (run, 0, at, next);
      if (code == SQLITE_OK)
        code = give_parts (run, at, next);
    }

  return code;
}

static gboolean
has_signs (const char *text, int start, int end)
{
  for (int at = start; at < end; at++)
    if ((guchar) text[at] >= 0xe0 && is_sign (get_char (text, at, end)))
      return TRUE;

  return FALSE;
}

static int
take_word (void *data, int flags, const char *token, int length, int start, int end)
{
  Run *run = data;
  int code;

  if (has_signs (run->text, start, end))
    return take_signs (run, start, end);
  code = give_token (run, flags, token, length, start, end);

  return code == SQLITE_OK ? give_parts (run, start, end) : code;
}

static int
tokenize (Fts5Tokenizer *self, void *data, int flags, const char *text, int length, TakeToken take)
{
  Run run = {
    .tokenizer = self,
    .text = text,
    .is_query = (flags & FTS5_TOKENIZE_QUERY) != 0,
    .take = take,
    .data = data,
  };

  return self->functions.xTokenize (self->words, &run, flags, text, length, take_word);
}

static void
delete (Fts5Tokenizer *self)
{
  if (self->words != NULL)
    self->functions.xDelete (self->words);
  if (self->parts != NULL)
    self->functions.xDelete (self->parts);
  g_regex_unref (self->part);
  g_free (self);
}

static int
create (void *data, const char **arguments, int n_arguments, Fts5Tokenizer **tokenizer)
{
  /* Marks belong to their word. The apostrophes that Unicode counts as letters end a
   * word, as other apostrophes do. */
  static const char *options[] = {
    "remove_diacritics", "2", "categories", "L* N* Co Mn Mc",
    "tokenchars",        "_", "separators", "ʼʻʹʽ",
  };
  fts5_api *api = data;
  Fts5Tokenizer *self = g_new0 (Fts5Tokenizer, 1);
  void *context = NULL;
  int code = api->xFindTokenizer (api, "unicode61", &context, &self->functions);

  self->part = g_regex_new (PART, G_REGEX_OPTIMIZE, 0, NULL);
  if (code == SQLITE_OK)
    code = self->functions.xCreate (context, options, G_N_ELEMENTS (options), &self->words);
  if (code == SQLITE_OK)
    code = self->functions.xCreate (context, options, G_N_ELEMENTS (options), &self->parts);
  if (code == SQLITE_OK)
    *tokenizer = self;
  else
    delete (self);

  return code;
}

/* Returns: (transfer none) (nullable): the FTS5 API of the connection */
fts5_api *
ear_tokenizer_get_api (sqlite3 *handle)
{
  sqlite3_stmt *statement = NULL;
  fts5_api *api = NULL;

  if (sqlite3_prepare_v2 (handle, "SELECT fts5 (?1)", -1, &statement, NULL) != SQLITE_OK)
    return NULL;
  sqlite3_bind_pointer (statement, 1, &api, "fts5_api_ptr", NULL);
  sqlite3_step (statement);
  sqlite3_finalize (statement);

  return api;
}

/* Registers the tokenizer with a connection, which could not open
 * the indexes otherwise. */
gboolean
ear_tokenizer_register (sqlite3 *handle)
{
  fts5_tokenizer functions = { create, delete, tokenize };
  fts5_api *api = ear_tokenizer_get_api (handle);

  return api != NULL &&
         api->xCreateTokenizer (api, EAR_TOKENIZER, api, &functions, NULL) == SQLITE_OK;
}
