/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-userdata-keeper.h"

G_BEGIN_DECLS

/* Called on the thread that made the worker, with an event that it takes. */
typedef void (*EarUserdataHandler) (GObject       *owner,
                                    EarUserdataEvent *event);

typedef struct _EarUserdataWorker EarUserdataWorker;

EarUserdataWorker *ear_userdata_worker_new                  (const char        *directory,
                                                             guint              delay,
                                                             GObject           *owner,
                                                             EarUserdataHandler handler);
void               ear_userdata_worker_stop                 (EarUserdataWorker *self);
void               ear_userdata_worker_load_subscriptions   (EarUserdataWorker *self,
                                                             GTask             *task);
void               ear_userdata_worker_notify_subscriptions (EarUserdataWorker *self);
void               ear_userdata_worker_set_subscription     (EarUserdataWorker *self,
                                                             EarSubscription   *subscription);
void               ear_userdata_worker_load_podcast         (EarUserdataWorker *self,
                                                             const char        *address);
void               ear_userdata_worker_set_settings         (EarUserdataWorker *self,
                                                             EarSettingsChange *change);
void               ear_userdata_worker_add_names            (EarUserdataWorker *self,
                                                             const char        *address,
                                                             GHashTable        *names);
void               ear_userdata_worker_set_now              (EarUserdataWorker *self,
                                                             EarUserdataChange *change);
void               ear_userdata_worker_load_now             (EarUserdataWorker *self,
                                                             GTask             *task);
void               ear_userdata_worker_flush                (EarUserdataWorker *self,
                                                             GTask             *task);
void               ear_userdata_worker_restore              (EarUserdataWorker *self,
                                                             const char        *path,
                                                             gboolean           exact,
                                                             GTask             *task);

G_END_DECLS
