/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-list.h"

#include "ear-property.h"

/* Links loaded at once: a list view makes all new rows in one frame. */
#define STEP 30

/* Number of rows after a read one that triggers loading. A list view reads some hundred
 * rows beyond the visible ones. */
#define MARGIN 20

/* Pause between repeated queries while links are being collected */
#define PAUSE_MS 2000

/* A query finds all links at once, in some 120 ms for 400,000; their data are loaded
 * only for rows that are read. A reader thread does both. */
struct _EarLinkList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarLinkQuery *query; /* (nullable) */
  GArray *places;      /* (element-type EarLinkRef) (nullable): all results of the query */
  GListStore *links;   /* (element-type EarLink): the loaded ones */
  GCancellable *cancellable; /* of the running query */

  guint again;    /* source that repeats the query */
  guint n_loaded; /* loaded @places; some of the links may be gone */
  gboolean asking;
  gboolean loading;
  gboolean watching;
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (EarLinkList, ear_link_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static gboolean
has_at (EarLinkList *self, guint position, EarLink *link)
{
  g_autoptr (EarLink) known = g_list_model_get_item (G_LIST_MODEL (self->links), position);

  return g_str_equal (known->key, link->key) && g_str_equal (known->words, link->words) &&
         g_strcmp0 (known->episode, link->episode) == 0 && known->n_episodes == link->n_episodes;
}

/* Keep rows that are the same at both ends, so that the scroll position stays. */
static void
replace (EarLinkList *self, GPtrArray *links)
{
  const guint n_old = g_list_model_get_n_items (G_LIST_MODEL (self->links));
  guint n_first = 0;
  guint n_last = 0;

  while (n_first < MIN (n_old, links->len) &&
         has_at (self, n_first, g_ptr_array_index (links, n_first)))
    n_first++;
  while (n_last < MIN (n_old, links->len) - n_first &&
         has_at (self, n_old - n_last - 1, g_ptr_array_index (links, links->len - n_last - 1)))
    n_last++;
  if (n_first + n_last < MAX (n_old, links->len))
    g_list_store_splice (self->links, n_first, n_old - n_first - n_last, links->pdata + n_first,
                         links->len - n_first - n_last);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLinkList) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) links = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self->loading = FALSE;
  if (links == NULL)
    g_message ("Links cannot be read: %s", error->message);
  else if (self->asking)
    replace (self, links);
  else
    g_list_store_splice (self->links, g_list_model_get_n_items (G_LIST_MODEL (self->links)), 0,
                         links->pdata, links->len);
  ear_property_set_boolean (self, "asking", FALSE);
}

static void
load (EarLinkList *self, guint first, guint n_links)
{
  self->loading = TRUE;
  self->n_loaded = MIN (first + n_links, self->places->len);
  ear_catalogue_read_async (self->catalogue,
                            ear_read_links (&g_array_index (self->places, EarLinkRef, first),
                                            self->n_loaded - first),
                            self->cancellable, loaded_cb, g_object_ref (self));
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLinkList) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) places = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  guint n_new;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (places == NULL)
    {
      g_message ("Links cannot be found: %s", error->message);
      ear_property_set_boolean (self, "asking", FALSE);
      return;
    }
  /* New links are usually at the top; keep those loaded below. */
  n_new = self->places != NULL && places->len > self->places->len ? places->len - self->places->len
                                                                  : 0;
  g_clear_pointer (&self->places, g_array_unref);
  self->places = g_steal_pointer (&places);
  g_object_notify (G_OBJECT (self), "n-links");
  load (self, 0, MAX (self->n_loaded + n_new, STEP));
}

