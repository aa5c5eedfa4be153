/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-downloader.h"
#include "ear-episodes-page-private.h"
#include "ear-first-focus.h"
#include "ear-first-steps.h"
#include "ear-fit-layout.h"
#include "ear-menu-later.h"
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
  PROP_SHORT,
  PROP_N_TICKED,
  PROP_VACANT,
} EarEpisodesPageProperty;

static GParamSpec *props[PROP_VACANT + 1];

enum
{
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* --- Lists ----------------------------------------------------------------------------- */

static void
activated_cb (EarEpisodesPage *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
episode_chosen_cb (EarEpisodesPage *self)
{
  ear_episodes_page_update_vacant (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EPISODE]);
}

static void
ticked_cb (EarEpisodesPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_TICKED]);
}

/* Each podcast keeps its own filter and order. */
static gboolean
restore_arrangement (EarEpisodesPage *self)
{
  EarPodcast *podcast = ear_episodes_page_get_podcast (self);
  gboolean filtered, sorted;

  if (podcast == NULL)
    return FALSE;

  filtered = g_set_str (&self->filter, ear_podcast_get_filter (podcast));
  sorted = g_set_str (&self->sort, ear_podcast_get_sort (podcast));
  if (filtered)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FILTER]);
  if (sorted)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SORT]);

  return filtered || sorted;
}

/* Here it is done already: it was changed on another machine, or a backup was restored. */
static void
arrangement_changed_cb (EarEpisodesPage *self)
{
  if (restore_arrangement (self))
    ear_episodes_page_arrange_anew (self);
}

static void
set_text (EarEpisodesPage *self, char **field, const char *text, EarEpisodesPageProperty property)
{
  if (!g_set_str (field, text))
    return;

  if (ear_episodes_page_get_podcast (self) != NULL && self->library != NULL)
    ear_subscriptions_set_arrangement (ear_library_get_subscriptions (self->library), ear_episodes_page_get_podcast (self),
                                       self->filter, self->sort);
  ear_episodes_page_arrange_anew (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
update_filter_button (EarEpisodesPage *self)
{
  const char *name = adw_toggle_group_get_active_name (self->filters);
  AdwToggle *toggle = name != NULL ? adw_toggle_group_get_toggle_by_name (self->filters, name) : NULL;
  g_autofree char *spoken = NULL;

  if (toggle == NULL)
    return;

  spoken = g_strconcat (_("Which Episodes"), C_("spoken separator", ", "), adw_toggle_get_label (toggle), NULL);
  gtk_menu_button_set_label (self->filter_button, adw_toggle_get_label (toggle));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter_button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
filter_chosen_cb (EarEpisodesPage *self)
{
  const char *name = adw_toggle_group_get_active_name (self->filters);
  g_autofree char *shown = ear_closure_filter_name (NULL, self->filter);

  update_filter_button (self);
  if (g_strcmp0 (name, shown) != 0)
    set_text (self, &self->filter, name, PROP_FILTER);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (widget);

  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  set_text (self, &self->filter, "all", PROP_FILTER);
}

/* --- Class ----------------------------------------------------------------------------- */

/* Only when it is wanted. */
static void
make_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (user_data);
  g_autoptr (GMenuModel) menu = self->collection != NULL ? ear_collection_create_menu (self->collection) : NULL;

  gtk_menu_button_set_menu_model (button, menu);
}

static void
update_menu (EarEpisodesPage *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->menu_button), self->collection != NULL && ear_collection_has_menu (self->collection));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->menu_button), ear_episodes_page_get_podcast (self) != NULL ? _("Podcast Menu") : _("Menu"));
}

/* They are made when they are wanted first, which is in few starts. */
static void
update_first_steps (EarEpisodesPage *self)
{
  const gboolean shown = ear_episodes_page_get_podcast (self) != NULL && !self->is_short;

  if (self->first_steps == NULL && shown && self->library != NULL && ear_first_steps_are_wanted (self->library))
    {
      g_set_weak_pointer (&self->first_steps, ear_first_steps_new (self->library));
      gtk_box_prepend (self->listing, self->first_steps);
    }
  if (self->first_steps != NULL)
    gtk_widget_set_visible (self->first_steps, shown);
}

static void
set_collection (EarEpisodesPage *self, EarCollection *collection)
{
  if (!g_set_object (&self->collection, collection))
    return;

  g_signal_group_set_target (self->podcast_signals, ear_episodes_page_get_podcast (self));
  update_menu (self);
  update_first_steps (self);
  ear_episodes_page_end_search (self);
  restore_arrangement (self);
  if (collection == NULL)
    ear_episode_view_set_episode (self->view, NULL);
  else
    ear_episode_view_choose_anew (self->view);
  ear_episodes_page_update_query (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLECTION]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PODCAST]);
}

