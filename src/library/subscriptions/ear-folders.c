/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-folders.h"

#include "ear-list-store.h"
#include "ear-podcast-settings.h"
#include "ear-property.h"

#include <string.h>

/* Maximum length of a name in bytes; longer ones are cut. */
#define NAME_LIMIT 400

/* A folder of podcasts in the sidebar. It exists as long as a podcast is in it, and is
 * identified by [property@EarPodcast:folder]. Its name joins the names of nested folders
 * of other programs with "/"; it is shown as one folder. */
struct _EarFolder
{
  GObject parent_instance;

  /* Owned */
  char *name;
  char *title;
  char *sort_key;
  char *filter;
  char *sort;
  GPtrArray *podcasts; /* (element-type EarPodcast): in order */
  GListStore *children; /* the same as a list model */

  guint count;
  gboolean folded;
};

G_DEFINE_FINAL_TYPE (EarFolder, ear_folder, G_TYPE_OBJECT)

static char *
dup_line (const char *typed)
{
  char *line =
      strlen (typed) > NAME_LIMIT ? g_utf8_make_valid (typed, NAME_LIMIT) : g_strdup (typed);

  for (char *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';

  return line;
}

static char *
join (const char *typed, const char *separator)
{
  g_autofree char *line = dup_line (typed);
  g_auto (GStrv) parts = g_strsplit (line, "/", -1);
  GString *joined = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      g_string_append_printf (joined, "%s%s", joined->len > 0 ? separator : "", parts[i]);

  return g_string_free_and_steal (joined);
}

/* @typed: a name from the listener or a file
 * Returns: (transfer full) (nullable): a normalized folder name; %NULL if nothing is
 * left */
char *
ear_folder_name_clean (const char *typed)
{
  g_autofree char *name = join (typed, "/");

  return *name != '\0' ? g_steal_pointer (&name) : NULL;
}

/* Returns: (transfer full): the title to show, which ear_folder_name_clean() accepts,
 * too */
char *
ear_folder_name_dup_title (const char *name)
{
  return join (name, " / ");
}

/* Returns: (transfer full): a key for sorting with strcmp() */
char *
ear_folder_name_dup_key (const char *name)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);

  return g_utf8_collate_key (folded, -1);
}

static void
ear_folder_finalize (GObject *object)
{
  EarFolder *self = EAR_FOLDER (object);

  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->sort_key, g_free);
  g_clear_pointer (&self->filter, g_free);
  g_clear_pointer (&self->sort, g_free);
  g_clear_pointer (&self->podcasts, g_ptr_array_unref);
  g_clear_object (&self->children);

  G_OBJECT_CLASS (ear_folder_parent_class)->finalize (object);
}

static void
ear_folder_class_init (EarFolderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Name in the files */
    { "name", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarFolder, name) },
    /* Name shown to the listener */
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarFolder, title) },
    /* Number of episodes of its podcasts in the view New */
    { "count", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarFolder, count) },
    /* Whether its podcasts are hidden */
    { "folded", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarFolder, folded) },
    /* Filter and order of its episodes, in the words of podcast settings */
    { .spec = g_param_spec_string ("filter", NULL, NULL, "all", G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarFolder, filter) },
    { .spec = g_param_spec_string ("sort", NULL, NULL, "newest", G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarFolder, sort) },
  };

  object_class->finalize = ear_folder_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static char *
dup_usual (EarPodcastSetting setting)
{
  return g_strdup (ear_podcast_setting_get_word (setting, ear_podcast_setting_get_usual (setting)));
}

static void
ear_folder_init (EarFolder *self)
{
  self->podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  self->children = g_list_store_new (EAR_TYPE_PODCAST);
  self->filter = dup_usual (EAR_PODCAST_SETTING_FILTER);
  self->sort = dup_usual (EAR_PODCAST_SETTING_SORT);
}

