/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-error.h"
#include "ear-podcast-record.h"

/* Main thread: the podcasts, all of which are in memory. */

typedef struct
{
  EarCatalogue *catalogue; /* borrowed: it ends the purges before it goes */
  gint64 podcast;
} Purge;

static char *
fold_title (EarPodcast *podcast)
{
  const char *title = ear_podcast_get_title (podcast);

  return g_utf8_casefold (title != NULL ? title : ear_podcast_get_address (podcast), -1);
}

static int
compare_ids (EarPodcast *first, EarPodcast *second)
{
  const gint64 first_id = ear_podcast_get_id (first);
  const gint64 second_id = ear_podcast_get_id (second);

  return (first_id > second_id) - (first_id < second_id);
}

static int
compare_podcasts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  g_autofree char *first = fold_title ((EarPodcast *) a);
  g_autofree char *second = fold_title ((EarPodcast *) b);
  const int order = g_utf8_collate (first, second);

  return order != 0 ? order : compare_ids ((EarPodcast *) a, (EarPodcast *) b);
}

/**
 * ear_catalogue_lookup_podcast:
 * @self: the catalogue
 * @id: row id
 *
 * Returns: (transfer none) (nullable): the podcast, also when it is hidden
 */
EarPodcast *
ear_catalogue_lookup_podcast (EarCatalogue *self, gint64 id)
{
  return g_hash_table_lookup (self->by_id, &id);
}

/**
 * ear_catalogue_is_hidden:
 * @self: the catalogue
 * @podcast: row id
 *
 * Returns: whether it was unfollowed, or looked at and forgotten
 */
gboolean
ear_catalogue_is_hidden (EarCatalogue *self, gint64 podcast)
{
  return g_hash_table_contains (self->hidden, &podcast) || !g_hash_table_contains (self->by_id, &podcast);
}

static EarPodcast *
find_by_address (EarCatalogue *self, const char *address)
{
  GHashTableIter iter;
  gpointer podcast;

  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &podcast))
    if (g_strcmp0 (ear_podcast_get_address (podcast), address) == 0)
      return podcast;

  return NULL;
}

static void
add_podcast (EarCatalogue *self, EarPodcast *podcast)
{
  gint64 id = ear_podcast_get_id (podcast);

  g_hash_table_insert (self->by_id, g_memdup2 (&id, sizeof id), g_object_ref (podcast));
  self->next_podcast = MAX (self->next_podcast, id + 1);
}

/* Borrowed from the list, which keeps it; NULL behind its end. */
static EarPodcast *
peek_podcast (EarCatalogue *self, guint position)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (G_LIST_MODEL (self->podcasts), position);

  return podcast;
}

static gboolean
is_in_place (EarCatalogue *self, guint position)
{
  EarPodcast *podcast = peek_podcast (self, position);
  EarPodcast *next = peek_podcast (self, position + 1);

  return (position == 0 || compare_podcasts (peek_podcast (self, position - 1), podcast, NULL) < 0) &&
         (next == NULL || compare_podcasts (podcast, next, NULL) < 0);
}

static guint
find_place (GPtrArray *sorted, EarPodcast *podcast)
{
  guint first = 0;
  guint end = sorted->len;

  while (first < end)
    {
      const guint middle = (first + end) / 2;

      if (compare_podcasts (g_ptr_array_index (sorted, middle), podcast, NULL) < 0)
        first = middle + 1;
      else
        end = middle;
    }

  return first;
}

/* All podcasts in their order, of which only those of @moving do not stand where they belong. */
static GPtrArray *
place_among_others (EarCatalogue *self, GHashTable *moving)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer podcast;

  for (guint i = 0; (podcast = peek_podcast (self, i)) != NULL; i++)
    if (!g_hash_table_contains (moving, podcast))
      g_ptr_array_add (sorted, g_object_ref (podcast));
  g_hash_table_iter_init (&iter, moving);
  while (g_hash_table_iter_next (&iter, &podcast, NULL))
    g_ptr_array_insert (sorted, (int) find_place (sorted, podcast), g_object_ref (podcast));

  return g_steal_pointer (&sorted);
}

