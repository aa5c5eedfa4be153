/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notices.h"
#include "ear-player.h"

G_BEGIN_DECLS

#define EAR_TYPE_SKIP_ENDS (ear_skip_ends_get_type ())
G_DECLARE_FINAL_TYPE (EarSkipEnds, ear_skip_ends, EAR, SKIP_ENDS, GObject)

EarSkipEnds *ear_skip_ends_new (EarPlayer *player, EarNotices *notices);
gint64 ear_skip_ends_get_start (EarEpisode *episode);
gint64 ear_skip_ends_get_end (EarEpisode *episode, gint64 duration);
void ear_skip_ends_set_started (EarSkipEnds *self);

G_END_DECLS
