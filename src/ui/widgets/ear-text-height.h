/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pango/pango.h>

G_BEGIN_DECLS

/**
 * EAR_TEXT_HEIGHT_LINES:
 *
 * How many lines a text has at most.
 */
#define EAR_TEXT_HEIGHT_LINES 2

/**
 * EAR_TEXT_HEIGHT_OWN_WEIGHT:
 *
 * In place of a weight: the context's.
 */
#define EAR_TEXT_HEIGHT_OWN_WEIGHT 0

/**
 * EAR_TEXT_HEIGHT_UNKNOWN:
 *
 * In place of a height: only a layout can tell.
 */
#define EAR_TEXT_HEIGHT_UNKNOWN (-1)

int ear_text_height_find (PangoContext *context,
                          int           weight,
                          const char   *text,
                          int           width);

G_END_DECLS
