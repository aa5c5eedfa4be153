/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-address.h"
#include "ear-catalogue-schema.h"
#include "ear-link.h"

/* Limit of hosts to choose from */
#define HOSTS_LIMIT 100

/* With fewer episodes, no link of a podcast counts as repeated. */
#define REPEATED_MIN 4

/* Queries of the reading list, for readers */

/* The words of a search, in a row each; more than 8 only cost time. */
#define WORDS \
  "WITH word (word) AS MATERIALIZED (SELECT value FROM json_each ('[' || replace (" \
  "json_quote (replace (replace (lower (?6), char (9), ' '), char (10), ' ')), ' ', '\",\"')" \
  " || ']') WHERE value <> '' LIMIT 8) "

#define TEXT                                                                                       \
  "lower (coalesce (words, '') || ' ' || coalesce ((SELECT text FROM heading WHERE id = "          \
  "mention.heading), '') || ' ' ||"                                                                \
  " (SELECT address FROM site WHERE id = mention.site) || path)"

/* The parameters are the members of the query that limit it, in their order. */
static char *
make_sql (const EarLinkQuery *query)
{
  GString *sql = g_string_new (query->search != NULL ? WORDS : "");

  g_string_append (sql, "SELECT min (id), count (*) FROM mention"
                        " WHERE podcast NOT IN (SELECT id FROM podcast WHERE hidden <> 0)");
  if (query->podcast != 0)
    g_string_append (sql, " AND podcast = ?1");
  if (query->kind >= 0)
    g_string_append (sql, " AND kind = ?2");
  if (query->host != NULL)
    g_string_append (sql, " AND site IN (SELECT id FROM site WHERE host = ?3)");
  if (query->listened)
    g_string_append (sql,
                     " AND EXISTS (SELECT 1 FROM episode INDEXED BY episode_all WHERE sort_key "
                     "= " EAR_MENTION_SQL_SORT_KEY ("mention.id") " AND listened <> 0)");
  if (query->only != NULL)
    g_string_append (sql, " AND link IN (SELECT value FROM json_each (?4))");
  if (query->without != NULL && query->without->len > 0)
    g_string_append (sql, " AND link NOT IN (SELECT value FROM json_each (?5))");
  if (query->search != NULL)
    g_string_append (sql, " AND NOT EXISTS (SELECT 1 FROM word WHERE instr (" TEXT ", word) = 0)");
  g_string_append (sql, " GROUP BY link ORDER BY min (id)");

  return g_string_free_and_steal (sql);
}

static gpointer
find_links (EarDatabase *database, const EarRead *read)
{
  const EarLinkQuery *query = read->link_query;
  g_autofree char *sql = make_sql (query);
  g_autoptr (EarStatement) statement =
      ear_database_query (database, g_intern_string (sql), "xisaas", query->podcast, query->kind,
                          query->host, query->only, query->without, query->search);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (EarLinkRef));

  while (ear_database_step (database, statement))
    {
      const EarLinkRef place = { sqlite3_column_int64 (statement, 0),
                                 (guint) sqlite3_column_int (statement, 1) };

      g_array_append_val (places, place);
    }

  return places;
}

static EarLink *
read_link (EarStatement *statement, const EarLinkRef *place)
{
  g_autofree char *words = ear_statement_dup_text (statement, 0);
  g_autofree char *heading = ear_statement_dup_text (statement, 1);
  g_autofree char *address = ear_statement_dup_text (statement, 2);
  g_autofree char *feed = ear_statement_dup_text (statement, 6);
  g_autofree char *guid = ear_statement_dup_text (statement, 7);
  EarLink *link =
      ear_link_new (address, words, heading, (EarLinkKind) sqlite3_column_int (statement, 3));

  link->episode = feed != NULL && guid != NULL ? ear_address_hash (feed, guid) : NULL;
  link->title = ear_statement_dup_text (statement, 4);
  link->podcast = ear_statement_dup_text (statement, 5);
  link->n_episodes = place->n_episodes;

  return link;
}

