/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the files of EarPlayControl share. */

#include "ear-play-control.h"

G_BEGIN_DECLS

/* In place of a position: where an episode begins for who has not heard any of it, behind what he never wants to hear. */
#define EAR_BEGINNING (-1)

/**
 * EarPlayControl:
 *
 * Plays episodes as the listener asks for them: from this machine or from the web, from where he
 * stopped, one after the other.
 */
struct _EarPlayControl
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
  GCancellable *following; /* (nullable): of the request that follows redirects of the media */
  EarEpisode *jumped;   /* (nullable): in which the listener has gone to another place last */
  EarEpisode *left;     /* (nullable): was in the player when its podcast was unfollowed */
  char *last_address;   /* what was in the player the last time, until it is there again */
  char *last_guid;
  gint64 last_position;
  gboolean last_started; /* that is a position of the episode's */

  gint64 heard;   /* when what is in the player was heard last, Unix microseconds; -1: now, 0: nobody knows */
  gint64 left_at; /* where that was */
  gint64 jumped_from; /* microseconds */
  gint64 jumped_to;
  guint ahead; /* source: looks for the end of what plays */
  guint passing; /* source: passes over what cannot be played */
  guint n_passed; /* in a row */
  gboolean unheard; /* what is in the player came by itself, and was not heard yet */
  gboolean stops_at_end;
  gboolean stopped;
};

/* In ear-play-control.c */
void   ear_play_control_open_media      (EarPlayControl *self,
                                         EarEpisode     *episode,
                                         gint64          position);

const char *ear_play_control_get_address (EarEpisode *episode);
gboolean ear_play_control_goes_on       (EarPlayControl *self);

/* In ear-play-control-ahead.c */
void   ear_play_control_watch_end       (EarPlayControl *self);

/* In ear-play-control-pass.c */
void   ear_play_control_next_by_itself  (EarPlayControl *self);
void   ear_play_control_watch_failures  (EarPlayControl *self);

/* In ear-play-control-renew.c */
void   ear_play_control_watch_refusals  (EarPlayControl *self);

/* In ear-play-control-rewind.c */
gint64 ear_play_control_find_resumption (EarPlayControl *self,
                                         EarEpisode     *episode,
                                         gint64          position,
                                         gint64          heard);
void   ear_play_control_go_on           (EarPlayControl *self);
void   ear_play_control_watch_pauses    (EarPlayControl *self);

G_END_DECLS
