/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-writer.h"

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

/* Returns: the lowest key from @from on and before @to, or @to */
static gint64
find_lowest_key (EarWriter *self, gint64 from, gint64 to)
{
  return ear_database_get_int (
      self->database,
      "SELECT ifnull (min (sort_key), ?2) FROM episode WHERE sort_key >= ?1 AND sort_key < ?2",
      "xx", from, to);
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
 * Returns: a unique sort key */
static gint64
find_key (EarWriter *self, gint64 published, gboolean arrives, gint64 now)
{
  const gint64 date = correct_date (published, arrives, now);
  const gint64 last = CLAMP (date, -SECOND_LIMIT, SECOND_LIMIT);

  for (gint64 n_seconds = 1; date != EAR_DATE_UNKNOWN && n_seconds <= SECONDS_BACK; n_seconds *= 2)
    {
      const gint64 first = (last + 1 - n_seconds) * EAR_KEYS_PER_SECOND;
      const gint64 lowest = find_lowest_key (self, first, (last + 1) * EAR_KEYS_PER_SECOND);

      if (lowest > first)
        return lowest - 1;
    }

  return MIN (find_lowest_key (self, G_MININT64, G_MAXINT64),
              UNDATED_START * EAR_KEYS_PER_SECOND) -
         1;
}

/* Limits searches in feeds whose episodes all have the same enclosure. */
#define ALIKE_LIMIT "64"

/* Dates less than a day apart may be the same, in a wrong time zone. */
#define BEFORE_DAY "86399"

/* State of a feed's unfinished response */
typedef struct
{
  gint64 podcast;
  gint64 begun;      /* Unix seconds */
  gint64 n_answers;  /* number of the feed's stored responses */
  gint64 followed;   /* Unix seconds */
  gint64 newest;     /* newest sort key before this response: a date, or when it came */
  gboolean settled;  /* further episodes are fresh */
  gboolean restored; /* the podcast is of a copy that replaced a lost file; no response since */
  GHashTable *seen;  /* (element-type gint64): row ids of the episodes in it, and their keys */
  GPtrArray *suspects;  /* (element-type EarEpisodeRecord): maybe known; stored last */
  gsize suspects_size;  /* bytes, approximately */
  gboolean compares; /* the table `known` has the podcast's other episodes */
  gboolean spoilt;   /* a part of it may not be stored */
  gboolean paged;    /* its further pages are being read */
  gboolean over;     /* ended; freed with the commit, as the transaction may be repeated in parts */
} Answer;

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_hash_table_unref (answer->seen);
  g_ptr_array_unref (answer->suspects);
  g_free (answer);
}

/* The temporary table `known` has the episodes of podcasts whose unfinished responses have new
 * guids, without those seen in the response, for recognizing one whose guid has changed. */
GHashTable *
ear_writer_make_answers (EarDatabase *database)
{
  ear_database_exec (
      database,
      "CREATE TEMP TABLE known (id INTEGER PRIMARY KEY, podcast, enclosure, title, published);"
      "CREATE INDEX temp.known_enclosure ON known (podcast, enclosure, published);"
      "CREATE INDEX temp.known_title ON known (podcast, title, published)");

  return g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, answer_free);
}

static Answer *
get_answer (EarWriter *self, gint64 podcast)
{
  Answer *answer = g_hash_table_lookup (self->answers, &podcast);

  if (answer == NULL || answer->over)
    {
      answer = g_new0 (Answer, 1);
      answer->podcast = podcast;
      answer->begun = g_get_real_time () / G_USEC_PER_SEC;
      answer->seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      answer->suspects = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_record_unref);
      g_hash_table_replace (self->answers, &answer->podcast, answer);
    }

  return answer;
}

/* Remembers that a part of the podcast's response is lost: perhaps the first one, if its
 * transaction has not even begun. */
void
ear_writer_spoil_answer (EarWriter *self, gint64 podcast)
{
  get_answer (self, podcast)->spoilt = TRUE;
}

/* Ends a transaction. After a failure, the rows that its responses have seen may be gone. */
void
ear_writer_settle_answers (EarWriter *self, gboolean stored)
{
  for (guint i = 0; i < self->event->podcasts->len; i++)
    {
      const EarPodcastEvent *event = g_ptr_array_index (self->event->podcasts, i);
      Answer *answer = g_hash_table_lookup (self->answers, &event->podcast);

      if (answer != NULL && !stored)
        {
          g_hash_table_remove_all (answer->seen);
          answer->compares = FALSE;
          answer->spoilt = TRUE;
          answer->over = FALSE;
        }
      else if (answer != NULL && answer->over)
        g_hash_table_remove (self->answers, &event->podcast);
    }
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
  gboolean touched; /* the episode has marks */
  char *enclosure;
  char *title;
} Stored;

