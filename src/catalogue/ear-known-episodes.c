/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-known-episodes.h"

#include "ear-columns.h"

/* Limits searches in feeds whose episodes all have the same title or enclosure. */
#define CHAIN_LIMIT 64

#define SECONDS_PER_DAY (24 * 60 * 60)

/* Keys by which episodes are found */
enum
{
  ENCLOSURE,
  TITLE,
  N_KEYS,
};

/* An episode. Episodes with one enclosure, or one title, are a chain: each has the index
 * of the next + 1. */
typedef struct
{
  gint64 id;
  gint64 published;
  guint64 keys[N_KEYS]; /* digests; 0: none */
  guint next[N_KEYS];
} Known;

struct _EarKnownEpisodes
{
  /* Owned */
  GArray *episodes;          /* (element-type Known) */
  GHashTable *first[N_KEYS]; /* digest: index of the first + 1 */
};

static guint64
digest (const char *text)
{
  return text != NULL && *text != '\0' ? ear_digest_text (EAR_DIGEST_START, text) : 0;
}

/* @place: index of an episode + 1
 * Returns: (nullable): the episode */
static const Known *
get (EarKnownEpisodes *self, guint place)
{
  return place != 0 ? &g_array_index (self->episodes, Known, place - 1) : NULL;
}

static const Known *
get_first (EarKnownEpisodes *self, guint kind, guint64 key)
{
  return get (self, GPOINTER_TO_UINT (g_hash_table_lookup (self->first[kind], &key)));
}

static void
add (EarKnownEpisodes *self, gint64 id, const char *enclosure, const char *title, gint64 published)
{
  Known known = { id, published, { digest (enclosure), digest (title) }, { 0 } };

  for (guint i = 0; i < N_KEYS; i++)
    {
      known.next[i] = GPOINTER_TO_UINT (g_hash_table_lookup (self->first[i], &known.keys[i]));
      if (known.keys[i] != 0)
        g_hash_table_replace (self->first[i], g_memdup2 (&known.keys[i], sizeof *known.keys),
                              GUINT_TO_POINTER (self->episodes->len + 1));
    }
  g_array_append_val (self->episodes, known);
}

void
ear_known_episodes_add (EarKnownEpisodes *self, gint64 id, EarEpisodeFacts *facts)
{
  add (self, id, ear_enclosure_get_first (facts), facts->title, facts->published);
}

EarKnownEpisodes *
ear_known_episodes_new (void)
{
  EarKnownEpisodes *self = g_new0 (EarKnownEpisodes, 1);

  self->episodes = g_array_new (FALSE, FALSE, sizeof (Known));
  for (guint i = 0; i < N_KEYS; i++)
    self->first[i] = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  return self;
}

/* Returns: (transfer full): all stored episodes of the podcast */
EarKnownEpisodes *
ear_known_episodes_load (EarDatabase *database, gint64 podcast)
{
  EarKnownEpisodes *self = ear_known_episodes_new ();
  g_autoptr (EarStatement) statement = ear_database_query (
      database,
      "SELECT id, enclosure, title, published FROM episode INDEXED BY episode_of"
      " WHERE podcast = ?1 ORDER BY sort_key",
      "x", podcast);

  while (ear_database_step (database, statement))
    add (self, sqlite3_column_int64 (statement, 0), ear_statement_get_text (statement, 1),
         ear_statement_get_text (statement, 2), ear_statement_get_date (statement, 3));

  return self;
}

void
ear_known_episodes_free (EarKnownEpisodes *self)
{
  g_array_unref (self->episodes);
  for (guint i = 0; i < N_KEYS; i++)
    g_hash_table_unref (self->first[i]);
  g_free (self);
}

static gboolean
is_same_day (gint64 a, gint64 b)
{
  return a != EAR_DATE_UNKNOWN && b != EAR_DATE_UNKNOWN &&
         (a > b ? a - SECONDS_PER_DAY < b : b - SECONDS_PER_DAY < a);
}

/* Finds an episode that a feed lists with two guids: with the same enclosure and date, or
 * without dates, the same enclosure and title. Dates matter because hourly news have one
 * title and one enclosure for all of their episodes.
 * Returns: its row id, or 0 */
gint64
ear_known_episodes_find_twin (EarKnownEpisodes *self, const char *enclosure, const char *title,
                              gint64 published)
{
  const Known *known = get_first (self, ENCLOSURE, digest (enclosure));

  for (guint i = 0; known != NULL && i < CHAIN_LIMIT; i++)
    {
      if (known->published == published &&
          (published != EAR_DATE_UNKNOWN || known->keys[TITLE] == digest (title)))
        return known->id;
      known = get (self, known->next[ENCLOSURE]);
    }

  return 0;
}

/* Returns: the row id of the only episode with that enclosure, or 0 */
gint64
ear_known_episodes_find_only (EarKnownEpisodes *self, const char *enclosure)
{
  const Known *known = get_first (self, ENCLOSURE, digest (enclosure));

  return known != NULL && known->next[ENCLOSURE] == 0 ? known->id : 0;
}

/* Returns: the row id of the same episode, or 0 */
gint64
ear_known_episodes_find (EarKnownEpisodes *self, EarEpisodeFacts *facts, GHashTable *seen)
{
  const guint64 title = digest (facts->title);
  const guint64 keys[] = { digest (ear_enclosure_get_first (facts)), title };
  const gint64 date = facts->published;

  for (guint kind = 0; kind < N_KEYS; kind++)
    {
      const Known *known = get_first (self, kind, keys[kind]);

      for (guint i = 0; known != NULL && i < CHAIN_LIMIT; i++)
        {
          const gboolean is_same =
              kind == ENCLOSURE ? (title != 0 && known->keys[TITLE] == title) ||
                                      is_same_day (known->published, date)
                                : date != EAR_DATE_UNKNOWN && known->published == date;

          if (is_same && !g_hash_table_contains (seen, &known->id))
            return known->id;
          known = get (self, known->next[kind]);
        }
    }

  return 0;
}
