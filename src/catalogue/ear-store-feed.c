/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables.h"

#include "ear-columns.h"

/* Distance of the first search for a free key; doubled each time */
#define SECONDS_BACK ((gint64) 1 << 24)

/* A wrong time zone makes a date later by less than this, and the date is soon past. */
#define DAY (24 * 60 * 60)

/* Dates beyond these seconds (30,000 years) are mistakes; they must not overflow. */
#define SECOND_LIMIT ((gint64) 1 << 40)

/* How far from its date the key of an episode is looked for */
#define NEAR_KEYS (60 * 60 * EAR_KEYS_PER_SECOND)

/* Limit of episodes of one date that are looked at for each new one: feeds with one date for all
 * have thousands */
#define NEAR_LIMIT 200

/* Undated episodes sort below all others if their first appearance is unknown. */
#define UNDATED_START (-((gint64) 1 << 41))

static gboolean
find_lowest_key (EarCatalogueTables *self, gint64 from, gint64 to, gint64 *key, GError **error)
{
  *key = to;

  return ear_database_get_int (
      self->database, error, key,
      "SELECT min (sort_key) FROM episode WHERE sort_key >= ?1 AND sort_key < ?2", "xx", from, to);
}

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

/* Whether an undated episode counts as new: the rest of an interrupted response, and
 * further pages, may have episodes of any age. */
static gboolean
arrives (EarCatalogueTables *self, const Source *source)
{
  return source->settled && !ear_catalogue_tables_get_response (self, source->podcast)->paged;
}

/* Replaces a missing date by the present time, except for episodes that a podcast had
 * before; also a future date, which would stay above all others until then. */
static gint64
correct_date (gint64 published, gboolean arrives, gint64 now)
{
  if (now < EAR_CLOCK_FLOOR / G_USEC_PER_SEC)
    return published;

  return (published == EAR_DATE_UNKNOWN && arrives) || published > now + DAY ? now : published;
}

/* Whether an episode keeps its key in spite of another date: if it has lost its
 * date, or has a future one. Otherwise it would move to the top whenever the feed
 * changes that date.
 * @published: the new date, Unix seconds, or %EAR_DATE_UNKNOWN
 * Returns: %TRUE if the key stays */
static gboolean
keeps_key (gint64 key, gint64 published)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  return published == EAR_DATE_UNKNOWN ||
         (correct_date (published, FALSE, now) != published && key / EAR_KEYS_PER_SECOND <= now);
}

/* Finds a free key for an episode, by its date or, without a usable one, by the present
 * time. Feeds list the newest first, so of one second the first episode gets the highest
 * key. If there is no time, or no key is free, the episode goes to the very end.
 * @published: Unix seconds, or %EAR_DATE_UNKNOWN
 * @arrives: whether it is new in the feed, so that without a date it is of now
 * @now: beginning of the response, Unix seconds: one time for all its episodes, so that
 * their order does not depend on the clock
 * @key: (out): a unique sort key */
static gboolean
find_key (EarCatalogueTables *self, gint64 published, gboolean arrives, gint64 now, gint64 *key,
          GError **error)
{
  const gint64 date = correct_date (published, arrives, now);
  const gint64 last = CLAMP (date, -SECOND_LIMIT, SECOND_LIMIT);
  gint64 lowest = 0;

  for (gint64 n_seconds = 1; date != EAR_DATE_UNKNOWN && n_seconds <= SECONDS_BACK; n_seconds *= 2)
    {
      const gint64 first = (last + 1 - n_seconds) * EAR_KEYS_PER_SECOND;

      if (!find_lowest_key (self, first, (last + 1) * EAR_KEYS_PER_SECOND, &lowest, error))
        return FALSE;
      if (lowest > first)
        {
          *key = lowest - 1;
          return TRUE;
        }
    }
  if (!find_lowest_key (self, G_MININT64, G_MAXINT64, &lowest, error))
    return FALSE;
  *key = MIN (lowest, UNDATED_START * EAR_KEYS_PER_SECOND) - 1;

  return TRUE;
}

