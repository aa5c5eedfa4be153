/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-episode-page.h"
#include "ear-episodes-page.h"
#include "ear-library.h"
#include "ear-sidebar-page.h"

G_BEGIN_DECLS

#define EAR_TYPE_WINDOW (ear_window_get_type ())
G_DECLARE_FINAL_TYPE (EarWindow, ear_window, EAR, WINDOW, AdwApplicationWindow)

EarWindow *ear_window_new (GtkApplication *application,
                           EarLibrary *library,
                           GtkStringList *notices);
void ear_window_show_toast (EarWindow *self, const char *message);
gboolean ear_window_open_address (EarWindow *self, const char *text);
void ear_window_open_file (EarWindow *self, GFile *file);

/* For ear-window-actions.c */
EarLibrary *ear_window_get_library (EarWindow *self);
EarSidebarPage *ear_window_get_sidebar_page (EarWindow *self);
EarEpisodesPage *ear_window_get_episodes_page (EarWindow *self);
EarEpisodePage *ear_window_get_episode_page (EarWindow *self);
AdwBottomSheet *ear_window_get_sheet (EarWindow *self);
gboolean ear_window_is_covered (EarWindow *self);
void ear_window_show_sidebar (EarWindow *self);
void ear_window_show_episodes (EarWindow *self);
void ear_window_show_page (EarWindow *self);
void ear_window_show_podcast (EarWindow *self, EarPodcast *podcast);
void ear_window_show_episode (EarWindow *self, EarEpisode *episode);
void ear_window_list_podcast (EarWindow *self, EarEpisode *episode);
void ear_window_move_pane (EarWindow *self, int step);
void ear_window_toggle_video (EarWindow *self);
void ear_window_undo (EarWindow *self);

/* In ear-item-actions.c */
typedef struct _EarItemActions EarItemActions;
EarItemActions *ear_item_actions_new (EarWindow *window);
void ear_item_actions_free (EarItemActions *self);
GActionGroup *ear_item_actions_get_group (EarItemActions *self);
void ear_item_actions_set_target (EarItemActions *self, EarSidebarItem *target);

/* In ear-window-actions.c */
void ear_window_add_actions (EarWindow *self, EarItemActions *chosen);
AdwDialog *ear_window_discover (EarWindow *self, EarPodcast *like, const char *text);
void ear_window_sign_in (EarWindow *self, EarPodcast *podcast);

G_END_DECLS
