/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"
#include "ear-podcast.h"
#include "ear-settings.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define EAR_TYPE_FOLDER (ear_folder_get_type ())
G_DECLARE_FINAL_TYPE (EarFolder, ear_folder, EAR, FOLDER, GObject)

/* Signals:
 *   changed ()  its podcasts have changed */
const char *ear_folder_get_name (EarFolder *self);
const char *ear_folder_get_title (EarFolder *self);
GPtrArray *ear_folder_get_podcasts (EarFolder *self);
GListModel *ear_folder_get_children (EarFolder *self);
guint ear_folder_get_count (EarFolder *self);
gboolean ear_folder_get_folded (EarFolder *self);
void ear_folder_set_folded (EarFolder *self, gboolean folded);
const char *ear_folder_get_filter (EarFolder *self);
const char *ear_folder_get_sort (EarFolder *self);
void ear_folder_arrange (EarFolder *self, const char *filter, const char *sort);
EarEpisodeQuery *ear_folder_create_query (EarFolder *self, EarEpisodeFilter filter,
                                          EarEpisodeSort sort, const char *search);

char *ear_folder_name_clean (const char *typed);
char *ear_folder_name_dup_title (const char *name);

GListModel *ear_folder_list_new (GListModel *podcasts, EarSettings *settings);

/* Orders in which podcasts are listed, values of the setting `podcast-order`: by title, by
 * the newest episode, or the listener's own, in which podcasts without a position follow by
 * title. */
#define EAR_PODCAST_ORDER_TITLE "title"
#define EAR_PODCAST_ORDER_NEWEST "newest"
#define EAR_PODCAST_ORDER_BY_HAND "by-hand"

GPtrArray *ear_podcast_order_list (GListModel *model, const char *order);

G_END_DECLS
