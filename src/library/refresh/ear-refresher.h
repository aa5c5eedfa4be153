/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-http.h"
#include "ear-keyring.h"
#include "ear-refresh-policy.h"
#include "ear-services.h"
#include "ear-settings.h"

G_BEGIN_DECLS

/* Maximum number of new episodes that notifications list by title */
#define EAR_REFRESHER_NAMED 5

/* Why there are no scheduled checks.
 * @EAR_REFRESH_PAUSE_NONE: checks are scheduled
 * @EAR_REFRESH_PAUSE_POWER: power-saver mode
 * @EAR_REFRESH_PAUSE_METERED: metered network */
typedef enum
{
  EAR_REFRESH_PAUSE_NONE,
  EAR_REFRESH_PAUSE_POWER,
  EAR_REFRESH_PAUSE_METERED,
} EarRefreshPause;

/* Signals:
 *   refreshed (EarPodcast *podcast, GError *error)  a refresh has ended, successfully or not
 *   episodes-arrived (EarPodcast *podcast, GPtrArray<EarEpisode> *episodes, guint n_episodes)
 *     a check of a followed podcast found new episodes, newest first; only some if there are
 *     very many. Episodes of a first fetch, an import, older pages of a feed or a rebuilt
 *     catalogue are not reported.
 *   moved (EarPodcast *podcast, char *address)  its feed has a new address */
#define EAR_TYPE_REFRESHER (ear_refresher_get_type ())
G_DECLARE_FINAL_TYPE (EarRefresher, ear_refresher, EAR, REFRESHER, GObject)

EarRefresher *ear_refresher_new (const EarServices *services, GPowerProfileMonitor *power);
void ear_refresher_start (EarRefresher *self, gboolean check_now);
void ear_refresher_stop (EarRefresher *self);
void ear_refresher_set_clock (EarRefresher *self, const gint64 *clock);
void ear_refresher_refresh (EarRefresher *self, EarPodcast *podcast, EarRefreshReason reason);
void ear_refresher_accept (EarRefresher *self, EarPodcast *podcast);
void ear_refresher_refresh_all (EarRefresher *self, EarRefreshReason reason);
void ear_refresher_cancel (EarRefresher *self, EarPodcast *podcast);
void ear_refresher_renew_address_async (EarRefresher *self, EarEpisode *episode,
                                        const char *refused, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data);
char *ear_refresher_renew_address_finish (EarRefresher *self, GAsyncResult *result);
gboolean ear_refresher_get_refreshing (EarRefresher *self);

G_END_DECLS
