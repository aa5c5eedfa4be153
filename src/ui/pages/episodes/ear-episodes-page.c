/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-episode-view.h"
#include "ear-format.h"

/* How often "Checked 5 minutes ago" is brought up to date. */
#define FACTS_INTERVAL 30

/**
 * EarEpisodesPage:
 *
 * The second pane: a podcast's head and the list of its episodes.
 *
 * Each query gets a list of its own, which is shown once it has its first rows: nothing
 * flickers while typing, and the list that the player plays from stays as it was.
 */
struct _EarEpisodesPage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  EarEpisodeView *view;
  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  AdwToggleGroup *filters;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
  GSignalGroup *podcast_signals;
  EarEpisodeList *list;
  EarEpisodeList *next_list;   /* waits for its first rows */
  char *filter;
  char *sort;
  char *search;
  char *facts;
  guint facts_source;
  gboolean collapsed;
};

G_DEFINE_FINAL_TYPE (EarEpisodesPage, ear_episodes_page, ADW_TYPE_NAVIGATION_PAGE)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_PODCAST,
  PROP_LIST,
  PROP_EPISODE,
  PROP_FILTER,
  PROP_SORT,
  PROP_SEARCH,
  PROP_FACTS,
  PROP_COLLAPSED,
} EarEpisodesPageProperty;

static GParamSpec *props[PROP_COLLAPSED + 1];

enum
{
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static const struct
{
  const char *name;
  int value;
} filter_names[] = {
  { "all", EAR_FILTER_ALL },
  { "unplayed", EAR_FILTER_UNPLAYED },
  { "in-progress", EAR_FILTER_IN_PROGRESS },
}, sort_names[] = {
  { "newest", EAR_SORT_NEWEST },
  { "oldest", EAR_SORT_OLDEST },
  { "title", EAR_SORT_TITLE },
  { "longest", EAR_SORT_LONGEST },
};

static EarEpisodeFilter
find_filter (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (filter_names); i++)
    if (g_strcmp0 (filter_names[i].name, name) == 0)
      return filter_names[i].value;

  return EAR_FILTER_ALL;
}

static EarEpisodeSort
find_sort (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sort_names); i++)
    if (g_strcmp0 (sort_names[i].name, name) == 0)
      return sort_names[i].value;

  return EAR_SORT_NEWEST;
}

static void
activated_cb (EarEpisodesPage *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
episode_chosen_cb (EarEpisodesPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EPISODE]);
}

static void
show_list (EarEpisodesPage *self)
{
  g_signal_handlers_disconnect_by_data (self->next_list, self);
  g_clear_object (&self->list);
  self->list = g_steal_pointer (&self->next_list);
  ear_episode_view_set_list (self->view, self->list);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIST]);
}

static void
next_list_loading_cb (EarEpisodesPage *self)
{
  if (!ear_episode_list_get_loading (self->next_list))
    show_list (self);
}

static void
update_query (EarEpisodesPage *self)
{
  g_autoptr (EarEpisodeQuery) query = NULL;

  if (self->next_list != NULL)
    g_signal_handlers_disconnect_by_data (self->next_list, self);
  g_clear_object (&self->next_list);
  if (self->library == NULL || self->podcast == NULL)
    return;

  query = ear_episode_query_new (ear_podcast_get_id (self->podcast), find_filter (self->filter), find_sort (self->sort), self->search);
  self->next_list = ear_library_create_list (self->library, query);
  if (self->list == NULL || !ear_episode_list_get_loading (self->next_list))
    show_list (self);
  else
    g_signal_connect_swapped (self->next_list, "notify::loading", G_CALLBACK (next_list_loading_cb), self);
}

static void
update_facts (EarEpisodesPage *self)
{
  g_autofree char *count = NULL;
  g_autofree char *checked = NULL;
  g_autofree char *facts = NULL;
  const guint n_episodes = self->podcast != NULL ? ear_podcast_get_n_episodes (self->podcast) : 0;

  if (self->podcast != NULL)
    {
      count = n_episodes > 0 ? ear_closure_podcast_facts (NULL, n_episodes) : g_strdup ("");
      checked = ear_podcast_get_refreshing (self->podcast)
                  ? g_strdup (_("Checking…"))
                  : ear_format_ago (ear_podcast_get_checked (self->podcast), g_get_real_time () / G_USEC_PER_SEC);
      facts = ear_format_join ((const char *[]) { count, checked != NULL ? checked : "", NULL });
    }
  if (g_set_str (&self->facts, facts))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FACTS]);
}