/**
 * ear_catalogue_place_podcasts:
 * @self: the catalogue
 * @podcasts: (element-type EarPodcast): those whose title may be another one now
 *
 * Moves podcasts to their places in the list, where they stand elsewhere. All of them move in one
 * step: to those who watch the list, a podcast that moves is never gone.
 */
void
ear_catalogue_place_podcasts (EarCatalogue *self, GPtrArray *podcasts)
{
  g_autoptr (GHashTable) moving = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) sorted = NULL;
  gboolean in_place = TRUE;
  guint position;
  guint first = 0;
  guint end;

  for (guint i = 0; i < podcasts->len; i++)
    if (g_list_store_find (self->podcasts, g_ptr_array_index (podcasts, i), &position))
      {
        g_hash_table_add (moving, g_ptr_array_index (podcasts, i));
        in_place = in_place && is_in_place (self, position);
      }
  if (in_place)
    return;

  sorted = place_among_others (self, moving);
  end = sorted->len;
  while (first < end && g_ptr_array_index (sorted, first) == peek_podcast (self, first))
    first++;
  while (end > first && g_ptr_array_index (sorted, end - 1) == peek_podcast (self, end - 1))
    end--;
  g_list_store_splice (self->podcasts, first, end - first, sorted->pdata + first, end - first);
}

/* --- Purging ------------------------------------------------------------------------- */

static gboolean
purge_cb (gpointer user_data)
{
  Purge *purge = user_data;
  g_autoptr (EarCatalogue) self = g_object_ref (purge->catalogue);
  gint64 id = purge->podcast;
  EarPodcast *podcast = ear_catalogue_lookup_podcast (self, id);
  g_autofree char *address = podcast != NULL ? g_strdup (ear_podcast_get_address (podcast)) : NULL;

  ear_catalogue_push (self, ear_catalogue_op_new (EAR_OP_PURGE, id));
  g_hash_table_remove (self->checks, &id);
  g_hash_table_remove (self->by_id, &id);
  g_hash_table_remove (self->touched, &id);
  g_hash_table_remove (self->hidden, &id);
  if (address != NULL)
    g_signal_emit_by_name (self, "podcast-forgotten", address);

  return G_SOURCE_REMOVE;
}

static void
purge_later (EarCatalogue *self, gint64 podcast)
{
  Purge *purge = g_new0 (Purge, 1);
  GSource *source = g_timeout_source_new (self->purge_delay);

  purge->catalogue = self;
  purge->podcast = podcast;
  g_source_set_static_name (source, "[earmark] purge");
  g_source_set_callback (source, purge_cb, purge, g_free);
  g_source_attach (source, self->context);
  g_hash_table_replace (self->hidden, g_memdup2 (&podcast, sizeof podcast), source);
}

/**
 * ear_catalogue_stop_purges:
 * @self: the catalogue
 *
 * Leaves what waits to be purged to the next start.
 */
void
ear_catalogue_stop_purges (EarCatalogue *self)
{
  GHashTableIter iter;
  gpointer source;

  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, NULL, &source))
    g_source_destroy (source);
}

/**
 * ear_catalogue_set_purge_delay:
 * @self: the catalogue
 * @milliseconds: for how long a podcast that is unfollowed from now on is kept
 */
void
ear_catalogue_set_purge_delay (EarCatalogue *self, guint milliseconds)
{
  self->purge_delay = milliseconds;
}

/* What went wrong the last time is still so as far as anybody knows. */
static void
take_stored_error (EarPodcast *podcast, int code)
{
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, code, "So the last check ended");

  ear_podcast_set_error (podcast, error);
}

/* --- Loading ------------------------------------------------------------------------- */

