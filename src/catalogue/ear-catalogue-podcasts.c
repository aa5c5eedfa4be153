/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-address.h"
#include "ear-columns.h"
#include "ear-error.h"
#include "ear-time.h"

#include <string.h>

/* Main thread: podcasts by their addresses. */

/* Returns how well an address fits a podcast: 3 its first address, 2 its feed's present
 * address, 1 another spelling of one. */
static int
rate_address (EarPodcast *podcast, const char *address, const char *key)
{
  if (!g_str_equal (ear_podcast_get_key (podcast), key) &&
      !g_str_equal (ear_podcast_get_feed_key (podcast), key))
    return 0;
  if (g_str_equal (ear_podcast_get_address (podcast), address))
    return 3;

  return g_str_equal (ear_podcast_get_feed_address (podcast), address) ? 2 : 1;
}

/* Returns the best podcast at an address; of several, the one added first.
 * @least: rating that it must have
 * @followed: whether only followed ones count
 * @hidden: whether one that waits to be purged counts, if it was added with that address */
static EarPodcast *
find_best (EarCatalogue *self, const char *address, int least, gboolean followed, gboolean hidden)
{
  g_autofree char *key = ear_address_key (address);
  EarPodcast *best = NULL;
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &data))
    {
      const EarKnownPodcast *known = data;
      const int fits = rate_address (known->podcast, address, key);

      if (fits < least || (followed && !ear_podcast_get_followed (known->podcast)) ||
          (known->purge != 0 && !(hidden && fits == 3)) ||
          (best != NULL && fits == least &&
           ear_podcast_get_id (best) < ear_podcast_get_id (known->podcast)))
        continue;
      least = fits;
      best = known->podcast;
    }

  return best;
}

/* @address: address of a feed: the podcast's first one, or its present one
 * Returns: (transfer none) (nullable): the podcast, if it is followed or previewed */
EarPodcast *
ear_catalogue_find_known (EarCatalogue *self, const char *address)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return find_best (self, address, 2, FALSE, FALSE);
}

/* @address: address of a feed, as for
 * ear_catalogue_find_known(), or another
 * spelling of it
 * Returns: (transfer none) (nullable): the podcast, if it is followed */
EarPodcast *
ear_catalogue_find_podcast (EarCatalogue *self, const char *address)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return find_best (self, address, 1, TRUE, FALSE);
}

/* For data stored by that address, not for typed addresses.
 * @address: address that a podcast was first followed at, to the letter
 * Returns: (transfer none) (nullable): the podcast, if it is followed */
EarPodcast *
ear_catalogue_find_exactly (EarCatalogue *self, const char *address)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return find_best (self, address, 3, TRUE, FALSE);
}

/* Main thread: the podcasts, all in memory, and their order. */

static int
compare_podcasts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  EarPodcast *first = (EarPodcast *) a;
  EarPodcast *second = (EarPodcast *) b;
  const int order = strcmp (ear_podcast_get_sort_key (first), ear_podcast_get_sort_key (second));

  return order != 0 ? order : ear_compare (ear_podcast_get_id (first), ear_podcast_get_id (second));
}

void
ear_catalogue_free_known (gpointer data)
{
  EarKnownPodcast *known = data;

  g_object_unref (known->podcast);
  ear_feed_check_free (known->check);
  g_clear_handle_id (&known->purge, g_source_remove);
  g_free (known);
}

/* Returns the podcast's entry, even if it is hidden, or %NULL. */
static EarKnownPodcast *
lookup_known (EarCatalogue *self, gint64 id)
{
  return g_hash_table_lookup (self->by_id, &id);
}

EarPodcast *
ear_catalogue_lookup_podcast (EarCatalogue *self, gint64 id)
{
  const EarKnownPodcast *known = lookup_known (self, id);

  return known != NULL ? known->podcast : NULL;
}

/* Whether it was unfollowed, or its preview has ended. */
gboolean
ear_catalogue_is_hidden (EarCatalogue *self, gint64 podcast)
{
  const EarKnownPodcast *known = lookup_known (self, podcast);

  return known == NULL || known->purge != 0;
}

