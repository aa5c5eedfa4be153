/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-player.h"
#include "ear-state-store.h"

G_BEGIN_DECLS

#define EAR_TYPE_POSITION_KEEPER (ear_position_keeper_get_type ())
G_DECLARE_FINAL_TYPE (EarPositionKeeper, ear_position_keeper, EAR, POSITION_KEEPER, GObject)

EarPositionKeeper *ear_position_keeper_new   (EarPlayer     *player,
                                              EarCatalogue  *catalogue,
                                              EarStateStore *state);
void               ear_position_keeper_save  (EarPositionKeeper *self);
void               ear_position_keeper_set_listened (EarPositionKeeper *self,
                                                     EarEpisode        *episode,
                                                     gboolean           listened);
void               ear_position_keeper_set_position (EarPositionKeeper *self,
                                                     EarEpisode        *episode,
                                                     gint64             position);

G_END_DECLS
