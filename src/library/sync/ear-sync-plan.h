/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-sync-client.h"

G_BEGIN_DECLS

/* A podcast that is followed from now on, or no longer */
typedef struct
{
  char *address;    /* (nullable): the first one; %NULL if it is new here */
  char *there;      /* its address on the server, or for it */
  gboolean removed;
} EarSyncChange;

/* The changes of a sync: podcasts followed and unfollowed here, uploaded to the server and
 * removed there; episodes changed here, and actions uploaded */
typedef struct
{
  guint follow, unfollow, add, remove, received, sent;
} EarSyncCounts;

/* The changes that make the podcasts here and on the server the same */
typedef struct
{
  GPtrArray *here;  /* (element-type EarSyncChange) */
  GPtrArray *there; /* (element-type EarSyncChange) */
  EarSyncCounts *counts;
  guint n_new;      /* podcasts followed here that were not the same at the last sync */
  gboolean is_doubtful; /* the listener has to be asked */
} EarSyncPlan;

typedef gboolean (*EarSyncUnfollowedFunc) (gpointer owner, const char *address);

void ear_sync_plan_make (EarSyncPlan *self, EarSyncCounts *counts, GListModel *podcasts,
                         GHashTable *known, GPtrArray *server, EarSyncUnfollowedFunc unfollowed,
                         gpointer owner);
void ear_sync_plan_keep (EarSyncPlan *self);
void ear_sync_plan_clear (EarSyncPlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EarSyncPlan, ear_sync_plan_clear)

void ear_sync_apply_action (const EarSyncAction *action, gint64 duration, gint64 now,
                            EarEpisodeState *state);
gboolean ear_sync_find_news (const EarEpisodeState *known, const EarEpisodeState *server,
                             EarEpisodeState *news);
void ear_sync_list_actions (const EarMediaMarks *marks, const EarEpisodeState *server,
                            const EarEpisodeState *news, gint64 sent, gboolean with_late,
                            const char *podcast, EarSyncService service, GPtrArray *actions);

G_END_DECLS