static void
set_library (EarEpisodesPage *self, EarLibrary *library)
{
  if (!g_set_object (&self->library, library))
    return;

  g_signal_group_set_target (self->refresher_signals, library != NULL ? ear_library_get_refresher (library) : NULL);
  ear_episodes_page_update_query (self);
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
      g_value_set_object (value, ear_episodes_page_get_podcast (self));
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
    case PROP_SHORT:
      g_value_set_boolean (value, self->is_short);
      break;
    case PROP_N_TICKED:
      g_value_set_int (value, self->view != NULL ? ear_episode_view_get_n_ticked (self->view) : -1);
      break;
    case PROP_VACANT:
      g_value_set_boolean (value, self->vacant);
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
      ear_episodes_page_set_search (self, g_value_get_string (value));
      break;
    case PROP_EVERYWHERE:
      ear_episodes_page_set_everywhere (self, g_value_get_boolean (value));
      break;
    case PROP_COLLAPSED:
      if (self->collapsed != g_value_get_boolean (value))
        {
          self->collapsed = g_value_get_boolean (value);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    case PROP_SHORT:
      if (self->is_short != g_value_get_boolean (value))
        {
          self->is_short = g_value_get_boolean (value);
          update_first_steps (self);
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

  ear_episodes_page_drop_next_list (self);
  g_clear_object (&self->refresher_signals);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->list_signals);
  g_clear_weak_pointer (&self->first_steps);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODES_PAGE);
  g_clear_object (&self->list);
  g_clear_object (&self->browse_list);
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
  /**
   * EarEpisodesPage:short:
   *
   * Whether there is no room for more than the episodes: the title is in the header bar then.
   */
  props[PROP_SHORT] = g_param_spec_boolean ("short", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodesPage:n-ticked:
   *
   * How many episodes are ticked, or -1 where it is about a single one.
   */
  props[PROP_N_TICKED] = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, readable);
  /**
   * EarEpisodesPage:vacant:
   *
   * Whether there is nothing to list, nor an episode to show beside it: all that there is to be said is said here.
   */
  props[PROP_VACANT] = g_param_spec_boolean ("vacant", NULL, NULL, FALSE, readable);

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
  gtk_widget_class_install_property_action (widget_class, "list.sort", "sort");
  gtk_widget_class_install_property_action (widget_class, "list.filter", "filter");

  g_type_ensure (EAR_TYPE_DOWNLOADER);
  g_type_ensure (EAR_TYPE_EPISODE_VIEW);
  g_type_ensure (EAR_TYPE_FIT_LAYOUT);
  g_type_ensure (EAR_TYPE_PODCAST_HEAD);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episodes-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_bar);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_box);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filters);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filter_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filter_menu);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, scopes);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, sort_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, sort_menu);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, listing);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, states);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, fetching_page);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status_button);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, ticked_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_chosen_cb);
  ear_episodes_page_bind_search (widget_class);
  ear_closures_bind (widget_class);
}

static void
ear_episodes_page_init (EarEpisodesPage *self)
{
  self->filter = g_strdup ("all");
  self->sort = g_strdup ("newest");
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->menu_button, make_menu_cb, self, NULL);
  ear_menu_later_set (self->sort_button, self->sort_menu);
  ear_menu_later_set (self->filter_button, self->filter_menu);
  update_filter_button (self);
  /* It is no child of the bar itself, which so gives it the focus, and takes Escape from it. */
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  g_signal_connect_object (g_network_monitor_get_default (), "network-changed", G_CALLBACK (ear_episodes_page_update_state), self,
                           G_CONNECT_SWAPPED);
  self->refresher_signals = g_signal_group_new (EAR_TYPE_REFRESHER);
  g_signal_group_connect_swapped (self->refresher_signals, "notify::refreshing", G_CALLBACK (ear_episodes_page_update_state), self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify", G_CALLBACK (ear_episodes_page_update_state), self);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::filter", G_CALLBACK (arrangement_changed_cb), self);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::sort", G_CALLBACK (arrangement_changed_cb), self);
  self->list_signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_swapped (self->list_signals, "notify", G_CALLBACK (ear_episodes_page_update_state), self);
}

/**
 * ear_episodes_page_get_episode:
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
 *
 * Returns: (transfer none) (nullable): the rows that are shown
 */
EarEpisodeList *
ear_episodes_page_get_list (EarEpisodesPage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), NULL);

  return self->list;
}

gboolean
ear_episodes_page_get_vacant (EarEpisodesPage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), FALSE);

  return self->vacant;
}

gboolean
ear_episodes_page_lists (EarEpisodesPage *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), FALSE);

  return self->list != NULL && ear_episode_list_find (self->list, ear_episode_get_id (episode), NULL);
}

/**
 * ear_episodes_page_begin_search:
 * @everywhere: whether to search all podcasts
 *
 * Shows the search entry and puts the focus there. Words that are in it already are selected:
 * what is typed next stands instead of them.
 */
void
ear_episodes_page_begin_search (EarEpisodesPage *self, gboolean everywhere)
{
  g_return_if_fail (EAR_IS_EPISODES_PAGE (self));

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  ear_episodes_page_set_everywhere (self, everywhere);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (GTK_EDITABLE (self->search_entry), 0, -1);
  ear_first_focus_catch_keys (GTK_EDITABLE (self->search_entry));
}

/* Puts the focus on the row that is chosen, or on what to do where there are none. */
gboolean
ear_episodes_page_enter (EarEpisodesPage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), FALSE);

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->states), "content") == 0)
    return gtk_widget_grab_focus (GTK_WIDGET (self->view));

  return gtk_widget_child_focus (GTK_WIDGET (self->states), GTK_DIR_TAB_FORWARD);
}

/* Does that to the selected episodes of the list. */
gboolean
ear_episodes_page_toggle_selected (EarEpisodesPage *self, const char *name)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), FALSE);

  return ear_episode_view_toggle_selected (self->view, name);
}
