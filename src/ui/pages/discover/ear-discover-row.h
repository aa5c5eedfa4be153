/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-item-row.h"
#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_DISCOVER_ROW (ear_discover_row_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscoverRow, ear_discover_row, EAR, DISCOVER_ROW, EarItemRow)

G_END_DECLS
