/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-chapter-control.h"
#include "ear-history.h"
#include "ear-logins.h"
#include "ear-play-order.h"
#include "ear-services.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAYBACK_CONTROLLER (ear_playback_controller_get_type ())
G_DECLARE_FINAL_TYPE (EarPlaybackController,
                      ear_playback_controller,
                      EAR,
                      PLAYBACK_CONTROLLER,
                      GObject)

EarPlaybackController *ear_playback_controller_new (const EarServices *services);
void ear_playback_controller_restore (EarPlaybackController *self);
void ear_playback_controller_stop (EarPlaybackController *self);
void ear_playback_controller_leave (EarPlaybackController *self, EarPodcast *podcast);
void ear_playback_controller_return (EarPlaybackController *self);
void ear_playback_controller_play (EarPlaybackController *self, EarEpisode *episode,
                                   EarEpisodeList *list);
void ear_playback_controller_toggle (EarPlaybackController *self, EarEpisode *episode,
                                     EarEpisodeList *list);
void ear_playback_controller_seek (EarPlaybackController *self, EarEpisode *episode,
                                   EarEpisodeList *list, gint64 position);
void ear_playback_controller_jump (EarPlaybackController *self, gint64 position);
void ear_playback_controller_pause_at (EarPlaybackController *self, gint64 position);
void ear_playback_controller_set_stops_at_end (EarPlaybackController *self, gboolean stops);
void ear_playback_controller_skip_back (EarPlaybackController *self);
void ear_playback_controller_skip_forward (EarPlaybackController *self);
void ear_playback_controller_next (EarPlaybackController *self);
void ear_playback_controller_previous (EarPlaybackController *self);
void ear_playback_controller_resume_async (EarPlaybackController *self,
                                           GAsyncReadyCallback callback, gpointer user_data);
void ear_playback_controller_continue_async (EarPlaybackController *self, EarPodcast *podcast,
                                             GAsyncReadyCallback callback, gpointer user_data);
gboolean ear_playback_controller_resume_finish (EarPlaybackController *self, GAsyncResult *result,
                                                GError **error);
gint64 ear_playback_controller_get_rewind (gint64 pause);
gint64 ear_playback_controller_get_end (EarEpisode *episode, gint64 duration);
void ear_playback_controller_lengthen_pause (EarPlaybackController *self, gint64 length);
gint64 ear_playback_controller_get_time (EarPlaybackController *self, EarEpisode *episode);

G_END_DECLS
