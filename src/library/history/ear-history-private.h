/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-history.c and its topic, the file ear-history-player.c, share. */

#include "ear-history.h"

G_BEGIN_DECLS

struct _EarHistory
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarNotices *notices;
  EarCatalogue *catalogue; /* (nullable): %NULL while it is closed, and so is the next one */
  EarUserdataStore *state;    /* (nullable) */
  EarEpisode *episode;     /* (nullable): the one in the player, whose playback we show */
  guint save_id;
  guint place_id;
  gint64 counted_at; /* monotonic: when @counted_position was looked at; 0 while nothing is heard */
  gint64 counted_position;
  gint64 heard;        /* microseconds of the episode, as long as it is not started */
  gboolean started;    /* it has a position that is kept */
  gboolean near_end; /* it was heard there, and not left since */
};

/* The object */
void ear_history_keep          (EarHistory *self,
                                EarEpisode *episode,
                                EarMark     mark,
                                gint64      value);

/* What plays */
void ear_history_follow_player (EarHistory *self);
void ear_history_leave_player  (EarHistory *self);

G_END_DECLS
