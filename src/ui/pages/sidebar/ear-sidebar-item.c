/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-item.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>

#include "ear-address.h"
#include "ear-folder-list.h"
#include "ear-podcast-order.h"
#include "ear-property.h"

/**
 * EarSidebarItem:
 *
 * What a row of the sidebar stands for and the page of episodes lists: a podcast, or a
 * view over the episodes of all podcasts, or a list of the listener's own, or a folder of podcasts.
 */
struct _EarSidebarItem
{
  GObject parent_instance;

  /* Owned */
  EarPodcast *podcast; /* (nullable) */
  EarList *list; /* (nullable) */
  EarFolder *folder; /* (nullable) */
  char *name; /* of a podcast, a list or a folder */
  char *title;
  guint count;

  EarSidebarItemKind kind;
};

G_DEFINE_FINAL_TYPE (EarSidebarItem, ear_sidebar_item, G_TYPE_OBJECT)

/* The views, in the order of the sidebar; neither a podcast nor a list is one. */
static const struct
{
  const char *name;
  const char *title;
  const char *icon_name;
  const char *part;  /* (nullable): the library's, that counts */
  const char *count; /* and its property */
  EarEpisodeFilter filter;
} views[] = {
  /* Translators: a list, of the episodes that the listener wants to hear next */
  [EAR_SIDEBAR_ITEM_QUEUE] = { "up-next", NC_("episodes", "Up Next"), "ear-queue-symbolic", "queue", "n-episodes", EAR_FILTER_QUEUED },
  /* Translators: a list, of the episodes that have come lately */
  [EAR_SIDEBAR_ITEM_NEW] = { "new", NC_("episodes", "New"), "ear-new-symbolic", "catalogue", "n-new", EAR_FILTER_NEW },
  /* Translators: a list, of the episodes that were begun and are not finished */
  [EAR_SIDEBAR_ITEM_IN_PROGRESS] = { "in-progress", NC_("episodes", "In Progress"), "ear-in-progress-symbolic", "catalogue", "n-in-progress", EAR_FILTER_IN_PROGRESS },
  /* Translators: a list, of the episodes that are kept on this computer */
  [EAR_SIDEBAR_ITEM_DOWNLOADS] = { "downloads", NC_("episodes", "Downloads"), "ear-downloaded-symbolic", "downloader", "n-active", EAR_FILTER_DOWNLOADS },
  /* Translators: a list, of the episodes that the listener has given a heart, and of his bookmarks */
  [EAR_SIDEBAR_ITEM_SAVED] = { "saved", NC_("episodes", "Saved"), "ear-bookmark-symbolic", NULL, NULL, EAR_FILTER_LIKED },
  /* Translators: a list, of the episodes that were listened to, the last one first */
  [EAR_SIDEBAR_ITEM_HISTORY] = { "history", NC_("episodes", "History"), "document-open-recent-symbolic", NULL, NULL, EAR_FILTER_HISTORY },
};

static gboolean
is_podcast (EarSidebarItem *self)
{
  return self->podcast != NULL;
}

/* The views, above, need none. */
static const char *
get_heading (EarSidebarItem *self)
{
  if (self->list != NULL)
    /* Translators: a heading, above lists of the listener's own */
    return C_("episodes", "Lists");

  return self->podcast != NULL || self->folder != NULL ? _("Podcasts") : NULL;
}

static gboolean
has_heading (EarSidebarItem *self)
{
  return get_heading (self) != NULL;
}

static void
ear_sidebar_item_finalize (GObject *object)
{
  EarSidebarItem *self = EAR_SIDEBAR_ITEM (object);

  g_clear_object (&self->podcast);
  g_clear_object (&self->list);
  g_clear_object (&self->folder);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->title, g_free);

  G_OBJECT_CLASS (ear_sidebar_item_parent_class)->finalize (object);
}

