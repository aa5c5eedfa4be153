/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

/* An episode dated long before the podcast was followed is not new: the feed only has
 * more of its archive now. */
#define FRESH_SECONDS ((gint64) 7 * 24 * 60 * 60)

typedef struct
{
  gint64 podcast;
  gint64 n_answers;
  gboolean settled; /* its further episodes are fresh */
  gboolean restored; /* of a copy that replaced a lost file; no response since */
  gint64 followed;  /* Unix seconds */
  gint64 now;       /* Unix seconds: beginning of the response */
  gint64 newest;    /* newest sort key before this response: a date, or when it came */
} Source;

/* Stored data of an episode that show whether it has changed */
typedef struct
{
  gint64 id;
  gint64 digest;
  gint64 text_digest;
  gint64 sort_key;
  gint64 published;
  gint64 duration;
  gboolean gone;
  gboolean touched; /* the episode has marks */
  char *enclosure;
  char *guid;
  char *title;
} Stored;

/* Changes after which an episode is scanned again for links, and for
 * its feed's chapters */
#define LOOKED_THROUGH (EAR_CHANGE_TEXT | EAR_CHANGE_DATE | EAR_CHANGE_MOMENTS)

/* Limits of records held back until the end of the response */
#define SUSPECTS_LIMIT 10000
#define SUSPECTS_SIZE (16 * 1024 * 1024)

