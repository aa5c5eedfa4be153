/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-address.h"
#include "ear-columns.h"
#include "ear-episode-sql.h"

/* Episodes by their keys, for other programs: see ear_episode_dup_key(). */

/* A key cannot be looked up, only compared: one scan compares all wanted keys, newest
 * rows first, as other programs usually have the keys of new episodes. */
static gpointer
find_keys (EarDatabase *database, const EarRead *read)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *ids = g_array_new (FALSE, TRUE, sizeof (gint64));
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      "SELECT episode.id, address, episode.guid FROM episode JOIN podcast ON podcast.id = podcast"
      " WHERE hidden = 0 ORDER BY episode.id DESC");

  g_array_set_size (ids, g_strv_length (read->keys));
  for (guint i = 0; i < ids->len; i++)
    if (ear_address_is_hash (read->keys[i]))
      g_hash_table_insert (wanted, read->keys[i], &g_array_index (ids, gint64, i));
  while (g_hash_table_size (wanted) > 0 && ear_database_step (database, statement))
    {
      const char *address = ear_statement_get_text (statement, 1);
      const char *guid = ear_statement_get_text (statement, 2);
      g_autofree char *key = address != NULL && guid != NULL ? ear_address_hash (address, guid)
                                                             : NULL;
      gint64 *id = key != NULL ? g_hash_table_lookup (wanted, key) : NULL;

      if (id == NULL)
        continue;
      *id = sqlite3_column_int64 (statement, 0);
      g_hash_table_remove (wanted, key);
    }

  return ids;
}

/* Episodes of followed podcasts, for ear_catalogue_find_keys_finish().
 * @keys: keys of episodes from another program, each once: see ear_episode_dup_key() */
EarRead
ear_read_keys (const char *const *keys)
{
  return (EarRead) { .func = find_keys,
                     .result_free = (GDestroyNotify) g_array_unref,
                     .keys = g_strdupv ((char **) keys) };
}

static void
drop_episode (gpointer episode)
{
  g_clear_object (&episode);
}

/* Returns: (transfer full) (nullable) (element-type EarEpisode): an episode or %NULL for
 * each key; or %NULL on an error */
GPtrArray *
ear_catalogue_find_keys_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GArray) ids = NULL;
  GPtrArray *episodes;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  ids = ear_catalogue_read_finish (self, result, error);
  if (ids == NULL)
    return NULL;
  episodes = g_ptr_array_new_full (ids->len, drop_episode);
  for (guint i = 0; i < ids->len; i++)
    {
      const gint64 id = g_array_index (ids, gint64, i);

      g_ptr_array_add (episodes, id != 0 ? ear_catalogue_dup_episode (self, id) : NULL);
    }

  return episodes;
}

/* Returns: (transfer full) (nullable): the episode of the first key; %NULL without an error if
 * there is none */
EarEpisode *
ear_catalogue_find_key_finish (EarCatalogue *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) episodes = ear_catalogue_find_keys_finish (self, result, error);

  return episodes != NULL && episodes->pdata[0] != NULL ? g_object_ref (episodes->pdata[0]) : NULL;
}

/* Main thread: wanted and finished downloads. Their episodes' objects follow the data in
 * memory; the rows are a copy of it for the filters. */

static const EarDownload downloads[] = {
  [EAR_DOWNLOAD_KIND_NONE] = EAR_DOWNLOAD_NONE,
  [EAR_DOWNLOAD_KIND_WANTED] = EAR_DOWNLOAD_WAITING,
  [EAR_DOWNLOAD_KIND_THERE] = EAR_DOWNLOAD_DONE,
};

static gboolean
is_wanted (EarDownload download)
{
  return download != EAR_DOWNLOAD_NONE && download != EAR_DOWNLOAD_DONE;
}

static char *
dup_download_key (gint64 podcast, const char *guid)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", podcast, guid);
}

/* Sets the state of an episode's download. The code that fetches it sets its progress.
 * @stored: the row's state, used until ear_catalogue_set_downloads() was called */
static void
apply_download (EarCatalogue *self, EarEpisode *episode, EarDownloadKind stored)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  if (self->downloads != NULL)
    {
      g_autofree char *key =
          dup_download_key (ear_podcast_get_id (podcast), ear_episode_get_guid (episode));

      stored = GPOINTER_TO_INT (g_hash_table_lookup (self->downloads, key));
    }
  if (!is_wanted (downloads[stored]) || !is_wanted (ear_episode_get_download (episode)))
    ear_episode_set_download (episode, downloads[stored], NULL);
}

