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
  char *filter;
  char *sort;
  GPtrArray *podcasts; /* (element-type EarPodcast): in order */
  GListStore *children; /* the same as a list model */

  guint count;
  gboolean folded;
};

G_DEFINE_FINAL_TYPE (EarFolder, ear_folder, G_TYPE_OBJECT)

static char *
join (const char *typed, const char *separator)
{
  g_autofree char *line = g_utf8_make_valid (typed, strnlen (typed, NAME_LIMIT));
  g_auto (GStrv) parts = NULL;
  GString *joined = g_string_new (NULL);

  for (char *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  parts = g_strsplit (line, "/", -1);
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

static void
ear_folder_release (EarFolder *self)
{
  g_clear_pointer (&self->podcasts, g_ptr_array_unref);
  g_clear_object (&self->children);
}

static void
ear_folder_class_init (EarFolderClass *klass)
{
  const EarProperty properties[] = {
    /* Name in the files */
    EAR_READABLE (EarFolder, name, G_TYPE_STRING),
    /* Name shown to the listener */
    EAR_READABLE (EarFolder, title, G_TYPE_STRING),
    /* Number of episodes of its podcasts in the view New */
    EAR_READABLE (EarFolder, count, G_TYPE_UINT),
    /* Whether its podcasts are hidden */
    { "folded", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarFolder, folded) },
    /* Filter and order of its episodes, in the words of podcast settings */
    { .spec = g_param_spec_string ("filter", NULL, NULL, "all", G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarFolder, filter) },
    { .spec = g_param_spec_string ("sort", NULL, NULL, "newest", G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarFolder, sort) },
  };

  ear_class_set_release (klass, ear_folder_release);
  ear_class_add_properties (klass, properties);
  ear_signal_new (klass, "changed", 0);
}

static const char *
get_usual (EarPodcastSetting setting)
{
  return ear_podcast_setting_get_word (setting, ear_podcast_setting_types[setting].usual);
}

static void
children_changed_cb (EarFolder *self)
{
  g_signal_emit_by_name (self, "changed");
}

static void
ear_folder_init (EarFolder *self)
{
  self->podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  self->children = g_list_store_new (EAR_TYPE_PODCAST);
  self->filter = g_strdup (get_usual (EAR_PODCAST_SETTING_FILTER));
  self->sort = g_strdup (get_usual (EAR_PODCAST_SETTING_SORT));
  ear_connect (self->children, "items-changed", children_changed_cb, self);
}

static void
folder_set_name (EarFolder *self, const char *name)
{
  g_autofree char *title = ear_folder_name_dup_title (name);

  ear_property_set_string (self, "name", name);
  ear_property_set_string (self, "title", title);
}

static void
folder_update_count (EarFolder *self)
{
  guint count = 0;

  for (guint i = 0; i < self->podcasts->len; i++)
    count += ear_podcast_get_n_new (self->podcasts->pdata[i]);
  ear_property_set_number (self, "count", count);
}

EAR_DEFINE_GET (EarFolder, ear_folder, const char *, name)
EAR_DEFINE_GET (EarFolder, ear_folder, const char *, title)

/* Returns: (transfer none) (element-type EarPodcast): the podcasts in order; immutable */
EAR_DEFINE_GET (EarFolder, ear_folder, GPtrArray *, podcasts)

/* Returns: (transfer none): the same podcasts as a list model */
GListModel *
ear_folder_get_children (EarFolder *self)
{
  return G_LIST_MODEL (self->children);
}

EAR_DEFINE_GET (EarFolder, ear_folder, guint, count)
EAR_DEFINE_PROPERTY (EarFolder, ear_folder, gboolean, folded, boolean)
EAR_DEFINE_GET (EarFolder, ear_folder, const char *, filter)
EAR_DEFINE_GET (EarFolder, ear_folder, const char *, sort)

/* Sets filter and order. Unknown words are ignored. */
void
ear_folder_arrange (EarFolder *self, const char *filter, const char *sort)
{
  int value;

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
  g_autoptr (GArray) ids = ear_ids_new ();

  for (guint i = 0; i < self->podcasts->len; i++)
    ear_ids_append (&ids, ear_podcast_get_id (self->podcasts->pdata[i]));
  /* Another order of the podcasts is the same query. */
  g_array_sort (ids, ear_ids_compare);
  query = ear_episode_query_new (0, filter, sort, search);
  ear_episode_query_set_terms (query, &(EarEpisodeConditions) { .podcasts = ids });
  /* Setting the terms has cleared the filter. */
  query->filter = filter;

  return query;
}

/* The order of podcasts: pure functions */

static int
get_position (EarPodcast *podcast)
{
  return ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_PLACE);
}

