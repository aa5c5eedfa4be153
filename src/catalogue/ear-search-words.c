/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-words.h"

#include "ear-catalogue-schema.h"
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

/* A temporary index, empty between two uses, has the texts in which words are found. */
#define BEGIN_TEXTS "SAVEPOINT texts"
#define END_TEXTS "ROLLBACK TO texts; RELEASE texts"

#define HIGHLIGHT(column) "highlight (text, " column ", char (1), char (2))"

/* The first row of the index whose column has a word, from row ?2 on */
#define FIND(result, column) \
  "SELECT " result " FROM text" \
  " WHERE text MATCH '" column " : (' || ?1 || ')' AND rowid >= ?2 ORDER BY rowid"

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

/* Puts texts into the index, without the characters around hits. */
static void
put (EarDatabase *database, guint row, const char *title, const char *notes)
{
  ear_database_execute (database,
                        "INSERT INTO text (rowid, title, notes)"
                        " VALUES (?1, " PLAIN ("?2") ", " PLAIN ("?3") ")",
                        "iss", row, title, notes);
}

/* @episode: row id of an episode
 * Returns: (transfer full) (nullable): the words of its first link that has all words */
char *
ear_search_words_find_link (EarDatabase *database, const char *search, gint64 episode)
{
  g_autofree char *all = ear_search_words_dup_match (search, " AND ");
  g_autoptr (EarStatement) statement = NULL;
  char *text = NULL;

  ear_database_exec (database, BEGIN_TEXTS);
  ear_database_execute (
      database,
      "INSERT INTO text (rowid, title) SELECT mention.id, words FROM episode CROSS JOIN mention "
      "ON mention.id >= " EAR_MENTION_SQL_FIRST ("sort_key") " AND mention.id < "
      EAR_MENTION_SQL_END ("sort_key") " WHERE episode.id = ?1 AND words IS NOT NULL",
      "x", episode);
  statement = ear_database_query (database,
                                  "SELECT title FROM text WHERE text MATCH ?1 ORDER BY rowid", "s",
                                  all);
  if (ear_database_step (database, statement))
    text = ear_statement_dup_text (statement, 0);
  ear_statement_reset (statement);
  ear_database_exec (database, END_TEXTS);

  return text;
}

/* Finds the first text with hits.
 * @sql: a query for it
 * @row: its first row in the index
 * @ranges: (element-type EarNotesMark): gets the hits, in order; the row is their block
 * Returns: (transfer full) (nullable): the text; %NULL without hits */
static char *
find_hits (EarDatabase *database, const char *any, const char *sql, guint row, GArray *ranges)
{
  g_autoptr (EarStatement) statement = ear_database_query (database, sql, "si", any, row);
  g_autofree char *marked = NULL;
  EarNotesMark range = { .block = row };
  GString *text;

  if (!ear_database_step (database, statement))
    return NULL;
  marked = ear_statement_dup_text (statement, 0);
  text = g_string_new (NULL);
  for (const char *p = marked; !ear_is_empty (p); p++)
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

  if (self->text == NULL || strlen (g_strchomp (self->text)) <= SNIPPET_BYTES)
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

/* Finds the part of the notes in the index with the most words.
 * @ranges: (element-type EarNotesMark): gets the hits
 * Returns: (transfer full) (nullable): the part */
static char *
find_part (EarDatabase *database, const char *any, const char *notes, GArray *ranges)
{
  g_autofree char *text = NULL;
  guint first = 0, row = 1;

  /* A long text is put into the index once more, in pieces. */
  if (notes != NULL && strlen (notes) > PIECE_BYTES)
    for (first = row; *notes != '\0'; row++)
      {
        g_autofree char *piece = dup_piece (notes);

        put (database, row, NULL, piece);
        notes += strlen (piece);
      }
  text = find_hits (database, any, FIND (HIGHLIGHT ("1"), "notes"), first, ranges);
  if (cut_hits (text, ranges))
    {
      put (database, row, NULL, text);
      first = row;
    }
  g_array_set_size (ranges, 0);

  return find_hits (database, any,
                    FIND ("snippet (text, 1, char (1), char (2), '…', "
                          G_STRINGIFY (SNIPPET_TOKENS) ")", "notes"),
                    first, ranges);
}

/* Finds the part of the text with the most words.
 * @title: (nullable): title of an episode
 * @text: (nullable): plain text of its notes
 * Returns: (transfer full): a snippet */
EarSnippet *
ear_snippet_make (EarDatabase *database, const char *search, const char *title, const char *text)
{
  g_autofree char *all = ear_search_words_dup_match (search, " AND ");
  g_autofree char *any = ear_search_words_dup_match (search, " OR ");
  EarSnippet *self = g_new0 (EarSnippet, 1);

  self->time = -1;
  self->ranges = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));
  self->title_ranges = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));
  if (any == NULL)
    return self;
  ear_database_exec (database, BEGIN_TEXTS);
  put (database, 0, title, text);
  self->has_all =
      ear_database_get_int (database, "SELECT 1 FROM text WHERE text MATCH ?1", "s", all) != 0;
  g_free (find_hits (database, any, FIND (HIGHLIGHT ("0"), "title"), 0, self->title_ranges));
  self->text = find_part (database, any, text, self->ranges);
  ear_database_exec (database, END_TEXTS);
  shorten (self);

  return self;
}

/* Finds the words in all text that is shown; image descriptions are not.
 * Returns: (transfer full) (element-type EarNotesMark): the hits, block by block */
GArray *
ear_search_words_find_in_notes (EarDatabase *database, const char *search, EarNotes *notes)
{
  g_autofree char *any = ear_search_words_dup_match (search, " OR ");
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (EarNotesMark));

  for (guint at = 0; any != NULL && at < notes->blocks->len && marks->len < MARKS_LIMIT; at++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, at);
      g_autofree char *text = ear_notes_block_to_text (block);
      g_autofree char *piece = dup_piece (text);

      if (block->type == EAR_NOTES_IMAGE)
        continue;
      ear_database_exec (database, BEGIN_TEXTS);
      put (database, at, piece, NULL);
      g_free (find_hits (database, any, FIND (HIGHLIGHT ("0"), "title"), at, marks));
      ear_database_exec (database, END_TEXTS);
    }
  g_array_set_size (marks, MIN (marks->len, MARKS_LIMIT));

  return marks;
}
