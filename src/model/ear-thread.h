/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-worker.h"

G_BEGIN_DECLS

typedef struct _EarThread EarThread;

EarThread    *ear_thread_new         (const char       *name,
                                      EarWorkerPriority priority);
GMainContext *ear_thread_get_context (EarThread        *self);
void          ear_thread_push        (EarThread        *self,
                                      GSourceOnceFunc   func,
                                      gpointer          data);
void          ear_thread_quit        (EarThread        *self);
void          ear_thread_join        (EarThread        *self);
void          ear_thread_stop        (EarThread        *self);

void          ear_context_push       (GMainContext     *context,
                                      GSourceOnceFunc   func,
                                      gpointer          data,
                                      GDestroyNotify    destroy);

G_END_DECLS
