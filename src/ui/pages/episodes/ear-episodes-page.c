/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page.h"

#include <glib/gi18n.h>

#include "ear-bookmarks-view.h"
#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-downloader.h"
#include "ear-episode-view.h"
#include "ear-error-text.h"
#include "ear-error.h"
#include "ear-fit-layout.h"
#include "ear-links-view.h"
#include "ear-page-state.h"
#include "ear-podcast-head.h"
#include "ear-podcast-search.h"
#include "ear-property.h"
#include "ear-rows-in-sight.h"
#include "ear-search-filter.h"
#include "ear-search-popover.h"
#include "ear-search-text.h"
#include "ear-widget.h"

/* Height of a row with a title of one line */
#define ROW_HEIGHT 54

/* Height of a podcast's cover and filters above its rows */
#define HEAD_HEIGHT 120

/* Most podcasts that a search shows above the episodes, and the size of their covers */
#define FOUND_PODCASTS_LIMIT 20
#define FOUND_COVER_SIZE 32

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
  GtkWidget *search_box;
  GtkSearchEntry *search_entry;
  EarSearchPopover *search_popover;
  AdwToggleGroup *filters;
  GtkMenuButton *filter_button; /* where they have no room */
  GMenuModel *filter_menu;
  AdwToggleGroup *scopes;
  GtkMenuButton *menu_button;
  GtkMenuButton *sort_button;
  GMenuModel *sort_menu;
  GtkRevealer *banner;
  GtkLabel *banner_title;
  GtkWidget *banner_address;
  GtkButton *banner_button;
  GtkBox *listing;
  GtkStack *states;
  GtkWidget *fetching_page;
  AdwStatusPage *status;
  GtkButton *status_button;
  GtkListBox *found_podcasts;
  GtkWidget *found_podcasts_box;
  GtkWidget *status_address;

  /* Owned */
  EarLibrary *library;
  EarSidebarItem *collection;
  GSignalGroup *refresher_signals;
  GSignalGroup *podcast_signals;
  GSignalGroup *list_signals;
  GSignalGroup *rule_signals; /* of a smart list */
  GSignalGroup *folder_signals;
  gboolean filterable;
  EarEpisodeList *list;
  EarEpisodeList *next_list;   /* waits for its first rows */
  EarEpisodeList *browse_list; /* shown again when the search ends */
  char *filter;
  char *sort;
  char *search;
  char *trouble; /* (nullable): why it may find nothing */
  gboolean everywhere;
  gboolean refreshing;
  gboolean collapsed;
  gboolean is_short;
  gboolean has_nothing; /* of its own, whatever is searched for */
  gboolean vacant;

  /* Borrowed */
  AdwToggleGroup *saved_tabs; /* (nullable): of the view Saved */
  GtkWidget *bookmarks;       /* (nullable): the page of it that has them */
  GtkWidget *links;           /* (nullable): the page of it that has these */
  gconstpointer
      fetching; /* (nullable): the podcast that is shown as being fetched; only compared */
};

G_DEFINE_FINAL_TYPE (EarEpisodesPage, ear_episodes_page, ADW_TYPE_NAVIGATION_PAGE)

/* --- Saved ------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  const char *label;
} saved_tabs[] = {
  { "liked", N_("Episodes") },
  { "bookmarks", N_("Bookmarks") },
  /* Translators: what episodes link to */
  { "links", N_("Links") },
};

static EarPodcast *
get_podcast (EarEpisodesPage *self)
{
  return self->collection != NULL ? ear_sidebar_item_get_podcast (self->collection) : NULL;
}

/* (nullable) */
static EarFolder *
get_folder (EarEpisodesPage *self)
{
  return self->collection != NULL ? ear_sidebar_item_get_folder (self->collection) : NULL;
}

static gboolean
has_chosen (EarEpisodesPage *self, const char *tab)
{
  return self->saved_tabs != NULL && gtk_widget_get_visible (GTK_WIDGET (self->saved_tabs)) &&
         g_strcmp0 (adw_toggle_group_get_active_name (self->saved_tabs), tab) == 0;
}

