/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-folder.h"
#include "ear-library.h"

G_BEGIN_DECLS

/**
 * EarCollectionKind:
 * @EAR_COLLECTION_PODCAST: the episodes of one podcast
 * @EAR_COLLECTION_QUEUE: what the listener wants to hear next, of all podcasts
 * @EAR_COLLECTION_NEW: what came and was not touched yet, of all podcasts
 * @EAR_COLLECTION_IN_PROGRESS: what was begun, of all podcasts
 * @EAR_COLLECTION_DOWNLOADS: what is on this machine, or wanted there, of all podcasts
 * @EAR_COLLECTION_SAVED: what the listener likes, of all podcasts, and his bookmarks
 * @EAR_COLLECTION_HISTORY: what was heard, of all podcasts
 * @EAR_COLLECTION_LIST: a list of the listener's own
 * @EAR_COLLECTION_FOLDER: the episodes of all podcasts in a folder
 *
 * What a row of the sidebar stands for.
 */
typedef enum
{
  EAR_COLLECTION_PODCAST,
  EAR_COLLECTION_QUEUE,
  EAR_COLLECTION_NEW,
  EAR_COLLECTION_IN_PROGRESS,
  EAR_COLLECTION_DOWNLOADS,
  EAR_COLLECTION_SAVED,
  EAR_COLLECTION_HISTORY,
  EAR_COLLECTION_LIST,
  EAR_COLLECTION_FOLDER,
} EarCollectionKind;

#define EAR_TYPE_COLLECTION (ear_collection_get_type ())
G_DECLARE_FINAL_TYPE (EarCollection, ear_collection, EAR, COLLECTION, GObject)

EarCollection    *ear_collection_new_podcast  (EarPodcast        *podcast);
gboolean          ear_collection_equal        (EarCollection     *a,
                                               EarCollection     *b);
EarCollectionKind ear_collection_get_kind     (EarCollection     *self);
EarPodcast       *ear_collection_get_podcast  (EarCollection     *self);
EarList          *ear_collection_get_list     (EarCollection     *self);
EarFolder        *ear_collection_get_folder   (EarCollection     *self);
const char       *ear_collection_get_title    (EarCollection     *self);
const char       *ear_collection_get_name     (EarCollection     *self);
const char       *ear_collection_get_icon_name (EarCollection    *self);
guint             ear_collection_get_count    (EarCollection     *self);
EarEpisodeQuery  *ear_collection_create_query (EarCollection     *self,
                                               EarEpisodeFilter   filter,
                                               EarEpisodeSort     sort,
                                               const char        *search);
gboolean          ear_collection_counts_new   (EarCollection     *self);
gboolean          ear_collection_has_menu     (EarCollection     *self);
GMenuModel       *ear_collection_create_menu  (EarCollection     *self);
GListModel       *ear_collection_list_new     (EarLibrary        *library);

G_END_DECLS
