/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the parts of EarPlayer: the class with its properties (ear-player.c), what it can be told to do
 * (ear-player-verbs.c), its picture (ear-player-video.c), how its pipeline is brought to what is wanted (ear-player-media.c), and to
 * the place that is (ear-player-jump.c), how it survives what breaks (ear-player-network.c), and what is next (ear-player-ahead.c). */

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
  char *redirect; /* (nullable): where the address leads by redirects, to be asked in its place */
  char *user;
  char *password;
  EarPipeline *pipeline; /* NULL: nothing is fetched */
  EarPipeline *ahead;    /* (nullable): of what is next */
  char *ahead_uri;       /* (nullable): where that is, also if it could not be opened */
  GPtrArray *ahead_tags; /* (element-type EarMediaTag) (nullable) */
  GError *error;
  GError *refusal; /* (nullable): why the media is not sent; another address of it is waited for */
  GPtrArray *tags; /* (element-type EarMediaTag) (nullable): what the media says of itself */
  GObject *sink_owner;
  EarVideoOutput *video_output; /* (nullable): only sound is decoded */
  GNetworkMonitor *network;
  GThread *preparing; /* (nullable): loads GStreamer ahead, or has done so */
  guint tick;
  guint watch;
  guint retry;

  /* Borrowed */
  EarPlayerSinkFunc make_sink;

  /* What is wanted */
  gboolean local;    /* the address is a file's */
  gboolean moved;    /* it has become a file's since the pipeline was opened: that goes there as soon as nobody notices */
  gboolean playing;
  gint64 target;     /* the place to be at, microseconds; -1: where it is */
  gboolean resuming; /* the target is where it was left some other time */
  gboolean jumped;   /* the target is told by `seeked` once it is reached */
  gint64 under_way;  /* the target the pipeline is going to; -1: none */
  gint64 since;      /* when that began, monotonic */
  gboolean opening;  /* the pipeline has not gone anywhere yet */
  gboolean distrusts; /* the table of contents of the media is wrong */
  gboolean whole;    /* the server sends only the whole: a position is reached by reading on */
  guint refused;     /* how often the pipeline has refused the target */
  guint repeated;    /* how often the pipeline was sent to the target again, as it had missed it */
  guint reopened;    /* how often the pipeline was made anew to reach the target */
  double rate;
  gboolean trim_silence;
  gboolean level_volume;
  double volume;
  gboolean muted;
  gboolean volume_set;
  double fade;
  guint timeout;

  /* What is */
  EarPlayerState state;
  gint64 position; /* the last one known */
  gint64 duration;
  gint64 size;     /* bytes of the media; -1: unknown */
  gint64 time_saved;
  gint64 broken;   /* where the connection broke, and was made again; -1: nowhere */
  gboolean heard;       /* anything of the episode since it was opened */
  gboolean waiting;     /* for the network */
  gint64 waiting_since; /* by the clock of ear_clock_get_boot_time(); 0: it does not wait */
  guint n_waits;        /* how often it has tried in vain since */
  gint64 suspended;     /* how long the computer has ever been, when it was looked last */
  gint64 woke;          /* when it was found that it had been, by the same clock; 0: never */
  gint64 hoped;    /* the place that could not be restored; -1: none such */
  gboolean restored;
  gboolean seekable;
  gboolean sounding;
  gboolean ended;
  gboolean position_chosen; /* the listener has chosen a position in the episode, since it was
                               opened or had ended */
  gboolean video; /* there is a picture */
  int buffering;
};

/* In ear-player.c */
void ear_player_emit_seeked   (EarPlayer *self);

/* In ear-player-media.c */
void ear_player_update_tick   (EarPlayer *self);
void ear_player_update_state  (EarPlayer *self);
void ear_player_set_error     (EarPlayer *self,
                               GError    *error);
void ear_player_arrange       (EarPlayer   *self,
                               EarPipeline *pipeline);
void ear_player_open_media    (EarPlayer *self);
void ear_player_close_media   (EarPlayer *self);

/* In ear-player-ahead.c */
void         ear_player_drop_ahead (EarPlayer               *self);
EarPipeline *ear_player_take_ahead (EarPlayer               *self,
                                    const EarPipelineEvents *own_events);

/* In ear-player-video.c */
void ear_player_add_picture   (EarPlayer *self);

/* In ear-player-network.c */
gboolean ear_player_survive             (EarPlayer    *self,
                                         const GError *error);
gboolean ear_player_await_address       (EarPlayer    *self,
                                         const GError *error);
void     ear_player_end_waiting         (EarPlayer    *self);
gboolean ear_player_move_over           (EarPlayer    *self);
void     ear_player_look_for_suspension (EarPlayer    *self);

/* In ear-player-jump.c */
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
