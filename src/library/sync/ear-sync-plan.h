/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-sync-state.h"

G_BEGIN_DECLS

/* A podcast that is followed here */
typedef struct
{
  const char *address; /* the first one, which identifies it */
  const char *feed;    /* where its feed is now */
  gboolean secret;     /* its address works like a password, and stays here */
} EarSyncPodcast;

/* The changes that make the podcasts here and on the server the same */
typedef struct
{
  GPtrArray *follow;   /* (element-type utf8): addresses to follow here */
  GPtrArray *unfollow; /* (element-type utf8): first addresses to unfollow here */
  GPtrArray *add;      /* (element-type utf8): pairs of a first address, and that to upload */
  GPtrArray *remove;   /* (element-type utf8): pairs of a first address, and that to remove */
  guint n_new;         /* podcasts followed here that were not the same at the last sync */
} EarSyncPlan;

typedef gboolean (*EarSyncUnfollowedFunc) (gpointer owner, const char *address);

EarSyncPlan *ear_sync_plan_new (GArray *followed, GHashTable *known, GPtrArray *server,
                                EarSyncUnfollowedFunc unfollowed, gpointer owner);
void ear_sync_plan_keep (EarSyncPlan *self, GArray *followed);
gboolean ear_sync_plan_is_doubtful (const EarSyncPlan *self, guint n_known);
gboolean ear_sync_plan_is_empty (const EarSyncPlan *self);
void ear_sync_plan_free (EarSyncPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSyncPlan, ear_sync_plan_free)

void ear_sync_apply_action (const EarSyncAction *action, gint64 duration, gint64 now,
                            EarEpisodeState *state);
gboolean ear_sync_find_news (const EarEpisodeState *known, const EarEpisodeState *server,
                             EarEpisodeState *news);
void ear_sync_list_actions (const EarMediaMarks *marks, const EarEpisodeState *server,
                            gint64 sent, const char *podcast, EarSyncService service,
                            GPtrArray *actions);

G_END_DECLS