/* An episode with a live object; the entry is freed with the object. The object has the
 * listener's changes before the file does: until they are stored the catalogue holds the
 * object, so that no new one is filled with the file's older values. */
typedef struct
{
  gint64 id;
  EarCatalogue *catalogue;
  EarEpisode *episode;  /* held while there are unstored states */
  guint n_unstored;     /* states */
  gboolean is_outdated; /* the row got other marks meanwhile */
} LiveEpisode;

/* Updates the episodes' objects at once, and stores the marks for the filters. An
 * episode that is not in the catalogue yet gets its state when it comes; its row only
 * with the next call that has it.
 * @marks: (element-type EarDownloadMark): episodes that are downloaded, wanted, or no
 * longer either; immutable from now on
 * @whole: whether no other episodes are downloaded or wanted */
void
ear_catalogue_set_downloads (EarCatalogue *self, GPtrArray *marks, gboolean whole)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer live;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  if (self->closed || (marks->len == 0 && !whole))
    return;
  if (self->downloads == NULL)
    self->downloads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (whole)
    g_hash_table_remove_all (self->downloads);

  for (guint i = 0; i < marks->len; i++)
    {
      const EarDownloadMark *mark = g_ptr_array_index (marks, i);

      g_hash_table_insert (self->downloads, dup_download_key (mark->podcast, mark->guid),
                           GINT_TO_POINTER (mark->kind));
    }
  /* Hold the objects: handlers of a change may release some, or load others. */
  g_hash_table_iter_init (&iter, self->episodes);
  while (g_hash_table_iter_next (&iter, NULL, &live))
    g_ptr_array_add (episodes, g_object_ref (((LiveEpisode *) live)->episode));
  for (guint i = 0; i < episodes->len; i++)
    apply_download (self, g_ptr_array_index (episodes, i), EAR_DOWNLOAD_KIND_NONE);
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_put_downloads,
                                                    .items = g_ptr_array_ref (marks),
                                                    .value = whole });
}

/* Main thread: the live objects of episodes, and the pages of rows that fill them. */

static void
episode_gone_cb (gpointer data, GObject *where_the_object_was)
{
  LiveEpisode *live = data;

  g_hash_table_steal (live->catalogue->episodes, &live->id);
  g_free (live);
}

/* Drops the weak reference to an object that others still hold. */
void
ear_catalogue_free_live (gpointer data)
{
  LiveEpisode *live = data;

  g_object_weak_unref (G_OBJECT (live->episode), episode_gone_cb, live);
  if (live->n_unstored > 0)
    g_object_unref (live->episode);
  g_free (live);
}

EarEpisode *
ear_catalogue_lookup_live (EarCatalogue *self, gint64 id)
{
  const LiveEpisode *live = g_hash_table_lookup (self->episodes, &id);

  return live != NULL ? live->episode : NULL;
}

/* Keeps the object's marks: the player may be ahead of the stored ones. */
static void
set_facts (EarEpisode *episode, const EarEpisodeRow *row)
{
  g_object_freeze_notify (G_OBJECT (episode));
  ear_episode_set_facts (episode, row->facts);
  /* The player's measurement wins over the feed's duration. */
  if (row->measured > 0)
    ear_episode_set_duration (episode, row->measured);
  ear_episode_set_fresh (episode, row->fresh);
  g_object_thaw_notify (G_OBJECT (episode));
}

static void
apply_mark (EarEpisode *episode, EarMark mark, const EarEpisodeState *state)
{
  if (mark == EAR_MARK_POSITION)
    ear_episode_set_heard (episode, state->updated[mark]);
  ear_episode_set_mark (episode, mark, state->values[mark]);
}

