/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"
#include "ear-episode-state.h"
#include "ear-facts.h"
#include "ear-feed-check.h"
#include "ear-marks.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 id;
  EarEpisodeState state; /* a member is a new one when its stamp is not 0 */
} EarStoredState;

/* What one transaction did to one podcast. Arrays are %NULL while they are empty. */
typedef struct
{
  gint64 podcast;
  GArray *inserted;  /* (element-type gint64) */
  GArray *changed;   /* (element-type gint64): sorted once the event is closed */
  GArray *removed;   /* (element-type gint64) */
  GArray *arrived;   /* (element-type gint64): those of the inserted ones that are news */
  GArray *rewritten; /* (element-type gint64): whose facts are other ones now */
  GArray *states;    /* (element-type EarStoredState): that came from the files */
  GHashTable *renamed; /* (element-type utf8 utf8): by guid, what their feed calls them now */
  EarEpisodeChange what;
  EarPodcastFacts *facts; /* (nullable) */
  EarFeedCheck *check;    /* (nullable) */
  gboolean counted;
  guint n_episodes;
  guint n_unplayed;
} EarPodcastEvent;

/* Who asked for episodes to be marked, and what became of it. */
typedef struct
{
  GTask *task;
  EarMarks *marks; /* (nullable): %NULL when that failed */
  guint n_before;  /* how many episodes' own states were stored before */
  GError *error;   /* (nullable) */
} EarMarkedEvent;

/* What one transaction did, on its way from the writer to the main thread. */
typedef struct
{
  GPtrArray *podcasts;     /* (element-type EarPodcastEvent) */
  GHashTable *by_podcast;  /* row id: EarPodcastEvent */
  GArray *acknowledged;    /* (element-type gint64): episodes whose own state was stored */
  GPtrArray *flushed;      /* (element-type GTask) */
  GPtrArray *marked;       /* (element-type EarMarkedEvent) */
  GError *error;           /* (nullable) */
  double indexed;          /* how much of the texts can be searched, 0 to 1; -1 when it is as before */
  gboolean stopped_indexing; /* for `error`, until the next session */
  gboolean lost_episodes;    /* by `error`, until they are fetched again */
  gboolean linked;         /* what episodes link to was found, or is to be */
  gboolean totalled;       /* the following were counted */
  GHashTable *news;        /* (nullable): how many of each podcast are new, by row id */
  guint n_in_progress;
  gboolean has_liked;
  gboolean has_heard;
  gint64 first_inserted;   /* row ids from here on are new ones */
} EarCatalogueEvent;

EarCatalogueEvent *ear_catalogue_event_new     (gint64             first_inserted);
void               ear_catalogue_event_free    (EarCatalogueEvent *self);
void               ear_catalogue_event_add_marks (EarCatalogueEvent *self,
                                                  GTask             *task,
                                                  EarMarks          *marks,
                                                  guint              n_before,
                                                  const GError      *error);
EarPodcastEvent   *ear_catalogue_event_get     (EarCatalogueEvent *self,
                                                gint64             podcast);
void               ear_catalogue_event_close   (EarCatalogueEvent *self);
void               ear_podcast_event_insert    (EarPodcastEvent   *self,
                                                gint64             id);
void               ear_podcast_event_append    (GArray           **ids,
                                                gint64             id);
void               ear_podcast_event_change    (EarPodcastEvent   *self,
                                                gint64             id,
                                                EarEpisodeChange what);
void               ear_podcast_event_rewrite   (EarPodcastEvent   *self,
                                                gint64             id,
                                                EarEpisodeChange what);
void               ear_podcast_event_rename    (EarPodcastEvent   *self,
                                                const char        *guid,
                                                const char        *alias);
void               ear_podcast_event_add_state (EarPodcastEvent       *self,
                                                gint64                 id,
                                                const EarEpisodeState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueEvent, ear_catalogue_event_free)

G_END_DECLS
