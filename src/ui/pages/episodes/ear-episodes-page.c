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
#include "ear-podcast-head.h"
#include "ear-property.h"
#include "ear-widget.h"

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

/* --- Lists ----------------------------------------------------------------------------- */

static void
activated_cb (EarEpisodesPage *self)
{
  g_signal_emit_by_name (self, "activated");
}

static void
episode_chosen_cb (EarEpisodesPage *self)
{
  ear_episodes_page_update_vacant (self);
  g_object_notify (G_OBJECT (self), "episode");
}

static void
ticked_cb (EarEpisodesPage *self)
{
  g_object_notify (G_OBJECT (self), "n-ticked");
}

/* (nullable) */
static EarFolder *
get_folder (EarEpisodesPage *self)
{
  return self->collection != NULL ? ear_sidebar_item_get_folder (self->collection) : NULL;
}

/* Each podcast, and each folder, keeps its own filter and order. */
static gboolean
restore_arrangement (EarEpisodesPage *self)
{
  EarPodcast *podcast = ear_episodes_page_get_podcast (self);
  gboolean filtered, sorted;

  if (!ear_closure_is_arranged (NULL, self->collection))
    return FALSE;

  filtered = g_set_str (&self->filter, podcast != NULL ? ear_podcast_get_filter (podcast) : ear_folder_get_filter (get_folder (self)));
  sorted = g_set_str (&self->sort, podcast != NULL ? ear_podcast_get_sort (podcast) : ear_folder_get_sort (get_folder (self)));
  if (filtered)
    g_object_notify (G_OBJECT (self), "filter");
  if (sorted)
    g_object_notify (G_OBJECT (self), "sort");

  return filtered || sorted;
}

/* Here it is done already: it was changed on another machine, or a backup was restored. */
static void
arrangement_changed_cb (EarEpisodesPage *self)
{
  if (restore_arrangement (self))
    ear_episodes_page_arrange_anew (self);
}

/* What is in another list comes there by itself. */
static void
rule_changed_cb (EarEpisodesPage *self)
{
  if (ear_list_is_smart (ear_sidebar_item_get_list (self->collection)))
    ear_episodes_page_arrange_anew (self);
}

/* By another filter, or in another order */
static void
arranged_cb (EarEpisodesPage *self)
{
  if (ear_episodes_page_get_podcast (self) != NULL && self->library != NULL)
    ear_subscriptions_set_arrangement (ear_library_get_subscriptions (self->library), ear_episodes_page_get_podcast (self),
                                       self->filter, self->sort);
  if (get_folder (self) != NULL)
    ear_folder_arrange (get_folder (self), self->filter, self->sort);
  ear_episodes_page_arrange_anew (self);
}

static void
update_filter_button (EarEpisodesPage *self)
{
  const char *name = adw_toggle_group_get_active_name (self->filters);
  AdwToggle *toggle = name != NULL ? adw_toggle_group_get_toggle_by_name (self->filters, name) : NULL;
  g_autofree char *spoken = NULL;

  if (toggle == NULL)
    return;

  spoken = g_strconcat (_("Filter"), C_("spoken separator", ", "), adw_toggle_get_label (toggle), NULL);
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
    g_object_set (self, "filter", name, NULL);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (widget);

  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  g_object_set (self, "filter", "all", NULL);
}

/* --- Class ----------------------------------------------------------------------------- */

/* Only when it is wanted. */
static void
make_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (user_data);
  g_autoptr (GMenuModel) menu = self->collection != NULL ? ear_sidebar_item_create_menu (self->collection) : NULL;

  gtk_menu_button_set_menu_model (button, menu);
}

static void
update_menu (EarEpisodesPage *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->menu_button), self->collection != NULL && ear_sidebar_item_has_menu (self->collection));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->menu_button), ear_episodes_page_get_podcast (self) != NULL ? _("Podcast Menu") : _("Menu"));
}

static EarEpisode *
get_chosen (EarEpisodesPage *self)
{
  return self->view != NULL ? ear_episode_view_get_episode (self->view) : NULL;
}

static int
get_n_ticked (EarEpisodesPage *self)
{
  return self->view != NULL ? ear_episode_view_get_n_ticked (self->view) : -1;
}

/* They are made when they are wanted first, which is in few starts, and stand above the head of the podcast. */
void
ear_episodes_page_update_first_steps (EarEpisodesPage *self)
{
  const gboolean shown = ear_episodes_page_has_head (self);

  if (self->first_steps == NULL && shown && self->library != NULL && ear_first_steps_are_wanted (self->library))
    {
      g_set_weak_pointer (&self->first_steps, ear_first_steps_new (self->library));
      gtk_box_prepend (self->listing, self->first_steps);
    }
  if (self->first_steps != NULL)
    gtk_widget_set_visible (self->first_steps, shown);
}

static void
collection_changed_cb (EarEpisodesPage *self)
{
  g_signal_group_set_target (self->podcast_signals, ear_episodes_page_get_podcast (self));
  g_signal_group_set_target (self->rule_signals, self->collection != NULL ? ear_sidebar_item_get_list (self->collection) : NULL);
  g_signal_group_set_target (self->folder_signals, get_folder (self));
  update_menu (self);
  ear_episodes_page_update_saved (self);
  ear_episodes_page_end_search (self);
  ear_episodes_page_update_first_steps (self);
  restore_arrangement (self);
  if (self->collection == NULL)
    ear_episode_view_set_episode (self->view, NULL);
  else
    ear_episode_view_choose_anew (self->view);
  ear_episodes_page_update_query (self);
  g_object_notify (G_OBJECT (self), "podcast");
}

static void
library_changed_cb (EarEpisodesPage *self)
{
  g_signal_group_set_target (self->refresher_signals, self->library != NULL ? ear_library_get_refresher (self->library) : NULL);
  ear_episodes_page_update_query (self);
}