/* Changes after which an episode is scanned again for links, and for
 * its feed's chapters */
#define LOOKED_THROUGH (EAR_CHANGE_TEXT | EAR_CHANGE_DATE | EAR_CHANGE_MOMENTS)

/* Limit of bytes of records held back until the end of the response */
#define SUSPECTS_SIZE (16 * 1024 * 1024)

static void
stored_clear (Stored *stored)
{
  g_clear_pointer (&stored->enclosure, g_free);
  g_clear_pointer (&stored->title, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stored, stored_clear)

#define STORED_SQL \
  "SELECT id, digest, text_digest, sort_key, published, duration, enclosure," \
  " " EAR_MARK_SQL_TOUCHED ", title FROM episode"

/* Returns: whether the statement has found an episode */
static gboolean
read_stored (EarWriter *self, EarStatement *statement, Stored *stored)
{
  if (!ear_database_step (self->database, statement))
    return FALSE;
  ear_statement_read (statement, 0, "xxxxdxsis", &stored->id, &stored->digest,
                      &stored->text_digest, &stored->sort_key, &stored->published,
                      &stored->duration, &stored->enclosure, &stored->touched, &stored->title);

  return TRUE;
}

/* Finds an episode by its first or its present guid. */
static gboolean
find_stored (EarWriter *self, const Answer *answer, const char *guid, Stored *stored)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database,
      STORED_SQL " WHERE podcast = ?1 AND guid = ?2"
      " UNION ALL " STORED_SQL " WHERE podcast = ?1 AND feed_guid = ?2 LIMIT 1",
      "xs", answer->podcast, guid);

  return read_stored (self, statement, stored);
}

/* The base of relative links is usually the link of the episode, and is not
 * stored twice then. */
static void
put_notes (EarWriter *self, gint64 episode, EarEpisodeFacts *facts)
{
  const char *base = g_strcmp0 (facts->notes_base, facts->link) != 0 ? facts->notes_base : NULL;

  if (facts->notes == NULL)
    ear_database_execute (self->database, "DELETE FROM notes WHERE episode = ?1", "x", episode);
  else
    ear_database_execute (self->database,
                          "INSERT OR REPLACE INTO notes (episode, text, base) VALUES (?1, ?2, ?3)",
                          "xss", episode, facts->notes, base);
}

static gboolean
is_fresh (const Answer *answer, EarEpisodeFacts *facts)
{
  return answer->settled && (facts->published == EAR_DATE_UNKNOWN ||
                             facts->published >= answer->followed - FRESH_SECONDS);
}

/* Not all fresh episodes are news: those missing in a copy of the catalogue that has
 * replaced a lost one were announced before, and those on a further page are old, unless
 * their date is newer than all known ones. */
static gboolean
is_news (const Answer *answer, EarEpisodeFacts *facts)
{
  if (!is_fresh (answer, facts) || answer->restored)
    return FALSE;

  return !answer->paged ||
         (facts->published != EAR_DATE_UNKNOWN && facts->published > answer->newest);
}

/* Returns: a key of the enclosure and date, or without a date, the enclosure and title; below 0,
 * as no row id is. Dates matter because hourly news have one title and one enclosure for all of
 * their episodes. */
static gint64
make_key (const EarEpisodeFacts *facts)
{
  guint64 digest = ear_digest_text (EAR_DIGEST_START, ear_enclosure_get_first (facts));

  digest = ear_digest_bytes (digest, &facts->published, sizeof facts->published);
  if (facts->published == EAR_DATE_UNKNOWN)
    digest = ear_digest_text (digest, facts->title);

  return (gint64) (digest | (guint64) 1 << 63);
}

static void
add_seen (EarWriter *self, Answer *answer, gint64 id, EarEpisodeRecord *record)
{
  const gint64 key = make_key (record->facts);

  if (answer->compares)
    ear_database_execute (self->database, "DELETE FROM known WHERE id = ?1", "x", id);
  g_hash_table_add (answer->seen, g_memdup2 (&id, sizeof id));
  g_hash_table_add (answer->seen, g_memdup2 (&key, sizeof key));
}