/* An episode dated long before the podcast was followed is not new: the feed only has
 * more of its archive now. */
#define FRESH_SECONDS ((gint64) 7 * 24 * 60 * 60)

/* Stored data of an episode that show whether it has changed */
typedef struct
{
  gint64 id;
  gint64 digest;
  gint64 text_digest;
  gint64 sort_key;
  gint64 published;
  gint64 duration;
  guint64 extra; /* digest */
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
  "SELECT id, digest, text_digest, sort_key, published, duration, extra, enclosure," \
  " " EAR_MARK_SQL_TOUCHED ", guid, title FROM episode"

static gboolean
read_stored (EarCatalogueTables *self, EarStatement *statement, Stored *stored, gboolean *found,
             GError **error)
{
  if (!ear_database_step (self->database, statement, found, error))
    return FALSE;
  if (*found)
    {
      stored->id = sqlite3_column_int64 (statement, 0);
      stored->digest = sqlite3_column_int64 (statement, 1);
      stored->text_digest = sqlite3_column_int64 (statement, 2);
      stored->sort_key = sqlite3_column_int64 (statement, 3);
      stored->published = sqlite3_column_type (statement, 4) != SQLITE_NULL
                              ? sqlite3_column_int64 (statement, 4)
                              : EAR_DATE_UNKNOWN;
      stored->duration = sqlite3_column_int64 (statement, 5);
      stored->extra = ear_digest_bytes (EAR_DIGEST_START, sqlite3_column_blob (statement, 6),
                                        (gsize) sqlite3_column_bytes (statement, 6));
      stored->enclosure = ear_statement_dup_text (statement, 7);
      stored->touched = sqlite3_column_int (statement, 8) != 0;
      stored->guid = ear_statement_dup_text (statement, 9);
      stored->title = ear_statement_dup_text (statement, 10);
    }

  return TRUE;
}

static gboolean
find_by (EarCatalogueTables *self, const char *sql, gint64 podcast, const char *guid,
         Stored *stored, gboolean *found, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (self->database, error, sql, "xs",
                                                           podcast, guid);

  return read_stored (self, statement, stored, found, error);
}

/* Finds an episode by its first or its present guid. */
static gboolean
find_stored (EarCatalogueTables *self, const Source *source, const char *guid, Stored *stored,
             gboolean *found, GError **error)
{
  if (!find_by (self, STORED_SQL " WHERE podcast = ?1 AND guid = ?2", source->podcast, guid, stored,
                found, error))
    return FALSE;
  if (*found || source->n_answers == 0)
    return TRUE;

  return find_by (self, STORED_SQL " WHERE podcast = ?1 AND feed_guid = ?2", source->podcast, guid,
                  stored, found, error);
}

/* The base of relative links is usually the link of the episode, and is not
 * stored twice then. */
static gboolean
put_notes (EarCatalogueTables *self, gint64 episode, EarEpisodeFacts *facts, GError **error)
{
  const char *base = g_strcmp0 (facts->notes_base, facts->link) != 0 ? facts->notes_base : NULL;

  if (facts->notes == NULL)
    return ear_database_execute (self->database, error, "DELETE FROM notes WHERE episode = ?1", "x",
                                 episode);

  return ear_database_execute (
      self->database, error,
      "INSERT OR REPLACE INTO notes (episode, text, base) VALUES (?1, ?2, ?3)", "xss", episode,
      facts->notes, base);
}

/* Keeps the base of unchanged notes when the episode gets another link. */
static gboolean
keep_base (EarCatalogueTables *self, gint64 episode, const char *link, GError **error)
{
  return ear_database_execute (
      self->database, error,
      "UPDATE notes SET base = link FROM episode"
      " WHERE notes.episode = ?1 AND episode.id = ?1 AND base IS NULL AND link IS NOT ?2",
      "xs", episode, link);
}

static gboolean
is_fresh (const Source *source, EarEpisodeFacts *facts)
{
  return source->settled && (facts->published == EAR_DATE_UNKNOWN ||
                             facts->published >= source->followed - FRESH_SECONDS);
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

static void
add_seen (EarAnswer *answer, gint64 id, EarEpisodeRecord *record)
{
  g_hash_table_add (answer->seen, g_memdup2 (&id, sizeof id));
  ear_known_episodes_add (answer->items, id, record->facts);
}

/* Finds the date that decides the place of a new episode. The feed lists the newest first:
 * one that appears above known episodes of its date counts as a second later.
 * @date: (out): Unix seconds, or %EAR_DATE_UNKNOWN */
static gboolean
find_date (EarCatalogueTables *self, const Source *source, EarAnswer *answer, gint64 published,
           gint64 *date, GError **error)
{
  g_autoptr (EarStatement) statement = NULL;
  gint64 key;
  gboolean row;

  *date = published;
  if (source->n_answers == 0 || published < -SECOND_LIMIT || published > SECOND_LIMIT)
    return TRUE;
  key = published * EAR_KEYS_PER_SECOND;
  statement = ear_database_query (
      self->database, error,
      "SELECT id, sort_key FROM episode WHERE podcast = ?1 AND published = ?2"
      " AND sort_key BETWEEN ?3 AND ?4 ORDER BY sort_key DESC LIMIT " G_STRINGIFY (NEAR_LIMIT),
      "xxxx", source->podcast, published, key - NEAR_KEYS, key + NEAR_KEYS);
  while (ear_database_step (self->database, statement, &row, error) && row)
    {
      const gint64 id = sqlite3_column_int64 (statement, 0);

      if (!g_hash_table_contains (answer->seen, &id))
        {
          *date = sqlite3_column_int64 (statement, 1) / EAR_KEYS_PER_SECOND + 1;
          return TRUE;
        }
    }

  return !row;
}

static gboolean
add_episode (EarCatalogueTables *self, const Source *source, EarAnswer *answer,
             EarEpisodeRecord *record, GError **error)
{
  const gint64 id = self->next_id++;
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "INSERT INTO episode (" EAR_EPISODE_RECORD_COLUMNS
      ", id, podcast, guid, own_guid, sort_key, fresh)"
      " VALUES (" EAR_EPISODE_RECORD_VALUES ", ?, ?, ?, ?, ?, ?)",
      error);
  const char *enclosure = ear_enclosure_get_first (record->facts);
  EarPodcastEvent *event = ear_catalogue_event_get (self->event, source->podcast);
  int i;
  gint64 date = EAR_DATE_UNKNOWN;
  gint64 key = 0;

  if (statement == NULL ||
      !find_date (self, source, answer, record->facts->published, &date, error) ||
      !find_key (self, date, arrives (self, source), source->now, &key, error))
    return FALSE;
  i = ear_episode_record_bind (record, statement);
  sqlite3_bind_int64 (statement, i++, id);
  sqlite3_bind_int64 (statement, i++, source->podcast);
  sqlite3_bind_text (statement, i++, record->guid, -1, SQLITE_STATIC);
  sqlite3_bind_int (statement, i++, record->own_guid);
  sqlite3_bind_int64 (statement, i++, key);
  sqlite3_bind_int (statement, i++, is_fresh (source, record->facts));
  if (!ear_database_run (self->database, statement, error) ||
      (record->facts->notes != NULL && !put_notes (self, id, record->facts, error)))
    return FALSE;

  add_seen (answer, id, record);
  ear_catalogue_tables_change_text (self, source->podcast, key, record);
  ear_podcast_event_insert (event, id);
  if (is_news (self, source, record->facts))
    ear_podcast_event_append (&event->arrived, id);

  return ear_catalogue_tables_take_waiting (self, source->podcast, id, record->guid, error) &&
         (enclosure == NULL ||
          ear_catalogue_tables_take_waiting (self, source->podcast, id, enclosure, error));
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
  if (stored->extra != ear_digest_extra (EAR_DIGEST_START, record->extra))
    what |= EAR_CHANGE_MOMENTS;

  return what;
}

/* Updates an episode edited in the feed: the row stays, with its marks. */
static gboolean
update_episode (EarCatalogueTables *self, const Source *source, const Stored *stored,
                EarEpisodeRecord *record, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "UPDATE episode SET (" EAR_EPISODE_RECORD_COLUMNS ", sort_key) ="
      " (" EAR_EPISODE_RECORD_VALUES ", ?) WHERE id = ?",
      error);
  const EarEpisodeChange what = compare (stored, record);
  gint64 key = stored->sort_key;
  int i;

  if (statement == NULL)
    return FALSE;
  if ((what & EAR_CHANGE_DATE) != 0 && !keeps_key (key, record->facts->published) &&
      !find_key (self, record->facts->published, FALSE, source->now, &key, error))
    return FALSE;
  if ((what & EAR_CHANGE_TEXT) == 0 && !keep_base (self, stored->id, record->facts->link, error))
    return FALSE;
  i = ear_episode_record_bind (record, statement);
  sqlite3_bind_int64 (statement, i++, key);
  sqlite3_bind_int64 (statement, i++, stored->id);
  if (!ear_database_run (self->database, statement, error) ||
      ((what & EAR_CHANGE_MOMENTS) != 0 &&
       !ear_catalogue_tables_forget_chapters (self, stored->id, error)))
    return FALSE;
  if ((what & EAR_CHANGE_TEXT) != 0 && !put_notes (self, stored->id, record->facts, error))
    return FALSE;
  if ((what & LOOKED_THROUGH) != 0 &&
      !ear_catalogue_tables_forget_links (self, stored->id, stored->sort_key, error))
    return FALSE;
  if ((what & (EAR_CHANGE_TEXT | EAR_CHANGE_DATE)) != 0)
    {
      ear_catalogue_tables_change_text (self, source->podcast, stored->sort_key, NULL);
      ear_catalogue_tables_change_text (self, source->podcast, key, record);
    }
  ear_podcast_event_rewrite (ear_catalogue_event_get (self->event, source->podcast), stored->id,
                             what);

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
resolve_twin (EarCatalogueTables *self, const Source *source, EarAnswer *answer,
              EarEpisodeRecord *record, Stored *stored, gboolean *found, gboolean *leave_out,
              GError **error)
{
  g_autofree char *second = ear_episode_record_dup_second_guid (record);

  *leave_out = TRUE;
  if (second == NULL || is_title_equal (record->facts->title, stored->title) ||
      g_strcmp0 (ear_enclosure_get_first (record->facts), stored->enclosure) == 0)
    return TRUE;
  stored_clear (stored);
  if (!find_stored (self, source, second, stored, found, error))
    return FALSE;
  if (*found && g_hash_table_contains (answer->seen, &stored->id))
    return TRUE;

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
  const char *enclosure = ear_enclosure_get_first (record->facts);

  return enclosure != NULL ? ear_known_episodes_find_twin (answer->items, enclosure, facts->title,
                                                           facts->published)
                           : 0;
}

/* Finds an episode that may be the same, with another guid. The record is held back: only
 * at the end of the response is it certain that the feed does not have both. */
static gboolean
suspect (EarCatalogueTables *self, const Source *source, EarAnswer *answer,
         EarEpisodeRecord *record, gint64 *known, GError **error)
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
rename_episode (EarCatalogueTables *self, const Source *source, const Stored *stored,
                EarEpisodeRecord *record, GError **error)
{
  if (!ear_database_execute (self->database, error,
                             "UPDATE episode SET feed_guid = ?2 WHERE id = ?1", "xs", stored->id,
                             record->guid))
    return FALSE;
  if (stored->touched)
    ear_podcast_event_rename (ear_catalogue_event_get (self->event, source->podcast), stored->guid,
                              record->guid);

  return ear_catalogue_tables_take_waiting (self, source->podcast, stored->id, record->guid, error);
}

static gboolean
adopt (EarCatalogueTables *self, const Source *source, EarAnswer *answer, EarEpisodeRecord *record,
       gint64 id, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_query (self->database, error, STORED_SQL " WHERE id = ?1", "x", id);
  g_auto (Stored) stored = { 0 };
  gboolean found = FALSE;

  if (!read_stored (self, statement, &stored, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  ear_statement_reset (statement);
  if ((stored.digest != record->digest || stored.text_digest != record->text_digest) &&
      !update_episode (self, source, &stored, record, error))
    return FALSE;
  add_seen (answer, id, record);

  return rename_episode (self, source, &stored, record, error);
}

static gboolean
put_suspect (EarCatalogueTables *self, const Source *source, EarAnswer *answer,
             EarEpisodeRecord *record, GError **error)
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
    return adopt (self, source, answer, record, id, error);

  return add_episode (self, source, answer, record, error);
}

static gboolean
put_episode (EarCatalogueTables *self, const Source *source, EarAnswer *answer,
             EarEpisodeRecord *record, GError **error)
{
  g_auto (Stored) stored = { 0 };
  gboolean found = FALSE;
  gboolean leave_out = FALSE;
  const gint64 twin = find_twin (answer, record);
  gint64 id = 0;

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
    return TRUE;

  id = stored.id;
  if (!found && !suspect (self, source, answer, record, &id, error))
    return FALSE;
  if (!found && id != 0 && answer->suspects->len < SUSPECTS_LIMIT &&
      answer->suspects_size < SUSPECTS_SIZE)
    {
      answer->suspects_size += ear_episode_record_get_size (record);
      g_ptr_array_add (answer->suspects, ear_episode_record_ref (record));
      return TRUE;
    }
  if (!found && id != 0)
    return adopt (self, source, answer, record, id, error);
  if (!found)
    return add_episode (self, source, answer, record, error);
  if ((stored.digest != record->digest || stored.text_digest != record->text_digest) &&
      !update_episode (self, source, &stored, record, error))
    return FALSE;
  add_seen (answer, id, record);

  return TRUE;
}

/* Finds whether the podcast exists, and the number of its feed's stored responses. */
static gboolean
find_source (EarCatalogueTables *self, gint64 podcast, Source *source, gboolean *found,
             GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT answers, settled, followed, newest FROM podcast_check"
      " JOIN podcast ON podcast.id = podcast WHERE podcast = ?1",
      "x", podcast);

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
static gboolean
resolve_suspects (EarCatalogueTables *self, EarAnswer *answer, GError **error)
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
      if (!put_suspect (self, &source, answer, record, error))
        return FALSE;
    }

  return TRUE;
}