static void
folder_set_name (EarFolder *self, const char *name)
{
  g_autofree char *title = ear_folder_name_dup_title (name);

  if (!ear_property_set_string (self, "name", name))
    return;
  g_free (self->sort_key);
  self->sort_key = ear_folder_name_dup_key (title);
  ear_property_set_string (self, "title", title);
}

static EarFolder *
folder_new (const char *name)
{
  EarFolder *self = g_object_new (EAR_TYPE_FOLDER, NULL);

  folder_set_name (self, name);

  return self;
}

static gboolean
has_all (GPtrArray *podcasts, GPtrArray *others)
{
  for (guint i = 0; i < others->len; i++)
    if (!g_ptr_array_find (podcasts, others->pdata[i], NULL))
      return FALSE;

  return TRUE;
}

static gboolean
is_usual (EarPodcastSetting setting, const char *word)
{
  return g_strcmp0 (word, ear_podcast_setting_get_word (
                              setting, ear_podcast_setting_get_usual (setting))) == 0;
}

/* Returns: whether its filter or order differs from the default */
static gboolean
folder_is_arranged (EarFolder *self)
{
  g_return_val_if_fail (EAR_IS_FOLDER (self), FALSE);

  return !is_usual (EAR_PODCAST_SETTING_FILTER, self->filter) ||
         !is_usual (EAR_PODCAST_SETTING_SORT, self->sort);
}

/* The top level of the podcasts in the sidebar, a list of [class@EarFolder] and
 * [class@EarPodcast]: the folders, then the podcasts outside of folders. The podcasts
 * have the order of the settings. So have the folders: by title, or in the order of the
 * first podcast in each; in the listener's own order, folders without a moved podcast
 * come last, by title. */
struct _EarFolderList
{
  GObject parent_instance;

  /* Owned */
  GListModel *podcasts;
  EarSettings *settings;
  GHashTable *folders;   /* (element-type utf8 EarFolder): by the folders' names */
  GHashTable *folder_of; /* (element-type EarPodcast EarFolder): borrowed */
  GListStore *rows;
  guint idle;
  EarPodcastOrder order;
  gboolean renamed; /* a folder was renamed */
};

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (ear_folder_get_name ((EarFolder *) a), ear_folder_get_name ((EarFolder *) b));
}

/* Stores the settings of existing folders; others are dropped. */
static void
store (EarFolderList *self)
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
      if (folder_is_arranged (folder))
        g_strv_builder_add_many (arranged_builder, ear_folder_get_name (folder),
                                 ear_folder_get_filter (folder), ear_folder_get_sort (folder),
                                 NULL);
    }
  folded = g_strv_builder_end (folded_builder);
  arranged = g_strv_builder_end (arranged_builder);
  g_object_set (self->settings, "folded-folders", folded, "arranged-folders", arranged, NULL);
}

/* Updates the number of new episodes. */
static void
folder_update_count (EarFolder *self)
{
  guint count = 0;

  for (guint i = 0; i < self->podcasts->len; i++)
    count += ear_podcast_get_n_new (g_ptr_array_index (self->podcasts, i));
  ear_property_set_number (self, "count", (int) count);
}

/* @podcasts: (transfer full) (element-type EarPodcast): the podcasts of the folder, in
 * order */
static void
folder_set_podcasts (EarFolder *self, GPtrArray *podcasts)
{
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->podcasts);
  const gboolean same = before->len == podcasts->len && has_all (before, podcasts);

  self->podcasts = podcasts;
  ear_list_store_update (self->children, podcasts);
  folder_update_count (self);
  if (!same)
    g_signal_emit_by_name (self, "changed");
}

static const char *
folder_get_sort_key (EarFolder *self)
{
  return self->sort_key;
}

EAR_DEFINE_GET (EarFolder, ear_folder, const char *, name)
EAR_DEFINE_GET (EarFolder, ear_folder, const char *, title)

/* Returns: (transfer none) (element-type EarPodcast): the podcasts in order; immutable */
EAR_DEFINE_GET (EarFolder, ear_folder, GPtrArray *, podcasts)

