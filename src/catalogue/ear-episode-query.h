/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"

G_BEGIN_DECLS

/**
 * EarEpisodeFilter:
 * @EAR_FILTER_ALL: every episode
 * @EAR_FILTER_UNPLAYED: not listened
 * @EAR_FILTER_IN_PROGRESS: begun, neither listened nor removed
 * @EAR_FILTER_LIKED: liked
 * @EAR_FILTER_NEW: came while their podcast was followed, or was its newest one when that
 *   began, and neither begun nor listened nor removed
 * @EAR_FILTER_HISTORY: played, those heard last first, whatever the sort; not those that were only
 *   marked as played
 * @EAR_FILTER_DOWNLOADED: on this machine
 * @EAR_FILTER_DOWNLOADS: on this machine, or wanted there: first those wanted, in the order in which they are fetched, whatever the sort
 * @EAR_FILTER_QUEUED: in Up Next and not listened, in the order that the listener wants, whatever the sort
 * @EAR_FILTER_PLAYED: listened
 *
 * Which episodes a list shows.
 */
typedef enum
{
  EAR_FILTER_ALL,
  EAR_FILTER_UNPLAYED,
  EAR_FILTER_IN_PROGRESS,
  EAR_FILTER_LIKED,
  EAR_FILTER_NEW,
  EAR_FILTER_HISTORY,
  EAR_FILTER_DOWNLOADED,
  EAR_FILTER_DOWNLOADS,
  EAR_FILTER_QUEUED,
  EAR_FILTER_PLAYED,
} EarEpisodeFilter;

/**
 * EarEpisodeSort:
 * @EAR_SORT_NEWEST: newest first
 * @EAR_SORT_OLDEST: oldest first
 * @EAR_SORT_TITLE: by title, numbers in it by their value
 * @EAR_SORT_LONGEST: longest first
 * @EAR_SORT_RANKED: best match first; without a search, newest first
 *
 * In which order a list shows its episodes.
 */
typedef enum
{
  EAR_SORT_NEWEST,
  EAR_SORT_OLDEST,
  EAR_SORT_TITLE,
  EAR_SORT_LONGEST,
  EAR_SORT_RANKED,
} EarEpisodeSort;

/* That a mark is another one: of the position, EAR_CHANGE_BEGUN and EAR_CHANGE_HEARD say what about it. */
#define EAR_CHANGE_MARK(mark) (1 << (16 + (mark)))

/* What changed of episodes, so that a list that does not care need not ask again. */
typedef enum
{
  EAR_CHANGE_NONE = 0,
  EAR_CHANGE_DATE = 1 << 0,
  EAR_CHANGE_TEXT = 1 << 1, /* title or notes */
  EAR_CHANGE_LENGTH = 1 << 2,
  EAR_CHANGE_BEGUN = 1 << 3,
  EAR_CHANGE_LISTENED = EAR_CHANGE_MARK (EAR_MARK_LISTENED),
  EAR_CHANGE_LIKED = EAR_CHANGE_MARK (EAR_MARK_LIKED),
  EAR_CHANGE_QUEUED = EAR_CHANGE_MARK (EAR_MARK_QUEUED),
  EAR_CHANGE_REMOVED = EAR_CHANGE_MARK (EAR_MARK_REMOVED),
  EAR_CHANGE_FRESH = 1 << 6,
  EAR_CHANGE_HEARD = 1 << 7, /* when it was heard last */
  EAR_CHANGE_DOWNLOAD = 1 << 8,
  EAR_CHANGE_MOMENTS = 1 << 9, /* what is known of what is said in it, or of its chapters */
} EarEpisodeChange;

/**
 * EarEpisodePlayed:
 * @EAR_PLAYED_ANY: heard or not
 * @EAR_PLAYED_NO: not listened
 * @EAR_PLAYED_BEGUN: begun and not listened
 * @EAR_PLAYED_YES: listened
 *
 * How far episodes were heard.
 */
typedef enum
{
  EAR_PLAYED_ANY,
  EAR_PLAYED_NO,
  EAR_PLAYED_BEGUN,
  EAR_PLAYED_YES,
} EarEpisodePlayed;