static void
ear_sidebar_item_class_init (EarSidebarItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* The podcast, %NULL for a view over all of them; is told of, too, when another cover, problem, namesake or folder is */
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, podcast) },
    /* Whether it is a podcast and no view */
    { "is-podcast", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_podcast) },
    /* What stands above it and others of its kind, and whether something does */
    { "heading", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_heading) },
    { "has-heading", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (has_heading) },
    /* The picture of what is no podcast */
    { "icon-name", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (ear_sidebar_item_get_icon_name) },
    /* What it is called in settings and actions, if it is no view */
    { "name", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarItem, name) },
    /* What it is called; follows the podcast's name, and the list's */
    { "title", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarItem, title) },
    /* How many episodes wait there: of a podcast those that the view New shows */
    { "count", G_TYPE_UINT, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSidebarItem, count) },
    /* Whether new episodes come to it, and are what is counted */
    { .spec = g_param_spec_boolean ("counts-new", NULL, NULL, TRUE, G_PARAM_READABLE),
      .get = G_CALLBACK (ear_sidebar_item_counts_new) },
  };

  object_class->finalize = ear_sidebar_item_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_sidebar_item_init (EarSidebarItem *self)
{
}

static void
podcast_changed_cb (EarSidebarItem *self, GParamSpec *property)
{
  static const char *const shown[] = { "image", "error", "has-namesake", "folder", NULL };

  if (g_str_equal (property->name, "name"))
    g_object_set (self, "title", ear_podcast_get_name (self->podcast), NULL);
  else if (g_str_equal (property->name, "n-new"))
    g_object_set (self, "count", ear_podcast_get_n_new (self->podcast), NULL);
  else if (g_strv_contains (shown, property->name))
    g_object_notify (G_OBJECT (self), "podcast");
}

static void
folded_cb (EarSidebarItem *self)
{
  g_object_notify (G_OBJECT (self), "icon-name");
}

EarSidebarItem *
ear_sidebar_item_new_podcast (EarPodcast *podcast)
{
  EarSidebarItem *self = g_object_new (EAR_TYPE_SIDEBAR_ITEM, NULL);

  self->podcast = g_object_ref (podcast);
  self->name = ear_address_hash (ear_podcast_get_address (podcast), NULL);
  self->title = g_strdup (ear_podcast_get_name (podcast));
  self->count = ear_podcast_get_n_new (podcast);
  /* There are hundreds of them: two bindings would cost as much as all the rest. */
  g_signal_connect_object (podcast, "notify", G_CALLBACK (podcast_changed_cb), self, G_CONNECT_SWAPPED);

  return self;
}

static EarSidebarItem *
new_list (EarList *list)
{
  EarSidebarItem *self = g_object_new (EAR_TYPE_SIDEBAR_ITEM, NULL);

  self->kind = EAR_SIDEBAR_ITEM_LIST;
  self->list = g_object_ref (list);
  self->name = g_strconcat ("list-", ear_list_get_id (list), NULL);
  g_object_bind_property (list, "title", self, "title", G_BINDING_SYNC_CREATE);
  g_object_bind_property (list, "count", self, "count", G_BINDING_SYNC_CREATE);

  return self;
}

static gboolean
prefix_name (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_take_string (to, g_strconcat ("folder-", g_value_get_string (from), NULL));

  return TRUE;
}

static EarSidebarItem *
new_folder (EarFolder *folder)
{
  EarSidebarItem *self = g_object_new (EAR_TYPE_SIDEBAR_ITEM, NULL);

  self->kind = EAR_SIDEBAR_ITEM_FOLDER;
  self->folder = g_object_ref (folder);
  g_object_bind_property_full (folder, "name", self, "name", G_BINDING_SYNC_CREATE, prefix_name, NULL, NULL, NULL);
  g_object_bind_property (folder, "title", self, "title", G_BINDING_SYNC_CREATE);
  g_object_bind_property (folder, "count", self, "count", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (folder, "notify::folded", G_CALLBACK (folded_cb), self, G_CONNECT_SWAPPED);

  return self;
}

static EarSidebarItem *
new_view (EarLibrary *library, EarSidebarItemKind kind)
{
  EarSidebarItem *self = g_object_new (EAR_TYPE_SIDEBAR_ITEM, NULL);

  self->kind = kind;
  self->title = g_strdup (g_dpgettext2 (NULL, "episodes", views[kind].title));
  if (views[kind].part != NULL)
    {
      g_autoptr (GObject) part = NULL;

      g_object_get (library, views[kind].part, &part, NULL);
      g_object_bind_property (part, views[kind].count, self, "count", G_BINDING_SYNC_CREATE);
    }

  return self;
}

EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, EarSidebarItemKind, kind)
EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, EarPodcast *, podcast)
EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, EarList *, list)
EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, EarFolder *, folder)

