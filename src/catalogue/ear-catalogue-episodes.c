/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-episode-rows.h"

/* Main thread: the live objects of episodes, and the pages of rows that fill them. */

/* An episode with a live object; the entry is freed with the object. The object has the
 * listener's changes before the file does: until they are stored the catalogue holds the
 * object, so that no new one is filled with the file's older values. */
typedef struct
{
  gint64 id;
  EarCatalogue *catalogue;
  EarEpisode *episode; /* held while there are unstored states */
  GArray *states;      /* (element-type EarEpisodeState) (nullable): to be stored, in order */
} LiveEpisode;

static void
episode_gone_cb (gpointer data, GObject *where_the_object_was)
{
  LiveEpisode *live = data;

  g_hash_table_remove (live->catalogue->episodes, &live->id);
  g_free (live);
}

static void
add_live (EarCatalogue *self, EarEpisode *episode)
{
  LiveEpisode *live = g_new0 (LiveEpisode, 1);

  live->id = ear_episode_get_id (episode);
  live->catalogue = self;
  live->episode = episode;
  g_object_weak_ref (G_OBJECT (episode), episode_gone_cb, live);
  g_hash_table_insert (self->episodes, &live->id, live);
}

/* Drops the weak references to objects that others still hold. */
void
ear_catalogue_forget_episodes (EarCatalogue *self)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->episodes);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      LiveEpisode *live = data;

      g_hash_table_iter_remove (&iter);
      g_object_weak_unref (G_OBJECT (live->episode), episode_gone_cb, live);
      if (live->states != NULL)
        g_object_unref (live->episode);
      g_clear_pointer (&live->states, g_array_unref);
      g_free (live);
    }
}

/* Returns: (transfer none) (nullable): the episode's live object */
EarEpisode *
ear_catalogue_lookup_live (EarCatalogue *self, gint64 id)
{
  const LiveEpisode *live = g_hash_table_lookup (self->episodes, &id);

  return live != NULL ? live->episode : NULL;
}

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
  ear_episode_set_mark (episode, mark, ear_mark_bound (mark, state->values[mark]));
}

static void
apply_state (EarEpisode *episode, const EarEpisodeState *state)
{
  g_object_freeze_notify (G_OBJECT (episode));
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (state->updated[i] != 0)
      apply_mark (episode, i, state);
  g_object_thaw_notify (G_OBJECT (episode));
}

static EarEpisode *
make_episode (EarCatalogue *self, const EarEpisodeRow *row)
{
  EarPodcast *podcast = ear_catalogue_lookup_podcast (self, row->podcast);
  EarEpisode *episode;

  if (podcast == NULL || row->guid == NULL)
    return NULL;
  episode = ear_episode_new (row->id, podcast, row->guid);
  set_facts (episode, row);
  for (guint i = 0; i < EAR_N_MARKS; i++)
    apply_mark (episode, i, &row->state);
  ear_catalogue_apply_download (self, episode, row->download);
  add_live (self, episode);

  return episode;
}

/* Context of reading rows */
typedef struct
{
  EarCatalogue *catalogue;
  GPtrArray *episodes; /* (nullable): array for the episodes */
} Reading;

/* The only reading on the main thread: rows by primary key, which the reader thread has
 * read before (ear_catalogue_prefetch_async()), so that the disk is not waited for. */
static void
read_rows (EarCatalogue *self, const gint64 *ids, guint n_ids, EarEpisodeRowFunc func, GPtrArray *episodes)
{
  Reading reading = { self, episodes };
  g_autoptr (GError) error = NULL;

  if (self->pages != NULL && !ear_episode_rows_read (self->pages, ids, n_ids, func, &reading, &error))
    g_message ("Episodes cannot be read: %s", error->message);
}

static void
keep_row (const EarEpisodeRow *row, gpointer user_data)
{
  Reading *reading = user_data;
  EarEpisode *episode = ear_catalogue_lookup_live (reading->catalogue, row->id);

  episode = episode != NULL ? g_object_ref (episode) : make_episode (reading->catalogue, row);
  if (episode != NULL)
    g_ptr_array_add (reading->episodes, episode);
}

/* Loads episodes; those without a live object with one query.
 * @ids: (array length=n_ids): row ids
 * @n_ids: number of @ids, up to a page
 * Returns: (transfer full) (element-type EarEpisode): the existing ones, in no order */