static void
make_episode (EarCatalogue *self, const EarEpisodeRow *row, GPtrArray *episodes)
{
  EarPodcast *podcast = ear_catalogue_lookup_podcast (self, row->podcast);
  EarEpisode *episode;
  LiveEpisode *live;

  if (podcast == NULL || row->guid == NULL)
    return;
  episode = ear_episode_new (row->id, podcast, row->guid);
  set_facts (episode, row);
  for (guint i = 0; i < EAR_N_MARKS; i++)
    apply_mark (episode, i, &row->state);
  apply_download (self, episode, row->download);
  live = g_new0 (LiveEpisode, 1);
  live->id = row->id;
  live->catalogue = self;
  live->episode = episode;
  g_object_weak_ref (G_OBJECT (episode), episode_gone_cb, live);
  g_hash_table_insert (self->episodes, &live->id, live);
  g_ptr_array_add (episodes, episode);
}

/* Updates a live object. */
typedef void (*RowFunc) (EarEpisode *episode, const EarEpisodeRow *row);

/* The only reading on the main thread: rows by primary key, in no order
 * @episodes: gets the objects of those that had none */
static void
read_rows (EarCatalogue *self, GArray *ids, RowFunc update, GPtrArray *episodes)
{
  g_autoptr (EarStatement) statement = NULL;
  g_autoptr (GError) error = NULL;

  if (self->pages == NULL)
    return;
  statement = ear_database_query (self->pages,
                                  "SELECT " EAR_EPISODE_ROW_COLUMNS
                                  " FROM episode WHERE id IN (SELECT value FROM json_each (?1))",
                                  "a", ids);
  while (ear_database_step (self->pages, statement))
    {
      g_auto (EarEpisodeRow) row = { 0 };
      EarEpisode *live;

      ear_episode_row_read (&row, statement);
      live = ear_catalogue_lookup_live (self, row.id);
      if (live != NULL)
        update (live, &row);
      else
        make_episode (self, &row, episodes);
    }
  if (!ear_database_finish (self->pages, &error))
    g_message ("Episodes cannot be read: %s", error->message);
}

/* Loads episodes; those without a live object with one query.
 * @ids: (array length=n_ids): row ids
 * @n_ids: number of @ids, up to a page
 * Returns: (transfer full) (element-type EarEpisode): the existing ones, in no order */
GPtrArray *
ear_catalogue_load_page (EarCatalogue *self, const gint64 *ids, guint n_ids)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) missing = ear_ids_new ();

  for (guint i = 0; i < MIN (n_ids, EAR_EPISODE_ROWS_PAGE); i++)
    {
      EarEpisode *episode = ear_catalogue_lookup_live (self, ids[i]);

      if (episode != NULL)
        g_ptr_array_add (episodes, g_object_ref (episode));
      else
        g_array_append_val (missing, ids[i]);
    }
  read_rows (self, missing, set_facts, episodes);

  return episodes;
}

/* Keeps the object's position if it is of the row's last playback: the player may be ahead
 * of the stored one. */
static void
update_marks (EarEpisode *episode, const EarEpisodeRow *row)
{
  g_object_freeze_notify (G_OBJECT (episode));
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (i != EAR_MARK_POSITION || row->state.updated[i] != ear_episode_get_heard (episode))
      apply_mark (episode, i, &row->state);
  g_object_thaw_notify (G_OBJECT (episode));
}

/* Updates live objects from their rows. Marks of an object with unstored changes follow later.
 * @ids: (element-type gint64): row ids of episodes
 * @marks: whether others have marked them, or their marks could not be stored; otherwise
 * their facts have changed */
void
ear_catalogue_reload (EarCatalogue *self, GArray *ids, gboolean marks)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) stored = ear_ids_new ();

  for (guint i = 0; i < ids->len; i++)
    {
      LiveEpisode *live = g_hash_table_lookup (self->episodes, &g_array_index (ids, gint64, i));

      if (live == NULL)
        continue;
      if (marks)
        ear_catalogue_touch (self, ear_episode_get_podcast (live->episode));
      live->is_outdated |= marks && live->n_unstored > 0;
      if (!marks || !live->is_outdated)
        g_array_append_val (stored, live->id);
    }
  read_rows (self, stored, marks ? update_marks : set_facts, episodes);
}

/* @id: an episode, once for each of its states that was stored, or could not be */
void
ear_catalogue_acknowledge (EarCatalogue *self, gint64 id)
{
  LiveEpisode *live = g_hash_table_lookup (self->episodes, &id);
  g_autoptr (GArray) outdated = NULL;

  if (live == NULL || live->n_unstored == 0 || --live->n_unstored > 0)
    return;
  if (live->is_outdated)
    ear_ids_append (&outdated, id);
  live->is_outdated = FALSE;
  g_object_unref (live->episode);
  if (outdated != NULL)
    ear_catalogue_reload (self, outdated, TRUE);
}

