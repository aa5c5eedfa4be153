/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-list.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAY_ORDER (ear_play_order_get_type ())
G_DECLARE_FINAL_TYPE (EarPlayOrder, ear_play_order, EAR, PLAY_ORDER, GObject)

EarPlayOrder *ear_play_order_new (EarEpisodeList *queue);
void ear_play_order_set (EarPlayOrder *self, EarEpisodeList *list, EarEpisode *episode);
void ear_play_order_set_queued (EarPlayOrder *self, EarEpisode *episode);
void ear_play_order_pass_over (EarPlayOrder *self);
EarEpisodeList *ear_play_order_get_list (EarPlayOrder *self);
gboolean ear_play_order_is_next_queued (EarPlayOrder *self);
gboolean ear_play_order_get_can_go_next (EarPlayOrder *self);
gboolean ear_play_order_get_can_go_previous (EarPlayOrder *self);
EarEpisode *ear_play_order_dup_next (EarPlayOrder *self);
EarEpisode *ear_play_order_dup_previous (EarPlayOrder *self);

G_END_DECLS