GPtrArray *
ear_catalogue_load_page (EarCatalogue *self, const gint64 *ids, guint n_ids)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 missing[EAR_EPISODE_ROWS_PAGE];
  guint n_missing = 0;

  for (guint i = 0; i < MIN (n_ids, EAR_EPISODE_ROWS_PAGE); i++)
    {
      EarEpisode *episode = ear_catalogue_lookup_live (self, ids[i]);

      if (episode != NULL)
        g_ptr_array_add (episodes, g_object_ref (episode));
      else
        missing[n_missing++] = ids[i];
    }
  read_rows (self, missing, n_missing, keep_row, episodes);

  return episodes;
}

static void
update_row (const EarEpisodeRow *row, gpointer user_data)
{
  EarEpisode *episode = ear_catalogue_lookup_live (((Reading *) user_data)->catalogue, row->id);

  /* Keep the object's state: the player may be ahead of the stored state. */
  if (episode != NULL)
    set_facts (episode, row);
}

/* Reads the rows of @ids that have a live object. */
static void
read_live_rows (EarCatalogue *self, GArray *ids, EarEpisodeRowFunc func)
{
  g_autoptr (GArray) live = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (g_hash_table_size (self->episodes) == 0)
    return;
  for (guint i = 0; i < ids->len; i++)
    {
      gint64 id = g_array_index (ids, gint64, i);

      if (g_hash_table_contains (self->episodes, &id))
        g_array_append_val (live, id);
    }
  read_rows (self, (const gint64 *) (gpointer) live->data, live->len, func, NULL);
}

/* Updates live objects.
 * @ids: (element-type gint64): row ids of episodes whose facts have changed */
void
ear_catalogue_reload_live (EarCatalogue *self, GArray *ids)
{
  read_live_rows (self, ids, update_row);
}

/* Removes the members with a newer change by the listener. */
static void
leave_out_pending (EarCatalogue *self, gint64 id, EarEpisodeState *state)
{
  const LiveEpisode *live = g_hash_table_lookup (self->episodes, &id);

  for (guint i = 0; live != NULL && live->states != NULL && i < live->states->len; i++)
    ear_episode_state_leave_out (state, &g_array_index (live->states, EarEpisodeState, i));
}

/* Updates live objects, except for unstored changes by the listener.
 * @states: (element-type EarStoredState): states from the files, now stored */
void
ear_catalogue_apply_states (EarCatalogue *self, GArray *states)
{
  for (guint i = 0; i < states->len; i++)
    {
      const EarStoredState *change = &g_array_index (states, EarStoredState, i);
      EarEpisode *episode = ear_catalogue_lookup_live (self, change->id);

      if (episode != NULL)
        {
          EarEpisodeState state = change->state;

          leave_out_pending (self, change->id, &state);
          apply_state (episode, &state);
        }
    }
}

/* Lists live objects, holding them: handlers of a change may release some,
 * or load others. */
static GPtrArray *
list_live (EarCatalogue *self)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->episodes);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    g_ptr_array_add (episodes, g_object_ref (((LiveEpisode *) data)->episode));

  return episodes;
}

/* Updates the downloads of live objects. */
void
ear_catalogue_apply_downloads (EarCatalogue *self)
{
  g_autoptr (GPtrArray) episodes = list_live (self);

  for (guint i = 0; i < episodes->len; i++)
    ear_catalogue_apply_download (self, g_ptr_array_index (episodes, i), EAR_DOWNLOAD_KIND_NONE);
}

/* Updates live objects, except for later changes by the listener. */
void
ear_catalogue_apply_marks (EarCatalogue *self, EarMarks *marks)
{
  g_autoptr (GPtrArray) episodes = list_live (self);

  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);
      EarEpisodeState state = marks->state;

      if (!ear_marks_contain (marks, ear_episode_get_id (episode)))
        continue;
      leave_out_pending (self, ear_episode_get_id (episode), &state);
      apply_state (episode, &state);
      ear_catalogue_touch (self, ear_episode_get_podcast (episode));
    }
}

static void
take_mark_back (const EarEpisodeRow *row, gpointer user_data)
{
  EarCatalogue *self = ((Reading *) user_data)->catalogue;
  EarEpisode *episode = ear_catalogue_lookup_live (self, row->id);
  EarEpisodeState state = row->state;

  if (episode == NULL)
    return;
  for (guint i = 0; i < EAR_N_MARKS; i++)
    state.updated[i] = ear_mark_get_kind (i) == EAR_MARK_FLAG;
  leave_out_pending (self, row->id, &state);
  apply_state (episode, &state);
}

/* Resets marks to the stored values: the live objects got the new ones before.
 * @ids: (element-type gint64): row ids of episodes whose marks could not be stored */
void
ear_catalogue_take_marks_back (EarCatalogue *self, GArray *ids)
{
  read_live_rows (self, ids, take_mark_back);
}