/* Loads an episode. While anyone holds it, all callers get the same object.
 * Returns: (transfer full) (nullable): the episode, or %NULL if there is none with that
 * id */
EarEpisode *
ear_catalogue_dup_episode (EarCatalogue *self, gint64 id)
{
  g_autoptr (GPtrArray) page = NULL;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  page = ear_catalogue_load_page (self, &id, 1);

  return page->len > 0 ? g_object_ref (g_ptr_array_index (page, 0)) : NULL;
}

/* @guid: identity of one of its episodes
 * Returns: (transfer full) (nullable): the episode, or %NULL */
EarEpisode *
ear_catalogue_dup_episode_by_guid (EarCatalogue *self, EarPodcast *podcast, const char *guid)
{
  g_autoptr (GError) error = NULL;
  gint64 id;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), NULL);

  if (self->pages == NULL)
    return NULL;
  id = ear_database_get_int (self->pages, EAR_FIND_EPISODE_SQL, "xs", ear_podcast_get_id (podcast),
                             guid);
  if (!ear_database_finish (self->pages, &error))
    g_message ("An episode cannot be found: %s", error->message);

  return id != 0 ? ear_catalogue_dup_episode (self, id) : NULL;
}

/* Updates the episode's object at once, and stores the change.
 * @state: the listener's marks; members with a stamp count */
void
ear_catalogue_set_state (EarCatalogue *self, EarEpisode *episode, const EarEpisodeState *state)
{
  const gint64 id = ear_episode_get_id (episode);
  LiveEpisode *live;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (self->closed)
    return;
  ear_catalogue_touch (self, ear_episode_get_podcast (episode));
  g_object_freeze_notify (G_OBJECT (episode));
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (state->updated[i] != 0)
      apply_mark (episode, i, state);
  g_object_thaw_notify (G_OBJECT (episode));
  live = g_hash_table_lookup (self->episodes, &id);
  if (live != NULL && live->n_unstored++ == 0)
    g_object_ref (episode);
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_put_state,
                                                    .flags = EAR_OP_ACKNOWLEDGED,
                                                    .episode = id,
                                                    .state = *state });
}

/* Updates the episode's object at once, and stores the duration; the feed's is ignored
 * from now on.
 * @duration: its duration in microseconds, as measured by the player */
void
ear_catalogue_set_duration (EarCatalogue *self, EarEpisode *episode, gint64 duration)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (self->closed || duration <= 0)
    return;
  ear_episode_set_duration (episode, duration);
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_put_duration,
                                                    .episode = ear_episode_get_id (episode),
                                                    .value = duration });
}

/* Marking many episodes, on the writer thread */

/* Sets the mark in the live objects, before it is stored. */
static void
show_marks (EarCatalogue *self, GArray *ids, EarMark mark, gint64 value)
{
  for (guint i = 0; !self->closed && i < ids->len; i++)
    {
      EarEpisode *episode = ear_catalogue_lookup_live (self, g_array_index (ids, gint64, i));

      if (episode == NULL)
        continue;
      ear_catalogue_touch (self, ear_episode_get_podcast (episode));
      ear_episode_set_mark (episode, mark, value);
    }
}

/* Marks episodes. Their objects change at once, unless the catalogue first has to find
 * the episodes. The callback calls ear_catalogue_write_finish().
 * @mark: a mark that is a flag */
void
ear_catalogue_mark_async (EarCatalogue *self, const EarMarkTarget *target, EarMark mark,
                          gint64 value, GAsyncReadyCallback callback, gpointer user_data)
{
  EarCatalogueOp op = { .perform = ear_writer_mark,
                        .state = ear_episode_state_new_mark (mark, value) };
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (target->older_than == NULL || EAR_IS_EPISODE (target->older_than));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_catalogue_mark_async);
  if (target->ids != NULL)
    g_task_set_task_data (task, g_array_ref (target->ids), (GDestroyNotify) g_array_unref);
  if (target->ids != NULL && target->older_than == NULL)
    show_marks (self, target->ids, mark, value);
  if (self->closed || self->writer == NULL)
    {
      g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED,
                                       "The catalogue is not open");
      return;
    }
  if (target->ids != NULL)
    op.ids = g_array_ref (target->ids);
  else
    {
      op.query = ear_episode_query_copy (target->query);
      op.query->sort = EAR_SORT_NEWEST;
      ear_catalogue_complete_query (self, op.query);
    }
  op.value = target->older_than != NULL ? ear_episode_get_id (target->older_than) : 0;
  op.task = g_steal_pointer (&task);
  ear_writer_push (self->writer, op);
}

