/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page.h"

#include <glib/gi18n.h>

#include "ear-bookmarks-view.h"
#include "ear-cover.h"
#include "ear-downloader.h"
#include "ear-episode-view.h"
#include "ear-format.h"
#include "ear-links.h"
#include "ear-list-store.h"
#include "ear-page-state.h"
#include "ear-property.h"
#include "ear-search-filter.h"
#include "ear-search-text.h"
#include "ear-sight.h"
#include "ear-widget.h"

/* Height of a row with a title of one line */
#define ROW_HEIGHT 54

/* Most podcasts that a search shows above the episodes, and the size of their covers */
#define FOUND_PODCASTS_LIMIT 20
#define FOUND_COVER_SIZE 32

/**
 * EarEpisodesPage:
 *
 * The second pane: the episodes of a podcast, below its head, of a view over all
 * podcasts, or of a search; in Saved also bookmarks and links.
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
  GtkWidget *search_box;
  GtkEditable *search_entry;
  EarSearchPopover *search_popover;
  GtkWidget *scope;
  GtkWidget *arrangement;
  GtkMenuButton *filter_button;
  GMenuModel *filter_menu;
  GtkMenuButton *menu_button;
  GtkMenuButton *sort_button;
  GMenuModel *sort_menu;
  GtkRevealer *banner;
  GtkLabel *banner_title;
  GtkWidget *banner_address;
  GtkButton *banner_button;
  AdwToggleGroup *saved_tabs;
  GtkStack *states;
  GtkWidget *fetching_page;
  AdwStatusPage *status;
  GtkButton *status_button;
  GtkListBox *found_list;
  GListStore *found;
  GtkWidget *status_address;

  /* Owned */
  EarLibrary *library;
  EarSidebarItem *collection;
  GSignalGroup *subject_signals; /* of the podcast, folder or list */
  GSignalGroup *folder_signals;
  GSignalGroup *list_signals;
  EarEpisodeList *list;
  EarEpisodeList *next_list; /* waits for its first rows */
  char *search;
  char *trouble; /* (nullable): why the search may find nothing */
  char *found_words; /* (nullable): of a search that finds podcasts, too */
  gboolean everywhere;
  gboolean refreshing;
  gboolean collapsed;
  gboolean is_short;
  gboolean has_nothing; /* without a search */
  gboolean vacant;
  gboolean wants_tab; /* Saved was opened, and no tab with something was found yet */
  int n_ticked;

  /* Borrowed */
  gconstpointer fetching; /* (nullable): podcast shown as being fetched; only compared */
};

G_DEFINE_FINAL_TYPE (EarEpisodesPage, ear_episodes_page, ADW_TYPE_NAVIGATION_PAGE)

static EarPodcast *
get_podcast (EarEpisodesPage *self)
{
  return ear_sidebar_item_get_podcast (self->collection);
}

/* Returns: (nullable) */
static EarFolder *
get_folder (EarEpisodesPage *self)
{
  return ear_sidebar_item_get_folder (self->collection);
}

/* Returns: (nullable): the chosen episode */
EarEpisode *
ear_episodes_page_get_episode (EarEpisodesPage *self)
{
  return self->view != NULL ? ear_episode_view_get_episode (self->view) : NULL;
}

/* Each podcast, and each folder, keeps its own filter and order. */
static const char *
get_filter (EarEpisodesPage *self)
{
  if (get_podcast (self) != NULL)
    return ear_podcast_get_filter (get_podcast (self));

  return get_folder (self) != NULL ? ear_folder_get_filter (get_folder (self)) : "all";
}

static const char *
get_sort (EarEpisodesPage *self)
{
  if (get_podcast (self) != NULL)
    return ear_podcast_get_sort (get_podcast (self));

  return get_folder (self) != NULL ? ear_folder_get_sort (get_folder (self)) : "newest";
}

/* --- Saved -------------------------------------------------------------------------- */

