/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-words.h"

#include "ear-tokenizer.h"

#include <string.h>

/* Limit of typed words: more only cost time */
#define WORD_LIMIT 16

/* Limit of a word's tokens; further ones are ignored */
#define TOKEN_LIMIT 32

/* A typed word: the tokens of "foo-bar" have to follow each other. */
typedef struct
{
  GPtrArray *tokens;
  gboolean prefix;  /* the last token is a prefix */
  guint32 progress; /* matching state: bit n: the last n + 1 tokens were the first n + 1 of these */
  guint32 before;   /* the same, before the present token and its parts */
  guint starts[TOKEN_LIMIT];        /* for each bit of progress, the offset of its first token */
  guint starts_before[TOKEN_LIMIT]; /* the same for before */
  gboolean ended;   /* whether a match ends with the present token, or a part of it */
  gboolean found;
} Word;

struct _EarSearchWords
{
  /* Owned */
  fts5_tokenizer functions;
  Fts5Tokenizer *tokenizer;
  GPtrArray *words; /* (element-type Word) */

  GArray *hits; /* (nullable): hits in the present text */
  guint n_tokens; /* tokens of the text so far */
  guint n_missing;
};

static void
word_free (gpointer data)
{
  Word *word = data;

  g_ptr_array_unref (word->tokens);
  g_free (word);
}

static gboolean
find_tokenizer (EarSearchWords *self, EarDatabase *database)
{
  fts5_api *api = ear_tokenizer_get_api (ear_database_get_handle (database));
  void *context = NULL;

  return api != NULL &&
         api->xFindTokenizer (api, EAR_TOKENIZER, &context, &self->functions) == SQLITE_OK &&
         self->functions.xCreate (context, NULL, 0, &self->tokenizer) == SQLITE_OK;
}

static int
add_token (void *data, int flags, const char *token, int length, int start, int end)
{
  Word *word = data;

  if (word->tokens->len < TOKEN_LIMIT)
    g_ptr_array_add (word->tokens, g_strndup (token, (gsize) length));

  return SQLITE_OK;
}

/* Whether a word has a token for the tokenizer. */
static gboolean
has_token (const char *word)
{
  for (const char *at = word; *at != '\0'; at = g_utf8_next_char (at))
    if (*at == '_' || g_unichar_isalnum (g_utf8_get_char (at)))
      return TRUE;

  return FALSE;
}

/* Returns: (transfer full) (element-type utf8): the searchable words of the text */
GPtrArray *
ear_search_words_split (const char *search)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *valid = g_utf8_make_valid (search, -1);
  const char *at = valid;

  while (*at != '\0' && words->len < WORD_LIMIT)
    {
      const char *start = at;
      g_autofree char *word = NULL;

      while (*at != '\0' && !g_unichar_isspace (g_utf8_get_char (at)))
        at = g_utf8_next_char (at);
      word = g_strndup (start, (gsize) (at - start));
      if (has_token (word))
        g_ptr_array_add (words, g_steal_pointer (&word));
      if (*at != '\0')
        at = g_utf8_next_char (at);
    }

  return words;
}

/* Returns: (transfer full): the words, for use on the connection's thread */
EarSearchWords *
ear_search_words_new (EarDatabase *database, const char *search, GError **error)
{
  g_autoptr (EarSearchWords) self = g_new0 (EarSearchWords, 1);
  g_autoptr (GPtrArray) typed = ear_search_words_split (search);

  self->words = g_ptr_array_new_with_free_func (word_free);
  if (!find_tokenizer (self, database))
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "The tokenizer cannot be found");
      return NULL;
    }
  for (guint i = 0; i < typed->len; i++)
    {
      const char *text = g_ptr_array_index (typed, i);
      Word *word = g_new0 (Word, 1);

      word->tokens = g_ptr_array_new_with_free_func (g_free);
      word->prefix = i + 1 == typed->len && g_utf8_strlen (text, -1) >= EAR_SHORTEST_PREFIX;
      g_ptr_array_add (self->words, word);
      self->functions.xTokenize (self->tokenizer, word, FTS5_TOKENIZE_QUERY, text,
                                 (int) strlen (text), add_token);
    }
  for (guint i = self->words->len; i > 0; i--)
    if (((Word *) g_ptr_array_index (self->words, i - 1))->tokens->len == 0)
      g_ptr_array_remove_index (self->words, i - 1);

  return g_steal_pointer (&self);
}

void
ear_search_words_free (EarSearchWords *self)
{
  if (self->tokenizer != NULL)
    self->functions.xDelete (self->tokenizer);
  g_ptr_array_unref (self->words);
  g_free (self);
}

static gboolean
is_token (const Word *word, guint i, const char *token, gsize length)
{
  const char *wanted = g_ptr_array_index (word->tokens, i);
  const gsize wanted_length = strlen (wanted);

  return wanted_length <= length && memcmp (wanted, token, wanted_length) == 0 &&
         (wanted_length == length || (word->prefix && i + 1 == word->tokens->len));
}

