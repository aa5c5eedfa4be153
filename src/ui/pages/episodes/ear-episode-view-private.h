/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-episode-view.c and the verbs of its rows in ear-episode-view-actions.c */

#include "ear-episode-actions.h"
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
  GtkActionBar *selection_bar;

  /* Borrowed: they live as long as the view */
  EarEpisodeActions *episode_actions; /* of the row whose menu is open */
  EarEpisodeActions *list_actions;    /* of the selected rows */

  /* Owned */
  EarLibrary *library;
  EarEpisodeList *list;
  EarEpisode *episode;
  EarSnippetQueue *snippets;
  EarEpisode *moved;        /* (nullable): whose row keys have moved, until it is there */
  GSignalGroup *catalogue_signals;
  GCancellable *seasons_cancellable; /* (nullable) */
  guint32 asked_day; /* when the days of the history were asked for, a Julian day */
  guint day_source;
  gboolean collapsed;
  gboolean several;         /* rows are ticked */
  gboolean selecting;       /* a click selects a row beside the others */
  gboolean wants_choice;    /* the next rows choose an episode */
};

/* ear-episode-view.c */
void ear_episode_view_update_selection (EarEpisodeView *self);
gboolean ear_episode_view_has_several (EarEpisodeView *self);
void ear_episode_view_set_selecting (EarEpisodeView *self, gboolean selecting);
gboolean ear_episode_view_has_focus (EarEpisodeView *self);

/* ear-episode-view-actions.c */
void ear_episode_view_bind_actions (GtkWidgetClass *widget_class);
void ear_episode_view_init_actions (EarEpisodeView *self);
void ear_episode_view_update_actions (EarEpisodeView *self);
void ear_episode_view_follow_moved (EarEpisodeView *self);

G_END_DECLS