/* Returns: whether a tab of Saved is chosen */
static gboolean
has_chosen (EarEpisodesPage *self, const char *tab)
{
  return gtk_widget_get_visible (GTK_WIDGET (self->saved_tabs)) &&
         g_strcmp0 (adw_toggle_group_get_active_name (self->saved_tabs), tab) == 0;
}

/* Returns: whether bookmarks or links are listed. A search everywhere lists episodes. */
static gboolean
shows_others (EarEpisodesPage *self)
{
  return (has_chosen (self, "bookmarks") || has_chosen (self, "links")) &&
         (self->search == NULL || !self->everywhere);
}

/* Beside bookmarks and links, the episode of the first one is shown. */
static void
choose_first (EarEpisodesPage *self)
{
  GtkWidget *view = gtk_stack_get_child_by_name (
      self->states, adw_toggle_group_get_active_name (self->saved_tabs));
  g_autofree char *key = NULL;

  if (view == NULL || self->collapsed || !shows_others (self) ||
      ear_episodes_page_get_episode (self) != NULL)
    return;
  g_object_get (view, "first-episode", &key, NULL);
  if (key != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
}

/* Saved opens on the tab that was shown last, or on the first one that has something. After
 * the start, bookmarks and links come later than the window. */
static void
choose_tab (EarEpisodesPage *self)
{
  guint tab = adw_toggle_group_get_active (self->saved_tabs);
  guint n_items[3];

  if (!self->wants_tab || self->library == NULL)
    return;
  g_object_get (ear_library_get_catalogue (self->library), "has-liked", &n_items[0], NULL);
  g_object_get (ear_library_get_bookmarks (self->library), "n-bookmarks", &n_items[1], NULL);
  g_object_get (ear_library_get_reading_list (self->library), "n-starred", &n_items[2], NULL);
  for (guint i = 0; i < G_N_ELEMENTS (n_items) && n_items[tab] == 0; i++)
    if (n_items[i] > 0)
      tab = i;
  self->wants_tab = n_items[tab] == 0;
  adw_toggle_group_set_active (self->saved_tabs, tab);
}

/* Shows bookmarks or links, whose widgets are made when they are first shown. */
static void
show_others (EarEpisodesPage *self)
{
  EarBookmarks *bookmarks = ear_library_get_bookmarks (self->library);
  const char *name = adw_toggle_group_get_active_name (self->saved_tabs);
  const gboolean links = g_str_equal (name, "links");
  GtkWidget *view = gtk_stack_get_child_by_name (self->states, name);

  if (view == NULL)
    {
      view = links ? ear_links_view_new (self->library) : ear_bookmarks_view_new (bookmarks);
      gtk_stack_add_named (self->states, view, name);
      ear_connect (view, "notify::first-episode", choose_first, self);
    }
  g_object_set (view, "search", self->search, NULL);
  gtk_stack_set_visible_child (self->states, view);
  if (links || self->search == NULL)
    self->has_nothing =
        !links && g_list_model_get_n_items (ear_bookmarks_get_list (bookmarks)) == 0;
}

/* --- State -------------------------------------------------------------------------- */

static void
show_status (EarEpisodesPage *self, const EarPageFacts *facts)
{
  const EarPageText text = ear_page_text_find (facts);
  g_autofree char *body = text.body != NULL ? g_markup_escape_text (text.body, -1) : NULL;

  adw_status_page_set_icon_name (self->status, text.icon_name);
  adw_status_page_set_title (self->status, text.title);
  adw_status_page_set_description (self->status, body);
  gtk_widget_set_visible (GTK_WIDGET (self->status_button), text.button != NULL);
  if (text.button != NULL)
    gtk_button_set_label (self->status_button, text.button);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->status_button), text.action);
  gtk_widget_set_visible (self->status_address, text.blames_address);
}

