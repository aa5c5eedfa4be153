/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-item.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>

#include "ear-address.h"
#include "ear-error-text.h"
#include "ear-error.h"
#include "ear-folders.h"
#include "ear-format.h"
#include "ear-property.h"

/**
 * EarSidebarItem:
 *
 * A row of the sidebar, whose episodes the page beside it lists: a podcast, a folder of
 * podcasts, a list of the listener's own, or a view over the episodes of all podcasts.
 */
struct _EarSidebarItem
{
  GObject parent_instance;

  /* Owned */
  GObject *subject; /* the podcast, list or folder; the library of a view */
  char *name;
  char *title;
  char *subtitle; /* (nullable) */
  char *problem;  /* (nullable) */
  char *spoken;
  guint count;

  EarSidebarItemKind kind;
  gboolean has_content;
  gboolean pinned;
  gboolean shown;
};

G_DEFINE_FINAL_TYPE (EarSidebarItem, ear_sidebar_item, G_TYPE_OBJECT)

/* Of views: name, title, icon and filter. Of all: the name of the menu, if any, in
 * ear-collection-menu.ui */
static const struct
{
  const char *name;
  const char *title;
  const char *icon_name;
  EarEpisodeFilter filter;
  const char *menu;
} kinds[] = {
  [EAR_SIDEBAR_ITEM_PODCAST] = { .menu = "podcast" },
  /* Translators: a list, of the episodes that the listener wants to hear next */
  [EAR_SIDEBAR_ITEM_QUEUE] = { "up-next", NC_ ("episodes", "Up Next"), "ear-queue-symbolic",
                               EAR_FILTER_QUEUED, "queue" },
  /* Translators: a list, of the episodes that have come lately */
  [EAR_SIDEBAR_ITEM_NEW] = { "new", NC_ ("episodes", "New"), "ear-new-symbolic", EAR_FILTER_NEW,
                             "view" },
  /* Translators: a list, of the episodes that were begun and are not finished */
  [EAR_SIDEBAR_ITEM_IN_PROGRESS] = { "in-progress", NC_ ("episodes", "In Progress"),
                                     "ear-in-progress-symbolic", EAR_FILTER_IN_PROGRESS, "view" },
  /* Translators: a list, of the episodes that are kept on this computer */
  [EAR_SIDEBAR_ITEM_DOWNLOADS] = { "downloads", NC_ ("episodes", "Downloads"),
                                   "ear-downloaded-symbolic", EAR_FILTER_DOWNLOADS, "downloads" },
  /* Translators: a list, of the episodes that the listener has given a heart, and of their
     bookmarks */
  [EAR_SIDEBAR_ITEM_SAVED] = { "saved", NC_ ("episodes", "Saved"), "ear-bookmark-symbolic",
                               EAR_FILTER_LIKED, "saved" },
  /* Translators: a list, of the episodes that were listened to, the last one first */
  [EAR_SIDEBAR_ITEM_HISTORY] = { "history", NC_ ("episodes", "History"),
                                 "document-open-recent-symbolic", EAR_FILTER_HISTORY, NULL },
  [EAR_SIDEBAR_ITEM_LIST] = { .menu = "list" },
  [EAR_SIDEBAR_ITEM_FOLDER] = { .menu = "folder" },
};

/* The content of views: properties of parts of the library */
static const struct
{
  EarSidebarItemKind kind;
  const char *part;
  const char *property;
} contents[] = {
  { EAR_SIDEBAR_ITEM_QUEUE, "queue", "n-episodes" },
  { EAR_SIDEBAR_ITEM_NEW, "catalogue", "n-new" },
  { EAR_SIDEBAR_ITEM_IN_PROGRESS, "catalogue", "n-in-progress" },
  { EAR_SIDEBAR_ITEM_DOWNLOADS, "downloader", "n-items" },
  { EAR_SIDEBAR_ITEM_SAVED, "catalogue", "has-liked" },
  { EAR_SIDEBAR_ITEM_SAVED, "bookmarks", "n-bookmarks" },
  { EAR_SIDEBAR_ITEM_SAVED, "reading-list", "n-starred" },
  { EAR_SIDEBAR_ITEM_HISTORY, "catalogue", "has-heard" },
};

EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, EarSidebarItemKind, kind)
EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, GObject *, subject)
EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, const char *, name)
EAR_DEFINE_GET (EarSidebarItem, ear_sidebar_item, const char *, title)

