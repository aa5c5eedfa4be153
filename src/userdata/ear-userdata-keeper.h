/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"
#include "ear-json-folder.h"
#include "ear-mark.h"
#include "ear-podcast-settings.h"
#include "ear-record.h"
#include "ear-subscription.h"

G_BEGIN_DECLS

typedef struct _EarUserdataKeeper EarUserdataKeeper;
typedef struct _EarUserdataMessage EarUserdataMessage;
typedef void (*EarUserdataRequest) (EarUserdataKeeper *keeper, EarUserdataMessage *message);

/* A message to or from the store's thread: a request, or the reply to it if it has a `task`;
 * otherwise an `error`, because of which files cannot be read or written, or the path `set_aside`
 * that a damaged file was moved to, or changes from outside: `subscriptions`, `records` of
 * `record_kind`, or `states` and `settings` of the podcast `address` */
struct _EarUserdataMessage
{
  char *address; /* of a podcast: address that it was first followed at */
  char *feed_address;
  char *title;
  char *file;
  char *set_aside;

  EarUserdataRequest run; /* of a request */
  gpointer store;         /* borrowed, of a request */
  GTask *task; /* (nullable): of a request with a reply */
  GError *error;
  gpointer result; /* (nullable): of a reply */
  GDestroyNotify result_free;

  /* A podcast's settings and episodes */
  EarPodcastSettings settings;
  gboolean has_settings; /* news have some */
  gint64 done; /* time of the change, Unix microseconds */
  EarMarks *marks;
  GHashTable *states;

  /* Subscriptions and records */
  guint n_set; /* number of all that were set here before the report */
  EarSubscription *subscription;
  GPtrArray *subscriptions;
  EarRecordKind record_kind;
  EarRecord *record;
  GPtrArray *records;

  /* Damage and backups */
  gboolean restored; /* readable entries or a backup have replaced the file */
  gboolean exact;    /* unfollow podcasts followed since the backup `file` */
  EarBackupReason reason;
};

void ear_userdata_message_free (EarUserdataMessage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataMessage, ear_userdata_message_free)

/* Receives and owns a message. */
typedef void (*EarUserdataNotify) (EarUserdataMessage *message, gpointer user_data);

EarUserdataKeeper *ear_userdata_keeper_new (const char *directory, EarUserdataNotify notify,
                                            gpointer user_data);
void ear_userdata_keeper_free (EarUserdataKeeper *self);
void ear_userdata_keeper_start (EarUserdataKeeper *self);
void ear_userdata_keeper_notice (EarUserdataKeeper *self, const char *name);
gboolean ear_userdata_keeper_is_dirty (EarUserdataKeeper *self);
gboolean ear_userdata_keeper_write (EarUserdataKeeper *self, GError **error);

/* Requests */
void ear_userdata_keeper_load (EarUserdataKeeper *self, EarUserdataMessage *request);
void ear_userdata_keeper_set_marks (EarUserdataKeeper *self, EarUserdataMessage *request);
void ear_userdata_keeper_set_settings (EarUserdataKeeper *self, EarUserdataMessage *request);
void ear_userdata_keeper_set_now (EarUserdataKeeper *self, EarUserdataMessage *request);
void ear_userdata_keeper_load_now (EarUserdataKeeper *self, EarUserdataMessage *reply);
void ear_userdata_keeper_set_subscription (EarUserdataKeeper *self, EarUserdataMessage *request);
void ear_userdata_keeper_load_subscriptions (EarUserdataKeeper *self, EarUserdataMessage *reply);
void ear_userdata_keeper_set_record (EarUserdataKeeper *self, EarUserdataMessage *request);
void ear_userdata_keeper_flush (EarUserdataKeeper *self, EarUserdataMessage *reply);
void ear_userdata_keeper_list_backups (EarUserdataKeeper *self, EarUserdataMessage *reply);
void ear_userdata_keeper_restore (EarUserdataKeeper *self, EarUserdataMessage *reply);

GPtrArray *ear_userdata_keeper_peek_records (const char *path, EarRecordKind kind);

G_END_DECLS
