/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-state-keeper.h"

G_BEGIN_DECLS

/* Called on the thread that made the worker, with an event that it takes. */
typedef void (*EarStateHandler) (GObject       *owner,
                                 EarStateEvent *event);

typedef struct _EarStateWorker EarStateWorker;

EarStateWorker *ear_state_worker_new                (const char     *directory,
                                                     guint           delay,
                                                     GObject        *owner,
                                                     EarStateHandler handler);
void            ear_state_worker_stop               (EarStateWorker *self);
void            ear_state_worker_load_subscriptions (EarStateWorker *self,
                                                     GTask          *task);
void            ear_state_worker_tell_subscriptions (EarStateWorker *self);
void            ear_state_worker_set_subscription   (EarStateWorker  *self,
                                                     EarSubscription *subscription);
void            ear_state_worker_load_podcast       (EarStateWorker *self,
                                                     const char     *address);
void            ear_state_worker_set_settings       (EarStateWorker  *self,
                                                     EarSettingsDeed *deed);
void            ear_state_worker_add_names          (EarStateWorker *self,
                                                     const char     *address,
                                                     GHashTable     *names);
void            ear_state_worker_set_now            (EarStateWorker *self,
                                                     EarStateDeed   *deed);
void            ear_state_worker_load_now           (EarStateWorker *self,
                                                     GTask          *task);
void            ear_state_worker_flush              (EarStateWorker *self,
                                                     GTask          *task);
void            ear_state_worker_restore            (EarStateWorker *self,
                                                     const char     *path,
                                                     gboolean        exact,
                                                     GTask          *task);

G_END_DECLS
