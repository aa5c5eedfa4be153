/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-selection.h"

#include "ear-property.h"

/**
 * EarEpisodeSelection:
 *
 * The selection of a list of episodes, kept as positions: GtkMultiSelection keeps the
 * objects, of which Ctrl+A would make as many as the list is long. Groups of rows are
 * sections of the model.
 */
struct _EarEpisodeSelection
{
  GObject parent_instance;

  /* Owned */
  EarEpisodeList *list; /* (nullable) */
  GtkBitset *selected;
  EarRowGroups *groups; /* (nullable) */
};

/* --- List model --------------------------------------------------------------------- */

static GType
ear_episode_selection_get_item_type (GListModel *model)
{
  return EAR_TYPE_EPISODE;
}

static guint
ear_episode_selection_get_n_items (GListModel *model)
{
  EarEpisodeSelection *self = EAR_EPISODE_SELECTION (model);

  return self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
}

static gpointer
ear_episode_selection_get_item (GListModel *model, guint position)
{
  EarEpisodeSelection *self = EAR_EPISODE_SELECTION (model);

  return self->list != NULL ? g_list_model_get_item (G_LIST_MODEL (self->list), position) : NULL;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = ear_episode_selection_get_item_type;
  iface->get_n_items = ear_episode_selection_get_n_items;
  iface->get_item = ear_episode_selection_get_item;
}

/* --- Selection model ---------------------------------------------------------------- */

static gboolean
ear_episode_selection_is_selected (GtkSelectionModel *model, guint position)
{
  return gtk_bitset_contains (EAR_EPISODE_SELECTION (model)->selected, position);
}

static GtkBitset *
ear_episode_selection_get_selection_in_range (GtkSelectionModel *model,
                                              guint position,
                                              guint n_items)
{
  return gtk_bitset_ref (EAR_EPISODE_SELECTION (model)->selected);
}

/* GTK derives the other ways of selecting from this one. */
static gboolean
ear_episode_selection_set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  EarEpisodeSelection *self = EAR_EPISODE_SELECTION (model);
  g_autoptr (GtkBitset) changed = gtk_bitset_copy (selected);

  gtk_bitset_difference (changed, self->selected);
  gtk_bitset_intersect (changed, mask);
  if (self->list != NULL)
    gtk_bitset_remove_range (changed, g_list_model_get_n_items (G_LIST_MODEL (self->list)),
                             G_MAXUINT / 2);
  if (gtk_bitset_is_empty (changed))
    return TRUE;

  gtk_bitset_difference (self->selected, changed);
  gtk_selection_model_selection_changed (model, gtk_bitset_get_minimum (changed),
                                         gtk_bitset_get_maximum (changed) -
                                             gtk_bitset_get_minimum (changed) + 1);
  g_object_notify (G_OBJECT (self), "n-selected");

  return TRUE;
}

static void
selection_model_iface_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = ear_episode_selection_is_selected;
  iface->get_selection_in_range = ear_episode_selection_get_selection_in_range;
  iface->set_selection = ear_episode_selection_set_selection;
}

/* --- Section model ------------------------------------------------------------------ */

static gboolean
are_in_one_group (EarEpisodeSelection *self, guint a, guint b)
{
  return ear_row_groups_get (self->groups, ear_episode_list_get_id (self->list, a)) ==
         ear_row_groups_get (self->groups, ear_episode_list_get_id (self->list, b));
}

static void
ear_episode_selection_get_section (GtkSectionModel *model, guint position, guint *start, guint *end)
{
  EarEpisodeSelection *self = EAR_EPISODE_SELECTION (model);
  const guint n = ear_episode_selection_get_n_items (G_LIST_MODEL (self));

  *start = position < n ? 0 : n;
  *end = position < n ? n : G_MAXUINT;
  if (position >= n || self->groups == NULL)
    return;
  for (*start = position; *start > 0 && are_in_one_group (self, *start - 1, position); --*start)
    ;
  for (*end = position + 1; *end < n && are_in_one_group (self, *end, position); ++*end)
    ;
}

static void
section_model_iface_init (GtkSectionModelInterface *iface)
{
  iface->get_section = ear_episode_selection_get_section;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (
    EarEpisodeSelection, ear_episode_selection, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init)
    G_IMPLEMENT_INTERFACE (GTK_TYPE_SECTION_MODEL, section_model_iface_init)
    G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_model_iface_init))

/* --- Class -------------------------------------------------------------------------- */

static void
items_changed_cb (EarEpisodeSelection *self, guint position, guint n_removed, guint n_added)
{
  const guint64 n_before = gtk_bitset_get_size (self->selected);

  gtk_bitset_splice (self->selected, position, n_removed, n_added);
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
  if (gtk_bitset_get_size (self->selected) != n_before)
    g_object_notify (G_OBJECT (self), "n-selected");
}

