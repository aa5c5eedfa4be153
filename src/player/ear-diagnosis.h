/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-source.h"

G_BEGIN_DECLS

void    ear_diagnosis_run_async  (EarSource           *source,
                                  GstMessage          *message,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data);
GError *ear_diagnosis_run_finish (GAsyncResult        *result);

G_END_DECLS
