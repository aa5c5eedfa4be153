/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_COVER_IMAGE (ear_cover_image_get_type ())
G_DECLARE_FINAL_TYPE (EarCoverImage, ear_cover_image, EAR, COVER_IMAGE, GtkWidget)

G_END_DECLS
