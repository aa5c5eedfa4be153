/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-history.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_SHIFT_DIALOG (ear_shift_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarShiftDialog, ear_shift_dialog, EAR, SHIFT_DIALOG, AdwDialog)

EarShiftDialog *ear_shift_dialog_new (EarHistory *history, EarEpisode *episode);

G_END_DECLS
