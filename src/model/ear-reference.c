/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-reference.h"

#include "ear-address.h"

#include <string.h>

/* Finds references to other episodes in an episode's notes: links, numbers, and titles in
 * quotation marks. A reference counts only if it is unambiguous. */

/* Replaces a link in a sentence */
#define OBJECT "\357\277\274"

/* A title of one word is often only that word. */
#define SHORTEST_TITLE 8

/* For some time now, Simplecast has ended the addresses of its pages with a token of this
 * length; older notes link to them without it. */
#define TOKEN_LENGTH 8

/* Ways to find a target: by keys of addresses, by the same without the token, by title, and by
 * number. The table of targets has them as first letters of its keys. */
#define BY_ADDRESS 'a'
#define BY_START 's'
#define BY_TITLE 't'
#define BY_NUMBER 'n'

/* Returns: (transfer full) (element-type utf8 gint64): no targets yet; immutable once filled, and
 * then readable on any thread */
GHashTable *
ear_reference_targets_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* Adds a target, or makes the key ambiguous if two episodes have it. */
static void
put (GHashTable *targets, char way, const char *key, gint64 episode)
{
  char *whole = g_strdup_printf ("%c%s", way, key);
  const gint64 *known = g_hash_table_lookup (targets, whole);
  const gint64 value = known == NULL || *known == episode ? episode : 0;

  g_hash_table_insert (targets, whole, g_memdup2 (&value, sizeof value));
}

/* Returns: the episode; 0 if it is unknown, or ambiguous */
static gint64
look_up (GHashTable *targets, char way, const char *key)
{
  g_autofree char *whole = g_strdup_printf ("%c%s", way, key);
  const gint64 *known = g_hash_table_lookup (targets, whole);

  return known != NULL ? *known : 0;
}

static gboolean
is_token (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;

  return strlen (text) == TOKEN_LENGTH;
}

/* Returns: (transfer full) (nullable): the key without the token at its end; %NULL if
 * there is none */
static char *
dup_start (const char *key)
{
  const gsize length = strlen (key);
  const gsize cut = length > TOKEN_LENGTH + 1 ? length - TOKEN_LENGTH - 1 : 0;

  if (cut == 0 || strstr (key, ".simplecast.com/") == NULL || key[cut] != '-' ||
      !is_token (key + cut + 1))
    return NULL;

  return g_strndup (key, cut);
}

/* Adds an episode, to be found by its addresses. */
void
ear_reference_targets_add (GHashTable *targets, gint64 episode, const char *link,
                           const char *media)
{
  const char *const addresses[] = { link, media };

  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    if (ear_address_is_web (addresses[i]))
      {
        g_autofree char *key = ear_address_key (addresses[i]);
        g_autofree char *start = dup_start (key);

        put (targets, BY_ADDRESS, key, episode);
        if (start != NULL)
          put (targets, BY_START, start, episode);
      }
}

static char *
dup_title_key (const char *title)
{
  g_autofree char *folded = g_utf8_casefold (title, -1);
  char *key = g_strstrip (g_steal_pointer (&folded));
  gsize length = strlen (key);

  /* Quoted titles may end with punctuation: “Weak references,” */
  while (length > 0 && strchr (".,;:", key[length - 1]) != NULL)
    key[--length] = '\0';

  return key;
}

/* Makes an episode of the same podcast findable by its title and number as well.
 * @number: (nullable): its number, as written in the feed */
void
ear_reference_targets_name (GHashTable *targets, gint64 episode, const char *title,
                            const char *number)
{
  g_autofree char *key =
      title != NULL && g_utf8_validate (title, -1, NULL) ? dup_title_key (title) : NULL;

  if (key != NULL && g_utf8_strlen (key, -1) >= SHORTEST_TITLE && strchr (key, ' ') != NULL)
    put (targets, BY_TITLE, key, episode);
  if (number != NULL && g_ascii_isdigit (*number))
    put (targets, BY_NUMBER, number, episode);
}

