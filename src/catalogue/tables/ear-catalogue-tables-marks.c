/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-episode-sql.h"
#include "ear-mark-sql.h"
#include "ear-moment-hits.h"

#include <string.h>

/* Marking many episodes at once */

/* Finds the sort key below which episodes are marked; G_MAXINT64 is no bound. */
static gboolean
find_bound (EarCatalogueTables *self, gint64 older_than, gint64 *bound, GError **error)
{
  /* If the bounding episode is gone, no episode is marked. */
  *bound = older_than == 0 ? G_MAXINT64 : G_MININT64;

  return older_than == 0 ||
         ear_database_get_int (self->database, error, bound, "SELECT sort_key FROM episode WHERE id = ?1", "x", older_than);
}

/* An episode whose mark differs. Episodes are marked podcast by podcast, as state
 * files are written. */
typedef struct
{
  gint64 podcast;
  gint64 id;
} Candidate;

static GArray *
find_candidates (EarCatalogueTables *self, GArray *ids, gint64 bound, const EarEpisodeState *state, GError **error)
{
  const EarMark mark = ear_episode_state_find_mark (state);
  g_autofree char *list = ear_database_print_ids ((const gint64 *) (gpointer) ids->data, ids->len);
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      ear_mark_sql_of (mark, "SELECT podcast, id FROM episode WHERE id IN (SELECT value FROM json_each (?1))"
                             " AND %1$s <> ?2 AND +sort_key < ?3 ORDER BY +podcast, id"),
      "sxx", list, state->values[mark], bound);
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  gboolean row;

  while (ear_database_step (self->database, statement, &row, error) && row)
    {
      const Candidate candidate = { sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1) };

      g_array_append_val (candidates, candidate);
    }

  return row ? NULL : g_steal_pointer (&candidates);
}

static gboolean
add_podcast (EarCatalogueTables *self, gint64 podcast, EarMarks *marks, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT address, feed_address, title FROM podcast LEFT JOIN podcast_check ON podcast_check.podcast = podcast.id"
      " WHERE id = ?1", "x", podcast);
  gboolean row = FALSE;

  if (!ear_database_step (self->database, statement, &row, error))
    return FALSE;
  ear_marks_add_podcast (marks, podcast, row ? (const char *) sqlite3_column_text (statement, 0) : "",
                         row ? (const char *) sqlite3_column_text (statement, 1) : NULL,
                         row ? (const char *) sqlite3_column_text (statement, 2) : NULL);

  return TRUE;
}

static gboolean
mark_one (EarCatalogueTables *self, const Candidate *candidate, EarMarks *marks, GError **error)
{
  const EarMark mark = ear_episode_state_find_mark (&marks->state);
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      ear_mark_sql_of (mark, "UPDATE episode SET %1$s = ?2, %1$s_updated = ?3 WHERE id = ?1"
                             " RETURNING guid, ifnull (feed_guid, CASE own_guid WHEN 1 THEN guid END), title, enclosure"),
      "xxx", candidate->id, marks->state.values[mark], marks->state.updated[mark]);
  EarMarkedEpisode episode;
  gboolean row = FALSE;

  if (!ear_database_step (self->database, statement, &row, error))
    return FALSE;
  if (!row)
    return TRUE;
  episode.guid = (const char *) sqlite3_column_text (statement, 0);
  episode.alias = (const char *) sqlite3_column_text (statement, 1);
  episode.title = (const char *) sqlite3_column_text (statement, 2);
  episode.enclosure = (const char *) sqlite3_column_text (statement, 3);
  ear_marks_add (marks, candidate->id, candidate->podcast, episode);
  ear_podcast_event_change (ear_catalogue_event_get (self->event, candidate->podcast), candidate->id,
                            EAR_CHANGE_MARK (mark));

  /* An UPDATE that returns rows ends only with another step after the last row. */
  return ear_database_step (self->database, statement, &row, error);
}

