/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Followed and previewed podcasts, and the purge of others */

/* --- Writer thread ------------------------------------------------------------------- */

static void
new_podcast_free (gpointer data)
{
  EarNewPodcast *new_podcast = data;

  g_free (new_podcast->address);
  g_free (new_podcast->title);
  g_free (new_podcast);
}

static void
notify_of_new_podcast (EarCatalogueTables *tables, EarCatalogueOp *op, EarCatalogueEvent *event, const GError *error)
{
  event->lost_episodes = error != NULL;
}

static const EarCatalogueOpKind new_podcast_kind = {
  .flags = EAR_OP_URGENT | EAR_OP_ADDS_PODCAST,
  .data_free = new_podcast_free,
  .perform = ear_catalogue_tables_follow,
  .tell = notify_of_new_podcast,
};

static const EarCatalogueOpKind visibility_kind = {
  .flags = EAR_OP_URGENT | EAR_OP_NEEDS_PODCAST,
  .perform = ear_catalogue_tables_set_hidden,
};

static const EarCatalogueOpKind purge_kind = {
  .flags = EAR_OP_URGENT | EAR_OP_NEEDS_PODCAST | EAR_OP_REMOVES_PODCAST | EAR_OP_ENDS_RESPONSE | EAR_OP_LEAVES_ROOM,
  .perform = ear_catalogue_tables_purge,
};

/* --- Main thread --------------------------------------------------------------------- */

typedef struct
{
  EarCatalogue *catalogue; /* borrowed: it cancels the purges before it is freed */
  gint64 podcast;
} Purge;

static gboolean
purge_cb (gpointer user_data)
{
  Purge *purge = user_data;
  g_autoptr (EarCatalogue) self = g_object_ref (purge->catalogue);
  gint64 id = purge->podcast;
  g_autoptr (EarPodcast) podcast = g_object_ref (ear_catalogue_lookup_podcast (self, id));

  ear_catalogue_push (self, ear_catalogue_op_new (&purge_kind, id, NULL));
  ear_catalogue_forget_addresses (self, podcast);
  g_hash_table_remove (self->by_id, &id);
  g_signal_emit_by_name (self, "podcast-forgotten", ear_podcast_get_address (podcast));

  return G_SOURCE_REMOVE;
}

/* Deletes a podcast with all its episodes after the delay for undoing. */
void
ear_catalogue_purge_later (EarCatalogue *self, gint64 podcast)
{
  EarKnownPodcast *known = ear_catalogue_lookup_known (self, podcast);
  Purge *purge = g_new0 (Purge, 1);

  purge->catalogue = self;
  purge->podcast = podcast;
  known->purge = g_timeout_source_new (self->purge_delay);
  g_source_set_static_name (known->purge, "[earmark] purge");
  g_source_set_callback (known->purge, purge_cb, purge, g_free);
  g_source_attach (known->purge, self->context);
}

/* Leaves pending purges to the next start. */
void
ear_catalogue_stop_purges (EarCatalogue *self)
{
  GHashTableIter iter;
  gpointer known;

  g_hash_table_iter_init (&iter, self->by_id);
  while (g_hash_table_iter_next (&iter, NULL, &known))
    if (((EarKnownPodcast *) known)->purge != NULL)
      g_source_destroy (((EarKnownPodcast *) known)->purge);
}

/* @milliseconds: delay before an unfollowed podcast is deleted */
void
ear_catalogue_set_purge_delay (EarCatalogue *self, guint milliseconds)
{
  self->purge_delay = milliseconds;
}

static void
push_visibility (EarCatalogue *self, gint64 podcast, gint64 hidden)
{
  EarCatalogueOp *op = ear_catalogue_op_new (&visibility_kind, podcast, NULL);

  op->value = hidden;
  if (hidden > 0)
    op->flags |= EAR_OP_ENDS_RESPONSE;
  ear_catalogue_push (self, op);
}

/* Shows a podcast again that waits to be purged, or makes a previewed one followed: all
 * its data are still there. */
static void
show (EarCatalogue *self, EarPodcast *podcast, gboolean followed)
{
  EarKnownPodcast *known = ear_catalogue_lookup_known (self, ear_podcast_get_id (podcast));

  if (known->purge != NULL)
    g_source_destroy (known->purge);
  g_clear_pointer (&known->purge, g_source_unref);
  push_visibility (self, ear_podcast_get_id (podcast), followed ? 0 : -1);
  if (followed)
    g_list_store_insert_sorted (self->podcasts, podcast, ear_catalogue_compare_podcasts, NULL);
  ear_podcast_set_followed (podcast, followed);
}