/* Whether bookmarks or links are listed. A search everywhere lists episodes. */
static gboolean
shows_others (EarEpisodesPage *self)
{
  return (has_chosen (self, "bookmarks") || has_chosen (self, "links")) &&
         (self->search == NULL || !self->everywhere);
}

/* Returns: (transfer full) (nullable): the key of the episode that what is listed first is of */
static char *
dup_first_key (EarEpisodesPage *self)
{
  g_autoptr (EarBookmark) bookmark = NULL;
  char *key = NULL;

  if (has_chosen (self, "links") && self->links != NULL)
    {
      g_object_get (self->links, "first-episode", &key, NULL);
      return key;
    }
  if (!has_chosen (self, "bookmarks"))
    return NULL;
  bookmark =
      g_list_model_get_item (ear_bookmarks_get_list (ear_library_get_bookmarks (self->library)), 0);

  return bookmark != NULL ? ear_bookmark_dup_key (bookmark) : NULL;
}

/* Beside the bookmarks, or the links, there is an episode to be seen, that of the first one. */
static void
choose_first (EarEpisodesPage *self)
{
  g_autofree char *key = shows_others (self) ? dup_first_key (self) : NULL;

  if (key != NULL && !self->collapsed && ear_episodes_page_get_episode (self) == NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
}

static void
show_bookmarks (EarEpisodesPage *self)
{
  EarBookmarks *bookmarks = ear_library_get_bookmarks (self->library);

  if (self->bookmarks == NULL)
    {
      self->bookmarks = ear_bookmarks_view_new (bookmarks);
      gtk_stack_add_named (self->states, self->bookmarks, "bookmarks");
    }
  ear_bookmarks_view_set_search (EAR_BOOKMARKS_VIEW (self->bookmarks), self->search);
  gtk_stack_set_visible_child_name (self->states, "bookmarks");
  if (self->search == NULL)
    self->has_nothing = g_list_model_get_n_items (ear_bookmarks_get_list (bookmarks)) == 0;
}

static void
show_links (EarEpisodesPage *self)
{
  if (self->links == NULL)
    {
      self->links = ear_links_view_new (self->library);
      gtk_stack_add_named (self->states, self->links, "links");
      g_signal_connect_object (self->links, "notify::first-episode", G_CALLBACK (choose_first),
                               self, G_CONNECT_SWAPPED);
    }
  ear_links_view_set_search (EAR_LINKS_VIEW (self->links), self->search);
  gtk_stack_set_visible_child_name (self->states, "links");
  self->has_nothing = FALSE;
}

/* Shows the bookmarks, or the links, those that are looked for. */
static void
show_others (EarEpisodesPage *self)
{
  if (has_chosen (self, "bookmarks"))
    show_bookmarks (self);
  else
    show_links (self);
}

/* --- State ------------------------------------------------------------------------------- */

static void
set_refreshing (EarEpisodesPage *self, gboolean refreshing)
{
  if (ear_property_set_boolean (self, "refreshing", refreshing))
    gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, refreshing, -1);
}

static void
show_status (EarEpisodesPage *self, const EarPageFacts *facts)
{
  g_auto (EarPageText) text = { 0 };
  g_autofree char *body = NULL;

  ear_page_text_init (&text, facts);
  body = text.body != NULL ? g_markup_escape_text (text.body, -1) : NULL;
  adw_status_page_set_icon_name (self->status, text.icon_name);
  adw_status_page_set_title (self->status, text.title);
  adw_status_page_set_description (self->status, body);
  gtk_widget_set_visible (GTK_WIDGET (self->status_button), text.button != NULL);
  if (text.button != NULL)
    gtk_button_set_label (self->status_button, text.button);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->status_button), text.action);
  gtk_widget_set_visible (self->status_address, text.blames_address);
}