/* Returns: (transfer none): the same podcasts as a list model */
GListModel *
ear_folder_get_children (EarFolder *self)
{
  g_return_val_if_fail (EAR_IS_FOLDER (self), NULL);

  return G_LIST_MODEL (self->children);
}

EAR_DEFINE_GET (EarFolder, ear_folder, guint, count)
EAR_DEFINE_GET (EarFolder, ear_folder, gboolean, folded)

void
ear_folder_set_folded (EarFolder *self, gboolean folded)
{
  g_return_if_fail (EAR_IS_FOLDER (self));

  ear_property_set_boolean (self, "folded", folded);
}

EAR_DEFINE_GET (EarFolder, ear_folder, const char *, filter)
EAR_DEFINE_GET (EarFolder, ear_folder, const char *, sort)

/* Sets filter and order. Unknown words are ignored. */
void
ear_folder_arrange (EarFolder *self, const char *filter, const char *sort)
{
  int value;

  g_return_if_fail (EAR_IS_FOLDER (self));

  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter, &value))
    ear_property_set_string (self, "filter", filter);
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort, &value))
    ear_property_set_string (self, "sort", sort);
}

/* @search: (nullable): words to search for
 * Returns: (transfer full): a query of the episodes of its podcasts */
EarEpisodeQuery *
ear_folder_create_query (EarFolder *self, EarEpisodeFilter filter, EarEpisodeSort sort,
                         const char *search)
{
  EarEpisodeQuery *query;
  g_autoptr (GArray) ids = NULL;

  g_return_val_if_fail (EAR_IS_FOLDER (self), NULL);

  ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < self->podcasts->len; i++)
    {
      const gint64 id = ear_podcast_get_id (g_ptr_array_index (self->podcasts, i));

      g_array_append_val (ids, id);
    }
  query = ear_episode_query_new (0, filter, sort, search);
  ear_episode_query_set_terms (query, &(EarEpisodeConditions) { .podcasts = ids });
  /* Setting the terms has cleared the filter. */
  query->filter = filter;

  return query;
}

static GType
get_item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (EAR_FOLDER_LIST (model)->rows));
}

