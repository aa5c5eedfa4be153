/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-link-address.h"
#include "ear-mention-sql.h"

/* Data for finding references between episodes: addresses of possible targets, and notes
 * that link to an episode */

/* Limit of a podcast's newest episodes to read: browsing through episodes must not
 * wait for this. */
#define EPISODES_LIMIT 2000

/* An episode with more mentions is linked in all notes. */
#define MENTIONS_LIMIT 50

typedef struct
{
  gint64 episode;
  GArray *podcasts; /* (element-type gint64): its own first */
  char *trace;       /* (nullable) */
  gint64 links[2];   /* ids of links to its page and its media file; or 0 */
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_array_unref (question->podcasts);
  g_free (question->trace);
  g_free (question);
}

static void
mention_free (gpointer data)
{
  EarMention *mention = data;

  g_free (mention->notes);
  g_free (mention->base);
  g_free (mention);
}

void
ear_reference_source_free (EarReferenceSource *self)
{
  ear_reference_targets_free (self->targets);
  g_ptr_array_unref (self->mentions);
  g_free (self);
}

/* --- Reader thread ------------------------------------------------------------------- */

static gboolean
read_targets (EarDatabase *database, gint64 podcast, gboolean is_own, EarReferenceTargets *targets, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_query (database, error,
                          "SELECT id, link, enclosure, title, number FROM episode WHERE podcast = ?1 ORDER BY sort_key DESC LIMIT ?2", "xi",
                          podcast, EPISODES_LIMIT);
  gboolean row;

  while (ear_database_step (database, statement, &row, error))
    {
      const gint64 episode = sqlite3_column_int64 (statement, 0);

      if (!row)
        return TRUE;
      ear_reference_targets_add (targets, episode, (const char *) sqlite3_column_text (statement, 1),
                                 (const char *) sqlite3_column_text (statement, 2));
      if (is_own)
        ear_reference_targets_name (targets, episode, (const char *) sqlite3_column_text (statement, 3),
                                    (const char *) sqlite3_column_text (statement, 4));
    }

  return FALSE;
}

static gboolean
take_mentions (EarDatabase *database, EarStatement *statement, GPtrArray *mentions, GError **error)
{
  gboolean row;

  while (ear_database_step (database, statement, &row, error))
    {
      EarMention *mention;

      if (!row)
        return TRUE;
      mention = g_new0 (EarMention, 1);
      mention->episode = sqlite3_column_int64 (statement, 0);
      mention->notes = ear_statement_dup_text (statement, 1);
      mention->base = ear_statement_dup_text (statement, 2);
      g_ptr_array_add (mentions, mention);
    }

  return FALSE;
}

/* Reads notes of its own podcast, which may have several spellings of its address. */
static gboolean
read_own_mentions (EarDatabase *database, const Question *question, GPtrArray *mentions, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_query (database, error,
                          "SELECT id, text, base FROM"
                          " (SELECT id, sort_key FROM episode WHERE podcast = ?1 ORDER BY sort_key DESC LIMIT ?5)"
                          " JOIN notes ON notes.episode = id WHERE id <> ?2 AND instr (text, ?3) > 0 ORDER BY sort_key LIMIT ?4",
                          "xxsii", g_array_index (question->podcasts, gint64, 0), question->episode, question->trace, MENTIONS_LIMIT,
                          EPISODES_LIMIT);

  return take_mentions (database, statement, mentions, error);
}

/* Reads notes of all other followed podcasts, if their links were collected. */
static gboolean
read_other_mentions (EarDatabase *database, const Question *question, GPtrArray *mentions, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_query (database, error,
                          "SELECT episode.id, text, base FROM (SELECT DISTINCT " EAR_MENTION_SQL_SORT_KEY ("mention.id") " AS key FROM mention"
                          "  WHERE link IN (?1, ?2) AND podcast <> ?3 AND podcast NOT IN (SELECT id FROM podcast WHERE hidden <> 0)"
                          "  ORDER BY key LIMIT ?4)"
                          " CROSS JOIN episode INDEXED BY episode_all ON sort_key = key JOIN notes ON notes.episode = episode.id ORDER BY key",
                          "xxxi", question->links[0], question->links[1], g_array_index (question->podcasts, gint64, 0), MENTIONS_LIMIT);

  return take_mentions (database, statement, mentions, error);
}

static gpointer
read_source (EarDatabase *database, gpointer data, GError **error)
{
  const Question *question = data;
  g_autoptr (EarReferenceSource) source = g_new0 (EarReferenceSource, 1);

  source->targets = ear_reference_targets_new ();
  source->mentions = g_ptr_array_new_with_free_func (mention_free);
  for (guint i = 0; i < question->podcasts->len; i++)
    if (!read_targets (database, g_array_index (question->podcasts, gint64, i), i == 0, source->targets, error))
      return NULL;
  if (question->trace != NULL && !read_own_mentions (database, question, source->mentions, error))
    return NULL;
  if (!read_other_mentions (database, question, source->mentions, error))
    return NULL;

  return g_steal_pointer (&source);
}

/* --- Main thread --------------------------------------------------------------------- */

static gint64
make_link_id (const char *address)
{
  g_autofree char *clean = ear_link_address_dup_clean (address);
  g_autofree char *key = clean != NULL ? ear_link_address_dup_key (clean) : NULL;

  return key != NULL ? ear_link_address_make_id (key) : 0;
}

/**
 * ear_catalogue_read_references_async:
 * @episode: an episode
 * @podcasts: (element-type gint64): row ids of podcasts whose episodes it may refer to,
 *   its own first
 * @callback: called with the data
 *
 * Reads the data for finding its references to other episodes, and theirs to it, on the
 * thread that runs no searches.
 */
void
ear_catalogue_read_references_async (EarCatalogue *self, EarEpisode *episode, GArray *podcasts, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  EarEnclosure *enclosure;
  Question *question;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (podcasts != NULL && podcasts->len > 0);

  enclosure = ear_episode_get_enclosure (episode);
  question = g_new0 (Question, 1);
  question->episode = ear_episode_get_id (episode);
  question->podcasts = g_array_ref (podcasts);
  question->trace = ear_reference_dup_trace (ear_episode_get_facts (episode)->link);
  question->links[0] = make_link_id (ear_episode_get_facts (episode)->link);
  question->links[1] = enclosure != NULL ? make_link_id (enclosure->address) : 0;
  ear_catalogue_ask (self, ear_catalogue_ensure_notes_reader (self), read_source, question, question_free,
                     (GDestroyNotify) ear_reference_source_free, ear_catalogue_read_references_async, cancellable, callback, user_data);
}

/* Returns: (transfer full) (nullable): the data, or %NULL on an error */
EarReferenceSource *
ear_catalogue_read_references_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return ear_catalogue_take_answer (self, result, error);
}
