/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-mark-sql.h"

/* Distance of the first search for a free key; doubled each time */
#define SECONDS_BACK ((gint64) 1 << 24)

/* A wrong time zone makes a date later by less than this, and the date is soon past. */
#define DAY (24 * 60 * 60)

/* Dates beyond these seconds (30,000 years) are mistakes; they must not overflow. */
#define SECOND_LIMIT ((gint64) 1 << 40)

/* Undated episodes sort below all others if their first appearance is unknown, those
 * of a later response above those of an earlier one. Each response has this many
 * seconds of keys. */
#define UNDATED_START (-((gint64) 1 << 41))
#define UNDATED_SECONDS ((gint64) 1 << 16)
#define UNDATED_ANSWERS 1000000

static gboolean
find_lowest_key (EarCatalogueTables *self, gint64 from, gint64 to, gint64 *key, GError **error)
{
  *key = to;

  return ear_database_get_int (self->database, error, key,
                               "SELECT min (sort_key) FROM episode WHERE sort_key >= ?1 AND sort_key < ?2", "xx", from, to);
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
gboolean
ear_catalogue_tables_keeps_key (gint64 key, gint64 published)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  return published == EAR_DATE_UNKNOWN ||
         (correct_date (published, FALSE, now) != published && key / EAR_KEYS_PER_SECOND <= now);
}

/* Finds a free key for an episode, by its date or, without a usable one, by the present
 * time. Feeds list the newest first, so of one second the first episode gets the highest
 * key. If no key is free, the episode goes to the very end.
 * @published: Unix seconds, or %EAR_DATE_UNKNOWN
 * @n_answers: number of the feed's stored responses, for undated episodes
 * @arrives: whether it is new in the feed, so that without a date it is of now
 * @now: beginning of the response, Unix seconds: one time for all its episodes, so that
 * their order does not depend on the clock
 * @key: (out): a unique sort key
 * Returns: %FALSE on an error */
gboolean
ear_catalogue_tables_find_key (EarCatalogueTables *self,
                               gint64 published,
                               gint64 n_answers,
                               gboolean arrives,
                               gint64 now,
                               gint64 *key,
                               GError **error)
{
  const gint64 date = correct_date (published, arrives, now);
  gint64 last = CLAMP (date, -SECOND_LIMIT, SECOND_LIMIT);
  gint64 n_seconds = 1;
  gint64 lowest = 0;

  if (date == EAR_DATE_UNKNOWN)
    {
      last = UNDATED_START + MIN (n_answers + 1, UNDATED_ANSWERS) * UNDATED_SECONDS - 1;
      n_seconds = UNDATED_SECONDS;
    }
  for (; n_seconds <= SECONDS_BACK; n_seconds *= 2)
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

/* Sorts by date, then by index in the feed. Episodes that the feed has dropped come last,
 * in their order. */
static int
compare_ordered (gconstpointer a, gconstpointer b)
{
  const EarOrdered *first = a;
  const EarOrdered *second = b;

  if (first->published != second->published)
    return first->published < second->published ? -1 : 1;
  if (first->place != second->place)
    return first->place < second->place ? -1 : 1;

  return (first->key < second->key) - (first->key > second->key);
}

static int
compare_keys_descending (gconstpointer a, gconstpointer b)
{
  const gint64 first = *(const gint64 *) a;
  const gint64 second = *(const gint64 *) b;

  return (first < second) - (first > second);
}

/* Adds episodes that the feed has dropped, with the same dates as new ones: the new ones
 * go above them. */
static gboolean
add_dropped (EarCatalogueTables *self, EarAnswer *answer, GError **error)
{
  g_autoptr (GHashTable) dates = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (EarStatement) statement = NULL;
  gint64 n_episodes = 0;
  gboolean row = FALSE;

  if (!ear_database_get_int (self->database, error, &n_episodes, "SELECT n_episodes FROM podcast_count WHERE podcast = ?1", "x",
                             answer->podcast))
    return FALSE;
  if (n_episodes <= g_hash_table_size (answer->seen))
    return TRUE;
  for (guint i = 0; i < answer->order->len; i++)
    {
      const EarOrdered *item = &g_array_index (answer->order, EarOrdered, i);

      if (item->moved && item->published != EAR_DATE_UNKNOWN)
        g_hash_table_add (dates, g_memdup2 (&item->published, sizeof item->published));
    }
  if (g_hash_table_size (dates) == 0)
    return TRUE;
  statement = ear_database_query (self->database, error,
                                  "SELECT id, published, sort_key FROM episode WHERE podcast = ?1 AND published IS NOT NULL", "x",
                                  answer->podcast);
  while (ear_database_step (self->database, statement, &row, error) && row)
    {
      const EarOrdered item = { sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1),
                                sqlite3_column_int64 (statement, 2), G_MAXUINT, FALSE };

      if (g_hash_table_contains (dates, &item.published) && !g_hash_table_contains (answer->seen, &item.id))
        g_array_append_val (answer->order, item);
    }

  return !row;
}

/* Cancels the indexing of a text at the end of the transaction: its key belongs to
 * another episode now. */
