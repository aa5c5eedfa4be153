/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the files of EarEpisodesPage share. */

#include "ear-search-popover.h"
#include "ear-episode-view.h"
#include "ear-episodes-page.h"

G_BEGIN_DECLS

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
  EarEpisodeList *browse_list; /* what is shown again when the search ends */
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
  GtkWidget *first_steps;  /* (nullable): weak, takes itself away */
  gconstpointer fetching; /* (nullable): the podcast that is shown as being fetched; only compared */
};

EarPodcast      *ear_episodes_page_get_podcast    (EarEpisodesPage *self);
void             ear_episodes_page_update_state   (EarEpisodesPage *self);
void             ear_episodes_page_update_vacant  (EarEpisodesPage *self);
void             ear_episodes_page_update_query   (EarEpisodesPage *self);
void             ear_episodes_page_update_first_steps (EarEpisodesPage *self);
gboolean         ear_episodes_page_has_head       (EarEpisodesPage *self);
void             ear_episodes_page_arrange_anew   (EarEpisodesPage *self);
void             ear_episodes_page_drop_next_list (EarEpisodesPage *self);
void             ear_episodes_page_end_search     (EarEpisodesPage *self);
void             ear_episodes_page_set_search     (EarEpisodesPage *self,
                                                   const char      *search);
void             ear_episodes_page_set_everywhere (EarEpisodesPage *self,
                                                   gboolean         everywhere);
void             ear_episodes_page_update_saved   (EarEpisodesPage *self);
gboolean         ear_episodes_page_shows_others  (EarEpisodesPage *self);
void             ear_episodes_page_show_others   (EarEpisodesPage *self);
void             ear_episodes_page_update_found_podcasts (EarEpisodesPage *self);
gboolean         ear_episodes_page_focus_found_podcast (EarEpisodesPage *self);
void             ear_episodes_page_bind_found_podcasts (GtkWidgetClass *widget_class);
void             ear_episodes_page_bind_search    (GtkWidgetClass  *widget_class);

G_END_DECLS
