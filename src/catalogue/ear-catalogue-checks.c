/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-podcast-record.h"

/* Main thread: the last response of each feed, for its next request. */

static void
set_feed_address (EarCatalogue *self, EarPodcast *podcast, const char *address)
{
  ear_podcast_set_feed_address (podcast, address);
  ear_catalogue_note_addresses (self, podcast);
}

/* Stores the check in memory, and updates the podcast.
 * @check: (transfer full): the stored data of the feed's last responses */
void
ear_catalogue_take_check (EarCatalogue *self, EarPodcast *podcast, EarFeedCheck *check)
{
  EarKnownPodcast *known = ear_catalogue_lookup_known (self, ear_podcast_get_id (podcast));

  if (check->feed_address != NULL)
    set_feed_address (self, podcast, check->feed_address);
  g_clear_pointer (&known->check, ear_feed_check_free);
  known->check = check;
  ear_podcast_set_checked (podcast, check->checked);
  ear_podcast_set_newest (podcast, check->newest);
}

/* Stores in memory a check that is not in the file yet: one without a response,
 * or without news. */
static void
take_deferred (EarCatalogue *self, EarKnownPodcast *known, const EarFeedCheck *deferred)
{
  EarPodcast *podcast = known->podcast;
  EarFeedCheck *check;

  if (known->check == NULL)
    known->check = g_new0 (EarFeedCheck, 1);
  check = known->check;
  if (deferred->checked != 0)
    {
      check->checked = deferred->checked;
      ear_podcast_set_checked (podcast, check->checked);
    }
  if (deferred->feed_address != NULL && g_set_str (&check->feed_address, deferred->feed_address))
    {
      set_feed_address (self, podcast, check->feed_address);
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

static void
check_data_free (gpointer data)
{
  EarCheckData *check = data;

  g_clear_pointer (&check->facts, ear_podcast_facts_unref);
  g_clear_pointer (&check->check, ear_feed_check_free);
  g_free (check);
}

static const EarCatalogueOpKind check_kind = {
  .flags = EAR_OP_ENDS_RESPONSE,
  .data_free = check_data_free,
  .perform = ear_catalogue_tables_put_check,
};

/**
 * ear_catalogue_store_check:
 * @self: the catalogue
 * @podcast: row id of the podcast
 * @facts: (nullable): the feed's facts, or %NULL if it has not changed (304) or could
 *   not be fetched
 * @check: data of the response. Without @facts, its %NULL members leave the
 *   stored values unchanged
 *
 * Ends a feed's response. A 304 or a failed check is stored a little later, so that those
 * of a whole refresh are written at once. Main thread only.
 */
void
ear_catalogue_store_check (EarCatalogue *self, gint64 podcast, EarPodcastFacts *facts, const EarFeedCheck *check)
{
  EarKnownPodcast *known;
  EarCheckData *data;
  EarCatalogueOp *op;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (check != NULL);

  known = ear_catalogue_lookup_known (self, podcast);
  if (facts == NULL && known != NULL)
    take_deferred (self, known, check);
  data = g_new0 (EarCheckData, 1);
  data->facts = facts != NULL ? ear_podcast_facts_copy (facts) : NULL;
  data->check = ear_feed_check_copy (check);
  op = ear_catalogue_op_new (&check_kind, podcast, data);
  if (facts == NULL)
    op->flags |= EAR_OP_CAN_WAIT;
  ear_catalogue_push (self, op);
}

/**
 * ear_catalogue_dup_check:
 * @self: the catalogue
 * @podcast: a podcast
 *
 * Returns: (transfer full): data of the feed's last response; empty without one
 */
EarFeedCheck *
ear_catalogue_dup_check (EarCatalogue *self, EarPodcast *podcast)
{
  const EarKnownPodcast *known;
  EarFeedCheck *copy;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), NULL);

  known = ear_catalogue_lookup_known (self, ear_podcast_get_id (podcast));
  copy = known != NULL && known->check != NULL ? ear_feed_check_copy (known->check) : g_new0 (EarFeedCheck, 1);
  copy->checked = ear_podcast_get_checked (podcast);

  return copy;
}