/* Hides a podcast, and schedules its purge. */
static void
hide (EarCatalogue *self, EarPodcast *podcast)
{
  gint64 id = ear_podcast_get_id (podcast);
  guint position;

  push_visibility (self, id, g_get_real_time () / G_USEC_PER_SEC);
  ear_catalogue_purge_later (self, id);
  ear_podcast_set_followed (podcast, FALSE);
  if (g_list_store_find (self->podcasts, podcast, &position))
    g_list_store_remove (self->podcasts, position);
}

static EarPodcast *
add_new (EarCatalogue *self, const char *address, const char *title, gboolean followed)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (self->next_podcast, address);
  EarNewPodcast *data = g_new0 (EarNewPodcast, 1);
  EarCatalogueOp *op = ear_catalogue_op_new (&new_podcast_kind, ear_podcast_get_id (podcast), data);

  ear_podcast_set_title (podcast, title);
  ear_podcast_set_followed (podcast, followed);
  ear_catalogue_add_podcast (self, podcast);
  if (followed)
    g_list_store_insert_sorted (self->podcasts, podcast, ear_catalogue_compare_podcasts, NULL);

  data->address = g_strdup (address);
  data->title = g_strdup (title);
  op->value = followed ? g_get_real_time () / G_USEC_PER_SEC : 0;
  ear_catalogue_push (self, op);

  return podcast;
}

/* Returns the podcast at an address, hidden or not, or a new one. */
static EarPodcast *
bring_in (EarCatalogue *self, const char *address, gboolean exactly, const char *title, gboolean followed)
{
  g_autofree char *valid = g_utf8_make_valid (address, -1);
  EarPodcast *known = ear_catalogue_find_any (self, valid, exactly);

  if (known == NULL)
    return add_new (self, valid, title, followed);
  if (followed ? !ear_podcast_get_followed (known) : ear_catalogue_is_hidden (self, ear_podcast_get_id (known)))
    show (self, known, followed);

  return known;
}

/**
 * ear_catalogue_follow:
 * @self: the catalogue
 * @address: address of a feed
 * @title: (nullable): title until the feed has one
 *
 * Adds a podcast without episodes; a refresh fills it. A podcast unfollowed a short while
 * ago, or previewed, gets followed with all its episodes. A podcast that is already
 * followed is returned.
 *
 * Returns: (transfer none): the podcast
 */
EarPodcast *
ear_catalogue_follow (EarCatalogue *self, const char *address, const char *title)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  return bring_in (self, address, FALSE, title, TRUE);
}

/**
 * ear_catalogue_follow_exactly:
 * @self: the catalogue
 * @address: address of a feed
 * @title: (nullable): title until the feed has one
 *
 * Follows a podcast as [method@EarCatalogue.follow] does, but does not accept another
 * spelling of the address.
 *
 * Returns: (transfer none): the podcast
 */
EarPodcast *
ear_catalogue_follow_exactly (EarCatalogue *self, const char *address, const char *title)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  return bring_in (self, address, TRUE, title, TRUE);
}

/**
 * ear_catalogue_unfollow:
 * @self: the catalogue
 * @podcast: a podcast
 *
 * Removes a podcast from the lists. It is deleted a minute later or after the next start;
 * until then [method@EarCatalogue.follow] restores it completely.
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
 * @title: (nullable): title until the feed has one
 *
 * Adds a podcast for a preview, as [method@EarCatalogue.follow] adds a followed one: a
 * refresh fills it, and its episodes can be listed by its row id, read and played. It is
 * not in the list of podcasts, nor are its episodes in lists of all podcasts. A known
 * podcast is returned, even a followed one.
 *
 * Returns: (transfer none): the podcast; call [method@EarCatalogue.end_preview] when it
 *   is no longer shown
 */
EarPodcast *
ear_catalogue_preview (EarCatalogue *self, const char *address, const char *title)
{
  g_return_val_if_fail (EAR_IS_CATALOGUE (self), NULL);
  g_return_val_if_fail (address != NULL, NULL);

  return bring_in (self, address, FALSE, title, FALSE);
}

/**
 * ear_catalogue_end_preview:
 * @self: the catalogue
 * @podcast: a previewed podcast
 *
 * Removes a podcast, like an unfollowed one, unless it is followed by now or one of its
 * episodes has marks.
 */
void
ear_catalogue_end_preview (EarCatalogue *self, EarPodcast *podcast)
{
  const EarKnownPodcast *known;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  known = ear_catalogue_lookup_known (self, ear_podcast_get_id (podcast));
  if (!self->closed && !ear_podcast_get_followed (podcast) && known != NULL && known->purge == NULL && !known->touched)
    hide (self, podcast);
}

/* Keeps a previewed podcast. */
void
ear_catalogue_touch (EarCatalogue *self, EarPodcast *podcast)
{
  EarKnownPodcast *known = ear_catalogue_lookup_known (self, ear_podcast_get_id (podcast));

  if (known != NULL && !ear_podcast_get_followed (podcast))
    known->touched = TRUE;
}
