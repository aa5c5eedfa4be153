/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-discovery.h"
#include "ear-http.h"
#include "ear-keyring.h"
#include "ear-notices.h"
#include "ear-refresher.h"
#include "ear-services.h"
#include "ear-settings.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

/* Signals:
 *   followed (EarPodcast *podcast)    the podcast was followed
 *   unfollowed (EarPodcast *podcast)  the podcast was unfollowed
 *   returned (EarPodcast *podcast)    its unfollowing was undone
 *   started ()                        the followed podcasts are loaded */
#define EAR_TYPE_SUBSCRIPTIONS (ear_subscriptions_get_type ())
G_DECLARE_FINAL_TYPE (EarSubscriptions, ear_subscriptions, EAR, SUBSCRIPTIONS, GObject)

EarSubscriptions *ear_subscriptions_new (const EarServices *services);
void ear_subscriptions_start (EarSubscriptions *self, GFile *welcome);
void ear_subscriptions_load_states (EarSubscriptions *self);
void ear_subscriptions_stop (EarSubscriptions *self);

EarPodcast *ear_subscriptions_find (EarSubscriptions *self, const char *address);
EarPodcast *ear_subscriptions_follow (EarSubscriptions *self, const char *address,
                                      const char *title);
EarPodcast *ear_subscriptions_follow_in (EarSubscriptions *self, const char *address,
                                         const char *title, const char *folder, gboolean *is_new);
EarPodcast *ear_subscriptions_follow_again (EarSubscriptions *self, EarPodcast *gone);
void ear_subscriptions_offer_undo (EarSubscriptions *self, GPtrArray *podcasts);
void ear_subscriptions_offer_return (EarSubscriptions *self, GPtrArray *podcasts,
                                     const char *message);
EarPodcast *ear_subscriptions_add (EarSubscriptions *self, const char *address, const char *title);
void ear_subscriptions_drop (EarSubscriptions *self, EarPodcast *podcast);
void ear_subscriptions_unfollow (EarSubscriptions *self, EarPodcast *podcast);
EarPodcast *ear_subscriptions_preview (EarSubscriptions *self, const char *address,
                                       const char *title);
void ear_subscriptions_end_preview (EarSubscriptions *self, EarPodcast *podcast);

void ear_subscriptions_set_setting (EarSubscriptions *self, EarPodcast *podcast,
                                    EarPodcastSetting setting, int value);
void ear_subscriptions_set_series (EarSubscriptions *self, EarPodcast *podcast, gboolean series);
void ear_subscriptions_place (EarSubscriptions *self, GPtrArray *moved, const char *folder,
                              EarPodcast *before);
void ear_subscriptions_set_folder (EarSubscriptions *self, EarPodcast *podcast, const char *folder);
void ear_subscriptions_rename_folder (EarSubscriptions *self, const char *folder, const char *name);
char **ear_subscriptions_list_folders (EarSubscriptions *self);
void ear_subscriptions_set_arrangement (EarSubscriptions *self, EarPodcast *podcast,
                                        const char *filter, const char *sort);

void ear_subscriptions_try_address_async (EarSubscriptions *self, EarPodcast *podcast,
                                          const char *address, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
char *ear_subscriptions_try_address_finish (EarSubscriptions *self, GAsyncResult *result,
                                            char **other, GError **error);
void ear_subscriptions_set_address (EarSubscriptions *self, EarPodcast *podcast,
                                    const char *address);
void ear_subscriptions_prefer_secure (EarSubscriptions *self, EarPodcast *podcast,
                                      EarDiscoveryResult *result);

GPtrArray *ear_subscriptions_get_former (EarSubscriptions *self);
const EarSubscription *ear_subscriptions_find_former (EarSubscriptions *self, const char *address);
gboolean ear_subscriptions_was_unfollowed (EarSubscriptions *self, const char *address);
guint ear_subscriptions_count_private (EarSubscriptions *self);
GBytes *ear_subscriptions_export (EarSubscriptions *self, gboolean with_private);

G_END_DECLS
