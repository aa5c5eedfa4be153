/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Declarations shared by the files of EarUserdataStore */

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
  EarMainQueue *told; /* (nullable): events from the thread */
  EarThread *thread;  /* (nullable): the thread that does all file work */

  guint n_set; /* number of subscriptions set since the start */
  guint n_records_set[EAR_N_RECORD_KINDS];

  /* Owned, used on the thread only */
  EarUserdataKeeper *keeper;
  GFileMonitor *monitor;
  EarJsonIdentity monitored;
  GHashTable *touched; /* (element-type utf8): names of changed files */
  GSource *touch_alarm;
  GSource *now_alarm;
  GSource *write_alarm;
  guint failures; /* consecutive failures */
};

/* Runs a request on the store's thread. */
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