gboolean
ear_sidebar_item_equal (EarSidebarItem *a, EarSidebarItem *b)
{
  return a == b || (a != NULL && b != NULL && a->kind == b->kind && a->podcast == b->podcast && a->list == b->list && a->folder == b->folder);
}

EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, const char *, title)

/* Returns: what it is called in settings and actions: a word, or a hash of the podcast's first address, which may be a secret, or the list's
 * or the folder's own name */
const char *
ear_sidebar_item_get_name (EarSidebarItem *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM (self), NULL);

  return self->name != NULL ? self->name : views[self->kind].name;
}

const char *
ear_sidebar_item_get_icon_name (EarSidebarItem *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM (self), NULL);

  if (self->list != NULL)
    return ear_list_is_smart (self->list) ? "ear-smart-list-symbolic" : "ear-list-symbolic";
  if (self->folder != NULL)
    return ear_folder_get_folded (self->folder) ? "pan-end-symbolic" : "pan-down-symbolic";

  return views[self->kind].icon_name;
}

EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, guint, count)

/* A view is a filter itself, and has its own order, and so is a list: @filter and @sort are for podcasts
 * and folders, but for the rank of what is found.
 * @search: (nullable): words that must occur
 * Returns: (transfer full): what finds the episodes */
EarEpisodeQuery *
ear_sidebar_item_create_query (EarSidebarItem *self, EarEpisodeFilter filter, EarEpisodeSort sort, const char *search)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM (self), NULL);

  if (self->podcast != NULL)
    return ear_episode_query_new (ear_podcast_get_id (self->podcast), filter, sort, search);

  if (self->list != NULL)
    return ear_list_create_query (self->list, sort == EAR_SORT_RANKED ? sort : EAR_SORT_NEWEST, search);

  if (self->folder != NULL)
    return ear_folder_create_query (self->folder, filter, sort, search);

  return ear_episode_query_new (0, views[self->kind].filter,
                                sort == EAR_SORT_RANKED ? sort : EAR_SORT_NEWEST, search);
}

/* Returns: whether [property@EarSidebarItem:count] says what is new there */
gboolean
ear_sidebar_item_counts_new (EarSidebarItem *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM (self), FALSE);

  return self->kind == EAR_SIDEBAR_ITEM_PODCAST || self->kind == EAR_SIDEBAR_ITEM_FOLDER || self->kind == EAR_SIDEBAR_ITEM_NEW;
}

/* What was heard is not a list to get done with. */
gboolean
ear_sidebar_item_has_menu (EarSidebarItem *self)
{
  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM (self), FALSE);

  return self->kind != EAR_SIDEBAR_ITEM_HISTORY;
}

static const char *
get_menu_name (EarSidebarItem *self)
{
  if (self->list != NULL)
    return "list";
  if (self->podcast != NULL)
    return "podcast";
  if (self->folder != NULL)
    return "folder";

  if (self->kind == EAR_SIDEBAR_ITEM_QUEUE)
    return "queue";
  if (self->kind == EAR_SIDEBAR_ITEM_SAVED)
    return "saved";

  return self->kind == EAR_SIDEBAR_ITEM_DOWNLOADS ? "downloads" : "view";
}