static void
ask (EarLinkList *self)
{
  ear_cancellable_clear (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->loading = FALSE;
  ear_property_set_boolean (self, "asking", TRUE);
  ear_catalogue_read_async (self->catalogue, ear_read_link_refs (self->query), self->cancellable,
                            found_cb, g_object_ref (self));
}

static void
again_cb (gpointer user_data)
{
  EarLinkList *self = user_data;

  self->again = 0;
  ask (self);
}

static void
changed_cb (EarLinkList *self)
{
  if (self->watching && self->query != NULL && self->again == 0)
    self->again = g_timeout_add_once (PAUSE_MS, again_cb, self);
}

static void
episodes_changed_cb (EarLinkList *self, gint64 podcast, EarEpisodeChange what)
{
  if ((what & (EAR_CHANGE_INSERTED | EAR_CHANGE_HIDDEN)) != 0)
    changed_cb (self);
}

static GType
get_item_type (GListModel *model)
{
  return EAR_TYPE_LINK;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (EAR_LINK_LIST (model)->links));
}

static gpointer
get_item (GListModel *model, guint position)
{
  EarLinkList *self = EAR_LINK_LIST (model);

  if (position + MARGIN >= get_n_items (model) && !self->asking && !self->loading &&
      self->n_loaded < ear_link_list_get_n_links (self))
    load (self, self->n_loaded, STEP);

  return g_list_model_get_item (G_LIST_MODEL (self->links), position);
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
ear_link_list_release (EarLinkList *self)
{
  ear_cancellable_clear (&self->cancellable);
  g_clear_handle_id (&self->again, g_source_remove);
  g_clear_pointer (&self->query, ear_link_query_free);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_object (&self->links);
  g_clear_object (&self->catalogue);
}

static void
ear_link_list_class_init (EarLinkListClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarLinkList, asking, G_TYPE_BOOLEAN),
    { .spec = g_param_spec_uint ("n-links", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE),
      .get = G_CALLBACK (ear_link_list_get_n_links) },
  };

  ear_class_set_release (klass, ear_link_list_release);

  ear_class_add_properties (klass, properties);
}

static void
ear_link_list_init (EarLinkList *self)
{
  self->links = g_list_store_new (EAR_TYPE_LINK);
  g_signal_connect_swapped (self->links, "items-changed", G_CALLBACK (g_list_model_items_changed),
                            self);
}

EarLinkList *
ear_link_list_new (EarCatalogue *catalogue)
{
  EarLinkList *self = g_object_new (EAR_TYPE_LINK_LIST, NULL);

  self->catalogue = g_object_ref (catalogue);
  ear_connect (catalogue, "links-changed", changed_cb, self);
  ear_connect (catalogue, "episodes-changed", episodes_changed_cb, self);

  return self;
}

/* Runs a query, even if it is the same as before. */
void
ear_link_list_set_query (EarLinkList *self, const EarLinkQuery *query)
{
  g_return_if_fail (EAR_IS_LINK_LIST (self));

  g_clear_handle_id (&self->again, g_source_remove);
  g_clear_pointer (&self->query, ear_link_query_free);
  self->query = ear_link_query_copy (query);
  self->n_loaded = 0;
  g_clear_pointer (&self->places, g_array_unref);
  ask (self);
}

/* @watching: whether the list is visible, and should follow changes */
void
ear_link_list_set_watching (EarLinkList *self, gboolean watching)
{
  g_return_if_fail (EAR_IS_LINK_LIST (self));

  self->watching = watching;
  if (!watching)
    g_clear_handle_id (&self->again, g_source_remove);
}

/* Loads all links of the query.
 * @callback: may call ear_catalogue_read_finish() */
void
ear_link_list_load_all_async (EarLinkList *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_LINK_LIST (self));

  ear_catalogue_read_async (self->catalogue,
                            ear_read_links (self->places != NULL ? (gpointer) self->places->data
                                                                 : NULL,
                                            ear_link_list_get_n_links (self)),
                            cancellable, callback, user_data);
}

EAR_DEFINE_GET (EarLinkList, ear_link_list, gboolean, asking)

guint
ear_link_list_get_n_links (EarLinkList *self)
{
  g_return_val_if_fail (EAR_IS_LINK_LIST (self), 0);

  return self->places != NULL ? self->places->len : 0;
}