/* Whether the response lists the episode with another guid, too. */
static gboolean
is_repeated (Answer *answer, EarEpisodeRecord *record)
{
  const char *enclosure = ear_enclosure_get_first (record->facts);
  const gint64 key = make_key (record->facts);

  return !ear_is_empty (enclosure) && g_hash_table_contains (answer->seen, &key);
}

/* Finds the date that decides the place of a new episode. The feed lists the newest first:
 * one that appears above known episodes of its date counts as a second later.
 * Returns: Unix seconds, or %EAR_DATE_UNKNOWN */
static gint64
find_date (EarWriter *self, Answer *answer, gint64 published)
{
  g_autoptr (EarStatement) statement = NULL;
  gint64 key;

  if (answer->n_answers == 0 || published < -SECOND_LIMIT || published > SECOND_LIMIT)
    return published;
  key = published * EAR_KEYS_PER_SECOND;
  statement = ear_database_query (
      self->database,
      "SELECT id, sort_key FROM episode WHERE podcast = ?1 AND published = ?2"
      " AND sort_key BETWEEN ?3 AND ?4 ORDER BY sort_key DESC LIMIT " G_STRINGIFY (NEAR_LIMIT),
      "xxxx", answer->podcast, published, key - NEAR_KEYS, key + NEAR_KEYS);
  while (ear_database_step (self->database, statement))
    {
      const gint64 id = sqlite3_column_int64 (statement, 0);

      if (!g_hash_table_contains (answer->seen, &id))
        return sqlite3_column_int64 (statement, 1) / EAR_KEYS_PER_SECOND + 1;
    }

  return published;
}

static void
add_episode (EarWriter *self, Answer *answer, EarEpisodeRecord *record)
{
  const gint64 id = self->next_id++;
  const gint64 date = find_date (self, answer, record->facts->published);
  /* An undated episode is of now, unless it may have any age: the rest of an interrupted response,
   * and further pages, have old ones. */
  const gint64 key = find_key (self, date, answer->settled && !answer->paged, answer->begun);
  const char *enclosure = ear_enclosure_get_first (record->facts);
  EarPodcastEvent *event = ear_writer_add_change (self, answer->podcast, EAR_CHANGE_INSERTED);
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database,
      "INSERT INTO episode (id, podcast, guid, own_guid, sort_key, fresh,"
      " " EAR_EPISODE_RECORD_COLUMNS
      ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, " EAR_EPISODE_RECORD_VALUES ")",
      "xxsixi", id, answer->podcast, record->guid, record->own_guid, key,
      is_fresh (answer, record->facts));

  ear_episode_record_bind (record, statement, 7);
  ear_database_step (self->database, statement);
  if (record->facts->notes != NULL)
    put_notes (self, id, record->facts);

  add_seen (self, answer, id, record);
  ear_writer_change_text (self, answer->podcast, key, record);
  event->n_new++;
  if (is_news (answer, record->facts))
    ear_ids_append (&event->arrived, id);
  ear_writer_take_waiting (self, answer->podcast, id, record->guid);
  if (enclosure != NULL)
    ear_writer_take_waiting (self, answer->podcast, id, enclosure);
}

/* Compares only the chapters among the facts without a column: the others are not in the index,
 * and another version of Earmark may have stored more or fewer of them. */
static gboolean
has_chapters (EarWriter *self, gint64 episode, EarEpisodeRecord *record)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, "SELECT extra FROM episode WHERE id = ?1", "x", episode);

  return ear_database_step (self->database, statement) &&
         ear_facts_extra_has_chapters (record->extra, statement);
}

static EarEpisodeChange
compare (EarWriter *self, const Stored *stored, EarEpisodeRecord *record)
{
  EarEpisodeChange what = EAR_CHANGE_FACTS;

  if (stored->published != record->facts->published)
    what |= EAR_CHANGE_DATE;
  if (stored->duration != record->facts->duration)
    what |= EAR_CHANGE_LENGTH;
  if (stored->text_digest != record->text_digest)
    what |= EAR_CHANGE_TEXT;
  if (!has_chapters (self, stored->id, record))
    what |= EAR_CHANGE_MOMENTS;

  return what;
}

