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

/**
 * EarHostBus:
 * @EAR_HOST_WITH_BUS: there is a session bus
 * @EAR_HOST_WITHOUT_BUS: there is none, as for cron and in containers
 *
 * By what it is known that nobody else works on the library.
 */
typedef enum
{
  EAR_HOST_WITH_BUS,
  EAR_HOST_WITHOUT_BUS,
} EarHostBus;

EarHostResult ear_command_line_host_run (EarHostBus   bus,
                                         const char  *method,
                                         GVariant    *parameters,
                                         GVariant   **reply,
                                         GError     **error);

G_END_DECLS
