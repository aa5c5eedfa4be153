/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player.h"
#include "ear-settings.h"

G_BEGIN_DECLS

#define EAR_TYPE_TIME_SAVED (ear_time_saved_get_type ())
G_DECLARE_FINAL_TYPE (EarTimeSaved, ear_time_saved, EAR, TIME_SAVED, GObject)

/*
 * Properties, both of the listener's own time, in microseconds, read-only:
 *   episode  gint64  in what is in the player, since it was put there
 *   total    gint64  in all that was heard
 */

EarTimeSaved *ear_time_saved_new (EarPlayer   *player,
                                  EarSettings *settings);

G_END_DECLS
