/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarCoverSize:
 * @EAR_COVER_SMALL: for rows: at most 128 x 128 pixels
 * @EAR_COVER_LARGE: for pages, the player's sheet and MPRIS: at most 512 x 512 pixels
 *
 * The two sizes in which covers are stored.
 */
typedef enum
{
  EAR_COVER_SMALL,
  EAR_COVER_LARGE,
} EarCoverSize;

G_END_DECLS
