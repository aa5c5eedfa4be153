/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarWorkerPriority:
 * @EAR_WORKER_ANSWERS: what it does is waited for by the listener, or is soon done
 * @EAR_WORKER_STORES: what it does is waited for by those that prepare
 * @EAR_WORKER_PREPARES: fetches, parses, decodes: what is not needed before it is stored or shown
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