/* Above rows that are there, whatever the last check said. */
static void
update_banner (EarEpisodesPage *self, EarPodcast *podcast)
{
  const GError *error = podcast != NULL ? ear_podcast_get_error (podcast) : NULL;
  const gboolean revealed = error != NULL && ear_podcast_get_n_episodes (podcast) > 0 &&
                            !ear_podcast_get_refreshing (podcast);
  const gboolean needs_password = podcast != NULL && ear_podcast_get_needs_password (podcast);
  const gboolean other = g_error_matches (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST);
  g_autofree char *title = ear_error_text_title (error, EAR_ERROR_ABOUT_FEED);
  g_autofree char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);

  if (revealed)
    {
      gtk_label_set_label (self->banner_title, title);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->banner), body);
      gtk_button_set_label (self->banner_button, needs_password ? _("_Sign In…")
                                                 : other        ? _("Re_view…")
                                                                : _("_Retry"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->banner_button),
                                      needs_password ? "win.sign-in"
                                      : other        ? "win.review-feed"
                                                     : "win.refresh");
      gtk_widget_set_visible (self->banner_address, ear_error_blames_address (error));
    }
  gtk_revealer_set_reveal_child (self->banner, revealed);
}

/* To be called when another episode is chosen, a search begins or ends, or there is something else
 * to list. */
static void
update_vacant (EarEpisodesPage *self)
{
  ear_property_set_boolean (self, "vacant",
                            self->has_nothing && ear_episodes_page_get_episode (self) == NULL &&
                              !gtk_search_bar_get_search_mode (self->search_bar));
}

/* While it is not known it stays as it was: nothing comes and goes while the next list is read. */
static void
update_has_nothing (EarEpisodesPage *self, EarPageState state, const EarPageFacts *facts)
{
  if (state == EAR_PAGE_CONTENT)
    self->has_nothing = FALSE;
  else if (state == EAR_PAGE_STATUS && facts->search == NULL)
    self->has_nothing = facts->podcast == NULL || ear_podcast_get_n_episodes (facts->podcast) == 0;
}

static void
update_state (EarEpisodesPage *self)
{
  static const char *const names[] = { "content", "loading", "fetching", "status" };
  EarPodcast *podcast = get_podcast (self);
  EarPageFacts facts = { 0 };
  EarPageState state;

  if (self->library == NULL || self->collection == NULL)
    return;

  facts.kind = ear_sidebar_item_get_kind (self->collection);
  facts.smart = facts.kind == EAR_SIDEBAR_ITEM_LIST &&
                ear_list_is_smart (ear_sidebar_item_get_list (self->collection));
  facts.loading = self->list == NULL || ear_episode_list_get_loading (self->list);
  facts.asking = self->list != NULL && ear_episode_list_get_asking (self->list);
  facts.fetching = podcast != NULL && self->fetching == podcast;
  facts.n_items = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
  facts.podcast = podcast;
  facts.online = g_network_monitor_get_network_available (g_network_monitor_get_default ());
  facts.filter = ear_episode_filter_from_name (self->filter);
  facts.search = self->search;
  facts.trouble = self->trouble;
  facts.everywhere = self->everywhere;
  state = ear_page_state_find (&facts);
  self->fetching = state == EAR_PAGE_FETCHING ? podcast : NULL;
  if (state == EAR_PAGE_STATUS)
    show_status (self, &facts);
  gtk_widget_set_visible (self->fetching_page, state == EAR_PAGE_FETCHING);
  gtk_widget_set_visible (GTK_WIDGET (self->status), state == EAR_PAGE_STATUS);
  update_has_nothing (self, state, &facts);
  if (shows_others (self))
    show_others (self);
  else
    gtk_stack_set_visible_child_name (self->states, names[state]);
  update_vacant (self);
  ear_property_set_boolean (self, "filterable",
                            podcast != NULL ? ear_podcast_get_n_episodes (podcast) > 0
                                            : facts.kind == EAR_SIDEBAR_ITEM_FOLDER);
  update_banner (self, podcast);
  set_refreshing (self, podcast != NULL ? ear_podcast_get_refreshing (podcast)
                                        : ear_refresher_get_refreshing (
                                              ear_library_get_refresher (self->library)));
}

