/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-records.h"
#include "ear-settings.h"

G_BEGIN_DECLS

void ear_old_settings_move_chapters (EarSettings      *settings,
                                     EarUserdataStore *state,
                                     EarRecords       *chapters);

G_END_DECLS
