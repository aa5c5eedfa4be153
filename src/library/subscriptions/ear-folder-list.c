/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-folder-list.h"

#include "ear-podcast-order.h"

/**
 * EarFolderList:
 *
 * The podcasts as the sidebar lists them, a list of [class@EarFolder] and [class@EarPodcast]: the folders first, each followed by
 * what is in it unless it is folded, then the podcasts that are in none. In each, the podcasts have the order in which they are given;
 * the folders that of their titles where the podcasts are in that order, or else that of the first podcast in each; in the listener's
 * own order those come last, by title, of which he has moved nothing yet.
 */
struct _EarFolderList
{
  GObject parent_instance;

  /* Owned */
  GListModel *podcasts;
  EarSettings *settings;
  GHashTable *folders;   /* (element-type utf8 EarFolder): by their names, which are theirs */
  GHashTable *folder_of; /* (element-type EarPodcast EarFolder): borrowed */
  GPtrArray *rows;       /* (element-type GObject) */
  guint idle;
  gboolean renamed; /* one has got another name */
};

static GType
get_item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *model)
{
  return EAR_FOLDER_LIST (model)->rows->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  EarFolderList *self = EAR_FOLDER_LIST (model);

  return position < self->rows->len ? g_object_ref (g_ptr_array_index (self->rows, position)) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (EarFolderList, ear_folder_list, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

/* --- Folders --------------------------------------------------------------------------- */

static GHashTable *
list_names (GPtrArray *podcasts)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < podcasts->len; i++)
    if (ear_podcast_get_folder (g_ptr_array_index (podcasts, i)) != NULL)
      g_hash_table_add (names, (char *) ear_podcast_get_folder (g_ptr_array_index (podcasts, i)));

  return names;
}

static gboolean
is_folded (EarFolderList *self, const char *name)
{
  g_auto (GStrv) folded = NULL;

  g_object_get (self->settings, "folded-folders", &folded, NULL);

  return folded != NULL && g_strv_contains ((const char *const *) folded, name);
}

/* Name, filter and order of each that is arranged */
static void
restore_arrangement (EarFolderList *self, EarFolder *folder)
{
  g_auto (GStrv) arranged = NULL;

  g_object_get (self->settings, "arranged-folders", &arranged, NULL);
  for (guint i = 0; arranged != NULL && g_strv_length (arranged + i) >= 3; i += 3)
    if (g_str_equal (arranged[i], ear_folder_get_name (folder)))
      ear_folder_arrange (folder, arranged[i + 1], arranged[i + 2]);
}

static void folded_cb (EarFolderList *self);
static void keep (EarFolderList *self);

