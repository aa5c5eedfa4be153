/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-listening.h"
#include "ear-player.h"

G_BEGIN_DECLS

#define EAR_TYPE_LISTENING_METER (ear_listening_meter_get_type ())
G_DECLARE_FINAL_TYPE (EarListeningMeter, ear_listening_meter, EAR, LISTENING_METER, GObject)

/* Properties, both of time saved by trimming silence, in microseconds, read-only:
 *   episode  gint64  in the current episode since it was opened
 *   total    gint64  in all listening */
EarListeningMeter *ear_listening_meter_new (EarPlayer *player, EarListening *listening);
void ear_listening_meter_keep (EarListeningMeter *self);

G_END_DECLS