static gint64
find_address (GHashTable *targets, const char *address)
{
  g_autofree char *key = ear_address_is_web (address) ? ear_address_key (address) : NULL;
  const gint64 episode = key != NULL ? look_up (targets, BY_ADDRESS, key) : 0;

  return episode != 0 || key == NULL ? episode : look_up (targets, BY_START, key);
}

/* Returns: (transfer full) (nullable): a part of its address that all notes linking to
 * it have; other notes may have it, too */
char *
ear_reference_dup_trace (const char *link)
{
  g_autofree char *key = ear_address_is_web (link) ? ear_address_key (link) : NULL;
  char *start = key != NULL ? dup_start (key) : NULL;
  const char *query = key != NULL ? strchr (key, '?') : NULL;

  if (start != NULL || key == NULL)
    return start;

  /* A slash may precede the query, and HTML escapes the `&` in it. */
  return query != NULL ? g_strndup (query, strcspn (query, "&")) : g_steal_pointer (&key);
}

/* Objects of a verb, and the words between them */
#define OBJECTS \
  "(?:,? *(?:(?:to|and|or|also|it|this|that|these|them|those|one|episodes?|ep)\\b|#?[0-9]+\\b|" OBJECT "|[“\"][^“”\"]*[”\"]))*"

static const struct
{
  EarReferenceKind kind;
  const char *pattern;
} phrases[] = {
  /* You might want to listen to this one before listening to … */
  { EAR_REFERENCE_AFTER,
    "\\b(?:listen(?:ing)? to|hear(?:ing)?) this(?: one| episode| podcast)?(?: first)?,? before\\b" },
  /* Other episodes to listen to first: …; listen to … first */
  { EAR_REFERENCE_FIRST,
    "\\b(?:listen(?:ing)?|hear(?:ing)?)" OBJECTS " *first\\b(?! +(?:episode|season|part|show|one)\\b)" },
  { EAR_REFERENCE_FIRST, "\\bfirst,? +(?:listen to|hear)\\b" },
  /* Listen to … before this one */
  { EAR_REFERENCE_FIRST,
    "\\bbefore (?:you )?(?:(?:listen(?:ing)? to|hear(?:ing)?|start(?:ing)?) )?this(?: one| episode| podcast)?\\b" },
  { EAR_REFERENCE_FIRST, "\\bprerequisites?\\b" },
};

static EarReferenceKind
classify (const char *sentence)
{
  for (gsize i = 0; i < G_N_ELEMENTS (phrases); i++)
    if (g_regex_match_simple (phrases[i].pattern, sentence, G_REGEX_CASELESS, 0))
      return phrases[i].kind;

  return EAR_REFERENCE_REFERS;
}

typedef struct
{
  GHashTable *targets;
  gint64 self;
  GPtrArray *found;    /* (element-type EarReference) */
  GString *sentence;
  guint begin;         /* index of the first reference in this sentence */
  EarReferenceKind introduced; /* kind given by the sentence that introduces a list */
} Reader;

static void
reference_free (gpointer data)
{
  EarReference *reference = data;

  g_free (reference->address);
  g_free (reference);
}

static void
add (Reader *reader, gint64 episode, const char *address)
{
  EarReference *reference;

  if (episode == 0 || episode == reader->self)
    return;
  reference = g_new0 (EarReference, 1);
  reference->episode = episode;
  reference->address = g_strdup (address);
  g_ptr_array_add (reader->found, reference);
}

static void
end_sentence (Reader *reader)
{
  EarReferenceKind kind =
      reader->begin < reader->found->len ? classify (reader->sentence->str) : EAR_REFERENCE_REFERS;

  if (kind == EAR_REFERENCE_REFERS)
    kind = reader->introduced;
  for (; reader->begin < reader->found->len; reader->begin++)
    ((EarReference *) g_ptr_array_index (reader->found, reader->begin))->kind = kind;
  g_string_truncate (reader->sentence, 0);
}

