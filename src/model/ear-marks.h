/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"
#include "ear-mark.h"

G_BEGIN_DECLS

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
  gint64 podcast;
  const char *address;
  const char *feed_address; /* (nullable) */
  const char *title;        /* (nullable) */
  GArray *episodes;         /* (element-type EarMarkedEpisode) */
} EarMarkedPodcast;

/* The listener's marks of one or many episodes on their way to the state files. The main
 * thread makes those of one episode, the catalogue's writer those of many, from the rows
 * that it has changed. Immutable once built; any thread. */
typedef struct
{
  EarEpisodeState state; /* the marks of each episode */
  gint64 updated;      /* Unix microseconds; 0: set elsewhere, only the stamps count */
  GArray *ids;         /* (element-type gint64): episodes whose mark has changed, ascending */
  GPtrArray *podcasts; /* (element-type EarMarkedPodcast) */
  GStringChunk *texts; /* storage of all texts */
} EarMarks;

/* Called with marks; may keep a reference. */
typedef void (*EarMarksFunc) (EarMarks *marks,
                              gpointer  user_data);

EarMarks *ear_marks_new (const EarEpisodeState *state, gint64 updated);
EarMarks *ear_marks_new_for_episode (EarEpisode *episode, const EarEpisodeState *state);
EarMarks *ear_marks_ref (EarMarks *self);
void ear_marks_unref (EarMarks *self);
void ear_marks_add_podcast (EarMarks *self, gint64 podcast, const char *address,
                            const char *feed_address, const char *title);
void ear_marks_add (EarMarks *self, gint64 id, gint64 podcast, EarMarkedEpisode episode);
EarMarks *ear_marks_new_single (const char *address, EarMarkedEpisode episode,
                                const EarEpisodeState *state);
const EarMarkedPodcast *ear_marks_get_podcast (const EarMarks *self);
const EarMarkedEpisode *ear_marks_get_episode (const EarMarks *self);
void ear_marks_close (EarMarks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMarks, ear_marks_unref)

G_END_DECLS
