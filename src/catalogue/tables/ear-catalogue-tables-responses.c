/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-facts-extra.h"
#include "ear-podcast-record.h"

/* Facts of podcasts, and the beginning and end of feeds' responses */

/* Stores the facts of a podcast, if they have changed. */
gboolean
ear_catalogue_tables_put_podcast (EarCatalogueTables *self, gint64 podcast, EarPodcastFacts *facts, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "UPDATE podcast SET (" EAR_PODCAST_RECORD_COLUMNS ") = (?1, ifnull (?2, title), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
      " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20) WHERE id = ?21 AND digest <> ?1",
      error);
  g_autoptr (GVariant) extra = ear_facts_extra_from_podcast (facts);
  EarPodcastEvent *event;

  if (statement == NULL)
    return FALSE;
  ear_podcast_record_bind (facts, ear_podcast_facts_digest (facts), extra, statement);
  sqlite3_bind_int64 (statement, EAR_PODCAST_RECORD_N_COLUMNS + 1, podcast);
  if (!ear_database_run (self->database, statement, error))
    return FALSE;
  if (sqlite3_changes (ear_database_get_handle (self->database)) > 0)
    {
      event = ear_catalogue_event_get (self->event, podcast);
      g_clear_pointer (&event->facts, ear_podcast_facts_unref);
      event->facts = ear_podcast_facts_ref (facts);
    }

  return TRUE;
}

/* @gone: whether its feed no longer has it
 * Returns: %FALSE on an error */
gboolean
ear_catalogue_tables_set_gone (EarCatalogueTables *self, gint64 episode, gboolean gone, GError **error)
{
  return ear_database_execute (self->database, error, "UPDATE episode SET gone = ?2 WHERE id = ?1", "xi", episode, gone);
}

/* Forgets an earlier response that never ended. */
gboolean
ear_catalogue_tables_begin_response (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  g_hash_table_remove (self->answers, &op->podcast);

  return TRUE;
}

/* Records that a part of this response was lost, so that the feed must
 * be fetched again. */
void
ear_catalogue_tables_spoil_response (EarCatalogueTables *self, gint64 podcast)
{
  ear_catalogue_tables_get_response (self, podcast)->spoilt = TRUE;
}

typedef struct
{
  gint64 id;
  gint64 twin; /* row id of the same episode in the response, or 0 */
  gboolean gone;
} Missing;

/* Returns: (transfer full) (nullable): rows that are not in the response, except those
 * already marked as gone; also duplicates of episodes in it */
static GArray *
list_missing (EarCatalogueTables *self, EarAnswer *answer, GError **error)
{
  g_autoptr (EarStatement) select = ear_database_query (
      self->database, error, "SELECT id, gone, enclosure, title, published FROM episode WHERE podcast = ?1", "x",
      answer->podcast);
  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (Missing));
  gboolean row = FALSE;

  while (ear_database_step (self->database, select, &row, error) && row)
    {
      Missing episode = { .id = sqlite3_column_int64 (select, 0) };
      const gboolean dated = sqlite3_column_type (select, 4) != SQLITE_NULL;

      if (g_hash_table_contains (answer->seen, &episode.id))
        continue;
      episode.twin = ear_known_episodes_find_twin (answer->items, (const char *) sqlite3_column_text (select, 2),
                                                   (const char *) sqlite3_column_text (select, 3),
                                                   dated ? sqlite3_column_int64 (select, 4) : EAR_DATE_UNKNOWN);
      episode.gone = sqlite3_column_int (select, 1) != 0;
      if (episode.twin != 0 || !episode.gone)
        g_array_append_val (missing, episode);
    }

  return row ? NULL : g_steal_pointer (&missing);
}

/* Marks episodes that a complete response no longer has as gone, and keeps them. A
 * duplicate row of an episode that it does have, from a time when the feed listed it
 * twice, is merged. */
static gboolean
mark_gone (EarCatalogueTables *self, EarAnswer *answer, GError **error)
{
  g_autoptr (GArray) missing = list_missing (self, answer, error);

  for (guint i = 0; missing != NULL && i < missing->len; i++)
    {
      const Missing *episode = &g_array_index (missing, Missing, i);

      if ((!episode->gone && !ear_catalogue_tables_set_gone (self, episode->id, TRUE, error)) ||
          (episode->twin != 0 && !ear_catalogue_tables_merge_episode (self, episode->id, episode->twin, error)))
        return FALSE;
    }

  return missing != NULL;
}

/* Without a response, but with a new address: the entity tag of the old server means
 * nothing to the new one. */
#define IS_ELSEWHERE "?5 = 0 AND ?2 IS NOT NULL AND ?2 IS NOT feed_address"