/* Shows the error of the last check above the rows. */
static void
update_banner (EarEpisodesPage *self, EarPodcast *podcast)
{
  const gboolean revealed = podcast != NULL && ear_podcast_get_error (podcast) != NULL &&
                            ear_podcast_get_n_episodes (podcast) > 0 &&
                            !ear_podcast_get_refreshing (podcast);

  if (revealed)
    {
      const EarPageText text = ear_page_text_of_error (podcast);

      gtk_label_set_label (self->banner_title, text.title);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->banner), text.body);
      gtk_button_set_label (self->banner_button, text.button);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->banner_button), text.action);
      gtk_widget_set_visible (self->banner_address, text.blames_address);
    }
  gtk_revealer_set_reveal_child (self->banner, revealed);
}

static void
update_vacant (EarEpisodesPage *self)
{
  ear_property_set_boolean (self, "vacant",
                            self->has_nothing && ear_episodes_page_get_episode (self) == NULL &&
                                !gtk_search_bar_get_search_mode (self->search_bar));
}

static void
update_state (EarEpisodesPage *self)
{
  static const char *const names[] = { "content", "loading", "fetching", "status" };
  EarPodcast *podcast = get_podcast (self);
  EarList *list = ear_sidebar_item_get_list (self->collection);
  EarPageFacts facts;
  EarPageState state;
  gboolean refreshing;

  if (self->library == NULL || self->collection == NULL)
    return;

  facts = (EarPageFacts) {
    .kind = ear_sidebar_item_get_kind (self->collection),
    .smart = list != NULL && ear_list_is_smart (list),
    .loading = self->list == NULL || ear_episode_list_get_loading (self->list),
    .asking = self->list != NULL && ear_episode_list_get_asking (self->list),
    .fetching = podcast != NULL && self->fetching == podcast,
    .n_items = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0,
    .podcast = podcast,
    .online = g_network_monitor_get_network_available (g_network_monitor_get_default ()),
    .filter = ear_episode_filter_from_name (get_filter (self)),
    .search = self->search,
    .trouble = self->trouble,
    .everywhere = self->everywhere,
  };
  state = ear_page_state_find (&facts);
  self->fetching = state == EAR_PAGE_FETCHING ? podcast : NULL;
  if (state == EAR_PAGE_STATUS)
    show_status (self, &facts);
  gtk_widget_set_visible (self->fetching_page, state == EAR_PAGE_FETCHING);
  gtk_widget_set_visible (GTK_WIDGET (self->status), state == EAR_PAGE_STATUS);

  /* While the next list is read, this stays as it was, so that no pane comes and goes. */
  if (state == EAR_PAGE_CONTENT)
    self->has_nothing = FALSE;
  else if (state == EAR_PAGE_STATUS && self->search == NULL)
    self->has_nothing = podcast == NULL || ear_podcast_get_n_episodes (podcast) == 0;

  if (!shows_others (self))
    gtk_stack_set_visible_child_name (self->states, names[state]);
  else
    show_others (self);
  update_vacant (self);
  update_banner (self, podcast);
  gtk_widget_set_visible (self->arrangement,
                          podcast == NULL || ear_podcast_get_n_episodes (podcast) > 0);
  refreshing = podcast != NULL
                   ? ear_podcast_get_refreshing (podcast)
                   : ear_refresher_get_refreshing (ear_library_get_refresher (self->library));
  if (ear_property_set_boolean (self, "refreshing", refreshing))
    gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, refreshing, -1);
}

static void
update_menu (EarEpisodesPage *self)
{
  const gboolean is_saved = gtk_widget_get_visible (GTK_WIDGET (self->saved_tabs));

  /* The menu of Saved exports bookmarks. */
  gtk_widget_set_visible (GTK_WIDGET (self->menu_button),
                          self->collection != NULL &&
                              ear_sidebar_item_has_menu (self->collection) &&
                              (!is_saved || has_chosen (self, "bookmarks")));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->menu_button),
                               get_podcast (self) != NULL ? _("Podcast Menu") : _("Menu"));
}