/* Marks episodes, an EarMarking. */
gboolean
ear_catalogue_tables_mark (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  EarMarking *marking = op->data;
  const EarEpisodeState *state = &marking->state;
  g_autoptr (EarMarks) marks = ear_marks_new (state, ear_episode_state_get_latest (state));
  g_autoptr (GArray) found = NULL;
  g_autoptr (GArray) candidates = NULL;
  gint64 bound = 0;
  gint64 podcast = 0;

  marking->n_before = self->event->acknowledged->len;
  if (marking->ids == NULL)
    {
      g_autoptr (EarEpisodeQuery) newest = ear_episode_query_copy (marking->query);

      newest->sort = EAR_SORT_NEWEST;
      found = ear_episode_sql_run (self->database, newest, 0, error);
      if (found != NULL && newest->search != NULL && !ear_moment_hits_add (self->database, newest, 0, found, error))
        g_clear_pointer (&found, g_array_unref);
    }
  else
    found = g_array_ref (marking->ids);
  if (found == NULL || !find_bound (self, marking->older_than, &bound, error))
    return FALSE;
  candidates = find_candidates (self, found, bound, state, error);
  for (guint i = 0; candidates != NULL && i < candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);

      if (candidate->podcast != podcast && !add_podcast (self, candidate->podcast, marks, error))
        return FALSE;
      podcast = candidate->podcast;
      if (!mark_one (self, candidate, marks, error))
        return FALSE;
    }
  ear_marks_close (marks);
  g_clear_pointer (&marking->marks, ear_marks_unref);
  marking->marks = g_steal_pointer (&marks);

  return candidates != NULL;
}

/* Columns of the query, before those of the marks */
enum
{
  COLUMN_ID,
  COLUMN_PODCAST,
  COLUMN_ADDRESS,
  COLUMN_FEED_ADDRESS,
  COLUMN_PODCAST_TITLE,
  COLUMN_GUID,
  COLUMN_ALIAS,
  COLUMN_TITLE,
  COLUMN_ENCLOSURE,
  COLUMN_MARKS,
};

static void
add_row (EarMarks *marks, EarStatement *row, gboolean begins_podcast)
{
  const gint64 podcast = sqlite3_column_int64 (row, COLUMN_PODCAST);
  const EarMarkedEpisode episode = {
    .guid = (const char *) sqlite3_column_text (row, COLUMN_GUID),
    .alias = (const char *) sqlite3_column_text (row, COLUMN_ALIAS),
    .title = (const char *) sqlite3_column_text (row, COLUMN_TITLE),
    .enclosure = (const char *) sqlite3_column_text (row, COLUMN_ENCLOSURE),
  };

  if (begins_podcast)
    ear_marks_add_podcast (marks, podcast, (const char *) sqlite3_column_text (row, COLUMN_ADDRESS),
                           (const char *) sqlite3_column_text (row, COLUMN_FEED_ADDRESS),
                           (const char *) sqlite3_column_text (row, COLUMN_PODCAST_TITLE));
  ear_marks_add (marks, sqlite3_column_int64 (row, COLUMN_ID), podcast, episode);
}

/* Lists all marks. The table podcast_check is not joined, as one of its columns has the
 * name of a mark.
 * @func: called with earlier marks: those of one podcast with the same state together
 * Returns: %FALSE on an error */
gboolean
ear_catalogue_tables_list_marks (EarCatalogueTables *self, EarMarksFunc func, gpointer user_data, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "SELECT episode.id, episode.podcast, podcast.address,"
      " (SELECT feed_address FROM podcast_check WHERE podcast_check.podcast = episode.podcast), podcast.title, episode.guid,"
      " ifnull (feed_guid, CASE own_guid WHEN 1 THEN episode.guid END), episode.title, enclosure, " EAR_MARK_SQL_ALL
      " FROM episode JOIN podcast ON podcast.id = episode.podcast"
      " WHERE " EAR_MARK_SQL_TOUCHED " ORDER BY episode.podcast, " EAR_MARK_SQL_ALL,
      error);
  g_autoptr (EarMarks) marks = NULL;
  gint64 podcast = 0;
  gboolean row = FALSE;

  if (statement == NULL)
    return FALSE;
  while (ear_database_step (self->database, statement, &row, error) && row)
    {
      EarEpisodeState state;
      gboolean alike;

      ear_mark_sql_read (&state, statement, COLUMN_MARKS);
      alike = marks != NULL && podcast == sqlite3_column_int64 (statement, COLUMN_PODCAST) &&
              memcmp (&state, &marks->state, sizeof state) == 0;
      if (!alike)
        {
          if (marks != NULL)
            func (marks, user_data);
          g_clear_pointer (&marks, ear_marks_unref);
          marks = ear_marks_new (&state, 0);
        }
      podcast = sqlite3_column_int64 (statement, COLUMN_PODCAST);
      add_row (marks, statement, !alike);
    }
  if (row)
    return FALSE;
  if (marks != NULL)
    func (marks, user_data);

  return TRUE;
}
