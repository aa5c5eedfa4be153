/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by ear-history.c and ear-history-player.c */

#include "ear-history.h"

G_BEGIN_DECLS

struct _EarHistory
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarNotices *notices;
  EarCatalogue *catalogue; /* (nullable): %NULL while closed */
  EarUserdataStore *state;    /* (nullable): %NULL while closed */
  EarEpisode *episode;     /* (nullable): the episode in the player */
  guint save_id;
  guint place_id;
  gint64 counted_at; /* monotonic time of @counted_position; 0 while paused */
  gint64 counted_position;
  gint64 heard;        /* microseconds played before the episode counts as started */
  gboolean started;    /* the episode counts as started */
  gboolean near_end; /* playback came near the end, with no seek since */
};

/* ear-history.c */
void ear_history_keep (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value);

/* ear-history-player.c */
void ear_history_follow_player (EarHistory *self);
void ear_history_leave_player (EarHistory *self);

G_END_DECLS
