/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-marks.h"
#include "ear-state-document.h"
#include "ear-state-event.h"
#include "ear-subscription.h"

G_BEGIN_DECLS

/* Takes an event. */
typedef void (*EarStateTell) (EarStateEvent *event,
                              gpointer       user_data);

typedef struct _EarStateKeeper EarStateKeeper;

EarStateKeeper *ear_state_keeper_new                (const char  *directory,
                                                     EarStateTell tell,
                                                     gpointer     user_data);
void            ear_state_keeper_free               (EarStateKeeper *self);
EarStateFolder *ear_state_keeper_get_folder         (EarStateKeeper *self);
void            ear_state_keeper_start              (EarStateKeeper *self);
void            ear_state_keeper_load_podcast       (EarStateKeeper *self,
                                                     const char     *address);
void            ear_state_keeper_apply              (EarStateKeeper *self,
                                                     const EarMarks *marks);
void            ear_state_keeper_set_settings       (EarStateKeeper        *self,
                                                     const EarSettingsDeed *deed);
void            ear_state_keeper_add_names          (EarStateKeeper *self,
                                                     const char     *address,
                                                     GHashTable     *names);
void            ear_state_keeper_set_now            (EarStateKeeper *self,
                                                     EarStateDeed   *deed);
void            ear_state_keeper_load_now           (EarStateKeeper *self,
                                                     EarStateEvent  *reply);
void            ear_state_keeper_set_subscription   (EarStateKeeper        *self,
                                                     const EarSubscription *subscription);
void            ear_state_keeper_tell_subscriptions (EarStateKeeper *self);
void            ear_state_keeper_load_subscriptions (EarStateKeeper *self,
                                                     EarStateEvent  *reply);
void            ear_state_keeper_notice             (EarStateKeeper *self,
                                                     const char     *name);
gboolean        ear_state_keeper_restore            (EarStateKeeper *self,
                                                     const char     *path,
                                                     gboolean        exact,
                                                     GError        **error);
void            ear_state_keeper_settle             (EarStateKeeper *self);
gboolean        ear_state_keeper_is_dirty           (EarStateKeeper *self);
gboolean        ear_state_keeper_write_now          (EarStateKeeper *self,
                                                     GError        **error);
gboolean        ear_state_keeper_write              (EarStateKeeper *self,
                                                     GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStateKeeper, ear_state_keeper_free)

G_END_DECLS
