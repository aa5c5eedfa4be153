/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-episode.h"

G_BEGIN_DECLS

/*
 * Actions that a widget with the properties `library` (EarLibrary) and `target`
 * (EarEpisode) offers for its episode: episode.toggle-listened, episode.mark-listened,
 * episode.mark-unlistened, episode.toggle-liked, episode.like, episode.unlike,
 * episode.toggle-archived, episode.archive, episode.unarchive, episode.toggle-queued, episode.play-next, episode.play-last, episode.remove-from-queue,
 * episode.add-to-list, episode.open-link, episode.support, and those of ear-share-actions.h.
 */
void     ear_episode_actions_install      (GtkWidgetClass *widget_class);
void     ear_episode_actions_update       (GtkWidget      *widget,
                                           EarEpisode     *episode);
gboolean ear_episode_actions_can_download (EarEpisode     *episode);
void     ear_open_address                 (GtkWidget      *widget,
                                           const char     *address);
void     ear_show_in_folder               (GtkWidget      *widget,
                                           const char     *path);

G_END_DECLS