/* @self: (nullable), as for the next functions
 * Returns: (nullable) */
EarPodcast *
ear_sidebar_item_get_podcast (EarSidebarItem *self)
{
  return self != NULL && EAR_IS_PODCAST (self->subject) ? EAR_PODCAST (self->subject) : NULL;
}

EarList *
ear_sidebar_item_get_list (EarSidebarItem *self)
{
  return self != NULL && EAR_IS_LIST (self->subject) ? EAR_LIST (self->subject) : NULL;
}

EarFolder *
ear_sidebar_item_get_folder (EarSidebarItem *self)
{
  return self != NULL && EAR_IS_FOLDER (self->subject) ? EAR_FOLDER (self->subject) : NULL;
}

static gboolean
is_podcast (EarSidebarItem *self)
{
  return EAR_IS_PODCAST (self->subject);
}

static gboolean
has_podcasts (EarSidebarItem *self)
{
  return is_podcast (self) || self->kind == EAR_SIDEBAR_ITEM_FOLDER;
}

static const char *
get_heading (EarSidebarItem *self)
{
  if (self->kind == EAR_SIDEBAR_ITEM_LIST)
    /* Translators: a heading, above lists of the listener's own */
    return C_("episodes", "Lists");

  return has_podcasts (self) ? _("Podcasts") : NULL;
}

static const char *
get_icon_name (EarSidebarItem *self)
{
  if (self->kind == EAR_SIDEBAR_ITEM_LIST)
    return ear_list_is_smart (EAR_LIST (self->subject)) ? "ear-smart-list-symbolic"
                                                        : "ear-list-symbolic";

  return kinds[self->kind].icon_name;
}

/* Being offline is no problem of the podcast, nor is a failed check after its end. */
static const char *
find_problem (EarPodcast *podcast)
{
  const GError *error = ear_podcast_get_error (podcast);

  if (error == NULL || g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) ||
      ear_podcast_get_ended (podcast))
    return NULL;

  return ear_error_text_title (error, EAR_ERROR_ABOUT_FEED);
}

/* Returns: whether [property@EarSidebarItem:count] is a number of new episodes */
gboolean
ear_sidebar_item_counts_new (EarSidebarItem *self)
{
  return has_podcasts (self) || self->kind == EAR_SIDEBAR_ITEM_NEW;
}

/* Returns: (transfer full): the number of episodes in words */
char *
ear_sidebar_item_describe_count (EarSidebarItem *self)
{
  if (ear_sidebar_item_counts_new (self))
    return g_strdup_printf (ngettext ("%'u new episode", "%'u new episodes", self->count),
                            self->count);

  return g_strdup_printf (ngettext ("%'u episode", "%'u episodes", self->count), self->count);
}

static void
update_spoken (EarSidebarItem *self)
{
  g_autofree char *title = self->kind == EAR_SIDEBAR_ITEM_FOLDER
                           /* Translators: a screen reader's words about a folder of podcasts, such
                              as "News" */
                           ? g_strdup_printf (_("%s, folder"), self->title)
                           : g_strdup (self->title);
  g_autofree char *number = self->count > 0 ? ear_sidebar_item_describe_count (self) : NULL;
  g_autofree char *spoken = ear_format_speak (title, number, self->subtitle, self->problem);

  ear_property_set_string (self, "spoken", spoken);
}

static void
update_shown (EarSidebarItem *self)
{
  ear_property_set_boolean (self, "shown", self->has_content || self->pinned);
}

/* Updates the number of episodes that wait in a view, and whether the view has content. */
static void
update_view (EarSidebarItem *self)
{
  EarLibrary *library = EAR_LIBRARY (self->subject);
  EarEpisode *current = ear_player_get_episode (ear_library_get_player (library));
  guint count = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    if (contents[i].kind == self->kind)
      {
        g_autoptr (GObject) part = NULL;
        guint number;

        g_object_get (library, contents[i].part, &part, NULL);
        g_object_get (part, contents[i].property, &number, NULL);
        count += number;
      }

  ear_property_set_string (self, "title", g_dpgettext2 (NULL, "episodes", kinds[self->kind].title));
  if (self->kind == EAR_SIDEBAR_ITEM_QUEUE || self->kind == EAR_SIDEBAR_ITEM_NEW)
    {
      /* The episode in the player is listed, and waits no more. */
      if (self->kind == EAR_SIDEBAR_ITEM_QUEUE && count > 0 && current != NULL &&
          ear_queue_has (current))
        count--;
      ear_property_set_number (self, "count", (int) count);
      return;
    }
  self->has_content = count > 0;
  update_shown (self);
}