static int
compare_podcasts (gconstpointer first, gconstpointer second, gpointer user_data)
{
  EarPodcast *a = (EarPodcast *) first;
  EarPodcast *b = (EarPodcast *) second;
  const char *order = user_data;
  int result = 0;

  if (g_str_equal (order, EAR_PODCAST_ORDER_NEWEST))
    result = ear_compare (ear_podcast_get_newest (b), ear_podcast_get_newest (a));
  /* Podcasts without a position come last. */
  else if (g_str_equal (order, EAR_PODCAST_ORDER_BY_HAND))
    result = ear_compare ((guint) get_position (a) - 1u, (guint) get_position (b) - 1u);
  if (result == 0)
    result = strcmp (ear_podcast_get_sort_key (a), ear_podcast_get_sort_key (b));

  return result != 0 ? result : ear_compare (ear_podcast_get_id (a), ear_podcast_get_id (b));
}

static int
compare_folders (gconstpointer a, gconstpointer b)
{
  g_autofree char *first = g_utf8_casefold (a, -1);
  g_autofree char *second = g_utf8_casefold (b, -1);
  const int result = g_utf8_collate (first, second);

  return result != 0 ? result : strcmp (a, b);
}

static void
append_folder (GPtrArray *grouped, GPtrArray *podcasts, const char *folder)
{
  for (guint i = 0; i < podcasts->len; i++)
    {
      EarPodcast *podcast = g_ptr_array_index (podcasts, i);

      if (g_strcmp0 (ear_podcast_get_folder (podcast), folder) == 0)
        g_ptr_array_add (grouped, g_object_ref (podcast));
    }
}

/* @model: a list of [class@EarPodcast], by title
 * Returns: (transfer full): the podcasts as listed: folder by folder, and at the end those
 *   outside of folders. Folders are sorted by title, or in the order of the first podcast in
 *   each; in the listener's own order, folders without a moved podcast come last, by title. */
GPtrArray *
ear_podcast_order_list (GListModel *model, const char *order)
{
  GPtrArray *grouped = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_autoptr (GPtrArray) by_title = g_ptr_array_new ();
  EarPodcast *podcast;

  for (guint i = 0; (podcast = ear_list_peek (model, i)) != NULL; i++)
    g_ptr_array_add (podcasts, g_object_ref (podcast));
  if (!g_str_equal (order, EAR_PODCAST_ORDER_TITLE))
    g_ptr_array_sort_values_with_data (podcasts, compare_podcasts, (gpointer) order);
  for (guint i = 0; i < podcasts->len; i++)
    {
      const char *folder = ear_podcast_get_folder (podcasts->pdata[i]);
      const gboolean in_order = g_str_equal (order, EAR_PODCAST_ORDER_NEWEST) ||
                                (g_str_equal (order, EAR_PODCAST_ORDER_BY_HAND) &&
                                 get_position (podcasts->pdata[i]) > 0);

      if (folder != NULL && g_hash_table_add (known, (char *) folder))
        g_ptr_array_add (in_order ? folders : by_title, (char *) folder);
    }
  g_ptr_array_sort_values (by_title, compare_folders);
  g_ptr_array_extend (folders, by_title, NULL, NULL);
  for (guint i = 0; i < folders->len; i++)
    append_folder (grouped, podcasts, folders->pdata[i]);
  append_folder (grouped, podcasts, NULL);

  return grouped;
}

/* Keeps the list of the sidebar up to date, which owns it: see ear_folder_list_new(). */
#define EAR_TYPE_FOLDER_LIST (ear_folder_list_get_type ())
G_DECLARE_FINAL_TYPE (EarFolderList, ear_folder_list, EAR, FOLDER_LIST, GObject)

struct _EarFolderList
{
  GObject parent_instance;

