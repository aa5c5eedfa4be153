/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

void ear_worker_run        (GTask           *task,
                            GTaskThreadFunc  func,
                            GDestroyNotify   result_free);
void ear_worker_stand_back (void);

G_END_DECLS
