/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-words.h"

#include "ear-database.h"
#include "ear-tokenizer.h"

#include <string.h>

/* Limit of typed words: more only cost time */
#define WORD_LIMIT 16

/* Limit of a word's length: more only costs time */
#define WORD_BYTES 100

/* Tokens of a snippet: about two lines of a row, and less of Chinese, Japanese and Korean, where
 * each character is a token; and the limit of its bytes, as a token may be a long one */
#define SNIPPET_TOKENS 24
#define SNIPPET_BYTES 400

/* FTS5's time for highlight() and snippet() is the square of the hits, and cannot be interrupted.
 * Limits of the text for one highlight(), and of the bytes of hits among which snippet() chooses */
#define PIECE_BYTES (64 * 1024)
#define HIT_BYTES 1000

/* Limit of hits: a word that is everywhere, or its first letter, has too many. */
#define MARKS_LIMIT 500

/* Characters around a hit in the results of FTS5 */
#define BEGIN '\1'
#define END '\2'
#define PLAIN(text) "replace (replace (" text ", char (1), ' '), char (2), ' ')"

/* A temporary full text index finds and highlights the words in a text. */
struct _EarSearchWords
{
  EarDatabase *database; /* borrowed: has the index */
  char *all; /* (nullable): matches all words; %NULL without searchable words */
  char *any; /* (nullable): matches any word */
};

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
static GPtrArray *
split (const char *search)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *valid = g_utf8_make_valid (search, -1);
  g_auto (GStrv) parts = g_regex_split_simple ("\\s+", valid, 0, 0);

  for (guint i = 0; parts[i] != NULL && words->len < WORD_LIMIT; i++)
    if (has_token (parts[i]))
      g_ptr_array_add (words, g_strdup (parts[i]));

  return words;
}

static void
append_word (GString *match, const char *word, gboolean prefix)
{
  const char *end = word + strlen (word);

  /* A truncated word matches any rest. */
  if (end - word > WORD_BYTES)
    {
      end = g_utf8_find_prev_char (word, word + WORD_BYTES);
      prefix = TRUE;
    }
  g_string_append_c (match, '"');
  for (; word < end; word++)
    {
      if (*word == '"')
        g_string_append_c (match, '"');
      g_string_append_c (match, *word);
    }
  g_string_append (match, prefix ? "\" *" : "\"");
}

/* Turns typed text into an expression for a full text index: each word in quotes, so that none
 * is an operator, and the last one as a prefix.
 * @joint: " AND " or " OR "
 * Returns: (transfer full) (nullable): the expression; %NULL without searchable words */
char *
ear_search_words_dup_match (const char *search, const char *joint)
{
  g_autoptr (GPtrArray) words = split (search);
  GString *match = words->len > 0 ? g_string_new (NULL) : NULL;

  if (match == NULL)
    return NULL;
  for (guint i = 0; i < words->len; i++)
    {
      const char *word = words->pdata[i];

      g_string_append (match, i > 0 ? joint : "");
      append_word (match, word,
                   i + 1 == words->len && g_utf8_strlen (word, -1) >= EAR_SHORTEST_PREFIX);
    }

  return g_string_free_and_steal (match);
}

/* @database: the connection of the calling thread */
EarSearchWords *
ear_search_words_new (const char *search, EarDatabase *database)
{
  EarSearchWords *self = g_new0 (EarSearchWords, 1);

  self->database = database;
  self->all = ear_search_words_dup_match (search, " AND ");
  self->any = ear_search_words_dup_match (search, " OR ");
  ear_database_exec (database, "CREATE VIRTUAL TABLE IF NOT EXISTS temp.text USING fts5 (title,"
                               " notes, tokenize = " EAR_TOKENIZER ")");

  return self;
}

void
ear_search_words_free (EarSearchWords *self)
{
  g_free (self->all);
  g_free (self->any);
  g_free (self);
}

/* Replaces the texts in the index, without the characters around hits.
 * Returns: whether there is anything to search */
static gboolean
put (EarSearchWords *self, const char *title, const char *notes)
{
  if (self->any == NULL)
    return FALSE;
  ear_database_execute (self->database,
                        "INSERT OR REPLACE INTO text (rowid, title, notes)"
                        " VALUES (1, " PLAIN ("?1") ", " PLAIN ("?2") ")",
                        "ss", title, notes);

  return TRUE;
}

/* @title: (nullable): a title
 * @notes: (nullable): plain text
 * Returns: whether all words are in one or the other, as the index would find them */
gboolean
ear_search_words_match (EarSearchWords *self, const char *title, const char *notes)
{
  if (self->all == NULL)
    return TRUE;

  return put (self, title, notes) &&
         ear_database_get_int (self->database, "SELECT 1 FROM text WHERE text MATCH ?1", "s",
                               self->all) != 0;
}

/* Reads a text with its hits.
 * @sql: a query for it
 * @ranges: (element-type EarNotesMark): gets the hits, in order
 * Returns: (transfer full) (nullable): the text; %NULL without hits */
