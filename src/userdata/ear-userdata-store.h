/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-backup.h"
#include "ear-episode.h"
#include "ear-mark.h"
#include "ear-podcast.h"
#include "ear-record.h"
#include "ear-subscription.h"

G_BEGIN_DECLS

/* Results of ear_userdata_store_ask_async() */
typedef enum
{
  EAR_USERDATA_SUBSCRIPTIONS, /* (element-type EarSubscription): all subscriptions, and tombstones
                               * of unfollowed podcasts */
  EAR_USERDATA_NOW,     /* (nullable) an EarMarks: the episode played last, and its newest known
                         * position; without a stamp it is only the player's, and not the
                         * episode's own. Merges that position into its podcast's file */
  EAR_USERDATA_BACKUPS, /* (element-type EarBackup): all backups, newest first */
  EAR_USERDATA_FLUSH,   /* %NULL: writes everything at once, and the current position to its
                         * podcast's file, too, before the application ends. There is an error unless everything is on the disk;
                         * otherwise changes stay in memory for another attempt */
} EarUserdataAnswer;

/* Milliseconds before changes are written together, unless a test chooses others */
#define EAR_USERDATA_DELAY 500

#define EAR_TYPE_USERDATA_STORE (ear_userdata_store_get_type ())
G_DECLARE_FINAL_TYPE (EarUserdataStore, ear_userdata_store, EAR, USERDATA_STORE, GObject)

/*
 * state/ *.json: the listener's data. A thread of the store's own does all file work; the
 * main thread only queues. Signals, on the main thread:
 *   podcast-changed (char *address, GHashTable<utf8 guid, EarEpisodeState> *states)
 *       a file was changed from outside (or read at start): only new members have a stamp
 *   settings-changed (char *address, EarPodcastSettings *settings)
 *       a podcast's settings were changed from outside (or read at start): likewise
 *   subscriptions-changed (GPtrArray<EarSubscription> *all)
 *       subscriptions.json was changed from outside; tombstones too
 *   records-changed (EarRecordKind kind, GPtrArray<EarRecord> *records)
 *       records were changed from outside, or loaded on request; removed ones too
 *   damaged (char *set_aside, gboolean restored)
 *       a file was unreadable and is kept as `set_aside`; readable entries or a backup may
 *       have replaced it
 *   failed (GError *error)
 *       reading or writing failed (disk full, no permission); writing is repeated until it
 *       succeeds, and failures are reported once until then
 */
EarUserdataStore *ear_userdata_store_new (const char *directory, guint delay);
void ear_userdata_store_ask_async (EarUserdataStore *self, EarUserdataAnswer answer,
                                   GAsyncReadyCallback callback, gpointer user_data);
gpointer ear_userdata_store_finish (EarUserdataStore *self, GAsyncResult *result, GError **error);
void ear_userdata_store_set_subscription (EarUserdataStore *self, EarSubscription *subscription);
void ear_userdata_store_load_records (EarUserdataStore *self, EarRecordKind kind);
void ear_userdata_store_set_record (EarUserdataStore *self, EarRecordKind kind, EarRecord *record);
void ear_userdata_store_load_podcast (EarUserdataStore *self, const char *address);
void ear_userdata_store_set_settings (EarUserdataStore *self, EarPodcast *podcast,
                                      const EarPodcastSettings *settings);
void ear_userdata_store_keep (EarUserdataStore *self, EarMarks *marks);
void ear_userdata_store_adopt_episode (EarUserdataStore *self, EarPodcast *podcast,
                                       const char *guid, const char *title, const char *enclosure,
                                       const EarEpisodeState *state);
void ear_userdata_store_set_now (EarUserdataStore *self, EarEpisode *episode, gint64 position,
                                 gboolean started);
void ear_userdata_store_back_up_async (EarUserdataStore *self, EarBackupReason reason,
                                       GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data);
void ear_userdata_store_restore_async (EarUserdataStore *self, const char *path, gboolean exact,
                                       GAsyncReadyCallback callback, gpointer user_data);
GBytes *ear_userdata_export (GVariant *value);
GPtrArray *ear_userdata_peek_records (const char *path, EarRecordKind kind);

G_END_DECLS