static void
add_podcast (EarCatalogue *self, EarPodcast *podcast)
{
  EarKnownPodcast *known = g_new0 (EarKnownPodcast, 1);
  gint64 id = ear_podcast_get_id (podcast);

  known->catalogue = self;
  known->podcast = g_object_ref (podcast);
  known->check = g_new0 (EarFeedCheck, 1);
  g_hash_table_insert (self->by_id, g_memdup2 (&id, sizeof id), known);
  self->next_podcast = MAX (self->next_podcast, id + 1);
}

/* Returns a podcast owned by the list, or %NULL after its end. */
static EarPodcast *
peek_podcast (EarCatalogue *self, guint position)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (G_LIST_MODEL (self->podcasts), position);

  return podcast;
}

/* Finds podcasts with the same name, which are adjacent in the list, as it is
 * sorted by name. */
void
ear_catalogue_find_namesakes (EarCatalogue *self)
{
  gboolean is_like_before = FALSE;
  EarPodcast *podcast;

  for (guint i = 0; (podcast = peek_podcast (self, i)) != NULL; i++)
    {
      EarPodcast *next = peek_podcast (self, i + 1);
      const gboolean is_like_next =
          next != NULL && ear_podcast_get_title (next) != NULL &&
          g_strcmp0 (ear_podcast_get_name (podcast), ear_podcast_get_name (next)) == 0;

      ear_podcast_set_has_namesake (podcast, is_like_before || is_like_next);
      is_like_before = is_like_next;
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
  g_ptr_array_sort_values_with_data (sorted, compare_podcasts, NULL);
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

static void
purge_cb (gpointer user_data)
{
  EarKnownPodcast *known = user_data;
  g_autoptr (EarCatalogue) self = g_object_ref (known->catalogue);
  g_autoptr (EarPodcast) podcast = g_object_ref (known->podcast);
  gint64 id = ear_podcast_get_id (podcast);

  known->purge = 0;
  /* The next start purges it. */
  if (self->closed)
    return;
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_purge,
                                                    .flags = EAR_OP_LEAVES_ROOM,
                                                    .podcast = id });
  g_hash_table_remove (self->by_id, &id);
  g_signal_emit_by_name (self, "podcast-forgotten", ear_podcast_get_address (podcast));
}

/* Deletes a podcast with all its episodes after the delay for undoing. */
static void
purge_later (EarCatalogue *self, gint64 podcast)
{
  EarKnownPodcast *known = lookup_known (self, podcast);

  known->purge = g_timeout_add_once (self->purge_delay, purge_cb, known);
}

/* Columns of PODCASTS_SQL before those of the check */
#define N_COLUMNS 6

#define PODCASTS_SQL \
  "SELECT id, address, hidden <> 0, CASE WHEN hidden < 0 THEN EXISTS (SELECT 1 FROM episode" \
  " WHERE episode.podcast = podcast.id AND " EAR_MARK_SQL_TOUCHED ") ELSE 0 END," \
  " n_episodes, n_unplayed, " EAR_FEED_CHECK_COLUMNS ", " EAR_PODCAST_FACTS_COLUMNS \
  " FROM podcast LEFT JOIN podcast_check ON podcast_check.podcast = podcast.id" \
  " LEFT JOIN (SELECT podcast AS counted, count (*) AS n_episodes, sum (listened = 0)" \
  " AS n_unplayed FROM episode INDEXED BY episode_of GROUP BY podcast)" \
  " ON counted = podcast.id"

/* "touched" is a preview with marks. */
static void
take_row (EarCatalogue *self, EarStatement *row, GPtrArray *followed)
{
  g_autoptr (EarPodcastFacts) facts =
      ear_podcast_facts_read (row, N_COLUMNS + EAR_FEED_CHECK_N_COLUMNS);
  g_autoptr (EarFeedCheck) check = ear_feed_check_read (row, N_COLUMNS);
  g_autoptr (EarPodcast) podcast = NULL;
  g_autofree char *address = NULL;
  guint n_episodes, n_unplayed;
  gboolean hidden, touched;
  gint64 id;

  ear_statement_read (row, 0, "xsiiii", &id, &address, &hidden, &touched, &n_episodes,
                      &n_unplayed);
  podcast = ear_podcast_new (id, address);
  ear_podcast_set_facts (podcast, facts);
  ear_podcast_set_n_episodes (podcast, n_episodes);
  ear_podcast_set_n_unplayed (podcast, n_unplayed);
  add_podcast (self, podcast);
  /* The last stored error still counts until the next check. */
  if (check->error > 0)
    {
      g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, check->error - 1,
                                                      "So the last check ended");

      ear_podcast_set_error (podcast, error);
    }
  ear_catalogue_take_check (self, podcast, g_steal_pointer (&check));
  if (touched)
    ear_catalogue_touch (self, podcast);
  else if (hidden)
    purge_later (self, id);
  else
    {
      ear_podcast_set_followed (podcast, TRUE);
      g_ptr_array_add (followed, g_steal_pointer (&podcast));
    }
}

