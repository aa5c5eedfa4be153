/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-http.h"
#include "ear-keyring.h"
#include "ear-notices.h"
#include "ear-player.h"
#include "ear-services.h"
#include "ear-subscriptions.h"
#include "ear-sync-client.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

/**
 * EarSyncStatus:
 * @EAR_SYNC_SIGNED_OUT: without an account
 * @EAR_SYNC_WAITING: between two syncs
 * @EAR_SYNC_RUNNING: requests are running
 * @EAR_SYNC_ASKING: the listener has to agree to the changes, see ear_sync_answer()
 * @EAR_SYNC_FAILED: the last sync failed
 */
typedef enum
{
  EAR_SYNC_SIGNED_OUT,
  EAR_SYNC_WAITING,
  EAR_SYNC_RUNNING,
  EAR_SYNC_ASKING,
  EAR_SYNC_FAILED,
} EarSyncStatus;

/**
 * EarSyncChoice:
 * @EAR_SYNC_ACCEPT: make all changes
 * @EAR_SYNC_KEEP: unfollow nothing here, and upload it again
 * @EAR_SYNC_DECLINE: change nothing; without an earlier sync, sign out
 */
typedef enum
{
  EAR_SYNC_ACCEPT,
  EAR_SYNC_KEEP,
  EAR_SYNC_DECLINE,
} EarSyncChoice;

/* Properties, read-only:
 *   status       EarSyncStatus
 *   nextcloud    gboolean  the service is Nextcloud
 *   address      string (nullable): of the server
 *   user         string (nullable)
 *   device-name  string (nullable): of this computer, on the server
 *   synced       gint64    Unix seconds of the last sync, 0: never
 *   error        GError (nullable): why the last sync failed
 *   n-follow, n-unfollow, n-add, n-remove  guint
 *     the changes that the listener is asked about, or that the last sync has made:
 *     podcasts followed and unfollowed here, and uploaded to the server and removed there
 *   n-received, n-sent  guint  likewise, changes of episodes
 *   is-first     gboolean  the account was never synced here
 * Signals:
 *   open-address (char *address)
 *     the listener signs in there, with a web browser */
#define EAR_TYPE_SYNC (ear_sync_get_type ())
G_DECLARE_FINAL_TYPE (EarSync, ear_sync, EAR, SYNC, GObject)

EarSync *ear_sync_new (const EarServices *services, const char *path);
void ear_sync_start (EarSync *self);
void ear_sync_stop (EarSync *self);
EarSyncStatus ear_sync_get_status (EarSync *self);
const GError *ear_sync_get_error (EarSync *self);
void ear_sync_set_device_name (EarSync *self, const char *name);
void ear_sync_sign_in_async (EarSync *self, EarSyncService service, const char *address,
                             const char *user, const char *password, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data);
void ear_sync_sign_in_with_browser_async (EarSync *self, const char *address,
                                          GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
gboolean ear_sync_sign_in_finish (EarSync *self, GAsyncResult *result, GError **error);
void ear_sync_sign_out (EarSync *self);
void ear_sync_run_async (EarSync *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data);
gboolean ear_sync_run_finish (EarSync *self, GAsyncResult *result, GError **error);
char *ear_sync_dup_summary (EarSync *self);
void ear_sync_answer (EarSync *self, EarSyncChoice choice);

G_END_DECLS