static void
tab_chosen_cb (EarEpisodesPage *self)
{
  self->wants_tab = FALSE;
  if (self->collection == NULL)
    return;

  update_menu (self);
  update_state (self);
  choose_first (self);
}

static void
make_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (user_data);
  g_autoptr (GMenuModel) menu =
      self->collection != NULL ? ear_sidebar_item_create_menu (self->collection) : NULL;

  gtk_menu_button_set_menu_model (button, menu);
}

/* --- Podcasts that a search finds --------------------------------------------------- */

static GtkWidget *
create_podcast_row (gpointer podcast, gpointer user_data)
{
  const EarPodcastFacts *facts = ear_podcast_get_facts (podcast);
  GtkWidget *row = g_object_new (
      ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", ear_podcast_get_name (podcast),
      "title-lines", 1, "subtitle", facts->author != NULL ? facts->author : "", "subtitle-lines", 1,
      "activatable", TRUE, "action-name", "win.select-podcast", "action-target",
      g_variant_new_string (ear_podcast_get_address (podcast)), NULL);

  adw_action_row_add_prefix (
      ADW_ACTION_ROW (row),
      g_object_new (EAR_TYPE_COVER, "size", FOUND_COVER_SIZE, "valign", GTK_ALIGN_CENTER,
                    "address", facts->image, "title", ear_podcast_get_name (podcast), NULL));

  return row;
}

/* Shows the podcasts found by a search everywhere, in the same frame as its episodes: each change
 * of rows costs a layout. */
static void
update_found_podcasts (EarEpisodesPage *self)
{
  g_autoptr (GPtrArray) found = ear_podcast_search (ear_library_get_podcasts (self->library),
                                                    self->found_words, FOUND_PODCASTS_LIMIT);

  ear_list_store_update (self->found, found);
}

/* The down arrow moves from the last podcast to the episodes. */
static gboolean
found_podcasts_left_cb (EarEpisodesPage *self, GtkDirectionType direction)
{
  return direction == GTK_DIR_DOWN && ear_episode_view_focus_first (self->view);
}

/* --- Lists -------------------------------------------------------------------------- */

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

  if (ear_episode_list_get_loading (list) && self->list != NULL)
    return;
  drop_next_list (self);
  g_set_object (&self->list, list);
  g_signal_group_set_target (self->list_signals, list);
  ear_episode_view_set_list (self->view, list);
  update_found_podcasts (self);
  update_state (self);
  choose_first (self);
  g_object_notify (G_OBJECT (self), "list");
}

/* Returns: (transfer full): a query of the words of a search and the
 * filters among them */
static EarEpisodeQuery *
create_search_query (EarEpisodesPage *self)
{
  g_autoptr (EarSearchFilter) search =
      ear_search_filter_parse (self->search, ear_library_get_podcasts (self->library),
                               ear_lists_get_all (ear_library_get_lists (self->library)));
  EarPodcast *podcast = get_podcast (self);
  EarEpisodeQuery *query;

  self->trouble = ear_search_text_trouble (search);
  self->found_words = self->everywhere ? g_strdup (search->words) : NULL;
  if (search->list != NULL)
    query = ear_list_create_query (EAR_LIST (search->list), EAR_SORT_RANKED, search->words);
  else if (self->everywhere)
    query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_RANKED, search->words);
  else
    query = ear_sidebar_item_create_query (self->collection,
                                           ear_episode_filter_from_name (get_filter (self)),
                                           EAR_SORT_RANKED, search->words);
  if (search->list != NULL && podcast != NULL && !self->everywhere)
    query->podcast = ear_podcast_get_id (podcast);
  ear_episode_query_narrow (query, &search->terms);

  return query;
}

