/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"
#include "ear-video-output.h"

G_BEGIN_DECLS

/**
 * EarPlayerState:
 * @EAR_PLAYER_EMPTY: no episode
 * @EAR_PLAYER_PAUSED: an episode, silent (also before its media is opened)
 * @EAR_PLAYER_LOADING: waits for the first bytes, a seek, a full buffer or a lost
 *   connection before it plays
 * @EAR_PLAYER_PLAYING: sound is coming out
 * @EAR_PLAYER_ENDED: the real end of the media was reached
 * @EAR_PLAYER_FAILED: see [property@EarPlayer:error]; playing again retries
 *
 * The state of a player.
 */
typedef enum
{
  EAR_PLAYER_EMPTY,
  EAR_PLAYER_PAUSED,
  EAR_PLAYER_LOADING,
  EAR_PLAYER_PLAYING,
  EAR_PLAYER_ENDED,
  EAR_PLAYER_FAILED,
} EarPlayerState;

#define EAR_TYPE_PLAYER (ear_player_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayer, ear_player, EAR, PLAYER, GObject)

/* Properties (all notify on the main thread, on change only):
 *    episode      EarEpisode*     the current episode (read-only, see ear_player_open)
 *    state        EarPlayerState  read-only
 *    position     gint64 us       read-only; notifies 4 times a second while playing, and on seeks
 *    duration     gint64 us       read-only; the feed's until the media is opened; 0 if unknown
 *    seekable     gboolean        read-only; TRUE until the media turns out not to be
 *    buffering    int 0..100      read-only; 100: enough to play
 *    rate         double 0.5..4   keeps the pitch; kept for the next episode
 *    trim-silence gboolean        shorten pauses in speech
 *    level-volume gboolean        bring voices to one loudness
 *    time-saved   gint64 us       read-only; recording left out since the episode was opened
 *    volume       double 0..1     cubic
 *    muted        gboolean
 *    waiting      gboolean        read-only; LOADING: no network; ten minutes at most
 *    error        GError          read-only, EAR_ERROR; NULL unless FAILED
 *    video        gboolean        read-only; the video output has a picture
 *
 * Signals:
 *    seeked (gint64 position)     after every seek, once the new position is in effect
 *    ended  ()                    playback reached the real end (not a lost connection)
 *    refused (GError error, char *address) -> gboolean: TRUE: a handler looks for another address
 *    tags-changed ()              more tags are known: ear_player_get_tags() */

EarPlayer      *ear_player_new          (const char *user_agent);
void            ear_player_prepare      (EarPlayer *self);
void            ear_player_open         (EarPlayer  *self,
                                         EarEpisode *episode,
                                         const char *path,
                                         const char *address,
                                         gint64      position);
void            ear_player_set_place    (EarPlayer  *self,
                                         const char *path,
                                         const char *address);
void            ear_player_set_redirect (EarPlayer  *self,
                                         const char *address,
                                         const char *target);
void            ear_player_give_up_address (EarPlayer *self);
void            ear_player_set_credentials (EarPlayer *self,
                                            const char *user,
                                            const char *password);
void            ear_player_play         (EarPlayer  *self);
void            ear_player_pause        (EarPlayer  *self);
void            ear_player_stop         (EarPlayer  *self);
void            ear_player_seek         (EarPlayer  *self,
                                         gint64      position);
void            ear_player_seek_unasked (EarPlayer  *self,
                                         gint64      position);
void            ear_player_skip         (EarPlayer  *self,
                                         gint64      offset);
EarEpisode     *ear_player_get_episode  (EarPlayer  *self);
EarPlayerState  ear_player_get_state    (EarPlayer  *self);
gint64          ear_player_get_position (EarPlayer  *self);
gint64          ear_player_get_duration (EarPlayer  *self);
gint64          ear_player_get_size     (EarPlayer  *self);
gboolean        ear_player_get_seekable (EarPlayer  *self);
gboolean        ear_player_get_jumps_fast (EarPlayer *self);
const char     *ear_player_get_redirect (EarPlayer  *self);
gboolean        ear_player_get_moved    (EarPlayer  *self);
void            ear_player_note_move    (EarPlayer  *self);
gboolean        ear_player_get_restored (EarPlayer  *self);
gboolean        ear_player_get_jumping  (EarPlayer  *self);
double          ear_player_get_rate     (EarPlayer  *self);
void            ear_player_set_rate     (EarPlayer  *self,
                                         double      rate);
double          ear_player_get_volume   (EarPlayer  *self);
void            ear_player_set_volume   (EarPlayer  *self,
                                         double      volume);
void            ear_player_step_volume  (EarPlayer  *self,
                                         double      step);
void            ear_player_set_fade     (EarPlayer  *self,
                                         double      level);
double          ear_player_get_fade     (EarPlayer  *self);
GPtrArray      *ear_player_get_tags     (EarPlayer  *self);
const GError   *ear_player_get_error    (EarPlayer  *self);
void            ear_player_set_video_output (EarPlayer      *self,
                                             EarVideoOutput *output);
EarVideoOutput *ear_player_get_video_output (EarPlayer *self);
gboolean        ear_player_get_video    (EarPlayer  *self);
char           *ear_player_dup_version  (void);

G_END_DECLS