static void
add_pending (EarCatalogue *self, EarEpisode *episode, const EarEpisodeState *state)
{
  gint64 id = ear_episode_get_id (episode);
  LiveEpisode *live = g_hash_table_lookup (self->episodes, &id);

  if (live == NULL)
    return;
  if (live->states == NULL)
    {
      g_object_ref (episode);
      live->states = g_array_new (FALSE, FALSE, sizeof (EarEpisodeState));
    }
  g_array_append_vals (live->states, state, 1);
}

/* @ids: (element-type gint64): episodes, once for each of their states that was stored */
void
ear_catalogue_acknowledge (EarCatalogue *self, GArray *ids, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    {
      gint64 id = g_array_index (ids, gint64, i);
      LiveEpisode *live = g_hash_table_lookup (self->episodes, &id);

      if (live == NULL || live->states == NULL)
        continue;
      g_array_remove_index (live->states, 0);
      if (live->states->len > 0)
        continue;
      g_clear_pointer (&live->states, g_array_unref);
      g_object_unref (live->episode);
    }
}

/**
 * ear_catalogue_dup_episode:
 * @self: the catalogue
 * @id: row id
 *
 * Loads an episode. While anyone holds it, all callers get the same object.
 *
 * Returns: (transfer full) (nullable): the episode, or %NULL if there is none
 *   with that id
 */
EarEpisode *
ear_catalogue_dup_episode (EarCatalogue *self, gint64 id)
{
  g_autoptr (GPtrArray) page = NULL;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  page = ear_catalogue_load_page (self, &id, 1);

  return page->len > 0 ? g_object_ref (g_ptr_array_index (page, 0)) : NULL;
}

/**
 * ear_catalogue_dup_episode_by_guid:
 * @self: the catalogue
 * @podcast: a podcast
 * @guid: identity of one of its episodes
 *
 * Returns: (transfer full) (nullable): the episode, or %NULL
 */
EarEpisode *
ear_catalogue_dup_episode_by_guid (EarCatalogue *self, EarPodcast *podcast, const char *guid)
{
  g_autoptr (GError) error = NULL;
  gint64 id = 0;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), NULL);
  g_return_val_if_fail (guid != NULL, NULL);

  if (self->pages == NULL)
    return NULL;
  if (!ear_database_get_int (self->pages, &error, &id, EAR_FIND_EPISODE_SQL, "xs", ear_podcast_get_id (podcast), guid))
    g_message ("An episode cannot be found: %s", error->message);

  return id != 0 ? ear_catalogue_dup_episode (self, id) : NULL;
}

/* --- Writer thread ------------------------------------------------------------------- */

/* On success, ear_catalogue_tables_put_state() acknowledges it. */
static void
notify_of_state (EarCatalogueTables *tables, EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  if (error != NULL)
    g_array_append_val (event->acknowledged, op->episode);
}

static const EarCatalogueOpKind state_kind = {
  .flags = EAR_OP_URGENT,
  .data_free = g_free,
  .perform = ear_catalogue_tables_put_state,
  .tell = notify_of_state,
};

static const EarCatalogueOpKind duration_kind = { .flags = EAR_OP_URGENT, .perform = ear_catalogue_tables_put_duration };

/* --- Main thread --------------------------------------------------------------------- */

/**
 * ear_catalogue_set_state:
 * @self: the catalogue
 * @episode: an episode
 * @state: the listener's marks; members with a stamp count
 *
 * Updates the episode's object at once, and stores the change.
 */
void
ear_catalogue_set_state (EarCatalogue *self, EarEpisode *episode, const EarEpisodeState *state)
{
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (state != NULL);

  if (self->closed)
    return;
  ear_catalogue_touch (self, ear_episode_get_podcast (episode));
  apply_state (episode, state);
  add_pending (self, episode, state);
  op = ear_catalogue_op_new (&state_kind, 0, g_memdup2 (state, sizeof *state));
  op->episode = ear_episode_get_id (episode);
  ear_catalogue_push (self, op);
}

/**
 * ear_catalogue_set_duration:
 * @self: the catalogue
 * @episode: an episode
 * @duration: its duration in microseconds, as measured by the player
 *
 * Updates the episode's object at once, and stores the duration; the feed's is ignored
 * from now on.
 */
void
ear_catalogue_set_duration (EarCatalogue *self, EarEpisode *episode, gint64 duration)
{
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (self->closed || duration <= 0)
    return;
  ear_episode_set_duration (episode, duration);
  op = ear_catalogue_op_new (&duration_kind, 0, NULL);
  op->episode = ear_episode_get_id (episode);
  op->value = duration;
  ear_catalogue_push (self, op);
}
