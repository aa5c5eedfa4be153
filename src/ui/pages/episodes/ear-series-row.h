/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_SERIES_ROW (ear_series_row_get_type ())
G_DECLARE_FINAL_TYPE (EarSeriesRow, ear_series_row, EAR, SERIES_ROW, AdwBin)

G_END_DECLS
