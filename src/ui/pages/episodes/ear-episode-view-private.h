/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-episode-view.c and its topics, the files ear-episode-view-*.c, share. */

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

void ear_episode_view_take_episode     (EarEpisodeView *self,
                                        EarEpisode     *episode);
void ear_episode_view_update_selection (EarEpisodeView *self);
guint ear_episode_view_find_chosen     (EarEpisodeView *self);
gboolean ear_episode_view_has_several  (EarEpisodeView *self);
gboolean ear_episode_view_is_one_of_several (EarEpisodeView *self,
                                             EarEpisode     *episode);
void ear_episode_view_set_selecting    (EarEpisodeView *self,
                                        gboolean        selecting);
void ear_episode_view_bind_choice      (GtkWidgetClass *widget_class);
void ear_episode_view_end_selecting    (EarEpisodeView *self);
void ear_episode_view_bind_menu        (GtkWidgetClass *widget_class);
void ear_episode_view_update_menu      (EarEpisodeView *self);
void ear_episode_view_bind_queue       (GtkWidgetClass *widget_class);
void ear_episode_view_bind_lists       (GtkWidgetClass *widget_class);
void ear_episode_view_update_lists     (EarEpisodeView *self);
EarList *ear_episode_view_get_list     (EarEpisodeView *self);
GPtrArray *ear_episode_view_list_selected (EarEpisodeView *self);
EarEpisode *ear_episode_view_get_focused (EarEpisodeView *self);
void ear_episode_view_update_queue     (EarEpisodeView *self);
void ear_episode_view_follow_moved     (EarEpisodeView *self);
GtkWidget *ear_episode_view_find_row   (EarEpisodeView *self,
                                        double          x,
                                        double          y);
typedef void (*EarEpisodeViewRowFunc) (EarEpisodeView *self, GtkWidget *row);
void ear_episode_view_foreach_row      (EarEpisodeView        *self,
                                        EarEpisodeViewRowFunc  func);
void ear_episode_view_mark_menu_row    (EarEpisodeView *self,
                                        GtkWidget      *row);
void ear_episode_view_follow_day       (EarEpisodeView *self);
void ear_episode_view_init_seasons     (EarEpisodeView *self);
void ear_episode_view_update_seasons   (EarEpisodeView *self);
void ear_episode_view_update_days      (EarEpisodeView *self);
void ear_episode_view_clear_seasons    (EarEpisodeView *self);
void ear_episode_view_update_in_sight  (EarEpisodeView *self);
void ear_episode_view_aim_focus        (EarEpisodeView *self);
gboolean ear_episode_view_has_focus    (EarEpisodeView *self);
void ear_episode_view_bring_focus      (EarEpisodeView *self);

G_END_DECLS
