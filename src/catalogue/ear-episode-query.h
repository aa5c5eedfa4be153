/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"
#include "ear-types.h"

G_BEGIN_DECLS

/* Filters of lists of episodes */
typedef enum
{
  EAR_FILTER_ALL, /* every episode */
  EAR_FILTER_UNPLAYED, /* not played */
  EAR_FILTER_IN_PROGRESS, /* begun, neither played nor removed */
  EAR_FILTER_LIKED, /* liked */
  EAR_FILTER_NEW, /* came while their podcast was followed, or was its newest one then, and
                   * neither begun nor played nor removed */
  EAR_FILTER_HISTORY, /* played back, most recent first, whatever the sort; not those only
                       * marked as played */
  EAR_FILTER_DOWNLOADED, /* downloaded */
  EAR_FILTER_DOWNLOADS, /* downloaded or wanted: first the wanted ones, in the order of
                         * fetching, whatever the sort */
  EAR_FILTER_QUEUED, /* in Up Next and not played, in the listener's order, whatever the sort */
  EAR_FILTER_PLAYED, /* played */
} EarEpisodeFilter;

/* Orders of lists of episodes */
typedef enum
{
  EAR_SORT_NEWEST, /* newest first */
  EAR_SORT_OLDEST, /* oldest first */
  EAR_SORT_TITLE, /* by title, numbers in it by their value */
  EAR_SORT_LONGEST, /* longest first */
  EAR_SORT_RANKED, /* best match first; without a search, newest first */
} EarEpisodeSort;

/* A mark has changed; for the position, EAR_CHANGE_BEGUN and
 * EAR_CHANGE_HEARD have details. */
#define EAR_CHANGE_MARK(mark) (1 << (16 + (mark)))

/* Kinds of changes of a podcast's episodes; lists that depend on none of them need not
 * repeat their query. */
typedef enum
{
  EAR_CHANGE_NONE = 0,
  EAR_CHANGE_DATE = 1 << 0,
  EAR_CHANGE_TEXT = 1 << 1, /* title or notes */
  EAR_CHANGE_LENGTH = 1 << 2,
  EAR_CHANGE_BEGUN = 1 << 3,
  EAR_CHANGE_INSERTED = 1 << 4, /* episodes are new, or shown again */
  EAR_CHANGE_HIDDEN = 1 << 5, /* its podcast was unfollowed, or a preview has ended */
  EAR_CHANGE_LISTENED = EAR_CHANGE_MARK (EAR_MARK_LISTENED),
  EAR_CHANGE_LIKED = EAR_CHANGE_MARK (EAR_MARK_LIKED),
  EAR_CHANGE_QUEUED = EAR_CHANGE_MARK (EAR_MARK_QUEUED),
  EAR_CHANGE_REMOVED = EAR_CHANGE_MARK (EAR_MARK_REMOVED),
  EAR_CHANGE_FRESH = 1 << 6,
  EAR_CHANGE_HEARD = 1 << 7, /* time of the last playback */
  EAR_CHANGE_DOWNLOAD = 1 << 8,
  EAR_CHANGE_MOMENTS = 1 << 9, /* transcript, chapters or bookmarks in an index */
  EAR_CHANGE_FACTS = 1 << 10, /* set by any edit, as of the enclosure; no list depends on it alone */
} EarEpisodeChange;

/* Conditions of a smart list, or of typed filters: all have to hold. Zero
 * is no condition. */
typedef struct
{
  GArray *podcasts; /* (nullable) (element-type gint64): row ids; immutable from now on */
  gint64 shortest; /* microseconds */
  gint64 longest;  /* microseconds; an unknown length passes neither condition */
  guint days;      /* published within this number of days */
  guint filters;   /* bits of filters, each `1 << EAR_FILTER_` */
  gint64 after;    /* Unix seconds: published then or later; 0: any time */
  gint64 before;   /* Unix seconds: published before; 0: any time */
  gboolean only_notes; /* a search is in titles and notes, not in transcripts and the like */
} EarEpisodeConditions;

static inline gboolean
ear_episode_conditions_have (const EarEpisodeConditions *self, EarEpisodeFilter filter)
{
  return (self->filters & (1u << filter)) != 0;
}