/* Finds numbers and titles of episodes. “Episode 12 of …” is another podcast's. */
static void
find_names (Reader *reader, const char *text)
{
  g_autoptr (GRegex) names =
      g_regex_new ("\\b(?:episode|ep\\.?) *#?(?P<number>[0-9]{1,4})\\b(?! *of\\b)|"
                   "[“\"](?P<title>[^“”\"]{8,200})[”\"]",
                   G_REGEX_CASELESS, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (g_regex_match (names, text, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    {
      g_autofree char *number = g_match_info_fetch_named (match, "number");
      g_autofree char *title = g_match_info_fetch_named (match, "title");
      g_autofree char *key = !ear_is_empty (title) ? dup_title_key (title) : NULL;

      if (!ear_is_empty (number))
        add (reader, look_up (reader->targets, BY_NUMBER, number), NULL);
      if (key != NULL)
        add (reader, look_up (reader->targets, BY_TITLE, key), NULL);
    }
}

/* Returns the end of a sentence: a mark followed by white space, or a line break; but
 * “Ep. 33” does not end one. */
static gsize
find_end (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\n' || (strchr (".!?", *c) != NULL && g_ascii_isspace (c[1]) && c[2] != '#' &&
                       !g_ascii_isdigit (c[2])))
      return (gsize) (c + 1 - text);

  return 0;
}

static void
read_text (Reader *reader, const char *text)
{
  gsize end;

  while ((end = find_end (text)) > 0)
    {
      g_autofree char *part = g_strndup (text, end);

      g_string_append (reader->sentence, part);
      find_names (reader, part);
      end_sentence (reader);
      text += end;
    }
  g_string_append (reader->sentence, text);
  find_names (reader, text);
}

static void
read_block (Reader *reader, const EarNotesBlock *block)
{
  const guint n_before = reader->found->len;
  g_autofree char *last = NULL;

  if (block->type != EAR_NOTES_LIST_ITEM)
    reader->introduced = EAR_REFERENCE_REFERS;
  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      if (span->link != NULL)
        {
          add (reader, find_address (reader->targets, span->link), span->link);
          g_string_append (reader->sentence, OBJECT);
        }
      else if (span->text != NULL)
        read_text (reader, span->text);
    }
  last = g_strdup (reader->sentence->str);
  end_sentence (reader);
  /* “Listen to these first:”, and a list of them */
  if (reader->found->len == n_before && block->type != EAR_NOTES_LIST_ITEM &&
      (block->type == EAR_NOTES_HEADING || strchr (last, ':') != NULL))
    reader->introduced = classify (last);
}

/* Merges references: one that says which episode to hear first wins over
 * a mere mention. */
static GPtrArray *
merge (GPtrArray *found)
{
  GPtrArray *merged = g_ptr_array_new_with_free_func (reference_free);
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < found->len; i++)
    {
      EarReference *reference = g_ptr_array_index (found, i);
      EarReference *before = g_hash_table_lookup (known, &reference->episode);

      if (before == NULL)
        {
          g_hash_table_insert (known, &reference->episode, reference);
          g_ptr_array_add (merged, reference);
          continue;
        }
      if (before->kind == EAR_REFERENCE_REFERS)
        before->kind = reference->kind;
      /* Keep both spellings of the address: the notes may use either. */
      if (reference->address != NULL && g_strcmp0 (reference->address, before->address) != 0)
        {
          reference->kind = before->kind;
          g_ptr_array_add (merged, reference);
        }
      else
        reference_free (reference);
    }
  g_ptr_array_set_free_func (found, NULL);
  g_ptr_array_unref (found);

  return merged;
}

/* Pure; any thread.
 * Returns: (transfer full) (element-type EarReference): the references, in their order;
 * an episode with two addresses has two */
GPtrArray *
ear_references_find (EarNotes *notes, gint64 episode, GHashTable *targets)
{
  Reader reader = { .targets = targets, .self = episode };

  reader.found = g_ptr_array_new_with_free_func (reference_free);
  reader.sentence = g_string_new (NULL);
  for (guint i = 0; i < notes->blocks->len; i++)
    read_block (&reader, g_ptr_array_index (notes->blocks, i));
  g_string_free (reader.sentence, TRUE);

  return merge (reader.found);
}
