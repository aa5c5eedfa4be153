/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sync-exchange.h"

G_BEGIN_DECLS

typedef enum
{
  EAR_SYNC_LOADING,    /* the account is not read yet */
  EAR_SYNC_SIGNED_OUT, /* without an account; signing in may have failed */
  EAR_SYNC_SIGNING_IN, /* the account is tried */
  EAR_SYNC_WAITING,    /* between two syncs */
  EAR_SYNC_RUNNING,    /* requests are running */
  EAR_SYNC_ASKING,     /* the listener has to agree to the changes, see ear_sync_answer() */
  EAR_SYNC_FAILED,     /* the last sync failed */
} EarSyncStatus;

typedef enum
{
  EAR_SYNC_ACCEPT,  /* make all changes */
  EAR_SYNC_KEEP,    /* unfollow nothing here, and upload it again */
  EAR_SYNC_DECLINE, /* change nothing; without an earlier sync, sign out */
} EarSyncChoice;

/* Properties:
 *   status  EarSyncStatus
 *     read-only; notified also when the state or the error change
 * Signals:
 *   open-address (char *address)
 *     the listener signs in there, with a web browser */
#define EAR_TYPE_SYNC (ear_sync_get_type ())
G_DECLARE_FINAL_TYPE (EarSync, ear_sync, EAR, SYNC, GObject)

EarSync *ear_sync_new (const EarServices *services, const char *path);
void ear_sync_start (EarSync *self);
void ear_sync_stop (EarSync *self);
EarSyncStatus ear_sync_get_status (EarSync *self);
const EarSyncState *ear_sync_get_state (EarSync *self);
const GError *ear_sync_get_error (EarSync *self);
void ear_sync_set_device_name (EarSync *self, const char *name);
void ear_sync_sign_in (EarSync *self, EarSyncService service, const char *address,
                       const char *user, const char *password);
void ear_sync_sign_out (EarSync *self);
void ear_sync_run (EarSync *self);
char *ear_sync_dup_summary (EarSync *self);
void ear_sync_answer (EarSync *self, EarSyncChoice choice);

G_END_DECLS
