/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Signals: shifted (gint64 shift): the listener wants the times to be so many microseconds later */
#define EAR_TYPE_SHIFT_DIALOG (ear_shift_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarShiftDialog, ear_shift_dialog, EAR, SHIFT_DIALOG, AdwDialog)

EarShiftDialog *ear_shift_dialog_new (gint64 shift);

G_END_DECLS