static void
ear_episodes_page_dispose (GObject *object)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (object);

  ear_episodes_page_drop_next_list (self);
  g_clear_object (&self->refresher_signals);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->list_signals);
  g_clear_object (&self->rule_signals);
  g_clear_object (&self->folder_signals);
  g_clear_weak_pointer (&self->first_steps);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODES_PAGE);
  g_clear_object (&self->list);
  g_clear_object (&self->browse_list);
  g_clear_object (&self->collection);
  g_clear_object (&self->library);
  g_clear_pointer (&self->filter, g_free);
  g_clear_pointer (&self->sort, g_free);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->trouble, g_free);

  G_OBJECT_CLASS (ear_episodes_page_parent_class)->dispose (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const EarProperty properties[] = {
    /* Where episodes come from */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* Which episodes are listed */
    { "collection", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, collection),
      .changed = G_CALLBACK (collection_changed_cb) },
    /* Whose episodes are listed, %NULL for a view */
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READABLE, .get = G_CALLBACK (ear_episodes_page_get_podcast) },
    /* The rows that are shown */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodesPage, list) },
    /* The episode that was chosen, in the list or elsewhere */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, .get = G_CALLBACK (get_chosen),
      .set = G_CALLBACK (ear_episodes_page_set_episode) },
    /* `all`, `unplayed`, `in-progress` or `liked` */
    { .spec = g_param_spec_string ("filter", NULL, NULL, "all", G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodesPage, filter), .changed = G_CALLBACK (arranged_cb) },
    /* `newest`, `oldest`, `title` or `longest` */
    { .spec = g_param_spec_string ("sort", NULL, NULL, "newest", G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodesPage, sort), .changed = G_CALLBACK (arranged_cb) },
    /* Words that are looked for */
    { "search", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, search),
      .set = G_CALLBACK (ear_episodes_page_set_search) },
    /* Whether they are looked for in all podcasts */
    { "everywhere", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, everywhere),
      .set = G_CALLBACK (ear_episodes_page_set_everywhere) },
    /* Whether what is listed is being checked */
    { "refreshing", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodesPage, refreshing) },
    /* Whether the page of the episode is not beside it */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, collapsed) },
    /* Whether there is no room for more than the episodes: the title is in the header bar then */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, is_short),
      .changed = G_CALLBACK (ear_episodes_page_update_first_steps) },
    /* How many episodes are ticked, or -1 where it is about a single one */
    { .spec = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READABLE), .get = G_CALLBACK (get_n_ticked) },
    /* Whether it can be narrowed by a filter, and put in another order */
    { "filterable", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodesPage, filterable) },
    /* Whether there is nothing to list, nor an episode to show beside it: all that there is to be said is said here */
    { "vacant", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodesPage, vacant) },
  };

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_episodes_page_class_init (EarEpisodesPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ear_episodes_page_dispose;
  install_properties (object_class);

  /* A row was activated: where the episode's page is not beside this one it is wanted now. */
  g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* A podcast that a search found was activated. */
  g_signal_new ("podcast-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                EAR_TYPE_PODCAST);

  gtk_widget_class_install_action (widget_class, "list.show-all", NULL, show_all);
  gtk_widget_class_install_property_action (widget_class, "list.sort", "sort");
  gtk_widget_class_install_property_action (widget_class, "list.filter", "filter");

  g_type_ensure (EAR_TYPE_DOWNLOADER);
  g_type_ensure (EAR_TYPE_EPISODE_VIEW);
  g_type_ensure (EAR_TYPE_FIT_LAYOUT);
  g_type_ensure (EAR_TYPE_PODCAST_HEAD);
  g_type_ensure (EAR_TYPE_SEARCH_POPOVER);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episodes-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_bar);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_box);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_popover);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filters);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filter_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filter_menu);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, scopes);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, sort_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, sort_menu);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner_title);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner_address);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, listing);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, states);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, fetching_page);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status_address);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, ticked_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_chosen_cb);
  ear_episodes_page_bind_search (widget_class);
  ear_episodes_page_bind_found_podcasts (widget_class);
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
  self->rule_signals = g_signal_group_new (EAR_TYPE_LIST);
  g_signal_group_connect_swapped (self->rule_signals, "notify::rule", G_CALLBACK (rule_changed_cb), self);
  self->folder_signals = g_signal_group_new (EAR_TYPE_FOLDER);
  g_signal_group_connect_swapped (self->folder_signals, "changed", G_CALLBACK (ear_episodes_page_arrange_anew), self);
  self->list_signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_swapped (self->list_signals, "notify", G_CALLBACK (ear_episodes_page_update_state), self);
}

EarEpisode *
ear_episodes_page_get_episode (EarEpisodesPage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), NULL);

  return ear_episode_view_get_episode (self->view);
}

/* Chooses an episode, and marks its row where it is listed. */
void
ear_episodes_page_set_episode (EarEpisodesPage *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODES_PAGE (self));

  ear_episode_view_set_episode (self->view, episode);
}

EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, EarEpisodeList *, list)
EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, const char *, search)
EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, const char *, trouble)
EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, gboolean, vacant)

/* Whether an episode can be shown beside what is listed: bookmarks and links are in episodes of all podcasts. */
gboolean
ear_episodes_page_lists (EarEpisodesPage *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), FALSE);

  if (ear_episodes_page_shows_others (self))
    return TRUE;

  return self->list != NULL && ear_episode_list_find (self->list, ear_episode_get_id (episode), NULL);
}

/* Shows the search entry and puts the focus there. Words that are in it already are selected:
 * what is typed next stands instead of them.
 * @everywhere: whether to search all podcasts */
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
