/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-playback-controller.h"

G_BEGIN_DECLS

#define EAR_TYPE_SLEEP_TIMER (ear_sleep_timer_get_type ())
G_DECLARE_FINAL_TYPE (EarSleepTimer, ear_sleep_timer, EAR, SLEEP_TIMER, GObject)

/* Choices besides a number of minutes */
#define EAR_SLEEP_OFF "off"
#define EAR_SLEEP_EPISODE "episode"
#define EAR_SLEEP_CHAPTER "chapter"

/* Maximum: twelve hours */
#define EAR_SLEEP_MINUTES_MAX (12 * 60)

EarSleepTimer *ear_sleep_timer_new (const EarServices *services);
gboolean ear_sleep_timer_is_choice (const char *choice);
void ear_sleep_timer_choose (EarSleepTimer *self, const char *choice);
void ear_sleep_timer_start (EarSleepTimer *self, gint64 length);
void ear_sleep_timer_extend (EarSleepTimer *self);
const char *ear_sleep_timer_get_choice (EarSleepTimer *self);
guint ear_sleep_timer_get_remaining (EarSleepTimer *self);

G_END_DECLS