/* Updates an episode that was edited in the feed: the row stays, with its marks. */
static void
update_episode (EarWriter *self, const Answer *answer, const Stored *stored,
                EarEpisodeRecord *record)
{
  const EarEpisodeFacts *facts = record->facts;
  EarEpisodeChange what;
  gint64 key = stored->sort_key;
  g_autoptr (EarStatement) statement = NULL;

  if (stored->digest == record->digest && stored->text_digest == record->text_digest)
    return;
  what = compare (self, stored, record);
  if ((what & EAR_CHANGE_DATE) != 0 && !keeps_key (key, facts->published))
    key = find_key (self, facts->published, FALSE, answer->begun);
  /* Keep the base of unchanged notes when the episode gets another link. */
  if ((what & EAR_CHANGE_TEXT) == 0)
    ear_database_execute (
        self->database,
        "UPDATE notes SET base = link FROM episode"
        " WHERE notes.episode = ?1 AND episode.id = ?1 AND base IS NULL AND link IS NOT ?2",
        "xs", stored->id, facts->link);
  statement = ear_database_query (self->database,
                                  "UPDATE episode SET (sort_key, " EAR_EPISODE_RECORD_COLUMNS
                                  ") = (?2, " EAR_EPISODE_RECORD_VALUES ") WHERE id = ?1",
                                  "xx", stored->id, key);
  ear_episode_record_bind (record, statement, 3);
  ear_database_step (self->database, statement);
  if ((what & EAR_CHANGE_MOMENTS) != 0)
    ear_writer_forget_chapters (self, stored->id);
  if ((what & EAR_CHANGE_TEXT) != 0)
    put_notes (self, stored->id, record->facts);
  if ((what & LOOKED_THROUGH) != 0)
    ear_writer_forget_links (self, stored->id, stored->sort_key);
  if ((what & (EAR_CHANGE_TEXT | EAR_CHANGE_DATE)) != 0)
    {
      ear_writer_change_text (self, answer->podcast, stored->sort_key, NULL);
      ear_writer_change_text (self, answer->podcast, key, record);
    }
  ear_ids_append (&ear_writer_add_change (self, answer->podcast, what)->rewritten, stored->id);
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
 * @found: (out): whether there is one
 * Returns: whether to store @record; if not, it is unchanged */
static gboolean
resolve_twin (EarWriter *self, Answer *answer,
              EarEpisodeRecord *record, Stored *stored, gboolean *found)
{
  g_autofree char *second = ear_episode_record_dup_second_guid (record);

  if (second == NULL || is_title_equal (record->facts->title, stored->title) ||
      g_strcmp0 (ear_enclosure_get_first (record->facts), stored->enclosure) == 0)
    return FALSE;
  stored_clear (stored);
  *found = find_stored (self, answer, second, stored);
  if (*found && g_hash_table_contains (answer->seen, &stored->id))
    return FALSE;

  g_free (record->guid);
  record->guid = g_steal_pointer (&second);
  record->own_guid = FALSE;

  return TRUE;
}

static void
list_known (EarWriter *self, Answer *answer)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, "SELECT id FROM episode INDEXED BY episode_of WHERE podcast = ?1", "x",
      answer->podcast);

  /* The table may still have episodes from a response that never ended. */
  ear_database_execute (self->database, "DELETE FROM known WHERE podcast = ?1", "x",
                        answer->podcast);
  while (ear_database_step (self->database, statement))
    {
      const gint64 id = sqlite3_column_int64 (statement, 0);

      if (!g_hash_table_contains (answer->seen, &id))
        ear_database_execute (self->database,
                              "INSERT INTO known SELECT id, podcast,"
                              " nullif (enclosure, ''), nullif (title, ''), published"
                              " FROM episode WHERE id = ?1",
                              "x", id);
    }
  answer->compares = TRUE;
}

/* Finds an episode that may be the same, with another guid: two of enclosure, title and date have
 * to be the same. The record is held back: only at the end of the response is it certain that the
 * feed does not have both.
 * Returns: its row id, or 0 */
static gint64
suspect (EarWriter *self, Answer *answer, EarEpisodeRecord *record)
{
  if (answer->n_answers == 0)
    return 0;
  if (!answer->compares)
    list_known (self, answer);

  return ear_database_get_int (
      self->database,
      "SELECT id FROM (SELECT * FROM known WHERE podcast = ?1 AND enclosure = ?2"
      " ORDER BY published DESC LIMIT " ALIKE_LIMIT ")"
      " WHERE title = ?3 OR published BETWEEN ?4 - " BEFORE_DAY " AND ?4 + " BEFORE_DAY
      " UNION ALL SELECT id FROM known WHERE podcast = ?1 AND title = ?3 AND published = ?4"
      " LIMIT 1",
      "xssd", answer->podcast, ear_enclosure_get_first (record->facts), record->facts->title,
      record->facts->published);
}