static EarEpisodeQuery *
create_query (EarEpisodesPage *self)
{
  EarEpisodeQuery *query;

  g_clear_pointer (&self->trouble, g_free);
  g_clear_pointer (&self->found_words, g_free);
  if (self->search != NULL)
    query = create_search_query (self);
  else
    query = ear_sidebar_item_create_query (self->collection,
                                           ear_episode_filter_from_name (get_filter (self)),
                                           ear_episode_sort_from_name (get_sort (self)), NULL);
  /* After a search, the list is scrolled to the chosen episode. */
  query->n_first = self->search == NULL && self->list != NULL &&
                           ear_episode_list_get_query (self->list)->search != NULL
                       ? G_MAXINT
                       : ear_rows_in_sight (GTK_WIDGET (self), ROW_HEIGHT);

  return query;
}

/* @list: (nullable) */
static gboolean
has_query (EarEpisodeList *list, const EarEpisodeQuery *query)
{
  return list != NULL && ear_episode_query_equal (ear_episode_list_get_query (list), query);
}

static void
update_query (EarEpisodesPage *self)
{
  g_autoptr (EarEpisodeQuery) query = NULL;

  if (self->library == NULL || self->collection == NULL)
    {
      drop_next_list (self);
      return;
    }

  query = create_query (self);
  /* The filter and the order may change together. */
  if (!has_query (self->next_list, query))
    drop_next_list (self);
  /* A space behind the last word, or the beginning of a filter */
  if (self->next_list != NULL || (self->search != NULL && has_query (self->list, query)))
    {
      if (self->next_list == NULL)
        update_found_podcasts (self);
      update_state (self);
      return;
    }
  if (self->list != NULL)
    ear_episode_list_postpone (self->list);
  self->next_list =
      ear_episode_list_new_with_query (ear_library_get_catalogue (self->library), query);
  g_signal_connect_swapped (self->next_list, "notify::loading", G_CALLBACK (show_next_list), self);
  show_next_list (self);
}

/* --- Searching ---------------------------------------------------------------------- */

static void
search_changed_cb (EarEpisodesPage *self)
{
  /* A space at the end ends the word before. */
  g_autofree char *words = g_strchug (g_strdup (gtk_editable_get_text (self->search_entry)));

  if (!g_set_str (&self->search, *words != '\0' ? words : NULL))
    return;

  update_query (self);
  if (shows_others (self))
    update_state (self);
  g_object_notify (G_OBJECT (self), "search");
}

/* The entry emits search-changed, for words in the next turn of the main loop. */
static void
set_search (EarEpisodesPage *self, const char *search)
{
  const char *text = search != NULL ? search : "";

  if (g_str_equal (gtk_editable_get_text (self->search_entry), text))
    return;
  gtk_editable_set_text (self->search_entry, text);
  /* Typing continues behind the text. */
  gtk_editable_set_position (self->search_entry, -1);
}

static void
everywhere_changed_cb (EarEpisodesPage *self)
{
  if (self->search != NULL)
    update_query (self);
}

/* Returns: whether there was a result to focus */
static gboolean
focus_first_result (EarEpisodesPage *self)
{
  GtkListBoxRow *podcast;

  /* Podcasts come with the episodes, and those for the last key may not be there yet. */
  update_found_podcasts (self);
  podcast = gtk_list_box_get_row_at_index (self->found_list, 0);

  return (podcast != NULL && gtk_widget_grab_focus (GTK_WIDGET (podcast))) ||
         ear_episode_view_focus_first (self->view);
}

static void
search_activated_cb (EarEpisodesPage *self)
{
  if (!ear_search_popover_take_chosen (self->search_popover))
    focus_first_result (self);
}

/* The down arrow moves to the results; Tab moves to the search scope. */
static gboolean
search_key_cb (EarEpisodesPage *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (ear_search_popover_take_key (self->search_popover, keyval, state))
    return GDK_EVENT_STOP;

  return (keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down) &&
         (state & gtk_accelerator_get_default_mod_mask ()) == 0 && focus_first_result (self);
}

