/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-error.h"
#include "ear-podcast-record.h"

#include <string.h>

/* Main thread: the podcasts, all in memory, and their order. */

/* A `GCompareDataFunc` for the list of podcasts.
 * Returns: the order of two podcasts by title */
int
ear_catalogue_compare_podcasts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  EarPodcast *first = (EarPodcast *) a;
  EarPodcast *second = (EarPodcast *) b;
  const int order = strcmp (ear_podcast_get_sort_key (first), ear_podcast_get_sort_key (second));

  if (order != 0)
    return order;

  return ear_podcast_get_id (first) < ear_podcast_get_id (second) ? -1 : ear_podcast_get_id (first) > ear_podcast_get_id (second);
}

void
ear_catalogue_free_known (gpointer data)
{
  EarKnownPodcast *known = data;

  g_object_unref (known->podcast);
  g_clear_pointer (&known->check, ear_feed_check_free);
  if (known->purge != NULL)
    g_source_destroy (known->purge);
  g_clear_pointer (&known->purge, g_source_unref);
  g_free (known);
}

/* Returns the podcast's entry, even if it is hidden, or %NULL. */
EarKnownPodcast *
ear_catalogue_lookup_known (EarCatalogue *self, gint64 id)
{
  return g_hash_table_lookup (self->by_id, &id);
}

EarPodcast *
ear_catalogue_lookup_podcast (EarCatalogue *self, gint64 id)
{
  const EarKnownPodcast *known = ear_catalogue_lookup_known (self, id);

  return known != NULL ? known->podcast : NULL;
}

/* Whether it was unfollowed, or its preview has ended. */
gboolean
ear_catalogue_is_hidden (EarCatalogue *self, gint64 podcast)
{
  const EarKnownPodcast *known = ear_catalogue_lookup_known (self, podcast);

  return known == NULL || known->purge != NULL;
}

/* Adds the podcast to the tables of row ids and addresses. */
void
ear_catalogue_add_podcast (EarCatalogue *self, EarPodcast *podcast)
{
  EarKnownPodcast *known = g_new0 (EarKnownPodcast, 1);
  gint64 id = ear_podcast_get_id (podcast);

  known->podcast = g_object_ref (podcast);
  g_hash_table_insert (self->by_id, g_memdup2 (&id, sizeof id), known);
  self->next_podcast = MAX (self->next_podcast, id + 1);
  ear_catalogue_note_addresses (self, podcast);
}

/* Returns a podcast owned by the list, or %NULL after its end. */
static EarPodcast *
peek_podcast (EarCatalogue *self, guint position)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (G_LIST_MODEL (self->podcasts), position);

  return podcast;
}

static gboolean
have_same_name (EarPodcast *one, EarPodcast *other)
{
  return one != NULL && other != NULL && ear_podcast_get_title (one) != NULL &&
         g_strcmp0 (ear_podcast_get_name (one), ear_podcast_get_name (other)) == 0;
}

/* Finds podcasts with the same name, which are adjacent in the list, as it is
 * sorted by name. */
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

/* Moves podcasts with a new title to their positions in the list, all in one step: for
 * observers of the list, a podcast that moves is never gone. */
void
ear_catalogue_place_podcasts (EarCatalogue *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new_with_free_func (g_object_unref);
  EarPodcast *podcast;
  guint first = 0;
  guint end;

  while ((podcast = g_list_model_get_item (G_LIST_MODEL (self->podcasts), sorted->len)) != NULL)
    g_ptr_array_add (sorted, podcast);
  g_ptr_array_sort_values_with_data (sorted, ear_catalogue_compare_podcasts, NULL);
  end = sorted->len;
  while (first < end && g_ptr_array_index (sorted, first) == peek_podcast (self, first))
    first++;
  while (end > first && g_ptr_array_index (sorted, end - 1) == peek_podcast (self, end - 1))
    end--;
  if (first < end)
    g_list_store_splice (self->podcasts, first, end - first, sorted->pdata + first, end - first);
  else
    ear_catalogue_find_namesakes (self);
}

/* The last stored error still counts until the next check. */
static void
take_stored_error (EarPodcast *podcast, int code)
{
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, code, "So the last check ended");

  ear_podcast_set_error (podcast, error);
}

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

/* Loads all podcasts, one row each. */
gboolean
ear_catalogue_load_podcasts (EarCatalogue *self, EarDatabase *database, GError **error)
{
  g_autoptr (GPtrArray) followed = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      "SELECT " EAR_PODCAST_ROW_COLUMNS " FROM podcast LEFT JOIN podcast_check ON podcast_check.podcast = podcast.id"
                    " LEFT JOIN podcast_count ON podcast_count.podcast = podcast.id",
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
  /* Drop a partly loaded, damaged file. */
  if (is_row || !ear_catalogue_load_settings (self, database, error))
    {
      g_hash_table_remove_all (self->by_address);
      g_hash_table_remove_all (self->by_id);
      return FALSE;
    }
  g_ptr_array_sort_values_with_data (followed, ear_catalogue_compare_podcasts, NULL);
  g_list_store_splice (self->podcasts, 0, 0, followed->pdata, followed->len);

  return TRUE;
}

/**
 * ear_catalogue_get_podcasts:
 * @self: the catalogue
 *
 * Returns: (transfer none): the followed podcasts, a list of [class@EarPodcast] by title
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
 * Returns: (transfer none) (nullable): the podcast, if it is followed or previewed
 */
EarPodcast *
ear_catalogue_get_podcast (EarCatalogue *self, gint64 id)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return ear_catalogue_is_hidden (self, id) ? NULL : ear_catalogue_lookup_podcast (self, id);
}
