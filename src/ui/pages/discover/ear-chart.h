/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_CHART (ear_chart_get_type ())
G_DECLARE_FINAL_TYPE (EarChart, ear_chart, EAR, CHART, AdwBin)

G_END_DECLS
