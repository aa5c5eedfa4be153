/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapter-control.h"
#include "ear-episode.h"
#include "ear-services.h"

G_BEGIN_DECLS

/* Maximum length of a note in bytes; longer ones from files are cut. */
#define EAR_BOOKMARK_TEXT_LIMIT 4000

#define EAR_TYPE_BOOKMARK (ear_bookmark_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmark, ear_bookmark, EAR, BOOKMARK, GObject)

/* A position in an episode that the listener wants to find again. The titles are
 * copies, as the episode may leave its feed. The text is the spoken sentence, or else the
 * chapter. Main thread only. Signal:
 *   changed ()  the record was changed, here or elsewhere */
EarBookmark *ear_bookmark_new_for_value (const char *id, GVariant *value);
GVariant *ear_bookmark_change_value (EarBookmark *self, GVariant *value);
gboolean ear_bookmark_is_in (EarBookmark *self, EarEpisode *episode);
const char *ear_bookmark_get_id (EarBookmark *self);
char *ear_bookmark_dup_key (EarBookmark *self);
const char *ear_bookmark_get_title (EarBookmark *self);
const char *ear_bookmark_get_podcast (EarBookmark *self);
const char *ear_bookmark_get_text (EarBookmark *self);
const char *ear_bookmark_get_note (EarBookmark *self);
gint64 ear_bookmark_get_time (EarBookmark *self);
char *ear_bookmark_dup_link (EarBookmark *self);
char *ear_bookmark_dup_quotation (EarBookmark *bookmark);
gboolean ear_bookmark_matches (EarBookmark *self, const char *words);

#define EAR_TYPE_BOOKMARKS (ear_bookmarks_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmarks, ear_bookmarks, EAR, BOOKMARKS, GObject)

/* The listener's bookmarks in all podcasts. Main thread only. Properties, read-only:
 *   n-bookmarks  guint  their number */
EarBookmarks *ear_bookmarks_new (const EarServices *services);
GListModel *ear_bookmarks_get_list (EarBookmarks *self);
gboolean ear_bookmarks_add (EarBookmarks *self, const char *note);
void ear_bookmarks_remove (EarBookmarks *self, EarBookmark *bookmark);
void ear_bookmarks_set_note (EarBookmarks *self, EarBookmark *bookmark, const char *note);
void ear_bookmarks_readdress (EarBookmarks *self, const char *from, const char *to);
GPtrArray *ear_bookmarks_find (EarBookmarks *self, EarEpisode *episode);
void ear_bookmarks_quote_async (EarBookmarks *self, EarEpisode *episode, gint64 time,
                                GAsyncReadyCallback callback, gpointer user_data);
EarBookmark *ear_bookmarks_lookup (EarBookmarks *self, const char *id);

void ear_bookmark_peek_async (const char *data_directory, GAsyncReadyCallback callback,
                              gpointer user_data);

G_END_DECLS