/* Omits links that do not exist any more. */
static gpointer
read_links (EarDatabase *database, const EarRead *read)
{
  const EarLinkRef *places = (const EarLinkRef *) (gpointer) read->ids->data;
  GPtrArray *links = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < read->ids->len; i++)
    {
      g_autoptr (EarStatement) statement = ear_database_query (
          database,
          "SELECT words, text, site.address || path, kind, episode.title, podcast.title, "
          "podcast.address, episode.guid"
          " FROM mention CROSS JOIN site ON site.id = site LEFT JOIN heading ON heading.id = "
          "heading"
          " CROSS JOIN episode INDEXED BY episode_all ON sort_key "
          "= " EAR_MENTION_SQL_SORT_KEY ("mention.id")
          " CROSS JOIN podcast ON podcast.id = episode.podcast WHERE mention.id = ?1",
          "x", places[i].id);

      if (ear_database_step (database, statement) &&
          sqlite3_column_type (statement, 2) == SQLITE_TEXT)
        g_ptr_array_add (links, read_link (statement, &places[i]));
    }

  return links;
}

static gpointer
list_hosts (EarDatabase *database, const EarRead *read)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      database,
      "SELECT host FROM (SELECT site, count (DISTINCT link) AS n_links FROM mention GROUP BY site)"
      " CROSS JOIN site ON site.id = site GROUP BY host ORDER BY sum (n_links) DESC, host LIMIT ?1",
      "i", HOSTS_LIMIT);
  g_autoptr (GStrvBuilder) hosts = g_strv_builder_new ();

  while (ear_database_step (database, statement))
    g_strv_builder_take (hosts, ear_statement_dup_text (statement, 0));

  return g_strv_builder_end (hosts);
}

static gpointer
find_repeated (EarDatabase *database, const EarRead *read)
{
  GPtrArray *repeated = g_ptr_array_new_with_free_func (g_object_unref);
  const gint64 n_episodes = ear_database_get_int (
      database, "SELECT count(*) FROM episode WHERE podcast = ?1 AND links > 0", "x",
      read->podcast);

  for (guint i = 0; i < read->items->len && n_episodes >= REPEATED_MIN; i++)
    {
      EarLink *link = g_ptr_array_index (read->items, i);
      const gint64 n_mentions = ear_database_get_int (
          database, "SELECT count(*) FROM mention WHERE link = ?1 AND podcast = ?2", "xx",
          ear_link_address_make_id (link->key), read->podcast);

      if (2 * n_mentions > n_episodes)
        g_ptr_array_add (repeated, g_object_ref (link));
    }

  return repeated;
}

/* Links: a GArray of EarLinkRef. */
EarRead
ear_read_link_refs (const EarLinkQuery *query)
{
  return (EarRead) { .func = find_links,
                     .result_free = (GDestroyNotify) g_array_unref,
                     .link_query = ear_link_query_copy (query) };
}

/* The links that still exist: a GPtrArray of EarLink.
 * @places: (array length=n_places): some results of a query */
EarRead
ear_read_links (const EarLinkRef *places, guint n_places)
{
  GArray *wanted = g_array_sized_new (FALSE, FALSE, sizeof (EarLinkRef), n_places);

  g_array_append_vals (wanted, places, n_places);

  return (EarRead) { .func = read_links,
                     .result_free = (GDestroyNotify) g_ptr_array_unref,
                     .ids = wanted };
}

/* The hosts, those with the most links first: a GStrv. */
EarRead
ear_read_link_hosts (void)
{
  return (EarRead) { .func = list_hosts, .result_free = (GDestroyNotify) g_strfreev };
}

/* The links that most episodes of the podcast have, such as sponsors, privacy, support: a
 * GPtrArray of EarLink, in their order.
 * @links: (element-type EarLink): the links of one of its episodes */
EarRead
ear_read_repeated_links (gint64 podcast, GPtrArray *links)
{
  return (EarRead) { .func = find_repeated,
                     .result_free = (GDestroyNotify) g_ptr_array_unref,
                     .is_quick = TRUE,
                     .podcast = podcast,
                     .items = g_ptr_array_ref (links) };
}

/* Data for finding references between episodes: addresses of possible targets, and notes
 * that link to an episode */

/* Limit of a podcast's newest episodes to read: browsing through episodes must not
 * wait for this. */
#define EPISODES_LIMIT 2000

