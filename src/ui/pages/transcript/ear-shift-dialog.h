/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Signals: shifted (EarEpisode *episode, gint64 shift): the listener wants the times of that one to
 * be so many microseconds later; another one may be shown by then */
#define EAR_TYPE_SHIFT_DIALOG (ear_shift_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarShiftDialog, ear_shift_dialog, EAR, SHIFT_DIALOG, AdwDialog)

EarShiftDialog *ear_shift_dialog_new (EarEpisode *episode);

G_END_DECLS
