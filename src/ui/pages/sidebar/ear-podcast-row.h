/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST_ROW (ear_podcast_row_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastRow, ear_podcast_row, EAR, PODCAST_ROW, GtkWidget)

G_END_DECLS