/* An episode with more mentions is linked in all notes. */
#define MENTIONS_LIMIT 50

void
ear_reference_source_free (EarReferenceSource *self)
{
  g_hash_table_unref (self->targets);
  g_ptr_array_unref (self->mentions);
  g_free (self);
}

static void
read_targets (EarDatabase *database, gint64 podcast, gboolean is_own, GHashTable *targets)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      database,
      "SELECT id, link, enclosure, title, number FROM episode WHERE podcast = ?1"
      " ORDER BY sort_key DESC LIMIT ?2",
      "xi", podcast, EPISODES_LIMIT);

  while (ear_database_step (database, statement))
    {
      const gint64 episode = sqlite3_column_int64 (statement, 0);

      ear_reference_targets_add (targets, episode, ear_statement_get_text (statement, 1),
                                 ear_statement_get_text (statement, 2));
      if (is_own)
        ear_reference_targets_name (targets, episode, ear_statement_get_text (statement, 3),
                                    ear_statement_get_text (statement, 4));
    }
}

static gpointer
read_source (EarDatabase *database, const EarRead *read)
{
  EarReferenceSource *source = g_new0 (EarReferenceSource, 1);
  const gint64 own = g_array_index (read->ids, gint64, 0);
  g_autoptr (EarStatement) notes = NULL;

  source->targets = ear_reference_targets_new ();
  source->mentions = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_notes_free);
  for (guint i = 0; i < read->ids->len; i++)
    read_targets (database, g_array_index (read->ids, gint64, i), i == 0, source->targets);

  /* Notes of its own podcast, which may have several spellings of its address; then those of all
   * other followed podcasts, if their links were collected */
  notes = ear_database_query (
      database,
      "SELECT * FROM (SELECT id, text, base FROM"
      " (SELECT id, sort_key FROM episode WHERE podcast = ?1 ORDER BY sort_key DESC LIMIT ?5)"
      " JOIN notes ON notes.episode = id WHERE ?3 IS NOT NULL AND id <> ?2 AND instr (text, ?3) > 0"
      " ORDER BY sort_key LIMIT ?4)"
      " UNION ALL SELECT * FROM (SELECT episode.id, text, base FROM (SELECT DISTINCT "
      EAR_MENTION_SQL_SORT_KEY ("mention.id") " AS key FROM mention"
      " WHERE link IN (?6, ?7) AND podcast <> ?1"
      " AND podcast NOT IN (SELECT id FROM podcast WHERE hidden <> 0) ORDER BY key LIMIT ?4)"
      " CROSS JOIN episode INDEXED BY episode_all ON sort_key = key"
      " JOIN notes ON notes.episode = episode.id ORDER BY key LIMIT -1)",
      "xxsiixx", own, read->episode, read->text, MENTIONS_LIMIT, EPISODES_LIMIT, read->links[0],
      read->links[1]);
  while (ear_database_step (database, notes))
    {
      EarEpisodeNotes *mention = g_new0 (EarEpisodeNotes, 1);

      ear_statement_read (notes, 0, "xss", &mention->episode, &mention->text, &mention->base);
      g_ptr_array_add (source->mentions, mention);
    }

  return source;
}

static gint64
make_link_id (const char *address)
{
  g_autofree char *clean = ear_link_address_dup_clean (address);
  g_autofree char *key = clean != NULL ? ear_link_address_dup_key (clean) : NULL;

  return key != NULL ? ear_link_address_make_id (key) : 0;
}

/* The data for finding its references to other episodes, and theirs to it: an
 * EarReferenceSource.
 * @podcasts: (element-type gint64): row ids of podcasts whose episodes it may refer to,
 * its own first */
EarRead
ear_read_references (EarEpisode *episode, GArray *podcasts)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);
  const char *link = ear_episode_get_facts (episode)->link;

  return (EarRead) { .func = read_source,
                     .result_free = (GDestroyNotify) ear_reference_source_free,
                     .is_quick = TRUE,
                     .episode = ear_episode_get_id (episode),
                     .ids = g_array_ref (podcasts),
                     .text = ear_reference_dup_trace (link),
                     .links = { make_link_id (link),
                                enclosure != NULL ? make_link_id (enclosure->address) : 0 } };
}
