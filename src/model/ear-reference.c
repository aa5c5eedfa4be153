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

struct _EarReferenceTargets
{
  GHashTable *by_address; /* (element-type utf8 gint64): by keys of addresses */
  GHashTable *by_start;   /* (element-type utf8 gint64): likewise, without the token;
                           * 0 if ambiguous */
  GHashTable *by_title;   /* (element-type utf8 gint64): 0 if ambiguous */
  GHashTable *by_number;  /* (element-type utf8 gint64): 0 if ambiguous */
};

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

EarReferenceTargets *
ear_reference_targets_new (void)
{
  EarReferenceTargets *self = g_new0 (EarReferenceTargets, 1);

  self->by_address = new_table ();
  self->by_start = new_table ();
  self->by_title = new_table ();
  self->by_number = new_table ();

  return self;
}

void
ear_reference_targets_free (EarReferenceTargets *self)
{
  g_hash_table_unref (self->by_address);
  g_hash_table_unref (self->by_start);
  g_hash_table_unref (self->by_title);
  g_hash_table_unref (self->by_number);
  g_free (self);
}

/* @key: (transfer full): a key; ambiguous if two episodes have it */
static void
put (GHashTable *table, char *key, gint64 episode)
{
  const gint64 *known = g_hash_table_lookup (table, key);
  const gint64 value = known == NULL || *known == episode ? episode : 0;

  g_hash_table_insert (table, key, g_memdup2 (&value, sizeof value));
}

static gint64
look_up (GHashTable *table, const char *key)
{
  const gint64 *known = g_hash_table_lookup (table, key);

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
ear_reference_targets_add (EarReferenceTargets *self, gint64 episode, const char *link,
                           const char *media)
{
  const char *const addresses[] = { link, media };

  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    if (ear_address_is_web (addresses[i]))
      {
        char *key = ear_address_key (addresses[i]);
        char *start = dup_start (key);

        put (self->by_address, key, episode);
        if (start != NULL)
          put (self->by_start, start, episode);
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
ear_reference_targets_name (EarReferenceTargets *self, gint64 episode, const char *title,
                            const char *number)
{
  char *key = title != NULL && g_utf8_validate (title, -1, NULL) ? dup_title_key (title) : NULL;

  if (key != NULL && g_utf8_strlen (key, -1) >= SHORTEST_TITLE && strchr (key, ' ') != NULL)
    put (self->by_title, key, episode);
  else
    g_free (key);
  if (number != NULL && g_ascii_isdigit (*number))
    put (self->by_number, g_strdup (number), episode);
}

static gint64
find_address (const EarReferenceTargets *self, const char *address)
{
  g_autofree char *key = ear_address_is_web (address) ? ear_address_key (address) : NULL;
  gint64 episode = key != NULL ? look_up (self->by_address, key) : 0;

  return episode != 0 || key == NULL ? episode : look_up (self->by_start, key);
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
  const EarReferenceTargets *targets;
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
      g_autofree char *key = title != NULL && *title != '\0' ? dup_title_key (title) : NULL;

      if (number != NULL && *number != '\0')
        add (reader, look_up (reader->targets->by_number, number), NULL);
      if (key != NULL)
        add (reader, look_up (reader->targets->by_title, key), NULL);
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
ear_references_find (EarNotes *notes, gint64 episode, const EarReferenceTargets *targets)
{
  Reader reader = { .targets = targets, .self = episode };

  reader.found = g_ptr_array_new_with_free_func (reference_free);
  reader.sentence = g_string_new (NULL);
  for (guint i = 0; i < notes->blocks->len; i++)
    read_block (&reader, g_ptr_array_index (notes->blocks, i));
  g_string_free (reader.sentence, TRUE);

  return merge (reader.found);
}
