/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-services.h"
#include "ear-sync-plan.h"

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

  /* Not in the file */
  EarSyncCounts counts; /* changes that the listener is asked about, or of the last sync */
  gboolean changed;     /* the file has to be written */
} EarSyncState;

EarSyncState *ear_sync_state_new (void);
void ear_sync_state_unref (EarSyncState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSyncState, ear_sync_state_unref)

/* Called when the server accepts a new account, when a sync waits for the listener, and at
 * the end.
 * @error: (transfer full) (nullable) */
typedef void (*EarSyncDoneFunc) (gpointer owner, GError *error);

/* One sync, from its first request to the last one, or signing in and the first sync */
typedef struct _EarSyncExchange EarSyncExchange;

struct _EarSyncExchange
{
  EarSyncState *state;
  gboolean is_new;        /* until ear_sync_exchange_compare(): the account is tried */
  gboolean is_doubtful;   /* until ear_sync_exchange_apply(): the listener has to agree */
  gboolean is_incomplete; /* a podcast is not fetched yet: the next sync has to */

  /* Private */
  const EarServices *services;
  EarSyncDoneFunc done;
  gpointer owner;
  GCancellable *cancellable;

  /* Signing in */
  EarSyncCall what;      /* the call that is running */
  EarSyncAccount login;  /* has the address that reports a login in the web browser */
  char *form;            /* (nullable): to be sent there */
  gint64 until;          /* monotonic time */

  /* Syncing */
  EarSyncPlan plan;      /* the changes of podcasts */
  guint n_changed;       /* those made here */
  GPtrArray *actions;    /* (element-type EarSyncAction): of the server */
  GPtrArray *outgoing;   /* (nullable) (element-type EarSyncAction): to upload, oldest first */
  GPtrArray *followed;   /* (element-type EarPodcast): here, in this sync */
  GPtrArray *unfollowed; /* (element-type EarPodcast): likewise */
  GPtrArray *found;      /* (nullable) (element-type EarMediaMarks): to merge with @actions */
  guint n_merged;        /* those that are merged */
  GHashTable *news;      /* (element-type EarPodcast GHashTable): newer marks, by guid */
  void (*flushed) (EarSyncExchange *self);
  GError *refusal;       /* (nullable): the server failed with a change */
  guint n_refused;       /* such changes, one after another */
  gboolean is_accepted;  /* the server took another one */
  gboolean is_whole;     /* compares all actions and marks */
  guint n_done;          /* changes of the plan, or actions, that were uploaded */
  guint n_batch;         /* of a request; halved where the server refuses one */
  guint n_parts;         /* of the list of actions */
  gint64 server_time;
  gint64 since;          /* of the running request */
  gint64 sent;           /* Unix microseconds: marks up to it are on the server */
  gint64 listed_at;      /* Unix microseconds: marks up to it are in @outgoing */
};

EarSyncExchange *ear_sync_exchange_begin (const EarServices *services, EarSyncState *state,
                                          gboolean is_new, EarSyncDoneFunc done, gpointer owner);
void ear_sync_exchange_compare (EarSyncExchange *self);
void ear_sync_exchange_apply (EarSyncExchange *self, gboolean keep);
void ear_sync_exchange_end (EarSyncExchange *self);

G_END_DECLS
