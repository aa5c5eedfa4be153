/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the parts of EarPlayer: properties (ear-player.c), public verbs
 * (ear-player-verbs.c), picture (ear-player-video.c), the state of the pipeline
 * (ear-player-media.c), seeking (ear-player-jump.c) and recovery from lost connections
 * (ear-player-network.c). */

#include "ear-pipeline.h"
#include "ear-player-private.h"
#include "ear-property.h"

G_BEGIN_DECLS

struct _EarPlayer
{
  GObject parent_instance;

  /* Owned */
  char *user_agent;
  EarEpisode *episode;
  char *uri;
  char *redirect; /* (nullable): target of the URI's redirects, used in its place */
  char *user;
  char *password;
  EarPipeline *pipeline; /* NULL while nothing is fetched */
  GError *error;
  GError *refusal; /* (nullable): refusal of the server, while another address is awaited */
  GPtrArray *tags; /* (element-type EarMediaTag) (nullable): tags of the media */
  GObject *sink_owner;
  EarVideoOutput *video_output; /* (nullable): without it only sound is decoded */
  GNetworkMonitor *network;
  GThread *preparing; /* (nullable): loads GStreamer in advance; joined at the end */
  guint tick;
  guint watch;
  guint retry;

  /* Borrowed */
  EarPlayerSinkFunc make_sink;

  /* Wanted state */
  gboolean local;    /* the URI is a file's */
  gboolean moved;    /* it became one since the pipeline was opened: switch at the next silence */
  gboolean playing;
  gint64 target;     /* position to seek to, microseconds; -1: none */
  gboolean resuming; /* @target is the position saved earlier */
  gboolean jumped;   /* emit `seeked` once @target is reached */
  gint64 under_way;  /* target of the seek in progress; -1: none */
  gint64 since;      /* start of the seek, monotonic */
  gboolean opening;  /* the pipeline has not started its first seek */
  gboolean distrusts; /* the table of contents of the media is wrong */
  gboolean whole;    /* the server sends no ranges: the player reads on to a position */
  guint refused;     /* how often the pipeline refused the target */
  guint repeated;    /* how often the pipeline was sent again to a missed target */
  guint reopened;    /* how often the pipeline was opened again to reach the target */
  double rate;
  gboolean trim_silence;
  gboolean level_volume;
  double volume;
  gboolean muted;
  gboolean volume_set;
  double fade;
  guint timeout;

  /* Actual state */
  EarPlayerState state;
  gint64 position; /* last known position */
  gint64 duration;
  gint64 size;     /* bytes of the media; -1: unknown */
  gint64 time_saved;
  gint64 broken;   /* position at which the connection broke and was made again; -1: none */
  gboolean heard;       /* any sound of the episode since it was opened */
  gboolean waiting;     /* for the network */
  gint64 waiting_since; /* by ear_clock_get_boot_time(); 0: not waiting */
  guint n_waits;        /* failed tries since then */
  gint64 suspended;     /* total time the computer has been suspended, at the last check */
  gint64 woke;          /* when a suspension was last found, by the same clock; 0: never */
  gint64 hoped;    /* position that could not be restored; -1: none */
  gboolean restored;
  gboolean seekable;
  gboolean sounding;
  gboolean ended;
  gboolean position_chosen; /* by the listener, since the episode was opened or ended */
  gboolean video; /* a picture can be shown */
  int buffering;
};

/* ear-player.c */
void ear_player_emit_seeked   (EarPlayer *self);

/* ear-player-media.c */
void ear_player_update_tick   (EarPlayer *self);
void ear_player_update_state  (EarPlayer *self);
void ear_player_set_error     (EarPlayer *self,
                               GError    *error);
void ear_player_arrange       (EarPlayer   *self,
                               EarPipeline *pipeline);
void ear_player_open_media    (EarPlayer *self);
void ear_player_close_media   (EarPlayer *self);

/* ear-player-video.c */
void ear_player_add_picture   (EarPlayer *self);

/* ear-player-network.c */
gboolean ear_player_survive             (EarPlayer    *self,
                                         const GError *error);
gboolean ear_player_await_address       (EarPlayer    *self,
                                         const GError *error);
void     ear_player_end_waiting         (EarPlayer    *self);
gboolean ear_player_move_over           (EarPlayer    *self);
void     ear_player_look_for_suspension (EarPlayer    *self);

/* ear-player-jump.c */
void ear_player_go_on         (EarPlayer *self,
                               gint64     done);
void ear_player_move          (EarPlayer *self);
void ear_player_show_place    (EarPlayer *self);
void     ear_player_check_length    (EarPlayer *self);
gboolean ear_player_can_read_on     (EarPlayer *self);
void     ear_player_prepare_reading (EarPlayer *self);
void     ear_player_check_reading   (EarPlayer *self);
void     ear_player_give_up_reading (EarPlayer *self);

G_END_DECLS