static void
take_row (EarCatalogue *self, EarPodcastRow *row, GPtrArray *followed)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (row->id, row->address);

  ear_podcast_set_facts (podcast, row->facts);
  ear_podcast_set_n_episodes (podcast, row->n_episodes);
  ear_podcast_set_n_unplayed (podcast, row->n_unplayed);
  add_podcast (self, podcast);
  if (row->check->error > 0)
    take_stored_error (podcast, row->check->error - 1);
  ear_catalogue_take_check (self, podcast, g_steal_pointer (&row->check));
  if (row->touched)
    ear_catalogue_touch (self, podcast);
  else if (row->hidden != 0)
    purge_later (self, row->id);
  else
    {
      ear_podcast_set_followed (podcast, TRUE);
      g_ptr_array_add (followed, g_steal_pointer (&podcast));
    }
}

/* Half of a damaged file is as good as none of it. */
static void
forget_podcasts (EarCatalogue *self)
{
  ear_catalogue_stop_purges (self);
  g_hash_table_remove_all (self->hidden);
  g_hash_table_remove_all (self->touched);
  g_hash_table_remove_all (self->checks);
  g_hash_table_remove_all (self->by_id);
}

typedef struct
{
  EarPodcast *podcast;
  char *key;
} Titled;

static void
titled_clear (Titled *titled)
{
  g_free (titled->key);
}

static int
compare_titled (gconstpointer a, gconstpointer b)
{
  const Titled *first = a, *second = b;
  const int order = strcmp (first->key, second->key);

  return order != 0 ? order : compare_ids (first->podcast, second->podcast);
}

/* As compare_podcasts(), which would fold and weigh each title a dozen times. */
static void
sort_podcasts (GPtrArray *podcasts)
{
  g_autoptr (GArray) titled = g_array_sized_new (FALSE, FALSE, sizeof (Titled), podcasts->len);

  g_array_set_clear_func (titled, (GDestroyNotify) titled_clear);
  for (guint i = 0; i < podcasts->len; i++)
    {
      g_autofree char *folded = fold_title (g_ptr_array_index (podcasts, i));
      const Titled item = { g_ptr_array_index (podcasts, i), g_utf8_collate_key (folded, -1) };

      g_array_append_val (titled, item);
    }
  g_array_sort (titled, compare_titled);
  for (guint i = 0; i < podcasts->len; i++)
    podcasts->pdata[i] = g_array_index (titled, Titled, i).podcast;
}

/**
 * ear_catalogue_load_podcasts:
 * @self: a catalogue that is being opened
 * @database: a connection
 * @error: return location for an `EAR_ERROR`
 *
 * Loads all podcasts: a row each, nothing is counted.
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_load_podcasts (EarCatalogue *self, EarDatabase *database, GError **error)
{
  g_autoptr (GPtrArray) followed = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      "SELECT " EAR_PODCAST_ROW_COLUMNS " FROM podcast LEFT JOIN podcast_check ON podcast_check.podcast = podcast.id"
      " LEFT JOIN podcast_count ON podcast_count.podcast = podcast.id",
      error);
  gboolean is_row = FALSE;

  if (statement == NULL)
    return FALSE;
  while (ear_database_step (database, statement, &is_row, error) && is_row)
    {
      g_auto (EarPodcastRow) row = { 0 };

      ear_podcast_row_read (&row, statement);
      take_row (self, &row, followed);
    }
  if (is_row)
    {
      forget_podcasts (self);
      return FALSE;
    }
  if (!ear_catalogue_load_settings (self, database, error))
    {
      forget_podcasts (self);
      return FALSE;
    }
  sort_podcasts (followed);
  g_list_store_splice (self->podcasts, 0, 0, followed->pdata, followed->len);

  return TRUE;
}

/* --- Public -------------------------------------------------------------------------- */

/**
 * ear_catalogue_get_podcasts:
 * @self: the catalogue
 *
 * Returns: (transfer none): the podcasts that are followed, a list of [class@EarPodcast] by title
 */
