/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pango/pango.h>

G_BEGIN_DECLS

#define EAR_TEXT_HEIGHT_OWN_WEIGHT 0
#define EAR_TEXT_HEIGHT_UNKNOWN (-1)

int ear_text_height_find (PangoContext *context,
                          int           weight,
                          const char   *text,
                          int           width);

G_END_DECLS