static void
stored_clear (Stored *stored)
{
  g_clear_pointer (&stored->enclosure, g_free);
  g_clear_pointer (&stored->guid, g_free);
  g_clear_pointer (&stored->title, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stored, stored_clear)

#define STORED_SQL \
  "SELECT id, digest, text_digest, sort_key, published, duration, gone, enclosure," \
  " " EAR_MARK_SQL_TOUCHED ", guid, title FROM episode"

static gboolean
read_stored (EarCatalogueTables *self, EarStatement *statement, Stored *stored, gboolean *found, GError **error)
{
  if (!ear_database_step (self->database, statement, found, error))
    return FALSE;
  if (*found)
    {
      stored->id = sqlite3_column_int64 (statement, 0);
      stored->digest = sqlite3_column_int64 (statement, 1);
      stored->text_digest = sqlite3_column_int64 (statement, 2);
      stored->sort_key = sqlite3_column_int64 (statement, 3);
      stored->published =
          sqlite3_column_type (statement, 4) != SQLITE_NULL ? sqlite3_column_int64 (statement, 4) : EAR_DATE_UNKNOWN;
      stored->duration = sqlite3_column_int64 (statement, 5);
      stored->gone = sqlite3_column_int (statement, 6) != 0;
      stored->enclosure = ear_statement_dup_text (statement, 7);
      stored->touched = sqlite3_column_int (statement, 8) != 0;
      stored->guid = ear_statement_dup_text (statement, 9);
      stored->title = ear_statement_dup_text (statement, 10);
    }

  return TRUE;
}

static gboolean
find_by (EarCatalogueTables *self, const char *sql, gint64 podcast, const char *guid, Stored *stored, gboolean *found, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (self->database, error, sql, "xs", podcast, guid);

  return read_stored (self, statement, stored, found, error);
}

/* Finds an episode by its first or its present guid. */
static gboolean
find_stored (EarCatalogueTables *self, const Source *source, const char *guid, Stored *stored, gboolean *found, GError **error)
{
  if (!find_by (self, STORED_SQL " WHERE podcast = ?1 AND guid = ?2", source->podcast, guid, stored, found, error))
    return FALSE;
  if (*found || source->n_answers == 0)
    return TRUE;

  return find_by (self, STORED_SQL " WHERE podcast = ?1 AND feed_guid = ?2", source->podcast, guid, stored, found, error);
}

/* The base of relative links is usually the link of the episode, and is not
 * stored twice then. */
static gboolean
put_notes (EarCatalogueTables *self, gint64 episode, EarEpisodeFacts *facts, GError **error)
{
  const char *base = g_strcmp0 (facts->notes_base, facts->link) != 0 ? facts->notes_base : NULL;

  if (facts->notes == NULL)
    return ear_database_execute (self->database, error, "DELETE FROM notes WHERE episode = ?1", "x", episode);

  return ear_database_execute (self->database, error, "INSERT OR REPLACE INTO notes (episode, text, base) VALUES (?1, ?2, ?3)",
                               "xss", episode, facts->notes, base);
}

/* Keeps the base of unchanged notes when the episode gets another link. */
static gboolean
keep_base (EarCatalogueTables *self, gint64 episode, const char *link, GError **error)
{
  return ear_database_execute (self->database, error,
                               "UPDATE notes SET base = link FROM episode"
                               " WHERE notes.episode = ?1 AND episode.id = ?1 AND base IS NULL AND link IS NOT ?2", "xs", episode, link);
}

static gboolean
is_fresh (const Source *source, EarEpisodeFacts *facts)
{
  return source->settled &&
         (facts->published == EAR_DATE_UNKNOWN || facts->published >= source->followed - FRESH_SECONDS);
}

/* Not all fresh episodes are news: those missing in a copy of the catalogue that has
 * replaced a lost one were announced before, and those on a further page are old, unless
 * their date is newer than all known ones. */
static gboolean
is_news (EarCatalogueTables *self, const Source *source, EarEpisodeFacts *facts)
{
  if (!is_fresh (source, facts) || source->restored)
    return FALSE;

  return !ear_catalogue_tables_get_response (self, source->podcast)->paged ||
         (facts->published != EAR_DATE_UNKNOWN && facts->published > source->newest);
}

/* Whether an undated episode counts as new: the rest of an interrupted response, and
 * further pages, may have episodes of any age. */
static gboolean
arrives (EarCatalogueTables *self, const Source *source)
{
  return source->settled && !ear_catalogue_tables_get_response (self, source->podcast)->paged;
}

/* @place: index of the episode in the feed
 * @moved: whether it is new, or has another date */
static void
add_seen (EarAnswer *answer, gint64 id, EarEpisodeRecord *record, gint64 key, guint place, gboolean moved)
{
  const EarOrdered ordered = { id, record->facts->published, key, place, moved };

  g_hash_table_add (answer->seen, g_memdup2 (&id, sizeof id));
  ear_known_episodes_add (answer->items, id, record->facts);
  g_array_append_val (answer->order, ordered);
}

/* Leaves @id 0 if the podcast has an episode of that guid. OR IGNORE also prevents SQLite
 * from preparing to undo this statement and its trigger alone, for which it would copy
 * each page of 16 kB before changing it. */
static gboolean
insert_episode (EarCatalogueTables *self,
                const Source *source,
                EarAnswer *answer,
                EarEpisodeRecord *record,
                guint place,
                gint64 *id,
                GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "INSERT OR IGNORE INTO episode (" EAR_EPISODE_RECORD_COLUMNS ", id, podcast, guid, own_guid, sort_key, fresh)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)",
      error);
  const EarEnclosure *enclosure =
      record->facts->enclosures->len > 0 ? g_ptr_array_index (record->facts->enclosures, 0) : NULL;
  int i = EAR_EPISODE_RECORD_N_COLUMNS + 1;
  gint64 key = 0;

  if (statement == NULL ||
      !ear_catalogue_tables_find_key (self, record->facts->published, source->n_answers, arrives (self, source),
                                      source->now, &key, error))
    return FALSE;
  *id = 0;
  ear_episode_record_bind (record, statement);
  sqlite3_bind_int64 (statement, i++, self->next_id);
  sqlite3_bind_int64 (statement, i++, source->podcast);
  sqlite3_bind_text (statement, i++, record->guid, -1, SQLITE_STATIC);
  sqlite3_bind_int (statement, i++, record->own_guid);
  sqlite3_bind_int64 (statement, i++, key);
  sqlite3_bind_int (statement, i++, is_fresh (source, record->facts));
  if (!ear_database_run (self->database, statement, error))
    return FALSE;
  if (sqlite3_changes (ear_database_get_handle (self->database)) == 0)
    return TRUE;
  *id = self->next_id++;
  add_seen (answer, *id, record, key, place, TRUE);
  if (record->facts->notes != NULL && !put_notes (self, *id, record->facts, error))
    return FALSE;

  ear_catalogue_tables_change_text (self, source->podcast, key, record, source->n_answers == 0);
  ear_podcast_event_insert (ear_catalogue_event_get (self->event, source->podcast), *id);
  if (is_news (self, source, record->facts))
    ear_podcast_event_append (&ear_catalogue_event_get (self->event, source->podcast)->arrived, *id);

  return ear_catalogue_tables_take_waiting (self, source->podcast, *id, record->guid, error) &&
         (enclosure == NULL ||
          ear_catalogue_tables_take_waiting (self, source->podcast, *id, enclosure->address, error));
}

