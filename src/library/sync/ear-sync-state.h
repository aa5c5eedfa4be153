/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sync-client.h"

G_BEGIN_DECLS

/* The name of the password in the keyring */
#define EAR_SYNC_KEYRING_NAME "earmark:sync"

/* The account of this computer, and the state of the last sync, in `sync.ini` */
typedef struct
{
  EarSyncAccount account; /* without an address while signed out */
  GHashTable *podcasts;   /* (element-type utf8 utf8): the server's address of a podcast by its
                           * first address; "" where the server refuses it */
  gboolean agreed;  /* the listener has agreed to the first sync */
  gint64 since;     /* time of the server: its actions before it are known */
  gint64 sent;      /* Unix microseconds: marks up to it are on the server */
  gint64 synced;    /* Unix microseconds, of the last sync; 0: never */
  gint64 compared;  /* Unix microseconds, of the last sync that compared all actions and marks */
  gboolean changed; /* the file has to be written */
} EarSyncState;

EarSyncState *ear_sync_state_new (void);
gboolean ear_sync_state_load (EarSyncState *self, const char *text, gsize length, GError **error);
char *ear_sync_state_print (const EarSyncState *self);
void ear_sync_state_unref (EarSyncState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSyncState, ear_sync_state_unref)

G_END_DECLS
