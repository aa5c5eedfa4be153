/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-list-private.h"

#include "ear-episode-sql.h"
#include "ear-property.h"

static GType
ear_episode_list_get_item_type (GListModel *model)
{
  return EAR_TYPE_EPISODE;
}

static guint
ear_episode_list_get_n_items (GListModel *model)
{
  return ear_id_sequence_get_n_ids (EAR_EPISODE_LIST (model)->ids);
}

static gpointer
ear_episode_list_get_item (GListModel *model, guint position)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (model);

  if (position >= ear_id_sequence_get_n_ids (self->ids))
    return NULL;

  return ear_episode_list_dup_episode (self, position);
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = ear_episode_list_get_item_type;
  iface->get_n_items = ear_episode_list_get_n_items;
  iface->get_item = ear_episode_list_get_item;
}

/**
 * EarEpisodeList:
 *
 * The episodes that a query finds, as a list model over an array of row ids.
 *
 * Objects are made for the rows that are read, a page at a time. When the catalogue
 * reports a change that may affect the result, the query is repeated, and only the rows
 * that differ come or go.
 */
G_DEFINE_FINAL_TYPE_WITH_CODE (EarEpisodeList,
                               ear_episode_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

static void
ids_changed_cb (guint position, guint n_removed, guint n_added, gpointer user_data)
{
  EarEpisodeList *self = user_data;

  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
  if (n_removed != n_added)
    g_object_notify (G_OBJECT (self), "n-items");
}

static void
ear_episode_list_dispose (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  g_cancellable_cancel (self->cancellable);
  ear_episode_list_stop_asking (self);
  ear_episode_list_stop_growing (self);
  ear_id_sequence_free (self->ids);
  self->ids = ear_id_sequence_new (ids_changed_cb, self);
  ear_episode_list_drop_pages (self);
  g_clear_pointer (&self->watch, ear_query_watch_free);
  g_clear_pointer (&self->query, ear_episode_query_free);
  g_clear_object (&self->catalogue);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->dispose (object);
}

static void
ear_episode_list_finalize (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->ids, ear_id_sequence_free);
  g_clear_pointer (&self->context, g_main_context_unref);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->finalize (object);
}

static void
ear_episode_list_class_init (EarEpisodeListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether the query has no result yet */
    { "loading", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeList, loading) },
    /* Whether a query is running, or will be repeated because of a change */
    { "asking", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_list_get_asking) },
    { "n-items", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_list_get_n_items) },
  };

  object_class->dispose = ear_episode_list_dispose;
  object_class->finalize = ear_episode_list_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_episode_list_init (EarEpisodeList *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->cancellable = g_cancellable_new ();
  self->ids = ear_id_sequence_new (ids_changed_cb, self);
}

/* Without a catalogue the list is empty. */
EarEpisodeList *
ear_episode_list_new (EarCatalogue *catalogue)
{
  EarEpisodeList *self = g_object_new (EAR_TYPE_EPISODE_LIST, NULL);

  if (!g_set_object (&self->catalogue, catalogue))
    return self;
  self->watch = ear_query_watch_new (catalogue, &self->query, (EarQueryWatchFunc) ear_episode_list_ask_again, G_OBJECT (self));

  return self;
}

/**
 * ear_episode_list_new_with_query:
 * @catalogue: a catalogue
 * @query: a query
 *
 * Returns: (transfer full): a list that follows the catalogue's changes
 */
EarEpisodeList *
ear_episode_list_new_with_query (EarCatalogue *catalogue, const EarEpisodeQuery *query)
{
  EarEpisodeList *self = ear_episode_list_new (catalogue);

  ear_episode_list_set_query (self, query);

  return self;
}

/**
 * ear_episode_list_get_query:
 *
 * Returns: (transfer none) (nullable): the list's query
 */
const EarEpisodeQuery *
ear_episode_list_get_query (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), NULL);

  return self->query;
}

static void
empty_list (EarEpisodeList *self)
{
  g_autoptr (GArray) nothing = g_array_new (FALSE, FALSE, sizeof (gint64));

  ear_episode_list_stop_growing (self);
  ear_id_sequence_replace (self->ids, nothing);
}

/* Sets the query. The rows stay until its result is there; a running earlier query is
 * not waited for.
 * @query: (nullable): the new value; %NULL empties the list */
void
ear_episode_list_set_query (EarEpisodeList *self, const EarEpisodeQuery *query)
{
  gboolean loading;
  gboolean changed;

  g_return_if_fail (EAR_IS_EPISODE_LIST (self));

  if (ear_episode_query_equal (self->query, query))
    return;

  g_clear_pointer (&self->query, ear_episode_query_free);
  self->query = query != NULL ? ear_episode_query_copy (query) : NULL;
  self->serial++;
  self->asking = FALSE;
  ear_episode_list_stop_asking (self);
  loading = query != NULL && self->catalogue != NULL;
  changed = self->loading != loading;
  self->loading = loading;
  /* If an index has the order, the first rows are known at once; otherwise all rows have
   * to be sorted. */
  if (loading)
    ear_episode_list_ask (self, ear_episode_query_is_in_order (query) ? ear_episode_query_get_n_first (query) : 0);
  else
    ear_episode_list_notify_asking (self);

  if (changed)
    g_object_notify (G_OBJECT (self), "loading");
  if (self->query == NULL)
    empty_list (self);
}

gboolean
ear_episode_list_get_loading (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return self->loading;
}

gboolean
ear_episode_list_get_asking (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return self->asking || self->requery_source != NULL;
}

/**
 * ear_episode_list_get_id:
 * @position: of an existing row
 *
 * Returns the episode of a row without making an object.
 *
 * Returns: row id of the episode
 */
gint64
ear_episode_list_get_id (EarEpisodeList *self, guint position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), 0);
  g_return_val_if_fail (position < ear_id_sequence_get_n_ids (self->ids), 0);

  return ear_id_sequence_get (self->ids, position);
}

/**
 * ear_episode_list_find:
 * @id: row id of an episode
 * @position: (out) (optional): its position
 *
 * Finds an episode without making an object.
 *
 * Returns: whether the list has it
 */
gboolean
ear_episode_list_find (EarEpisodeList *self, gint64 id, guint *position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return ear_id_sequence_find (self->ids, id, position);
}

/**
 * ear_episode_list_set_in_sight:
 * @position: the row in the middle of the visible ones, or 0 at the top
 *
 * Sets the scroll position: when hits are ranked, the view stays there, and the rows
 * around it are read ahead. At the top, the best hits become visible.
 */
void
ear_episode_list_set_in_sight (EarEpisodeList *self, guint position)
{
  g_return_if_fail (EAR_IS_EPISODE_LIST (self));

  self->in_sight = position;
}