static void
take_setting (EarPodcast *podcast, EarStatement *statement)
{
  g_autofree char *name = ear_statement_dup_text (statement, 1);
  const int value = sqlite3_column_int (statement, 2);
  EarPodcastSettings settings;
  EarPodcastSetting setting;

  if (g_strcmp0 (name, EAR_CATALOGUE_FOLDER) == 0)
    {
      g_autofree char *folder = ear_statement_dup_text (statement, 2);

      if (folder != NULL && *folder == '/')
        ear_podcast_set_folder (podcast, folder + 1);
      return;
    }
  if (!ear_podcast_setting_find (name, &setting) || !ear_podcast_setting_accepts (setting, value))
    return;
  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  /* A stamp of a clock that was ahead would block all newer values. */
  settings.updated[setting] =
      ear_stamp_clamp_future (sqlite3_column_int64 (statement, 3), g_get_real_time ());
  ear_podcast_take_settings (podcast, &settings);
}

/* Loads all podcasts, one row each, and their settings; most have none. */
gboolean
ear_catalogue_load_podcasts (EarCatalogue *self, EarDatabase *database, GError **error)
{
  g_autoptr (GPtrArray) followed = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EarStatement) podcasts = ear_database_prepare (database, PODCASTS_SQL);
  g_autoptr (EarStatement) settings = ear_database_prepare (
      database, "SELECT podcast, setting, value, updated FROM podcast_setting");

  while (ear_database_step (database, podcasts))
    if (sqlite3_column_type (podcasts, 1) != SQLITE_NULL)
      take_row (self, podcasts, followed);
    else
      ear_database_fail (database, g_error_new_literal (EAR_ERROR, EAR_ERROR_DAMAGED,
                                                        "A podcast has no address"));
  while (ear_database_step (database, settings))
    {
      EarPodcast *podcast = ear_catalogue_lookup_podcast (self, sqlite3_column_int64 (settings, 0));

      if (podcast != NULL)
        take_setting (podcast, settings);
    }
  /* Drop a partly loaded, damaged file. */
  if (!ear_database_finish (database, error))
    {
      g_hash_table_remove_all (self->by_id);
      return FALSE;
    }
  g_ptr_array_sort_values_with_data (followed, compare_podcasts, NULL);
  g_list_store_splice (self->podcasts, 0, 0, followed->pdata, followed->len);

  return TRUE;
}

/* Returns: (transfer none): the followed podcasts, a list of EarPodcast by title */
GListModel *
ear_catalogue_get_podcasts (EarCatalogue *self)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return G_LIST_MODEL (self->podcasts);
}

/* Returns: (transfer none) (nullable): the podcast, if it is followed or previewed */
EarPodcast *
ear_catalogue_get_podcast (EarCatalogue *self, gint64 id)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return ear_catalogue_is_hidden (self, id) ? NULL : ear_catalogue_lookup_podcast (self, id);
}

/* Main thread: the last response of each feed, for its next request. */

/* Stores the check in memory, and updates the podcast.
 * @check: (transfer full): the stored data of the feed's last responses */
void
ear_catalogue_take_check (EarCatalogue *self, EarPodcast *podcast, EarFeedCheck *check)
{
  EarKnownPodcast *known = lookup_known (self, ear_podcast_get_id (podcast));

  if (check->feed_address != NULL)
    ear_podcast_set_feed_address (podcast, check->feed_address);
  g_clear_pointer (&known->check, ear_feed_check_free);
  known->check = check;
  ear_podcast_set_checked (podcast, check->checked);
  ear_podcast_set_newest (podcast, check->newest);
}

/* Stores in memory a check that is not in the file yet: one without a response,
 * or without news. */
