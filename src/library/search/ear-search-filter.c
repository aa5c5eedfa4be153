/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-filter.h"

#include "ear-list-store.h"
#include "ear-podcast.h"
#include "ear-property.h"
#include "ear-text-find.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Parses search filters such as `podcast:"some name" is:unplayed longer:20m after:2023`.
 * Keys and states are accepted in English and in the listener's language. A filter that
 * is not understood is searched for as text, and recorded so that the page can explain an
 * empty result; a value that is still being typed is ignored until it is complete. */

/* Longest accepted length, in seconds */
#define LONGEST (1000.0 * 60 * 60)

/* Parses 20m, 1h30m, 90s, 1:30, or 20, which is minutes. */
static gboolean
read_length (const char *value, gint64 *length)
{
  static const struct
  {
    const char *unit;
    double seconds;
  } units[] = { { "min", 60 }, { "h", 60 * 60 }, { "m", 60 },
                { "s", 1 },    { ":", 60 * 60 }, { "", 60 } };
  double seconds = 0;
  const char *p = value;

  while (g_ascii_isdigit (*p))
    {
      char *end;
      const double number = g_ascii_strtod (p, &end);
      gsize i = 0;

      while (!g_str_has_prefix (end, units[i].unit))
        i++;
      seconds += number * units[i].seconds;
      p = end + strlen (units[i].unit);
    }
  if (*p != '\0' || !(seconds > 0 && seconds <= LONGEST))
    return FALSE;
  /* Zero would mean no condition. */
  *length = MAX ((gint64) (seconds * G_USEC_PER_SEC), 1);

  return TRUE;
}

/* Returns the beginning of a day, month or year in local time. */
static gboolean
read_date (const char *value, gint64 *seconds)
{
  int parts[] = { 0, 1, 1 };
  guint n_parts = 0;
  const char *p = value;
  g_autoptr (GDateTime) date = NULL;

  while (g_ascii_isdigit (*p) && n_parts < G_N_ELEMENTS (parts))
    {
      char *end;

      parts[n_parts++] = (int) MIN (g_ascii_strtoull (p, &end, 10), G_MAXINT16);
      p = *end != '\0' && strchr ("-/.", *end) != NULL && g_ascii_isdigit (end[1]) ? end + 1 : end;
    }
  if (*p != '\0' || parts[0] < 1900)
    return FALSE;
  date = g_date_time_new_local (parts[0], parts[1], parts[2], 0, 0, 0);
  if (date == NULL)
    return FALSE;
  *seconds = g_date_time_to_unix (date);

  /* Zero would mean no condition. */
  if (*seconds == 0)
    *seconds = 1;

  return TRUE;
}

static const char *const rests_of_lengths[] = { "1", "n", NULL };
static const char *const rests_of_dates[] = { "1", "9", "99", "999", NULL };
static const char *const lengths[] = { "10m", "20m", "30m", "45m", "1h", "2h", NULL };

static const struct
{
  const char *word;
  const char *hint;

  /* Only keys with a number have these. */
  gboolean (*read) (const char *value, gint64 *number);
  gsize offset;             /* of the number in the filter */
  const char *const *rests; /* endings that complete a value being typed, if any does */
  const char *const *proposed; /* (nullable): values */
} keys[] = {
  /* Translators: keys of search filters, as in “podcast:pytorch”; each is one word without spaces
   */
  [EAR_SEARCH_PODCAST] = { NC_("search filter", "podcast"),
                           /* Translators: explains the search filter “podcast:” */
                           N_("From one podcast") },
  /* Translators: as in “is:unplayed” */
  [EAR_SEARCH_IS] = { NC_("search filter", "is"), N_("Unplayed, liked, downloaded…") },
  /* Translators: as in “longer:20m” */
  [EAR_SEARCH_LONGER] = { NC_("search filter", "longer"), N_("Minimum length"), read_length,
                          G_STRUCT_OFFSET (EarSearchFilter, terms.shortest), rests_of_lengths,
                          lengths },
  [EAR_SEARCH_SHORTER] = { NC_("search filter", "shorter"), N_("Maximum length"), read_length,
                           G_STRUCT_OFFSET (EarSearchFilter, terms.longest), rests_of_lengths,
                           lengths },
  /* Translators: as in “after:2023” */
  [EAR_SEARCH_AFTER] = { NC_("search filter", "after"), N_("Published on or after"), read_date,
                         G_STRUCT_OFFSET (EarSearchFilter, terms.after), rests_of_dates },
  [EAR_SEARCH_BEFORE] = { NC_("search filter", "before"), N_("Published before"), read_date,
                          G_STRUCT_OFFSET (EarSearchFilter, terms.before), rests_of_dates },
  /* Translators: as in “in:Favorites”, one of the listener's lists */
  [EAR_SEARCH_IN] = { NC_("search filter", "in"), N_("In one of your lists") },
};

