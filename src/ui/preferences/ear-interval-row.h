/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_INTERVAL_ROW (ear_interval_row_get_type ())
G_DECLARE_FINAL_TYPE (EarIntervalRow, ear_interval_row, EAR, INTERVAL_ROW, AdwComboRow)

G_END_DECLS
