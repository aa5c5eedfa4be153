/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-rows.h"

#include "ear-address.h"
#include "ear-link.h"
#include "ear-mention-sql.h"

/* Queries of the reading list, for readers */

/* --- Finding links ----------------------------------------------------------------------- */

enum
{
  PODCAST = 1,
  KIND,
  HOST,
  ONLY,
  WITHOUT,
  WORDS,
};

/* Limit of words: more only cost time */
#define WORDS_LIMIT 8

#define TEXT \
  "lower (coalesce (words, '') || ' ' || coalesce ((SELECT text FROM heading WHERE id = mention.heading), '') || ' ' ||" \
  " (SELECT address FROM site WHERE id = mention.site) || path)"

/* Returns: (transfer full): the words, in the case of SQLite's lower() */
static GStrv
list_words (const EarLinkQuery *query)
{
  g_autofree char *search = g_ascii_strdown (query->search != NULL ? query->search : "", -1);
  g_auto (GStrv) parts = g_strsplit_set (search, " \t\n", -1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  guint n_words = 0;

  for (guint i = 0; parts[i] != NULL && n_words < WORDS_LIMIT; i++)
    if (*parts[i] != '\0')
      {
        g_strv_builder_add (words, parts[i]);
        n_words++;
      }

  return g_strv_builder_end (words);
}

static char *
make_sql (const EarLinkQuery *query, char **words)
{
  GString *sql = g_string_new ("SELECT id, link FROM mention"
                               " WHERE podcast NOT IN (SELECT id FROM podcast WHERE hidden <> 0)");

  if (query->podcast != 0)
    g_string_append_printf (sql, " AND podcast = ?%d", PODCAST);
  if (query->kind >= 0)
    g_string_append_printf (sql, " AND kind = ?%d", KIND);
  if (query->host != NULL)
    g_string_append_printf (sql, " AND site IN (SELECT id FROM site WHERE host = ?%d)", HOST);
  if (query->listened)
    g_string_append (sql, " AND EXISTS (SELECT 1 FROM episode INDEXED BY episode_all WHERE sort_key = " EAR_MENTION_SQL_SORT_KEY ("mention.id")
                     " AND listened <> 0)");
  if (query->only != NULL)
    g_string_append_printf (sql, " AND link IN (SELECT value FROM json_each (?%d))", ONLY);
  if (query->without != NULL && query->without->len > 0)
    g_string_append_printf (sql, " AND link NOT IN (SELECT value FROM json_each (?%d))", WITHOUT);
  for (guint i = 0; words[i] != NULL; i++)
    g_string_append_printf (sql, " AND instr (" TEXT ", ?%u) > 0", WORDS + i);
  g_string_append (sql, " ORDER BY id");

  return g_string_free_and_steal (sql);
}

static void
bind_ids (EarStatement *statement, int parameter, GArray *ids)
{
  if (ids != NULL)
    sqlite3_bind_text (statement, parameter, ear_database_print_ids ((const gint64 *) (gpointer) ids->data, ids->len), -1, g_free);
}

static void
bind_query (EarStatement *statement, const EarLinkQuery *query, char **words)
{
  sqlite3_bind_int64 (statement, PODCAST, query->podcast);
  sqlite3_bind_int (statement, KIND, query->kind);
  ear_statement_bind_text (statement, HOST, query->host);
  bind_ids (statement, ONLY, query->only);
  bind_ids (statement, WITHOUT, query->without);
  for (guint i = 0; words[i] != NULL; i++)
    sqlite3_bind_text (statement, WORDS + (int) i, words[i], -1, SQLITE_TRANSIENT);
}

/* @known: (element-type gint64 guint): a link's index in @places plus 1 */
static void
take_mention (GArray *places, GHashTable *known, EarStatement *statement)
{
  const gint64 link = sqlite3_column_int64 (statement, 1);
  const EarLinkPlace place = { sqlite3_column_int64 (statement, 0), 1 };
  const guint at = GPOINTER_TO_UINT (g_hash_table_lookup (known, &link));

  if (at > 0)
    {
      g_array_index (places, EarLinkPlace, at - 1).n_episodes++;
      return;
    }
  g_array_append_val (places, place);
  g_hash_table_insert (known, g_memdup2 (&link, sizeof link), GUINT_TO_POINTER (places->len));
}

/**
 * ear_link_rows_find:
 * @query: a query
 *
 * Returns: (transfer full) (nullable) (element-type EarLinkPlace): references to the
 *   links, or %NULL on an error
 */
GArray *
ear_link_rows_find (EarDatabase *database, const EarLinkQuery *query, GError **error)
{
  g_auto (GStrv) words = list_words (query);
  g_autofree char *sql = make_sql (query, words);
  g_autoptr (EarStatement) statement = ear_database_prepare (database, g_intern_string (sql), error);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (EarLinkPlace));
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gboolean row = FALSE;

  if (statement != NULL)
    bind_query (statement, query, words);
  while (ear_database_step (database, statement, &row, error) && row)
    take_mention (places, known, statement);

  return row || statement == NULL ? NULL : g_steal_pointer (&places);
}

