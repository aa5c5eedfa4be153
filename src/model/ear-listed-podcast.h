/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"

G_BEGIN_DECLS

/* An episode that the listener used in another program */
typedef struct
{
  char *guid;      /* (nullable) */
  char *enclosure; /* (nullable): URL of its media; not NULL where guid is */
  char *title;     /* (nullable) */
  EarEpisodeState state; /* a place in Up Next is a rank within the list */
} EarListedEpisode;

/* A podcast on a list to import: from a file (OPML), or from another program */
typedef struct
{
  char *address;       /* (nullable): URL of the feed; NULL if it is not on the web */
  char *title;         /* (nullable) */
  char *link;          /* (nullable): URL of the podcast's web page */
  char *folder;        /* (nullable): names of the folders around it, joined by "/" */
  guint n_repeated;    /* further entries with the same URL */
  gboolean unfollowed; /* the other program knows it, but does not follow it */
  GPtrArray *episodes; /* (element-type EarListedEpisode) */
} EarListedPodcast;

EarListedPodcast *ear_listed_podcast_new (void);
EarListedPodcast *ear_listed_podcast_ref (EarListedPodcast *self);
void ear_listed_podcast_unref (EarListedPodcast *self);
gboolean ear_listed_podcast_can_follow (const EarListedPodcast *self);
void ear_listed_episode_free (EarListedEpisode *self);
GPtrArray *ear_listed_podcasts_new (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarListedPodcast, ear_listed_podcast_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarListedEpisode, ear_listed_episode_free)

G_END_DECLS
