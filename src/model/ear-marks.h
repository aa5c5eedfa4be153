/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-state.h"
#include "ear-episode.h"

G_BEGIN_DECLS

/* An episode whose mark is another one now, as a state file describes it. */
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

/*
 * What the listener did with episodes, one or many, on its way to the state files: of one made on
 * the main thread, of many by the writer of the catalogue, as what that has changed. Not changed
 * once it is made; any thread.
 */
typedef struct
{
  EarEpisodeState state; /* what was done with each of them */
  gint64 updated;      /* when, Unix microseconds; 0: somewhere else, only the stamps tell */
  GArray *ids;         /* (element-type gint64): those whose mark was another one, rising */
  GPtrArray *podcasts; /* (element-type EarMarkedPodcast) */
  GStringChunk *texts; /* all texts of the above */
} EarMarks;

/* Looks at marks; a reference keeps them. */
typedef void (*EarMarksFunc) (EarMarks *marks,
                              gpointer  user_data);

EarMarks *ear_marks_new         (const EarEpisodeState *state,
                                 gint64                 updated);
EarMarks *ear_marks_new_for_episode (EarEpisode            *episode,
                                     const EarEpisodeState *state);
EarMarks *ear_marks_ref         (EarMarks         *self);
void      ear_marks_unref       (EarMarks         *self);
void      ear_marks_add_podcast (EarMarks         *self,
                                 gint64            podcast,
                                 const char       *address,
                                 const char       *feed_address,
                                 const char       *title);
void      ear_marks_add         (EarMarks         *self,
                                 gint64            id,
                                 gint64            podcast,
                                 EarMarkedEpisode  episode);
void      ear_marks_close       (EarMarks         *self);
gboolean  ear_marks_contain     (EarMarks         *self,
                                 gint64            id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMarks, ear_marks_unref)

G_END_DECLS