/* Escape ends the search, also from a row of its results. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (widget);

  if (!gtk_search_bar_get_search_mode (self->search_bar))
    return GDK_EVENT_PROPAGATE;
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);

  return GDK_EVENT_STOP;
}

/* Each search begins in the current list. The first one makes the bar visible, which a
 * start need not style. */
static void
search_mode_cb (EarEpisodesPage *self)
{
  /* Before the entry gets the focus: panes that appear take it. */
  update_vacant (self);
  if (!gtk_search_bar_get_search_mode (self->search_bar))
    ear_property_set_boolean (self, "everywhere", FALSE);
  else if (!gtk_widget_get_visible (self->search_box))
    {
      gtk_widget_set_visible (self->search_box, TRUE);
      gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
    }
}

/* --- Filter and order --------------------------------------------------------------- */

static void
update_filter_button (EarEpisodesPage *self)
{
  g_autofree char *label = ear_menu_dup_label (self->filter_menu, get_filter (self));
  g_autofree char *spoken = ear_format_speak (_("Filter"), label);

  gtk_menu_button_set_label (self->filter_button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

/* Shows the query that the filter, the order, or the rule of a list makes. */
static void
arrange (EarEpisodesPage *self)
{
  update_filter_button (self);
  g_object_notify (G_OBJECT (self), "filter");
  g_object_notify (G_OBJECT (self), "sort");
  update_query (self);
}

/* The filter and the order may also come from another machine or a backup. */
static void
subject_notify_cb (EarEpisodesPage *self, GParamSpec *pspec)
{
  EarList *list = ear_sidebar_item_get_list (self->collection);

  if (g_str_equal (pspec->name, "filter") || g_str_equal (pspec->name, "sort") ||
      /* Ordinary lists update themselves. */
      (g_str_equal (pspec->name, "rule") && ear_list_is_smart (list)))
    arrange (self);
  else
    update_state (self);
}

static void
store_arrangement (EarEpisodesPage *self, const char *filter, const char *sort)
{
  if (get_podcast (self) != NULL)
    ear_subscriptions_set_arrangement (ear_library_get_subscriptions (self->library),
                                       get_podcast (self), filter, sort);
  else if (get_folder (self) != NULL)
    ear_folder_arrange (get_folder (self), filter, sort);
}

static void
set_filter (EarEpisodesPage *self, const char *filter)
{
  store_arrangement (self, filter, get_sort (self));
}

static void
set_sort (EarEpisodesPage *self, const char *sort)
{
  store_arrangement (self, get_filter (self), sort);
}

static void
show_all (EarEpisodesPage *self)
{
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  g_object_set (self, "filter", "all", NULL);
}

/* --- Class -------------------------------------------------------------------------- */

static void
activated_cb (EarEpisodesPage *self)
{
  g_signal_emit_by_name (self, "activated");
}

static void
episode_chosen_cb (EarEpisodesPage *self)
{
  update_vacant (self);
  g_object_notify (G_OBJECT (self), "episode");
}

static void
collection_changed_cb (EarEpisodesPage *self)
{
  EarSidebarItem *item = self->collection;

  g_signal_group_set_target (self->subject_signals,
                             item != NULL ? ear_sidebar_item_get_subject (item) : NULL);
  g_signal_group_set_target (self->folder_signals, get_folder (self));
  gtk_widget_set_visible (GTK_WIDGET (self->saved_tabs),
                          item != NULL &&
                              ear_sidebar_item_get_kind (item) == EAR_SIDEBAR_ITEM_SAVED);
  g_clear_pointer (&self->search, g_free);
  self->wants_tab = gtk_widget_get_visible (GTK_WIDGET (self->saved_tabs));
  choose_tab (self);
  update_menu (self);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);

  if (item == NULL)
    ear_episode_view_set_episode (self->view, NULL);
  else
    ear_episode_view_choose_anew (self->view);
  arrange (self);
  g_object_notify (G_OBJECT (self), "podcast");
}

static void
library_changed_cb (EarEpisodesPage *self)
{
  ear_connect (ear_library_get_refresher (self->library), "notify::refreshing", update_state, self);
  ear_connect (ear_library_get_bookmarks (self->library), "notify::n-bookmarks", choose_tab, self);
  ear_connect (ear_library_get_reading_list (self->library), "notify::n-starred", choose_tab, self);
  choose_tab (self);
  update_query (self);
}

static void
ear_episodes_page_dispose (GObject *object)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (object);

  drop_next_list (self);
  g_clear_object (&self->subject_signals);
  g_clear_object (&self->folder_signals);
  g_clear_object (&self->list_signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODES_PAGE);
  ear_properties_clear (self);
  g_clear_pointer (&self->trouble, g_free);
  g_clear_pointer (&self->found_words, g_free);

  G_OBJECT_CLASS (ear_episodes_page_parent_class)->dispose (object);
}