static gboolean
facts_timeout_cb (gpointer user_data)
{
  update_facts (user_data);

  return G_SOURCE_CONTINUE;
}

static void
set_podcast (EarEpisodesPage *self, EarPodcast *podcast)
{
  EarEpisode *episode = ear_episode_view_get_episode (self->view);

  if (!g_set_object (&self->podcast, podcast))
    return;

  g_signal_group_set_target (self->podcast_signals, podcast);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  if (podcast == NULL)
    ear_episode_view_set_episode (self->view, NULL);
  else if (episode == NULL || ear_episode_get_podcast (episode) != podcast)
    ear_episode_view_choose_anew (self->view);
  update_facts (self);
  update_query (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PODCAST]);
}

static void
set_text (EarEpisodesPage *self, char **field, const char *text, EarEpisodesPageProperty property)
{
  if (!g_set_str (field, text))
    return;

  update_query (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
filter_chosen_cb (EarEpisodesPage *self)
{
  const char *name = adw_toggle_group_get_active_name (self->filters);
  g_autofree char *shown = ear_closure_filter_name (NULL, self->filter);

  if (g_strcmp0 (name, shown) != 0)
    set_text (self, &self->filter, name, PROP_FILTER);
}

static void
search_changed_cb (EarEpisodesPage *self)
{
  g_autofree char *words = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_entry))));

  set_text (self, &self->search, *words != '\0' ? words : NULL, PROP_SEARCH);
}

static void
set_search (EarEpisodesPage *self, const char *search)
{
  const char *text = search != NULL ? search : "";

  set_text (self, &self->search, search, PROP_SEARCH);
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)), text))
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
}

/* Enter leads from the words to what they found. */
static void
search_activated_cb (EarEpisodesPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (widget);

  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  set_text (self, &self->filter, "all", PROP_FILTER);
}

static void
ear_episodes_page_map (GtkWidget *widget)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (widget);

  GTK_WIDGET_CLASS (ear_episodes_page_parent_class)->map (widget);
  update_facts (self);
  self->facts_source = g_timeout_add_seconds (FACTS_INTERVAL, facts_timeout_cb, self);
}

static void
ear_episodes_page_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&EAR_EPISODES_PAGE (widget)->facts_source, g_source_remove);
  GTK_WIDGET_CLASS (ear_episodes_page_parent_class)->unmap (widget);
}

