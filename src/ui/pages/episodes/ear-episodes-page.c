/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page.h"

#include "ear-closures.h"
#include "ear-episode-view.h"
#include "ear-error-text.h"
#include "ear-page-state.h"
#include "ear-podcast-head.h"

/**
 * EarEpisodesPage:
 *
 * The second pane: the episodes of a podcast, below its head, or of a view over all
 * podcasts, or those that a search finds.
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
  AdwToggleGroup *scopes;
  AdwBanner *banner;
  GtkStack *states;
  AdwStatusPage *status;
  GtkButton *status_button;

  /* Owned */
  EarLibrary *library;
  EarCollection *collection;
  GSignalGroup *library_signals;
  GSignalGroup *podcast_signals;
  GSignalGroup *list_signals;
  EarEpisodeList *list;
  EarEpisodeList *next_list;   /* waits for its first rows */
  EarEpisodeList *browse_list; /* what is shown again when the search ends */
  EarEpisode *browse_episode;  /* and what was chosen in it */
  char *filter;
  char *sort;
  char *search;
  gboolean everywhere;
  gboolean refreshing;
  gboolean collapsed;
};

G_DEFINE_FINAL_TYPE (EarEpisodesPage, ear_episodes_page, ADW_TYPE_NAVIGATION_PAGE)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_COLLECTION,
  PROP_PODCAST,
  PROP_LIST,
  PROP_EPISODE,
  PROP_FILTER,
  PROP_SORT,
  PROP_SEARCH,
  PROP_EVERYWHERE,
  PROP_REFRESHING,
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
  { "liked", EAR_FILTER_LIKED },
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

static EarPodcast *
get_podcast (EarEpisodesPage *self)
{
  return self->collection != NULL ? ear_collection_get_podcast (self->collection) : NULL;
}

/* --- What there is to see -------------------------------------------------------------- */

static void
set_refreshing (EarEpisodesPage *self, gboolean refreshing)
{
  if (self->refreshing == refreshing)
    return;

  self->refreshing = refreshing;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REFRESHING]);
}

static void
show_status (EarEpisodesPage *self, const EarPageFacts *facts)
{
  g_auto (EarPageText) text = { 0 };

  ear_page_text_init (&text, facts);
  adw_status_page_set_icon_name (self->status, text.icon_name);
  adw_status_page_set_title (self->status, text.title);
  adw_status_page_set_description (self->status, text.body);
  gtk_widget_set_visible (GTK_WIDGET (self->status_button), text.button != NULL);
  if (text.button != NULL)
    gtk_button_set_label (self->status_button, text.button);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->status_button), text.action);
}

/* Above rows that are there, whatever the last check said. */
static void
update_banner (EarEpisodesPage *self, EarPodcast *podcast)
{
  const GError *error = podcast != NULL ? ear_podcast_get_error (podcast) : NULL;
  const gboolean revealed = error != NULL && ear_podcast_get_n_episodes (podcast) > 0 && !ear_podcast_get_refreshing (podcast);
  g_autofree char *title = ear_error_text_title (error, EAR_ERROR_ABOUT_FEED);
  g_autofree char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);

  if (revealed)
    {
      adw_banner_set_title (self->banner, title);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->banner), body);
    }
  adw_banner_set_revealed (self->banner, revealed);
}

static void
update_state (EarEpisodesPage *self)
{
  static const char *const names[] = { "content", "loading", "fetching", "status" };
  EarPodcast *podcast = get_podcast (self);
  EarPageFacts facts = { 0 };
  EarPageState state;
  gboolean refreshing;

  if (self->library == NULL || self->collection == NULL)
    return;

  facts.kind = ear_collection_get_kind (self->collection);
  facts.loading = self->list == NULL || ear_episode_list_get_loading (self->list);
  facts.n_items = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
  facts.podcast = podcast;
  facts.online = ear_library_get_online (self->library);
  facts.filter = find_filter (self->filter);
  facts.search = self->search;
  facts.everywhere = self->everywhere;
  state = ear_page_state_find (&facts);
  if (state == EAR_PAGE_STATUS)
    show_status (self, &facts);
  gtk_stack_set_visible_child_name (self->states, names[state]);
  update_banner (self, podcast);
  g_object_get (podcast != NULL ? G_OBJECT (podcast) : G_OBJECT (self->library), "refreshing", &refreshing, NULL);
  set_refreshing (self, refreshing);
}

