/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_WORK_BAR (ear_work_bar_get_type ())
G_DECLARE_FINAL_TYPE (EarWorkBar, ear_work_bar, EAR, WORK_BAR, AdwBin)

G_END_DECLS
