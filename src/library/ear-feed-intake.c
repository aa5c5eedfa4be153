/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-intake.h"

#include "ear-error.h"
#include "ear-feed-parser.h"

/* The first rows of a feed are wanted at once, the others in larger transactions. */
#define FIRST_BATCH 20
#define NEXT_BATCHES 500
#define BATCH_INTERVAL (250 * G_TIME_SPAN_MILLISECOND)

struct _EarFeedIntake
{
  /* Owned */
  EarCatalogue *catalogue;
  EarFeedParser *parser; /* (nullable): made with the first bytes */
  GPtrArray *batch;      /* (element-type EarEpisodeFacts) */

  gint64 podcast;
  gint64 last_batch; /* monotonic time */
  guint n_batches;
};

static void
intake_clear (gpointer data)
{
  EarFeedIntake *self = data;

  g_clear_object (&self->parser);
  g_clear_object (&self->catalogue);
  g_clear_pointer (&self->batch, g_ptr_array_unref);
}

static void
store_batch (EarFeedIntake *self)
{
  g_autoptr (GPtrArray) batch = g_steal_pointer (&self->batch);

  self->batch = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  self->last_batch = g_get_monotonic_time ();
  self->n_batches++;
  ear_catalogue_store_batch (self->catalogue, self->podcast, ear_feed_parser_get_podcast (self->parser), batch);
}

static void
item_parsed_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  EarFeedIntake *self = user_data;

  g_ptr_array_add (self->batch, ear_episode_facts_ref (facts));
  if (self->batch->len >= (self->n_batches == 0 ? FIRST_BATCH : NEXT_BATCHES))
    store_batch (self);
}

/**
 * ear_feed_intake_new:
 * @catalogue: where the facts go
 * @podcast: row id of the podcast
 *
 * Returns: (transfer full): an intake that has seen no byte yet
 */
EarFeedIntake *
ear_feed_intake_new (EarCatalogue *catalogue, gint64 podcast)
{
  EarFeedIntake *self = g_atomic_rc_box_new0 (EarFeedIntake);

  self->catalogue = g_object_ref (catalogue);
  self->podcast = podcast;
  self->batch = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  self->last_batch = g_get_monotonic_time ();

  return self;
}

/**
 * ear_feed_intake_ref:
 * @self: the intake
 *
 * Returns: (transfer full): the same intake
 */
EarFeedIntake *
ear_feed_intake_ref (EarFeedIntake *self)
{
  return g_atomic_rc_box_acquire (self);
}

/**
 * ear_feed_intake_unref:
 * @self: (transfer full): the intake
 */
void
ear_feed_intake_unref (EarFeedIntake *self)
{
  g_atomic_rc_box_release_full (self, intake_clear);
}

/**
 * ear_feed_intake_push:
 * @response: the head of the answer
 * @data: (array length=length): bytes of the body
 * @length: how many
 * @intake: (type EarFeedIntake): the intake
 * @error: return location for an `EAR_ERROR`
 *
 * Parses a part of the body; an [callback@EarHttpChunkFunc]. Waits while the catalogue's
 * writer has too much to do.
 *
 * Returns: %FALSE if this is no feed
 */
gboolean
ear_feed_intake_push (EarHttpResponse *response, const guint8 *data, gsize length, gpointer intake, GError **error)
{
  EarFeedIntake *self = intake;

  if (self->parser == NULL)
    {
      self->parser = ear_feed_parser_new (response->final_address, response->content_type, item_parsed_cb, self);
      ear_catalogue_begin_answer (self->catalogue, self->podcast);
    }
  if (!ear_feed_parser_push (self->parser, data, length, error))
    return FALSE;
  /* A slow feed fills no batch, yet its listener waits for the rows. */
  if (self->batch->len > 0 && g_get_monotonic_time () - self->last_batch > BATCH_INTERVAL)
    store_batch (self);

  return TRUE;
}

/**
 * ear_feed_intake_finish:
 * @self: the intake
 * @response: the whole answer
 * @error: return location for an `EAR_ERROR`
 *
 * Takes in what is left and notes down that the feed was checked. The entity tag of
 * an answer that was cut off is forgotten, so that the next check asks for all of it.
 *
 * Returns: %FALSE if this is no feed, or only a part of one
 */
gboolean
ear_feed_intake_finish (EarFeedIntake *self, EarHttpResponse *response, GError **error)
{
  g_autoptr (EarFeedCheck) check = g_new0 (EarFeedCheck, 1);
  gboolean whole;

  check->feed_address = g_strdup (response->permanent_address);
  check->checked = g_get_real_time () / G_USEC_PER_SEC;
  if (response->not_modified)
    {
      ear_catalogue_store_check (self->catalogue, self->podcast, NULL, check);
      return TRUE;
    }

  if (self->parser == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_XML, "The answer is empty");
      return FALSE;
    }
  if (!ear_feed_parser_finish (self->parser, error))
    return FALSE;
  if (self->batch->len > 0)
    store_batch (self);

  whole = !response->incomplete;
  if (whole && !ear_feed_parser_get_damaged (self->parser))
    {
      check->whole = TRUE;
      check->etag = g_strdup (response->etag);
      check->last_modified = g_strdup (response->last_modified);
    }
  ear_catalogue_store_check (self->catalogue, self->podcast, ear_feed_parser_get_podcast (self->parser), check);
  if (!whole)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_INCOMPLETE, "The connection ended before the feed did");

  return whole;
}
