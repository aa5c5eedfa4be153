/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-error.h"
#include "ear-podcast-record.h"

/* Main thread: the podcasts, all of which are in memory, and their order. */

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

/**
 * ear_catalogue_compare_podcasts:
 *
 * A `GCompareDataFunc` for the list of podcasts.
 *
 * Returns: which one comes first, by title
 */
int
ear_catalogue_compare_podcasts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  g_autofree char *first = fold_title ((EarPodcast *) a);
  g_autofree char *second = fold_title ((EarPodcast *) b);
  const int order = g_utf8_collate (first, second);

  return order != 0 ? order : compare_ids ((EarPodcast *) a, (EarPodcast *) b);
}

/**
 * ear_catalogue_lookup_podcast:
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
 *
 * Returns: whether it was unfollowed, or looked at and forgotten
 */
gboolean
ear_catalogue_is_hidden (EarCatalogue *self, gint64 podcast)
{
  return g_hash_table_contains (self->hidden, &podcast) || !g_hash_table_contains (self->by_id, &podcast);
}

/* Has the podcast found by its row id and its addresses. */
void
ear_catalogue_add_podcast (EarCatalogue *self, EarPodcast *podcast)
{
  gint64 id = ear_podcast_get_id (podcast);

  g_hash_table_insert (self->by_id, g_memdup2 (&id, sizeof id), g_object_ref (podcast));
  self->next_podcast = MAX (self->next_podcast, id + 1);
  ear_catalogue_note_addresses (self, podcast);
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

  return (position == 0 || ear_catalogue_compare_podcasts (peek_podcast (self, position - 1), podcast, NULL) < 0) &&
         (next == NULL || ear_catalogue_compare_podcasts (podcast, next, NULL) < 0);
}

static guint
find_place (GPtrArray *sorted, EarPodcast *podcast)
{
  guint first = 0;
  guint end = sorted->len;

  while (first < end)
    {
      const guint middle = (first + end) / 2;

      if (ear_catalogue_compare_podcasts (g_ptr_array_index (sorted, middle), podcast, NULL) < 0)
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

static gboolean
have_same_name (EarPodcast *one, EarPodcast *other)
{
  return one != NULL && other != NULL && ear_podcast_get_title (one) != NULL &&
         g_strcmp0 (ear_podcast_get_name (one), ear_podcast_get_name (other)) == 0;
}

/* Finds the podcasts of the same name, which stand beside each other, as they are listed by it. */
void
ear_catalogue_find_namesakes (EarCatalogue *self)
{
  EarPodcast *before = NULL;
  EarPodcast *podcast;

  for (guint i = 0; (podcast = peek_podcast (self, i)) != NULL; i++)
    {
      ear_podcast_set_has_namesake (podcast, have_same_name (podcast, before) || have_same_name (podcast, peek_podcast (self, i + 1)));
      before = podcast;
    }
}

/**
 * ear_catalogue_place_podcasts:
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
    {
      ear_catalogue_find_namesakes (self);
      return;
    }

  sorted = place_among_others (self, moving);
  end = sorted->len;
  while (first < end && g_ptr_array_index (sorted, first) == peek_podcast (self, first))
    first++;
  while (end > first && g_ptr_array_index (sorted, end - 1) == peek_podcast (self, end - 1))
    end--;
  g_list_store_splice (self->podcasts, first, end - first, sorted->pdata + first, end - first);
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
  ear_catalogue_add_podcast (self, podcast);
  if (row->check->error > 0)
    take_stored_error (podcast, row->check->error - 1);
  ear_catalogue_take_check (self, podcast, g_steal_pointer (&row->check));
  if (row->touched)
    ear_catalogue_touch (self, podcast);
  else if (row->hidden != 0)
    ear_catalogue_purge_later (self, row->id);
  else
    {
      ear_podcast_set_followed (podcast, TRUE);
      g_ptr_array_add (followed, g_steal_pointer (&podcast));
    }
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

/* As ear_catalogue_compare_podcasts(), which would fold and weigh each title a dozen times. */
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
 *
 * Loads all podcasts: a row each.
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_catalogue_load_podcasts (EarCatalogue *self, EarDatabase *database, GError **error)
{
  g_autoptr (GPtrArray) followed = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      ear_mark_sql ("SELECT " EAR_PODCAST_ROW_COLUMNS " FROM podcast LEFT JOIN podcast_check ON podcast_check.podcast = podcast.id"
                    " LEFT JOIN podcast_count ON podcast_count.podcast = podcast.id"),
      error);
  gboolean is_good = TRUE;
  gboolean is_row = FALSE;

  while (is_good && ear_database_step (database, statement, &is_row, error) && is_row)
    {
      g_auto (EarPodcastRow) row = { 0 };

      ear_podcast_row_read (&row, statement);
      is_good = row.address != NULL;
      if (is_good)
        take_row (self, &row, followed);
      else
        g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "A podcast has no address");
    }
  /* Half of a damaged file is as good as none of it. */
  if (is_row || !ear_catalogue_load_settings (self, database, error))
    {
      ear_catalogue_stop_purges (self);
      g_hash_table_remove_all (self->hidden);
      g_hash_table_remove_all (self->touched);
      g_hash_table_remove_all (self->checks);
      g_hash_table_remove_all (self->by_address);
      g_hash_table_remove_all (self->by_id);
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