static void
update_menu (EarEpisodesPage *self)
{
  /* The menu of Saved exports bookmarks. */
  const gboolean is_saved = self->collection != NULL &&
                            ear_sidebar_item_get_kind (self->collection) == EAR_SIDEBAR_ITEM_SAVED;

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
  update_menu (self);
  update_state (self);
  choose_first (self);
}

static void
make_tabs (EarEpisodesPage *self)
{
  GtkWidget *group = adw_toggle_group_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (saved_tabs); i++)
    {
      AdwToggle *toggle = adw_toggle_new ();

      adw_toggle_set_name (toggle, saved_tabs[i].name);
      adw_toggle_set_label (toggle, _(saved_tabs[i].label));
      adw_toggle_group_add (ADW_TOGGLE_GROUP (group), toggle);
    }
  gtk_widget_add_css_class (group, "saved");
  gtk_accessible_update_property (GTK_ACCESSIBLE (group), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Saved Items"), -1);
  adw_toggle_group_set_active_name (ADW_TOGGLE_GROUP (group), saved_tabs[0].name);
  g_signal_connect_object (group, "notify::active-name", G_CALLBACK (tab_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_box_prepend (self->listing, group);
  self->saved_tabs = ADW_TOGGLE_GROUP (group);
}

/* To be called when another collection is shown. */
static void
update_saved (EarEpisodesPage *self)
{
  const gboolean saved = self->collection != NULL &&
                         ear_sidebar_item_get_kind (self->collection) == EAR_SIDEBAR_ITEM_SAVED;

  if (saved && self->saved_tabs == NULL)
    make_tabs (self);
  if (self->saved_tabs != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->saved_tabs), saved);
}

/* --- Lists ------------------------------------------------------------------------------- */

static void
set_list (EarEpisodesPage *self, EarEpisodeList *list)
{
  g_set_object (&self->list, list);
  if (self->search == NULL)
    g_set_object (&self->browse_list, list);
  g_signal_group_set_target (self->list_signals, list);
  ear_episode_view_set_list (self->view, list);
  update_state (self);
  g_object_notify (G_OBJECT (self), "list");
}

/* Waits no longer for the list that was to be shown. */
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

/* Makes a query of the words of a search and the filters among them. */
static EarEpisodeQuery *
create_search_query (EarEpisodesPage *self)
{
  g_autoptr (EarSearchFilter) search =
      ear_search_filter_parse (self->search, ear_library_get_podcasts (self->library),
                               ear_lists_get_all (ear_library_get_lists (self->library)));
  EarPodcast *podcast = get_podcast (self);
  EarEpisodeQuery *query;

  self->trouble = ear_search_text_trouble (search);
  if (search->list != NULL)
    query = ear_list_create_query (EAR_LIST (search->list), EAR_SORT_RANKED, search->words);
  else if (self->everywhere)
    query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_RANKED, search->words);
  else
    query = ear_sidebar_item_create_query (self->collection,
                                           ear_episode_filter_from_name (self->filter),
                                           EAR_SORT_RANKED, search->words);
  if (search->list != NULL && podcast != NULL && !self->everywhere)
    query->podcast = ear_podcast_get_id (podcast);
  ear_episode_query_narrow (query, &search->terms);

  return query;
}

/* Whether the podcast's head stands above its episodes: a search takes its room. */
static gboolean
has_head (EarEpisodesPage *self)
{
  return self->search == NULL && !self->is_short && get_podcast (self) != NULL;
}

static EarEpisodeQuery *
create_query (EarEpisodesPage *self)
{
  EarEpisodeQuery *query;

  g_clear_pointer (&self->trouble, g_free);
  if (self->search != NULL)
    query = create_search_query (self);
  else
    query = ear_sidebar_item_create_query (self->collection,
                                           ear_episode_filter_from_name (self->filter),
                                           ear_episode_sort_from_name (self->sort), NULL);
  query->n_first =
      ear_rows_in_sight (GTK_WIDGET (self), has_head (self) ? HEAD_HEIGHT : 0, ROW_HEIGHT);

  return query;
}