static void
take_unstored (EarKnownPodcast *known, const EarFeedCheck *deferred)
{
  EarPodcast *podcast = known->podcast;
  EarFeedCheck *check = known->check;

  if (deferred->checked != 0)
    {
      check->checked = deferred->checked;
      ear_podcast_set_checked (podcast, check->checked);
    }
  if (deferred->feed_address != NULL && g_set_str (&check->feed_address, deferred->feed_address))
    {
      ear_podcast_set_feed_address (podcast, check->feed_address);
      if (deferred->checked == 0)
        {
          g_clear_pointer (&check->etag, g_free);
          g_clear_pointer (&check->last_modified, g_free);
        }
    }
  check->failures = deferred->failures;
  check->error = deferred->error;
  check->not_before = deferred->not_before;
  check->archived = deferred->archived;
}

/* Ends a feed's response. Main thread only.
 * @facts: (nullable): the feed's facts, or %NULL if it has not changed (304) or could
 * not be fetched
 * @check: data of the response. Without @facts, its %NULL members leave the stored
 * values unchanged */
void
ear_catalogue_store_check (EarCatalogue *self, gint64 podcast, EarPodcastFacts *facts,
                           const EarFeedCheck *check)
{
  EarKnownPodcast *known;

  g_return_if_fail (EAR_IS_CATALOGUE (self));

  known = lookup_known (self, podcast);
  if (facts == NULL && known != NULL)
    take_unstored (known, check);
  ear_writer_push (self->writer, (EarCatalogueOp) {
                                   .perform = ear_writer_put_check,
                                   .flags = facts == NULL ? EAR_OP_CAN_WAIT : EAR_OP_LEAVES_ROOM,
                                   .podcast = podcast,
                                   .facts = facts != NULL ? ear_podcast_facts_copy (facts) : NULL,
                                   .check = ear_feed_check_copy (check),
                                 });
}

/* Returns: (transfer full): data of the feed's last response; empty without one */
EarFeedCheck *
ear_catalogue_dup_check (EarCatalogue *self, EarPodcast *podcast)
{
  const EarKnownPodcast *known;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), NULL);

  known = lookup_known (self, ear_podcast_get_id (podcast));

  return known != NULL ? ear_feed_check_copy (known->check) : g_new0 (EarFeedCheck, 1);
}

/* Main thread: the listener's settings for a podcast. */

/* Applies newer settings, and stores them.
 * @settings: the listener's settings for it: those whose stamp is not 0
 * Returns: whether something was newer */
gboolean
ear_catalogue_set_settings (EarCatalogue *self, EarPodcast *podcast,
                            const EarPodcastSettings *settings)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), FALSE);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), FALSE);

  if (self->closed || !ear_podcast_take_settings (podcast, settings))
    return FALSE;
  ear_writer_push (self->writer, (EarCatalogueOp) {
                                   .perform = ear_writer_put_settings,
                                   .podcast = ear_podcast_get_id (podcast),
                                   .data = g_memdup2 (ear_podcast_get_settings (podcast),
                                                      sizeof *settings),
                                   .data_free = g_free,
                                 });

  return TRUE;
}

/* Sets EarPodcast:folder, and stores it, so that the sidebar is the same at
 * the next start. */
void
ear_catalogue_set_folder (EarCatalogue *self, EarPodcast *podcast, const char *folder)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  if (self->closed || g_strcmp0 (folder, ear_podcast_get_folder (podcast)) == 0)
    return;
  ear_podcast_set_folder (podcast, folder);
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_put_folder,
                                                    .podcast = ear_podcast_get_id (podcast),
                                                    .text = g_strdup (folder) });
}

/* Followed and previewed podcasts, and the purge of others */

static void
push_visibility (EarCatalogue *self, gint64 podcast, gint64 hidden)
{
  ear_writer_push (self->writer, (EarCatalogueOp) { .perform = ear_writer_set_hidden,
                                                    .podcast = podcast,
                                                    .value = hidden });
}

/* Shows a podcast again that waits to be purged, or makes a previewed one followed: all
 * its data are still there. */
static void
show (EarCatalogue *self, EarPodcast *podcast, gboolean followed)
{
  EarKnownPodcast *known = lookup_known (self, ear_podcast_get_id (podcast));

  g_clear_handle_id (&known->purge, g_source_remove);
  push_visibility (self, ear_podcast_get_id (podcast), followed ? 0 : -1);
  ear_podcast_set_followed (podcast, followed);
  if (followed)
    g_list_store_insert_sorted (self->podcasts, podcast, compare_podcasts, NULL);
}

