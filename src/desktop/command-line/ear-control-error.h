/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * EarControlError:
 * @EAR_CONTROL_ERROR_NOTHING_TO_PLAY: there is no episode in the player
 * @EAR_CONTROL_ERROR_NO_NEXT: no episode follows
 * @EAR_CONTROL_ERROR_NO_PREVIOUS: no episode comes before
 * @EAR_CONTROL_ERROR_NOT_SEEKABLE: the server of the episode does not let anybody choose a place
 * @EAR_CONTROL_ERROR_BEYOND_END: the episode is not that long
 * @EAR_CONTROL_ERROR_NO_ADDRESS: that is no address of a podcast
 * @EAR_CONTROL_ERROR_NOTHING_FOUND: there is no podcast there
 * @EAR_CONTROL_ERROR_LIST: there is a whole list of podcasts
 * @EAR_CONTROL_ERROR_EMPTY_LIST: the list has no podcast
 * @EAR_CONTROL_ERROR_BUSY: so much was asked at once that this was not begun
 *
 * What can go wrong with what another program asks for, beside what goes wrong in the
 * window too (`EAR_ERROR`).
 */
typedef enum
{
  EAR_CONTROL_ERROR_NOTHING_TO_PLAY,
  EAR_CONTROL_ERROR_NO_NEXT,
  EAR_CONTROL_ERROR_NO_PREVIOUS,
  EAR_CONTROL_ERROR_NOT_SEEKABLE,
  EAR_CONTROL_ERROR_BEYOND_END,
  EAR_CONTROL_ERROR_NO_ADDRESS,
  EAR_CONTROL_ERROR_NOTHING_FOUND,
  EAR_CONTROL_ERROR_LIST,
  EAR_CONTROL_ERROR_EMPTY_LIST,
  EAR_CONTROL_ERROR_BUSY,
} EarControlError;

#define EAR_CONTROL_ERROR (ear_control_error_quark ())
GQuark      ear_control_error_quark (void);
void        ear_control_error_register (void);

G_END_DECLS
