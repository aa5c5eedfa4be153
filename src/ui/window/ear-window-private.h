/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-window.c and ear-window-actions.c share. */

#include "ear-announcer.h"
#include "ear-discover-dialog.h"
#include "ear-episode-page.h"
#include "ear-episodes-page.h"
#include "ear-sidebar-page.h"
#include "ear-undo.h"
#include "ear-window-item-actions.h"
#include "ear-window.h"

G_BEGIN_DECLS

struct _EarWindow
{
  AdwApplicationWindow parent_instance;

  /* Template children */
  AdwToastOverlay *toasts;
  AdwToastOverlay *front_toasts;
  AdwBanner *notice_banner;
  AdwBottomSheet *sheet;
  GtkWidget *strip;
  GtkWidget *player_bar;
  GtkWidget *video_screen;
  AdwNavigationSplitView *outer;
  AdwNavigationSplitView *inner;
  EarSidebarPage *sidebar_page;
  EarEpisodesPage *episodes_page;
  EarEpisodePage *episode_page;

  /* Owned */
  EarLibrary *library;
  EarSidebarItemActions *chosen_actions; /* of what is chosen in the sidebar */
  EarSidebarItemActions *row_actions;    /* of the row there whose menu is open */
  EarAnnouncer *announcer;
  EarUndo *undo;          /* (nullable): what Ctrl+Z takes back */
  GtkStringList *notices; /* shown in the banner, one at a time */
  AdwToast *undo_toast;   /* (nullable): that offers it */
  EarEpisodeList *awaited; /* (nullable): whose rows the first frame waits for */
  guint present_source;
  GPtrArray *openings;    /* (element-type utf8): what is to be looked at, one after another */
  gboolean opening;       /* one of them is being looked at */
  guint video_gone;       /* source: the picture has been gone for a while */
  guint focus_idle;       /* source: finds the focus a new place */
  gboolean focus_begun;   /* the listener may have put it somewhere */
  GCancellable *restoring; /* (nullable): while the episode that was shown last is looked for */
  EarEpisode *shown_last;  /* (nullable): that episode, until it is known how much room there is */
  guint n_frames;          /* while that is not known */
  gboolean collapsed;      /* no room for the sidebar beside the others */
  gboolean is_empty;       /* nothing is followed */
  guint idle_cookie;       /* the screen is kept from going dark */
  gboolean was_fullscreen; /* before a video was */
  gboolean narrow;
  gboolean is_short;

  /* Borrowed */
  GtkWidget *last_pane; /* (nullable): that had the focus */
  GtkWidget *focus_before; /* (nullable): that had it before a video had all of the window */
};

EarDiscoverDialog *ear_window_discover (EarWindow  *self,
                                        EarPodcast *like,
                                        const char *text);
void        ear_window_opened         (EarWindow  *self);
void        ear_window_take_drops     (EarWindow  *self);
EarPodcast *ear_window_get_podcast    (EarWindow  *self);
void        ear_window_list_podcast   (EarWindow  *self,
                                       EarEpisode *episode);
void        ear_window_show_episodes  (EarWindow  *self);
void        ear_window_show_page      (EarWindow  *self);
void        ear_window_unfollow       (EarWindow  *self,
                                       EarPodcast *podcast);
void        ear_window_ask_for_password (EarWindow  *self,
                                         EarPodcast *podcast);
void        ear_window_add_actions    (EarWindow  *self);
void        ear_window_update_actions (EarWindow  *self);
void        ear_window_arrange_panes  (EarWindow  *self);
void        ear_window_show_sidebar   (EarWindow  *self);
void        ear_window_begin_focus    (EarWindow  *self);
void        ear_window_keep_focus     (EarWindow  *self);
gboolean    ear_window_is_covered     (EarWindow  *self);
void        ear_window_add_toast      (EarWindow  *self,
                                       AdwToast   *toast);
void        ear_window_move_pane      (EarWindow  *self,
                                       int         step);
void        ear_window_remember_pane  (EarWindow  *self);
void        ear_window_restore_pane   (EarWindow  *self);
void        ear_window_begin_video    (EarWindow  *self);
void        ear_window_end_video      (EarWindow  *self);
void        ear_window_toggle_video   (EarWindow  *self);
void        ear_window_show_last_episode (EarWindow *self);
void        ear_window_offer_undo     (EarWindow  *self,
                                       EarUndo    *undo);

G_END_DECLS