/* Moves on to the next token. The parts of a name have the same position as
 * the whole name. */
static void
go_on (Word *word)
{
  word->before = word->progress;
  memcpy (word->starts_before, word->starts, word->tokens->len * sizeof *word->starts);
  word->progress = 0;
  word->ended = FALSE;
}

/* Extends all matches with the token at @start; returns whether one ends with it. */
static gboolean
advance (Word *word, const char *token, gsize length, guint start)
{
  for (guint i = 0; i < word->tokens->len; i++)
    if ((i == 0 || (word->before & (1u << (i - 1))) != 0) && is_token (word, i, token, length))
      {
        word->progress |= 1u << i;
        word->starts[i] = i == 0 ? start : word->starts_before[i - 1];
      }

  return (word->progress & (1u << (word->tokens->len - 1))) != 0;
}

static int
take_token (void *data, int flags, const char *token, int length, int start, int end)
{
  EarSearchWords *self = data;
  const gboolean is_part = (flags & FTS5_TOKEN_COLOCATED) != 0;

  if (!is_part)
    self->n_tokens++;
  for (guint i = 0; i < self->words->len; i++)
    {
      Word *word = g_ptr_array_index (self->words, i);

      if (!is_part)
        go_on (word);
      if ((self->hits == NULL && word->found) ||
          !advance (word, token, (gsize) length, (guint) start) || word->ended)
        continue;
      word->ended = TRUE;
      if (!word->found)
        self->n_missing--;
      word->found = TRUE;
      if (self->hits != NULL)
        {
          EarSearchHit hit = {
            .range = { word->starts[word->tokens->len - 1], (guint) end },
            .token = self->n_tokens - word->tokens->len,
            .word = i,
          };

          g_array_append_val (self->hits, hit);
        }
    }

  /* Without a list of hits, stop once all words are found. */
  return self->hits == NULL && self->n_missing == 0 ? SQLITE_DONE : SQLITE_OK;
}

static void
look_through (EarSearchWords *self, const char *text)
{
  for (guint i = 0; i < self->words->len; i++)
    ((Word *) g_ptr_array_index (self->words, i))->progress = 0;
  self->n_tokens = 0;
  if (text != NULL)
    self->functions.xTokenize (self->tokenizer, self, FTS5_TOKENIZE_DOCUMENT, text,
                               (int) strlen (text), take_token);
}

static void
begin (EarSearchWords *self)
{
  self->n_missing = self->words->len;
  for (guint i = 0; i < self->words->len; i++)
    ((Word *) g_ptr_array_index (self->words, i))->found = FALSE;
}

/* @text: (nullable): a text
 * Returns: (transfer full) (element-type EarSearchHit): the hits in it, in order */
static GArray *
ear_search_words_find (EarSearchWords *self, const char *text)
{
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (EarSearchHit));

  begin (self);
  self->hits = hits;
  look_through (self, text);
  self->hits = NULL;

  return g_steal_pointer (&hits);
}

/* @title: (nullable): a title
 * @notes: (nullable): plain text
 * Returns: whether all words are in one or the other, as the index would find them */
gboolean
ear_search_words_match (EarSearchWords *self, const char *title, const char *notes)
{
  begin (self);
  look_through (self, title);
  if (self->n_missing > 0)
    look_through (self, notes);

  return self->n_missing == 0;
}

/* Length of a snippet: about two lines of a row */
#define SNIPPET_BYTES 160

/* Maximum text before the first hit */
#define LEAD_BYTES 40

/* Distance that a cut may move to fall between two words */
#define WORD_BYTES 24

/* Limit of hits: a word that is everywhere, or its first letter, has too many. */
#define MARKS_LIMIT 500

void
ear_snippet_free (EarSnippet *self)
{
  g_free (self->text);
  g_array_unref (self->ranges);
  g_array_unref (self->title_ranges);
  g_free (self);
}

/* Joins ranges that overlap or touch, such as the tokens of one word. */
static void
add_range (GArray *ranges, guint start, guint end)
{
  EarSnippetRange range = { start, end };
  EarSnippetRange *last = ranges->len > 0
                              ? &g_array_index (ranges, EarSnippetRange, ranges->len - 1)
                              : NULL;

  if (last != NULL && start <= last->end)
    last->end = MAX (last->end, end);
  else
    g_array_append_val (ranges, range);
}

/* Rates a snippet that begins at a hit: by the number of different words, and then by the
 * number of hits. */
static guint
rate (GArray *hits, guint first, guint *last)
{
  const guint start = g_array_index (hits, EarSearchHit, first).range.start;
  guint64 words = 0;
  guint n_words = 0;

  *last = first;
  for (guint i = first; i < hits->len; i++)
    {
      const EarSearchHit *hit = &g_array_index (hits, EarSearchHit, i);

      if (hit->range.end > start + SNIPPET_BYTES - LEAD_BYTES)
        break;
      *last = i;
      if ((words & ((guint64) 1 << hit->word)) == 0)
        n_words++;
      words |= (guint64) 1 << hit->word;
    }

  return n_words * 1000 + MIN (*last - first, 999);
}