GListModel *
ear_catalogue_get_podcasts (EarCatalogue *self)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return G_LIST_MODEL (self->podcasts);
}

/**
 * ear_catalogue_find_podcast:
 * @self: the catalogue
 * @address: address of a feed: where the podcast was first followed at, or is fetched from now
 *
 * Returns: (transfer none) (nullable): the podcast, if it is followed
 */
EarPodcast *
ear_catalogue_find_podcast (EarCatalogue *self, const char *address)
{
  EarPodcast *podcast = ear_catalogue_find_known (self, address);

  return podcast != NULL && ear_podcast_get_followed (podcast) ? podcast : NULL;
}

/**
 * ear_catalogue_find_known:
 * @self: the catalogue
 * @address: address of a feed, as for [method@EarCatalogue.find_podcast]
 *
 * Returns: (transfer none) (nullable): the podcast, if it is followed or being looked at
 */
EarPodcast *
ear_catalogue_find_known (EarCatalogue *self, const char *address)
{
  GHashTableIter iter;
  gpointer podcast;
  EarPodcast *moved = NULL;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &podcast))
    {
      if (ear_catalogue_is_hidden (self, ear_podcast_get_id (podcast)))
        continue;
      if (g_strcmp0 (ear_podcast_get_address (podcast), address) == 0)
        return podcast;
      if (g_strcmp0 (ear_podcast_get_feed_address (podcast), address) == 0)
        moved = podcast;
    }

  return moved;
}

/**
 * ear_catalogue_get_podcast:
 * @self: the catalogue
 * @id: row id
 *
 * Returns: (transfer none) (nullable): the podcast, if it is followed or being looked at
 */
EarPodcast *
ear_catalogue_get_podcast (EarCatalogue *self, gint64 id)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return ear_catalogue_is_hidden (self, id) ? NULL : ear_catalogue_lookup_podcast (self, id);
}

/* Brings a podcast back that waits to be purged, or makes one that was only looked at a
 * followed one: everything is still there. */
static void
show (EarCatalogue *self, EarPodcast *podcast, gboolean followed)
{
  gint64 id = ear_podcast_get_id (podcast);
  GSource *purge = g_hash_table_lookup (self->hidden, &id);
  EarCatalogueOp *op = ear_catalogue_op_new (EAR_OP_SET_HIDDEN, id);

  if (purge != NULL)
    g_source_destroy (purge);
  g_hash_table_remove (self->hidden, &id);
  op->value = followed ? 0 : -1;
  op->time = g_get_real_time () / G_USEC_PER_SEC;
  ear_catalogue_push (self, op);
  if (followed)
    g_list_store_insert_sorted (self->podcasts, podcast, compare_podcasts, NULL);
  ear_podcast_set_followed (podcast, followed);
}

/* Takes a podcast out of sight; it goes a while later. */
static void
hide (EarCatalogue *self, EarPodcast *podcast)
{
  gint64 id = ear_podcast_get_id (podcast);
  EarCatalogueOp *op = ear_catalogue_op_new (EAR_OP_SET_HIDDEN, id);
  guint position;

  op->value = g_get_real_time () / G_USEC_PER_SEC;
  ear_catalogue_push (self, op);
  purge_later (self, id);
  ear_podcast_set_followed (podcast, FALSE);
  if (g_list_store_find (self->podcasts, podcast, &position))
    g_list_store_remove (self->podcasts, position);
}

static EarPodcast *
add_new (EarCatalogue *self, const char *address, const char *title, gboolean followed)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (self->next_podcast, address);
  EarCatalogueOp *op = ear_catalogue_op_new (EAR_OP_FOLLOW, ear_podcast_get_id (podcast));

  ear_podcast_set_title (podcast, title);
  ear_podcast_set_followed (podcast, followed);
  add_podcast (self, podcast);
  if (followed)
    g_list_store_insert_sorted (self->podcasts, podcast, compare_podcasts, NULL);

  op->address = g_strdup (address);
  op->title = g_strdup (title);
  op->value = followed ? g_get_real_time () / G_USEC_PER_SEC : 0;
  ear_catalogue_push (self, op);

  return podcast;
}