static gpointer
get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (EAR_FOLDER_LIST (model)->rows), position);
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (EarFolderList, ear_folder_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

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

/* Restores filter and order from the settings, which have name, filter and order of each
 * folder. */
static void
restore_arrangement (EarFolderList *self, EarFolder *folder)
{
  g_auto (GStrv) arranged = NULL;

  g_object_get (self->settings, "arranged-folders", &arranged, NULL);
  for (guint i = 0; arranged != NULL && g_strv_length (arranged + i) >= 3; i += 3)
    if (g_str_equal (arranged[i], ear_folder_get_name (folder)))
      ear_folder_arrange (folder, arranged[i + 1], arranged[i + 2]);
}

static EarFolder *
create_folder (EarFolderList *self, const char *name)
{
  EarFolder *folder = folder_new (name);

  ear_folder_set_folded (folder, is_folded (self, name));
  restore_arrangement (self, folder);
  g_signal_connect_object (folder, "notify::folded", G_CALLBACK (store), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (folder, "notify::filter", G_CALLBACK (store), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (folder, "notify::sort", G_CALLBACK (store), self, G_CONNECT_SWAPPED);

  return folder;
}

/* A renamed folder keeps its object, so that it stays selected: it is the former folder
 * of the podcast, if no podcast has that folder's name any more. */
static EarFolder *
add_folder (EarFolderList *self, const char *name, EarPodcast *podcast, GHashTable *names)
{
  EarFolder *folder = g_hash_table_lookup (self->folders, name);
  EarFolder *former = g_hash_table_lookup (self->folder_of, podcast);

  if (folder != NULL)
    return g_object_ref (folder);
  if (former == NULL || g_hash_table_contains (names, ear_folder_get_name (former)))
    return create_folder (self, name);

  g_object_ref (former);
  g_hash_table_remove (self->folders, ear_folder_get_name (former));
  folder_set_name (former, name);
  self->renamed = TRUE;

  return former;
}

/* The podcasts of a folder, or those outside of folders */
typedef struct
{
  EarFolder *folder; /* (nullable): %NULL for those outside of folders */
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
  const int order =
      strcmp (folder_get_sort_key (first->folder), folder_get_sort_key (second->folder));

  return order != 0
             ? order
             : strcmp (ear_folder_get_name (first->folder), ear_folder_get_name (second->folder));
}

static gboolean
has_place (const Group *group)
{
  EarPodcast *first = g_ptr_array_index (group->podcasts, 0);

  return ear_podcast_get_settings (first)->values[EAR_PODCAST_SETTING_PLACE] > 0;
}

/* Folders with a position keep their order; the others follow by title. */
static int
compare_places (gconstpointer a, gconstpointer b)
{
  if (has_place (a) || has_place (b))
    return has_place (b) - has_place (a);

  return compare_titles (a, b);
}

/* In the order of newest episodes, the folders are already sorted, as their podcasts
 * are. */
static void
sort_groups (EarFolderList *self, GPtrArray *groups)
{
  if (self->order == EAR_PODCAST_ORDER_TITLE)
    g_ptr_array_sort_values (groups, compare_titles);
  else if (self->order == EAR_PODCAST_ORDER_BY_HAND)
    g_ptr_array_sort_values (groups, compare_places);
}

/* Returns: (transfer full) (element-type Group): the folders in order, and at the end the
 * podcasts outside of folders */
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
          group = group_new (add_folder (self, name, podcast, names));
          g_hash_table_insert (by_name, (char *) name, group);
          g_ptr_array_add (groups, group);
        }
      g_ptr_array_add (group->podcasts, g_object_ref (podcast));
    }
  sort_groups (self, groups);
  g_ptr_array_add (groups, loose);

  return groups;
}

static void
add_group (EarFolderList *self, Group *group)
{
  EarFolder *folder = group->folder;

  g_hash_table_replace (self->folders, (char *) ear_folder_get_name (folder),
                        g_object_ref (folder));
  for (guint i = 0; i < group->podcasts->len; i++)
    g_hash_table_insert (self->folder_of, g_ptr_array_index (group->podcasts, i), folder);
  folder_set_podcasts (folder, g_ptr_array_ref (group->podcasts));
}

static int
compare_podcasts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return ear_podcast_order_compare ((EarPodcast *) a, (EarPodcast *) b,
                                    EAR_FOLDER_LIST (user_data)->order);
}

/* Returns: (transfer full): the podcasts in the order of the settings */
static GPtrArray *
list_podcasts (EarFolderList *self)
{
  GPtrArray *podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *order = NULL;
  EarPodcast *podcast;

  while ((podcast = g_list_model_get_item (self->podcasts, podcasts->len)) != NULL)
    g_ptr_array_add (podcasts, podcast);
  g_object_get (self->settings, "podcast-order", &order, NULL);
  self->order = ear_podcast_order_from_name (order);
  /* The podcasts are already sorted by title. */
  if (self->order != EAR_PODCAST_ORDER_TITLE)
    g_ptr_array_sort_values_with_data (podcasts, compare_podcasts, self);

  return podcasts;
}

static void
update (EarFolderList *self)
{
  g_autoptr (GPtrArray) podcasts = list_podcasts (self);
  g_autoptr (GPtrArray) groups = group_podcasts (self, podcasts);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  const Group *loose = g_ptr_array_index (groups, groups->len - 1);

  g_clear_handle_id (&self->idle, g_source_remove);
  g_hash_table_remove_all (self->folder_of);
  g_hash_table_remove_all (self->folders);
  for (guint i = 0; i + 1 < groups->len; i++)
    {
      Group *group = g_ptr_array_index (groups, i);

      add_group (self, group);
      g_ptr_array_add (rows, group->folder);
    }
  g_ptr_array_extend (rows, loose->podcasts, NULL, NULL);
  if (self->renamed)
    store (self);
  self->renamed = FALSE;
  ear_list_store_update (self->rows, rows);
}

