/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-cache.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_COVER (ear_cover_get_type ())
G_DECLARE_FINAL_TYPE (EarCover, ear_cover, EAR, COVER, GtkWidget)

void ear_cover_provide (GtkWidget *root, EarCoverCache *covers);

G_END_DECLS
