/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * EarRefreshPause:
 * @EAR_REFRESH_PAUSE_NONE: nothing keeps podcasts from being checked
 * @EAR_REFRESH_PAUSE_POWER: power is to be saved
 * @EAR_REFRESH_PAUSE_METERED: the network is paid by what goes through it
 *
 * Why podcasts are not checked by themselves at the moment.
 */
typedef enum
{
  EAR_REFRESH_PAUSE_NONE,
  EAR_REFRESH_PAUSE_POWER,
  EAR_REFRESH_PAUSE_METERED,
} EarRefreshPause;

G_END_DECLS
