/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-listening.h"
#include "ear-settings.h"

G_BEGIN_DECLS

void ear_old_settings_move_chapters (EarSettings *settings, EarUserdataStore *state,
                                     EarRecords *chapters);

void ear_old_settings_move_listening (EarSettings *settings, EarUserdataStore *state,
                                      EarListening *listening);

G_END_DECLS
