/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player.h"
#include "ear-settings.h"
#include "ear-subscriptions.h"

G_BEGIN_DECLS

#define EAR_TYPE_PLAYBACK_SETTINGS (ear_playback_settings_get_type ())
G_DECLARE_FINAL_TYPE (EarPlaybackSettings, ear_playback_settings, EAR, PLAYBACK_SETTINGS, GObject)

/* Properties:
 *   own      gboolean     whether the current podcast has its own settings
 *   podcast  EarPodcast*  read-only; the current podcast, if it can have settings */

EarPlaybackSettings *ear_playback_settings_new (const EarServices *services);
void ear_playback_settings_begin_change (EarPlaybackSettings *self);
void ear_playback_settings_end_change (EarPlaybackSettings *self);

G_END_DECLS
