/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-episode.h"

G_BEGIN_DECLS

/*
 * Handing an episode on: episode.copy-link, episode.copy-link-at-time, episode.copy-quote, episode.copy-media, episode.copy-feed,
 * episode.show-code. What would let others in where only the listener may go is handed on when he says so.
 */
void        ear_share_actions_install (GtkWidgetClass *widget_class);
void        ear_share_actions_update  (GtkWidget      *widget,
                                       EarEpisode     *episode);
GMenuModel *ear_share_menu_new        (void);
void        ear_share_menu_append_to  (GMenu          *menu);
void        ear_copy_address          (GtkWidget      *widget,
                                       const char     *address,
                                       gboolean        is_private);

G_END_DECLS
