/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-playback-controller.c and ear-playback-controller-resume.c */

#include "ear-playback-controller.h"

G_BEGIN_DECLS

/* Stands for the start of an unplayed episode, after the skipped part */
#define EAR_BEGINNING (-1)

/* Plays episodes for the listener: from their file or from the web, from the stored
 * position, one after the other. */
struct _EarPlaybackController
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarPlayOrder *order;
  EarHistory *history;
  EarCatalogue *catalogue;
  EarUserdataStore *state;
  EarSettings *settings;
  EarDownloader *downloader;
  EarLogins *logins;
  EarChapterControl *chapters;
  EarLists *lists;
  EarSkipEnds *skip_ends;
  EarNotices *notices;
  EarRefresher *refresher;
  EarHttp *http;
  GCancellable *cancellable;
  GCancellable *following; /* (nullable): cancels the request that follows redirects */
  EarEpisode *jumped;   /* (nullable): the episode of the last jump */
  char *last_address;   /* the episode of the last session, until it is restored */
  char *last_guid;
  gint64 last_position;
  gboolean last_started; /* @last_position is stored as the episode's position */

  gint64 heard;   /* last heard, in Unix microseconds; -1: now, 0: unknown */
  gint64 left_at; /* its position then */
  gint64 jumped_from; /* of the last jump, in microseconds */
  gint64 jumped_to;
  guint passing; /* source: skips an episode that cannot be played */
  guint n_passed; /* number of episodes skipped in a row */
  gboolean unheard; /* the episode came up automatically and has not played yet */
  gboolean stops_at_end;
  gboolean stopped;
};

gint64 ear_playback_controller_find_resumption (EarPlaybackController *self, EarEpisode *episode,
                                                gint64 position, gint64 heard);
void ear_playback_controller_resume_current (EarPlaybackController *self);

G_END_DECLS