/* Passes on all marks.
 * @always: whether to do so after a clean exit, too; after a kill, the listener's last changes
 * may be in the catalogue only
 * @func: called with the marks and @object, on the writer thread */
void
ear_catalogue_review_marks (EarCatalogue *self, gboolean always, EarMarksFunc func,
                            GObject *object)
{
  if ((!always && !self->health.was_unclean) || self->closed || self->writer == NULL)
    return;
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_list_marks,
                                                    .func = func,
                                                    .data = g_object_ref (object),
                                                    .data_free = g_object_unref });
}

static void
store_moments (EarCatalogue *self, EarMomentsKind kind, EarEpisode *episode,
               EarTranscript *transcript)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (!self->closed)
    ear_writer_push (self->writer, (EarCatalogueOp) {
                                     .perform = ear_writer_put_moments,
                                     .value = kind,
                                     .episode = ear_episode_get_id (episode),
                                     .data = ear_transcript_ref (transcript),
                                     .data_free = (GDestroyNotify) ear_transcript_unref,
                                   });
}

/* Makes searches find an episode by its transcript. */
void
ear_catalogue_store_transcript (EarCatalogue *self, EarEpisode *episode, EarTranscript *transcript)
{
  store_moments (self, EAR_MOMENTS_SENTENCES, episode, transcript);
}

/* Makes searches find an episode by the titles of its chapters.
 * @chapters: all its known chapters */
void
ear_catalogue_store_chapters (EarCatalogue *self, EarEpisode *episode, GPtrArray *chapters)
{
  g_autoptr (EarTranscript) titles = ear_chapter_titles_new (chapters);

  store_moments (self, EAR_MOMENTS_CHAPTERS, episode, titles);
}

/* Responses of feeds and states from files, for the writer */

/* Begins a feed's response; its batches follow. An earlier, incomplete response is forgotten:
 * duplicates are detected within one response. Any thread may call it. */
void
ear_catalogue_begin_response (EarCatalogue *self, gint64 podcast)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_begin_response,
                                                    .podcast = podcast });
}

/* Stores a part of a feed's response. New episodes are inserted; edited ones are updated
 * in place; others are not touched. Any thread may call it; it waits while the writer is
 * overloaded.
 * @facts: (nullable): the feed's facts so far; copied, as they may still grow
 * @episodes: (element-type EarEpisodeFacts): some of its episodes, in the feed's order */
void
ear_catalogue_store_batch (EarCatalogue *self, gint64 podcast, EarPodcastFacts *facts,
                           GPtrArray *episodes)
{
  EarCatalogueOp op = { .perform = ear_writer_put_batch,
                        .flags = EAR_OP_BATCH | EAR_OP_LEAVES_ROOM,
                        .podcast = podcast };

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  op.facts = facts != NULL ? ear_podcast_facts_copy (facts) : NULL;
  op.items = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_record_unref);
  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisodeFacts *episode = g_ptr_array_index (episodes, i);
      EarEpisodeRecord *record =
          ear_episode_record_new (episode, self->text_func (episode->notes));

      if (record == NULL)
        continue;
      op.size += ear_episode_record_get_size (record);
      g_ptr_array_add (op.items, record);
    }
  ear_writer_push (self->writer, op);
}

/* Applies newer values from the state files, member by member. Any thread may call it.
 * @states: (element-type utf8 EarEpisodeState): states by guid; immutable from now on. Those of
 * episodes that the feed has not sent yet wait for them */
void
ear_catalogue_apply_state (EarCatalogue *self, gint64 podcast, GHashTable *states)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ear_writer_push (self->writer, (EarCatalogueOp) {
                                     .perform = ear_writer_put_states,
                                     .podcast = podcast,
                                     .data = g_hash_table_ref (states),
                                     .data_free = (GDestroyNotify) g_hash_table_unref,
                                 });
}