static char *
read_hits (EarSearchWords *self, const char *sql, guint block, GArray *ranges)
{
  g_autoptr (EarStatement) statement = ear_database_query (self->database, sql, "s", self->any);
  g_autofree char *marked = NULL;
  EarNotesMark range = { .block = block };
  GString *text;

  if (!ear_database_step (self->database, statement))
    return NULL;
  marked = ear_statement_dup_text (statement, 0);
  text = g_string_new (NULL);
  for (const char *p = marked; p != NULL && *p != '\0'; p++)
    if (*p == BEGIN)
      range.start = (guint) text->len;
    else if (*p != END)
      g_string_append_c (text, *p);
    else if (text->len > range.start)
      {
        range.end = (guint) text->len;
        g_array_append_val (ranges, range);
      }

  return g_string_free_and_steal (text);
}

void
ear_snippet_free (EarSnippet *self)
{
  g_free (self->text);
  g_array_unref (self->ranges);
  g_array_unref (self->title_ranges);
  g_free (self);
}

/* Returns: (transfer full): the beginning of the text */
static char *
dup_piece (const char *text)
{
  if (strlen (text) <= PIECE_BYTES)
    return g_strdup (text);

  return g_strndup (text, (gsize) (g_utf8_find_prev_char (text, text + PIECE_BYTES) - text));
}

/* Cuts the text behind its first hits.
 * @ranges: (element-type EarNotesMark): all hits in it
 * Returns: whether it was cut */
static gboolean
cut_hits (char *text, GArray *ranges)
{
  guint left = HIT_BYTES;

  for (guint i = 0; i < ranges->len; i++)
    {
      const EarNotesMark *range = &g_array_index (ranges, EarNotesMark, i);

      if (range->end - range->start >= left)
        {
          *g_utf8_find_prev_char (text, text + range->start + left) = '\0';
          return TRUE;
        }
      left -= range->end - range->start;
    }

  return FALSE;
}

static void
shorten (EarSnippet *self)
{
  char *end;

  if (self->text != NULL)
    g_strchomp (self->text);
  if (self->text == NULL || strlen (self->text) <= SNIPPET_BYTES)
    return;
  end = g_utf8_find_prev_char (self->text, self->text + SNIPPET_BYTES);
  *end = '\0';
  for (guint i = self->ranges->len; i > 0; i--)
    {
      EarNotesMark *range = &g_array_index (self->ranges, EarNotesMark, i - 1);

      range->end = MIN (range->end, (guint) (end - self->text));
      if (range->start >= range->end)
        g_array_remove_index (self->ranges, i - 1);
    }
}

/* Finds the part of a piece of text with the most words.
 * @ranges: (element-type EarNotesMark): gets the hits
 * Returns: (transfer full) (nullable): the part */
static char *
find_part (EarSearchWords *self, const char *piece, GArray *ranges)
{
  g_autofree char *text = NULL;
  gboolean is_cut;

  if (!put (self, NULL, piece))
    return NULL;
  text = read_hits (self,
                    "SELECT highlight (text, 1, char (1), char (2)) FROM text"
                    " WHERE text MATCH 'notes : (' || ?1 || ')'",
                    0, ranges);
  is_cut = cut_hits (text, ranges);
  g_array_set_size (ranges, 0);
  if (is_cut && !put (self, NULL, text))
    return NULL;

  return read_hits (self,
                    "SELECT snippet (text, 1, char (1), char (2), '…', "
                    G_STRINGIFY (SNIPPET_TOKENS)
                    ") FROM text WHERE text MATCH 'notes : (' || ?1 || ')'",
                    0, ranges);
}

/* Finds the part of the text with the most words.
 * @title: (nullable): title of an episode
 * @text: (nullable): plain text of its notes
 * Returns: (transfer full): a snippet */
EarSnippet *
ear_snippet_make (EarSearchWords *words, const char *title, const char *text)
{
  EarSnippet *self = g_new0 (EarSnippet, 1);
  g_autofree char *found = NULL;

  self->time = -1;
  self->ranges = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));
  self->title_ranges = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));
  if (!put (words, title, NULL))
    return self;
  found = read_hits (words,
                     "SELECT highlight (text, 0, char (1), char (2)) FROM text"
                     " WHERE text MATCH 'title : (' || ?1 || ')'",
                     0, self->title_ranges);
  while (text != NULL && *text != '\0' && self->text == NULL)
    {
      g_autofree char *piece = dup_piece (text);

      self->text = find_part (words, piece, self->ranges);
      text += strlen (piece);
    }
  shorten (self);

  return self;
}

/* Finds the words in all text that is shown; image descriptions are not.
 * Returns: (transfer full) (element-type EarNotesMark): the hits, block by block */
GArray *
ear_search_words_find_in_notes (EarSearchWords *words, EarNotes *notes)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));

  for (guint at = 0; at < notes->blocks->len && marks->len < MARKS_LIMIT; at++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, at);
      g_autofree char *text = ear_notes_block_to_text (block);
      g_autofree char *piece = dup_piece (text);
      g_autofree char *found = NULL;

      if (block->type == EAR_NOTES_IMAGE || !put (words, piece, NULL))
        continue;
      found = read_hits (words,
                         "SELECT highlight (text, 0, char (1), char (2)) FROM text"
                         " WHERE text MATCH ?1",
                         at, marks);
    }
  g_array_set_size (marks, MIN (marks->len, MARKS_LIMIT));

  return marks;
}