static void
update (EarSidebarItem *self)
{
  EarPodcast *podcast = ear_sidebar_item_get_podcast (self);
  EarFolder *folder = ear_sidebar_item_get_folder (self);

  if (podcast != NULL)
    {
      g_autofree char *subtitle = ear_podcast_dup_distinction (podcast);

      ear_property_set_string (self, "title", ear_podcast_get_name (podcast));
      ear_property_set_string (self, "subtitle", subtitle);
      ear_property_set_string (self, "problem", find_problem (podcast));
      ear_property_set_number (self, "count", (int) ear_podcast_get_n_new (podcast));
    }
  else if (folder != NULL)
    {
      g_autofree char *name = g_strconcat ("folder-", ear_folder_get_name (folder), NULL);

      ear_property_set_string (self, "name", name);
      ear_property_set_string (self, "title", ear_folder_get_title (folder));
      ear_property_set_number (self, "count", (int) ear_folder_get_count (folder));
    }
  else if (EAR_IS_LIST (self->subject))
    ear_property_set_string (self, "title", ear_list_get_title (EAR_LIST (self->subject)));
  else
    update_view (self);
  update_spoken (self);
}

static void
ear_sidebar_item_finalize (GObject *object)
{
  ear_properties_clear (object);

  G_OBJECT_CLASS (ear_sidebar_item_parent_class)->finalize (object);
}

static void
ear_sidebar_item_class_init (EarSidebarItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "is-podcast", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_podcast) },
    /* Whether it is a podcast or a folder */
    { "has-podcasts", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (has_podcasts) },
    /* (nullable): shown above the first item of its section */
    { "heading", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_heading) },
    /* (nullable): of a view or a list */
    { "icon-name", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_icon_name) },
    /* The podcast, list or folder; the library of a view */
    { "subject", G_TYPE_OBJECT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, subject) },
    /* Identifies the item in settings and actions */
    { "name", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, name) },
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, title) },
    /* (nullable): distinguishes podcasts of the same title */
    { "subtitle", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, subtitle) },
    /* (nullable): why the last check of a podcast failed */
    { "problem", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, problem) },
    /* The number of episodes to hear: new ones, or those in Up Next */
    { "count", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, count) },
    { "counts-new", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_sidebar_item_counts_new) },
    /* The row in a screen reader's words */
    { "spoken", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSidebarItem, spoken) },
    /* Whether the sidebar lists it: a view without content is not listed,
     * unless it is pinned */
    { .spec = g_param_spec_boolean ("shown", NULL, NULL, TRUE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarSidebarItem, shown) },
  };

  object_class->finalize = ear_sidebar_item_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_sidebar_item_init (EarSidebarItem *self)
{
  self->has_content = TRUE;
  self->shown = TRUE;
}

static EarSidebarItem *
new_item (EarSidebarItemKind kind, gpointer subject, char *name)
{
  EarSidebarItem *self = g_object_new (EAR_TYPE_SIDEBAR_ITEM, NULL);

  self->kind = kind;
  self->subject = g_object_ref (subject);
  self->name = name;
  ear_connect (subject, "notify", update, self);
  update (self);

  return self;
}

EarSidebarItem *
ear_sidebar_item_new_podcast (EarPodcast *podcast)
{
  /* The address may have a secret in it. */
  return new_item (EAR_SIDEBAR_ITEM_PODCAST, podcast,
                   ear_address_hash (ear_podcast_get_address (podcast), NULL));
}

/* @subject: a podcast, a list or a folder */
static EarSidebarItem *
create_item (GObject *subject)
{
  if (EAR_IS_PODCAST (subject))
    return ear_sidebar_item_new_podcast (EAR_PODCAST (subject));
  if (EAR_IS_FOLDER (subject))
    return new_item (EAR_SIDEBAR_ITEM_FOLDER, subject, NULL);

  return new_item (EAR_SIDEBAR_ITEM_LIST, subject,
                   g_strconcat ("list-", ear_list_get_id (EAR_LIST (subject)), NULL));
}

