/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-marks.h"
#include "ear-record.h"
#include "ear-userdata-document.h"
#include "ear-subscription.h"

G_BEGIN_DECLS

/**
 * EarUserdataEventType:
 * @EAR_USERDATA_EVENT_PODCAST: news of the podcast `address`, in `states`
 * @EAR_USERDATA_EVENT_SETTINGS: settings of the podcast `address`, in `settings`
 * @EAR_USERDATA_EVENT_SUBSCRIPTIONS: `subscriptions` have changed
 * @EAR_USERDATA_EVENT_RECORDS: `records` of `record_kind` have changed
 * @EAR_USERDATA_EVENT_DAMAGED: `file` was moved to `set_aside`
 * @EAR_USERDATA_EVENT_FAILED: the files cannot be written, because of `error`
 * @EAR_USERDATA_EVENT_REPLY: `task` is done; the other members have its result
 *
 * Events reported by the store's thread.
 */
typedef enum
{
  EAR_USERDATA_EVENT_PODCAST,
  EAR_USERDATA_EVENT_SETTINGS,
  EAR_USERDATA_EVENT_SUBSCRIPTIONS,
  EAR_USERDATA_EVENT_RECORDS,
  EAR_USERDATA_EVENT_DAMAGED,
  EAR_USERDATA_EVENT_FAILED,
  EAR_USERDATA_EVENT_REPLY,
} EarUserdataEventType;

typedef struct
{
  EarUserdataEventType type;
  char *address;
  char *guid;
  gint64 position;
  gboolean started; /* whether the position is the episode's own, and not only the player's */
  GHashTable *states;
  EarPodcastSettings settings;
  GPtrArray *subscriptions;
  guint n_set; /* subscriptions, or records of the kind, set here before the report */
  EarRecordKind record_kind;
  GPtrArray *records;
  gboolean first_start;
  char *file;
  char *set_aside;
  gboolean restored; /* readable entries or a backup have replaced `file` */
  gboolean exact;    /* request: unfollow podcasts followed since the backup `file` */
  gboolean written;  /* everything was written, or `error` is set */
  GError *error;
  GTask *task;
} EarUserdataEvent;

EarUserdataEvent *ear_userdata_event_new (EarUserdataEventType type);
void ear_userdata_event_free (EarUserdataEvent *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataEvent, ear_userdata_event_free)

/* Receives and owns an event. */
typedef void (*EarUserdataTell) (EarUserdataEvent *event, gpointer user_data);

typedef struct _EarUserdataKeeper EarUserdataKeeper;

EarUserdataKeeper *ear_userdata_keeper_new (const char *directory, EarUserdataTell tell,
                                            gpointer user_data);
void ear_userdata_keeper_free (EarUserdataKeeper *self);
EarJsonFolder *ear_userdata_keeper_get_folder (EarUserdataKeeper *self);
void ear_userdata_keeper_start (EarUserdataKeeper *self);
void ear_userdata_keeper_load_podcast (EarUserdataKeeper *self, const char *address);
void ear_userdata_keeper_apply (EarUserdataKeeper *self, const EarMarks *marks);
void ear_userdata_keeper_set_settings (EarUserdataKeeper *self, const EarSettingsChange *change);
void ear_userdata_keeper_add_names (EarUserdataKeeper *self, const char *address,
                                    GHashTable *names);
void ear_userdata_keeper_set_now (EarUserdataKeeper *self, EarMarks *marks);
void ear_userdata_keeper_set_place (EarUserdataKeeper *self, EarMarks *marks);
void ear_userdata_keeper_load_now (EarUserdataKeeper *self, EarUserdataEvent *reply);
void ear_userdata_keeper_set_subscription (EarUserdataKeeper *self,
                                           const EarSubscription *subscription);
void ear_userdata_keeper_notify_subscriptions (EarUserdataKeeper *self);
void ear_userdata_keeper_load_subscriptions (EarUserdataKeeper *self, EarUserdataEvent *reply);
void ear_userdata_keeper_set_record (EarUserdataKeeper *self, EarRecordKind kind,
                                     const EarRecord *record);
void ear_userdata_keeper_load_records (EarUserdataKeeper *self, EarRecordKind kind);
void ear_userdata_keeper_notice (EarUserdataKeeper *self, const char *name);
void ear_userdata_keeper_restore (EarUserdataKeeper *self, EarUserdataEvent *reply);
void ear_userdata_keeper_flush (EarUserdataKeeper *self, EarUserdataEvent *reply);
gboolean ear_userdata_keeper_is_dirty (EarUserdataKeeper *self);
gboolean ear_userdata_keeper_is_now_dirty (EarUserdataKeeper *self);
gboolean ear_userdata_keeper_write_now (EarUserdataKeeper *self, GError **error);
gboolean ear_userdata_keeper_write (EarUserdataKeeper *self, GError **error);

G_END_DECLS
