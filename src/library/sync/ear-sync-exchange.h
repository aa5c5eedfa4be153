/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-services.h"
#include "ear-sync-plan.h"
#include "ear-sync-state.h"

G_BEGIN_DECLS

/* One sync, from its first request to the last one */
typedef struct _EarSyncExchange EarSyncExchange;

struct _EarSyncExchange
{
  const EarServices *services;
  EarSyncState *state;
  EarSyncPlan *plan;     /* (nullable): of the podcasts, once it is made */
  EarSyncCounts counts;
  gboolean is_doubtful;  /* the listener has to agree to the plan */

  /* Private */
  GPtrArray *actions;    /* (element-type EarSyncAction): of the server */
  GPtrArray *outgoing;   /* (nullable) (element-type EarSyncAction): to upload, oldest first */
  GPtrArray *followed;   /* (element-type EarPodcast): here, in this sync */
  GPtrArray *unfollowed; /* (element-type EarPodcast): likewise */
  GHashTable *news;      /* (element-type EarPodcast GHashTable): marks of the server, by guid */
  GPtrArray *elements;   /* (nullable): of a loop in several turns of the main loop */
  guint n_elements;      /* those that are done */
  void (*each) (EarSyncExchange *self, gpointer element);
  void (*then) (GTask *task);
  GError *refusal;       /* (nullable): the server failed with a change */
  guint n_refused;       /* such changes, one after another */
  gboolean is_accepted;  /* the server took another one */
  gboolean is_whole;     /* compares all actions and marks */
  gboolean is_incomplete; /* a podcast is not fetched yet: the next sync has to */
  guint n_done;          /* changes of the plan, or actions, that were uploaded */
  guint n_batch;         /* of a request; halved where the server refuses one */
  guint n_parts;         /* of the list of actions */
  gint64 server_time;
  gint64 since;          /* of the running request */
  gint64 sent;           /* Unix microseconds: marks up to it are on the server */
  gint64 listed_at;      /* Unix microseconds: marks up to it are in @outgoing */
};

EarSyncExchange *ear_sync_exchange_new (const EarServices *services, EarSyncState *state);
void ear_sync_exchange_compare_async (EarSyncExchange *self, gpointer owner,
                                      GCancellable *cancellable, GAsyncReadyCallback callback);
void ear_sync_exchange_keep (EarSyncExchange *self);
void ear_sync_exchange_apply_async (EarSyncExchange *self, gpointer owner,
                                    GCancellable *cancellable, GAsyncReadyCallback callback);
void ear_sync_exchange_unref (EarSyncExchange *self);

G_END_DECLS