static EarFolder *
create_folder (EarFolderList *self, const char *name)
{
  EarFolder *folder = ear_folder_new (name);

  ear_folder_set_folded (folder, is_folded (self, name));
  restore_arrangement (self, folder);
  g_signal_connect_object (folder, "notify::folded", G_CALLBACK (folded_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (folder, "notify::filter", G_CALLBACK (keep), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (folder, "notify::sort", G_CALLBACK (keep), self, G_CONNECT_SWAPPED);

  return folder;
}

/* One that has got another name stays the same object, so that it stays chosen: it is the one in which the podcast was, if nothing is
 * called as that was any more. */
static EarFolder *
take_folder (EarFolderList *self, const char *name, EarPodcast *podcast, GHashTable *names)
{
  EarFolder *folder = g_hash_table_lookup (self->folders, name);
  EarFolder *former = g_hash_table_lookup (self->folder_of, podcast);

  if (folder != NULL)
    return g_object_ref (folder);
  if (former == NULL || g_hash_table_contains (names, ear_folder_get_name (former)))
    return create_folder (self, name);

  g_object_ref (former);
  g_hash_table_remove (self->folders, ear_folder_get_name (former));
  ear_folder_set_name (former, name);
  self->renamed = TRUE;

  return former;
}

/* What is in one folder, or in none */
typedef struct
{
  EarFolder *folder; /* (nullable): of those that are in none */
  GPtrArray *podcasts; /* (element-type EarPodcast) */
} Group;

static Group *
group_new (EarFolder *folder)
{
  Group *group = g_new0 (Group, 1);

  group->folder = folder;
  group->podcasts = g_ptr_array_new_with_free_func (g_object_unref);

  return group;
}

static void
group_free (gpointer data)
{
  Group *group = data;

  g_clear_object (&group->folder);
  g_ptr_array_unref (group->podcasts);
  g_free (group);
}

static int
compare_titles (gconstpointer a, gconstpointer b)
{
  const Group *first = a;
  const Group *second = b;
  const int order = strcmp (ear_folder_get_sort_key (first->folder), ear_folder_get_sort_key (second->folder));

  return order != 0 ? order : strcmp (ear_folder_get_name (first->folder), ear_folder_get_name (second->folder));
}

static gboolean
has_place (const Group *group)
{
  EarPodcast *first = g_ptr_array_index (group->podcasts, 0);

  return ear_podcast_get_settings (first)->values[EAR_PODCAST_SETTING_PLACE] > 0;
}

/* Those that have a place stay as they are. */
static int
compare_places (gconstpointer a, gconstpointer b)
{
  if (has_place (a) || has_place (b))
    return has_place (b) - has_place (a);

  return compare_titles (a, b);
}

static void
sort_groups (EarFolderList *self, GPtrArray *groups)
{
  g_autofree char *name = NULL;
  EarPodcastOrder order;

  g_object_get (self->settings, "podcast-order", &name, NULL);
  order = ear_podcast_order_from_name (name);
  if (order == EAR_PODCAST_ORDER_TITLE)
    g_ptr_array_sort_values (groups, compare_titles);
  else if (order == EAR_PODCAST_ORDER_BY_HAND)
    g_ptr_array_sort_values (groups, compare_places);
}

/* Returns: (transfer full) (element-type Group): the folders, in their order, and last what is in none */
static GPtrArray *
group_podcasts (EarFolderList *self, GPtrArray *podcasts)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) names = list_names (podcasts);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  Group *loose = group_new (NULL);

  for (guint i = 0; i < podcasts->len; i++)
    {
      EarPodcast *podcast = g_ptr_array_index (podcasts, i);
      const char *name = ear_podcast_get_folder (podcast);
      Group *group = name != NULL ? g_hash_table_lookup (by_name, name) : loose;

      if (group == NULL)
        {
          group = group_new (take_folder (self, name, podcast, names));
          g_hash_table_insert (by_name, (char *) name, group);
          g_ptr_array_add (groups, group);
        }
      g_ptr_array_add (group->podcasts, g_object_ref (podcast));
    }
  sort_groups (self, groups);
  g_ptr_array_add (groups, loose);

  return groups;
}

/* --- Rows ------------------------------------------------------------------------------ */

static void
note_group (EarFolderList *self, Group *group)
{
  EarFolder *folder = group->folder;

  g_hash_table_replace (self->folders, (char *) ear_folder_get_name (folder), g_object_ref (folder));
  for (guint i = 0; i < group->podcasts->len; i++)
    g_hash_table_insert (self->folder_of, g_ptr_array_index (group->podcasts, i), folder);
  ear_folder_take_podcasts (folder, g_ptr_array_ref (group->podcasts));
}

static GPtrArray *
create_rows (GPtrArray *groups)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = g_ptr_array_index (groups, i);

      if (group->folder != NULL)
        g_ptr_array_add (rows, g_object_ref (group->folder));
      if (group->folder == NULL || !ear_folder_get_folded (group->folder))
        g_ptr_array_extend (rows, group->podcasts, (GCopyFunc) (GCallback) g_object_ref, NULL);
    }

  return rows;
}

/* Tells of no more than lies between what is the same at both ends. */
static void
take_rows (EarFolderList *self, GPtrArray *rows)
{
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->rows);
  const guint shorter = MIN (before->len, rows->len);
  guint first = 0;
  guint n_last = 0;

  self->rows = rows;
  while (first < shorter && before->pdata[first] == rows->pdata[first])
    first++;
  while (n_last < shorter - first && before->pdata[before->len - 1 - n_last] == rows->pdata[rows->len - 1 - n_last])
    n_last++;
  if (before->len != first + n_last || rows->len != first + n_last)
    g_list_model_items_changed (G_LIST_MODEL (self), first, before->len - first - n_last, rows->len - first - n_last);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (ear_folder_get_name ((EarFolder *) a), ear_folder_get_name ((EarFolder *) b));
}