static EarSidebarItem *
create_view (EarLibrary *library, EarSidebarItemKind kind)
{
  EarSidebarItem *self = new_item (kind, library, g_strdup (kinds[kind].name));

  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    if (contents[i].kind == kind)
      {
        g_autoptr (GObject) part = NULL;

        g_object_get (library, contents[i].part, &part, NULL);
        ear_connect (part, "notify", update, self);
      }
  ear_connect (ear_library_get_player (library), "notify::episode", update, self);

  return self;
}

gboolean
ear_sidebar_item_equal (EarSidebarItem *a, EarSidebarItem *b)
{
  return a == b || (a != NULL && b != NULL && a->kind == b->kind && a->subject == b->subject);
}

/* Keeps a view listed while it is chosen, with content or without. */
void
ear_sidebar_item_set_pinned (EarSidebarItem *self, gboolean pinned)
{
  self->pinned = pinned;
  update_shown (self);
}

/* Views and lists have a filter and an order of their own: @filter and @sort are for
 * podcasts and folders, except for the rank of search results.
 * @search: (nullable): words that must occur
 * Returns: (transfer full): a query for the episodes */
EarEpisodeQuery *
ear_sidebar_item_create_query (EarSidebarItem *self, EarEpisodeFilter filter, EarEpisodeSort sort,
                               const char *search)
{
  const EarEpisodeSort own = sort == EAR_SORT_RANKED ? sort : EAR_SORT_NEWEST;

  if (EAR_IS_PODCAST (self->subject))
    return ear_episode_query_new (ear_podcast_get_id (EAR_PODCAST (self->subject)), filter, sort,
                                  search);
  if (EAR_IS_FOLDER (self->subject))
    return ear_folder_create_query (EAR_FOLDER (self->subject), filter, sort, search);
  if (EAR_IS_LIST (self->subject))
    return ear_list_create_query (EAR_LIST (self->subject), own, search);

  return ear_episode_query_new (0, kinds[self->kind].filter, own, search);
}

gboolean
ear_sidebar_item_has_menu (EarSidebarItem *self)
{
  return kinds[self->kind].menu != NULL;
}

/* Returns: (transfer full) (nullable): its menu, whose actions are in
 * ear-item-actions.c */
GMenuModel *
ear_sidebar_item_create_menu (EarSidebarItem *self)
{
  g_autoptr (GtkBuilder) builder = NULL;

  if (!ear_sidebar_item_has_menu (self))
    return NULL;

  builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-collection-menu.ui");

  return G_MENU_MODEL (g_object_ref (gtk_builder_get_object (builder, kinds[self->kind].menu)));
}

/* --- Rows of the sidebar ------------------------------------------------------------ */

/* Podcasts, lists and folders that move within one change keep their items.
 * GtkMapListModel would make new ones, and places some of them wrongly (GTK 4.18). */
static void
subjects_changed_cb (GListModel *subjects, guint position, guint n_removed, guint n_added,
                     GListStore *items)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);

  for (guint i = position; i < position + n_removed; i++)
    {
      EarSidebarItem *item = g_list_model_get_item (G_LIST_MODEL (items), i);

      g_hash_table_insert (known, item->subject, item);
    }
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GObject) subject = g_list_model_get_item (subjects, i);
      EarSidebarItem *item = g_hash_table_lookup (known, subject);

      g_ptr_array_add (added, item != NULL ? g_object_ref (item) : create_item (subject));
    }
  g_list_store_splice (items, position, n_removed, added->pdata, added->len);
}

/* Returns: (transfer full): an item for each podcast, folder or list in a model */
static GListModel *
list_items (GListModel *subjects)
{
  GListStore *items = g_list_store_new (EAR_TYPE_SIDEBAR_ITEM);

  subjects_changed_cb (subjects, 0, 0, g_list_model_get_n_items (subjects), items);
  g_signal_connect_object (subjects, "items-changed", G_CALLBACK (subjects_changed_cb), items,
                           G_CONNECT_DEFAULT);
  g_object_set_data_full (G_OBJECT (items), "subjects", g_object_ref (subjects), g_object_unref);

  return G_LIST_MODEL (items);
}