static void
update_query (EarEpisodesPage *self)
{
  g_autoptr (EarEpisodeQuery) query = NULL;

  drop_next_list (self);
  if (self->library == NULL || self->collection == NULL)
    return;

  query = create_query (self);
  /* A space behind the last word, or the beginning of a filter */
  if (self->list != NULL && self->search != NULL && self->list != self->browse_list &&
      ear_episode_query_equal (ear_episode_list_get_query (self->list), query))
    {
      update_state (self);
      return;
    }
  self->next_list =
      ear_episode_list_new_with_query (ear_library_get_catalogue (self->library), query);
  if (self->list == NULL || !ear_episode_list_get_loading (self->next_list))
    show_next_list (self);
  else
    g_signal_connect_swapped (self->next_list, "notify::loading", G_CALLBACK (next_list_loading_cb),
                              self);
}

/* Reads the list with another filter or order, also when a search ends later. */
static void
arrange_anew (EarEpisodesPage *self)
{
  g_clear_object (&self->browse_list);
  update_query (self);
}

/* --- Podcasts that a search finds -------------------------------------------------------- */

static GtkWidget *
create_podcast_row (EarPodcast *podcast)
{
  const char *author = ear_podcast_get_facts (podcast)->author;
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *cover = g_object_new (
      EAR_TYPE_COVER_IMAGE, "size", FOUND_COVER_SIZE, "valign", GTK_ALIGN_CENTER, "address",
      ear_podcast_get_facts (podcast)->image, "title", ear_podcast_get_name (podcast), NULL);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), ear_podcast_get_name (podcast));
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  if (author != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), author);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), cover);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "podcast", g_object_ref (podcast), g_object_unref);

  return row;
}

static gboolean
has_rows_of (GtkListBox *box, GPtrArray *podcasts)
{
  for (guint i = 0; i < podcasts->len; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (box, (int) i);

      if (row == NULL || g_object_get_data (G_OBJECT (row), "podcast") != podcasts->pdata[i])
        return FALSE;
    }

  return gtk_list_box_get_row_at_index (box, (int) podcasts->len) == NULL;
}

/* Shows the podcasts that the search finds, if it looks everywhere. */
static void
update_found_podcasts (EarEpisodesPage *self)
{
  g_autoptr (EarSearchFilter) search = NULL;
  g_autoptr (GPtrArray) podcasts = NULL;
  GListModel *all = self->library != NULL ? ear_library_get_podcasts (self->library) : NULL;

  if (self->search != NULL && self->everywhere && all != NULL)
    search = ear_search_filter_parse (self->search, all,
                                      ear_lists_get_all (ear_library_get_lists (self->library)));
  podcasts = search != NULL ? ear_podcast_search (all, search->words, FOUND_PODCASTS_LIMIT)
                            : g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_set_visible (self->found_podcasts_box, podcasts->len > 0);
  if (has_rows_of (self->found_podcasts, podcasts))
    return;
  gtk_list_box_remove_all (self->found_podcasts);
  for (guint i = 0; i < podcasts->len; i++)
    gtk_list_box_append (self->found_podcasts, create_podcast_row (podcasts->pdata[i]));
}

/* Returns: whether there is a podcast that has the focus now */
static gboolean
focus_found_podcast (EarEpisodesPage *self)
{
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (self->found_podcasts, 0);

  return first != NULL && gtk_widget_grab_focus (GTK_WIDGET (first));
}

static void
found_podcast_activated_cb (EarEpisodesPage *self, GtkListBoxRow *row)
{
  g_autoptr (EarPodcast) podcast = g_object_ref (g_object_get_data (G_OBJECT (row), "podcast"));

  g_signal_emit_by_name (self, "podcast-activated", podcast);
}

/* The arrow down leads from the last podcast to the episodes. */
static gboolean
found_podcasts_left_cb (EarEpisodesPage *self, GtkDirectionType direction)
{
  return direction == GTK_DIR_DOWN && ear_episode_view_focus_first (self->view);
}

/* --- Searching --------------------------------------------------------------------------- */