/* Values of `is:` */
static const struct
{
  const char *word;
  EarEpisodeFilter filter;
} states[] = {
  /* Translators: states of an episode, typed after “is:”; each is one word without spaces */
  { NC_("search filter", "unplayed"), EAR_FILTER_UNPLAYED },
  { NC_("search filter", "played"), EAR_FILTER_PLAYED },
  { NC_("search filter", "started"), EAR_FILTER_IN_PROGRESS },
  { NC_("search filter", "new"), EAR_FILTER_NEW },
  { NC_("search filter", "liked"), EAR_FILTER_LIKED },
  { NC_("search filter", "downloaded"), EAR_FILTER_DOWNLOADED },
  /* Translators: in Up Next */
  { NC_("search filter", "queued"), EAR_FILTER_QUEUED },
};

static const char *
translate (const char *word)
{
  return g_dpgettext2 (NULL, "search filter", word);
}

/* @key: any key except %EAR_SEARCH_NO_KEY
 * Returns: (nullable): its translated word; %NULL after the last key */
const char *
ear_search_filter_get_key (EarSearchKey key)
{
  return key < G_N_ELEMENTS (keys) ? translate (keys[key].word) : NULL;
}

/* Returns: (nullable): the nth value of `is:`, translated; %NULL after the last one */
const char *
ear_search_filter_get_state (guint nth)
{
  return nth < G_N_ELEMENTS (states) ? translate (states[nth].word) : NULL;
}

/* The way in which a text contains the typed words, ignoring case and accents */
typedef enum
{
  NO_MATCH,
  MATCH_PART,
  MATCH_BEGINNING,
  MATCH_WHOLE,
} Match;

static Match
match (const char *text, const char *typed)
{
  g_autofree char *folded = ear_text_fold (text != NULL ? text : "", -1);
  g_autofree char *folded_typed = ear_text_fold (typed, -1);
  const char *found = strstr (folded, folded_typed);

  if (found == NULL)
    return NO_MATCH;
  if (g_str_equal (folded, folded_typed))
    return MATCH_WHOLE;

  return found == folded ? MATCH_BEGINNING : MATCH_PART;
}

/* Returns: (nullable): the word in the listener's language, or else in English, if it matches
 * what was typed at least so well */
static const char *
find_word (const char *word, const char *typed, Match least)
{
  const char *translated = translate (word);

  if (match (translated, typed) >= least)
    return translated;

  return match (word, typed) >= least ? word : NULL;
}

static EarSearchKey
find_key (const char *typed)
{
  for (gsize i = EAR_SEARCH_PODCAST; i < G_N_ELEMENTS (keys); i++)
    if (find_word (keys[i].word, typed, MATCH_WHOLE) != NULL)
      return (EarSearchKey) i;

  return EAR_SEARCH_NO_KEY;
}

static gboolean
is_quotation_mark (gunichar c)
{
  return c == '"' || c == 0x201c || c == 0x201d || c == 0x201e || c == 0x00ab || c == 0x00bb;
}

/* Returns the closing quotation mark, or the next space. */
static const char *
find_end (const char *start, gboolean quoted)
{
  const char *p = start;

  while (*p != '\0' && (quoted ? !is_quotation_mark (g_utf8_get_char (p))
                               : !g_unichar_isspace (g_utf8_get_char (p))))
    p = g_utf8_next_char (p);

  return p;
}

static const char *
find_colon (const char *start)
{
  const char *end = find_end (start, FALSE);
  const char *colon = memchr (start, ':', end - start);

  return colon != NULL && colon > start && !is_quotation_mark (g_utf8_get_char (start)) ? colon
                                                                                        : NULL;
}

/* A word or filter of a search, for proposals */
typedef struct
{
  const char *start; /* within the text */
  const char *end;
  EarSearchKey key;
  char *value;       /* (nullable): without quotation marks; the whole of a word */
  gboolean closed;   /* followed by more text */
} Token;

/* Removes the next word or filter from the beginning of a text.
 * @text: (inout): valid UTF-8
 * Returns: whether there was one; if so, free its value after use */