static void
ear_episodes_page_class_init (EarEpisodesPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* The row of the sidebar whose episodes are listed */
    { "collection", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodesPage, collection),
      .changed = G_CALLBACK (collection_changed_cb) },
    /* %NULL for a view of several podcasts */
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READABLE, .get = G_CALLBACK (get_podcast) },
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodesPage, list) },
    /* The chosen episode, in the list or elsewhere */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE,
      .get = G_CALLBACK (ear_episodes_page_get_episode),
      .set = G_CALLBACK (ear_episodes_page_set_episode) },
    /* `all`, `unplayed`, `in-progress`, `downloaded` or `liked` */
    { .spec = g_param_spec_string ("filter", NULL, NULL, "all", flags),
      .get = G_CALLBACK (get_filter), .set = G_CALLBACK (set_filter) },
    /* `newest`, `oldest`, `title` or `longest` */
    { .spec = g_param_spec_string ("sort", NULL, NULL, "newest", flags),
      .get = G_CALLBACK (get_sort), .set = G_CALLBACK (set_sort) },
    /* The words of the search, if any */
    { "search", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, search),
      .set = G_CALLBACK (set_search) },
    /* Whether the search is in all podcasts */
    { "everywhere", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodesPage, everywhere),
      .changed = G_CALLBACK (everywhere_changed_cb) },
    /* Whether the listed podcasts are being checked */
    { "refreshing", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarEpisodesPage, refreshing) },
    /* Whether the page of the episode is not beside this one */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodesPage, collapsed) },
    /* Whether the window is too low for the head: the header bar has the title then */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, is_short) },
    /* Whether there is nothing to list and no episode to show beside this page */
    { "vacant", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodesPage, vacant) },
    /* See EarEpisodeView:n-ticked */
    { .spec = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodesPage, n_ticked) },
  };

  object_class->dispose = ear_episodes_page_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* A row was activated. A narrow window shows the page of the episode then. */
  ear_signal_new (klass, "activated", 0);

  ear_action_install (widget_class, "list.show-all", NULL, show_all);
  gtk_widget_class_install_property_action (widget_class, "list.search-everywhere", "everywhere");
  gtk_widget_class_install_property_action (widget_class, "list.sort", "sort");
  gtk_widget_class_install_property_action (widget_class, "list.filter", "filter");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);

  g_type_ensure (EAR_TYPE_DOWNLOADER);
  g_type_ensure (EAR_TYPE_EPISODE_VIEW);
  g_type_ensure (EAR_TYPE_PODCAST_HEAD);
  g_type_ensure (EAR_TYPE_SEARCH_POPOVER);
  ear_widget_set_template (widget_class, "ear-episodes-page");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_bar);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_box);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, search_popover);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, scope);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, arrangement);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filter_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, filter_menu);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, sort_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, sort_menu);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner_title);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner_address);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, banner_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, saved_tabs);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, states);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, fetching_page);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, status_address);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, found_list);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, found);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, tab_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_key_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_mode_cb);
  gtk_widget_class_bind_template_callback (widget_class, found_podcasts_left_cb);
  gtk_widget_class_bind_template_callback (widget_class, ear_search_popover_update);
  gtk_widget_class_bind_template_callback (widget_class, gtk_popover_popdown);
}

