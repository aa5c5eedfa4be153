/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* For tests: other sound outputs and network monitors, and shorter timeouts. */

#include "ear-playbin.h"
#include "ear-player.h"

G_BEGIN_DECLS

void ear_player_set_sink    (EarPlayer         *self,
                             EarPlayerSinkFunc  make_sink,
                             GObject           *owner);
void ear_player_set_network (EarPlayer         *self,
                             GNetworkMonitor   *network);
void ear_player_set_timeout (EarPlayer         *self,
                             guint              seconds);

G_END_DECLS