/* Stores the facts of a podcast, if they have changed. */
static gboolean
put_podcast (EarCatalogueTables *self, gint64 podcast, EarPodcastFacts *facts, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      self->database,
      "UPDATE podcast SET (" EAR_PODCAST_RECORD_COLUMNS ") = (" EAR_PODCAST_RECORD_VALUES
      ") WHERE id = ? AND digest <> ?1",
      error);
  g_autoptr (GVariant) extra = ear_facts_extra_from_podcast (facts);
  EarPodcastEvent *event;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, ear_podcast_record_bind (facts, extra, statement), podcast);
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

/* Stores a part of a feed's response, the op's items (EarEpisodeRecord) and facts: new
 * episodes are inserted, edited ones updated in place, others not touched. Without its
 * podcast's row, nothing is stored. */
gboolean
ear_catalogue_tables_put_batch (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  EarPodcastFacts *facts = op->facts;
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

  /* Partial facts are better than none, but not than complete ones. */
  if (facts != NULL && source.n_answers == 0 && !put_podcast (self, podcast, facts, error))
    return FALSE;
  answer = ear_catalogue_tables_get_response (self, podcast);
  answer->paged = answer->paged || facts == NULL;
  for (guint i = 0; i < op->items->len; i++)
    if (!put_episode (self, &source, answer, g_ptr_array_index (op->items, i), error))
      return FALSE;

  return TRUE;
}

