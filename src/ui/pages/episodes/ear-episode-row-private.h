/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-episode-row.c and its topics, the files ear-episode-row-*.c, share. */

#include "ear-episode-row.h"

G_BEGIN_DECLS

struct _EarEpisodeRow
{
  GtkWidget parent_instance;

  /* Borrowed: children, each made for the first episode that needs it, and the button when the row was
   * first seen, or plays */
  GtkWidget *button;
  GtkWidget *check; /* while rows are ticked, in the place of the button */
  GtkWidget *cover;
  GtkLabel *snippet;
  GtkWidget *new_mark;
  GtkWidget *queued;
  GtkWidget *listened;
  GtkWidget *liked;
  GtkWidget *download;
  GtkWidget *explicit_mark;
  GtkProgressBar *progress;

  /* Owned */
  char *title;
  PangoAttrList *found; /* (nullable): what a search has found in the title */
  PangoLayout *title_layout; /* (nullable): made when the row is placed, or only it tells how high it is, and dropped out of sight */
  char *podcast; /* (nullable): its name, where the list is of several */
  PangoLayout *podcast_layout; /* (nullable): as the title's */
  char *facts; /* may be empty */
  PangoLayout *facts_layout; /* (nullable): as the title's */
  EarEpisode *episode;
  GSignalGroup *signals;
  GSignalGroup *podcast_signals; /* (nullable): where the row says which podcast it is of */
  EarSnippetQueue *snippets; /* (nullable) */
  char *spoken;
  gint64 found_time; /* where the words of a search are in it, or -1 */
  gboolean heard; /* the list is of what was heard */
  gboolean mixed; /* the list is not of one podcast */
  gboolean pale; /* the title, as the episode was listened to */
  gboolean active; /* the button pauses */
  gboolean playable; /* there is a button: the episode has media */
  gboolean tickable; /* a check box stands in the place of the button */
  gboolean ticked;
  guint button_tick; /* tick callback: makes the button, or the check box */

  /* Where title and facts are drawn */
  int title_x;
  int title_y;
  int title_width;
  int podcast_x;
  int podcast_width;
  int facts_x;
  int facts_width;
  int line_y; /* of both */
};

void     ear_episode_row_make_button     (EarEpisodeRow   *self);
void     ear_episode_row_make_check      (EarEpisodeRow   *self);

void     ear_episode_row_update_marks    (EarEpisodeRow   *self);
void     ear_episode_row_update_download (EarEpisodeRow   *self);
void     ear_episode_row_show_explicit   (EarEpisodeRow   *self,
                                          gboolean         is_explicit);
const char *ear_episode_row_describe_mark (EarEpisodeRow  *self,
                                           GtkWidget      *at);

void     ear_episode_row_bind_layout     (GtkWidgetClass  *widget_class);
void     ear_episode_row_drop_layouts    (EarEpisodeRow   *self);

void     ear_episode_row_follow_snippets (EarEpisodeRow   *self,
                                          EarSnippetQueue *snippets);
void     ear_episode_row_update_snippet  (EarEpisodeRow   *self);
void     ear_episode_row_forget_snippet  (EarEpisodeRow   *self);
void     ear_episode_row_play_found      (EarEpisodeRow   *self);

G_END_DECLS