static void
forget_text (EarCatalogueTables *self, gint64 key)
{
  for (guint i = 0; i < self->text_changes->len; i++)
    {
      EarTextChange *change = &g_array_index (self->text_changes, EarTextChange, i);

      if (change->key == key)
        change->record = NULL;
    }
}

static gboolean
index_text (EarCatalogueTables *self, gint64 podcast, gint64 episode, gint64 key, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT guid, title, notes.text FROM episode LEFT JOIN notes ON notes.episode = episode.id WHERE id = ?1", "x", episode);
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  EarEpisodeRecord *record;
  gboolean row = FALSE;

  if (!ear_database_step (self->database, statement, &row, error) || !row)
    return !row;
  facts->guid = ear_statement_dup_text (statement, 0);
  facts->title = ear_statement_dup_text (statement, 1);
  facts->notes = ear_statement_dup_text (statement, 2);
  record = ear_episode_record_new (facts);
  if (record == NULL)
    return TRUE;
  g_ptr_array_add (self->held, record);
  ear_catalogue_tables_change_text (self, podcast, key, record, FALSE);

  return TRUE;
}

/* Distributes the keys of episodes of one date among them, in the order of the feed. */
static gboolean
order_date (EarCatalogueTables *self, gint64 podcast, const EarOrdered *items, guint n, GError **error)
{
  g_autofree gint64 *keys = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    keys[i] = items[i].key;
  qsort (keys, n, sizeof *keys, compare_keys_descending);
  for (guint i = 0; i < n; i++)
    if (keys[i] != items[i].key)
      {
        forget_text (self, items[i].key);
        ear_catalogue_tables_change_text (self, podcast, items[i].key, NULL, FALSE);
        if (!ear_catalogue_tables_forget_links (self, items[i].id, items[i].key, error))
          return FALSE;
      }
  for (guint i = 0; i < n; i++)
    if (keys[i] != items[i].key)
      {
        if (!ear_database_execute (self->database, error, "UPDATE episode SET sort_key = ?2 WHERE id = ?1", "xx", items[i].id,
                                   keys[i]) ||
            !index_text (self, podcast, items[i].id, keys[i], error))
          return FALSE;
        ear_podcast_event_rewrite (ear_catalogue_event_get (self->event, podcast), items[i].id, EAR_CHANGE_DATE);
      }

  return TRUE;
}

/* Sorts episodes of one date in the order of the feed: a new one got the lowest key of
 * its second, though it is at the top of the feed. */
gboolean
ear_catalogue_tables_order_answer (EarCatalogueTables *self, EarAnswer *answer, GError **error)
{
  GArray *order = answer->order;

  if (!add_dropped (self, answer, error))
    return FALSE;
  g_array_sort (order, compare_ordered);
  for (guint first = 0, next; first < order->len; first = next)
    {
      const EarOrdered *items = &g_array_index (order, EarOrdered, first);

      for (next = first + 1; next < order->len && g_array_index (order, EarOrdered, next).published == items->published;)
        next++;
      if (items->published != EAR_DATE_UNKNOWN && next - first > 1 &&
          !order_date (self, answer->podcast, items, next - first, error))
        return FALSE;
    }
  g_array_set_size (order, 0);

  return TRUE;
}

/* Deletes a duplicate row of an episode, after moving its marks and its guid to the other
 * row. A row with a download stays until that is removed.
 * @episode: row id of the duplicate
 * @into: row id of the same episode */
gboolean
ear_catalogue_tables_merge_episode (EarCatalogueTables *self, gint64 episode, gint64 into, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error, "SELECT podcast, sort_key, guid, " EAR_MARK_SQL_ALL " FROM episode WHERE id = ?1 AND download = 0", "x",
      episode);
  g_autofree char *guid = NULL;
  EarEpisodeState state = { 0 };
  EarPodcastEvent *event;
  gint64 podcast, key;
  gboolean row = FALSE;

  if (!ear_database_step (self->database, statement, &row, error) || !row)
    return !row;
  podcast = sqlite3_column_int64 (statement, 0);
  key = sqlite3_column_int64 (statement, 1);
  guid = ear_statement_dup_text (statement, 2);
  ear_mark_sql_read (&state, statement, 3);
  ear_statement_reset (statement);

  forget_text (self, key);
  ear_catalogue_tables_change_text (self, podcast, key, NULL, FALSE);
  if (!ear_catalogue_tables_merge_state (self, into, &state, error) ||
      !ear_database_execute (self->database, error, "DELETE FROM notes WHERE episode = ?1", "x", episode) ||
      !ear_database_execute (self->database, error, "DELETE FROM episode WHERE id = ?1", "x", episode) ||
      !ear_database_execute (self->database, error,
                             "UPDATE OR IGNORE episode SET feed_guid = ?2 WHERE id = ?1 AND feed_guid IS NULL", "xs", into, guid))
    return FALSE;
  event = ear_catalogue_event_get (self->event, podcast);
  ear_podcast_event_append (&event->removed, episode);
  event->counted = TRUE;

  return TRUE;
}
