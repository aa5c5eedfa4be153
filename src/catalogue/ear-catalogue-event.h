/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-query.h"
#include "ear-facts.h"
#include "ear-feed-check.h"
#include "ear-mark.h"
#include "ear-marks.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 id;
  EarEpisodeState state; /* members with a stamp are new */
} EarStoredState;

/* Changes of one podcast in one transaction. Empty arrays are %NULL. */
typedef struct
{
  gint64 podcast;
  GArray *inserted;  /* (element-type gint64) */
  GArray *changed;   /* (element-type gint64): sorted once the event is closed */
  GArray *removed;   /* (element-type gint64) */
  GArray *arrived;   /* (element-type gint64): inserted ones that are news */
  GArray *rewritten; /* (element-type gint64): episodes with new facts */
  GArray *states;    /* (element-type EarStoredState): from the files */
  GHashTable *renamed; /* (element-type utf8 utf8): the feed's present guids, by guid */
  EarEpisodeChange what;
  EarPodcastFacts *facts; /* (nullable) */
  EarFeedCheck *check;    /* (nullable) */
  gboolean counted;
  guint n_episodes;
  guint n_unplayed;
} EarPodcastEvent;

/* Result of an op, for its caller's task */
typedef struct
{
  GTask *task;
  EarMarks *marks; /* (nullable): the marked episodes */
  guint n_before;  /* single states stored before */
  GError *error;   /* (nullable) */
} EarDoneEvent;

/* Changes of one transaction, on their way from the writer to the main thread */
typedef struct
{
  GPtrArray *podcasts;     /* (element-type EarPodcastEvent) */
  GHashTable *by_podcast;  /* row id: EarPodcastEvent */
  GArray *acknowledged;    /* (element-type gint64): episodes, once per stored state */
  GPtrArray *done;         /* (element-type EarDoneEvent) */
  GError *error;           /* (nullable) */
  gboolean lost_episodes;    /* because of `error`, until they are fetched again */
  gboolean linked;         /* links of episodes were stored, or are outdated */
  gboolean totalled;       /* the following members were counted */
  GHashTable *news;        /* (nullable): number of each podcast's new episodes, by row id */
  guint n_in_progress;
  gboolean has_liked;
  gboolean has_heard;
  gint64 first_inserted;   /* row ids from here on are new */
} EarCatalogueEvent;

EarCatalogueEvent *ear_catalogue_event_new (gint64 first_inserted);
void ear_catalogue_event_free (EarCatalogueEvent *self);
void ear_catalogue_event_add_done (EarCatalogueEvent *self, GTask *task, EarMarks *marks,
                                   guint n_before, const GError *error);
EarPodcastEvent *ear_catalogue_event_get (EarCatalogueEvent *self, gint64 podcast);
void ear_catalogue_event_close (EarCatalogueEvent *self);
void ear_podcast_event_insert (EarPodcastEvent *self, gint64 id);
void ear_podcast_event_append (GArray **ids, gint64 id);
void ear_podcast_event_change (EarPodcastEvent *self, gint64 id, EarEpisodeChange what);
void ear_podcast_event_rewrite (EarPodcastEvent *self, gint64 id, EarEpisodeChange what);
void ear_podcast_event_rename (EarPodcastEvent *self, const char *guid, const char *alias);
void ear_podcast_event_add_state (EarPodcastEvent *self, gint64 id, const EarEpisodeState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCatalogueEvent, ear_catalogue_event_free)

G_END_DECLS
