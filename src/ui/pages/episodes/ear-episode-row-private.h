/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-episode-row.c, ear-episode-row-layout.c and ear-episode-row-snippet.c share. */

#include "ear-episode-row.h"

G_BEGIN_DECLS

struct _EarEpisodeRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkLabel *title;
  GtkWidget *button;

  /* Borrowed: children, each made for the first episode that needs it */
  GtkWidget *cover;
  GtkLabel *snippet;
  GtkWidget *listened;
  GtkWidget *liked;
  GtkWidget *explicit_mark;
  GtkProgressBar *progress;

  /* Owned */
  char *facts;
  PangoLayout *facts_layout; /* (nullable): made when it is measured */
  EarEpisode *episode;
  GSignalGroup *signals;
  GSignalGroup *podcast_signals; /* (nullable): where the row says which podcast it is of */
  EarSnippetQueue *snippets; /* (nullable) */
  char *spoken;
  gboolean mixed; /* the list is not of one podcast */
  gboolean active; /* the button pauses */

  /* Where the facts are drawn */
  int facts_x;
  int facts_y;
};

void     ear_episode_row_bind_layout     (GtkWidgetClass  *widget_class);

gboolean ear_episode_row_follow_snippets (EarEpisodeRow   *self,
                                          EarSnippetQueue *snippets);
void     ear_episode_row_update_snippet  (EarEpisodeRow   *self);
void     ear_episode_row_forget_snippet  (EarEpisodeRow   *self);

G_END_DECLS