/* Stores an episode under the feed's new guid; it keeps its own one and its data. */
static void
adopt (EarWriter *self, Answer *answer, EarEpisodeRecord *record,
       gint64 id)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, STORED_SQL " WHERE id = ?1", "x", id);
  g_auto (Stored) stored = { 0 };

  if (!read_stored (self, statement, &stored))
    return;
  ear_statement_reset (statement);
  update_episode (self, answer, &stored, record);
  add_seen (self, answer, id, record);
  ear_database_execute (self->database, "UPDATE episode SET feed_guid = ?2 WHERE id = ?1", "xs", id,
                        record->guid);
  if (stored.touched)
    ear_writer_add_marks (self, &ear_writer_get_event (self, answer->podcast)->renamed, id);
  ear_writer_take_waiting (self, answer->podcast, id, record->guid);
}

static void
put_episode (EarWriter *self, Answer *answer, EarEpisodeRecord *record)
{
  g_auto (Stored) stored = { 0 };
  gboolean found = find_stored (self, answer, record->guid, &stored);
  gint64 id;

  if (found && g_hash_table_contains (answer->seen, &stored.id))
    {
      if (!resolve_twin (self, answer, record, &stored, &found))
        return;
    }
  else if (is_repeated (answer, record))
    {
      return;
    }

  id = found ? stored.id : suspect (self, answer, record);
  if (found)
    {
      update_episode (self, answer, &stored, record);
      add_seen (self, answer, id, record);
    }
  else if (id == 0)
    {
      add_episode (self, answer, record);
    }
  else if (answer->suspects_size < SUSPECTS_SIZE)
    {
      answer->suspects_size += ear_episode_record_get_size (record);
      g_ptr_array_add (answer->suspects, ear_episode_record_ref (record));
    }
  else
    {
      adopt (self, answer, record, id);
    }
}

/* Reads the stored data of the feed's responses.
 * Returns: whether the podcast exists */
static gboolean
read_answer (EarWriter *self, Answer *answer)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database,
      "SELECT answers, settled <> 0, settled > 1, followed, newest FROM podcast_check"
      " JOIN podcast ON podcast.id = podcast WHERE podcast = ?1",
      "x", answer->podcast);

  if (!ear_database_step (self->database, statement))
    return FALSE;
  ear_statement_read (statement, 0, "xiixx", &answer->n_answers, &answer->settled,
                      &answer->restored, &answer->followed, &answer->newest);

  return TRUE;
}

/* Stores the records held back: as episodes with another guid, or as new ones if the
 * similar episodes were in the response, too. */
static void
resolve_suspects (EarWriter *self, Answer *answer)
{
  /* If the rest of the response is uncertain, the next response decides. */
  if (answer->suspects->len == 0 || answer->spoilt || !read_answer (self, answer))
    return;
  for (guint i = 0; i < answer->suspects->len; i++)
    {
      EarEpisodeRecord *record = g_ptr_array_index (answer->suspects, i);
      g_auto (Stored) stored = { 0 };
      gint64 id;

      /* Another episode of this response may have taken the guid. */
      if (find_stored (self, answer, record->guid, &stored) || is_repeated (answer, record))
        continue;
      id = suspect (self, answer, record);
      if (id != 0)
        adopt (self, answer, record, id);
      else
        add_episode (self, answer, record);
    }
}

/* Stores the facts of a podcast, if they have changed. */
static void
put_podcast (EarWriter *self, gint64 podcast, EarPodcastFacts *facts)
{
  g_autoptr (GVariant) extra = ear_facts_extra_write (FALSE, facts);
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, "UPDATE podcast SET (" EAR_PODCAST_RECORD_COLUMNS
                      ") = (" EAR_PODCAST_RECORD_VALUES ") WHERE id = ?1 AND digest <> ?2",
      "x", podcast);
  EarPodcastEvent *event;

  ear_podcast_record_bind (facts, extra, statement);
  ear_database_step (self->database, statement);
  if (sqlite3_changes (ear_database_get_handle (self->database)) == 0)
    return;
  event = ear_writer_get_event (self, podcast);
  g_clear_pointer (&event->facts, ear_podcast_facts_unref);
  event->facts = ear_podcast_facts_ref (facts);
}

/* Stores a part of a feed's response, the op's items (EarEpisodeRecord) and facts: new
 * episodes are inserted, edited ones updated in place, others not touched. Without its
 * podcast's row, nothing is stored. */