/* Lists the same episodes as before the search. The chosen one stays chosen and in sight. */
static void
restore_browsing (EarEpisodesPage *self)
{
  drop_next_list (self);
  if (self->browse_list == NULL)
    {
      update_query (self);
      return;
    }
  if (self->list != self->browse_list)
    set_list (self, self->browse_list);
  ear_episode_view_scroll_to_episode (self->view);
}

static void
apply_search (EarEpisodesPage *self, const char *search)
{
  if (!g_set_str (&self->search, search))
    return;

  update_found_podcasts (self);
  if (search != NULL)
    update_query (self);
  else
    restore_browsing (self);
  if (shows_others (self))
    show_others (self);
  g_object_notify (G_OBJECT (self), "search");
}

static void
search_changed_cb (EarEpisodesPage *self)
{
  /* A space at the end says that the word before is whole. */
  g_autofree char *words =
      g_strchug (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_entry))));

  apply_search (self, *words != '\0' ? words : NULL);
}

static void
set_search (EarEpisodesPage *self, const char *search)
{
  const char *text = search != NULL ? search : "";

  apply_search (self, *text != '\0' ? text : NULL);
  /* Typing goes on behind the text. */
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)), text))
    {
      gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
      gtk_editable_set_position (GTK_EDITABLE (self->search_entry), -1);
    }
}

static void
set_everywhere (EarEpisodesPage *self, gboolean everywhere)
{
  if (!ear_property_set_boolean (self, "everywhere", everywhere))
    return;

  adw_toggle_group_set_active_name (self->scopes, everywhere ? "everywhere" : "here");
  update_found_podcasts (self);
  if (self->search != NULL)
    update_query (self);
}

static void
scope_chosen_cb (EarEpisodesPage *self)
{
  set_everywhere (self,
                  g_strcmp0 (adw_toggle_group_get_active_name (self->scopes), "everywhere") == 0);
}

/* Enter leads from the words to the first that they found, unless something was chosen that goes on
 * with them. */
static void
search_activated_cb (EarEpisodesPage *self)
{
  if (!ear_search_popover_take_chosen (self->search_popover) && !focus_found_podcast (self))
    ear_episode_view_focus_first (self->view);
}

/* And so does the arrow down, where there is something; the choice of where to search is a Tab
 * away. */