/* Of folders that are gone nothing is kept. */
static void
keep (EarFolderList *self)
{
  g_autoptr (GPtrArray) all = g_hash_table_get_values_as_ptr_array (self->folders);
  g_autoptr (GStrvBuilder) folded_builder = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) arranged_builder = g_strv_builder_new ();
  g_auto (GStrv) folded = NULL;
  g_auto (GStrv) arranged = NULL;

  g_ptr_array_sort_values (all, compare_names);
  for (guint i = 0; i < all->len; i++)
    {
      EarFolder *folder = g_ptr_array_index (all, i);

      if (ear_folder_get_folded (folder))
        g_strv_builder_add (folded_builder, ear_folder_get_name (folder));
      if (ear_folder_is_arranged (folder))
        g_strv_builder_add_many (arranged_builder, ear_folder_get_name (folder), ear_folder_get_filter (folder), ear_folder_get_sort (folder), NULL);
    }
  folded = g_strv_builder_end (folded_builder);
  arranged = g_strv_builder_end (arranged_builder);
  g_object_set (self->settings, "folded-folders", folded, "arranged-folders", arranged, NULL);
}

static void
update (EarFolderList *self)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) groups = NULL;
  EarPodcast *podcast;

  g_clear_handle_id (&self->idle, g_source_remove);
  while ((podcast = g_list_model_get_item (self->podcasts, podcasts->len)) != NULL)
    g_ptr_array_add (podcasts, podcast);
  groups = group_podcasts (self, podcasts);
  g_hash_table_remove_all (self->folder_of);
  g_hash_table_remove_all (self->folders);
  for (guint i = 0; i + 1 < groups->len; i++)
    note_group (self, g_ptr_array_index (groups, i));
  if (self->renamed)
    keep (self);
  self->renamed = FALSE;
  take_rows (self, create_rows (groups));
}

static void
idle_cb (gpointer user_data)
{
  EarFolderList *self = EAR_FOLDER_LIST (user_data);

  self->idle = 0;
  update (self);
}

/* A folder that gets another name is many podcasts that get another folder. */
static void
update_soon (EarFolderList *self)
{
  if (self->idle == 0)
    self->idle = g_idle_add_once (idle_cb, self);
}

static void
counted_cb (EarFolderList *self, GParamSpec *pspec, EarPodcast *podcast)
{
  EarFolder *folder = g_hash_table_lookup (self->folder_of, podcast);

  if (folder != NULL)
    ear_folder_sum_up (folder);
}

static void
folded_cb (EarFolderList *self)
{
  keep (self);
  update (self);
}

static void
podcasts_changed_cb (EarFolderList *self, guint position, guint n_removed, guint n_added)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (self->podcasts, i);

      /* One that moves comes again. */
      g_signal_handlers_disconnect_by_func (podcast, update_soon, self);
      g_signal_handlers_disconnect_by_func (podcast, counted_cb, self);
      g_signal_connect_object (podcast, "notify::folder", G_CALLBACK (update_soon), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (podcast, "notify::n-new", G_CALLBACK (counted_cb), self, G_CONNECT_SWAPPED);
    }
  update (self);
}

/* --- Class ----------------------------------------------------------------------------- */

static void
ear_folder_list_finalize (GObject *object)
{
  EarFolderList *self = EAR_FOLDER_LIST (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->folder_of, g_hash_table_unref);
  g_clear_pointer (&self->folders, g_hash_table_unref);
  g_clear_object (&self->podcasts);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (ear_folder_list_parent_class)->finalize (object);
}

static void
ear_folder_list_class_init (EarFolderListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_folder_list_finalize;
}

static void
ear_folder_list_init (EarFolderList *self)
{
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->folder_of = g_hash_table_new (NULL, NULL);
  self->rows = g_ptr_array_new_with_free_func (g_object_unref);
}

/* @podcasts: a list of [class@EarPodcast] in the order that the listener wants
 * @settings: know which folders are folded, and how each is arranged
 * Returns: (transfer full): a list of the same podcasts and the folders that they are in */
EarFolderList *
ear_folder_list_new (GListModel *podcasts, EarSettings *settings)
{
  EarFolderList *self = g_object_new (EAR_TYPE_FOLDER_LIST, NULL);

  self->podcasts = g_object_ref (podcasts);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (podcasts, "items-changed", G_CALLBACK (podcasts_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::podcast-order", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  podcasts_changed_cb (self, 0, 0, g_list_model_get_n_items (podcasts));

  return self;
}