  /* Owned */
  GListModel *podcasts;
  EarSettings *settings;
  GHashTable *folders; /* (element-type utf8 EarFolder): by the folders' names */
  guint idle;

  GListStore *rows; /* borrowed */
};

G_DEFINE_FINAL_TYPE (EarFolderList, ear_folder_list, G_TYPE_OBJECT)

/* Stores the settings of existing folders; others are dropped. */
static void
store (EarFolderList *self)
{
  g_autoptr (GPtrArray) names = g_hash_table_get_keys_as_ptr_array (self->folders);
  g_autoptr (GStrvBuilder) folded_builder = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) arranged_builder = g_strv_builder_new ();
  g_auto (GStrv) folded = NULL;
  g_auto (GStrv) arranged = NULL;

  g_ptr_array_sort_values (names, (GCompareFunc) strcmp);
  for (guint i = 0; i < names->len; i++)
    {
      const EarFolder *folder = g_hash_table_lookup (self->folders, names->pdata[i]);

      if (folder->folded)
        g_strv_builder_add (folded_builder, folder->name);
      if (!g_str_equal (folder->filter, get_usual (EAR_PODCAST_SETTING_FILTER)) ||
          !g_str_equal (folder->sort, get_usual (EAR_PODCAST_SETTING_SORT)))
        g_strv_builder_add_many (arranged_builder, folder->name, folder->filter, folder->sort,
                                 NULL);
    }
  folded = g_strv_builder_end (folded_builder);
  arranged = g_strv_builder_end (arranged_builder);
  g_object_set (self->settings, "folded-folders", folded, "arranged-folders", arranged, NULL);
}

/* Creates a folder with its settings: whether it is folded, and name, filter and order of
 * each arranged one. */
static EarFolder *
create_folder (EarFolderList *self, const char *name)
{
  EarFolder *folder = g_object_new (EAR_TYPE_FOLDER, NULL);
  g_auto (GStrv) folded = NULL;
  g_auto (GStrv) arranged = NULL;

  folder_set_name (folder, name);
  g_object_get (self->settings, "folded-folders", &folded, "arranged-folders", &arranged, NULL);
  folder->folded = folded != NULL && g_strv_contains ((const char *const *) folded, name);
  for (guint i = 0; arranged != NULL && g_strv_length (arranged + i) >= 3; i += 3)
    if (g_str_equal (arranged[i], name))
      ear_folder_arrange (folder, arranged[i + 1], arranged[i + 2]);
  ear_connect (folder, "notify::folded", store, self);
  ear_connect (folder, "notify::filter", store, self);
  ear_connect (folder, "notify::sort", store, self);

  return folder;
}

/* Returns: (nullable): the folder that had the podcast, if no podcast has its name any more */
static EarFolder *
find_renamed (EarFolderList *self, EarPodcast *podcast, GPtrArray *podcasts)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      EarFolder *folder = value;

      if (!g_ptr_array_find (folder->podcasts, podcast, NULL))
        continue;
      for (guint i = 0; i < podcasts->len; i++)
        if (g_strcmp0 (ear_podcast_get_folder (podcasts->pdata[i]), folder->name) == 0)
          return NULL;
      return folder;
    }

  return NULL;
}

/* Finds or creates the folder of a podcast. A renamed folder keeps its object, so that it
 * stays selected.
 * Returns: (transfer full): the folder */
static EarFolder *
take_folder (EarFolderList *self, EarPodcast *podcast, GPtrArray *podcasts, gboolean *renamed)
{
  const char *name = ear_podcast_get_folder (podcast);
  EarFolder *folder = g_hash_table_lookup (self->folders, name);

  if (folder != NULL)
    return g_object_ref (folder);
  folder = find_renamed (self, podcast, podcasts);
  if (folder == NULL)
    return create_folder (self, name);
  g_object_ref (folder);
  g_hash_table_remove (self->folders, folder->name);
  folder_set_name (folder, name);
  *renamed = TRUE;

  return folder;
}

