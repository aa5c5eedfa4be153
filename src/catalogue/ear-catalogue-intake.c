/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-episode-record.h"
#include "ear-podcast-record.h"

/* Responses of feeds and states from files, for the writer */

/* --- Writer thread ------------------------------------------------------------------- */

static const EarCatalogueOpKind response_kind = {
  .flags = EAR_OP_BEGINS_RESPONSE,
  .perform = ear_catalogue_tables_begin_response,
};

static void
batch_free (gpointer data)
{
  EarBatch *batch = data;

  g_clear_pointer (&batch->facts, ear_podcast_facts_unref);
  g_ptr_array_unref (batch->records);
  g_free (batch);
}

static void
notify_of_batch (EarCatalogueTables *tables, EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  if (error == NULL)
    return;
  ear_catalogue_tables_spoil_response (tables, op->podcast);
  event->lost_episodes = TRUE;
}

static const EarCatalogueOpKind batch_kind = {
  .flags = EAR_OP_BATCH | EAR_OP_LEAVES_ROOM,
  .data_free = batch_free,
  .perform = ear_catalogue_tables_put_batch,
  .tell = notify_of_batch,
};

static const EarCatalogueOpKind states_kind = {
  .flags = EAR_OP_URGENT,
  .data_free = (GDestroyNotify) g_hash_table_unref,
  .perform = ear_catalogue_tables_put_states,
};

/* --- Any thread ---------------------------------------------------------------------- */

/**
 * ear_catalogue_begin_response:
 * @self: the catalogue
 * @podcast: row id of a podcast
 *
 * Begins a feed's response; its batches follow. Any thread may call it.
 */
void
ear_catalogue_begin_response (EarCatalogue *self, gint64 podcast)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));

  ear_catalogue_push (self, ear_catalogue_op_new (&response_kind, podcast, NULL));
}

/**
 * ear_catalogue_store_batch:
 * @self: the catalogue
 * @podcast: row id of the podcast
 * @facts: (nullable): the feed's facts so far; copied, as they may still grow
 * @episodes: (element-type EarEpisodeFacts): some of its episodes, in the feed's order
 *
 * Stores a part of a feed's response. New episodes are inserted; edited ones are
 * updated in place; others are not touched. Any thread may call it; it waits while the
 * writer is overloaded.
 */
void
ear_catalogue_store_batch (EarCatalogue *self, gint64 podcast, EarPodcastFacts *facts, GPtrArray *episodes)
{
  EarCatalogueOp *op;
  EarBatch *batch;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (episodes != NULL);

  batch = g_new0 (EarBatch, 1);
  op = ear_catalogue_op_new (&batch_kind, podcast, batch);
  batch->facts = facts != NULL ? ear_podcast_facts_copy (facts) : NULL;
  batch->records = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_record_unref);
  for (guint i = 0; i < episodes->len; i++)
    {
      EarEpisodeRecord *record = ear_episode_record_new (g_ptr_array_index (episodes, i));

      if (record == NULL)
        continue;
      op->size += ear_episode_record_get_size (record);
      g_ptr_array_add (batch->records, record);
    }
  op->n_episodes = batch->records->len;
  ear_catalogue_push (self, op);
}

/**
 * ear_catalogue_apply_state:
 * @self: the catalogue
 * @podcast: row id of the podcast
 * @states: (element-type utf8 EarEpisodeState): states by guid; immutable from now on
 *
 * Applies newer values from the state files, member by member. Any thread may call it.
 */
void
ear_catalogue_apply_state (EarCatalogue *self, gint64 podcast, GHashTable *states)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (states != NULL);

  ear_catalogue_push (self, ear_catalogue_op_new (&states_kind, podcast, g_hash_table_ref (states)));
}