static gboolean
update_check (EarCatalogueTables *self,
              gint64 podcast,
              const EarFeedCheck *check,
              gboolean answered,
              gboolean keep_tags,
              GError **error)
{
  return ear_database_execute (
      self->database, error,
      answered ? "UPDATE podcast_check SET feed_address = ifnull (?2, feed_address), etag = ?3, last_modified = ?4,"
                 " checked = ?5, answers = answers + 1, failures = ?6, error = ?7, not_before = ?8,"
                 " archived = ?9, settled = max (min (settled, 1), ?10 OR answers > 0), newest = max (0, ifnull ((SELECT max (sort_key)"
                 "   FROM episode INDEXED BY episode_of WHERE podcast = ?1), 0) / " G_STRINGIFY (EAR_KEYS_PER_SECOND) ") WHERE podcast = ?1"
               : "UPDATE podcast_check SET feed_address = ifnull (?2, feed_address),"
                 " etag = iif (" IS_ELSEWHERE ", ?3, ifnull (?3, etag)),"
                 " last_modified = iif (" IS_ELSEWHERE ", ?4, ifnull (?4, last_modified)), checked = ifnull (nullif (?5, 0), checked),"
                 " failures = ?6, error = ?7, not_before = ?8, archived = ?9,"
                 " settled = iif (?5 > 0 AND ?7 = 0, min (settled, 1), settled) WHERE podcast = ?1",
      answered ? "xsssxiixii" : "xsssxiixi", podcast, check->feed_address, keep_tags ? check->etag : NULL,
      keep_tags ? check->last_modified : NULL, check->checked, (int) check->failures, check->error, check->not_before,
      check->archived, check->whole);
}

/* Passes the stored data to the main thread, which keeps them in memory. */
static gboolean
report_check (EarCatalogueTables *self, gint64 podcast, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error, "SELECT " EAR_FEED_CHECK_COLUMNS " FROM podcast_check WHERE podcast = ?1", "x", podcast);
  EarPodcastEvent *event;
  gboolean row;

  if (!ear_database_step (self->database, statement, &row, error))
    return FALSE;
  if (row)
    {
      event = ear_catalogue_event_get (self->event, podcast);
      g_clear_pointer (&event->check, ear_feed_check_free);
      event->check = ear_feed_check_read (statement, 0);
    }

  return TRUE;
}

/* Makes the newest episode of a newly followed podcast fresh. */
gboolean
ear_catalogue_tables_freshen_newest (EarCatalogueTables *self, gint64 podcast, GError **error)
{
  gint64 id = 0;

  if (!ear_database_get_int (
          self->database, error, &id,
          "UPDATE episode SET fresh = 1 WHERE fresh = 0 AND id ="
          " (SELECT id FROM episode INDEXED BY episode_of WHERE podcast = ?1 ORDER BY sort_key DESC LIMIT 1) RETURNING id", "x",
          podcast))
    return FALSE;
  if (id != 0)
    ear_podcast_event_change (ear_catalogue_event_get (self->event, podcast), id, EAR_CHANGE_FRESH);

  return TRUE;
}

static EarAnswer *
find_answer (EarCatalogueTables *self, gint64 podcast)
{
  EarAnswer *answer = g_hash_table_lookup (self->answers, &podcast);

  return answer != NULL && !answer->over ? answer : NULL;
}

/* Ends a feed's response, an EarCheckData. The entity tag is stored only if the
 * whole response was. */
gboolean
ear_catalogue_tables_put_check (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const gint64 podcast = op->podcast;
  EarPodcastFacts *facts = ((EarCheckData *) op->data)->facts;
  const EarFeedCheck *check = ((EarCheckData *) op->data)->check;
  EarAnswer *answer = find_answer (self, podcast);
  const gboolean known = answer != NULL && g_hash_table_size (answer->seen) > 0 && !answer->partial && !answer->spoilt;
  /* Without tags, the feed will send the unstored or undecided part again. */
  const gboolean keep_tags = answer == NULL || (!answer->spoilt && (!answer->partial || answer->suspects->len == 0));
  gint64 is_first = 0;

  if (facts != NULL && answer != NULL && !ear_catalogue_tables_resolve_suspects (self, answer, error))
    return FALSE;
  if (facts != NULL &&
      !ear_database_get_int (
          self->database, error, &is_first,
          "SELECT 1 FROM podcast_check JOIN podcast ON podcast.id = podcast WHERE podcast = ?1 AND answers = 0 AND hidden = 0",
          "x", podcast))
    return FALSE;
  if (is_first != 0 && !ear_catalogue_tables_freshen_newest (self, podcast, error))
    return FALSE;
  if (facts != NULL && !ear_catalogue_tables_put_podcast (self, podcast, facts, error))
    return FALSE;
  if (facts != NULL && check->whole && known && !mark_gone (self, answer, error))
    return FALSE;
  if (facts != NULL && answer != NULL && !ear_catalogue_tables_order_answer (self, answer, error))
    return FALSE;
  if (!update_check (self, podcast, check, facts != NULL, keep_tags, error) || !report_check (self, podcast, error))
    return FALSE;
  if (facts != NULL && answer != NULL)
    answer->over = TRUE;

  return TRUE;
}
