/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-proposal.h"

#include "ear-property.h"
#include "ear-search-filter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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

static const char *const hints[] = {
  /* Translators: explanations of search filters such as “podcast:” and “is:” */
  [EAR_SEARCH_PODCAST] = N_("From one podcast"),
  [EAR_SEARCH_IS] = N_("Unplayed, liked, downloaded…"),
  [EAR_SEARCH_LONGER] = N_("Minimum length"),
  [EAR_SEARCH_SHORTER] = N_("Maximum length"),
  [EAR_SEARCH_AFTER] = N_("Published on or after"),
  [EAR_SEARCH_BEFORE] = N_("Published before"),
  [EAR_SEARCH_IN] = N_("In one of your lists"),
};

static const char *const lengths[] = { "10m", "20m", "30m", "45m", "1h", "2h" };

static void
ear_search_proposal_finalize (GObject *object)
{
  EarSearchProposal *self = EAR_SEARCH_PROPOSAL (object);

  g_free (self->label);
  g_free (self->hint);

  G_OBJECT_CLASS (ear_search_proposal_parent_class)->finalize (object);
}

static void
ear_search_proposal_class_init (EarSearchProposalClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "label", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSearchProposal, label) },
    { "hint", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSearchProposal, hint) },
  };

  object_class->finalize = ear_search_proposal_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
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
  const EarSearchToken *token;
} Proposing;

static void
propose (const Proposing *self, const char *label, const char *hint)
{
  g_autoptr (EarSearchProposal) proposal = NULL;

  if (g_list_model_get_n_items (G_LIST_MODEL (self->store)) >= MOST)
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

  for (guint key = EAR_SEARCH_PODCAST;
       ear_search_filter_get_key ((EarSearchKey) key, FALSE) != NULL; key++)
    for (int translated = TRUE; translated >= FALSE; translated--)
      {
        const char *word = ear_search_filter_get_key ((EarSearchKey) key, translated);
        g_autofree char *label = g_strconcat (word, ":", NULL);

        if (ear_search_filter_begins (label, self->token->value))
          {
            propose (self, label, _(hints[key]));
            break;
          }
      }
}

static gboolean
has_space (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (g_unichar_isspace (g_utf8_get_char (text)))
      return TRUE;

  return FALSE;
}

/* Keeps the key as typed, and quotes a value of several words. */
static void
propose_value (const Proposing *self, const char *value)
{
  const char *colon = strchr (self->token->start, ':');
  g_autofree char *key = g_strndup (self->token->start, colon + 1 - self->token->start);
  g_autofree char *plain = g_strdelimit (g_strdup (value), "\"", '\'');
  const char *mark = has_space (plain) ? "\"" : "";
  g_autofree char *label = g_strconcat (key, mark, plain, mark, NULL);

  propose (self, label, NULL);
}

static void
propose_states (const Proposing *self)
{
  for (guint i = 0; ear_search_filter_get_state (i, FALSE) != NULL; i++)
    for (int translated = TRUE; translated >= FALSE; translated--)
      if (ear_search_filter_begins (ear_search_filter_get_state (i, translated),
                                    self->token->value))
        {
          propose_value (self, ear_search_filter_get_state (i, translated));
          break;
        }
}

static void
propose_titles (const Proposing *self, GListModel *model)
{
  for (guint i = 0; model != NULL && i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);
      g_autofree char *title = NULL;

      g_object_get (item, "title", &title, NULL);
      if (title != NULL && *title != '\0' && ear_search_filter_contains (title, self->token->value))
        propose_value (self, title);
    }
}

static void
propose_lengths (const Proposing *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    if (g_str_has_prefix (lengths[i], self->token->value))
      propose_value (self, lengths[i]);
}

static void
propose_years (const Proposing *self, int year)
{
  for (int i = 0; i < N_YEARS; i++)
    {
      g_autofree char *value = g_strdup_printf ("%d", year - i);

      if (g_str_has_prefix (value, self->token->value))
        propose_value (self, value);
    }
}

static void
propose_values (const Proposing *self, GListModel *podcasts, GListModel *lists, int year)
{
  switch (self->token->key)
    {
    case EAR_SEARCH_PODCAST:
      propose_titles (self, podcasts);
      break;
    case EAR_SEARCH_IS:
      propose_states (self);
      break;
    case EAR_SEARCH_LONGER:
    case EAR_SEARCH_SHORTER:
      propose_lengths (self);
      break;
    case EAR_SEARCH_AFTER:
    case EAR_SEARCH_BEFORE:
      propose_years (self, year);
      break;
    case EAR_SEARCH_IN:
      propose_titles (self, lists);
      break;
    case EAR_SEARCH_NO_KEY:
    default:
      propose_keys (self);
    }
}

/* A text that is already complete needs no proposal. */
static gboolean
is_typed (const Proposing *self)
{
  g_autoptr (EarSearchProposal) only = NULL;
  g_autofree char *typed = g_strndup (self->token->start, self->token->end - self->token->start);

  if (g_list_model_get_n_items (G_LIST_MODEL (self->store)) != 1)
    return FALSE;
  only = g_list_model_get_item (G_LIST_MODEL (self->store), 0);

  return g_str_equal (only->label, typed);
}

/* @text: the text of the entry
 * @position: the cursor position, in characters
 * @podcasts: (nullable): the followed podcasts
 * @lists: (nullable): the listener's lists
 * @year: the current year
 * Returns: (transfer full): proposals for the word that ends at the cursor */
GListStore *
ear_search_proposals_create (const char *text, int position, GListModel *podcasts,
                             GListModel *lists, int year)
{
  GListStore *store = g_list_store_new (EAR_TYPE_SEARCH_PROPOSAL);
  const char *cursor = g_utf8_offset_to_pointer (text, position);
  const char *rest = text;
  EarSearchToken token;

  while (rest < cursor && strlen (text) <= EAR_SEARCH_FILTER_LIMIT &&
         ear_search_token_take (&token, &rest))
    {
      const Proposing proposing = { store, (guint) g_utf8_pointer_to_offset (text, token.start),
                                    (guint) g_utf8_pointer_to_offset (text, token.end), &token };

      if (token.end == cursor)
        propose_values (&proposing, podcasts, lists, year);
      if (token.end == cursor && is_typed (&proposing))
        g_list_store_remove_all (store);
      ear_search_token_clear (&token);
    }

  return store;
}

EAR_DEFINE_GET (EarSearchProposal, ear_search_proposal, const char *, label)

/* @text: the text for which the proposal was made
 * @position: (out): the new cursor position
 * Returns: (transfer full): the new text, with a space after a value */
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
