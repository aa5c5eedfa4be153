/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarWorkerPriority:
 * @EAR_WORKER_ANSWERS: the listener waits for its work, or it is short
 * @EAR_WORKER_STORES: threads that prepare wait for its work
 * @EAR_WORKER_PREPARES: it fetches, parses or decodes data ahead of storing
 *   or showing them
 */
typedef enum
{
  EAR_WORKER_ANSWERS,
  EAR_WORKER_STORES,
  EAR_WORKER_PREPARES
} EarWorkerPriority;

void ear_worker_run            (GTask            *task,
                                GTaskThreadFunc   func,
                                GDestroyNotify    result_free);
void ear_worker_lower_priority (EarWorkerPriority priority);

G_END_DECLS