/* Also one that waits to be purged. */
static EarPodcast *
find_any (EarCatalogue *self, const char *address)
{
  EarPodcast *podcast = find_by_address (self, address);

  return podcast != NULL ? podcast : ear_catalogue_find_known (self, address);
}

/**
 * ear_catalogue_follow:
 * @self: the catalogue
 * @address: address of a feed
 * @title: (nullable): what to call it until the feed says so
 *
 * Adds a podcast without episodes; a refresh fills it. One that was unfollowed a short
 * while ago comes back with all its episodes, as does one that is being looked at. One
 * that is followed already is returned.
 *
 * Returns: (transfer none): the podcast
 */
EarPodcast *
ear_catalogue_follow (EarCatalogue *self, const char *address, const char *title)
{
  g_autofree char *valid = NULL;
  EarPodcast *known;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  valid = g_utf8_make_valid (address, -1);
  known = find_any (self, valid);
  if (known == NULL)
    return add_new (self, valid, title, TRUE);
  if (!ear_podcast_get_followed (known))
    show (self, known, TRUE);

  return known;
}

/**
 * ear_catalogue_unfollow:
 * @self: the catalogue
 * @podcast: a podcast
 *
 * Takes a podcast out of the lists. It is deleted a minute later or after the next
 * start; until then [method@EarCatalogue.follow] brings it back whole.
 */
void
ear_catalogue_unfollow (EarCatalogue *self, EarPodcast *podcast)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  if (!self->closed && ear_podcast_get_followed (podcast))
    hide (self, podcast);
}

/**
 * ear_catalogue_preview:
 * @self: the catalogue
 * @address: address of a feed
 * @title: (nullable): what to call it until the feed says so
 *
 * Adds a podcast to look at, as [method@EarCatalogue.follow] adds one to follow: a refresh
 * fills it, and its episodes can be listed by its row id, read and played. It is not in the
 * list of podcasts, and its episodes are in no list over all of them. One that is known
 * already is returned, also a followed one.
 *
 * Returns: (transfer none): the podcast; [method@EarCatalogue.end_preview] it when nobody
 *   looks any more
 */
EarPodcast *
ear_catalogue_preview (EarCatalogue *self, const char *address, const char *title)
{
  g_autofree char *valid = NULL;
  EarPodcast *known;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  valid = g_utf8_make_valid (address, -1);
  known = find_any (self, valid);
  if (known == NULL)
    return add_new (self, valid, title, FALSE);
  if (ear_catalogue_is_hidden (self, ear_podcast_get_id (known)))
    show (self, known, FALSE);

  return known;
}

/**
 * ear_catalogue_end_preview:
 * @self: the catalogue
 * @podcast: a podcast that was looked at
 *
 * Forgets a podcast, as if it had been unfollowed, unless it is followed by now or the
 * listener did something with one of its episodes.
 */
void
ear_catalogue_end_preview (EarCatalogue *self, EarPodcast *podcast)
{
  gint64 id;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  id = ear_podcast_get_id (podcast);
  if (!self->closed && !ear_podcast_get_followed (podcast) && !ear_catalogue_is_hidden (self, id) &&
      !g_hash_table_contains (self->touched, &id))
    hide (self, podcast);
}

/**
 * ear_catalogue_touch:
 * @self: the catalogue
 * @podcast: a podcast with whose episodes the listener has done something
 *
 * Keeps a podcast that is only being looked at.
 */
void
ear_catalogue_touch (EarCatalogue *self, EarPodcast *podcast)
{
  gint64 id = ear_podcast_get_id (podcast);

  if (!ear_podcast_get_followed (podcast) && !g_hash_table_contains (self->touched, &id))
    g_hash_table_add (self->touched, g_memdup2 (&id, sizeof id));
}
