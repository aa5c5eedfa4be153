/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-state-worker.c, ear-state-requests.c and ear-state-store-deeds.c share. */

#include "ear-state-worker.h"
#include "ear-thread.h"

G_BEGIN_DECLS

/* What events on their way to the other thread know of the owner, who may be gone by then. */
typedef struct
{
  GWeakRef owner;
} EarStateLink;

struct _EarStateWorker
{
  /* Owned, set before the thread starts */
  char *directory;
  guint delay;
  GMainContext *home;
  EarStateLink *link;
  EarStateHandler handler;
  EarThread *thread;

  /* Owned, the thread's own */
  EarStateKeeper *keeper;
  GFileMonitor *monitor;
  EarStateIdentity monitored;
  GHashTable *touched; /* (element-type utf8): names of files */
  GSource *touch_alarm;
  GSource *now_alarm;
  GSource *write_alarm;
  guint failures; /* in a row */
};

/* Does what was asked for, on the thread; what it leaves in @data is freed. */
typedef void (*EarStateRequest) (EarStateWorker *self,
                                 gpointer       *data);

void ear_state_worker_post        (EarStateWorker *self,
                                   EarStateRequest run,
                                   gpointer        data,
                                   GDestroyNotify  destroy);
void ear_state_worker_tell        (EarStateWorker *self,
                                   EarStateEvent  *event);
void ear_state_worker_write_later (EarStateWorker *self);
void ear_state_worker_write_now   (EarStateWorker *self);
void ear_state_worker_take_result (EarStateWorker *self,
                                   const GError   *error);

G_END_DECLS
