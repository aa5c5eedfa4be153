/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-sleep-timer.h"

G_BEGIN_DECLS

#define EAR_TYPE_SLEEP_BUTTON (ear_sleep_button_get_type ())
G_DECLARE_FINAL_TYPE (EarSleepButton, ear_sleep_button, EAR, SLEEP_BUTTON, AdwBin)

G_END_DECLS
