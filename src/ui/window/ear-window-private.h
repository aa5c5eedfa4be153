/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-announcer.h"
#include "ear-notices.h"
#include "ear-window.h"

G_BEGIN_DECLS

typedef struct _EarItemActions EarItemActions;

/**
 * EarWindow:
 *
 * Sidebar, list, page of an episode, and the player. The window has no state but
 * the chosen podcast and episode; it can be closed and created again while the
 * player continues.
 */
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
  EarItemActions *chosen_actions; /* for the item that is chosen in the sidebar */
  EarItemActions *row_actions;    /* for the row there whose menu is open */
  EarAnnouncer *announcer;
  GPtrArray *undos;         /* (element-type EarUndo): for Ctrl+Z, the last change last */
  AdwToast *undo_toast;     /* (nullable): offers the last one */
  GtkStringList *notices;   /* (nullable): the application's; the banner shows the first */
  GPtrArray *openings;      /* (element-type utf8): addresses and paths that wait to be opened */
  GtkWidget *focus_before;  /* (nullable) (weak): had the focus before the video was fullscreen */
  guint focus_source;
  guint video_gone_source;
  guint idle_cookie;        /* keeps the screen from going dark */
  gboolean collapsed;       /* no room for the sidebar beside the other panes */
  gboolean narrow;          /* room for one pane only */
  gboolean is_short;
  gboolean was_empty;       /* no podcasts when the panes were last arranged */
  gboolean was_fullscreen;  /* before the video was */
  gboolean restoring;       /* the last episode is looked up */
  gboolean opening;         /* the dialog of one is open */
  gboolean focus_chosen;    /* a key or button was pressed since a pane was shown */

  /* Borrowed */
  GtkWidget *last_pane; /* (nullable): had the focus last */
};

gboolean ear_window_is_covered (EarWindow *self);
void ear_window_show_sidebar (EarWindow *self);
void ear_window_show_episodes (EarWindow *self);
void ear_window_show_page (EarWindow *self);
void ear_window_show_podcast (EarWindow *self, EarPodcast *podcast);
void ear_window_list_podcast (EarWindow *self, EarEpisode *episode);
void ear_window_move_pane (EarWindow *self, int step);
void ear_window_toggle_video (EarWindow *self);
void ear_window_undo (EarWindow *self);

/* In ear-item-actions.c */
EarItemActions *ear_item_actions_new (EarWindow *window);
void ear_item_actions_free (EarItemActions *self);
GActionGroup *ear_item_actions_get_group (EarItemActions *self);
void ear_item_actions_set_target (EarItemActions *self, EarSidebarItem *target);

/* In ear-window-actions.c */
void ear_window_add_actions (EarWindow *self);
AdwDialog *ear_window_discover (EarWindow *self, EarPodcast *like, const char *text);
void ear_window_sign_in (EarWindow *self, EarPodcast *podcast);

G_END_DECLS