static gboolean
read_token (Token *self, const char **text)
{
  const char *start = *text;
  const char *colon;
  const char *value;
  gboolean quoted;

  while (g_unichar_isspace (g_utf8_get_char (start)))
    start = g_utf8_next_char (start);
  if (*start == '\0')
    return FALSE;

  *self = (Token) { .start = start };
  colon = find_colon (start);
  if (colon != NULL)
    {
      g_autofree char *name = g_strndup (start, colon - start);

      self->key = find_key (name);
    }
  value = self->key != EAR_SEARCH_NO_KEY ? colon + 1 : start;
  quoted = is_quotation_mark (g_utf8_get_char (value));
  if (quoted)
    value = g_utf8_next_char (value);
  self->end = find_end (value, quoted);
  self->value = g_strndup (value, self->end - value);
  self->closed = *self->end != '\0';
  if (quoted && self->closed)
    self->end = g_utf8_next_char (self->end);
  *text = self->end;

  return TRUE;
}

static gboolean
read_state (EarSearchFilter *self, const char *value)
{
  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    if (find_word (states[i].word, value, MATCH_WHOLE) != NULL)
      {
        self->terms.filters |= 1u << states[i].filter;
        return TRUE;
      }

  return FALSE;
}

/* Adds the podcasts with @value in their title. Several filters add up. */
static gboolean
read_podcast (EarSearchFilter *self, const char *value, GListModel *podcasts)
{
  gboolean found = FALSE;
  EarPodcast *podcast;

  for (guint i = 0; podcasts != NULL && (podcast = ear_list_peek (podcasts, i)) != NULL; i++)
    if (match (ear_podcast_get_name (podcast), value) != NO_MATCH)
      {
        ear_ids_append (&self->terms.podcasts, ear_podcast_get_id (podcast));
        found = TRUE;
      }

  return found;
}

/* Selects the list with this title, or else the first one whose title contains it. */
static gboolean
read_list (EarSearchFilter *self, const char *value, GListModel *lists)
{
  Match best = NO_MATCH;
  GObject *list;

  for (guint i = 0; lists != NULL && (list = ear_list_peek (lists, i)) != NULL; i++)
    {
      g_autofree char *title = NULL;
      Match found;

      g_object_get (list, "title", &title, NULL);
      found = match (title, value);
      if (found == NO_MATCH || (best != NO_MATCH && found != MATCH_WHOLE))
        continue;
      g_set_object (&self->list, list);
      best = found;
    }

  return best != NO_MATCH;
}

static gboolean
understand (EarSearchFilter *self, const Token *token, GListModel *podcasts, GListModel *lists)
{
  if (keys[token->key].read != NULL)
    return keys[token->key].read (token->value,
                                  G_STRUCT_MEMBER_P (self, keys[token->key].offset));

  return (token->key == EAR_SEARCH_PODCAST && read_podcast (self, token->value, podcasts)) ||
         (token->key == EAR_SEARCH_IS && read_state (self, token->value)) ||
         (token->key == EAR_SEARCH_IN && read_list (self, token->value, lists));
}

/* Returns: whether a value that is being typed may be understood once it is complete.
 * Titles are understood from any part. */
static gboolean
may_be_begun (const Token *token)
{
  const char *const *rests = keys[token->key].rests;
  gint64 number;

  if (token->key == EAR_SEARCH_NO_KEY || token->closed)
    return FALSE;
  if (*token->value == '\0')
    return TRUE;
  for (guint i = 0; token->key == EAR_SEARCH_IS && i < G_N_ELEMENTS (states); i++)
    if (find_word (states[i].word, token->value, MATCH_BEGINNING) != NULL)
      return TRUE;
  for (guint i = 0; rests != NULL && rests[i] != NULL; i++)
    {
      g_autofree char *longer = g_strconcat (token->value, rests[i], NULL);

      if (keys[token->key].read (longer, &number))
        return TRUE;
    }

  return FALSE;
}

static void
add_word (EarSearchFilter *self, GString *words, const Token *token)
{
  if (words->len > 0)
    g_string_append_c (words, ' ');
  g_string_append_len (words, token->start, token->end - token->start);
  /* A key without a value is searched for as a word with a colon. */
  if (token->key == EAR_SEARCH_NO_KEY || self->wrong_key != EAR_SEARCH_NO_KEY ||
      *token->value == '\0')
    return;
  self->wrong_key = token->key;
  self->wrong_value = g_strdup (token->value);
}

/* Splits a search into filters and the remaining words.
 * @lists: (nullable): the listener's lists, which have a property `title` */
