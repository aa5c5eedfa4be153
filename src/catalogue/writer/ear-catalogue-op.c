/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-op.h"

/**
 * ear_catalogue_op_new:
 * @type: what to do
 * @podcast: row id of a podcast, or 0
 *
 * Returns: (transfer full): an op whose other members are to be set
 */
EarCatalogueOp *
ear_catalogue_op_new (EarCatalogueOpType type, gint64 podcast)
{
  EarCatalogueOp *self = g_new0 (EarCatalogueOp, 1);

  self->type = type;
  self->podcast = podcast;

  return self;
}

/**
 * ear_catalogue_op_new_follow:
 * @podcast: row id that a podcast is to have
 * @address: address that it is followed at
 * @title: (nullable): what it is called until its feed says so
 * @followed: Unix seconds of now, or 0 if it is only to be looked at
 *
 * Returns: (transfer full): an op that adds the podcast
 */
EarCatalogueOp *
ear_catalogue_op_new_follow (gint64 podcast, const char *address, const char *title, gint64 followed)
{
  EarCatalogueOp *self = ear_catalogue_op_new (EAR_OP_FOLLOW, podcast);

  self->address = g_strdup (address);
  self->title = g_strdup (title);
  self->value = followed;

  return self;
}

/**
 * ear_catalogue_op_free:
 * @self: (transfer full): an op
 */
void
ear_catalogue_op_free (EarCatalogueOp *self)
{
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_pointer (&self->check, ear_feed_check_free);
  g_clear_pointer (&self->states, g_hash_table_unref);
  g_clear_pointer (&self->ids, g_array_unref);
  g_clear_pointer (&self->query, ear_episode_query_free);
  g_clear_pointer (&self->marks, ear_marks_unref);
  g_clear_pointer (&self->downloads, g_ptr_array_unref);
  g_clear_object (&self->task);
  g_free (self->address);
  g_free (self->title);
  g_free (self);
}