/* Adds an episode that is certainly new. */
static gboolean
add_episode (EarCatalogueTables *self,
             const Source *source,
             EarAnswer *answer,
             EarEpisodeRecord *record,
             guint place,
             GError **error)
{
  gint64 id = 0;

  if (!insert_episode (self, source, answer, record, place, &id, error))
    return FALSE;
  if (id == 0)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_FAILED, "An episode is not there and cannot be added");
      return FALSE;
    }

  return TRUE;
}

static EarEpisodeChange
compare (const Stored *stored, EarEpisodeRecord *record)
{
  EarEpisodeChange what = EAR_CHANGE_NONE;

  if (stored->published != record->facts->published)
    what |= EAR_CHANGE_DATE;
  if (stored->duration != record->facts->duration)
    what |= EAR_CHANGE_LENGTH;
  if (stored->text_digest != record->text_digest)
    what |= EAR_CHANGE_TEXT;

  return what;
}

/* @before: digest of the feed's chapters until now */
static gboolean
compare_chapters (EarCatalogueTables *self, gint64 episode, gint64 before, EarEpisodeChange *what, GError **error)
{
  gint64 now = 0;

  if (!ear_catalogue_tables_tell_chapters (self, episode, &now, error))
    return FALSE;
  if (now == before)
    return TRUE;
  *what |= EAR_CHANGE_MOMENTS;

  return before == 0 || ear_catalogue_tables_forget_chapters (self, episode, before, error);
}

/* Updates an episode edited in the feed: the row stays, with its marks. */
static gboolean
update_episode (EarCatalogueTables *self,
                const Source *source,
                const Stored *stored,
                EarEpisodeRecord *record,
                gint64 *new_key,
                GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "UPDATE episode SET (" EAR_EPISODE_RECORD_COLUMNS ", sort_key, gone) ="
      " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, 0) WHERE id = ?19",
      error);
  EarEpisodeChange what = compare (stored, record);
  gint64 key = stored->sort_key;
  gint64 chapters = 0;

  if (statement == NULL || !ear_catalogue_tables_tell_chapters (self, stored->id, &chapters, error))
    return FALSE;
  if ((what & EAR_CHANGE_DATE) != 0 && !ear_catalogue_tables_keeps_key (key, record->facts->published) &&
      !ear_catalogue_tables_find_key (self, record->facts->published, source->n_answers, FALSE, source->now, &key, error))
    return FALSE;
  if ((what & EAR_CHANGE_TEXT) == 0 && !keep_base (self, stored->id, record->facts->link, error))
    return FALSE;
  ear_episode_record_bind (record, statement);
  sqlite3_bind_int64 (statement, EAR_EPISODE_RECORD_N_COLUMNS + 1, key);
  sqlite3_bind_int64 (statement, EAR_EPISODE_RECORD_N_COLUMNS + 2, stored->id);
  if (!ear_database_run (self->database, statement, error) ||
      !compare_chapters (self, stored->id, chapters, &what, error))
    return FALSE;
  if ((what & EAR_CHANGE_TEXT) != 0 && !put_notes (self, stored->id, record->facts, error))
    return FALSE;
  if ((what & LOOKED_THROUGH) != 0 && !ear_catalogue_tables_forget_links (self, stored->id, stored->sort_key, error))
    return FALSE;
  if ((what & (EAR_CHANGE_TEXT | EAR_CHANGE_DATE)) != 0)
    {
      ear_catalogue_tables_change_text (self, source->podcast, stored->sort_key, NULL, FALSE);
      ear_catalogue_tables_change_text (self, source->podcast, key, record, FALSE);
    }
  ear_podcast_event_rewrite (ear_catalogue_event_get (self->event, source->podcast), stored->id, what);
  *new_key = key;

  return TRUE;
}

