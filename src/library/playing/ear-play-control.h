/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapter-control.h"
#include "ear-downloader.h"
#include "ear-history.h"
#include "ear-lists.h"
#include "ear-logins.h"
#include "ear-notices.h"
#include "ear-play-order.h"
#include "ear-refresher.h"
#include "ear-settings.h"
#include "ear-skip-ends.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAY_CONTROL (ear_play_control_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayControl, ear_play_control, EAR, PLAY_CONTROL, GObject)

EarPlayControl *ear_play_control_new           (EarPlayer        *player,
                                                EarPlayOrder     *order,
                                                EarHistory       *history,
                                                EarCatalogue     *catalogue,
                                                EarUserdataStore *state,
                                                EarSettings      *settings,
                                                EarDownloader    *downloader,
                                                EarLogins        *logins,
                                                EarChapterControl *chapters,
                                                EarLists         *lists,
                                                EarSkipEnds      *skip_ends,
                                                EarNotices       *notices,
                                                EarRefresher     *refresher,
                                                EarHttp          *http);
void            ear_play_control_restore       (EarPlayControl *self);
void            ear_play_control_stop          (EarPlayControl *self);
void            ear_play_control_leave         (EarPlayControl *self,
                                                EarPodcast     *podcast);
void            ear_play_control_return        (EarPlayControl *self,
                                                EarPodcast     *podcast);
void            ear_play_control_play          (EarPlayControl *self,
                                                EarEpisode     *episode,
                                                EarEpisodeList *list);
void            ear_play_control_toggle        (EarPlayControl *self,
                                                EarEpisode     *episode,
                                                EarEpisodeList *list);
void            ear_play_control_seek          (EarPlayControl *self,
                                                EarEpisode     *episode,
                                                EarEpisodeList *list,
                                                gint64          position);
void            ear_play_control_jump          (EarPlayControl *self,
                                                gint64          position);
void            ear_play_control_pause_at      (EarPlayControl *self,
                                                gint64          position);
void            ear_play_control_set_stops_at_end (EarPlayControl *self,
                                                   gboolean        stops);
void            ear_play_control_skip_back     (EarPlayControl *self);
void            ear_play_control_skip_forward  (EarPlayControl *self);
void            ear_play_control_next          (EarPlayControl *self);
void            ear_play_control_previous      (EarPlayControl *self);
void            ear_play_control_resume_async  (EarPlayControl     *self,
                                                GAsyncReadyCallback callback,
                                                gpointer            user_data);
gboolean        ear_play_control_resume_finish (EarPlayControl *self,
                                                GAsyncResult   *result,
                                                GError        **error);
void            ear_play_control_continue_async  (EarPlayControl      *self,
                                                  EarPodcast          *podcast,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
gboolean        ear_play_control_continue_finish (EarPlayControl *self,
                                                  GAsyncResult   *result,
                                                  GError        **error);
gboolean        ear_play_control_can_resume    (EarPlayControl *self);
gint64          ear_play_control_get_time      (EarPlayControl *self,
                                                EarEpisode     *episode);

G_END_DECLS