static GListModel *
create_children (gpointer item, gpointer user_data)
{
  EarFolder *folder = ear_sidebar_item_get_folder (item);

  return folder != NULL ? list_items (ear_folder_get_children (folder)) : NULL;
}

static void
update_folding (GtkTreeListModel *tree)
{
  g_autoptr (GtkTreeListRow) row = NULL;

  for (guint i = 0; (row = gtk_tree_list_model_get_child_row (tree, i)) != NULL; i++)
    {
      g_autoptr (EarSidebarItem) item = gtk_tree_list_row_get_item (row);
      EarFolder *folder = ear_sidebar_item_get_folder (item);

      if (folder != NULL)
        gtk_tree_list_row_set_expanded (row, !ear_folder_get_folded (folder));
      g_clear_object (&row);
    }
}

/* Expands new rows of folders that are not folded. The other rows stay as they are: a
 * click on the arrow reaches the folder only after its rows have come or gone. */
static void
rows_added_cb (GtkTreeListModel *tree, guint position, guint n_removed, guint n_added)
{
  guint end = position + n_added;

  for (guint i = position; i < end; i++)
    {
      g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (tree, i);
      g_autoptr (EarSidebarItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
      EarFolder *folder = ear_sidebar_item_get_folder (item);

      if (folder == NULL)
        continue;
      g_signal_handlers_disconnect_by_func (folder, update_folding, tree);
      ear_connect (folder, "notify::folded", update_folding, tree);
      if (!ear_folder_get_folded (folder))
        {
          gtk_tree_list_row_set_expanded (row, TRUE);
          end += g_list_model_get_n_items (gtk_tree_list_row_get_children (row));
        }
    }
}

/* Returns: (transfer full): the views, listed in the sidebar or not */
GListModel *
ear_sidebar_item_list_views (EarLibrary *library)
{
  GListStore *all = g_list_store_new (EAR_TYPE_SIDEBAR_ITEM);

  for (EarSidebarItemKind kind = EAR_SIDEBAR_ITEM_QUEUE; kind <= EAR_SIDEBAR_ITEM_HISTORY; kind++)
    {
      g_autoptr (EarSidebarItem) view = create_view (library, kind);

      g_list_store_append (all, view);
    }

  return G_LIST_MODEL (all);
}

static void
shown_cb (GtkFilter *filter)
{
  gtk_filter_changed (filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/* @all_views: from ear_sidebar_item_list_views()
 * Returns: (transfer full): a list of #GtkTreeListRow with [class@EarSidebarItem] in
 * three sections: the views, the lists, and the podcasts with their folders */
GListModel *
ear_sidebar_item_list_rows (EarLibrary *library, GListModel *all_views)
{
  g_autoptr (GListStore) sections = g_list_store_new (G_TYPE_LIST_MODEL);
  GtkFilter *filter = GTK_FILTER (
      gtk_bool_filter_new (gtk_property_expression_new (EAR_TYPE_SIDEBAR_ITEM, NULL, "shown")));
  g_autoptr (GListModel) shown =
      G_LIST_MODEL (gtk_filter_list_model_new (g_object_ref (all_views), filter));
  g_autoptr (GListModel) lists = list_items (ear_lists_get_all (ear_library_get_lists (library)));
  g_autoptr (GListModel) folders =
      ear_folder_list_new (ear_library_get_podcasts (library), ear_library_get_settings (library));
  g_autoptr (GListModel) podcasts = list_items (folders);
  GListModel *const models[] = { shown, lists, podcasts };
  GtkFlattenListModel *rows = gtk_flatten_list_model_new (G_LIST_MODEL (g_object_ref (sections)));

  for (guint i = 0; i < g_list_model_get_n_items (all_views); i++)
    {
      g_autoptr (EarSidebarItem) view = g_list_model_get_item (all_views, i);

      ear_connect (view, "notify::shown", shown_cb, filter);
    }
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (GtkTreeListModel) tree = gtk_tree_list_model_new (
          g_object_ref (models[i]), FALSE, FALSE, create_children, NULL, NULL);

      g_list_store_append (sections, tree);
      /* Connected last: a nested change has to come after the outer one everywhere. */
      g_signal_connect (tree, "items-changed", G_CALLBACK (rows_added_cb), NULL);
      rows_added_cb (tree, 0, 0, g_list_model_get_n_items (G_LIST_MODEL (tree)));
    }

  return G_LIST_MODEL (rows);
}