/* Returns: (transfer full) (nullable): what can be done with it: see [class@EarSidebarItemActions] */
GMenuModel *
ear_sidebar_item_create_menu (EarSidebarItem *self)
{
  g_autoptr (GtkBuilder) builder = NULL;

  g_return_val_if_fail (EAR_IS_SIDEBAR_ITEM (self), NULL);

  if (!ear_sidebar_item_has_menu (self))
    return NULL;

  builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-collection-menu.ui");

  return G_MENU_MODEL (g_object_ref (gtk_builder_get_object (builder, get_menu_name (self))));
}

static gpointer
get_subject (EarSidebarItem *self)
{
  return self->podcast != NULL ? (gpointer) self->podcast : self->folder != NULL ? (gpointer) self->folder : self->list;
}

/* What there is for @n podcasts, lists or folders, from @position on, by which it is. Who moves, or makes way for others, stays
 * the same object, for which a list view has a row: a new row has its price. */
static GHashTable *
take_collections (GListStore *collections, guint position, guint n)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);

  for (guint i = position; i < position + n; i++)
    {
      EarSidebarItem *collection = g_list_model_get_item (G_LIST_MODEL (collections), i);

      g_hash_table_insert (taken, get_subject (collection), collection);
    }

  return g_steal_pointer (&taken);
}

/* GtkMapListModel would do it, but makes all that moves anew, and puts what comes before an item that
 * it has made already behind it (GTK 4.18). */
static void
subjects_changed_cb (GListModel *subjects, guint position, guint n_removed, guint n_added, GListStore *collections)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) taken = take_collections (collections, position, n_removed);

  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr (GObject) subject = g_list_model_get_item (subjects, position + i);
      EarSidebarItem *collection = g_hash_table_lookup (taken, subject);

      g_ptr_array_add (added, collection != NULL     ? g_object_ref (collection)
                              : EAR_IS_LIST (subject) ? new_list (EAR_LIST (subject))
                              : EAR_IS_FOLDER (subject) ? new_folder (EAR_FOLDER (subject))
                                                      : ear_sidebar_item_new_podcast (EAR_PODCAST (subject)));
    }
  g_list_store_splice (collections, position, n_removed, added->pdata, added->len);
}

/* --- The order of the podcasts ------------------------------------------------------------ */

/* What keeps the podcasts in order; it goes with the list of them. */
typedef struct
{
  GtkSorter *sorter;
  EarPodcastOrder order;
  guint idle;
} Sorting;

static void
sorting_free (gpointer data)
{
  Sorting *sorting = data;

  g_clear_handle_id (&sorting->idle, g_source_remove);
  g_object_unref (sorting->sorter);
  g_free (sorting);
}

static Sorting *
get_sorting (GtkSortListModel *sorted)
{
  return g_object_get_data (G_OBJECT (sorted), "sorting");
}

static int
compare_podcasts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Sorting *sorting = user_data;

  return gtk_ordering_from_cmpfunc (ear_podcast_order_compare ((EarPodcast *) a, (EarPodcast *) b, sorting->order));
}

