/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * EarHostResult:
 * @EAR_HOST_ENDED: there is an answer, or an error
 * @EAR_HOST_ELSEWHERE: somebody else is Earmark now, who is to be asked
 * @EAR_HOST_STOPPED: it was told to end
 *
 * How work without a window went.
 */
typedef enum
{
  EAR_HOST_ENDED,
  EAR_HOST_ELSEWHERE,
  EAR_HOST_STOPPED,
} EarHostResult;

EarHostResult ear_command_line_host_run (const char  *method,
                                         GVariant    *parameters,
                                         GVariant   **reply,
                                         GError     **error);

G_END_DECLS