/* Facts of podcasts, and the beginning and end of feeds' responses */

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

/* Without a response, but with a new address: the entity tag of the old server means
 * nothing to the new one. */
#define IS_ELSEWHERE "?5 = 0 AND ?2 IS NOT NULL AND ?2 IS NOT feed_address"

static gboolean
update_check (EarCatalogueTables *self, gint64 podcast, const EarFeedCheck *check,
              gboolean answered, gboolean keep_tags, GError **error)
{
  return ear_database_execute (
      self->database, error,
      answered ? "UPDATE podcast_check SET feed_address = ifnull (?2, feed_address), etag = ?3, "
                 "last_modified = ?4,"
                 " checked = ?5, answers = answers + 1, failures = ?6, error = ?7, not_before = ?8,"
                 " archived = ?9, settled = max (min (settled, 1), ?10 OR answers > 0), newest = "
                 "max (0, ifnull ((SELECT max (sort_key)"
                 "   FROM episode INDEXED BY episode_of WHERE podcast = ?1), 0) "
                 "/ " G_STRINGIFY (EAR_KEYS_PER_SECOND) ") WHERE podcast = ?1"
               : "UPDATE podcast_check SET feed_address = ifnull (?2, feed_address),"
                 " etag = iif (" IS_ELSEWHERE ", ?3, ifnull (?3, etag)),"
                 " last_modified = iif (" IS_ELSEWHERE
                 ", ?4, ifnull (?4, last_modified)), checked = ifnull (nullif (?5, 0), checked),"
                 " failures = ?6, error = ?7, not_before = ?8, archived = ?9,"
                 " settled = iif (?5 > 0 AND ?7 = 0, min (settled, 1), settled) WHERE podcast = ?1",
      answered ? "xsssxiixii" : "xsssxiixi", podcast, check->feed_address,
      keep_tags ? check->etag : NULL, keep_tags ? check->last_modified : NULL, check->checked,
      (int) check->failures, check->error, check->not_before, check->archived, check->whole);
}

