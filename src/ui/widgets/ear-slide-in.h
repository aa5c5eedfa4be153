/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_SLIDE_IN (ear_slide_in_get_type ())
G_DECLARE_FINAL_TYPE (EarSlideIn, ear_slide_in, EAR, SLIDE_IN, AdwBin)

G_END_DECLS
