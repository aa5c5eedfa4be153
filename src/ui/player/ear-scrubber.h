/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_SCRUBBER (ear_scrubber_get_type ())
G_DECLARE_FINAL_TYPE (EarScrubber, ear_scrubber, EAR, SCRUBBER, GtkWidget)

G_END_DECLS