static void
ear_episodes_page_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (object);

  switch ((EarEpisodesPageProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_PODCAST:
      g_value_set_object (value, self->podcast);
      break;
    case PROP_LIST:
      g_value_set_object (value, self->list);
      break;
    case PROP_EPISODE:
      g_value_set_object (value, self->view != NULL ? ear_episode_view_get_episode (self->view) : NULL);
      break;
    case PROP_FILTER:
      g_value_set_string (value, self->filter);
      break;
    case PROP_SORT:
      g_value_set_string (value, self->sort);
      break;
    case PROP_SEARCH:
      g_value_set_string (value, self->search);
      break;
    case PROP_FACTS:
      g_value_set_string (value, self->facts);
      break;
    case PROP_COLLAPSED:
      g_value_set_boolean (value, self->collapsed);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episodes_page_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (object);

  switch (property_id)
    {
    case PROP_LIBRARY:
      if (g_set_object (&self->library, g_value_get_object (value)))
        {
          update_query (self);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    case PROP_PODCAST:
      set_podcast (self, g_value_get_object (value));
      break;
    case PROP_EPISODE:
      ear_episodes_page_set_episode (self, g_value_get_object (value));
      break;
    case PROP_FILTER:
      set_text (self, &self->filter, g_value_get_string (value), PROP_FILTER);
      break;
    case PROP_SORT:
      set_text (self, &self->sort, g_value_get_string (value), PROP_SORT);
      break;
    case PROP_SEARCH:
      set_search (self, g_value_get_string (value));
      break;
    case PROP_COLLAPSED:
      if (self->collapsed != g_value_get_boolean (value))
        {
          self->collapsed = g_value_get_boolean (value);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episodes_page_dispose (GObject *object)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (object);

  if (self->next_list != NULL)
    g_signal_handlers_disconnect_by_data (self->next_list, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODES_PAGE);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->next_list);
  g_clear_object (&self->list);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_episodes_page_parent_class)->dispose (object);
}

static void
ear_episodes_page_finalize (GObject *object)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (object);

  g_clear_pointer (&self->filter, g_free);
  g_clear_pointer (&self->sort, g_free);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->facts, g_free);

  G_OBJECT_CLASS (ear_episodes_page_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * EarEpisodesPage:library:
   *
   * Where episodes come from.
   */
  props[PROP_LIBRARY] = g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, flags);
  /**
   * EarEpisodesPage:podcast:
   *
   * Whose episodes are listed.
   */
  props[PROP_PODCAST] = g_param_spec_object ("podcast", NULL, NULL, EAR_TYPE_PODCAST, flags);
  /**
   * EarEpisodesPage:list:
   *
   * The rows that are shown.
   */
  props[PROP_LIST] = g_param_spec_object ("list", NULL, NULL, EAR_TYPE_EPISODE_LIST, readable);
  /**
   * EarEpisodesPage:episode:
   *
   * The episode that was chosen, in the list or elsewhere.
   */
  props[PROP_EPISODE] = g_param_spec_object ("episode", NULL, NULL, EAR_TYPE_EPISODE, flags);
  /**
   * EarEpisodesPage:filter:
   *
   * `all`, `unplayed` or `in-progress`.
   */
  props[PROP_FILTER] = g_param_spec_string ("filter", NULL, NULL, "all", flags);
  /**
   * EarEpisodesPage:sort:
   *
   * `newest`, `oldest`, `title` or `longest`.
   */
  props[PROP_SORT] = g_param_spec_string ("sort", NULL, NULL, "newest", flags);
  /**
   * EarEpisodesPage:search:
   *
   * Words that are looked for.
   */
  props[PROP_SEARCH] = g_param_spec_string ("search", NULL, NULL, NULL, flags);
  /**
   * EarEpisodesPage:facts:
   *
   * The line below the title.
   */
  props[PROP_FACTS] = g_param_spec_string ("facts", NULL, NULL, NULL, readable);
  /**
   * EarEpisodesPage:collapsed:
   *
   * Whether the page of the episode is not beside it.
   */
  props[PROP_COLLAPSED] = g_param_spec_boolean ("collapsed", NULL, NULL, FALSE, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_episodes_page_class_init (EarEpisodesPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ear_episodes_page_get_property;
  object_class->set_property = ear_episodes_page_set_property;
  object_class->dispose = ear_episodes_page_dispose;
  object_class->finalize = ear_episodes_page_finalize;
  widget_class->map = ear_episodes_page_map;
  widget_class->unmap = ear_episodes_page_unmap;
  install_properties (object_class);

  /**
   * EarEpisodesPage::activated:
   * @self: the page
   *
   * A row was activated: where the episode's page is not beside this one it is wanted now.
   */
  signals[SIGNAL_ACTIVATED] =
    g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_install_action (widget_class, "list.show-all", NULL, show_all);
  gtk_widget_class_install_property_action (widget_class, "list.sort", "sort");
  gtk_widget_class_install_property_action (widget_class, "list.filter", "filter");

  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  g_type_ensure (EAR_TYPE_EPISODE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episodes-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_bar);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filters);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
  ear_closures_bind (widget_class);
}

static void
ear_episodes_page_init (EarEpisodesPage *self)
{
  self->filter = g_strdup ("all");
  self->sort = g_strdup ("newest");
  gtk_widget_init_template (GTK_WIDGET (self));
  /* It is no child of the bar itself, which so gives it the focus, and takes Escape from it. */
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify", G_CALLBACK (update_facts), self);
}

/**
 * ear_episodes_page_get_episode:
 * @self: the page
 *
 * Returns: (transfer none) (nullable): the episode that was chosen
 */
EarEpisode *
ear_episodes_page_get_episode (EarEpisodesPage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), NULL);

  return ear_episode_view_get_episode (self->view);
}

/**
 * ear_episodes_page_set_episode:
 * @self: the page
 * @episode: (nullable): an episode
 *
 * Chooses an episode, and marks its row where it is listed.
 */
void
ear_episodes_page_set_episode (EarEpisodesPage *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODES_PAGE (self));

  ear_episode_view_set_episode (self->view, episode);
}

/**
 * ear_episodes_page_get_list:
 * @self: the page
 *
 * Returns: (transfer none) (nullable): the rows that are shown
 */
EarEpisodeList *
ear_episodes_page_get_list (EarEpisodesPage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), NULL);

  return self->list;
}

/**
 * ear_episodes_page_begin_search:
 * @self: the page
 *
 * Shows the search entry and puts the focus there.
 */
void
ear_episodes_page_begin_search (EarEpisodesPage *self)
{
  g_return_if_fail (EAR_IS_EPISODES_PAGE (self));

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}