static gboolean
search_key_cb (EarEpisodesPage *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (ear_search_popover_take_key (self->search_popover, keyval, state))
    return GDK_EVENT_STOP;
  if ((keyval != GDK_KEY_Down && keyval != GDK_KEY_KP_Down) ||
      (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;

  return focus_found_podcast (self) || ear_episode_view_focus_first (self->view)
             ? GDK_EVENT_STOP
             : GDK_EVENT_PROPAGATE;
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

/* Each search begins in the current list. The first one makes the bar visible, which a start
 * need not style. */
static void
search_mode_cb (EarEpisodesPage *self)
{
  /* Before the entry has the focus, which the panes take away when they come */
  update_vacant (self);
  if (!gtk_search_bar_get_search_mode (self->search_bar))
    set_everywhere (self, FALSE);
  else if (!gtk_widget_get_visible (self->search_box))
    {
      gtk_widget_set_visible (self->search_box, TRUE);
      gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
    }
}

static void
search_everywhere (GtkWidget *widget, const char *name, GVariant *parameter)
{
  set_everywhere (EAR_EPISODES_PAGE (widget), TRUE);
}

/* Closes the search bar, with nothing to go back to: another collection is shown. */
static void
end_search (EarEpisodesPage *self)
{
  g_clear_object (&self->browse_list);
  g_clear_pointer (&self->search, g_free);
  update_found_podcasts (self);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
}

/* --- Filter and order -------------------------------------------------------------------- */

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
ticked_cb (EarEpisodesPage *self)
{
  g_object_notify (G_OBJECT (self), "n-ticked");
}

/* Each podcast, and each folder, keeps its own filter and order. */
static gboolean
restore_arrangement (EarEpisodesPage *self)
{
  EarPodcast *podcast = get_podcast (self);
  gboolean filtered, sorted;

  if (!ear_closure_is_arranged (NULL, self->collection))
    return FALSE;

  filtered = g_set_str (&self->filter, podcast != NULL ? ear_podcast_get_filter (podcast)
                                                       : ear_folder_get_filter (get_folder (self)));
  sorted = g_set_str (&self->sort, podcast != NULL ? ear_podcast_get_sort (podcast)
                                                   : ear_folder_get_sort (get_folder (self)));
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
    arrange_anew (self);
}

/* Ordinary lists update themselves. */
static void
rule_changed_cb (EarEpisodesPage *self)
{
  if (ear_list_is_smart (ear_sidebar_item_get_list (self->collection)))
    arrange_anew (self);
}

/* Stores another filter or order. */
static void
arranged_cb (EarEpisodesPage *self)
{
  if (get_podcast (self) != NULL && self->library != NULL)
    ear_subscriptions_set_arrangement (ear_library_get_subscriptions (self->library),
                                       get_podcast (self), self->filter, self->sort);
  if (get_folder (self) != NULL)
    ear_folder_arrange (get_folder (self), self->filter, self->sort);
  arrange_anew (self);
}

static void
update_filter_button (EarEpisodesPage *self)
{
  const char *name = adw_toggle_group_get_active_name (self->filters);
  AdwToggle *toggle =
      name != NULL ? adw_toggle_group_get_toggle_by_name (self->filters, name) : NULL;
  g_autofree char *spoken = NULL;

  if (toggle == NULL)
    return;

  spoken = g_strconcat (_("Filter"), C_("spoken separator", ", "), adw_toggle_get_label (toggle),
                        NULL);
  gtk_menu_button_set_label (self->filter_button, adw_toggle_get_label (toggle));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
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

/* --- Class ------------------------------------------------------------------------------- */

/* Only when it is wanted. */
static void
make_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (user_data);
  g_autoptr (GMenuModel) menu =
      self->collection != NULL ? ear_sidebar_item_create_menu (self->collection) : NULL;

  gtk_menu_button_set_menu_model (button, menu);
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

static void
collection_changed_cb (EarEpisodesPage *self)
{
  g_signal_group_set_target (self->podcast_signals, get_podcast (self));
  g_signal_group_set_target (self->rule_signals, self->collection != NULL
                                                     ? ear_sidebar_item_get_list (self->collection)
                                                     : NULL);
  g_signal_group_set_target (self->folder_signals, get_folder (self));
  update_saved (self);
  update_menu (self);
  end_search (self);
  restore_arrangement (self);
  if (self->collection == NULL)
    ear_episode_view_set_episode (self->view, NULL);
  else
    ear_episode_view_choose_anew (self->view);
  update_query (self);
  g_object_notify (G_OBJECT (self), "podcast");
}

static void
library_changed_cb (EarEpisodesPage *self)
{
  g_signal_group_set_target (self->refresher_signals,
                             self->library != NULL ? ear_library_get_refresher (self->library)
                                                   : NULL);
  update_query (self);
}

static void
ear_episodes_page_dispose (GObject *object)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (object);

  drop_next_list (self);
  g_clear_object (&self->refresher_signals);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->list_signals);
  g_clear_object (&self->rule_signals);
  g_clear_object (&self->folder_signals);
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
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* Which episodes are listed */
    { "collection", EAR_TYPE_SIDEBAR_ITEM, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodesPage, collection),
      .changed = G_CALLBACK (collection_changed_cb) },
    /* %NULL for a view of several podcasts */
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READABLE, .get = G_CALLBACK (get_podcast) },
    /* The rows that are shown */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodesPage, list) },
    /* The episode that was chosen, in the list or elsewhere */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, .get = G_CALLBACK (get_chosen),
      .set = G_CALLBACK (ear_episodes_page_set_episode) },
    /* `all`, `unplayed`, `in-progress` or `liked` */
    { .spec = g_param_spec_string ("filter", NULL, NULL, "all", G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodesPage, filter),
      .changed = G_CALLBACK (arranged_cb) },
    /* `newest`, `oldest`, `title` or `longest` */
    { .spec = g_param_spec_string ("sort", NULL, NULL, "newest", G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodesPage, sort),
      .changed = G_CALLBACK (arranged_cb) },
    /* Words that are looked for */
    { "search", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, search),
      .set = G_CALLBACK (set_search) },
    /* Whether they are looked for in all podcasts */
    { "everywhere", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodesPage, everywhere), .set = G_CALLBACK (set_everywhere) },
    /* Whether the listed podcasts are being checked */
    { "refreshing", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarEpisodesPage, refreshing) },
    /* Whether the page of the episode is not beside it */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarEpisodesPage, collapsed) },
    /* Whether there is no room for more than the episodes: the title is in the header bar then */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodesPage, is_short) },
    /* How many episodes are ticked, or -1 where it is about a single one */
    { .spec = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READABLE),
      .get = G_CALLBACK (get_n_ticked) },
    /* Whether it can be narrowed by a filter, and put in another order */
    { "filterable", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarEpisodesPage, filterable) },
    /* Whether there is nothing to list, nor an episode to show beside it: all that there is to be
       said is said here */
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
  g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  /* A podcast that a search found was activated. */
  g_signal_new ("podcast-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 1, EAR_TYPE_PODCAST);

  gtk_widget_class_install_action (widget_class, "list.show-all", NULL, show_all);
  gtk_widget_class_install_action (widget_class, "list.search-everywhere", NULL, search_everywhere);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_install_property_action (widget_class, "list.sort", "sort");
  gtk_widget_class_install_property_action (widget_class, "list.filter", "filter");

  g_type_ensure (EAR_TYPE_DOWNLOADER);
  g_type_ensure (EAR_TYPE_EPISODE_VIEW);
  g_type_ensure (EAR_TYPE_FIT_LAYOUT);
  g_type_ensure (EAR_TYPE_PODCAST_HEAD);
  g_type_ensure (EAR_TYPE_SEARCH_POPOVER);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-episodes-page.ui");
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
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, found_podcasts);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, found_podcasts_box);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, episode_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, ticked_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, scope_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_key_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_mode_cb);
  gtk_widget_class_bind_template_callback (widget_class, found_podcast_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, found_podcasts_left_cb);
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
  /* The entry is no direct child of the bar, which needs it for focus and Escape. */
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
  g_signal_connect_object (g_network_monitor_get_default (), "network-changed",
                           G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  self->refresher_signals = g_signal_group_new (EAR_TYPE_REFRESHER);
  g_signal_group_connect_swapped (self->refresher_signals, "notify::refreshing",
                                  G_CALLBACK (update_state), self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify", G_CALLBACK (update_state), self);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::filter",
                                  G_CALLBACK (arrangement_changed_cb), self);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::sort",
                                  G_CALLBACK (arrangement_changed_cb), self);
  self->rule_signals = g_signal_group_new (EAR_TYPE_LIST);
  g_signal_group_connect_swapped (self->rule_signals, "notify::rule", G_CALLBACK (rule_changed_cb),
                                  self);
  self->folder_signals = g_signal_group_new (EAR_TYPE_FOLDER);
  g_signal_group_connect_swapped (self->folder_signals, "changed", G_CALLBACK (arrange_anew), self);
  self->list_signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_swapped (self->list_signals, "notify", G_CALLBACK (update_state), self);
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

/* Whether an episode can be shown beside the list: bookmarks and links belong to episodes of all
 * podcasts. */
gboolean
ear_episodes_page_lists (EarEpisodesPage *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_EPISODES_PAGE (self), FALSE);

  if (shows_others (self))
    return TRUE;

  return self->list != NULL &&
         ear_episode_list_find (self->list, ear_episode_get_id (episode), NULL);
}

/* Shows the search entry and gives it the focus. Its text is selected, so that typing replaces
 * it.
 * @everywhere: whether to search all podcasts */
void
ear_episodes_page_begin_search (EarEpisodesPage *self, gboolean everywhere)
{
  g_return_if_fail (EAR_IS_EPISODES_PAGE (self));

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  set_everywhere (self, everywhere);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (GTK_EDITABLE (self->search_entry), 0, -1);
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
