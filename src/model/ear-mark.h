/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Kinds of the listener's values, as they are in state files */
typedef enum
{
  EAR_VALUE_FLAG,
  EAR_VALUE_OWN_FLAG, /* a flag, or -1 for the default */
  EAR_VALUE_SECONDS,  /* seconds, maybe with a fraction; in memory microseconds */
  EAR_VALUE_PLACE,    /* an integer of 64 bits */
  EAR_VALUE_NUMBER,   /* an integer within the bounds */
  EAR_VALUE_WORD,     /* one of the words; in memory its index */
  EAR_VALUE_TEXT,
  EAR_VALUE_RECORD,   /* an object, or null for a removed one */
} EarValueKind;

/* A value of the listener's: a mark of an episode, a setting of a podcast ... */
typedef struct
{
  const char *name; /* name of the state file's member, the property and the column */
  EarValueKind kind;
  gint64 lowest;
  gint64 highest;
  gint64 usual;             /* the default */
  const char *const *words; /* (nullable) */
} EarValueType;

/* The listener's data on an episode, each value with a stamp of its own. */
typedef enum
{
  EAR_MARK_POSITION, /* position where the listener stopped, in microseconds; its stamp is
                      * the time of playback */
  EAR_MARK_LISTENED, /* whether it was played, or marked as played */
  EAR_MARK_LIKED, /* whether it is liked */
  EAR_MARK_SHIFT, /* delay of the media against its transcript, in microseconds */
  EAR_MARK_QUEUED, /* its order in Up Next, lowest first; 0: not in Up Next */
  EAR_MARK_REMOVED, /* whether the listener removed it from New or In Progress; "archived" in
                     * files */
} EarMark;

#define EAR_N_MARKS (EAR_MARK_REMOVED + 1)

/* The listener's marks of an episode; a value counts if its stamp, Unix microseconds, is
 * not 0. The names give access to one mark, the arrays to all. */
typedef union
{
  struct
  {
    gint64 values[EAR_N_MARKS];
    gint64 updated[EAR_N_MARKS];
  };
  struct
  {
    gint64 position, listened, liked, shift, queued, archived;
    gint64 position_updated, listened_updated, liked_updated, shift_updated, queued_updated, archived_updated;
  };
} EarEpisodeState;

extern const EarValueType ear_mark_types[EAR_N_MARKS];

gint64 ear_mark_bound (EarMark mark, gint64 value);

EarEpisodeState ear_episode_state_new_mark (EarMark mark, gint64 value);
gboolean ear_episode_state_is_empty (const EarEpisodeState *self);
EarMark ear_episode_state_find_mark (const EarEpisodeState *self);
gint64 ear_episode_state_get_latest (const EarEpisodeState *self);

/* State of a download for the catalogue's filters. The numbers are stored in the database. */
typedef enum
{
  EAR_DOWNLOAD_KIND_NONE = 0,
  EAR_DOWNLOAD_KIND_WANTED = 1, /* wanted on this machine */
  EAR_DOWNLOAD_KIND_THERE = 2, /* on this machine */
} EarDownloadKind;

/* Subtracted from the place of a failed download: failed ones come first, with
 * places below 0. */
#define EAR_DOWNLOAD_FAILED_FIRST (G_MAXINT64 / 2)

/* An episode, and whether its media is wanted, or downloaded */
typedef struct
{
  char *guid;
  gint64 podcast; /* row id */
  EarDownloadKind kind;
  gint64 place;   /* order among the wanted ones, lowest first; otherwise 0 */
} EarDownloadMark;

EarDownloadMark *ear_download_mark_new (gint64 podcast, const char *guid, EarDownloadKind kind,
                                        gint64 place);
GPtrArray *ear_download_mark_new_array (void);

/* An episode with a changed mark, as described in a state file */
typedef struct
{
  const char *guid;
  const char *alias;     /* (nullable) */
  const char *title;     /* (nullable) */
  const char *enclosure; /* (nullable) */
} EarMarkedEpisode;

typedef struct
{
  const char *address;
  const char *feed_address; /* (nullable) */
  const char *title;        /* (nullable) */
  GArray *episodes;         /* (element-type EarMarkedEpisode) */
} EarMarkedPodcast;

/* The listener's marks of one or many episodes on their way to the state files. The main
 * thread makes those of one episode, the catalogue's writer those of many, from the rows
 * that it has changed. Any thread; immutable once built, but for those of the current episode,
 * which belong to the thread of the state files. */
typedef struct
{
  EarEpisodeState state; /* the marks of each episode */
  gint64 updated;      /* Unix microseconds; 0: set elsewhere, only the stamps count */
  GArray *ids;         /* (element-type gint64): episodes whose mark has changed, ascending */
  GPtrArray *podcasts; /* (element-type EarMarkedPodcast) */
  GStringChunk *texts; /* storage of all texts */
} EarMarks;

/* Called with marks; may keep a reference. */
typedef void (*EarMarksFunc) (EarMarks *marks, gpointer user_data);

EarMarks *ear_marks_new (const EarEpisodeState *state, gint64 updated);
EarMarks *ear_marks_ref (EarMarks *self);
void ear_marks_unref (EarMarks *self);
void ear_marks_add_podcast (EarMarks *self, const char *address, const char *feed_address,
                            const char *title);
void ear_marks_add (EarMarks *self, gint64 id, EarMarkedEpisode episode);
EarMarks *ear_marks_new_single (const char *address, const char *guid,
                                const EarEpisodeState *state);
const EarMarkedPodcast *ear_marks_get_podcast (const EarMarks *self);
const EarMarkedEpisode *ear_marks_get_episode (const EarMarks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMarks, ear_marks_unref)

G_END_DECLS