/* A bookmark of an episode, for searches */
typedef struct
{
  char *address; /* of the podcast */
  char *guid;
  char *text;
  gint64 time; /* microseconds */
} EarBookmarkText;

/* The query of a list; SQL on the reader thread answers it. */
typedef struct
{
  gint64 podcast; /* row id, 0: all podcasts */
  EarEpisodeFilter filter;
  EarEpisodeSort sort;
  char *search; /* (nullable): words, all of which must occur (the last one as a prefix) */
  char *list;   /* (nullable): one of the listener's own lists, in its order */
  char *members; /* (nullable): its members, a GRefString, filled in by the catalogue */
  EarEpisodeConditions terms;

  gboolean narrowed; /* has conditions besides its podcast, view or list */
  guint n_first; /* rows visible at once, 0: unknown; ignored by ear_episode_query_equal() */
} EarEpisodeQuery;

/* The listener's progress in a podcast that is played oldest first */
typedef struct
{
  guint n_episodes; /* without trailers and bonus episodes */
  guint n_heard;
  gint64 left; /* total length of the unplayed ones, in microseconds */
  gint64 next; /* row id of the episode to continue with, or 0 */
} EarSeriesProgress;

EarBookmarkText *ear_bookmark_text_new (const char *address, const char *guid, gint64 time,
                                        const char *text);
void ear_bookmark_text_free (EarBookmarkText *self);
EarEpisodeQuery *ear_episode_query_new (gint64 podcast, EarEpisodeFilter filter,
                                        EarEpisodeSort sort, const char *search);
void ear_episode_query_set_terms (EarEpisodeQuery *self, const EarEpisodeConditions *terms);
void ear_episode_query_narrow (EarEpisodeQuery *self, const EarEpisodeConditions *terms);
gboolean ear_episode_query_is_whole (const EarEpisodeQuery *self);
EarEpisodeQuery *ear_episode_query_copy (const EarEpisodeQuery *self);
EarEpisodeQuery *ear_episode_query_new_from_text (const char *text);
char *ear_episode_query_to_text (const EarEpisodeQuery *self);
void ear_episode_query_free (EarEpisodeQuery *self);
EarEpisodeFilter ear_episode_filter_from_name (const char *name);
EarEpisodeSort ear_episode_sort_from_name (const char *name);
gboolean ear_episode_query_has_own_order (const EarEpisodeQuery *self);
gboolean ear_episode_query_is_ranked (const EarEpisodeQuery *self);
gboolean ear_episode_query_is_in_order (const EarEpisodeQuery *self);
gboolean ear_episode_query_equal (const EarEpisodeQuery *a, const EarEpisodeQuery *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEpisodeQuery, ear_episode_query_free)

/* A query for links, each once, those of the newest episodes first */
typedef struct
{
  gint64 podcast; /* row id of the podcast whose links are wanted, or 0 for all followed ones */
  int kind; /* the wanted kind, or -1 */
  char *host; /* (nullable): the wanted host */
  gboolean listened; /* whether only the links of played episodes are wanted */
  GArray *only; /* (nullable) (element-type gint64): ids of the only wanted links
                 * (ear_link_address_make_id()) */
  GArray *without; /* (nullable) (element-type gint64): ids of links to exclude */
  char *search; /* (nullable): words that occur in an episode's words for a link, or in its
                 * address */
} EarLinkQuery;

/* The first mention of a link, and the number of matching episodes with it */
typedef struct
{
  gint64 id; /* row id of the mention */
  guint n_episodes;
} EarLinkRef;

/* Returns: (transfer full) (element-type EarLinkFacts): the links of notes, %EAR_LINKS_LIMIT at
 *   most
 * @notes: (nullable): the notes
 * @base: (nullable): the base of relative links */
typedef GPtrArray *(*EarLinksFunc) (const char *notes, const char *base);

EarLinkQuery *ear_link_query_new (void);
EarLinkQuery *ear_link_query_copy (const EarLinkQuery *self);
void ear_link_query_free (EarLinkQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarLinkQuery, ear_link_query_free)

G_END_DECLS