/* --- Lists ----------------------------------------------------------------------------- */

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
set_list (EarEpisodesPage *self, EarEpisodeList *list)
{
  g_set_object (&self->list, list);
  if (self->search == NULL)
    g_set_object (&self->browse_list, list);
  g_signal_group_set_target (self->list_signals, list);
  ear_episode_view_set_list (self->view, list);
  update_state (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIST]);
}

static void
drop_next_list (EarEpisodesPage *self)
{
  if (self->next_list != NULL)
    g_signal_handlers_disconnect_by_data (self->next_list, self);
  g_clear_object (&self->next_list);
}

static void
show_next_list (EarEpisodesPage *self)
{
  g_autoptr (EarEpisodeList) list = g_object_ref (self->next_list);

  drop_next_list (self);
  set_list (self, list);
}

static void
next_list_loading_cb (EarEpisodesPage *self)
{
  if (!ear_episode_list_get_loading (self->next_list))
    show_next_list (self);
}

static EarEpisodeQuery *
create_query (EarEpisodesPage *self)
{
  if (self->search != NULL && self->everywhere)
    return ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_NEWEST, self->search);

  return ear_collection_create_query (self->collection, find_filter (self->filter), find_sort (self->sort), self->search);
}

static void
update_query (EarEpisodesPage *self)
{
  g_autoptr (EarEpisodeQuery) query = NULL;

  drop_next_list (self);
  if (self->library == NULL || self->collection == NULL)
    return;

  query = create_query (self);
  self->next_list = ear_library_create_list (self->library, query);
  if (self->list == NULL || !ear_episode_list_get_loading (self->next_list))
    show_next_list (self);
  else
    g_signal_connect_swapped (self->next_list, "notify::loading", G_CALLBACK (next_list_loading_cb), self);
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

/* --- Searching ------------------------------------------------------------------------- */

/* What was shown before the first word is shown again, as it was. */
static void
restore_browsing (EarEpisodesPage *self)
{
  g_autoptr (EarEpisode) episode = g_steal_pointer (&self->browse_episode);

  drop_next_list (self);
  if (self->browse_list == NULL)
    {
      update_query (self);
      return;
    }
  if (self->list != self->browse_list)
    set_list (self, self->browse_list);
  if (episode != NULL)
    ear_episode_view_set_episode (self->view, episode);
  ear_episode_view_scroll_to_episode (self->view);
}

static void
set_search (EarEpisodesPage *self, const char *search)
{
  if (self->search == NULL)
    g_set_object (&self->browse_episode, ear_episode_view_get_episode (self->view));
  if (!g_set_str (&self->search, search))
    return;

  if (search != NULL)
    update_query (self);
  else
    restore_browsing (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SEARCH]);
}

static void
search_changed_cb (EarEpisodesPage *self)
{
  g_autofree char *words = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_entry))));

  set_search (self, *words != '\0' ? words : NULL);
}

static void
set_search_text (EarEpisodesPage *self, const char *search)
{
  const char *text = search != NULL ? search : "";

  set_search (self, search);
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)), text))
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
}

static void
set_everywhere (EarEpisodesPage *self, gboolean everywhere)
{
  if (self->everywhere == everywhere)
    return;

  self->everywhere = everywhere;
  adw_toggle_group_set_active_name (self->scopes, everywhere ? "everywhere" : "here");
  if (self->search != NULL)
    update_query (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EVERYWHERE]);
}

static void
scope_chosen_cb (EarEpisodesPage *self)
{
  set_everywhere (self, g_strcmp0 (adw_toggle_group_get_active_name (self->scopes), "everywhere") == 0);
}

