/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-folder.h"

#include "ear-podcast-settings.h"
#include "ear-property.h"

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

EarFolder *
ear_folder_new (const char *name)
{
  EarFolder *self = g_object_new (EAR_TYPE_FOLDER, NULL);

  ear_folder_set_name (self, name);

  return self;
}

void
ear_folder_set_name (EarFolder *self, const char *name)
{
  g_autofree char *title = ear_folder_name_dup_title (name);

  if (!ear_property_set_string (self, "name", name))
    return;
  g_free (self->sort_key);
  self->sort_key = ear_folder_name_dup_key (title);
  ear_property_set_string (self, "title", title);
}

static gboolean
has_all (GPtrArray *podcasts, GPtrArray *others)
{
  for (guint i = 0; i < others->len; i++)
    if (!g_ptr_array_find (podcasts, others->pdata[i], NULL))
      return FALSE;

  return TRUE;
}

static guint
find_from (GListModel *model, guint position, gpointer wanted)
{
  for (guint i = position; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      if (item == wanted)
        return i;
    }

  return G_MAXUINT;
}

/* Updates a store to contain @items in their order. Only items that move are removed and
 * added again, so that a list view keeps its focus and scroll position.
 * @items: (element-type GObject): distinct items */
void
ear_folder_update_store (GListStore *store, GPtrArray *items)
{
  GListModel *model = G_LIST_MODEL (store);
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < items->len; i++)
    g_hash_table_add (wanted, items->pdata[i]);
  for (guint i = g_list_model_get_n_items (model); i-- > 0;)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);

      if (g_hash_table_contains (wanted, item))
        g_hash_table_add (known, item);
      else
        g_list_store_remove (store, i);
    }
  for (guint i = 0; i < items->len;)
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, i);
      g_autoptr (GObject) next = g_list_model_get_item (model, i + 1);
      const gboolean is_known = g_hash_table_contains (known, items->pdata[i]);
      guint n = 1;

      if (item == items->pdata[i])
        {
          i++;
          continue;
        }
      if (next == items->pdata[i])
        {
          /* The item itself moves down, past this one. */
          g_list_store_remove (store, i);
          g_hash_table_remove (known, item);
          i++;
          continue;
        }
      if (is_known)
        g_list_store_remove (store, find_from (model, i, items->pdata[i]));
      else
        while (i + n < items->len && !g_hash_table_contains (known, items->pdata[i + n]))
          n++;
      g_list_store_splice (store, i, 0, items->pdata + i, n);
      i += n;
    }
}

/* @podcasts: (transfer full) (element-type EarPodcast): the podcasts of the folder, in
 * order */
void
ear_folder_take_podcasts (EarFolder *self, GPtrArray *podcasts)
{
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->podcasts);
  const gboolean same = before->len == podcasts->len && has_all (before, podcasts);

  self->podcasts = podcasts;
  ear_folder_update_store (self->children, podcasts);
  ear_folder_sum_up (self);
  if (!same)
    g_signal_emit_by_name (self, "changed");
}

/* Updates the number of new episodes. */
void
ear_folder_sum_up (EarFolder *self)
{
  guint count = 0;

  for (guint i = 0; i < self->podcasts->len; i++)
    count += ear_podcast_get_n_new (g_ptr_array_index (self->podcasts, i));
  ear_property_set_number (self, "count", (int) count);
}

const char *
ear_folder_get_sort_key (EarFolder *self)
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

static gboolean
is_usual (EarPodcastSetting setting, const char *word)
{
  return g_strcmp0 (word, ear_podcast_setting_get_word (
                              setting, ear_podcast_setting_get_usual (setting))) == 0;
}

/* Returns: whether its filter or order differs from the default */
gboolean
ear_folder_is_arranged (EarFolder *self)
{
  g_return_val_if_fail (EAR_IS_FOLDER (self), FALSE);

  return !is_usual (EAR_PODCAST_SETTING_FILTER, self->filter) ||
         !is_usual (EAR_PODCAST_SETTING_SORT, self->sort);
}

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
  ear_episode_query_set_terms (query, &(EarEpisodeTerms) { .podcasts = ids });
  /* Setting the terms has cleared the filter. */
  query->filter = filter;

  return query;
}
