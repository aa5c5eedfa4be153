/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-player.h"
#include "ear-refresher.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

#define EAR_TYPE_UPKEEP (ear_upkeep_get_type ())
G_DECLARE_FINAL_TYPE (EarUpkeep, ear_upkeep, EAR, UPKEEP, GObject)

EarUpkeep *ear_upkeep_new (EarCatalogue *catalogue, EarUserdataStore *state, EarPlayer *player,
                           EarRefresher *refresher);
void ear_upkeep_start (EarUpkeep *self, guint pause);
void ear_upkeep_stop (EarUpkeep *self);

G_END_DECLS
