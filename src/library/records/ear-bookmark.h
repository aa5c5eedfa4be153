/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"
#include "ear-episode.h"

G_BEGIN_DECLS

/* Maximum length of a note in bytes; longer ones from files are cut. */
#define EAR_BOOKMARK_TEXT_LIMIT 4000

#define EAR_TYPE_BOOKMARK (ear_bookmark_get_type ())
G_DECLARE_FINAL_TYPE (EarBookmark, ear_bookmark, EAR, BOOKMARK, GObject)

/* A position in an episode that the listener wants to find again. It has all the data to
 * show it, even if the episode is no longer in its feed. Main thread only. Properties,
 * all read-only:
 *   title    char*   title of the episode
 *   podcast  char*   title of its podcast
 *   time     gint64  position in microseconds
 *   text     char*   (nullable) the spoken sentence, or else the chapter
 *   note     char*   (nullable) the listener's note
 *   created  gint64  Unix seconds */
EarBookmark *ear_bookmark_new_for_episode (EarEpisode *episode, gint64 time);
EarBookmark *ear_bookmark_new_for_value (const char *id, GVariant *value);
GVariant *ear_bookmark_change_value (EarBookmark *self, GVariant *value);
void ear_bookmark_take (EarBookmark *self, EarBookmark *from);
void ear_bookmark_set_text (EarBookmark *self, const char *text);
void ear_bookmark_set_note (EarBookmark *self, const char *note);
gboolean ear_bookmark_is_in (EarBookmark *self, EarEpisode *episode);
const char *ear_bookmark_get_id (EarBookmark *self);
char *ear_bookmark_dup_key (EarBookmark *self);
const char *ear_bookmark_get_title (EarBookmark *self);
const char *ear_bookmark_get_podcast (EarBookmark *self);
const char *ear_bookmark_get_text (EarBookmark *self);
const char *ear_bookmark_get_note (EarBookmark *self);
gint64 ear_bookmark_get_time (EarBookmark *self);
gint64 ear_bookmark_get_created (EarBookmark *self);
char *ear_bookmark_dup_link (EarBookmark *self);
EarBookmarkText *ear_bookmark_create_text (EarBookmark *self);
gboolean ear_bookmark_matches (EarBookmark *self, const char *words);

G_END_DECLS