/* --- Loading links ----------------------------------------------------------------------- */

static EarLink *
read_link (EarStatement *statement, const EarLinkPlace *place)
{
  g_autofree char *words = ear_statement_dup_text (statement, 0);
  g_autofree char *heading = ear_statement_dup_text (statement, 1);
  g_autofree char *address = ear_statement_dup_text (statement, 2);
  g_autofree char *title = ear_statement_dup_text (statement, 4);
  g_autofree char *podcast = ear_statement_dup_text (statement, 5);
  g_autofree char *feed = ear_statement_dup_text (statement, 6);
  g_autofree char *guid = ear_statement_dup_text (statement, 7);
  g_autofree char *key = feed != NULL && guid != NULL ? ear_address_hash (feed, guid) : NULL;
  EarLink *link = ear_link_new (address, words, heading, (EarLinkKind) CLAMP (sqlite3_column_int (statement, 3), 0, EAR_N_LINK_KINDS - 1));

  ear_link_set_episode (link, key, title, podcast, place->n_episodes);

  return link;
}

/* Returns: (transfer full) (nullable) (element-type EarLink): the links that still exist,
 * or %NULL on an error */
GPtrArray *
ear_link_rows_read (EarDatabase *database, const EarLinkPlace *places, guint n_places, GError **error)
{
  g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_places; i++)
    {
      g_autoptr (EarStatement) statement = ear_database_query (
          database, error,
          "SELECT words, text, site.address || path, kind, episode.title, podcast.title, podcast.address, episode.guid"
          " FROM mention CROSS JOIN site ON site.id = site LEFT JOIN heading ON heading.id = heading"
          " CROSS JOIN episode INDEXED BY episode_all ON sort_key = " EAR_MENTION_SQL_SORT_KEY ("mention.id")
          " CROSS JOIN podcast ON podcast.id = episode.podcast WHERE mention.id = ?1", "x", places[i].id);
      gboolean row = FALSE;

      if (!ear_database_step (database, statement, &row, error))
        return NULL;
      if (row && sqlite3_column_type (statement, 2) == SQLITE_TEXT)
        g_ptr_array_add (links, read_link (statement, &places[i]));
    }

  return g_steal_pointer (&links);
}

/* Returns: (transfer full) (nullable): the hosts with the most links,
 * in descending order */
GStrv
ear_link_rows_list_hosts (EarDatabase *database, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      database, error, "SELECT host FROM (SELECT site, count (DISTINCT link) AS n_links FROM mention GROUP BY site)"
      " CROSS JOIN site ON site.id = site GROUP BY host ORDER BY sum (n_links) DESC, host LIMIT ?1", "i", EAR_LINK_HOSTS_LIMIT);
  g_autoptr (GStrvBuilder) hosts = g_strv_builder_new ();
  gboolean row = FALSE;

  while (ear_database_step (database, statement, &row, error) && row)
    g_strv_builder_take (hosts, ear_statement_dup_text (statement, 0));

  return row ? NULL : g_strv_builder_end (hosts);
}

/* Returns: (transfer full) (nullable) (element-type gint64): those of @ids that most
 * episodes of the podcast link to; none if fewer than EAR_LINK_EPISODES_MIN have links */
GArray *
ear_link_rows_find_repeated (EarDatabase *database, gint64 podcast, GArray *ids, GError **error)
{
  g_autoptr (GArray) repeated = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 n_episodes = 0;

  if (!ear_database_get_int (database, error, &n_episodes, "SELECT count(*) FROM episode WHERE podcast = ?1 AND links > 0", "x",
                             podcast))
    return NULL;
  for (guint i = 0; i < ids->len && n_episodes >= EAR_LINK_EPISODES_MIN; i++)
    {
      const gint64 id = g_array_index (ids, gint64, i);
      gint64 n_mentions = 0;

      if (!ear_database_get_int (database, error, &n_mentions, "SELECT count(*) FROM mention WHERE link = ?1 AND podcast = ?2", "xx", id,
                                 podcast))
        return NULL;
      if (2 * n_mentions > n_episodes)
        g_array_append_val (repeated, id);
    }

  return g_steal_pointer (&repeated);
}