EarSearchFilter *
ear_search_filter_parse (const char *text, GListModel *podcasts, GListModel *lists)
{
  EarSearchFilter *self = g_new0 (EarSearchFilter, 1);
  g_autofree char *valid =
      g_utf8_make_valid (text, (gssize) strnlen (text, EAR_SEARCH_FILTER_LIMIT));
  g_autoptr (GString) words = g_string_new (NULL);
  const char *rest = valid;
  Token token;

  while (read_token (&token, &rest))
    {
      if (!understand (self, &token, podcasts, lists) && !may_be_begun (&token))
        add_word (self, words, &token);
      g_free (token.value);
    }
  if (words->len > 0)
    self->words = g_string_free_and_steal (g_steal_pointer (&words));

  return self;
}

/* Returns: whether the search has neither words nor filters */
gboolean
ear_search_filter_is_empty (const EarSearchFilter *self)
{
  static const EarEpisodeConditions none;

  return self->words == NULL && self->list == NULL &&
         memcmp (&self->terms, &none, sizeof none) == 0;
}

void
ear_search_filter_free (EarSearchFilter *self)
{
  g_clear_pointer (&self->terms.podcasts, g_array_unref);
  g_clear_object (&self->list);
  g_free (self->words);
  g_free (self->wrong_value);
  g_free (self);
}

/* Maximum number of proposals; more would cover the results. */
#define MOST 8

/* A single letter begins too many keys. */
#define SHORTEST_KEY 2

/* Number of years proposed */
#define N_YEARS 5

/* A proposed filter, or a value for one, that completes the text being typed. */
struct _EarSearchProposal
{
  GObject parent_instance;

  char *label;
  char *hint;  /* (nullable) */
  guint start; /* first character that it replaces */
  guint end;
};

G_DEFINE_FINAL_TYPE (EarSearchProposal, ear_search_proposal, G_TYPE_OBJECT)

static void
ear_search_proposal_class_init (EarSearchProposalClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarSearchProposal, label, G_TYPE_STRING),
    EAR_READABLE (EarSearchProposal, hint, G_TYPE_STRING),
  };

  ear_class_add_properties (klass, properties);
}

static void
ear_search_proposal_init (EarSearchProposal *self)
{
}

/* Adds proposals for a part of the text, up to the limit. */
typedef struct
{
  GListStore *store;
  guint start;
  guint end;
  const Token *token;
} Proposing;

static void
propose (const Proposing *self, const char *label, const char *hint)
{
  g_autoptr (EarSearchProposal) proposal = NULL;
  const gsize n_typed = self->token->end - self->token->start;

  /* A text that is already complete needs no proposal. */
  if (g_list_model_get_n_items (G_LIST_MODEL (self->store)) >= MOST ||
      (strlen (label) == n_typed && strncmp (label, self->token->start, n_typed) == 0))
    return;

  proposal = g_object_new (EAR_TYPE_SEARCH_PROPOSAL, NULL);
  proposal->label = g_strdup (label);
  proposal->hint = g_strdup (hint);
  proposal->start = self->start;
  proposal->end = self->end;
  g_list_store_append (self->store, proposal);
}

/* Proposes keys in the language in which the listener began to type. */
static void
propose_keys (const Proposing *self)
{
  if (g_utf8_strlen (self->token->value, -1) < SHORTEST_KEY)
    return;
  for (gsize i = EAR_SEARCH_PODCAST; i < G_N_ELEMENTS (keys); i++)
    {
      const char *word = find_word (keys[i].word, self->token->value, MATCH_BEGINNING);
      g_autofree char *label = g_strconcat (word, ":", NULL);

      if (word != NULL)
        propose (self, label, _(keys[i].hint));
    }
}

/* Proposes @value if it matches the typed text at least as well as @least. The proposal keeps the
 * key as typed, and quotes a value of several words. */
static void
propose_value (const Proposing *self, const char *value, Match least)
{
  const char *colon = strchr (self->token->start, ':');
  g_autofree char *key = g_strndup (self->token->start, colon + 1 - self->token->start);
  g_autofree char *plain = g_strdelimit (g_strdup (value), "\"", '\'');
  const char *mark = *find_end (plain, FALSE) != '\0' ? "\"" : "";
  g_autofree char *label = g_strconcat (key, mark, plain, mark, NULL);

  if (match (value, self->token->value) >= least)
    propose (self, label, NULL);
}

static void
propose_titles (const Proposing *self, GListModel *model)
{
  GObject *item;

  for (guint i = 0; model != NULL && (item = ear_list_peek (model, i)) != NULL; i++)
    {
      g_autofree char *title = NULL;

      g_object_get (item, "title", &title, NULL);
      if (!ear_is_empty (title))
        propose_value (self, title, MATCH_PART);
    }
}