static void
update (EarFolderList *self)
{
  g_autofree char *order = ear_settings_dup_string (self->settings, "podcast-order");
  g_autoptr (GPtrArray) podcasts = ear_podcast_order_list (self->podcasts, order);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  GHashTable *folders = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  gboolean renamed = FALSE;
  guint end;

  g_clear_handle_id (&self->idle, g_source_remove);
  for (guint i = 0; i < podcasts->len; i = end)
    {
      const char *name = ear_podcast_get_folder (podcasts->pdata[i]);
      EarFolder *folder;

      end = i + 1;
      if (name == NULL)
        {
          g_ptr_array_add (rows, podcasts->pdata[i]);
          continue;
        }
      while (end < podcasts->len &&
             g_strcmp0 (ear_podcast_get_folder (podcasts->pdata[end]), name) == 0)
        end++;
      folder = take_folder (self, podcasts->pdata[i], podcasts, &renamed);
      g_ptr_array_set_size (folder->podcasts, 0);
      for (guint j = i; j < end; j++)
        g_ptr_array_add (folder->podcasts, g_object_ref (podcasts->pdata[j]));
      ear_list_store_update (folder->children, folder->podcasts);
      folder_update_count (folder);
      g_hash_table_insert (folders, folder->name, folder);
      g_ptr_array_add (rows, folder);
    }
  ear_list_store_update (self->rows, rows);
  g_hash_table_unref (self->folders);
  self->folders = folders;
  if (renamed)
    store (self);
}

static void
idle_cb (gpointer user_data)
{
  EarFolderList *self = EAR_FOLDER_LIST (user_data);

  self->idle = 0;
  update (self);
}

/* Joins many changes in one update. Renaming a folder changes many podcasts at once, and
 * each transaction of a first fetch changes their order. */
static void
update_soon (EarFolderList *self)
{
  if (self->idle == 0)
    self->idle = g_idle_add_once (idle_cb, self);
}

static void
podcast_notify_cb (EarFolderList *self, GParamSpec *pspec, EarPodcast *podcast)
{
  const char *name = ear_podcast_get_folder (podcast);
  EarFolder *folder = name != NULL ? g_hash_table_lookup (self->folders, name) : NULL;

  if (g_str_equal (pspec->name, "n-new") && folder != NULL)
    folder_update_count (folder);
  else if (g_str_equal (pspec->name, "folder") || g_str_equal (pspec->name, "newest") ||
           g_str_equal (pspec->name, "place"))
    update_soon (self);
}

static void
podcasts_changed_cb (EarFolderList *self, guint position, guint n_removed, guint n_added)
{
  for (guint i = position; i < position + n_added; i++)
    {
      EarPodcast *podcast = ear_list_peek (self->podcasts, i);

      /* A podcast that moves is removed and added again. */
      g_signal_handlers_disconnect_by_func (podcast, podcast_notify_cb, self);
      ear_connect (podcast, "notify", podcast_notify_cb, self);
    }
  /* The first change shows at once: the window chooses a podcast that was just followed. */
  if (self->idle == 0)
    update (self);
  update_soon (self);
}

static void
ear_folder_list_release (EarFolderList *self)
{
  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_pointer (&self->folders, g_hash_table_unref);
  g_clear_object (&self->podcasts);
  g_clear_object (&self->settings);
}

static void
ear_folder_list_class_init (EarFolderListClass *klass)
{
  ear_class_set_release (klass, ear_folder_list_release);
}

static void
ear_folder_list_init (EarFolderList *self)
{
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
}

/* @podcasts: a list of [class@EarPodcast], by title
 * @settings: the order, the folded folders, and the filter and order of each folder
 * Returns: (transfer full): the top level of the podcasts in the sidebar: a list of
 *   [class@EarFolder], then of the [class@EarPodcast] outside of folders, in the order of
 *   ear_podcast_order_list() */
GListModel *
ear_folder_list_new (GListModel *podcasts, EarSettings *settings)
{
  EarFolderList *self = g_object_new (EAR_TYPE_FOLDER_LIST, NULL);

  self->podcasts = g_object_ref (podcasts);
  self->settings = g_object_ref (settings);
  self->rows = g_list_store_new (G_TYPE_OBJECT);
  g_object_set_data_full (G_OBJECT (self->rows), "ear-folder-list", self, g_object_unref);
  ear_connect (podcasts, "items-changed", podcasts_changed_cb, self);
  ear_connect (settings, "notify::podcast-order", update, self);
  podcasts_changed_cb (self, 0, 0, g_list_model_get_n_items (podcasts));

  return G_LIST_MODEL (self->rows);
}