static void
ear_episodes_page_init (EarEpisodesPage *self)
{
  self->n_ticked = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->menu_button, make_menu_cb, self, NULL);
  ear_menu_later_set (self->sort_button, self->sort_menu);
  ear_menu_later_set (self->filter_button, self->filter_menu);
  update_filter_button (self);
  gtk_list_box_bind_model (self->found_list, G_LIST_MODEL (self->found), create_podcast_row, NULL,
                           NULL);
  /* After a click on a scope, typing continues in the entry. */
  for (GtkWidget *child = gtk_widget_get_first_child (self->scope); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_focus_on_click (child, FALSE);
  /* The entry is no direct child of the bar, which needs it for focus and Escape. */
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
  ear_connect (g_network_monitor_get_default (), "network-changed", update_state, self);
  self->subject_signals = g_signal_group_new (G_TYPE_OBJECT);
  g_signal_group_connect_swapped (self->subject_signals, "notify", G_CALLBACK (subject_notify_cb),
                                  self);
  self->folder_signals = g_signal_group_new (EAR_TYPE_FOLDER);
  g_signal_group_connect_swapped (self->folder_signals, "changed", G_CALLBACK (update_query), self);
  self->list_signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_swapped (self->list_signals, "notify", G_CALLBACK (update_state), self);
}

/* Chooses an episode, and selects its row if it is listed. */
void
ear_episodes_page_set_episode (EarEpisodesPage *self, EarEpisode *episode)
{
  ear_episode_view_set_episode (self->view, episode);
}

EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, EarEpisodeList *, list)
EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, const char *, search)
EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, const char *, trouble)
EAR_DEFINE_GET (EarEpisodesPage, ear_episodes_page, gboolean, vacant)

/* Returns: whether an episode can be shown beside the list. Bookmarks and links belong to
 * episodes of all podcasts. */
gboolean
ear_episodes_page_lists (EarEpisodesPage *self, EarEpisode *episode)
{
  return shows_others (self) ||
         (self->list != NULL &&
          ear_episode_list_find (self->list, ear_episode_get_id (episode), NULL));
}

/* Shows the search entry and gives it the focus. Its text is selected, so that
 * typing replaces it.
 * @everywhere: whether to search all podcasts */
void
ear_episodes_page_begin_search (EarEpisodesPage *self, gboolean everywhere)
{
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  ear_property_set_boolean (self, "everywhere", everywhere);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (self->search_entry, 0, -1);
}

/* Puts the focus on the chosen row, or on the button of a page without rows. */
gboolean
ear_episodes_page_enter (EarEpisodesPage *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->states), "content") == 0)
    return gtk_widget_grab_focus (GTK_WIDGET (self->view));

  return gtk_widget_child_focus (GTK_WIDGET (self->states), GTK_DIR_TAB_FORWARD);
}

/* Applies a key of the shown episode to the selected episodes, if there are several.
 * @name: name of an action of an episode
 * Returns: whether several episodes are selected, and the action was activated for them */
gboolean
ear_episodes_page_toggle_selected (EarEpisodesPage *self, const char *name)
{
  g_autofree char *action = g_strconcat ("list.", name, NULL);

  /* In a narrow window the list may be on another page. */
  return self->n_ticked >= 0 && gtk_widget_get_mapped (GTK_WIDGET (self->view)) &&
         gtk_widget_activate_action (GTK_WIDGET (self->view), action, NULL);
}
