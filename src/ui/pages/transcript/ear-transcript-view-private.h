/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-transcript-view.c and its topics, the files ear-transcript-view-*.c, share. */

#include "ear-transcript-view.h"

#include "ear-sentence-row.h"
#include "ear-transcript.h"

G_BEGIN_DECLS

struct _EarTranscriptView
{
  AdwBin parent_instance;

  /* Template children */
  GtkBox *area; /* of the sentences, the search bar and the menu */
  GtkScrolledWindow *scroller;
  GtkListView *list_view;
  GtkMultiSelection *selection;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GMenuModel *sentence_menu;

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarEpisodeList *list;      /* (nullable): what the episode was chosen from */
  EarTranscript *transcript; /* (nullable): until it is there */
  GCancellable *loading;     /* (nullable): while it is being loaded */
  GSignalGroup *episode_signals;
  GSignalGroup *player_signals;
  AdwAnimation *animation;   /* (nullable): while it scrolls by itself */
  GtkPopoverMenu *menu;      /* (nullable): until it is wanted; a child */
  char *page;                /* of the stack */
  char *failure;             /* (nullable): what went wrong */
  char *count;               /* (nullable): how many places were found, and which this one is */

  /* Of what is looked for, owned */
  char *search;              /* (nullable) */
  GArray *found;             /* (nullable) (element-type guint): the sentences that have it */
  GCancellable *finding;
  gint64 wanted;             /* where to go once it is loaded, or -1 */

  int current;               /* the sentence that is spoken, or -1 */
  int goal;                  /* the one that is scrolled to, or -1 */
  guint goal_tick;
  guint n_goal_frames;
  gboolean coming;           /* the page is to be scrolled to it, too */
  gboolean following;
  gboolean can_follow;       /* the button is there that takes it up again */
};

/* Following the voice */
gint64     ear_transcript_view_get_shift    (EarTranscriptView *self);
gint64     ear_transcript_view_get_time     (EarTranscriptView *self);
void       ear_transcript_view_update_voice (EarTranscriptView *self);
void       ear_transcript_view_follow       (EarTranscriptView *self);
void       ear_transcript_view_go_on        (EarTranscriptView *self);
void       ear_transcript_view_stay         (EarTranscriptView *self);
void       ear_transcript_view_scroll_to    (EarTranscriptView *self,
                                             int                index);
void       ear_transcript_view_stop_moving  (EarTranscriptView *self);
void       ear_transcript_view_come_into_sight (EarTranscriptView *self);
gboolean   ear_transcript_view_bring_keys   (EarTranscriptView *self);

/* Finding words */
void       ear_transcript_view_begin_search (EarTranscriptView *self);
void       ear_transcript_view_stop_search  (EarTranscriptView *self);
void       ear_transcript_view_bind_find    (GtkWidgetClass    *widget_class);

/* What can be done with sentences */
void       ear_transcript_view_bind_menu    (GtkWidgetClass    *widget_class);
void       ear_transcript_view_update_actions (EarTranscriptView *self);
void       ear_transcript_view_play         (EarTranscriptView *self,
                                             guint              index);

/* The rows that there are */
typedef void (*EarSentenceRowFunc) (EarTranscriptView *self,
                                    EarSentenceRow    *row);
void       ear_transcript_view_foreach_row  (EarTranscriptView *self,
                                             EarSentenceRowFunc func);

G_END_DECLS