static gboolean
is_title_equal (const char *a, const char *b)
{
  g_autofree char *first = g_strstrip (g_strdup (a != NULL ? a : ""));
  g_autofree char *second = g_strstrip (g_strdup (b != NULL ? b : ""));

  return *first != '\0' && g_str_equal (first, second);
}

/* Handles a guid that another item of this response has already. With the same title or
 * enclosure it is the same episode, such as one that was first given to supporters: the
 * first item wins. Otherwise the feed uses one guid for all its episodes, and this one is
 * identified by its enclosure.
 * @stored: the episode of the first item; becomes the episode of @record
 * @leave_out: (out): whether @record is to be skipped, and is unchanged */
static gboolean
resolve_twin (EarCatalogueTables *self,
              const Source *source,
              EarAnswer *answer,
              EarEpisodeRecord *record,
              Stored *stored,
              gboolean *found,
              gboolean *leave_out,
              GError **error)
{
  g_autofree char *second = ear_episode_record_dup_second_guid (record);
  const EarEnclosure *enclosure =
      record->facts->enclosures->len > 0 ? g_ptr_array_index (record->facts->enclosures, 0) : NULL;
  const gint64 first = stored->id;
  const gboolean same = is_title_equal (record->facts->title, stored->title);

  *leave_out = TRUE;
  if (second == NULL || g_strcmp0 (enclosure != NULL ? enclosure->address : NULL, stored->enclosure) == 0)
    return TRUE;
  stored_clear (stored);
  if (!find_stored (self, source, second, stored, found, error))
    return FALSE;
  if (*found && g_hash_table_contains (answer->seen, &stored->id))
    return TRUE;
  /* An earlier version gave it a row of its own. */
  if (same)
    return !*found || ear_catalogue_tables_merge_episode (self, stored->id, first, error);

  g_free (record->guid);
  record->guid = g_steal_pointer (&second);
  record->own_guid = FALSE;
  *leave_out = FALSE;

  return TRUE;
}

/* Returns: the row id of an episode of this response that @record repeats, or 0 */
static gint64
find_twin (EarAnswer *answer, EarEpisodeRecord *record)
{
  const EarEpisodeFacts *facts = record->facts;
  const EarEnclosure *enclosure = facts->enclosures->len > 0 ? g_ptr_array_index (facts->enclosures, 0) : NULL;

  return enclosure != NULL
             ? ear_known_episodes_find_twin (answer->items, enclosure->address, facts->title, facts->published)
             : 0;
}

/* Finds an episode that may be the same, with another guid. The record is held back: only
 * at the end of the response is it certain that the feed does not have both. */