static void
sort_cb (gpointer user_data)
{
  Sorting *sorting = user_data;

  sorting->idle = 0;
  gtk_sorter_changed (sorting->sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

/* In a refresh many podcasts get new episodes at once. */
static void
podcast_moved_cb (GtkSortListModel *sorted)
{
  Sorting *sorting = get_sorting (sorted);

  if (sorting->idle == 0 && sorting->order != EAR_PODCAST_ORDER_TITLE)
    sorting->idle = g_idle_add_once (sort_cb, sorting);
}

/* By title they are already. */
static void
order_changed_cb (GtkSortListModel *sorted, GParamSpec *pspec, EarSettings *settings)
{
  Sorting *sorting = get_sorting (sorted);
  g_autofree char *name = NULL;

  g_object_get (settings, "podcast-order", &name, NULL);
  sorting->order = ear_podcast_order_from_name (name);
  if (sorting->order == EAR_PODCAST_ORDER_TITLE)
    gtk_sort_list_model_set_sorter (sorted, NULL);
  else if (gtk_sort_list_model_get_sorter (sorted) == NULL)
    gtk_sort_list_model_set_sorter (sorted, sorting->sorter);
  else
    gtk_sorter_changed (sorting->sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

static void
follow_podcasts_cb (GListModel *podcasts, guint position, guint n_removed, guint n_added, GtkSortListModel *sorted)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      /* One that moves comes again. */
      g_signal_handlers_disconnect_by_func (podcast, podcast_moved_cb, sorted);
      g_signal_connect_object (podcast, "notify::newest", G_CALLBACK (podcast_moved_cb), sorted, G_CONNECT_SWAPPED);
      g_signal_connect_object (podcast, "notify::place", G_CALLBACK (podcast_moved_cb), sorted, G_CONNECT_SWAPPED);
    }
}

/* Returns: (transfer full): the podcasts in the order that the listener wants */
static GListModel *
sort_podcasts (EarLibrary *library)
{
  GListModel *podcasts = ear_library_get_podcasts (library);
  EarSettings *settings = ear_library_get_settings (library);
  GtkSortListModel *sorted = gtk_sort_list_model_new (g_object_ref (podcasts), NULL);
  Sorting *sorting = g_new0 (Sorting, 1);

  sorting->sorter = GTK_SORTER (gtk_custom_sorter_new (compare_podcasts, sorting, NULL));
  g_object_set_data_full (G_OBJECT (sorted), "sorting", sorting, sorting_free);
  g_signal_connect_object (settings, "notify::podcast-order", G_CALLBACK (order_changed_cb), sorted, G_CONNECT_SWAPPED);
  g_signal_connect_object (podcasts, "items-changed", G_CALLBACK (follow_podcasts_cb), sorted, G_CONNECT_DEFAULT);
  follow_podcasts_cb (podcasts, 0, 0, g_list_model_get_n_items (podcasts), sorted);
  order_changed_cb (sorted, NULL, settings);

  return G_LIST_MODEL (sorted);
}

/* Keeps a section for each podcast, folder or list that there is. */
static void
follow (GListStore *sections, GListModel *subjects)
{
  g_autoptr (GListStore) section = g_list_store_new (EAR_TYPE_SIDEBAR_ITEM);

  subjects_changed_cb (subjects, 0, 0, g_list_model_get_n_items (subjects), section);
  g_signal_connect_object (subjects, "items-changed", G_CALLBACK (subjects_changed_cb), section, G_CONNECT_DEFAULT);
  /* What is in an order of its own watches for as long as there is somebody to tell. */
  g_object_set_data_full (G_OBJECT (section), "subjects", g_object_ref (subjects), g_object_unref);
  g_list_store_append (sections, section);
}

/* Returns: (transfer full): a list of [class@EarSidebarItem] in three sections: the views, the lists, the podcasts with their
 * folders */
GListModel *
ear_sidebar_item_list_new (EarLibrary *library)
{
  g_autoptr (GListStore) sections = g_list_store_new (G_TYPE_LIST_MODEL);
  g_autoptr (GListStore) all_views = g_list_store_new (EAR_TYPE_SIDEBAR_ITEM);
  g_autoptr (GListModel) podcasts = sort_podcasts (library);
  g_autoptr (EarFolderList) rows = ear_folder_list_new (podcasts, ear_library_get_settings (library));

  for (EarSidebarItemKind kind = EAR_SIDEBAR_ITEM_PODCAST + 1; kind < G_N_ELEMENTS (views); kind++)
    {
      g_autoptr (EarSidebarItem) view = new_view (library, kind);

      g_list_store_append (all_views, view);
    }
  g_list_store_append (sections, all_views);
  follow (sections, ear_lists_get_all (ear_library_get_lists (library)));
  follow (sections, G_LIST_MODEL (rows));

  return G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (g_steal_pointer (&sections))));
}