void
ear_writer_put_batch (EarWriter *self, EarCatalogueOp *op)
{
  Answer *answer = get_answer (self, op->podcast);

  /* A failure finds the response by its event. */
  ear_writer_get_event (self, op->podcast);
  if (!read_answer (self, answer))
    {
      /* The row may come before the response ends: the lost part has to
       * be fetched again. */
      answer->spoilt = TRUE;
      return;
    }

  /* Partial facts are better than none, but not than complete ones. */
  if (op->facts != NULL && answer->n_answers == 0)
    put_podcast (self, op->podcast, op->facts);
  answer->paged = answer->paged || op->facts == NULL;
  for (guint i = 0; i < op->items->len && !ear_database_has_failed (self->database); i++)
    put_episode (self, answer, g_ptr_array_index (op->items, i));
}

/* Facts of podcasts, and the beginning and end of feeds' responses */

/* Forgets an earlier response that never ended. */
void
ear_writer_begin_response (EarWriter *self, EarCatalogueOp *op)
{
  g_hash_table_remove (self->answers, &op->podcast);
}

/* Without a response, but with a new address: the entity tag of the old server means
 * nothing to the new one. */
#define IS_ELSEWHERE "?5 = 0 AND ?2 IS NOT NULL AND ?2 IS NOT feed_address"

/* Ends a feed's response, the op's check and facts; without facts, a 304 or none. The
 * entity tag is stored only if the whole response was. The stored data go to the main thread,
 * which keeps them in memory. */
void
ear_writer_put_check (EarWriter *self, EarCatalogueOp *op)
{
  const EarFeedCheck *check = op->check;
  EarPodcastEvent *event = ear_writer_get_event (self, op->podcast);
  Answer *known = g_hash_table_lookup (self->answers, &op->podcast);
  Answer *answer = known != NULL && !known->over ? known : NULL;
  /* Without tags, the feed will send the unstored or undecided part again. */
  const gboolean keep_tags = answer == NULL || !answer->spoilt;
  g_autoptr (EarStatement) statement = NULL;

  if (op->facts != NULL && answer != NULL)
    resolve_suspects (self, answer);
  if (op->facts != NULL &&
      ear_database_get_int (self->database,
                            "SELECT 1 FROM podcast_check JOIN podcast ON podcast.id = podcast"
                            " WHERE podcast = ?1 AND answers = 0 AND hidden = 0",
                            "x", op->podcast) != 0)
    ear_writer_freshen_newest (self, op->podcast);
  if (op->facts != NULL)
    put_podcast (self, op->podcast, op->facts);
  ear_database_execute (
      self->database,
      op->facts != NULL
          ? "UPDATE podcast_check SET feed_address = ifnull (?2, feed_address), etag = ?3,"
            " last_modified = ?4, checked = ?5, answers = answers + 1, failures = ?6, error = ?7,"
            " not_before = ?8, archived = ?9,"
            " settled = max (min (settled, 1), ?10 OR answers > 0),"
            " newest = max (0, ifnull ((SELECT max (sort_key) FROM episode INDEXED BY episode_of"
            " WHERE podcast = ?1), 0)"
            " / " G_STRINGIFY (EAR_KEYS_PER_SECOND) ") WHERE podcast = ?1"
          : "UPDATE podcast_check SET feed_address = ifnull (?2, feed_address),"
            " etag = iif (" IS_ELSEWHERE ", ?3, ifnull (?3, etag)), last_modified ="
            " iif (" IS_ELSEWHERE ", ?4, ifnull (?4, last_modified)),"
            " checked = ifnull (nullif (?5, 0), checked),"
            " failures = ?6, error = ?7, not_before = ?8, archived = ?9,"
            " settled = iif (?5 > 0 AND ?7 = 0, min (settled, 1), settled) WHERE podcast = ?1",
      op->facts != NULL ? "xsssxiixii" : "xsssxiixi", op->podcast, check->feed_address,
      keep_tags ? check->etag : NULL, keep_tags ? check->last_modified : NULL, check->checked,
      (int) check->failures, check->error, check->not_before, check->archived, check->whole);
  statement = ear_database_query (self->database,
                                  "SELECT " EAR_FEED_CHECK_COLUMNS
                                  " FROM podcast_check WHERE podcast = ?1",
                                  "x", op->podcast);
  if (ear_database_step (self->database, statement))
    {
      g_clear_pointer (&event->check, ear_feed_check_free);
      event->check = ear_feed_check_read (statement, 0);
    }
  if (op->facts == NULL || answer == NULL)
    return;
  ear_database_execute (self->database, "DELETE FROM known WHERE podcast = ?1", "x", op->podcast);
  answer->over = TRUE;
}