/* Enter leads from the words to what they found. */
static void
search_activated_cb (EarEpisodesPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* Each search begins where the listener is. */
static void
search_mode_cb (EarEpisodesPage *self)
{
  if (!gtk_search_bar_get_search_mode (self->search_bar))
    set_everywhere (self, FALSE);
}

static void
search_everywhere (GtkWidget *widget, const char *name, GVariant *parameter)
{
  set_everywhere (EAR_EPISODES_PAGE (widget), TRUE);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (widget);

  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  set_text (self, &self->filter, "all", PROP_FILTER);
}

/* --- Class ----------------------------------------------------------------------------- */

static void
set_collection (EarEpisodesPage *self, EarCollection *collection)
{
  EarPodcast *podcast;

  if (!g_set_object (&self->collection, collection))
    return;

  podcast = get_podcast (self);
  g_signal_group_set_target (self->podcast_signals, podcast);
  g_clear_object (&self->browse_list);
  g_clear_object (&self->browse_episode);
  g_set_str (&self->search, NULL);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  if (collection == NULL)
    ear_episode_view_set_episode (self->view, NULL);
  else
    ear_episode_view_choose_anew (self->view);
  update_query (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLECTION]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PODCAST]);
}

static void
set_library (EarEpisodesPage *self, EarLibrary *library)
{
  if (!g_set_object (&self->library, library))
    return;

  g_signal_group_set_target (self->library_signals, library);
  update_query (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIBRARY]);
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
    case PROP_COLLECTION:
      g_value_set_object (value, self->collection);
      break;
    case PROP_PODCAST:
      g_value_set_object (value, get_podcast (self));
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
    case PROP_EVERYWHERE:
      g_value_set_boolean (value, self->everywhere);
      break;
    case PROP_REFRESHING:
      g_value_set_boolean (value, self->refreshing);
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
      set_library (self, g_value_get_object (value));
      break;
    case PROP_COLLECTION:
      set_collection (self, g_value_get_object (value));
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
      set_search_text (self, g_value_get_string (value));
      break;
    case PROP_EVERYWHERE:
      set_everywhere (self, g_value_get_boolean (value));
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

  drop_next_list (self);
  g_clear_object (&self->library_signals);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->list_signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODES_PAGE);
  g_clear_object (&self->list);
  g_clear_object (&self->browse_list);
  g_clear_object (&self->browse_episode);
  g_clear_object (&self->collection);
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
   * EarEpisodesPage:collection:
   *
   * Which episodes are listed.
   */
  props[PROP_COLLECTION] = g_param_spec_object ("collection", NULL, NULL, EAR_TYPE_COLLECTION, flags);
  /**
   * EarEpisodesPage:podcast:
   *
   * Whose episodes are listed, %NULL for a view.
   */
  props[PROP_PODCAST] = g_param_spec_object ("podcast", NULL, NULL, EAR_TYPE_PODCAST, readable);
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
   * `all`, `unplayed`, `in-progress` or `liked`.
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
   * EarEpisodesPage:everywhere:
   *
   * Whether they are looked for in all podcasts.
   */
  props[PROP_EVERYWHERE] = g_param_spec_boolean ("everywhere", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodesPage:refreshing:
   *
   * Whether what is listed is being checked.
   */
  props[PROP_REFRESHING] = g_param_spec_boolean ("refreshing", NULL, NULL, FALSE, readable);
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
  gtk_widget_class_install_action (widget_class, "list.search-everywhere", NULL, search_everywhere);
  gtk_widget_class_install_property_action (widget_class, "list.sort", "sort");
  gtk_widget_class_install_property_action (widget_class, "list.filter", "filter");

  g_type_ensure (EAR_TYPE_EPISODE_VIEW);
  g_type_ensure (EAR_TYPE_PODCAST_HEAD);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episodes-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_bar);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filters);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, scopes);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, states);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status_button);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, scope_chosen_cb);
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
  g_signal_connect_object (self->search_bar, "notify::search-mode-enabled", G_CALLBACK (search_mode_cb), self, G_CONNECT_SWAPPED);
  self->library_signals = g_signal_group_new (EAR_TYPE_LIBRARY);
  g_signal_group_connect_swapped (self->library_signals, "notify::online", G_CALLBACK (update_state), self);
  g_signal_group_connect_swapped (self->library_signals, "notify::refreshing", G_CALLBACK (update_state), self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify", G_CALLBACK (update_state), self);
  self->list_signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_swapped (self->list_signals, "notify", G_CALLBACK (update_state), self);
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
 * ear_episodes_page_lists:
 * @self: the page
 * @episode: an episode
 *
 * Returns: whether it is among the rows that are shown
 */
gboolean
ear_episodes_page_lists (EarEpisodesPage *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), FALSE);

  return self->list != NULL && ear_episode_list_find (self->list, ear_episode_get_id (episode), NULL);
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