/* Returns the start of a word near @at, in one direction; in a text without spaces,
 * of a character. */
static guint
find_cut (const char *text, guint at, guint length, gboolean forwards)
{
  for (guint i = 0; i < WORD_BYTES; i++)
    {
      const guint cut = forwards ? at + i : at - i;

      if ((forwards && at + i >= length) || (!forwards && i >= at))
        return forwards ? length : 0;
      if (text[cut - 1] == ' ')
        return cut;
    }
  while (at > 0 && ((guchar) text[at] & 0xc0) == 0x80)
    at--;

  return at;
}

static void
cut_out (EarSnippet *self, const char *text, GArray *hits, guint first, guint last)
{
  const guint length = (guint) strlen (text);
  const guint wanted = g_array_index (hits, EarSearchHit, first).range.start;
  const guint cut = wanted > LEAD_BYTES
                        ? MIN (find_cut (text, wanted - LEAD_BYTES, length, TRUE), wanted)
                        : 0;
  const guint start = cut + (guint) strspn (text + cut, " ");
  /* A very long word is cut. */
  const guint must = MIN (g_array_index (hits, EarSearchHit, last).range.end,
                          start + 2 * SNIPPET_BYTES);
  guint end = start + SNIPPET_BYTES < length ? find_cut (text, start + SNIPPET_BYTES, length, FALSE)
                                             : length;
  g_autoptr (GString) out = g_string_new (cut > 0 ? "…" : "");
  const guint lead = (guint) out->len;

  if (end < must)
    end = must < length ? find_cut (text, must, length, FALSE) : length;
  if (end < must && g_array_index (hits, EarSearchHit, last).range.end == must)
    end = must;
  g_string_append_len (out, text + start, end - start);
  while (out->len > lead && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  if (end < length)
    g_string_append (out, "…");
  for (guint i = first; i < hits->len; i++)
    {
      const EarTextRange *range = &g_array_index (hits, EarSearchHit, i).range;

      if (range->start < end)
        add_range (self->ranges, range->start - start + lead, MIN (range->end, end) - start + lead);
    }
  self->text = g_string_free_and_steal (g_steal_pointer (&out));
}

/* Finds the part of the text with the most words. Its cost is bounded for any text.
 * @title: (nullable): title of an episode
 * @text: (nullable): plain text of its notes
 * Returns: (transfer full): a snippet */
EarSnippet *
ear_snippet_make (EarSearchWords *words, const char *title, const char *text)
{
  EarSnippet *self = g_new0 (EarSnippet, 1);
  g_autoptr (GArray) in_title = ear_search_words_find (words, title);
  g_autoptr (GArray) hits = ear_search_words_find (words, text);
  guint best = 0, best_first = 0, best_last = 0;

  self->time = -1;
  self->ranges = g_array_new (FALSE, FALSE, sizeof (EarSnippetRange));
  self->title_ranges = g_array_new (FALSE, FALSE, sizeof (EarSnippetRange));
  for (guint i = 0; i < in_title->len; i++)
    {
      const EarTextRange *range = &g_array_index (in_title, EarSearchHit, i).range;

      add_range (self->title_ranges, range->start, range->end);
    }
  for (guint i = 0; i < hits->len; i++)
    {
      guint last;
      const guint rating = rate (hits, i, &last);

      if (rating > best)
        {
          best = rating;
          best_first = i;
          best_last = last;
        }
    }
  if (hits->len > 0)
    cut_out (self, text, hits, best_first, best_last);

  return self;
}

static void
find_in_block (EarSearchWords *words, EarNotes *notes, guint at, GArray *marks)
{
  const EarNotesBlock *block = g_ptr_array_index (notes->blocks, at);
  g_autofree char *text = ear_notes_block_to_text (block);
  g_autoptr (GArray) hits = ear_search_words_find (words, text);

  for (guint i = 0; i < hits->len && marks->len < MARKS_LIMIT; i++)
    {
      const EarTextRange *range = &g_array_index (hits, EarSearchHit, i).range;
      const EarNotesMark mark = { at, range->start, range->end };

      g_array_append_val (marks, mark);
    }
}

/* Finds the words in all text that is shown; image descriptions are not.
 * Returns: (transfer full) (element-type EarNotesMark): the hits, block by block */
GArray *
ear_search_words_find_in_notes (EarSearchWords *words, EarNotes *notes)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));

  for (guint i = 0; i < notes->blocks->len && marks->len < MARKS_LIMIT; i++)
    if (((EarNotesBlock *) g_ptr_array_index (notes->blocks, i))->type != EAR_NOTES_IMAGE)
      find_in_block (words, notes, i, marks);

  return g_steal_pointer (&marks);
}
