/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-folders.h"
#include "ear-library.h"

G_BEGIN_DECLS

typedef enum
{
  EAR_SIDEBAR_ITEM_PODCAST,
  EAR_SIDEBAR_ITEM_QUEUE, /* Up Next */
  EAR_SIDEBAR_ITEM_NEW,
  EAR_SIDEBAR_ITEM_IN_PROGRESS,
  EAR_SIDEBAR_ITEM_DOWNLOADS,
  EAR_SIDEBAR_ITEM_SAVED, /* liked episodes, bookmarks and starred links */
  EAR_SIDEBAR_ITEM_HISTORY,
  EAR_SIDEBAR_ITEM_LIST,   /* a list of the listener's own */
  EAR_SIDEBAR_ITEM_FOLDER, /* a folder of podcasts */
} EarSidebarItemKind;

#define EAR_TYPE_SIDEBAR_ITEM (ear_sidebar_item_get_type ())
G_DECLARE_FINAL_TYPE (EarSidebarItem, ear_sidebar_item, EAR, SIDEBAR_ITEM, GObject)

EarSidebarItem *ear_sidebar_item_new_podcast (EarPodcast *podcast);
gboolean ear_sidebar_item_equal (EarSidebarItem *a, EarSidebarItem *b);
EarSidebarItemKind ear_sidebar_item_get_kind (EarSidebarItem *self);
GObject *ear_sidebar_item_get_subject (EarSidebarItem *self);
EarPodcast *ear_sidebar_item_get_podcast (EarSidebarItem *self);
EarList *ear_sidebar_item_get_list (EarSidebarItem *self);
EarFolder *ear_sidebar_item_get_folder (EarSidebarItem *self);
const char *ear_sidebar_item_get_title (EarSidebarItem *self);
const char *ear_sidebar_item_get_name (EarSidebarItem *self);
gboolean ear_sidebar_item_counts_new (EarSidebarItem *self);
char *ear_sidebar_item_describe_count (EarSidebarItem *self);
void ear_sidebar_item_set_pinned (EarSidebarItem *self, gboolean pinned);
EarEpisodeQuery *ear_sidebar_item_create_query (EarSidebarItem *self, EarEpisodeFilter filter,
                                                EarEpisodeSort sort, const char *search);
gboolean ear_sidebar_item_has_menu (EarSidebarItem *self);
GMenuModel *ear_sidebar_item_create_menu (EarSidebarItem *self);

GListModel *ear_sidebar_item_list_views (EarLibrary *library);
GListModel *ear_sidebar_item_list_rows (EarLibrary *library, GListModel *views);

G_END_DECLS