static void
ear_episode_selection_dispose (GObject *object)
{
  EarEpisodeSelection *self = EAR_EPISODE_SELECTION (object);

  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  g_clear_object (&self->list);
  g_clear_pointer (&self->selected, gtk_bitset_unref);
  g_clear_pointer (&self->groups, ear_row_groups_free);

  G_OBJECT_CLASS (ear_episode_selection_parent_class)->dispose (object);
}

static void
ear_episode_selection_class_init (EarEpisodeSelectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "n-selected", G_TYPE_UINT, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_episode_selection_get_n_selected) },
  };

  object_class->dispose = ear_episode_selection_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_episode_selection_init (EarEpisodeSelection *self)
{
  self->selected = gtk_bitset_new_empty ();
}

/* Shows another list, with nothing selected. */
void
ear_episode_selection_set_list (EarEpisodeSelection *self, EarEpisodeList *list)
{
  const guint n_before = ear_episode_selection_get_n_items (G_LIST_MODEL (self));

  g_return_if_fail (EAR_IS_EPISODE_SELECTION (self));

  if (self->list == list)
    return;

  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  g_set_object (&self->list, list);
  if (list != NULL)
    g_signal_connect_object (list, "items-changed", G_CALLBACK (items_changed_cb), self,
                             G_CONNECT_SWAPPED);
  gtk_bitset_remove_all (self->selected);
  g_clear_pointer (&self->groups, ear_row_groups_free);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before,
                              ear_episode_selection_get_n_items (G_LIST_MODEL (self)));
  g_object_notify (G_OBJECT (self), "n-selected");
}

/* Divides the rows into sections, until another list is set.
 * @groups: (transfer full) (nullable) */
void
ear_episode_selection_set_groups (EarEpisodeSelection *self, EarRowGroups *groups)
{
  const guint n = ear_episode_selection_get_n_items (G_LIST_MODEL (self));

  g_return_if_fail (EAR_IS_EPISODE_SELECTION (self));

  if (self->groups == NULL && groups == NULL)
    return;
  g_clear_pointer (&self->groups, ear_row_groups_free);
  self->groups = groups;
  if (n > 0)
    gtk_section_model_sections_changed (GTK_SECTION_MODEL (self), 0, n);
}

EAR_DEFINE_GET (EarEpisodeSelection, ear_episode_selection, EarRowGroups *, groups)

guint
ear_episode_selection_get_n_selected (EarEpisodeSelection *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_SELECTION (self), 0);

  return (guint) gtk_bitset_get_size (self->selected);
}

/* Returns: the first row that is selected, or `GTK_INVALID_LIST_POSITION` */
guint
ear_episode_selection_get_first (EarEpisodeSelection *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_SELECTION (self), GTK_INVALID_LIST_POSITION);

  return gtk_bitset_is_empty (self->selected) ? GTK_INVALID_LIST_POSITION
                                              : gtk_bitset_get_minimum (self->selected);
}

/* Selects one row, or none. */
void
ear_episode_selection_select_only (EarEpisodeSelection *self, guint position)
{
  g_return_if_fail (EAR_IS_EPISODE_SELECTION (self));

  if (position != GTK_INVALID_LIST_POSITION)
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self), position, TRUE);
  else
    gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self));
}

/* Selects a row beside the others, or unselects it. */
void
ear_episode_selection_toggle (EarEpisodeSelection *self, guint position)
{
  g_return_if_fail (EAR_IS_EPISODE_SELECTION (self));

  if (gtk_bitset_contains (self->selected, position))
    gtk_selection_model_unselect_item (GTK_SELECTION_MODEL (self), position);
  else
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self), position, FALSE);
}

/* Returns: (transfer full) (element-type gint64): row ids of the episodes
 * that are selected */
GArray *
ear_episode_selection_dup_ids (EarEpisodeSelection *self)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_return_val_if_fail (EAR_IS_EPISODE_SELECTION (self), ids);

  for (guint i = 0; i < gtk_bitset_get_size (self->selected); i++)
    {
      const gint64 id =
          ear_episode_list_get_id (self->list, gtk_bitset_get_nth (self->selected, i));

      g_array_append_val (ids, id);
    }

  return ids;
}

/* Returns: (transfer full) (element-type EarEpisode): the selected
 * episodes, in their order */
GPtrArray *
ear_episode_selection_dup_episodes (EarEpisodeSelection *self)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (EAR_IS_EPISODE_SELECTION (self), episodes);

  for (guint i = 0; i < gtk_bitset_get_size (self->selected); i++)
    {
      EarEpisode *episode = g_list_model_get_item (G_LIST_MODEL (self->list),
                                                   gtk_bitset_get_nth (self->selected, i));

      if (episode != NULL)
        g_ptr_array_add (episodes, episode);
    }

  return episodes;
}
