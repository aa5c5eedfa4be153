/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-services.h"
#include "ear-sync-plan.h"
#include "ear-sync-state.h"

G_BEGIN_DECLS

/* Called when a sync has ended, or waits for ear_sync_exchange_apply().
 * @error: (transfer full) (nullable) */
typedef void (*EarSyncDoneFunc) (gpointer owner, GError *error);

/* One sync, from its first request to the last one */
typedef struct _EarSyncExchange EarSyncExchange;

struct _EarSyncExchange
{
  EarSyncPlan plan;       /* the changes of podcasts, once they are known; all counts */
  gboolean is_doubtful;   /* the listener has to agree to the plan */
  gboolean is_incomplete; /* a podcast is not fetched yet: the next sync has to */

  /* Private */
  const EarServices *services;
  EarSyncState *state;
  EarSyncDoneFunc done;
  gpointer owner;
  GCancellable *cancellable;
  GPtrArray *actions;    /* (element-type EarSyncAction): of the server */
  GPtrArray *outgoing;   /* (nullable) (element-type EarSyncAction): to upload, oldest first */
  GPtrArray *followed;   /* (element-type EarPodcast): here, in this sync */
  GPtrArray *unfollowed; /* (element-type EarPodcast): likewise */
  GHashTable *news;      /* (element-type EarPodcast GHashTable): marks of the server, by guid */
  GPtrArray *elements;   /* (nullable): of a loop in several turns of the main loop */
  guint n_elements;      /* those that are done */
  void (*each) (EarSyncExchange *self, gpointer element);
  void (*then) (EarSyncExchange *self);
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
                                          EarSyncDoneFunc done, gpointer owner);
void ear_sync_exchange_keep (EarSyncExchange *self);
void ear_sync_exchange_apply (EarSyncExchange *self);
void ear_sync_exchange_end (EarSyncExchange *self);

G_END_DECLS