/* Passes the stored data to the main thread, which keeps them in memory. */
static gboolean
report_check (EarCatalogueTables *self, gint64 podcast, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (self->database, error,
                                                           "SELECT " EAR_FEED_CHECK_COLUMNS
                                                           " FROM podcast_check WHERE podcast = ?1",
                                                           "x", podcast);
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

static EarAnswer *
find_answer (EarCatalogueTables *self, gint64 podcast)
{
  EarAnswer *answer = g_hash_table_lookup (self->answers, &podcast);

  return answer != NULL && !answer->over ? answer : NULL;
}

/* Ends a feed's response, the op's check and facts; without facts, a 304 or none. The
 * entity tag is stored only if the whole response was. */
gboolean
ear_catalogue_tables_put_check (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const gint64 podcast = op->podcast;
  EarPodcastFacts *facts = op->facts;
  const EarFeedCheck *check = op->check;
  EarAnswer *answer = find_answer (self, podcast);
  /* Without tags, the feed will send the unstored or undecided part again. */
  const gboolean keep_tags = answer == NULL ||
                             (!answer->spoilt && (!answer->partial || answer->suspects->len == 0));
  gint64 is_first = 0;

  if (facts != NULL && answer != NULL && !resolve_suspects (self, answer, error))
    return FALSE;
  if (facts != NULL &&
      !ear_database_get_int (self->database, error, &is_first,
                             "SELECT 1 FROM podcast_check JOIN podcast ON podcast.id = podcast"
                             " WHERE podcast = ?1 AND answers = 0 AND hidden = 0",
                             "x", podcast))
    return FALSE;
  if (is_first != 0 && !ear_catalogue_tables_freshen_newest (self, podcast, error))
    return FALSE;
  if (facts != NULL && !put_podcast (self, podcast, facts, error))
    return FALSE;
  if (!update_check (self, podcast, check, facts != NULL, keep_tags, error) ||
      !report_check (self, podcast, error))
    return FALSE;
  if (facts != NULL && answer != NULL)
    answer->over = TRUE;

  return TRUE;
}
