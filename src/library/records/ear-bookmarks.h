/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-bookmark.h"
#include "ear-chapter-control.h"
#include "ear-documents.h"
#include "ear-notices.h"
#include "ear-player.h"
#include "ear-records.h"

G_BEGIN_DECLS

#define EAR_TYPE_BOOKMARKS (ear_bookmarks_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmarks, ear_bookmarks, EAR, BOOKMARKS, GObject)

/* The listener's bookmarks in all podcasts. Main thread only. Properties, read-only:
 *   list         GListModel  of EarBookmark, newest first
 *   n-bookmarks  guint       their number */
EarBookmarks *ear_bookmarks_new (EarUserdataStore *state, EarPlayer *player,
                                 EarChapterControl *chapters, EarDocuments *documents,
                                 EarNotices *notices);
GListModel *ear_bookmarks_get_list (EarBookmarks *self);
gboolean ear_bookmarks_add (EarBookmarks *self, const char *note);
void ear_bookmarks_remove (EarBookmarks *self, EarBookmark *bookmark);
void ear_bookmarks_set_note (EarBookmarks *self, EarBookmark *bookmark, const char *note);
GPtrArray *ear_bookmarks_readdress (EarBookmarks *self, const char *from, const char *to);
void ear_bookmarks_put_back (EarBookmarks *self, GPtrArray *records);
GPtrArray *ear_bookmarks_find (EarBookmarks *self, EarEpisode *episode);
void ear_bookmarks_quote_async (EarBookmarks *self, EarEpisode *episode, gint64 time,
                                GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data);
char *ear_bookmarks_quote_finish (GAsyncResult *result, GError **error);
EarBookmark *ear_bookmarks_lookup (EarBookmarks *self, const char *id);

G_END_DECLS
