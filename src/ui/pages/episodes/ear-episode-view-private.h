/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-episode-view.c and the verbs of its rows in ear-episode-view-*.c */

#include "ear-episode-selection.h"
#include "ear-episode-view.h"
#include "ear-snippet-queue.h"

G_BEGIN_DECLS

struct _EarEpisodeView
{
  AdwBin parent_instance;

  /* Template children */
  GtkScrolledWindow *scroller;
  GtkListView *list_view;
  EarEpisodeSelection *selection;
  GtkMenuButton *selection_button;
  GMenuModel *episode_menu;
  GMenuModel *selection_menu;

  /* Borrowed: made when it is first opened */
  GtkPopoverMenu *row_menu;

  /* Owned */
  EarLibrary *library;
  EarEpisodeList *list;
  EarEpisode *episode;
  EarSnippetQueue *snippets;
  EarEpisode *menu_episode; /* what the context menu is about */
  EarEpisode *pressed;      /* (nullable): whose row a right click began on */
  EarEpisode *moved;        /* (nullable): whose row keys have moved, until it is there */
  GSignalGroup *catalogue_signals;
  GCancellable *seasons_cancellable; /* (nullable) */
  guint32 asked_day; /* when the days of the history were asked for, a Julian day */
  guint day_source;
  gboolean collapsed;
  gboolean menu_is_open;    /* that of a row */
  gboolean several;         /* rows are ticked */
  gboolean selecting;       /* a click selects a row beside the others */
  gboolean wants_choice;    /* the next rows choose an episode */
};

typedef void (*EarEpisodeViewRowFunc) (EarEpisodeView *self, GtkWidget *row);

/* ear-episode-view.c */
void ear_episode_view_update_selection (EarEpisodeView *self);
gboolean ear_episode_view_has_several (EarEpisodeView *self);
void ear_episode_view_set_selecting (EarEpisodeView *self, gboolean selecting);
gboolean ear_episode_view_has_focus (EarEpisodeView *self);
void ear_episode_view_foreach_row (EarEpisodeView *self, EarEpisodeViewRowFunc func);

/* ear-episode-view-menu.c */
gboolean ear_episode_view_is_one_of_several (EarEpisodeView *self, EarEpisode *episode);
void ear_episode_view_end_selecting (EarEpisodeView *self);
void ear_episode_view_bind_menu (GtkWidgetClass *widget_class);
void ear_episode_view_update_menu (EarEpisodeView *self);
void ear_episode_view_mark_menu_row (EarEpisodeView *self, GtkWidget *row);
GtkWidget *ear_episode_view_find_row (EarEpisodeView *self, double x, double y);

/* ear-episode-view-queue.c */
void ear_episode_view_bind_queue (GtkWidgetClass *widget_class);
void ear_episode_view_update_queue (EarEpisodeView *self);
GPtrArray *ear_episode_view_list_selected (EarEpisodeView *self);
EarEpisode *ear_episode_view_get_focused (EarEpisodeView *self);
void ear_episode_view_follow_moved (EarEpisodeView *self);

/* ear-episode-view-lists.c */
void ear_episode_view_bind_lists (GtkWidgetClass *widget_class);
void ear_episode_view_update_lists (EarEpisodeView *self);
EarList *ear_episode_view_get_list (EarEpisodeView *self);

G_END_DECLS
