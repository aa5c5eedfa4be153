/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-userdata-worker.c, ear-userdata-requests.c and ear-userdata-store-changes.c share. */

#include "ear-userdata-worker.h"
#include "ear-thread.h"

G_BEGIN_DECLS

/* What events on their way to the other thread know of the owner, who may be gone by then. */
typedef struct
{
  GWeakRef owner;
} EarUserdataLink;

struct _EarUserdataWorker
{
  /* Owned, set before the thread starts */
  char *directory;
  guint delay;
  GMainContext *home;
  EarUserdataLink *link;
  EarUserdataHandler handler;
  EarThread *thread;

  /* Owned, the thread's own */
  EarUserdataKeeper *keeper;
  GFileMonitor *monitor;
  EarJsonIdentity monitored;
  GHashTable *touched; /* (element-type utf8): names of files */
  GSource *touch_alarm;
  GSource *now_alarm;
  GSource *write_alarm;
  guint failures; /* in a row */
};

/* Does what was asked for, on the thread; what it leaves in @data is freed. */
typedef void (*EarUserdataRequest) (EarUserdataWorker *self,
                                    gpointer       *data);

void ear_userdata_worker_post        (EarUserdataWorker *self,
                                      EarUserdataRequest run,
                                      gpointer           data,
                                      GDestroyNotify     destroy);
void ear_userdata_worker_notify      (EarUserdataWorker *self,
                                      EarUserdataEvent  *event);
void ear_userdata_worker_write_later (EarUserdataWorker *self);
void ear_userdata_worker_write_now   (EarUserdataWorker *self);
void ear_userdata_worker_take_result (EarUserdataWorker *self,
                                      const GError      *error);

G_END_DECLS
