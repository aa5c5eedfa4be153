/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-known-episodes.h"

#include "ear-columns.h"

/* Limits searches in feeds whose episodes all have the same title or enclosure. */
#define CHAIN_LIMIT 64

#define SECONDS_PER_DAY (24 * 60 * 60)

/* An episode. Episodes with one enclosure, or one title, are a chain: each has the index
 * of the next + 1. */
typedef struct
{
  gint64 id;
  guint64 enclosure; /* digests; 0: none */
  guint64 title;
  gint64 published;
  guint next_enclosure;
  guint next_title;
} Known;

struct _EarKnownEpisodes
{
  /* Owned */
  GArray *episodes;          /* (element-type Known) */
  GHashTable *by_enclosure;  /* digest: index of the first + 1 */
  GHashTable *by_title;
};

static guint64
digest (const char *text)
{
  return text != NULL && *text != '\0' ? ear_digest_text (EAR_DIGEST_START, text) : 0;
}

static guint
add_to_chain (GHashTable *chains, guint64 key, guint place)
{
  const guint first = GPOINTER_TO_UINT (g_hash_table_lookup (chains, &key));

  if (key != 0)
    g_hash_table_replace (chains, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (place + 1));

  return first;
}

static void
add (EarKnownEpisodes *self, gint64 id, const char *enclosure, const char *title, gint64 published)
{
  const guint place = self->episodes->len;
  Known known = {
    .id = id, .enclosure = digest (enclosure), .title = digest (title), .published = published
  };

  known.next_enclosure = add_to_chain (self->by_enclosure, known.enclosure, place);
  known.next_title = add_to_chain (self->by_title, known.title, place);
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
  self->by_enclosure = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->by_title = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

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
  g_hash_table_unref (self->by_enclosure);
  g_hash_table_unref (self->by_title);
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
  const guint64 enclosure_digest = digest (enclosure);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_enclosure, &enclosure_digest));

  for (guint i = 0; place != 0 && i < CHAIN_LIMIT; i++)
    {
      const Known *known = &g_array_index (self->episodes, Known, place - 1);

      if (known->published == published &&
          (published != EAR_DATE_UNKNOWN || known->title == digest (title)))
        return known->id;
      place = known->next_enclosure;
    }

  return 0;
}

/* Returns: the row id of the only episode with that enclosure, or 0 */
gint64
ear_known_episodes_find_only (EarKnownEpisodes *self, const char *enclosure)
{
  const guint64 key = digest (enclosure);
  const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_enclosure, &key));
  const Known *known = place != 0 ? &g_array_index (self->episodes, Known, place - 1) : NULL;

  return known != NULL && known->next_enclosure == 0 ? known->id : 0;
}

/* Returns: the row id of the same episode, or 0 */
gint64
ear_known_episodes_find (EarKnownEpisodes *self, EarEpisodeFacts *facts, GHashTable *seen)
{
  const guint64 title = digest (facts->title);
  const guint64 enclosure = digest (ear_enclosure_get_first (facts));
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_enclosure, &enclosure));

  for (guint i = 0; place != 0 && i < CHAIN_LIMIT; i++)
    {
      const Known *known = &g_array_index (self->episodes, Known, place - 1);

      if (((title != 0 && known->title == title) ||
           is_same_day (known->published, facts->published)) &&
          !g_hash_table_contains (seen, &known->id))
        return known->id;
      place = known->next_enclosure;
    }

  place = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_title, &title));
  for (guint i = 0; place != 0 && i < CHAIN_LIMIT; i++)
    {
      const Known *known = &g_array_index (self->episodes, Known, place - 1);

      if (facts->published != EAR_DATE_UNKNOWN && known->published == facts->published &&
          !g_hash_table_contains (seen, &known->id))
        return known->id;
      place = known->next_title;
    }

  return 0;
}
