/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-library.h"
#include "ear-widget.h"

G_BEGIN_DECLS

typedef enum
{
  EAR_EPISODE_MENU_PAGE = 1 << 0,
  EAR_EPISODE_MENU_ROW = 1 << 1,
  EAR_EPISODE_MENU_SELECTION = 1 << 2,
  EAR_EPISODE_MENU_SHARE = 1 << 3,
  EAR_EPISODE_MENU_BAR = 1 << 4, /* buttons with the menu of a selection above them */
} EarEpisodeMenu;

#define EAR_TYPE_EPISODE_ACTIONS (ear_episode_actions_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeActions, ear_episode_actions, EAR, EPISODE_ACTIONS, GObject)

EarEpisodeActions *ear_episode_actions_add (GtkWidget *widget, GtkSelectionModel *selection,
                                            GtkActionBar *bar);
void ear_episode_actions_set_episode (EarEpisodeActions *self, EarEpisode *episode);
EarEpisode *ear_episode_actions_get_episode (EarEpisodeActions *self);
GPtrArray *ear_episode_actions_dup_episodes (EarEpisodeActions *self);
gboolean ear_episode_actions_take_out (EarEpisodeActions *self);
GMenuModel *ear_episode_menu_new (EarEpisodeActions *self, EarEpisodeMenu which);
void ear_episode_actions_foreach_key (EarAcceleratorFunc func, gpointer user_data);

G_END_DECLS