static void
hide (EarCatalogue *self, EarPodcast *podcast)
{
  gint64 id = ear_podcast_get_id (podcast);
  guint position;

  push_visibility (self, id, g_get_real_time () / G_USEC_PER_SEC);
  purge_later (self, id);
  ear_podcast_set_followed (podcast, FALSE);
  if (g_list_store_find (self->podcasts, podcast, &position))
    g_list_store_remove (self->podcasts, position);
}

static EarPodcast *
add_new (EarCatalogue *self, const char *address, const char *title, gboolean followed)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (self->next_podcast, address);

  ear_podcast_set_title (podcast, title);
  ear_podcast_set_followed (podcast, followed);
  add_podcast (self, podcast);
  if (followed)
    g_list_store_insert_sorted (self->podcasts, podcast, compare_podcasts, NULL);

  ear_writer_push (self->writer, (EarCatalogueOp) {
                                   .perform = ear_writer_follow,
                                   .flags = EAR_OP_ADDS_PODCAST,
                                   .podcast = ear_podcast_get_id (podcast),
                                   .text = g_strdup (address),
                                   .title = g_strdup (title),
                                   .value = followed ? g_get_real_time () / G_USEC_PER_SEC : 0,
                                 });

  return podcast;
}

/* Returns the podcast at an address, hidden or not, or a new one. */
static EarPodcast *
bring_in (EarCatalogue *self, const char *address, gboolean exactly, const char *title,
          gboolean followed)
{
  g_autofree char *valid = g_utf8_make_valid (address, -1);
  EarPodcast *known = find_best (self, valid, exactly ? 3 : 1, FALSE, TRUE);

  if (known == NULL)
    return add_new (self, valid, title, followed);
  if (followed ? !ear_podcast_get_followed (known)
               : ear_catalogue_is_hidden (self, ear_podcast_get_id (known)))
    show (self, known, followed);

  return known;
}

/* Adds a podcast without episodes; a refresh fills it. A podcast unfollowed a short
 * while ago, or previewed, gets followed with all its episodes. A podcast that is
 * already followed is returned.
 * @title: (nullable): title until the feed has one */
EarPodcast *
ear_catalogue_follow (EarCatalogue *self, const char *address, const char *title)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return bring_in (self, address, FALSE, title, TRUE);
}

/* Follows a podcast as ear_catalogue_follow() does, but does not accept another
 * spelling of the address.
 * @title: (nullable): title until the feed has one */
EarPodcast *
ear_catalogue_follow_exactly (EarCatalogue *self, const char *address, const char *title)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return bring_in (self, address, TRUE, title, TRUE);
}

/* Removes a podcast from the lists. Its rows are deleted a minute later or after the next
 * start; until then ear_catalogue_follow() restores all of them. */
void
ear_catalogue_unfollow (EarCatalogue *self, EarPodcast *podcast)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  if (!self->closed && ear_podcast_get_followed (podcast))
    hide (self, podcast);
}

/* Adds a podcast for a preview, as ear_catalogue_follow() adds a followed one: a
 * refresh fills it, and its episodes can be listed by its row id, read and played. It is
 * not in the list of podcasts, nor are its episodes in lists of all podcasts. A known
 * podcast is returned, even a followed one.
 * @title: (nullable): title until the feed has one
 * Returns: (transfer none): the podcast; call ear_catalogue_end_preview() when it
 * is no longer shown */
EarPodcast *
ear_catalogue_preview (EarCatalogue *self, const char *address, const char *title)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);

  return bring_in (self, address, FALSE, title, FALSE);
}

/* Removes a podcast, like an unfollowed one, unless it is followed by now or one of its
 * episodes has marks.
 * @podcast: a previewed podcast */
void
ear_catalogue_end_preview (EarCatalogue *self, EarPodcast *podcast)
{
  const EarKnownPodcast *known;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  known = lookup_known (self, ear_podcast_get_id (podcast));
  if (!self->closed && !ear_podcast_get_followed (podcast) && known != NULL &&
      known->purge == 0 && !known->touched)
    hide (self, podcast);
}

/* Keeps a previewed podcast. */
void
ear_catalogue_touch (EarCatalogue *self, EarPodcast *podcast)
{
  EarKnownPodcast *known = lookup_known (self, ear_podcast_get_id (podcast));

  if (known != NULL && !ear_podcast_get_followed (podcast))
    known->touched = TRUE;
}
