/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the files of EarUserdataStore share. */

#include "ear-main-queue.h"
#include "ear-thread.h"
#include "ear-userdata-keeper.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

struct _EarUserdataStore
{
  GObject parent_instance;

  /* Owned */
  char *directory;
  guint delay;
  EarMainQueue *told; /* (nullable): events, from the thread */
  EarThread *thread;  /* (nullable): of the files */

  guint n_set; /* subscriptions, since the start */
  guint n_records_set[EAR_N_RECORD_KINDS];

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

/* Does what was asked for, on the thread. */
typedef void (*EarUserdataRequest) (EarUserdataKeeper *keeper,
                                    gpointer           data);

void ear_userdata_store_start_thread (EarUserdataStore *self);
void ear_userdata_store_stop_thread  (EarUserdataStore *self);
void ear_userdata_store_post         (EarUserdataStore  *self,
                                      EarUserdataRequest run,
                                      gpointer           data,
                                      GDestroyNotify     destroy);
void ear_userdata_store_ask          (EarUserdataStore   *self,
                                      EarUserdataRequest  run,
                                      EarUserdataEvent   *reply,
                                      GCancellable       *cancellable,
                                      gpointer            tag,
                                      GAsyncReadyCallback callback,
                                      gpointer            user_data);
void ear_userdata_store_take_event   (gpointer event,
                                      gpointer user_data);

G_END_DECLS
