/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-marks.h"
#include "ear-userdata-document.h"
#include "ear-userdata-event.h"
#include "ear-subscription.h"

G_BEGIN_DECLS

/* Takes an event. */
typedef void (*EarUserdataTell) (EarUserdataEvent *event,
                                 gpointer       user_data);

typedef struct _EarUserdataKeeper EarUserdataKeeper;

EarUserdataKeeper *ear_userdata_keeper_new                  (const char     *directory,
                                                             EarUserdataTell tell,
                                                             gpointer        user_data);
void               ear_userdata_keeper_free                 (EarUserdataKeeper *self);
EarJsonFolder     *ear_userdata_keeper_get_folder           (EarUserdataKeeper *self);
void               ear_userdata_keeper_start                (EarUserdataKeeper *self);
void               ear_userdata_keeper_load_podcast         (EarUserdataKeeper *self,
                                                             const char        *address);
void               ear_userdata_keeper_apply                (EarUserdataKeeper *self,
                                                             const EarMarks    *marks);
void               ear_userdata_keeper_set_settings         (EarUserdataKeeper       *self,
                                                             const EarSettingsChange *change);
void               ear_userdata_keeper_add_names            (EarUserdataKeeper *self,
                                                             const char        *address,
                                                             GHashTable        *names);
void               ear_userdata_keeper_set_now              (EarUserdataKeeper *self,
                                                             EarUserdataChange *change);
void               ear_userdata_keeper_load_now             (EarUserdataKeeper *self,
                                                             EarUserdataEvent  *reply);
void               ear_userdata_keeper_set_subscription     (EarUserdataKeeper     *self,
                                                             const EarSubscription *subscription);
void               ear_userdata_keeper_notify_subscriptions (EarUserdataKeeper *self);
void               ear_userdata_keeper_load_subscriptions   (EarUserdataKeeper *self,
                                                             EarUserdataEvent  *reply);
void               ear_userdata_keeper_notice               (EarUserdataKeeper *self,
                                                             const char        *name);
gboolean           ear_userdata_keeper_restore              (EarUserdataKeeper *self,
                                                             const char        *path,
                                                             gboolean           exact,
                                                             GError           **error);
void               ear_userdata_keeper_settle               (EarUserdataKeeper *self);
gboolean           ear_userdata_keeper_is_dirty             (EarUserdataKeeper *self);
gboolean           ear_userdata_keeper_write_now            (EarUserdataKeeper *self,
                                                             GError           **error);
gboolean           ear_userdata_keeper_write                (EarUserdataKeeper *self,
                                                             GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataKeeper, ear_userdata_keeper_free)

G_END_DECLS