static void
idle_cb (gpointer user_data)
{
  EarFolderList *self = EAR_FOLDER_LIST (user_data);

  self->idle = 0;
  update (self);
}

/* Joins many changes in one update: renaming a folder moves many podcasts, and a first fetch
 * sorts them anew with each transaction. */
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
    folder_update_count (folder);
}

static void
podcast_moved_cb (EarFolderList *self)
{
  if (self->order != EAR_PODCAST_ORDER_TITLE)
    update_soon (self);
}

static void
podcasts_changed_cb (EarFolderList *self, guint position, guint n_removed, guint n_added)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (self->podcasts, i);

      /* A podcast that moves is removed and added again. */
      g_signal_handlers_disconnect_by_func (podcast, update_soon, self);
      g_signal_handlers_disconnect_by_func (podcast, counted_cb, self);
      g_signal_handlers_disconnect_by_func (podcast, podcast_moved_cb, self);
      g_signal_connect_object (podcast, "notify::folder", G_CALLBACK (update_soon), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (podcast, "notify::n-new", G_CALLBACK (counted_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (podcast, "notify::newest", G_CALLBACK (podcast_moved_cb), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (podcast, "notify::place", G_CALLBACK (podcast_moved_cb), self,
                               G_CONNECT_SWAPPED);
    }
  /* The first change shows at once: the window chooses a podcast that was just followed. */
  if (self->idle == 0)
    update (self);
  update_soon (self);
}

static void
ear_folder_list_finalize (GObject *object)
{
  EarFolderList *self = EAR_FOLDER_LIST (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_object (&self->rows);
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
  self->rows = g_list_store_new (G_TYPE_OBJECT);
  g_signal_connect_swapped (self->rows, "items-changed", G_CALLBACK (g_list_model_items_changed),
                            self);
}

/* @podcasts: a list of [class@EarPodcast], by title
 * @settings: the order, the folded folders, and the filter and order of each folder
 * Returns: (transfer full): the folders, and the podcasts outside of folders */
EarFolderList *
ear_folder_list_new (GListModel *podcasts, EarSettings *settings)
{
  EarFolderList *self = g_object_new (EAR_TYPE_FOLDER_LIST, NULL);

  self->podcasts = g_object_ref (podcasts);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (podcasts, "items-changed", G_CALLBACK (podcasts_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::podcast-order", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  podcasts_changed_cb (self, 0, 0, g_list_model_get_n_items (podcasts));

  return self;
}

/* The order of podcasts: pure functions */

static const char *const order_names[] = {
  [EAR_PODCAST_ORDER_TITLE] = "title",
  [EAR_PODCAST_ORDER_NEWEST] = "newest",
  [EAR_PODCAST_ORDER_BY_HAND] = "by-hand",
};

/* @name: (nullable): an order in the settings
 * Returns: the order with that name, or by title */
EarPodcastOrder
ear_podcast_order_from_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (order_names); i++)
    if (g_strcmp0 (order_names[i], name) == 0)
      return (EarPodcastOrder) i;

  return EAR_PODCAST_ORDER_TITLE;
}

static int
get_position (EarPodcast *podcast)
{
  return ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_PLACE];
}

static int
compare_numbers (gint64 a, gint64 b)
{
  return a < b ? -1 : a > b;
}

/* Returns: a comparison result as of strcmp() */
int
ear_podcast_order_compare (EarPodcast *a, EarPodcast *b, EarPodcastOrder order)
{
  int result = 0;

  if (order == EAR_PODCAST_ORDER_NEWEST)
    result = compare_numbers (ear_podcast_get_newest (b), ear_podcast_get_newest (a));
  /* Podcasts without a position come last. */
  else if (order == EAR_PODCAST_ORDER_BY_HAND)
    result = compare_numbers ((guint) get_position (a) - 1u, (guint) get_position (b) - 1u);
  if (result == 0)
    result = strcmp (ear_podcast_get_sort_key (a), ear_podcast_get_sort_key (b));

  return result != 0 ? result : compare_numbers (ear_podcast_get_id (a), ear_podcast_get_id (b));
}

static void
append_folder (GPtrArray *grouped, GPtrArray *podcasts, const char *folder)
{
  for (guint i = 0; i < podcasts->len; i++)
    if (g_strcmp0 (ear_podcast_get_folder (podcasts->pdata[i]), folder) == 0)
      g_ptr_array_add (grouped, g_object_ref (podcasts->pdata[i]));
}

static int
compare_folder_names (gconstpointer a, gconstpointer b)
{
  g_autofree char *first = ear_folder_name_dup_key (a);
  g_autofree char *second = ear_folder_name_dup_key (b);

  return strcmp (first, second);
}

/* @podcasts: (element-type EarPodcast): all podcasts, in the listener's own order
 * Returns: (transfer full): the podcasts as listed: folder by folder, in the order of the
 * first podcast of each, or by title if that has no position; then those outside of
 * folders */
GPtrArray *
ear_podcast_order_group (GPtrArray *podcasts)
{
  GPtrArray *grouped = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  for (guint i = 0; i < podcasts->len; i++)
    {
      const char *folder = ear_podcast_get_folder (podcasts->pdata[i]);

      if (folder != NULL && g_hash_table_add (known, (char *) folder))
        g_ptr_array_add (get_position (podcasts->pdata[i]) > 0 ? folders : others, (char *) folder);
    }
  g_ptr_array_sort_values (others, compare_folder_names);
  g_ptr_array_extend (folders, others, NULL, NULL);
  for (guint i = 0; i < folders->len; i++)
    append_folder (grouped, podcasts, folders->pdata[i]);
  append_folder (grouped, podcasts, NULL);

  return grouped;
}

/* Returns: whether the positions of the unmoved podcasts match their order; those without
 * a position come last */
static gboolean
are_in_order (GPtrArray *podcasts, guint position, guint n)
{
  guint before = 0;

  for (guint i = 0; i < podcasts->len; i++)
    {
      const int place = get_position (podcasts->pdata[i]);
      const guint order = (guint) place - 1u;

      if (i >= position && i < position + n)
        continue;
      if (order < before)
        return FALSE;
      before = place == 0 ? order : order + 1;
    }

  return TRUE;
}

/* Finds positions for podcasts that are moved to index @position.
 * @podcasts: (element-type EarPodcast): all podcasts in the new order
 * @n: the number of moved podcasts
 * @place: (out): the position of the first one
 * @step: (out): the distance to the next one
 * Returns: %FALSE if there is no room, or if the others have no matching positions: then
 * all need new ones */
gboolean
ear_podcast_order_find_position (GPtrArray *podcasts, guint position, guint n, int *place,
                                 int *step)
{
  const int before = position > 0 ? get_position (g_ptr_array_index (podcasts, position - 1)) : 0;
  const int most = before < G_MAXINT - 2 * EAR_PODCAST_ORDER_STEP
                       ? before + 2 * EAR_PODCAST_ORDER_STEP
                       : G_MAXINT;
  int after = 0;

  if ((position > 0 && before == 0) || !are_in_order (podcasts, position, n))
    return FALSE;
  if (position + n < podcasts->len)
    {
      after = get_position (g_ptr_array_index (podcasts, position + n));
      if (after == 0 && before == 0)
        return FALSE;
    }
  if (after == 0)
    after = most;
  *step = (after - before) / (int) (n + 1);
  *place = before + *step;

  return *step > 0;
}