/* What episodes have to be for a smart list, or by the filters in what was typed: all of it. Zero is no condition. */
typedef struct
{
  GArray *podcasts; /* (nullable) (element-type gint64): of one of these, by row id; not changed any more by anybody */
  EarEpisodePlayed played;
  gboolean liked;
  gboolean downloaded;
  gint64 shortest; /* microseconds */
  gint64 longest;  /* microseconds; one of unknown length is neither long nor short */
  guint days;      /* published in the last so many */
  guint filters;   /* bits: they have to pass these as well, each `1 << EAR_FILTER_` */
  gint64 after;    /* Unix seconds: published then or later; 0: whenever */
  gint64 before;   /* Unix seconds: published before that; 0: whenever */
} EarEpisodeTerms;

/* What the listener has kept of a moment of an episode, for searches */
typedef struct
{
  char *address; /* of the podcast */
  char *guid;
  char *text;
  gint64 time; /* microseconds */
} EarBookmarkText;

/* What a list shows; everything is answered by SQL on the reader thread. */
typedef struct
{
  gint64 podcast; /* row id, 0: all podcasts */
  EarEpisodeFilter filter;
  EarEpisodeSort sort;
  char *search; /* (nullable): words, all of which must occur (the last one as a prefix) */
  char *list;   /* (nullable): a list of the listener's own, whose episodes are meant, in his order */
  char *members; /* (nullable): what is in that, a GRefString, which the catalogue puts in when it is asked */
  GPtrArray *bookmarks; /* (nullable) (element-type EarBookmarkText): all, likewise, for a search; not changed any more by anybody */
  EarEpisodeTerms terms;
  gint64 current; /* row id, 0: none; found in any case, and besides it only unplayed episodes */
  gboolean narrowed; /* to less than its podcast, view or list has */
  guint n_first; /* how many rows are seen at once, 0: not known; another number is not another query */
} EarEpisodeQuery;

/* How far the listener is in a podcast that he hears from its first episode on. */
typedef struct
{
  guint n_episodes; /* without trailers and bonus episodes */
  guint n_heard;
  gint64 left; /* how long those last that were not heard, in microseconds */
  gint64 next; /* row id of the one to go on with, or 0 */
} EarSeriesProgress;

EarBookmarkText *ear_bookmark_text_new      (const char       *address,
                                             const char       *guid,
                                             gint64            time,
                                             const char       *text);
void             ear_bookmark_text_free     (EarBookmarkText  *self);
EarEpisodeQuery *ear_episode_query_new      (gint64            podcast,
                                             EarEpisodeFilter  filter,
                                             EarEpisodeSort    sort,
                                             const char       *search);
EarEpisodeQuery *ear_episode_query_new_list (const char        *list,
                                             EarEpisodeSort    sort,
                                             const char       *search);
void             ear_episode_query_set_terms (EarEpisodeQuery  *self,
                                              const EarEpisodeTerms *terms);
void             ear_episode_query_narrow   (EarEpisodeQuery       *self,
                                             const EarEpisodeTerms *terms);
gboolean         ear_episode_query_is_whole (const EarEpisodeQuery *self);
EarEpisodeQuery *ear_episode_query_copy     (const EarEpisodeQuery *self);
EarEpisodeQuery *ear_episode_query_new_from_text (const char        *text);
char            *ear_episode_query_to_text  (const EarEpisodeQuery *self);
void             ear_episode_query_free     (EarEpisodeQuery       *self);
EarEpisodeFilter ear_episode_filter_from_name (const char          *name);
EarEpisodeSort   ear_episode_sort_from_name (const char            *name);
gboolean         ear_episode_query_has_own_order (const EarEpisodeQuery *self);
gboolean         ear_episode_query_is_ranked (const EarEpisodeQuery *self);
gboolean         ear_episode_query_is_in_order (const EarEpisodeQuery *self);
guint            ear_episode_query_get_n_first (const EarEpisodeQuery *self);
gboolean         ear_episode_query_equal    (const EarEpisodeQuery *a,
                                             const EarEpisodeQuery *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEpisodeQuery, ear_episode_query_free)

G_END_DECLS