static void
propose_values (const Proposing *self, GListModel *podcasts, GListModel *lists, int year)
{
  const EarSearchKey key = self->token->key;
  const char *const *proposed = keys[key].proposed;

  if (key == EAR_SEARCH_NO_KEY)
    propose_keys (self);
  if (key == EAR_SEARCH_PODCAST || key == EAR_SEARCH_IN)
    propose_titles (self, key == EAR_SEARCH_IN ? lists : podcasts);
  for (gsize i = 0; key == EAR_SEARCH_IS && i < G_N_ELEMENTS (states); i++)
    {
      const char *word = find_word (states[i].word, self->token->value, MATCH_BEGINNING);

      if (word != NULL)
        propose_value (self, word, MATCH_BEGINNING);
    }
  for (gsize i = 0; proposed != NULL && proposed[i] != NULL; i++)
    propose_value (self, proposed[i], MATCH_BEGINNING);
  for (int i = 0; keys[key].read == read_date && i < N_YEARS; i++)
    {
      g_autofree char *value = g_strdup_printf ("%d", year - i);

      propose_value (self, value, MATCH_BEGINNING);
    }
}

/* @position: the cursor position, in characters
 * Returns: (transfer full): proposals for the word that ends at the cursor */
GListStore *
ear_search_proposals_create (const char *text, int position, GListModel *podcasts,
                             GListModel *lists, int year)
{
  GListStore *store = g_list_store_new (EAR_TYPE_SEARCH_PROPOSAL);
  const char *cursor = g_utf8_offset_to_pointer (text, position);
  const char *rest = text;
  Token token;

  while (rest < cursor && strlen (text) <= EAR_SEARCH_FILTER_LIMIT &&
         read_token (&token, &rest))
    {
      const Proposing proposing = { store, (guint) g_utf8_pointer_to_offset (text, token.start),
                                    (guint) g_utf8_pointer_to_offset (text, token.end), &token };

      if (token.end == cursor)
        propose_values (&proposing, podcasts, lists, year);
      g_free (token.value);
    }

  return store;
}

EAR_DEFINE_GET (EarSearchProposal, ear_search_proposal, const char *, label)

/* Returns: (transfer full): the new text, with a space after a value */
char *
ear_search_proposal_apply (EarSearchProposal *self, const char *text, int *position)
{
  const char *start = g_utf8_offset_to_pointer (text, self->start);
  const char *end = g_utf8_offset_to_pointer (text, self->end);
  const gboolean is_value = !g_str_has_suffix (self->label, ":");
  const char *space = is_value && *end != ' ' ? " " : "";
  g_autofree char *before = g_strndup (text, start - text);

  *position = (int) self->start + (int) g_utf8_strlen (self->label, -1) + (is_value ? 1 : 0);

  return g_strconcat (before, self->label, space, end, NULL);
}

/* Podcasts found by their title and author */

/* Returns: whether each word begins a word of the title or author, in any order. Chinese, Japanese
 *   and Korean write no spaces between words, so any position matches. */
static gboolean
has_words (EarPodcast *podcast, const char *words, const char *folded_words)
{
  g_autofree char *text = g_strjoin (" ", ear_podcast_get_name (podcast),
                                     ear_podcast_get_facts (podcast)->author, NULL);
  g_autofree char *folded = ear_text_fold (text, -1);
  const char *wide = folded_words;

  while (*wide != '\0' && !g_unichar_iswide (g_utf8_get_char (wide)))
    wide = g_utf8_next_char (wide);

  return g_str_match_string (words, text, TRUE) ||
         (*wide != '\0' && strstr (folded, folded_words) != NULL);
}

/* @podcasts: a list of [class@EarPodcast], by title
 * Returns: (transfer full) (element-type EarPodcast): podcasts that have all words in
 *   their title and author; titles that begin with the words first */
GPtrArray *
ear_podcast_search (GListModel *podcasts, const char *words, guint limit)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *stripped = g_strstrip (g_strdup (words != NULL ? words : ""));
  g_autofree char *folded = ear_text_fold (stripped, -1);
  guint n_titled = 0;
  EarPodcast *podcast;

  for (guint i = 0; *stripped != '\0' && (podcast = ear_list_peek (podcasts, i)) != NULL; i++)
    {
      g_autofree char *title = ear_text_fold (ear_podcast_get_name (podcast), -1);

      if (!has_words (podcast, stripped, folded))
        continue;
      g_ptr_array_insert (found, g_str_has_prefix (title, folded) ? (int) n_titled++ : -1,
                          g_object_ref (podcast));
    }
  g_ptr_array_set_size (found, (int) MIN (found->len, limit));

  return found;
}