static gboolean
suspect (EarCatalogueTables *self, const Source *source, EarAnswer *answer, EarEpisodeRecord *record, gint64 *known, GError **error)
{
  *known = 0;
  if (source->n_answers == 0)
    return TRUE;
  if (answer->known == NULL)
    answer->known = ear_known_episodes_load (self->database, source->podcast, error);
  if (answer->known == NULL)
    return FALSE;
  *known = ear_known_episodes_find (answer->known, record->facts, answer->seen);

  return TRUE;
}

/* Stores the feed's new guid of an episode, which keeps its own one and its data. */
static gboolean
rename_episode (EarCatalogueTables *self, const Source *source, const Stored *stored, EarEpisodeRecord *record, GError **error)
{
  if (!ear_database_execute (self->database, error, "UPDATE episode SET feed_guid = ?2, gone = 0 WHERE id = ?1", "xs", stored->id,
                             record->guid))
    return FALSE;
  if (stored->touched)
    ear_podcast_event_rename (ear_catalogue_event_get (self->event, source->podcast), stored->guid, record->guid);

  return ear_catalogue_tables_take_waiting (self, source->podcast, stored->id, record->guid, error);
}

static gboolean
adopt (EarCatalogueTables *self,
       const Source *source,
       EarAnswer *answer,
       EarEpisodeRecord *record,
       guint place,
       gint64 id,
       GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_query (self->database, error, STORED_SQL " WHERE id = ?1", "x", id);
  g_auto (Stored) stored = { 0 };
  gboolean found = FALSE;
  gint64 key;

  if (!read_stored (self, statement, &stored, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  ear_statement_reset (statement);
  key = stored.sort_key;
  if ((stored.digest != record->digest || stored.text_digest != record->text_digest) &&
      !update_episode (self, source, &stored, record, &key, error))
    return FALSE;
  add_seen (answer, id, record, key, place, key != stored.sort_key);

  return rename_episode (self, source, &stored, record, error);
}

static gboolean
put_suspect (EarCatalogueTables *self,
             const Source *source,
             EarAnswer *answer,
             EarEpisodeRecord *record,
             guint place,
             GError **error)
{
  g_auto (Stored) stored = { 0 };
  gboolean found = FALSE;
  gint64 id = 0;

  /* Another episode of this response may have taken the guid. */
  if (!find_stored (self, source, record->guid, &stored, &found, error))
    return FALSE;
  if (found || find_twin (answer, record) != 0)
    return TRUE;
  if (!suspect (self, source, answer, record, &id, error))
    return FALSE;
  if (id != 0)
    return adopt (self, source, answer, record, place, id, error);

  return add_episode (self, source, answer, record, place, error);
}

static gboolean
put_episode (EarCatalogueTables *self, const Source *source, EarAnswer *answer, EarEpisodeRecord *record, GError **error)
{
  g_auto (Stored) stored = { 0 };
  gboolean found = FALSE;
  gboolean leave_out = FALSE;
  const guint place = answer->n_items++;
  const gint64 twin = find_twin (answer, record);
  gint64 id = 0;
  gint64 key;

  /* Hardly any episode of a first response is known: insert before looking. */
  if (source->n_answers == 0 && twin == 0 && !insert_episode (self, source, answer, record, place, &id, error))
    return FALSE;
  if (id != 0)
    return TRUE;
  if (!find_stored (self, source, record->guid, &stored, &found, error))
    return FALSE;
  if (found && g_hash_table_contains (answer->seen, &stored.id))
    {
      if (!resolve_twin (self, source, answer, record, &stored, &found, &leave_out, error))
        return FALSE;
      if (leave_out)
        return TRUE;
    }
  else if (twin != 0)
    return !found || ear_catalogue_tables_merge_episode (self, stored.id, twin, error);

  id = stored.id;
  if (!found && !suspect (self, source, answer, record, &id, error))
    return FALSE;
  if (!found && id != 0 && answer->suspects->len < SUSPECTS_LIMIT && answer->suspects_size < SUSPECTS_SIZE)
    {
      answer->suspects_size += ear_episode_record_get_size (record);
      g_ptr_array_add (answer->suspects, ear_episode_record_ref (record));
      g_array_append_val (answer->suspect_places, place);
      return TRUE;
    }
  if (!found && id != 0)
    return adopt (self, source, answer, record, place, id, error);
  if (!found)
    return add_episode (self, source, answer, record, place, error);
  key = stored.sort_key;
  if (stored.digest != record->digest || stored.text_digest != record->text_digest)
    {
      if (!update_episode (self, source, &stored, record, &key, error))
        return FALSE;
    }
  else if (stored.gone && !ear_catalogue_tables_set_gone (self, id, FALSE, error))
    return FALSE;
  add_seen (answer, id, record, key, place, key != stored.sort_key);

  return TRUE;
}

/* Finds whether the podcast exists, and the number of its feed's stored responses. */
static gboolean
find_source (EarCatalogueTables *self, gint64 podcast, Source *source, gboolean *found, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT answers, settled, followed, newest FROM podcast_check JOIN podcast ON podcast.id = podcast WHERE podcast = ?1", "x",
      podcast);

  if (!ear_database_step (self->database, statement, found, error))
    return FALSE;
  source->podcast = podcast;
  if (*found)
    {
      source->n_answers = sqlite3_column_int64 (statement, 0);
      source->settled = sqlite3_column_int (statement, 1) != 0;
      source->restored = sqlite3_column_int (statement, 1) > 1;
      source->followed = sqlite3_column_int64 (statement, 2);
      source->newest = sqlite3_column_int64 (statement, 3);
    }

  return TRUE;
}

/* Stores the records held back: as episodes with another guid, or as new ones if the
 * similar episodes were in the response, too. */
gboolean
ear_catalogue_tables_resolve_suspects (EarCatalogueTables *self, EarAnswer *answer, GError **error)
{
  Source source = { 0 };
  gboolean found = FALSE;

  /* If the rest of the response is uncertain, the next response decides. */
  if (answer->suspects->len == 0 || answer->partial || answer->spoilt)
    return TRUE;
  if (!find_source (self, answer->podcast, &source, &found, error))
    return FALSE;
  source.now = answer->begun;
  for (guint i = 0; found && i < answer->suspects->len; i++)
    {
      EarEpisodeRecord *record = g_ptr_array_index (answer->suspects, i);

      g_ptr_array_add (self->held, ear_episode_record_ref (record));
      if (!put_suspect (self, &source, answer, record, g_array_index (answer->suspect_places, guint, i), error))
        return FALSE;
    }

  return TRUE;
}

/* Stores a part of a feed's response, an EarBatch: new episodes are inserted, edited ones
 * updated in place, others not touched. Without its podcast's row, nothing is stored. */
gboolean
ear_catalogue_tables_put_batch (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const EarBatch *batch = op->data;
  EarPodcastFacts *facts = batch->facts;
  const gint64 podcast = op->podcast;
  EarAnswer *answer;
  Source source = { 0 };
  gboolean found = FALSE;

  if (!find_source (self, podcast, &source, &found, error))
    return FALSE;
  if (!found)
    {
      /* The row may come before the response ends: the lost part has to
       * be fetched again. */
      ear_catalogue_tables_spoil_response (self, podcast);
      return TRUE;
    }
  source.now = ear_catalogue_tables_get_response (self, podcast)->begun;
  ear_database_let_log_grow (self->database);

  /* Partial facts are better than none, but not than complete ones. */
  if (facts != NULL && source.n_answers == 0 && !ear_catalogue_tables_put_podcast (self, podcast, facts, error))
    return FALSE;
  answer = ear_catalogue_tables_get_response (self, podcast);
  answer->paged = answer->paged || facts == NULL;
  for (guint i = 0; i < batch->records->len; i++)
    if (!put_episode (self, &source, answer, g_ptr_array_index (batch->records, i), error))
      return FALSE;

  return TRUE;
}
